"""Run files in: what kind of file it is, its records one by one, and what of each could not be read."""

from triage.formats.items import read_stored
from triage.formats.options import effective, load_options
from triage.formats.reader import RawRecord, RunReader, read_run
from triage.formats.record import Rejected, record_from
from triage.formats.source import RunFileError

__all__ = [
    "RawRecord",
    "Rejected",
    "RunFileError",
    "RunReader",
    "effective",
    "load_options",
    "read_run",
    "read_stored",
    "record_from",
]
