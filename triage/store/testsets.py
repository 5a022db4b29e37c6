"""Which runs belong together: of one test set, earlier, and which one is the baseline (run-format: "What
a run is").
"""

from __future__ import annotations

import sqlite3

from msgspec import Struct


class Member(Struct, frozen=True):
    """A run as far as its place among the others goes."""

    run_id: str
    rev: int
    created_at: str
    loaded_at: str
    dataset: str | None
    records: int
    header_baseline: str | None

    @property
    def order(self) -> tuple[str, str, str]:
        """What "earlier" compares."""
        return self.created_at, self.loaded_at, self.run_id


def members(sql: sqlite3.Connection) -> list[Member]:
    """Every loaded run, oldest first."""
    rows = sql.execute(
        """SELECT r.run_id, v.pk, v.created_at, v.loaded_at, v.dataset, v.records,
                json_extract(v.header, '$.baseline')
            FROM runs r JOIN revisions v ON v.pk = r.newest
            ORDER BY v.created_at, v.loaded_at, r.run_id"""
    )
    return [Member(*row) for row in rows]


def shared_ids(sql: sqlite3.Connection, rev: int, dataset: str | None) -> dict[int, int]:
    """How many case ids a revision shares with the newest one of every run with which names do not decide."""
    others = [row[0] for row in sql.execute(
        """SELECT v.pk FROM runs r JOIN revisions v ON v.pk = r.newest
            WHERE v.pk <> ? AND (v.dataset IS NULL OR ? IS NULL)""",
        (rev, dataset),
    )]  # fmt: skip
    return {other: count_shared(sql, rev, other) for other in others}


def count_shared(sql: sqlite3.Connection, rev: int, other: int) -> int:
    """How many case ids two revisions share."""
    found: tuple[int] = sql.execute(
        """SELECT count(*) FROM cases a CROSS JOIN cases b ON b.rev = ? AND b.case_id = a.case_id
            WHERE a.rev = ?""",
        (other, rev),
    ).fetchone()
    return found[0]


class TestSets:
    """The runs and how they hang together, as of one moment."""

    __test__ = False

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql
        self._members = members(sql)
        self._by_id = {member.run_id: member for member in self._members}
        self._shared: dict[tuple[int, int], int] = {
            (rev, other): shared
            for rev, other, shared in sql.execute("SELECT rev, other, shared FROM overlaps")
        }
        self._chosen: dict[str, str] = dict(sql.execute("SELECT run_id, baseline FROM baselines"))
        self._pins: list[str] = [
            row[0] for row in sql.execute("SELECT run_id FROM pins ORDER BY at DESC, run_id")
        ]

    def same(self, one: Member, other: Member) -> bool:
        """Whether two runs are of one test set: equal names, or, where either has none, half of the
        smaller's ids.
        """
        if one.dataset is not None and other.dataset is not None:
            return one.dataset == other.dataset
        shared = self._shared.get((one.rev, other.rev), self._shared.get((other.rev, one.rev)))
        if shared is None:
            shared = count_shared(self._sql, one.rev, other.rev)
            self._shared[one.rev, other.rev] = shared
        smaller = min(one.records, other.records)
        return smaller > 0 and 2 * shared >= smaller

    def others(self, run_id: str) -> list[Member]:
        """The other runs of the run's test set, newest first."""
        member = self._by_id.get(run_id)
        if member is None:
            return []
        return [
            other for other in reversed(self._members) if other is not member and self.same(member, other)
        ]

    def earlier(self, run_id: str) -> list[Member]:
        """The earlier runs of the run's test set, newest first."""
        member = self._by_id.get(run_id)
        return (
            [] if member is None else [other for other in self.others(run_id) if other.order < member.order]
        )

    def baseline(self, run_id: str) -> str | None:
        """The run to compare with: the one chosen, the header's, the test set's pinned one, else the
        newest earlier.
        """
        member = self._by_id.get(run_id)
        if member is None:
            return None
        for named in (self._chosen.get(run_id), member.header_baseline):
            if named is not None and named != run_id and named in self._by_id:
                return named
        for pinned in self._pins:
            other = self._by_id.get(pinned)
            if other is not None and other is not member and self.same(member, other):
                return pinned
        for other in reversed(self._members):
            if other.order < member.order and self.same(member, other):
                return other.run_id
        return None
