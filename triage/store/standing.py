"""What the review events on cases add up to, and how it is kept beside them: the newest word on each case."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from triage.models.verdict import Event, Hashes, Review, Verdict, common
from triage.store.cases import chunks, make_review, marks
from triage.store.recoding import Recoding, recoded, recodings
from triage.store.text import safe, text_safe

_NONE: Mapping[str, Recoding] = {}
_EVENT = """SELECT id, batch, sitting, dataset, case_id, run_id, revision, hash_case, hash_answer,
    hash_retrieved, reviewer, at, kind, verdict, labels, note, target, sample, reason, seconds FROM events"""


def hashes_of(
    sql: sqlite3.Connection, rev: int | None, case_ids: Sequence[str]
) -> dict[str, tuple[str, str, str]]:
    """Of each case that the revision has: the hashes of the case, its answer and what was retrieved."""
    return {
        row[0]: row[1:]
        for part in chunks(list(dict.fromkeys(case_ids)))
        for row in sql.execute(
            f"""SELECT case_id, hash_case, hash_answer, hash_retrieved FROM cases
                WHERE rev = ? AND case_id IN ({marks(part)})""",
            text_safe((rev, *part)),
        )
    }


def undone_batches(sql: sqlite3.Connection, batches: Iterable[str]) -> set[str]:
    """Those of the batches that were taken back and not brought back."""
    last: dict[str, str] = {}
    for part in chunks(list(set(batches))):
        last.update(
            sql.execute(f"SELECT target, kind FROM batches WHERE target IN ({marks(part)}) ORDER BY id", part)
        )
    return {batch for batch, kind in last.items() if kind == "undo"}


def load(sql: sqlite3.Connection, run_id: str, case_id: str) -> list[Event]:
    """The events on a case in a run, newest last; those taken back are marked `undone`."""
    return load_many(sql, run_id, [case_id]).get(safe(case_id), [])


def load_many(sql: sqlite3.Connection, run_id: str, case_ids: Sequence[str]) -> dict[str, list[Event]]:
    """The events on cases as `load` gives them, by case; a case without any is left out."""
    rows = [
        row
        for part in chunks(list(dict.fromkeys(case_ids)))
        for row in sql.execute(
            f"{_EVENT} WHERE run_id = ? AND case_id IN ({marks(part)}) ORDER BY id",
            text_safe((run_id, *part)),
        )
    ]
    undone = undone_batches(sql, (row[1] for row in rows))
    out: dict[str, list[Event]] = {}
    for row in rows:
        out.setdefault(row[4], []).append(_event(row, row[1] in undone))
    return out


def _event(row: tuple[Any, ...], undone: bool) -> Event:
    return Event(
        id=row[0], batch=row[1], sitting=row[2], dataset=row[3], case_id=row[4], run_id=row[5],
        revision=row[6],
        hashes=Hashes(*row[7:10]), reviewer=row[10], at=row[11], kind=row[12], verdict=row[13],
        labels=None if row[14] is None else tuple(json.loads(row[14])), note=row[15], target=row[16],
        undone=undone, sample=row[17], reason=row[18], seconds=row[19],
    )  # fmt: skip


def verdicts(events: Iterable[Event]) -> dict[str, Event]:
    """Every reviewer's verdict that stands, oldest first.

    A "clear" takes its reviewer's arbitration back where one stands, and only else his own verdict.
    """
    standing: dict[str, Event] = {}
    decided: str | None = None
    for event in events:
        if event.kind == "arbitration":
            decided = event.reviewer
        elif event.kind == "clear" and event.reviewer == decided:
            decided = None
        elif event.kind in ("verdict", "clear"):
            standing.pop(event.reviewer, None)
        if event.kind == "verdict":
            standing[event.reviewer] = event
    return standing


class Settled(NamedTuple):
    """What events on a case add up to; `event` is the one that decides."""

    event: Event
    verdict: Verdict | None
    labels: tuple[str, ...]
    note: str
    disputed: bool
    deferred: bool
    arbitrated: bool = False


def arbitration(events: Iterable[Event]) -> Event | None:
    """The newest arbitration that stands; its reviewer's "clear" takes it back."""
    standing: Event | None = None
    for event in events:
        if event.kind == "arbitration":
            standing = event
        elif event.kind == "clear" and standing is not None and event.reviewer == standing.reviewer:
            standing = None
    return standing


def labels_of(acts: Sequence[Event], known: Mapping[str, Recoding] = _NONE) -> tuple[str, ...]:
    """The labels that stand: the newest set, and what readings in a queue have put beside it.

    A reader who reads a case again takes the labels of the reading before back, also where they were renamed
    meanwhile (`known`: the changes of the codebook by batch).
    """
    last = {event.reviewer: event.id for event in acts if event.kind == "verdict"}
    base: tuple[str, ...] = ()
    beside: dict[str, tuple[str, ...]] = {}
    for event in acts:
        if event.labels is None:
            continue
        if event.batch in known:
            base = recoded(base, [event], known)
            beside = {reader: recoded(given, [event], known) for reader, given in beside.items()}
        elif event.kind != "verdict" or event.sample is None:
            base, beside = event.labels, {}
        elif last[event.reviewer] == event.id:
            beside[event.reviewer] = event.labels
    return tuple(dict.fromkeys((*base, *(label for given in beside.values() for label in given))))


def settle(events: Sequence[Event], known: Mapping[str, Recoding] = _NONE) -> Settled | None:
    """What events on a case add up to (cli.md, "The case's verdict"); None where nothing is left of them.

    The verdict is that of the newest arbitration, else what more than half of the reviewers say, else the
    newest, and then disputed. A verdict ends a deferral, and none begins while one stands. `known`: as of
    `labels_of`.
    """
    acts = [event for event in events if not event.undone and event.kind not in ("undo", "redo")]
    standing = list(verdicts(acts).values())
    labels = labels_of(acts, known)
    note = next((event.note for event in reversed(acts) if event.note is not None), "")
    decided = arbitration(acts)
    if decided is not None:
        return Settled(decided, decided.verdict, labels, note, False, False, True)
    if standing:
        most = common([event.verdict for event in standing if event.verdict is not None])
        voices = [event for event in standing if most is None or event.verdict == most]
        newest = max(voices, key=lambda event: event.id)
        return Settled(newest, newest.verdict, labels, note, most is None, False)
    last = next((event for event in reversed(acts) if event.kind in ("verdict", "defer", "undefer")), None)
    deferred = last is not None and last.kind == "defer"
    if not labels and not note and not deferred:
        return None
    # Who renames a label has said nothing of the case.
    own = [event for event in acts if event.batch not in known]
    said = next(event for event in reversed(own) if event.labels or event.note or event.kind == "defer")
    return Settled(said, None, labels, note, False, deferred)


class Standing(Struct, frozen=True):
    """What was made of cases: their reviews, the rows that keep them, the cases of which nothing is left."""

    reviews: dict[str, Review | None]
    rows: list[tuple[Any, ...]]
    gone: list[tuple[str, str]]

    def but(self, changed: set[str], anew: Standing) -> Standing:
        """The same with cases that have `changed` taken from `anew`, or left out where it has them not."""
        reviews = {
            case: anew.reviews.get(case, review)
            for case, review in self.reviews.items()
            if case not in changed or case in anew.reviews
        }
        rows = [row for row in self.rows if row[1] not in changed]
        gone = [pair for pair in self.gone if pair[1] not in changed]
        return Standing(reviews | anew.reviews, rows + anew.rows, gone + anew.gone)


def last_event(sql: sqlite3.Connection) -> int:
    """Id of the newest event, 0 where there is none."""
    return int(sql.execute("SELECT max(id) FROM events").fetchone()[0] or 0)


def changed_since(sql: sqlite3.Connection, run_id: str, last: int) -> set[str]:
    """The cases of a run that have an event newer than the one with the id `last`."""
    found = sql.execute("SELECT DISTINCT case_id FROM events WHERE id > ? AND run_id = ?", (last, run_id))
    return {case_id for (case_id,) in found}


def stand(
    sql: sqlite3.Connection,
    run_id: str,
    case_ids: Iterable[str],
    rev: int | None,
    hashes: Mapping[str, tuple[str, str, str]] | None = None,
    new: Mapping[str, Sequence[Event]] | None = None,
    turned: tuple[str, bool] | None = None,
) -> Standing:
    """What the events of cases add up to.

    Args:
        rev: the revision against which `stale` is told.
        hashes: those of its cases, where they are known.
        new: events that cases are about to have.
        turned: a batch, and whether it is about to be undone.
    """
    cases = [safe(case_id) for case_id in dict.fromkeys(case_ids)]
    recorded = hashes_of(sql, rev, cases) if hashes is None else hashes
    out = Standing({}, [], [])
    known = recodings(sql)
    for part in chunks(cases):
        found = load_many(sql, run_id, part)
        for case_id in part:
            events = found.get(case_id, [])
            if turned is not None:
                batch, undone = turned
                events = [
                    replace(event, undone=undone) if event.batch == batch else event for event in events
                ]
            if new is not None and case_id in new:
                events = [*events, *new[case_id]]
            _stand(out, run_id, case_id, settle(events, known), recorded)
    return out


def _stand(
    out: Standing,
    run_id: str,
    case_id: str,
    settled: Settled | None,
    recorded: Mapping[str, tuple[str, str, str]],
) -> None:
    if settled is None:
        out.gone.append((run_id, case_id))
        out.reviews[case_id] = None
        return
    event, verdict, labels, note, disputed, deferred, arbitrated = settled
    seen = (event.hashes.case, event.hashes.answer, event.hashes.retrieved)
    said = (
        verdict, json.dumps(labels, ensure_ascii=False), note, event.reviewer, event.at, disputed, deferred,
        arbitrated,
    )  # fmt: skip
    out.rows.append((run_id, case_id, *said, *seen))
    out.reviews[case_id] = make_review(said, case_id in recorded and recorded[case_id] != seen)


def keep(sql: sqlite3.Connection, standing: Standing) -> None:
    """Write down what cases' events add up to. Call inside the transaction that writes the events."""
    sql.executemany("DELETE FROM reviews_now WHERE run_id = ? AND case_id = ?", standing.gone)
    sql.executemany(
        """INSERT OR REPLACE INTO reviews_now (run_id, case_id, verdict, labels, note, reviewer, at, disputed,
            deferred, arbitrated, hash_case, hash_answer, hash_retrieved)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)""",
        standing.rows,
    )


def recompute(sql: sqlite3.Connection, run_id: str, case_ids: Iterable[str], rev: int | None) -> None:
    """Write anew what the events of cases add up to. Call inside a write transaction."""
    keep(sql, stand(sql, run_id, case_ids, rev))


def resettle(sql: sqlite3.Connection) -> None:
    """Write anew what the events of disputed cases add up to, by the rule that now holds. Call inside a write
    transaction.
    """
    cases: dict[str, list[str]] = {}
    for run_id, case_id in sql.execute("SELECT run_id, case_id FROM reviews_now WHERE disputed = 1"):
        cases.setdefault(run_id, []).append(case_id)
    for run_id, case_ids in cases.items():
        recompute(sql, run_id, case_ids, None)


def review(sql: sqlite3.Connection, run_id: str, case_id: str, rev: int | None) -> Review | None:
    """What the events on a case add up to, as kept; `stale` against the record at revision `rev`."""
    row = sql.execute(
        """SELECT r.verdict, r.labels, r.note, r.reviewer, r.at, r.disputed, r.deferred, r.arbitrated,
            c.pk IS NOT NULL AND (r.hash_case IS NOT c.hash_case OR r.hash_answer IS NOT c.hash_answer
                OR r.hash_retrieved IS NOT c.hash_retrieved)
            FROM reviews_now r LEFT JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
            WHERE r.run_id = ? AND r.case_id = ?""",
        (rev, run_id, case_id),
    ).fetchone()
    return None if row is None else make_review(row[:8], bool(row[8]))
