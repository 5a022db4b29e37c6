"""From run files to measured cases in the database."""

from triage.ingest.discover import discover
from triage.ingest.load import Cancelled, load_file
from triage.ingest.views import ensure_view, is_high_risk, read_record

__all__ = ["Cancelled", "discover", "ensure_view", "is_high_risk", "load_file", "read_record"]
