"""The failing cases of a view with what is told of each by rule, for those who look for what they share."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from msgspec import DecodeError, Struct, field
from msgspec.json import Decoder
from msgspec.structs import replace

from triage.models.groups import Failure, Role
from triage.store.cases import chunks, marks
from triage.store.selection import NOT_FAILING

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.store.connection import Connection

LONGEST_ERROR = 80
"""Characters of an error by which cases are told apart: what follows is often an address or a number."""

_NO_DOCUMENT: tuple[Role, ...] = ("clash", "error")


class _Document(Struct):
    id: str | None = None


class _Clash(Struct):
    found: list[_Document] = field(default_factory=list)


class _Sentence(Struct):
    clashes: list[_Clash] = field(default_factory=list)


class _Shown(Struct):
    """What a rule's evidence says of documents; everything else is left unread."""

    expected_ids: list[str] | None = None
    top_k: list[str] | None = None
    missing_ids: list[str] | None = None
    expected: _Document | None = None
    cited: list[_Document] | None = None
    unresolved: list[Any] | None = None
    sentences: list[_Sentence] | None = None
    kinds: list[str] | None = None
    error: Any = None
    failure_reason: Any = None


_decode = Decoder(_Shown).decode


class Failing:
    """Questions about the failing cases of a run."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def failures(self, view: int) -> list[Failure]:
        """The failing cases in file order, each with the documents and errors that its rule names."""
        with self._connection.question() as sql:
            rows = sql.execute(
                f"""SELECT m.case_pk, c.case_id, m.class, m.reason, c.query, f.evidence
                    FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk
                    LEFT JOIN findings f ON f.view = m.view AND f.case_pk = m.case_pk
                    WHERE m.view = ? AND m.lead < {NOT_FAILING} ORDER BY m.case_pk""",
                (view,),
            )
            found = [
                Failure(pk, case_id, kind, reason, query, _marks(evidence))
                for pk, case_id, kind, reason, query, evidence in rows
            ]
            # Only ids that are numbers may be places, and then the records are asked.
            likely = [one.pk for one in found if any(name.isdecimal() for _, name in one.marks)]
            places: set[int] = set()
            for part in chunks(likely):
                places.update(
                    pk
                    for pk, retrieved in sql.execute(
                        f"SELECT case_pk, retrieved FROM texts WHERE case_pk IN ({marks(part)})", part
                    )
                    if numbered(retrieved)
                )
        return [
            replace(one, marks=tuple(mark for mark in one.marks if mark[0] in _NO_DOCUMENT))
            if one.pk in places
            else one
            for one in found
        ]

    def queries(self, run: RunSummary, most: int) -> list[str]:
        """The queries of at most `most` cases of a run, evenly spread over its file."""
        step = max(1, -(-run.records // most))
        with self._connection.question() as sql:
            found = sql.execute(
                "SELECT query FROM cases WHERE rev = ? AND pk % ? = 0 ORDER BY pk LIMIT ?",
                (run.pk, step, most),
            )
            return [query for (query,) in found]

    def judged(self, run: RunSummary, view: int) -> dict[int, tuple[str | None, str]]:
        """(verdict, labels as JSON) of the failing cases that somebody has judged or labelled, by key."""
        with self._connection.question() as sql:
            return {
                pk: (verdict, labels)
                for pk, verdict, labels in sql.execute(
                    f"""SELECT c.pk, r.verdict, r.labels FROM reviews_now r
                        CROSS JOIN cases c ON c.rev = ? AND c.case_id = r.case_id
                        CROSS JOIN measures m ON m.view = ? AND m.case_pk = c.pk AND m.lead < {NOT_FAILING}
                        WHERE r.run_id = ? AND (r.verdict IS NOT NULL OR r.labels <> '[]')""",
                    (run.pk, view, run.id),
                )
            }

    def high_risk(self, view: int) -> frozenset[int]:
        """The keys of the failing cases with a high-risk topic."""
        with self._connection.question() as sql:
            found = sql.execute(
                f"""SELECT c.pk FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk
                    WHERE m.view = ? AND m.lead < {NOT_FAILING} AND c.high_risk""",
                (view,),
            )
            return frozenset(pk for (pk,) in found)


def numbered(retrieved: str | None) -> bool:
    """Are the ids that a case retrieved (JSON) nothing but their places, counted from 0 or 1?

    Such an id names another document in every case.
    """
    if not retrieved:
        return False
    ids = json.loads(retrieved)
    return any(ids == [str(place) for place in range(first, first + len(ids))] for first in (0, 1))


def _marks(evidence: str | None) -> tuple[tuple[Role, str], ...]:
    """What a rule's evidence names, by what it is to the case."""
    if not evidence:
        return ()
    try:
        shown = _decode(evidence)
    except DecodeError:
        # Evidence of a shape that no rule of today writes has nothing to be told apart by.
        return ()
    marks: list[tuple[Role, str]] = []
    top = set(shown.top_k or ())
    marks += [("missing", name) for name in shown.missing_ids or ()]
    marks += [("missing", name) for name in shown.expected_ids or () if name not in top]
    if shown.expected is not None and shown.expected.id:
        marks.append(("expected", shown.expected.id))
    marks += [("cited", one.id) for one in shown.cited or () if one.id]
    marks += [("unknown", str(name)) for name in shown.unresolved or ()]
    for sentence in shown.sentences or ():
        marks += [("cited", one.id) for clash in sentence.clashes for one in clash.found if one.id]
    marks += [("clash", kind) for kind in shown.kinds or ()]
    for said in (shown.error, shown.failure_reason):
        if isinstance(said, str) and said.strip():
            marks.append(("error", " ".join(said.split())[:LONGEST_ERROR]))
    return tuple(marks)
