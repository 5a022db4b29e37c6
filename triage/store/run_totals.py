"""What every loaded run adds up to, read for all of them at once, and what hangs on a run.

A run's metrics are sums that were kept when it was measured, so a list of runs reads no case.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from triage.errors import TriageError
from triage.models.run_list import Removal
from triage.models.sureness import Sureness
from triage.store import state, versions
from triage.store.columns import columns
from triage.store.connection import Connection
from triage.store.outcomes import Outcomes
from triage.store.selection import NOT_FAILING
from triage.store.text import safe
from triage.store.totals import aggregate_all

if TYPE_CHECKING:
    from triage.models.measure import Aggregate
    from triage.models.run import RunSummary
    from triage.store.testsets import TestSets


class ViewTotals(Struct, frozen=True):
    """A view's metrics as sums, and how many of its cases fail. It never changes while the view stands."""

    aggregates: dict[str, Aggregate]
    failing: int


class Reviewed(Struct, frozen=True):
    """People's verdicts on a run: how many of each, and how many of them on failing cases."""

    verdicts: dict[str, int] = field(default_factory=dict)
    triaged: int = 0


def views(connection: Connection, sureness: Sureness) -> dict[tuple[int, int], int]:
    """(revision, K) -> view, of every view whose metrics are today's and that was decided by `sureness`."""
    sql = connection.sql
    found = sql.execute(
        "SELECT rev, k, max(pk) FROM views WHERE done = 1 AND version = ? GROUP BY rev, k",
        (versions.measured(),),
    ).fetchall()
    kept = state.surenesses(connection)
    return {(rev, k): pk for rev, k, pk in found if kept.get(pk, state.DEFAULT) == sureness}


def stamps(sql: sqlite3.Connection, wanted: Iterable[int]) -> dict[int, tuple[str, str, int]]:
    """View -> what it was made of: the bytes of its file, when they were loaded, its own key."""
    rows = sql.execute(
        """SELECT w.value, v.sha256, v.loaded_at FROM json_each(?) w
            CROSS JOIN views x ON x.pk = w.value CROSS JOIN revisions v ON v.pk = x.rev""",
        (json.dumps(list(wanted)),),
    )
    return {view: (sha256, loaded_at, view) for view, sha256, loaded_at in rows}


def totals(sql: sqlite3.Connection, wanted: Sequence[int]) -> dict[int, ViewTotals]:
    """What each of the views adds up to; two queries, however many they are."""
    metrics = columns(sql)
    listed = json.dumps(list(wanted))
    masks: defaultdict[int, list[tuple[int, int, int, int, int, int]]] = defaultdict(list)
    failing: Counter[int] = Counter()
    for view, lead, *mask in sql.execute(
        """SELECT v.view, p.lead, v.cases, p.missing, p.inferred, p.worse, p.have, p.ones
            FROM json_each(?) w CROSS JOIN view_patterns v ON v.view = w.value
            CROSS JOIN patterns p ON p.pk = v.pattern""",
        (listed,),
    ):
        masks[view].append(tuple(mask))
        if lead != NOT_FAILING:
            failing[view] += mask[0]
    sums: defaultdict[int, dict[str, tuple[float, float]]] = defaultdict(dict)
    for view, key, total, weight in sql.execute(
        """SELECT s.view, s.key, s.total, s.weight
            FROM json_each(?) w CROSS JOIN view_sums s ON s.view = w.value""",
        (listed,),
    ):
        sums[view][key] = (total, weight)
    return {
        view: ViewTotals(aggregate_all(metrics, masks[view], sums[view]), failing[view]) for view in wanted
    }


def reviewed(sql: sqlite3.Connection, places: Iterable[tuple[int, int | None]]) -> dict[int, Reviewed]:
    """Verdicts by revision, of (revision, view) pairs; without a view nothing is known to fail."""
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    triaged: Counter[int] = Counter()
    rows = sql.execute(
        """SELECT v.pk, r.verdict, m.lead < ?, count(*) FROM json_each(?) w
            CROSS JOIN revisions v ON v.pk = json_extract(w.value, '$[0]')
            CROSS JOIN runs n ON n.pk = v.run_pk
            CROSS JOIN reviews_now r ON r.run_id = n.run_id AND r.verdict IS NOT NULL
            CROSS JOIN cases c ON c.rev = v.pk AND c.case_id = r.case_id
            LEFT JOIN measures m ON m.view = json_extract(w.value, '$[1]') AND m.case_pk = c.pk
            GROUP BY 1, 2, 3""",
        (NOT_FAILING, json.dumps([list(place) for place in places])),
    )
    for rev, verdict, fails, cases in rows:
        found[rev][verdict] += cases
        if fails:
            triaged[rev] += cases
    return {rev: Reviewed(dict(verdicts), triaged[rev]) for rev, verdicts in found.items()}


_OWN = ("id", "created_at", "notes", "baseline", "kb_ids", "extra", "dataset")
"""Header keys that tell runs apart without configuring them."""


def configurations(sql: sqlite3.Connection, revs: Sequence[int]) -> dict[int, dict[str, str]]:
    """Of each revision: its configuration as dotted keys with values in words, as its header has them."""
    rows = sql.execute(
        "SELECT v.pk, v.header FROM json_each(?) w CROSS JOIN revisions v ON v.pk = w.value",
        (json.dumps(list(revs)),),
    )
    return {rev: _configuration(json.loads(header)) for rev, header in rows}


def _configuration(header: Mapping[str, Any]) -> dict[str, str]:
    dataset = header.get("dataset") or {}
    parts = {
        "dataset version": dataset.get("version"),
        **{key: value for key, value in header.items() if key not in _OWN},
        **(header.get("extra") or {}),
    }
    out: dict[str, str] = {}
    for key, value in parts.items():
        # `retrieval.top_k` is told as `top_k`: the words on screen are few.
        inner = value if isinstance(value, dict) else {key: value}
        for name, one in inner.items():
            if one is not None:
                out[str(name)] = one if isinstance(one, str) else json.dumps(one, ensure_ascii=False)
    return out


def families(runs: Sequence[RunSummary], sets: TestSets) -> dict[str, str]:
    """Run id -> a name that the runs of one test set share.

    A run that names no test set belongs to that of the newest other run with which it shares enough cases.
    """
    found = {run.id: f"={run.dataset}" for run in runs if run.dataset is not None}
    for run in runs:
        if run.id in found:
            continue
        others = [other.run_id for other in sets.others(run.id)]
        known = next((found[other] for other in others if other in found), f"?{run.id}")
        found[run.id] = known
        for other in others:
            found.setdefault(other, known)
    return found


def pins(sql: sqlite3.Connection, known: Container[str]) -> list[str]:
    """The runs that are pinned as their test set's baseline, the newest pin first."""
    rows = sql.execute("SELECT run_id FROM pins ORDER BY at DESC, run_id")
    return [run_id for (run_id,) in rows if run_id in known]


def unpin(connection: Connection, run_id: str) -> None:
    """Let a run be its test set's baseline no longer; the newest earlier run is again."""
    with connection.write() as sql:
        sql.execute("DELETE FROM pins WHERE run_id = ?", (safe(run_id),))


def removal(sql: sqlite3.Connection, run_id: str) -> Removal:
    """What letting go of a run would take away, and what would stay.

    Raises:
        TriageError: it is not loaded.
    """
    named = safe(run_id)
    found = sql.execute(
        """SELECT v.records, (SELECT count(*) FROM revisions o WHERE o.run_pk = r.pk AND o.done = 1)
            FROM runs r JOIN revisions v ON v.pk = r.newest WHERE r.run_id = ?""",
        (named,),
    ).fetchone()
    if found is None:
        raise TriageError("no such run", run_id, "triage runs lists them")
    verdicts, notes, labels = sql.execute(
        """SELECT count(verdict), count(nullif(note, '')), count(nullif(labels, '[]'))
            FROM reviews_now WHERE run_id = ?""",
        (named,),
    ).fetchone()
    drafts = sql.execute("SELECT count(*) FROM drafts WHERE run_id = ?", (named,)).fetchone()[0]
    people = sql.execute(
        """SELECT DISTINCT e.reviewer FROM reviews_now r JOIN events e USING (run_id, case_id)
            WHERE r.run_id = ? ORDER BY e.reviewer""",
        (named,),
    ).fetchall()
    records, revisions = found
    names = tuple(name for (name,) in people)
    return Removal(run_id, records, revisions, verdicts, notes, labels, drafts, names)


class RunTotals:
    """The same questions, of one open database at one moment."""

    def __init__(self, connection: Connection, sets: TestSets) -> None:
        self._connection, self._sql, self._sets = connection, connection.sql, sets

    def views(self, sureness: Sureness) -> dict[tuple[int, int], int]:
        """(revision, K) -> view, as `views`."""
        return views(self._connection, sureness)

    def stamps(self, wanted: Iterable[int]) -> dict[int, tuple[str, str, int]]:
        """View -> what it was made of."""
        return stamps(self._sql, wanted)

    def totals(self, wanted: Sequence[int]) -> dict[int, ViewTotals]:
        """What each of the views adds up to."""
        return totals(self._sql, wanted)

    def reviewed(self, places: Iterable[tuple[int, int | None]]) -> dict[int, Reviewed]:
        """Verdicts by revision, of (revision, view) pairs."""
        return reviewed(self._sql, places)

    def configurations(self, revs: Sequence[int]) -> dict[int, dict[str, str]]:
        """Of each revision: its configuration as keys with values in words."""
        return configurations(self._sql, revs)

    def families(self, runs: Sequence[RunSummary]) -> dict[str, str]:
        """Run id -> a name that the runs of one test set share."""
        return families(runs, self._sets)

    def pins(self, known: Container[str]) -> list[str]:
        """The runs that are pinned as their test set's baseline, the newest pin first."""
        return pins(self._sql, known)

    @property
    def outcomes(self) -> Outcomes:
        """How cases came out, and counts of two things crossed."""
        return Outcomes(self._sql, self._sets)

    def fewest_attempts(self, rev: int) -> int | None:
        """The smallest number of attempts at a case of a revision, 0 = none; None: nobody looked."""
        found = self._sql.execute("SELECT fewest_attempts FROM revisions WHERE pk = ?", (rev,)).fetchone()
        return None if found is None else found[0]

    def pass_k(self, rev: int) -> int | None:
        """The k of pass@k that a revision's header asks for; read without the models, which a report needs
        for nothing else.
        """
        found = self._sql.execute(
            "SELECT json_extract(header, '$.pass_k') FROM revisions WHERE pk = ?", (rev,)
        ).fetchone()
        return None if found is None else found[0]

    def keep_fewest_attempts(self, rev: int, attempts: int) -> None:
        """Remember it for later views."""
        with self._connection.write() as sql:
            sql.execute("UPDATE revisions SET fewest_attempts = ? WHERE pk = ?", (attempts, rev))

    def unpin(self, run_id: str) -> None:
        """Let a run be its test set's baseline no longer."""
        unpin(self._connection, run_id)

    def removal(self, run_id: str) -> Removal:
        """What letting go of a run would take away, and what would stay."""
        return removal(self._sql, run_id)
