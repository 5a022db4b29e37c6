"""How cases came out, case by case, and how many there are of each pair of two things."""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from typing import TYPE_CHECKING, Any

from triage.store import selection
from triage.store.columns import columns

if TYPE_CHECKING:
    from triage.metrics.health import Member
    from triage.models.run import RunSummary
    from triage.store.filter import Where
    from triage.store.testsets import TestSets

_TRUTH: dict[Any, bool | None] = {None: None, 0: False, 1: True}


def _text(value: Any) -> str | None:
    """A text that says something; the key of the same name in a record's own keys may hold anything."""
    return value if isinstance(value, str) and value.strip() else None


class Outcomes:
    """Questions about the cases of a run's view that pass a filter."""

    def __init__(self, sql: sqlite3.Connection, sets: TestSets) -> None:
        self._sql, self._sets = sql, sets

    def same_cases(self, run_id: str, other: str) -> bool:
        """Are two runs of one test set?"""
        return any(member.run_id == other for member in self._sets.others(run_id))

    def passed(self, run: RunSummary, view: int, where: Where) -> dict[str, bool | None]:
        """Case id -> did it pass, in file order: the runner's word, else the final pass; None = neither."""
        known = {metric.key: metric.name for metric in columns(self._sql)}
        final = f"m.{known['final_pass']}" if "final_pass" in known else "NULL"
        rows = self._ask(run, view, where, "c", f"c.case_id, coalesce(c.passed, {final})", "ORDER BY c.pk")
        return {case: _TRUTH[said] for case, said in rows}

    def attempts(self, run: RunSummary, view: int, where: Where) -> dict[tuple[int, int], int]:
        """(attempts at a case, those that passed) -> cases."""
        known = {metric.key: metric.name for metric in columns(self._sql)}
        name = known.get("attempt_pass_rate")
        if name is None:
            return {}
        pairs = f"m.{name}_d, m.{name}_n"
        rows = self._ask(run, view, where, "", f"{pairs}, count(*)", "GROUP BY 1, 2", f"m.{name} IS NOT NULL")
        return {(int(n), int(c)): cases for n, c, cases in rows}

    def refusals(
        self, run: RunSummary, view: int, where: Where
    ) -> dict[tuple[bool | None, bool | None], int]:
        """(answerable, answered) -> cases."""
        rows = self._ask(run, view, where, "c", "c.answerable, c.predicted, count(*)", "GROUP BY 1, 2")
        return {(_TRUTH[due], _TRUTH[answered]): cases for due, answered, cases in rows}

    def conflicts(
        self, run: RunSummary, view: int, where: Where
    ) -> dict[tuple[bool | None, bool | None], int]:
        """(resolved, correct) -> cases with conflicting sources."""
        told = ", ".join(f"json_extract(p.extra, '$.conflict.{name}')" for name in ("resolved", "correct"))
        is_one = "json_type(p.extra, '$.conflict') IS NOT NULL"
        rows = self._ask(run, view, where, "p", f"{told}, count(*)", "GROUP BY 1, 2", is_one)
        return {(_TRUTH.get(named), _TRUTH.get(right)): cases for named, right, cases in rows}

    def routes(
        self, run: RunSummary, view: int, where: Where
    ) -> tuple[dict[tuple[tuple[str, ...], str | None], int], int]:
        """(accepted routes, route taken) -> cases; and how many cases have a route and none accepted."""
        accepted = "json_extract(p.extra, '$.expected_route')"
        told = f"{accepted}, c.route, count(*)"
        recorded = f"({accepted} IS NOT NULL OR c.route IS NOT NULL)"
        found: Counter[tuple[tuple[str, ...], str | None]] = Counter()
        unlabelled = 0
        for names, taken, cases in self._ask(run, view, where, "cp", told, "GROUP BY 1, 2", recorded):
            if names is None:
                unlabelled += cases
            else:
                found[tuple(json.loads(names)), taken] += cases
        return dict(found), unlabelled

    def members(self, run: RunSummary, view: int, where: Where) -> list[Member]:
        """What the test set's health asks of the cases, those alike in all of it together, in file order."""
        from triage.metrics.health import Member

        keys = "'$.dependency', '$.seed_id', '$.rewrite', '$.expected_route'"
        told = f"c.case_id, c.answerable, m.failing, json_extract(p.extra, {keys})"
        alike: dict[tuple[Any, ...], list[str]] = {}
        for case, *rest in self._ask(run, view, where, "cp", told, "ORDER BY c.pk"):
            alike.setdefault(tuple(rest), []).append(case)
        found = []
        for (answerable, failing, text), ids in alike.items():
            dependency, seed, rewrite, routes = json.loads(text)
            kept = (_text(dependency), _text(seed), _text(rewrite))
            accepted = tuple(routes) if isinstance(routes, list) else ()
            found.append(Member(_TRUTH[answerable], bool(failing), *kept, accepted, tuple(ids)))
        return found

    def _ask(
        self, run: RunSummary, view: int, where: Where, wanted: str, told: str, then: str, *further: str
    ) -> list[Any]:
        text, params = selection.base(self._sql, run, view, where).sql(wanted, *further)
        return self._sql.execute(f"SELECT {told} {text} {then}", params).fetchall()
