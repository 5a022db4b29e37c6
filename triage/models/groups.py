"""Failing cases that may have one cause, proposed as groups; nothing is judged by that."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

MOST_COMPARED = 20_000
"""Cases of one rule, without a document in common, whose queries are held against each other; the first in
the file. More would take minutes.
"""
Role = Literal["missing", "expected", "cited", "clash", "unknown", "error"]
"""What a mark is to its case: an expected document that was not retrieved, an expected one, one that a
sentence cites and clashes with, how it clashes, a citation that names nothing, the words of an error.
"""
GroupKind = Literal["mark", "queries", "rule"]
"""What a group's cases have in common beside their rule: a document (or an error), like queries, nothing."""


class Failure(Struct, frozen=True):
    """A failing case as grouping sees it. `marks` are (role, name), the most telling role first."""

    pk: int
    id: str
    failure_class: str | None
    reason: str
    query: str
    marks: tuple[tuple[Role, str], ...] = ()


class Proposal(Struct, frozen=True):
    """Cases that belong together, most of them by one rule.

    Args:
        key: tells it from the others of the run, and stays while the cases do.
        kind: what they have in common beside the rule.
        failure_class, reason: the rule's class (None = none) and its name; cases that miss or
            rank low one document are of one class, whichever of its rules says so; then the most frequent.
        members: places of the cases among those told, the first leads: the others' queries are like its.
        role, name: of kind "mark": the mark.
        least: of kind "queries": smallest similarity to the first case's query, 0..1.
    """

    key: str
    kind: GroupKind
    failure_class: str | None
    reason: str
    members: tuple[int, ...]
    role: Role | None = None
    name: str = ""
    least: float = 0.0


class Group(Struct, frozen=True):
    """A proposed group as it stands under a filter.

    Args:
        key, kind, failure_class, reason, role, name, least: as of its `Proposal`.
        meaning: the rule in words.
        keys: its cases' keys, the leading case first.
        first: id of the leading case, whether or not the filter shows it.
        cases: how many it has; 2 or more.
        queries: those of its first cases, at most three.
        high_risk: how many are of a high-risk topic.
        reasons: rule -> cases, the most frequent first.
        verdicts: verdict -> cases that have it.
        labels: label -> cases that bear it, the most frequent first.
    """

    key: str
    kind: GroupKind
    failure_class: str | None
    reason: str
    meaning: str
    keys: tuple[int, ...]
    first: str
    cases: int
    queries: tuple[str, ...]
    high_risk: int = 0
    role: Role | None = None
    name: str = ""
    least: float = 0.0
    verdicts: dict[str, int] = field(default_factory=dict)
    labels: dict[str, int] = field(default_factory=dict)
    reasons: dict[str, int] = field(default_factory=dict)

    @property
    def judged(self) -> int:
        """Cases with a verdict."""
        return sum(self.verdicts.values())

    @property
    def common(self) -> str:
        """What its cases have in common beside the rule, in a few words."""
        if self.kind == "queries":
            return f"queries like that of {self.first}"
        if self.kind == "rule":
            return "the rule alone"
        words = {
            "missing": "missing document", "expected": "expected document", "cited": "cited document",
            "clash": "clash of",
            "unknown": "unknown citation", "error": "error",
        }  # fmt: skip
        return f"{words[self.role or 'expected']} {self.name}"


class Grouped(Struct, frozen=True):
    """The groups of a run's failing cases under a filter, largest first, those of a rule alone last.

    `failing` cases were looked at, `grouped` of them are in a group.
    """

    groups: tuple[Group, ...]
    failing: int
    grouped: int
