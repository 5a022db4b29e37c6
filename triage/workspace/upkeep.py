"""Looking after the database: what opening it told, whether it is whole, a copy of it, its size."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from triage.errors import TriageError

if TYPE_CHECKING:
    from triage.models.upkeep import Check, Compacted, Copied
    from triage.store import Store
    from triage.workspace.stores import Stores


class Upkeep:
    """What is done for the database file itself.

    Args:
        stores: the threads' stores.
        database: the file.
        now: the clock, for a backup's name.
    """

    def __init__(self, stores: Stores, database: Path, now: Callable[[], datetime]) -> None:
        self._stores, self._database, self._now = stores, database, now

    def notices(self) -> list[str]:
        """Sentences about the database that nobody was told yet: a migration, a network file system."""
        return self._stores.notices()

    def in_words(self, error: BaseException) -> TriageError | None:
        """An error in the user's words where it is the user's to mend, None where it is a bug."""
        if isinstance(error, TriageError):
            return error
        from triage.store.connection import in_words

        return in_words(error, self._database)

    def check(self, *, repair: bool = False) -> Check:
        """Look the database through; with `repair` mend what can be derived from the rest.

        Raises:
            TriageError: there is none, or it can't be used.
        """
        return self._there().upkeep().check(repair=repair)

    def backup(self, target: Path | None = None, *, overwrite: bool = False) -> Copied:
        """Copy the database as it is now, while others write; default: beside it, with the time in its name.

        Raises:
            TriageError: such a file is there already, or it can't be written.
        """
        return self._there().upkeep().backup(target or self.backup_path(), overwrite=overwrite)

    def backup_path(self) -> Path:
        """Where a backup goes by default: `triage-20261128-104100.db` beside the database."""
        time = self._now().astimezone().strftime("%Y%m%d-%H%M%S")
        return self._database.with_name(f"{self._database.stem}-{time}{self._database.suffix or '.db'}")

    def compact(self) -> Compacted:
        """Remove what nobody needs any more and give its room back to the disk.

        Raises:
            TriageError: a run is being loaded, or there is no database. Busy: another process holds it.
        """
        return self._there().upkeep().compact()

    def _there(self) -> Store:
        store = self._stores.reading()
        if store is None:
            raise TriageError("no database", str(self._database), "load a run first: triage ingest FILE")
        return store
