"""From run files to measured cases in the database."""

from triage.ingest.discover import discover, not_there
from triage.ingest.load import Cancelled, load_file
from triage.ingest.stored import StoredReader
from triage.ingest.views import ensure_view

__all__ = ["Cancelled", "StoredReader", "discover", "ensure_view", "load_file", "not_there"]
