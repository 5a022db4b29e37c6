"""Tool calls, expected against made: which was met, what differs, what is missing or too much."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.tools import differing, flat, match_calls
from triage.metrics.trajectory import call_names, edit_score
from triage.ui.text import short
from triage.ui.widgets.detail.aligned import Row, aligned, text_of, typed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triage.models.record import ToolCall
    from triage.ui.widgets.detail.page import Page

SHOWN = 12
"""Calls until the page is unfolded."""
_NUMBER, _WORD = 3, 14


def tools(page: Page) -> None:
    """The expected calls in their order, each with the one that meets it or comes nearest, then others."""
    record = page.detail.record
    if record.tools is None and record.expected_tools is None:
        return
    page.section("tools")
    wanted, made = flat(record.expected_tools or ()), flat(record.tools or ())
    compared = record.expected_tools is not None and record.tools is not None and not page.blind
    lines: list[tuple[int | None, int | None]] = pairs(wanted, made)
    if page.blind or record.tools is None:
        lines = [(at, None) for at in range(len(wanted))] + [(None, at) for at in range(len(made))]
    shown = lines if page.unfolded else lines[:SHOWN]
    for left, right in shown:
        expected = None if left is None else wanted[left]
        if right is not None:
            _call(page, right, expected, made[right], compared=compared)
        elif expected is not None:
            word = ("not called", "bad bold") if compared else ("expected", "muted")
            _line(page, "-", word, expected)
    if len(shown) < len(lines):
        more = len(lines) - len(shown)
        page.fold(f"+ {more} {'call' if more == 1 else 'calls'}")
    if not lines:
        page.row([("none called" if record.tools is not None else "none expected", "muted")])
    if record.tools is None:
        page.row([("the calls made are not recorded", "faint italic")])
    elif compared:
        _total(page, wanted, made)


def pairs(wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> list[tuple[int | None, int | None]]:
    """Places of expected and made calls: those that fit, then those that come nearest by name.

    The maximum matching counts (metrics.md section 4); what it leaves is put beside the call of the same name
    with the fewest parameters that differ, so that it can be seen what is wrong.
    """
    found = match_calls(wanted, made)
    left = [right for expected, right in found if expected is None and right is not None]
    lines: list[tuple[int | None, int | None]] = []
    for expected, right in found:
        if expected is None:
            continue
        if right is None:
            near = [at for at in left if made[at].name == wanted[expected].name]
            right = min(near, key=lambda at: len(differing(wanted[expected], made[at])), default=None)
            if right is not None:
                left.remove(right)
        lines.append((expected, right))
    return lines + [(None, right) for right in left]


def _call(page: Page, at: int, expected: ToolCall | None, call: ToolCall, *, compared: bool) -> None:
    number = str(at + 1)
    state = "failed" if not call.ok else "empty" if call.empty else ""
    if expected is None:
        role = "muted" if not state else "text" if page.blind else "bad bold"
        word = (state or ("extra" if compared else "called"), role)
        if compared and state:
            word = (f"extra, {state}", "muted")
        _line(page, number, word, call)
        return
    wrong = differing(expected, call)
    if not wrong:
        _line(page, number, (state, "bad bold") if state else ("met", "muted"), call)
        return
    _line(page, number, ("differs", "bad bold"), call, named=True)
    rows = []
    for name in wrong:
        value = text_of(expected.params[name]) if name in expected.params else None
        got = text_of(call.params[name]) if name in call.params else None
        said = "missing" if got is None else "extra" if value is None else "differs"
        if value == got:
            value, got = typed(expected.params[name]), typed(call.params[name])
        rows.append(Row(name, value, got, said, "bad"))
    aligned(page, rows, "parameter", words=_WORD, indent=_NUMBER)
    if state:
        page.row([(f"and {'it failed' if state == 'failed' else 'its result is empty'}", "bad")], _NUMBER)


def _line(page: Page, number: str, word: tuple[str, str], call: ToolCall, *, named: bool = False) -> None:
    """A call in a line: its number among the calls made, what became of it, its name and parameters."""
    labels = [(f"{short(number, _NUMBER - 1):<{_NUMBER}}", "muted"), (f"{word[0]:<{_WORD}}", word[1])]
    inside = ", ".join(f"{key}={text_of(value)}" for key, value in call.params.items())
    text = call.name if named or not inside else f"{call.name}({inside})"
    page.labelled(labels, text, "text" if "bad" in word[1] else "muted", cut=True)


def _total(page: Page, wanted: Sequence[ToolCall], made: Sequence[ToolCall]) -> None:
    record = page.detail.record
    groups: list[list[tuple[str, str]]] = []
    if wanted:
        met = sum(left is not None and right is not None for left, right in match_calls(wanted, made))
        noun = "call" if len(wanted) == 1 else "calls"
        groups.append([(f"{met} of {len(wanted)} expected {noun} met", "text")])
    score = edit_score(call_names(record.expected_tools or ()), call_names(record.tools or ()))
    value = f"trajectory {score:.2f}".replace(" 0.", " .")
    groups.append([("in the expected order" if score == 1 else value, "muted")])
    page.phrases(groups)
