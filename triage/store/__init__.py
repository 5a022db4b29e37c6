"""The only part that touches the database."""

from triage.store.events import Act, Applied, Who
from triage.store.identity import LoadedMeanwhile, StoredFile
from triage.store.rows import CaseIn, Measured
from triage.store.store import Store

__all__ = ["Act", "Applied", "CaseIn", "LoadedMeanwhile", "Measured", "Store", "StoredFile", "Who"]
