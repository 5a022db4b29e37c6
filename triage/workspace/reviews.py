"""A person's word on cases: which events a key or a command appends, and the sentence that tells of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from triage.errors import UsageError
from triage.models.measure import Finding
from triage.models.verdict import ReviewOutcome, suggested_verdict
from triage.store import Act, Applied
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.verdict import EventKind, Review
    from triage.store import Store

LONGEST_LABEL = 200
"""Characters of a label."""
_NOTHING_TO_ACCEPT = {
    "system_error": "nothing to accept: the system failed on it",
    "runner_failed": "nothing to accept: the runner failed it without a layer",
}


def named(case_ids: Sequence[str]) -> str:
    """`E06`, or `3 cases`."""
    return case_ids[0] if len(case_ids) == 1 else counted(len(case_ids))


def counted(count: int) -> str:
    """`1 case`, `3,214 cases`."""
    return f"{count:,} case" if count == 1 else f"{count:,} cases"


def outcome(applied: Applied, did: str, nothing: str = "") -> ReviewOutcome:
    """What a call wrote, `E06 tagged ranking`; `nothing` where there was nothing to do."""
    cases = tuple(applied.reviews)
    return ReviewOutcome(cases, f"{named(cases)} {did}" if cases else nothing, dict(applied.reviews))


def settled_aside(done: ReviewOutcome) -> ReviewOutcome:
    """The outcome with a word on what an arbitration has settled: it stands, whatever readers say since."""
    settled = [review.verdict for review in done.reviews.values() if review is not None and review.arbitrated]
    if not settled:
        return done
    one = f"it is settled as {settled[0]}" if len(done.case_ids) == 1 else f"{counted(len(settled))} settled"
    return replace(done, said=f"{done.said}; {one}: that stands")


def _state(kind: EventKind, review: Review | None) -> str:
    """What a case is now, as far as what was undone or redone is about it."""
    if kind == "note":
        return "noted as before" if review is not None and review.note else "without its note"
    if kind == "labels":
        labels = review.labels if review is not None else ()
        return f"labelled {', '.join(labels)}" if labels else "without labels"
    put_off = "deferred" if review is not None and review.deferred else "without a verdict"
    return (review.verdict if review is not None else None) or put_off


def told_undo(applied: Applied, word: str) -> ReviewOutcome:
    """What an undo or redo wrote: the case and what it is now."""
    cases = tuple(applied.reviews)
    if len(cases) == 1:
        state = _state(applied.kind, applied.reviews[cases[0]])
        return ReviewOutcome(cases, f"{word}: {cases[0]} is {state}", dict(applied.reviews))
    return ReviewOutcome(cases, f"{word}: {named(cases)}", dict(applied.reviews))


def clean_labels(labels: Sequence[str]) -> tuple[str, ...]:
    """Labels trimmed, once each, in the order given.

    Raises:
        UsageError: one is empty, too long, or holds the bar that joins labels in a CSV cell or a character
            at which SQLite's JSON would end it.
    """
    out: dict[str, None] = {}
    for label in labels:
        text = " ".join(safe(label).split())
        if not text or "|" in text or "\0" in text or len(text) > LONGEST_LABEL:
            raise UsageError("a label can't be used", repr(label[:LONGEST_LABEL]), "a word or two, without |")
        out[text] = None
    return tuple(out)


def acceptance(case_id: str, suggestion: Finding) -> Act | str:
    """What accepting a suggestion means (product.md, "Keys"): a verdict, or why there is none."""
    verdict = suggested_verdict(suggestion.reason, suggestion.failure_class)
    if verdict is not None:
        return Act(case_id, "verdict", verdict=verdict)
    if suggestion.reason in _NOTHING_TO_ACCEPT:
        return _NOTHING_TO_ACCEPT[suggestion.reason]
    fields = ", ".join(suggestion.evidence.get("not_recorded") or ("what the rules need",))
    return f"nothing to accept: not recorded: {fields}"


def suggestions(store: Store, view: int, pks: Sequence[int]) -> dict[int, Finding]:
    """The first rule that fired on each case."""
    return {pk: found for pk, (found, _) in store.findings(view, pks).items()}
