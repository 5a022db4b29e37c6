"""Slots: who has a case of a sample in hand, and who has given the verdict that fills one of its readings.

Every change is made inside the transaction that makes it true: slots never tell another story than events.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from msgspec import Struct

from triage.store.cases import chunks, marks
from triage.store.changed import changed
from triage.store.standing import undone_batches
from triage.store.text import safe, text_safe

if TYPE_CHECKING:
    from triage.store.events import Who


class Slot(Struct, frozen=True):
    """One reading of a case: in hand of its reviewer since `at`, or done by the verdict of `batch`; `stale`:
    of a record that has changed since; `again`: and its reviewer has it in hand to read that anew.
    """

    slot: int
    reviewer: str
    at: str
    batch: str | None
    stale: bool
    again: bool

    @property
    def in_hand(self) -> bool:
        """Is its verdict still to be given, or given anew?"""
        return self.batch is None or self.again

    def held_at(self, moment: str, minutes: float) -> bool:
        """Is it in hand at a time (ISO 8601), and for no longer than so many minutes?"""
        # A clock that was set back since does not hold a case for ever.
        since = abs(datetime.fromisoformat(moment) - datetime.fromisoformat(self.at))
        return self.in_hand and since <= timedelta(minutes=minutes)


class Said(Struct):
    """What a reviewer has said of a case, as it stands. `event`, `batch` and `at` are those of the verdict,
    `hashes` what it was given on; `deferred` is the event that puts the case off, for `reason`.

    `samples` are those in whose queues the case was judged or put off, `seconds` and `sample` the verdict's.
    """

    event: int = 0
    batch: str | None = None
    at: str | None = None
    hashes: tuple[str, str, str] | None = None
    sample: str | None = None
    seconds: float | None = None
    deferred: int | None = None
    reason: str | None = None
    samples: tuple[str, ...] = ()


def said_by(sql: sqlite3.Connection, run_id: str, reviewer: str, case_ids: Iterable[str]) -> dict[str, Said]:
    """What a reviewer has said of cases of a run; a case of which he has said nothing is left out."""
    rows = [
        row
        for part in chunks(list(case_ids))
        for row in sql.execute(
            f"""SELECT id, batch, at, case_id, kind, sample, seconds, reason, reviewer = ?, hash_case,
                hash_answer, hash_retrieved FROM events
                WHERE run_id = ? AND case_id IN ({marks(part)}) AND (kind = 'arbitration'
                    OR reviewer = ? AND kind IN ('verdict', 'clear', 'defer', 'undefer')) ORDER BY id""",
            text_safe((reviewer, run_id, *part, reviewer)),
        )
    ]
    undone = undone_batches(sql, (row[1] for row in rows))
    out: dict[str, Said] = {}
    decided: set[str] = set()
    for event, batch, at, case_id, kind, sample, seconds, reason, own, *hashes in rows:
        if kind == "arbitration":
            if batch not in undone:
                (decided.add if own else decided.discard)(case_id)
            continue
        said = out.setdefault(case_id, Said())
        if sample is not None and sample not in said.samples:
            said.samples += (sample,)
        if batch in undone:
            continue
        if kind == "verdict":
            said.event, said.batch, said.at, said.sample, said.seconds = event, batch, at, sample, seconds
            said.hashes = (hashes[0], hashes[1], hashes[2])
        elif kind == "clear" and case_id in decided:
            # It takes the arbitration back, and his reading stands as it did.
            decided.discard(case_id)
            continue
        elif kind == "clear":
            said.event, said.batch, said.at, said.sample, said.seconds = 0, None, None, None, None
        said.deferred, said.reason = (event, reason) if kind == "defer" else (None, None)
    return out


_SLOTS = f"""SELECT s.case_id, s.slot, s.reviewer, s.at, s.batch,
        e.id IS NOT NULL AND c.pk IS NOT NULL AND {changed("e")}, s.at > e.at
    FROM slots s CROSS JOIN samples y ON y.pk = s.sample CROSS JOIN runs r ON r.run_id = y.run_id
    LEFT JOIN events e INDEXED BY events_case ON e.run_id = y.run_id AND e.case_id = s.case_id
        AND e.batch = s.batch AND e.kind = 'verdict'
    LEFT JOIN cases c ON c.rev = r.newest AND c.case_id = s.case_id
    WHERE s.sample = ?"""


def slots_of(
    sql: sqlite3.Connection, sample: int, case_ids: Sequence[str] | None = None
) -> dict[str, list[Slot]]:
    """The slots of a sample's cases that are taken, by case; of all cases without `case_ids`."""
    if case_ids is None:
        rows = sql.execute(_SLOTS, (sample,)).fetchall()
    else:
        rows = [
            row
            for part in chunks(case_ids)
            for row in sql.execute(f"{_SLOTS} AND s.case_id IN ({marks(part)})", text_safe((sample, *part)))
        ]
    out: dict[str, list[Slot]] = {}
    for case_id, slot, reviewer, at, batch, stale, later in rows:
        found = Slot(slot, reviewer, at, batch, bool(stale), bool(stale and later))
        out.setdefault(case_id, []).append(found)
    return out


def room(taken: Sequence[Slot], readings: int, moment: str, minutes: float | None) -> Slot | int | None:
    """The number of a free slot, else one that was held for longer than `minutes`, else a stale one.

    `minutes` None: what others hold they keep. None where there is no such slot.
    """
    numbers = {slot.slot for slot in taken}
    free = next((number for number in range(1, readings + 1) if number not in numbers), None)
    if free is not None:
        return free
    held = [slot for slot in taken if slot.in_hand]
    late = [slot for slot in held if minutes is not None and not slot.held_at(moment, minutes)]
    stale = [slot for slot in taken if slot.stale and not slot.again]
    return min(late or stale, key=lambda slot: slot.at, default=None)


def claim(
    sql: sqlite3.Connection,
    sample: int,
    case_id: str,
    who: Who,
    *,
    batch: str | None = None,
    minutes: float | None = None,
) -> int | None:
    """Take a slot of a case for a reviewer: his own, or what `room` finds.

    Args:
        batch: the verdict that fills it; None: the reviewer has the case in hand.

    Returns:
        the slot's number; None: the sample has no such case, or no slot of it is to be had.
    """
    found = sql.execute(
        "SELECT readings FROM sample_cases WHERE sample = ? AND case_id = ?", (sample, safe(case_id))
    ).fetchone()
    if found is None:
        return None
    taken = slots_of(sql, sample, [case_id]).get(safe(case_id), [])
    own = next((slot for slot in taken if slot.reviewer == who.reviewer), None)
    place = own or room(taken, found[0], who.at, minutes)
    if place is None:
        return None
    now = (who.reviewer, who.sitting, who.at, batch)
    if isinstance(place, int):
        sql.execute(
            "INSERT INTO slots (sample, case_id, slot, reviewer, sitting, at, batch) VALUES (?,?,?,?,?,?,?)",
            text_safe((sample, case_id, place, *now)),
        )
        return place
    sql.execute(
        """UPDATE slots SET reviewer = ?, sitting = ?, at = ?, batch = ?
            WHERE sample = ? AND case_id = ? AND slot = ?""",
        text_safe((*now, sample, case_id, place.slot)),
    )
    return place.slot


def follow(
    sql: sqlite3.Connection, run_id: str, case_ids: Iterable[str], who: Who, *, turned: bool = False
) -> None:
    """Make a reviewer's slots tell what he now says of cases. Call in the transaction that wrote the events.

    A slot of his is done by the verdict that stands, in hand again where none stands any more, free again
    where he puts the case off. A verdict that was given in a sample's queue takes a free slot where he has
    none; with `turned` (an undo or redo) a case that he judged or put off in a queue is in hand again.
    """
    samples = sql.execute("SELECT pk, name FROM samples WHERE run_id = ?", (run_id,)).fetchall()
    cases = [safe(case_id) for case_id in case_ids] if samples else []
    for pk, name in samples:
        inside = [
            case_id
            for part in chunks(cases)
            for (case_id,) in sql.execute(
                f"SELECT case_id FROM sample_cases WHERE sample = ? AND case_id IN ({marks(part)})",
                (pk, *part),
            )
        ]
        said = said_by(sql, run_id, who.reviewer, inside)
        taken = slots_of(sql, pk, inside)
        for case_id in inside:
            own = next((slot for slot in taken.get(case_id, ()) if slot.reviewer == who.reviewer), None)
            one = said.get(case_id, Said())
            queued = name in one.samples
            if one.batch is not None:
                if (own.batch != one.batch) if own is not None else queued:
                    claim(sql, pk, case_id, who, batch=one.batch)
                elif own is not None and one.deferred is not None:
                    # What was to be read anew is put off: out of the hand, and the old verdict stands.
                    sql.execute(
                        "UPDATE slots SET at = ? WHERE sample = ? AND case_id = ? AND slot = ?",
                        (one.at, pk, case_id, own.slot),
                    )
            elif one.deferred is not None:
                sql.execute(
                    "DELETE FROM slots WHERE sample = ? AND case_id = ? AND reviewer = ?",
                    (pk, case_id, who.reviewer),
                )
            elif own is not None or (turned and queued):
                claim(sql, pk, case_id, who)


def differing(sql: sqlite3.Connection) -> list[tuple[int, str, int, str | None]]:
    """The done slots that no verdict stands for, as (sample, case id, slot, the batch that does, if any)."""
    found: dict[tuple[str, str], list[tuple[int, str, int, str]]] = {}
    for run_id, reviewer, *slot in sql.execute(
        """SELECT y.run_id, s.reviewer, s.sample, s.case_id, s.slot, s.batch FROM slots s
            JOIN samples y ON y.pk = s.sample WHERE s.batch IS NOT NULL"""
    ):
        found.setdefault((run_id, reviewer), []).append((slot[0], slot[1], slot[2], slot[3]))
    wrong: list[tuple[int, str, int, str | None]] = []
    for (run_id, reviewer), slots in found.items():
        said = said_by(sql, run_id, reviewer, {case_id for _, case_id, _, _ in slots})
        for sample, case_id, slot, batch in slots:
            now = said.get(case_id, Said()).batch
            if now != batch:
                wrong.append((sample, case_id, slot, now))
    return wrong


def mend(sql: sqlite3.Connection) -> None:
    """Let those slots tell what stands, or go. Call inside a write transaction."""
    for sample, case_id, slot, batch in differing(sql):
        place = (sample, case_id, slot)
        if batch is None:
            sql.execute("DELETE FROM slots WHERE sample = ? AND case_id = ? AND slot = ?", place)
        else:
            sql.execute(
                "UPDATE slots SET batch = ? WHERE sample = ? AND case_id = ? AND slot = ?", (batch, *place)
            )
