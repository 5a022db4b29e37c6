"""Readings: what each reader says of a case, what was decided over it, where readers differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from triage.models.reading import Arbitration, Disputed, Reading
from triage.store.cases import chunks
from triage.store.recoding import Recoding, recoded, recodings
from triage.store.standing import arbitration, hashes_of, load_many, verdicts
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.models.sample import Sample
    from triage.models.verdict import Event
    from triage.store.connection import Connection


class Readings:
    """Readings as one thread's connection sees them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def of_cases(self, run: RunSummary, case_ids: Sequence[str]) -> dict[str, tuple[Reading, ...]]:
        """The readers' verdicts that stand on cases, oldest first; a case without one is left out."""
        out: dict[str, tuple[Reading, ...]] = {}
        known = recodings(self._sql)
        for part in chunks([safe(case_id) for case_id in case_ids]):
            hashes = hashes_of(self._sql, run.pk, part)
            for case_id, events in load_many(self._sql, run.id, part).items():
                acts = [event for event in events if not event.undone]
                found = tuple(
                    _reading(event, acts, hashes.get(case_id), known) for event in verdicts(acts).values()
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


def _reading(
    event: Event,
    acts: Sequence[Event],
    now: tuple[str, str, str] | None,
    known: Mapping[str, Recoding],
) -> Reading:
    said, note = event, event.note
    if event.sample is None:
        # Outside of a queue labels and notes come by keys of their own.
        own = [act for act in acts if act.reviewer == event.reviewer and act.batch not in known]
        said = next((act for act in reversed(own) if act.labels is not None), event)
        note = next((act.note for act in reversed(own) if act.note is not None), None)
    labels = recoded(said.labels or (), (act for act in acts if act.id > said.id), known)
    assert event.verdict is not None
    seen = (event.hashes.case, event.hashes.answer, event.hashes.retrieved)
    return Reading(
        event.case_id, event.reviewer, event.verdict, labels, note or "", event.at, event.id,
        event.sample, event.seconds, now is not None and now != seen,
    )  # fmt: skip
