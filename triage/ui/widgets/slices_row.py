"""How one slice stands in the table of one metric: the columns there is room for, and its cells."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from triage.plain import fit, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.panel_model import CHECKING, number
from triage.ui.widgets.slices_model import FEW, NONE, Axis, Line, OneModel, layer_of
from triage.ui.widgets.slices_tint import STEPS, tinted

GAP = 2
NAME_LEAST, WIDE_NAME, NAME_MOST = 14, 24, 40
CASES, FAILING, VALUE, INTERVAL, DELTA, COST = 5, 7, 8, 11, 7, 6
"""Cells of a number of cases, of failing cases, of a value under its name, of an interval and so on."""
COSTS = "costs the whole"
SPREAD_LEAST, SPREAD_WIDE, SPREAD_MOST = 12, 30, 48
HERE, WHOLE = " ", "|"
"""Signs in the spread: the value (a filled cell) and the whole."""


class Columns(Struct, frozen=True):
    """Cells of each column; 0 = there is no room for it."""

    cells: int
    name: int
    cases: int = CASES
    failing: int = 0
    interval: int = 0
    spread: int = 0
    delta: int = 0
    cost: int = 0
    words: bool = False

    @classmethod
    def at(cls, cells: int, model: OneModel) -> Columns:
        """The columns for a table `cells` wide: what tells most comes first, texts take what is left."""
        longest = max((width(one.name) for one in model.lines), default=0)
        name = min(max(longest, NAME_LEAST), NAME_MOST)
        intervals = model.metric.is_share or any(one.interval for one in model.lines)
        cases = max(len(model.whole.cases), CASES)
        got: dict[str, int] = {}
        room = cells - 1 - NAME_LEAST - GAP - cases - 1 - len(FEW) - GAP - VALUE - 1

        def take(wanted: int, **names: int) -> bool:
            nonlocal room
            if wanted > room:
                return False
            room -= wanted
            got.update(names)
            return True

        take(COST + GAP, cost=COST)
        if model.compares:
            take(DELTA + GAP, delta=DELTA)
        take(SPREAD_LEAST + GAP, spread=SPREAD_LEAST)
        take(FAILING + GAP, failing=FAILING)
        if intervals:
            take(INTERVAL + GAP, interval=INTERVAL)
        # Two names that are cut to the same say less than a longer heading.
        wide = max(min(min(name, WIDE_NAME) - NAME_LEAST, room), 0)
        room -= wide
        words = take(len(COSTS) - COST, cost=len(COSTS)) if got.get("cost") else False
        for name_most, spread_most in ((WIDE_NAME, SPREAD_WIDE), (NAME_MOST, SPREAD_MOST)):
            more = max(min(min(name, name_most) - NAME_LEAST - wide, room), 0)
            wide, room = wide + more, room - more
            if got.get("spread"):
                more = max(min(spread_most - got["spread"], room), 0)
                got["spread"], room = got["spread"] + more, room - more
        return cls(cells, NAME_LEAST + wide, cases, words=words, **got)


def heading(columns: Columns, model: OneModel, title: str, against: str, lit: bool, ink: Palette) -> Strip:
    """The header line: the dimension's name, and what each number is."""
    on = "raised"
    voice = ink("text" if lit else "faint", on)
    layer = ink(f"{layer_of(model.metric)} bold", on)
    metric = fit(model.metric.named(model.table.k), VALUE, right=True)
    parts: list[Part] = [
        (" " + fit(title, columns.name), ink("text bold", on)),
        (" " * GAP + fit("cases", columns.cases, right=True) + " " * (1 + len(FEW)), voice),
    ]
    if columns.failing:
        parts.append((" " * GAP + fit("failing", FAILING, right=True), voice))
    parts.append((" " * GAP + metric, layer))
    if columns.interval:
        parts.append((" " * GAP + fit("95 %", INTERVAL), voice))
    if columns.spread:
        parts += [(" " * GAP, voice), (_scale(model.axis, model, columns.spread), ink("faint", on))]
    if columns.delta:
        parts.append((" " * GAP + fit(f"vs {against}", DELTA, right=True), voice))
    if columns.cost:
        words = COSTS if columns.words else "costs"
        parts.append((" " * GAP + fit(words, columns.cost, right=True), voice))
    return line(parts, [], columns.cells, voice)


def _scale(axis: Axis, model: OneModel, cells: int) -> str:
    """The ends of the axis, and the word `whole` over its place where there is room."""
    low, high = number(axis.low, model.metric), number(axis.high, model.metric)
    if model.metric.scale != "judge":
        low, high = f"{axis.low:.1f}".removeprefix("0"), f"{axis.high:.1f}".removeprefix("0")
        low = "0" if axis.low == 0 else low
        high = "1" if axis.high == 1 else high
    middle = [" "] * cells
    if axis.whole is not None:
        start = min(max(axis.place(axis.whole, cells) - 2, len(low) + 1), cells - len(high) - 6)
        if start > len(low):
            middle[start : start + 5] = "whole"
    middle[: len(low)] = low
    middle[cells - len(high) :] = high
    return "".join(middle)


def spread(one: Line, axis: Axis, cells: int, ink: Palette, on: str) -> list[Part]:
    """The value's distance to the whole as a bar, its interval as a line, the whole as `|`."""
    ground, faint = ink("text", on), ink("muted" if on == "cursor" else "faint", on)
    signs: list[tuple[str, Style]] = [(" ", ground)] * cells
    here = axis.place(one.at, cells) if one.at is not None else None
    whole = axis.place(axis.whole, cells) if axis.whole is not None else None
    role = "bad" if one.tone == "worse" else "good" if one.tone == "better" else "other"
    if here is not None and whole is not None and not (ink.ansi or ink.colourless):
        step = 1 if here > whole else -1
        for place in range(whole + step, here, step):
            # Between the whole and the value lies what the slice falls short.
            signs[place] = (" ", tinted(ink, role, STEPS if one.tone else 2, "text", on))
    if one.low is not None and one.high is not None:
        for place in range(axis.place(one.low, cells), axis.place(one.high, cells) + 1):
            signs[place] = ("-", faint if signs[place][1] is ground else signs[place][1])
    if whole is not None:
        signs[whole] = (WHOLE, faint)
    if here is not None:
        signs[here] = (WHOLE if here == whole else HERE, ink.fill(role, bold=False))
    return joined(signs)


def joined(signs: Sequence[tuple[str, Style]]) -> list[Part]:
    """Neighbours of one style as one part."""
    parts: list[Part] = []
    for sign, style in signs:
        if parts and parts[-1][1] is style:
            parts[-1] = (parts[-1][0] + sign, style)
        else:
            parts.append((sign, style))
    return parts


def paint(
    one: Line, columns: Columns, axis: Axis, *, cursor: bool, focused: bool, ink: Palette, on: str = ""
) -> Strip:
    """The row as exactly `columns.cells` cells."""
    on = on or ("cursor" if cursor else "bg")
    whole = on == "raised"
    ground, text, quiet = ink("text", on), ink("text", on), ink("muted", on)
    faint = quiet if cursor else ink("faint", on)
    gap: Part = (" " * GAP, ground)
    head = (">", ink.fill("focus") if focused else text) if cursor else (" ", ground)
    name = ink("muted italic" if one.tail else "text bold" if cursor else "muted" if whole else "text", on)
    parts: list[Part] = [head, (fit(one.name, columns.name), name), gap]
    parts += [(fit(one.cases, columns.cases, right=True), quiet), (f" {FEW if one.few else '':<3}", faint)]
    if columns.failing:
        some = ink("text", on) if one.failing not in ("0", "-") else faint
        parts += [gap, (fit(one.failing, FAILING, right=True), some)]
    voice = {"worse": "bad bold", "better": "good"}.get(one.tone, "text")
    parts += [
        gap,
        (fit(one.value, VALUE, right=True), faint if one.value in (NONE, CHECKING) else ink(voice, on)),
    ]
    if columns.interval:
        parts += [gap, (fit(one.interval, INTERVAL), faint)]
    if columns.spread:
        parts += [gap, *spread(one, axis, columns.spread, ink, on)]
    if columns.delta:
        voice = {"worse": "bad bold", "better": "good"}.get(one.delta_tone, "muted" if cursor else "faint")
        parts += [gap, (fit(one.delta, DELTA, right=True), ink(voice, on))]
    if columns.cost:
        voice = "bad" if one.cost_tone == "worse" else "muted" if cursor else "faint"
        parts += [gap, (fit(one.cost, columns.cost, right=True), ink(voice, on))]
    return line(parts, [], columns.cells, ground)
