"""A person's word on a case: append-only events, and what they add up to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, Literal

from msgspec import Struct, field

from triage.models.measure import FailureClass

Verdict = Literal[
    "retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure", "test-set"
]
VERDICTS: tuple[Verdict, ...] = (
    "retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure", "test-set",
)  # fmt: skip
CLEAN: Final = "not-a-failure"
"""The verdict that calls an answer right."""
MISTAKE: Final = "test-set"
"""The verdict that blames the case, its labels or its judge: it counts in no failure rate."""
FAILURES: tuple[Verdict, ...] = tuple(verdict for verdict in VERDICTS if verdict not in (CLEAN, MISTAKE))
"""The verdicts that blame the system."""
_AMOUNTS_TO: Mapping[str, Verdict] = {"ok": CLEAN, "ok_refusal": CLEAN, "label_conflict": MISTAKE}
"""What a suggestion without a class amounts to, by its reason; any other suggests nothing."""
NOTE_LIMIT = 64 * 1024
"""Longest note, in bytes of UTF-8."""

EventKind = Literal["verdict", "clear", "note", "labels", "defer", "undefer", "undo", "redo", "arbitration"]


class Hashes(Struct, frozen=True):
    """Short hashes of what a verdict was given on: the case, the answer, the retrieved ids."""

    case: str
    answer: str
    retrieved: str


class Event(Struct, frozen=True):
    """One review event as stored. `id` grows with time within a database; `at` is UTC ISO 8601.

    kind "verdict" sets `verdict`; "clear" takes it back; "note" sets `note` ("" removes it); "labels" sets
    `labels`; "defer" puts the case off until somebody's verdict or "undefer"; "undo"/"redo" name in `target`
    the batch they take back or bring back. "arbitration" sets the case's `verdict` over its readings, for the
    `reason` given. Events of one keypress share `batch`.

    `sample` names the sample in whose queue a "verdict" (a reading) or a "defer" was given, None = outside of
    a queue; such a verdict's `labels` are the reader's own and stand beside other readers'. `seconds` is how
    long the reading took. `reason` is why a case was put off or decided so.
    """

    id: int
    batch: str
    sitting: str
    dataset: str | None
    case_id: str
    run_id: str
    revision: int
    hashes: Hashes
    reviewer: str
    at: str
    kind: EventKind
    verdict: Verdict | None = None
    labels: tuple[str, ...] | None = None
    note: str | None = None
    target: str | None = None
    undone: bool = False
    sample: str | None = None
    reason: str | None = None
    seconds: float | None = None


class Review(Struct, frozen=True):
    """What the events on a case add up to, over all reviewers (cli.md "The case's verdict").

    `verdict` is the newest arbitration (then `arbitrated`), else what most of its reviewers say, else the
    newest, and then `disputed` is True. `stale`: the record has changed
    since. `labels` and `note` are the newest. `verdict` None with a note or labels = commented, not yet
    judged. `deferred`: put off by a reviewer, and no verdict stands.
    """

    verdict: Verdict | None
    labels: tuple[str, ...] = ()
    note: str = ""
    reviewer: str = ""
    at: str = ""
    stale: bool = False
    disputed: bool = False
    deferred: bool = False
    arbitrated: bool = False


class ReviewOutcome(Struct, frozen=True):
    """What a review call did: the cases now changed, for the screen to repaint, and a sentence to show."""

    case_ids: tuple[str, ...]
    said: str
    reviews: dict[str, Review | None] = field(default_factory=dict)


def suggested_verdict(reason: str, failure_class: FailureClass | None) -> Verdict | None:
    """The verdict that accepts, and so agrees with, a suggestion: its class, else what its reason amounts to.

    None where it suggests nothing: `insufficient_record`, `system_error`, `runner_failed`.
    """
    return failure_class or _AMOUNTS_TO.get(reason)


def common(verdicts: Sequence[str]) -> str | None:
    """The verdict that more than half of the reviewers give; None where there is none: a dispute."""
    if not verdicts:
        return None
    (verdict, count), *_ = Counter(verdicts).most_common(1)
    return verdict if 2 * count > len(verdicts) else None
