"""The queue of a sample: a reader's next case, chosen and taken in one write transaction.

So two readers are never handed the same reading of a case.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from triage.errors import TriageError
from triage.models.reading import Handed
from triage.models.verdict import Hashes
from triage.store import selection, slots
from triage.store.cases import chunks, marks
from triage.store.readings import Readings
from triage.store.slots import Said, Slot
from triage.store.standing import hashes_of
from triage.store.text import safe, text_safe

if TYPE_CHECKING:
    from triage.models.reading import Ended
    from triage.models.run import RunSummary
    from triage.models.sample import Sample
    from triage.store.connection import Connection
    from triage.store.events import Who
    from triage.store.filter import Where


class Queued(Struct, frozen=True):
    """A case of a sample that is in the run, as one reader finds it.

    `hashes` are those of its record.
    """

    case_id: str
    readings: int
    must: bool
    taken: tuple[Slot, ...]
    said: Said
    hashes: tuple[str, str, str]

    @property
    def fresh(self) -> bool:
        """Has he read it as it now is?"""
        return self.said.batch is not None and self.said.hashes == self.hashes

    def slot_of(self, reviewer: str) -> Slot | None:
        """The reader's own slot."""
        return next((slot for slot in self.taken if slot.reviewer == reviewer), None)

    def to_adopt(self, who: Who) -> bool:
        """Has he read it, without a slot that tells so?"""
        return self.fresh and self.slot_of(who.reviewer) is None

    def to_be_had(self, who: Who, minutes: float) -> bool:
        """Can it be handed to this reader now? See `slots.room`."""
        if self.fresh:
            return False
        own = self.slot_of(who.reviewer)
        return own is not None or slots.room(self.taken, self.readings, who.at, minutes) is not None

    def in_hand_of_others(self, who: Who, minutes: float) -> bool:
        """Does another reader have it in hand?"""
        return any(slot.reviewer != who.reviewer and slot.held_at(who.at, minutes) for slot in self.taken)


class Handing:
    """Handing out a sample's cases, as one thread's connection does it."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._sql = connection.sql

    def hand(
        self,
        run: RunSummary,
        sample: Sample,
        who: Who,
        inside: Sequence[Queued],
        within: Collection[str] | None,
        minutes: float,
    ) -> Handed | Ended:
        """Hand a reader his next case, which is then in hand of him.

        In this order: what he has in hand, the newest first; cases that he has not read, as the sample was
        shuffled; those whose record has changed since he read them; those he put off, the oldest first.

        Args:
            inside: the sample's cases as he found them a moment ago (`queued`).
            within: the ids of the cases that may be handed out; None = all of the sample.
            minutes: after which a case that another has in hand may be taken over.

        Raises:
            TriageError: the sample was removed.
            Busy: another process held the database for too long; nothing was handed out.
        """
        queued = [case for case in inside if within is None or case.case_id in within]
        # All is looked through before others have to wait, and what is taken is looked at again.
        wanted = [case.case_id for case in _in_order(queued, who.reviewer) if case.to_be_had(who, minutes)]
        known = [case.case_id for case in inside if case.to_adopt(who)]
        if not wanted and not known:
            return _ended(inside, queued, who, minutes)
        with self._connection.write() as sql:
            self._adopt(sql, run, sample, who, known)
            for case_id in wanted:
                for case in self._queued(sql, run, sample, who, [case_id]):
                    slot = self._take(sql, sample, case, who, minutes)
                    if slot is not None:
                        return self._handed(run, case, slot, who.reviewer)
        # Where others have taken all that was to be had meanwhile, what they leave is looked at anew.
        if wanted:
            return self.hand(run, sample, who, self.queued(run, sample, who), within, minutes)
        return _ended(inside, queued, who, minutes)

    @staticmethod
    def _take(sql: sqlite3.Connection, sample: Sample, case: Queued, who: Who, minutes: float) -> int | None:
        """Take a case for a reader who is still to read it, as it is within the transaction."""
        if not case.to_be_had(who, minutes):
            return None
        # A reading of a changed record is had again without losing the verdict that stands.
        return slots.claim(sql, sample.pk, case.case_id, who, batch=case.said.batch, minutes=minutes)

    def open(self, run: RunSummary, sample: Sample, case_id: str, who: Who, minutes: float) -> Handed:
        """Hand a reader this very case, one that he has read too.

        Raises:
            TriageError: the sample has no such case in the run, or others have all its readings.
        """
        with self._connection.write() as sql:
            found = self._queued(sql, run, sample, who, [case_id])
            if not found:
                raise TriageError("no such case", f"{case_id} in the sample {sample.name}")
            batch = found[0].said.batch
            slot = slots.claim(sql, sample.pk, case_id, who, batch=batch, minutes=minutes)
            if slot is None and batch is None:
                raise TriageError("others read it", f"{case_id} has as many readers as it is to have")
            return self._handed(run, found[0], slot or found[0].readings, who.reviewer)

    def reserve(self, sample: Sample, case_id: str, who: Who, minutes: float) -> None:
        """Take the slot that a verdict about to be given will fill, where one is to be had.

        Raises:
            Busy: another process held the database for too long.
        """
        if not self.holds(sample, case_id, who):
            with self._connection.write() as sql:
                slots.claim(sql, sample.pk, case_id, who, minutes=minutes)

    def holds(self, sample: Sample, case_id: str, who: Who) -> bool:
        """Has the reader a slot of the case, in hand or done?"""
        taken = slots.slots_of(self._sql, sample.pk, [case_id]).get(safe(case_id), [])
        return any(slot.reviewer == who.reviewer for slot in taken)

    def let_go(self, sample: Sample, who: Who) -> int:
        """Let others have what this sitting has in hand without a verdict. Returns how many cases; those that
        were to be read anew, whose old verdict stands, are not among them.
        """
        with self._connection.write() as sql:
            sql.execute(
                """UPDATE slots SET at = b.at FROM batches b
                    WHERE b.batch = slots.batch AND slots.sample = ? AND slots.sitting = ?
                        AND slots.at > b.at""",
                (sample.pk, who.sitting),
            )
            gone = sql.execute(
                "DELETE FROM slots WHERE sample = ? AND sitting = ? AND batch IS NULL",
                (sample.pk, who.sitting),
            )
        return gone.rowcount

    def queued(
        self, run: RunSummary, sample: Sample, who: Who, only: Sequence[str] | None = None
    ) -> list[Queued]:
        """The sample's cases that are in the run, in the order of the queue, as a reader finds them; of the
        case ids `only` those, None = all.
        """
        return self._queued(self._sql, run, sample, who, only)

    def _queued(
        self,
        sql: sqlite3.Connection,
        run: RunSummary,
        sample: Sample,
        who: Who,
        only: Sequence[str] | None = None,
    ) -> list[Queued]:
        if not sql.execute("SELECT 1 FROM samples WHERE pk = ?", (sample.pk,)).fetchone():
            raise TriageError("no such sample", f"{sample.name} in {run.id}", "it was removed just now")
        rows = [
            row
            for part in ([None] if only is None else chunks(only))
            for row in sql.execute(
                f"""SELECT s.case_id, s.readings, s.must, c.hash_case, c.hash_answer, c.hash_retrieved
                    FROM sample_cases s CROSS JOIN cases c ON c.rev = ? AND c.case_id = s.case_id
                    WHERE s.sample = ? {"" if part is None else f"AND s.case_id IN ({marks(part)})"}
                    ORDER BY s.place""",
                text_safe((run.pk, sample.pk, *(part or ()))),
            )
        ]
        ids = [row[0] for row in rows]
        taken = slots.slots_of(sql, sample.pk, None if only is None else ids)
        said = slots.said_by(sql, run.id, who.reviewer, ids)
        return [
            Queued(
                row[0], row[1], bool(row[2]), tuple(taken.get(row[0], ())), said.get(row[0], Said()), row[3:]
            )
            for row in rows
        ]

    def _adopt(
        self, sql: sqlite3.Connection, run: RunSummary, sample: Sample, who: Who, case_ids: Sequence[str]
    ) -> None:
        """Verdicts that this reader gave elsewhere fill free slots: nobody is asked twice."""
        for case in self._queued(sql, run, sample, who, case_ids) if case_ids else ():
            if case.to_adopt(who):
                # Taken when its verdict was given, not now: nobody has it in hand.
                given = replace(who, at=case.said.at or who.at)
                slots.claim(sql, sample.pk, case.case_id, given, batch=case.said.batch)

    def _handed(self, run: RunSummary, case: Queued, slot: int, reviewer: str) -> Handed:
        mine = None
        if case.said.batch is not None:
            given = Readings(self._connection).of_cases(run, [case.case_id]).get(case.case_id, ())
            mine = next((reading for reading in given if reading.reviewer == reviewer), None)
        why = case.said.reason if case.said.deferred is not None else None
        return Handed(case.case_id, slot, case.readings, case.must, mine, why, Hashes(*case.hashes))

    def hashes(self, run: RunSummary, case_id: str) -> Hashes | None:
        """The record of a case as it now is, None where it is gone."""
        found = hashes_of(self._sql, run.pk, [case_id]).get(safe(case_id))
        return None if found is None else Hashes(*found)

    def replaced(self, run: RunSummary) -> bool:
        """Has the run other records by now than those of this revision, or none?"""
        found = self._sql.execute("SELECT newest FROM runs WHERE run_id = ?", (safe(run.id),)).fetchone()
        return found is None or found[0] != run.pk

    def passing(self, run: RunSummary, view: int, where: Where, sample: Sample) -> set[str]:
        """Those of a sample's cases that pass a filter."""
        query = selection.base(self._sql, run, view, where)
        # In one statement, so that a search is made once.
        pks = """SELECT n.pk FROM sample_cases y CROSS JOIN cases n ON n.rev = ? AND n.case_id = y.case_id
            WHERE y.sample = ?"""
        query.also(f"m.case_pk IN ({pks})", "m", run.pk, sample.pk)
        text, params = query.sql("c")
        return {case_id for (case_id,) in self._sql.execute(f"SELECT c.case_id {text}", params)}


def _in_order(queued: Sequence[Queued], reviewer: str) -> Iterator[Queued]:
    """The cases in the order in which they are handed to a reader; see `Handing.hand`."""
    in_hand, unread, changed, put_off = [], [], [], []
    for case in queued:
        own = case.slot_of(reviewer)
        if own is not None and own.in_hand:
            in_hand.append((own.at, case))
        elif case.said.deferred is not None:
            put_off.append((case.said.deferred, case))
        elif case.said.batch is not None:
            changed.append(case)
        else:
            unread.append(case)
    yield from (case for _, case in sorted(in_hand, key=lambda pair: pair[0], reverse=True))
    yield from unread
    yield from changed
    yield from (case for _, case in sorted(put_off, key=lambda pair: pair[0]))


def _ended(inside: Sequence[Queued], queued: Sequence[Queued], who: Who, minutes: float) -> Ended:
    if not inside:
        return "empty"
    if not queued:
        return "filtered"
    held = any(not case.fresh and case.in_hand_of_others(who, minutes) for case in queued)
    return "others" if held else "done"
