"""Tool calls, expected against made (metrics.md section 4): which fits which, and how many of them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from triage.metrics.values import accepts

if TYPE_CHECKING:
    from triage.models.record import ToolCall

Pair = tuple[int | None, int | None]
"""0-based places of an expected and of an actual call; None = it has no partner."""


def flat(calls: Iterable[ToolCall | list[ToolCall]]) -> list[ToolCall]:
    """The calls one by one, those of parallel groups too."""
    return [one for call in calls for one in (call if isinstance(call, list) else (call,))]


def differing(expected: ToolCall, actual: ToolCall) -> list[str]:
    """The parameters in which an actual call falls short of an expected one of its name.

    Expected ones that are absent or have another value, then, of a strict call, those it has beyond them.
    """
    given = actual.params
    short = [
        name
        for name, value in expected.params.items()
        if name not in given or not accepts(value, given[name])
    ]
    return short + ([name for name in given if name not in expected.params] if expected.strict else [])


def fits(expected: ToolCall, actual: ToolCall) -> bool:
    """Is the expected call made: the name, all its parameters, worked, and with a result?"""
    return expected.name == actual.name and actual.ok and not actual.empty and not differing(expected, actual)


def match_calls(expected: Sequence[ToolCall], actual: Sequence[ToolCall]) -> list[Pair]:
    """Pair as many expected calls as can be with actual ones that fit, each used once.

    The expected calls come first, in their order; then the actual ones that nothing was paired with. The
    order of the calls does not count: the trajectory tells of it.
    """
    named: defaultdict[str, list[int]] = defaultdict(list)
    for place, call in enumerate(actual):
        if call.ok and not call.empty:
            named[call.name].append(place)
    fitting = [
        [place for place in named.get(call.name, ()) if not differing(call, actual[place])]
        for call in expected
    ]
    partner = _matching(fitting)
    taken = set(partner.values())
    pairs: list[Pair] = [(place, partner.get(place)) for place in range(len(expected))]
    return pairs + [(None, place) for place in range(len(actual)) if place not in taken]


def _matching(fitting: Sequence[Sequence[int]]) -> dict[int, int]:
    """A maximum one-to-one matching: left place -> right place (augmenting paths, breadth first)."""
    left_of: dict[int, int] = {}
    right_of: dict[int, int] = {}
    for start in range(len(fitting)):
        came: dict[int, int] = {}
        waiting = [start]
        end = None
        for left in waiting:
            for right in fitting[left]:
                if right in came:
                    continue
                came[right] = left
                if right not in left_of:
                    end = right
                    break
                waiting.append(left_of[right])
            if end is not None:
                break
        while end is not None:
            left = came[end]
            left_of[end], right_of[left], end = left, end, right_of.get(left)
    return right_of


def tool_success(
    expected: Sequence[ToolCall | list[ToolCall]], actual: Sequence[ToolCall | list[ToolCall]]
) -> tuple[int, int] | None:
    """(expected calls that were made and worked, expected calls); None where none is expected."""
    wanted = flat(expected)
    if not wanted:
        return None
    pairs = match_calls(wanted, flat(actual))
    return sum(one is not None and other is not None for one, other in pairs), len(wanted)
