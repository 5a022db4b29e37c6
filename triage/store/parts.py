"""The parts of a store that have a module of their own, each loaded when it is first asked for."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from triage.errors import Stopped

if TYPE_CHECKING:
    from triage.store.arrivals import Arrivals
    from triage.store.checks import Checks
    from triage.store.codes import Codes
    from triage.store.connection import Connection
    from triage.store.failing import Failing
    from triage.store.handing import Handing
    from triage.store.lookups import Lookups
    from triage.store.readings import Readings
    from triage.store.samples import Samples
    from triage.store.search import SearchIndex
    from triage.store.slices import Slices
    from triage.store.state import LabelsBeside
    from triage.store.suggested import Suggested
    from triage.store.upkeep import Upkeep


class Parts:
    """What `Store` is made of beside its own calls; none of it is loaded before the first paint."""

    _connection: Connection
    _sql: sqlite3.Connection

    def heed(self) -> None:
        """Between the pages of a long reading: raise `Stopped` where nobody waits for it any more."""
        if self._connection.stopped is not None and self._connection.stopped():
            raise Stopped

    @property
    def arrivals(self) -> Arrivals:
        """What following folders asks: files as they were loaded, cases that a run turned."""
        from triage.store.arrivals import Arrivals

        return Arrivals(self._connection)

    @property
    def index(self) -> SearchIndex:
        """The search indexes of this database."""
        # Imported here because a list is shown without a word being searched.
        from triage.store.search import SearchIndex

        return SearchIndex(self._connection)

    @property
    def checks(self) -> Checks:
        """The sentence checks of this database."""
        from triage.store.checks import Checks

        return Checks(self._connection)

    @property
    def lookups(self) -> Lookups:
        """What is looked up to find cases: values, ids, queries."""
        # Imported here because a list is shown without a word being typed.
        from triage.store.lookups import Lookups

        return Lookups(self._sql)

    @property
    def slices(self) -> Slices:
        """What tells the cases of a run apart."""
        from triage.store.slices import Slices

        return Slices(self._connection)

    @property
    def samples(self) -> Samples:
        """The samples drawn of runs."""
        from triage.store.samples import Samples

        return Samples(self._connection)

    @property
    def handing(self) -> Handing:
        """Handing a sample's cases to readers."""
        from triage.store.handing import Handing

        return Handing(self._connection)

    @property
    def readings(self) -> Readings:
        """What readers say of cases, and where they differ."""
        from triage.store.readings import Readings

        return Readings(self._connection)

    @property
    def beside(self) -> LabelsBeside:
        """The labels that readers have set and not given yet."""
        from triage.store.state import LabelsBeside

        return LabelsBeside(self._connection)

    @property
    def suggested(self) -> Suggested:
        """The rules' suggestions beside people's verdicts."""
        from triage.store.suggested import Suggested

        return Suggested(self._connection)

    @property
    def codes(self) -> Codes:
        """The codebook: labels with what they mean, and how they came to be."""
        from triage.store.codes import Codes

        return Codes(self._connection)

    @property
    def failing(self) -> Failing:
        """What fails in a run, and what each failure's rule names."""
        from triage.store.failing import Failing

        return Failing(self._connection)

    def upkeep(self) -> Upkeep:
        """Looking after the file: whether it is whole, a copy, its size."""
        from triage.store.upkeep import Upkeep

        return Upkeep(self._connection)
