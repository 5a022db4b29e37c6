"""Readings: what each reader says of a case, what was decided over it, where readers differ."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from triage.models.reading import Arbitration, Disputed, Reading
from triage.store.cases import chunks
from triage.store.standing import arbitration, hashes_of, load_many, verdicts
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.sample import Sample
    from triage.models.verdict import Event
    from triage.store.connection import Connection

Recoding = tuple[frozenset[str], tuple[str, ...]]
"""Labels that were renamed, merged or split, and what came for them."""


class Readings:
    """Readings as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def of_cases(self, run: RunSummary, case_ids: Sequence[str]) -> dict[str, tuple[Reading, ...]]:
        """The readers' verdicts that stand on cases, oldest first; a case without one is left out."""
        out: dict[str, tuple[Reading, ...]] = {}
        recoded = _recoded(self._sql)
        for part in chunks([safe(case_id) for case_id in case_ids]):
            hashes = hashes_of(self._sql, run.pk, part)
            for case_id, events in load_many(self._sql, run.id, part).items():
                acts = [event for event in events if not event.undone]
                found = tuple(
                    _reading(event, acts, hashes.get(case_id), recoded) for event in verdicts(acts).values()
                )
                if found:
                    out[case_id] = found
        return out

    def arbitrations(self, run: RunSummary, case_ids: Sequence[str]) -> dict[str, Arbitration]:
        """The newest arbitration that stands on each of the cases that have one."""
        out: dict[str, Arbitration] = {}
        for case_id, events in load_many(self._sql, run.id, case_ids).items():
            found = arbitration(event for event in events if not event.undone)
            if found is not None and found.verdict is not None:
                out[case_id] = Arbitration(
                    case_id, found.reviewer, found.verdict, found.reason or "", found.at, found.id
                )
        return out

    def disputes(self, run: RunSummary, sample: Sample | None, *, decided: bool = False) -> list[Disputed]:
        """The cases of a run, or of one of its samples, whose readers differ; `decided`: those too that an
        arbitration has settled. In the order of the queue, or of the file.
        """
        ids = self._disputed(run, sample, decided)
        given, settled = self.of_cases(run, ids), self.arbitrations(run, ids)
        return [Disputed(case_id, given.get(case_id, ()), settled.get(case_id)) for case_id in ids]

    def _disputed(self, run: RunSummary, sample: Sample | None, decided: bool) -> list[str]:
        wanted = "(r.disputed = 1 OR r.arbitrated = 1)" if decided else "r.disputed = 1"
        join, order, params = "", "c.pk", [run.id, run.pk]
        if sample is not None:
            join, order = "JOIN sample_cases s ON s.sample = ? AND s.case_id = r.case_id", "s.place"
            params = [sample.pk, *params]
        rows = self._sql.execute(
            f"""SELECT r.case_id FROM reviews_now r {join}
                JOIN cases c ON c.case_id = r.case_id
                WHERE r.run_id = ? AND c.rev = ? AND {wanted} ORDER BY {order}""",
            params,
        )
        return [case_id for (case_id,) in rows]

    def in_dispute(self, run: RunSummary, sample: Sample) -> int:
        """How many of a sample's cases are in dispute; see `disputes`."""
        return len(self._disputed(run, sample, False))


def _recoded(sql: sqlite3.Connection) -> dict[str, Recoding]:
    """What the batches of codebook changes did: the labels that went, and those that came for them."""
    rows = sql.execute(
        """SELECT b.value, c.names, c.into_names FROM code_changes c, json_each(c.detail, '$.batches') b
            WHERE c.kind IN ('rename', 'merge', 'split')"""
    )
    return {batch: (frozenset(json.loads(names)), tuple(json.loads(into))) for batch, names, into in rows}


def _labels(
    given: tuple[str, ...], later: Iterable[Event], recoded: Mapping[str, Recoding]
) -> tuple[str, ...]:
    """Labels under the names that they have now: those of `later` events that changed the codebook."""
    for event in later:
        if event.batch not in recoded or event.labels is None:
            continue
        names, into = recoded[event.batch]
        came = [label for label in into if label in event.labels]
        given = tuple(dict.fromkeys(one for label in given for one in (came if label in names else [label])))
    return given


def _reading(
    event: Event,
    acts: Sequence[Event],
    now: tuple[str, str, str] | None,
    recoded: Mapping[str, Recoding],
) -> Reading:
    said, note = event, event.note
    if event.sample is None:
        # Outside of a queue labels and notes come by keys of their own.
        own = [act for act in acts if act.reviewer == event.reviewer and act.batch not in recoded]
        said = next((act for act in reversed(own) if act.labels is not None), event)
        note = next((act.note for act in reversed(own) if act.note is not None), None)
    labels = _labels(said.labels or (), (act for act in acts if act.id > said.id), recoded)
    assert event.verdict is not None
    seen = (event.hashes.case, event.hashes.answer, event.hashes.retrieved)
    return Reading(
        event.case_id, event.reviewer, event.verdict, labels, note or "", event.at, event.id,
        event.sample, event.seconds, now is not None and now != seen,
    )  # fmt: skip
