"""Stored records read back as they were when they were loaded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from triage.formats import read_stored
from triage.formats.infer import infer
from triage.formats.mapping import FieldMap

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.settings import Settings


class StoredReader:
    """Reads a run's stored records, one after the other.

    Args:
        mapping: as stored with the run: record field -> path.
        settings: fallback phrases and topic words.
        run_cites: as stored with the run.
    """

    def __init__(self, mapping: Mapping[str, str], settings: Settings, run_cites: bool) -> None:
        self._map = FieldMap(mapping)
        self._settings = settings
        self._run_cites = run_cites

    def read(self, raw: str, *, both_sources: bool = True) -> Record:
        """The record of a JSON text as it came, with what reading infers.

        Args:
            raw: the text.
            both_sources: as `infer` has it; measuring needs none of it.
        """
        record, _ = read_stored(raw, self._map)
        return infer(record, self._settings, self._run_cites, both_sources=both_sources)
