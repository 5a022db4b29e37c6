"""A person's word on a case: append-only events, and what they add up to."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

Verdict = Literal[
    "retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure", "test-set"
]
VERDICTS: tuple[Verdict, ...] = (
    "retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure", "test-set",
)  # fmt: skip
NOTE_LIMIT = 64 * 1024
"""Longest note, in bytes of UTF-8."""

EventKind = Literal["verdict", "clear", "note", "labels", "defer", "undefer", "undo", "redo"]


class Hashes(Struct, frozen=True):
    """Short hashes of what a verdict was given on: the case, the answer, the retrieved ids."""

    case: str
    answer: str
    retrieved: str


class Event(Struct, frozen=True):
    """One review event as stored. `id` grows with time within a database; `at` is UTC ISO 8601.

    kind "verdict" sets `verdict`; "clear" takes it back; "note" sets `note` ("" removes it); "labels" sets
    `labels`; "defer" puts the case off until somebody's verdict or "undefer"; "undo"/"redo" name in `target`
    the batch they take back or bring back. Events of one keypress share `batch`.
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


class Review(Struct, frozen=True):
    """What the events on a case add up to, over all reviewers (cli.md "The case's verdict").

    `verdict` is the newest where reviewers differ, then `disputed` is True. `stale`: the record has changed
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


class ReviewOutcome(Struct, frozen=True):
    """What a review call did: the cases now changed, for the screen to repaint, and a sentence to show."""

    case_ids: tuple[str, ...]
    said: str
    reviews: dict[str, Review | None] = field(default_factory=dict)
