"""How near the order of the tool calls is to the expected one (metrics.md section 4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.models.record import ToolCall


def call_names(calls: Sequence[ToolCall | list[ToolCall]]) -> list[str]:
    """The names of the calls in order; those of a parallel group are sorted, as their order says nothing."""
    names: list[str] = []
    for call in calls:
        names += sorted(one.name for one in call) if isinstance(call, list) else [call.name]
    return names


def distance(left: Sequence[str], right: Sequence[str]) -> int:
    """Levenshtein distance: insertions, deletions and replacements that turn one into the other."""
    before = list(range(len(right) + 1))
    for row, one in enumerate(left, 1):
        now = [row]
        for column, other in enumerate(right, 1):
            now.append(min(before[column] + 1, now[-1] + 1, before[column - 1] + (one != other)))
        before = now
    return before[-1]


def edit_score(expected: Sequence[str], actual: Sequence[str]) -> float:
    """1 - distance / length of the longer, 0..1; two empty sequences are alike: 1."""
    longer = max(len(expected), len(actual))
    return 1 - distance(expected, actual) / longer if longer else 1.0
