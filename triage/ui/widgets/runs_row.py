"""How one run stands in the list of runs: which columns there is room for, and the cells of its row."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.style import Style
from textual.strip import Strip

from triage.plain import cut, cut_left, fit, width
from triage.ui.palette import Palette
from triage.ui.widgets.line import Part, line
from triage.ui.widgets.runs_model import BLOCKS, Figured, RunLine, RunsModel, longest, name_of

MARK, FAILING, TRIAGED, REJECTED, SIZE, REVISION = 7, 7, 7, 8, 5, 3
REJECTED_LEAST, TEST_SET_LEAST = 4, 13
VALUE, NAMED, DELTA = 6, 8, 6
"""Cells of a metric's value, of a value under its whole short name, of a delta."""
DAY, CHOSEN = 5, 7
"""Cells of a date without its time (`11-29`), and of what stands beside a trend, under the metric's name."""
GAP = 2
NARROW = 100
"""Columns below which a date goes before a trend."""
LEAST_ID = 11
"""Cells of an id that leave room for the date on a narrow screen; the strip has the id whole."""
TREND_LEAST, TREND_WIDER, TREND_MOST = 8, 4, 40


class RunColumns(Struct, frozen=True):
    """Cells of each column; 0 = there is no room for it. `headlines` counts those that are shown."""

    cells: int
    id: int
    kb: int = 0
    records: int = 4
    when: int = 0
    test_set: int = 0
    config: int = 0
    rejected: int = 0
    size: int = 0
    revision: int = 0
    headlines: int = 0
    value: int = VALUE
    deltas: bool = False
    triaged: int = 0
    chosen: int = 0
    chosen_delta: int = 0
    trend: int = 0

    @classmethod
    def at(cls, cells: int, model: RunsModel) -> RunColumns:
        """The columns for a list `cells` wide: what tells most comes first, what is left widens the texts."""
        lines = model.lines
        records = max(longest(lines, "records"), 4)
        ident = min(max(longest(lines, "id"), 8), 30)
        kb = min(max(longest(lines, "kb"), 2), 14)
        test_set = min(max(longest(lines, "test_set"), 8), 24)
        config = min(longest(lines, "config"), 44)
        least = min(ident, LEAST_ID)
        room = cells - 2 - least - 3 * GAP - MARK - records - FAILING
        got: dict[str, int] = {"id": least, "records": records}

        def take(cost: int, **names: int) -> bool:
            nonlocal room
            if cost > room:
                return False
            room -= cost
            got.update(names)
            return True

        heads = len(model.keys)
        shown = next((n for n in range(heads, 0, -1) if take(n * (VALUE + 1) + 1, headlines=n)), 0)
        least_kb = min(kb, 8)
        take(least_kb + GAP, kb=least_kb)
        many = model.sets > 1
        if many:
            least_set = min(test_set, TEST_SET_LEAST)
            take(least_set + GAP, test_set=least_set)
        when = longest(lines, "when")
        day = DAY if when > 10 else when
        if cells < NARROW:
            take(day + GAP, when=day)
        # A metric that has a column of its own tells its delta beside its trend, another one its value.
        told_twice = model.metric in model.keys[:shown]
        beside = {"chosen_delta" if told_twice else "chosen": CHOSEN}
        take(GAP + CHOSEN + 1 + TREND_LEAST, trend=TREND_LEAST, **beside)
        if "when" not in got:
            take(day + GAP, when=day)
        if rejected := longest(lines, "rejected"):
            rejected = max(rejected, REJECTED_LEAST)
            take(rejected + GAP, rejected=rejected)
        if shown:
            take(shown * (NAMED - VALUE), value=NAMED)
        take(TRIAGED + GAP, triaged=TRIAGED)
        if got.get("when", when) < when:
            take(when - day, when=when)
        if 0 < got.get("rejected", 0) < REJECTED:
            take(REJECTED - got["rejected"], rejected=REJECTED)
        for name, most in (("id", ident), ("kb", kb), ("test_set", test_set)):
            if got.get(name):
                more = min(most - got[name], room)
                take(more, **{name: got[name] + more})
        if got.get("chosen") and not told_twice:
            take(DELTA + 1, chosen_delta=DELTA)
        # With its delta beside it a value needs no room for the name: that stands over both.
        deltas = bool(shown) and take(shown * (DELTA + 1 - got.get("value", VALUE) + VALUE), value=VALUE)
        if got.get("trend"):
            take(TREND_WIDER, trend=TREND_LEAST + TREND_WIDER)
        if not many:
            take(test_set + GAP, test_set=test_set)
        least_config = min(config, 12)
        has_config = bool(config) and take(least_config + GAP, config=least_config)
        take(SIZE + GAP, size=SIZE)
        take(REVISION + GAP, revision=REVISION)
        if has_config:
            more = min(config - least_config, room)
            take(more, config=least_config + more)
        if got.get("trend"):
            more = min(room, TREND_MOST - got["trend"])
            take(more, trend=got["trend"] + more)
        return cls(cells, **{"deltas": deltas, **got})  # type: ignore[arg-type]


def _heads(columns: RunColumns, model: RunsModel) -> list[str]:
    k = model.k
    names = [name_of(key, k) for key in model.keys[: columns.headlines]]
    if columns.value < NAMED:
        room = VALUE + DELTA * columns.deltas
        names = [name if width(name) <= room else f"{name[: room - 1]}." for name in names]
    return names


def heading(columns: RunColumns, model: RunsModel, focused: bool, ink: Palette) -> Strip:
    """The header line of the list."""
    on = "raised"
    voice: Style = ink("text" if focused else "faint", on)
    cells: list[str] = [" " + fit("run", columns.id), " " * MARK]
    for name, wide, right in (
        ("when", columns.when, False),
        ("test set", columns.test_set, False),
        ("kb", columns.kb, False),
        ("retrieval", columns.config, False),
        ("n", columns.records, True),
        ("rejected" if columns.rejected >= REJECTED else "rej.", columns.rejected, True),
        ("size", columns.size, True),
        ("rev", columns.revision, True),
    ):
        if wide:
            cells.append(fit(name, wide, right=right))
    text = (" " * GAP).join(cells) + " "
    for name in _heads(columns, model):
        if columns.deltas:
            text += "  " + fit(name, columns.value + DELTA)
        else:
            text += " " + fit(name, columns.value, right=True)
    text += " " * GAP + fit("failing", FAILING, right=True)
    if columns.triaged:
        text += " " * GAP + fit("triaged", TRIAGED, right=True)
    parts: list[Part] = [(text, voice)]
    if columns.trend:
        name = name_of(model.metric, model.k)
        wide = columns.chosen + columns.chosen_delta + bool(columns.chosen and columns.chosen_delta)
        # A name that is longer than the value's cells begins in the gap before them.
        parts.append(
            (" " + fit(name, wide + GAP - 1, right=True), ink("text bold" if focused else "faint", on))
        )
        parts.append((" over the runs" if columns.trend >= 14 else " trend", voice))
    return line(parts, [], columns.cells, voice)


def _delta(figure: Figured, cells: int, ink: Palette, on: str) -> Part:
    voice = {"worse": "bad bold", "better": "good"}.get(figure.tone, "muted" if on == "cursor" else "faint")
    return fit(figure.delta, cells, right=True), ink(voice, on)


def _trend(run: RunLine, columns: RunColumns, ink: Palette, on: str) -> list[Part]:
    levels = run.trend[-columns.trend :]
    blocks = "".join(" " if level is None else BLOCKS[level] for level in levels)
    last = {"worse": "bad", "better": "good"}.get(run.chosen.tone, "text")
    return [(blocks[:-1], ink("muted" if on == "cursor" else "faint", on)), (blocks[-1:], ink(last, on))]


def paint(run: RunLine, columns: RunColumns, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
    """The row as exactly `columns.cells` cells; the trend is the last thing in it."""
    on = "cursor" if cursor else "bg"
    ground, quiet, text = ink("text", on), ink("muted", on), ink("text", on)
    faint = quiet if cursor else ink("faint", on)
    gap: Part = (" " * GAP, ground)
    head = (">", ink.fill("focus") if focused else text) if cursor else (" ", ground)
    name = cut_left(run.id, columns.id)
    parts: list[Part] = [head, (fit(name, columns.id), ink("text bold", on) if cursor else text), gap]
    role = {"shown": "focus", "against": "focus", "new": "text bold", "no file": "bad"}.get(run.mark, "muted")
    parts.append((fit(run.mark, MARK), ink(role, on)))
    for words, wide, right in (
        (run.when[:DAY] if columns.when == DAY else run.when, columns.when, False),
        (run.test_set, columns.test_set, False),
        (run.kb, columns.kb, False),
        (run.config, columns.config, False),
        (run.records, columns.records, True),
    ):
        if wide:
            parts += [gap, (fit(words, wide, right=right), quiet)]
    if columns.rejected:
        parts += [gap, (fit(run.rejected, columns.rejected, right=True), ink("bad", on))]
    for words, wide in ((run.size, columns.size), (run.revision, columns.revision)):
        if wide:
            parts += [gap, (fit(words, wide, right=True), faint)]
    parts.append((" ", ground))
    for figure in run.headlines[: columns.headlines]:
        parts.append(
            (f" {fit(figure.value, columns.value, right=True)}", faint if figure.value == "-" else text)
        )
        if columns.deltas:
            parts += [(" ", ground), _delta(figure, DELTA, ink, on)]
    parts += [gap, (fit(run.failing, FAILING, right=True), ink("text bold", on) if run.left else quiet)]
    if columns.triaged:
        voice = ink("good", on) if run.triaged == "all" else quiet
        parts += [gap, (fit(run.triaged, TRIAGED, right=True), voice)]
    if columns.chosen:
        value = fit(run.chosen.value, columns.chosen, right=True)
        parts += [gap, (value, faint if run.chosen.value == "-" else text)]
    if columns.chosen_delta:
        parts += [(" ", ground) if columns.chosen else gap, _delta(run.chosen, columns.chosen_delta, ink, on)]
    if columns.trend:
        parts += [(" ", ground), *_trend(run, columns, ink, on)]
    return line(parts, [], columns.cells, ground)


def pick_line(run: RunLine, cells: Sequence[int]) -> list[tuple[str, str]]:
    """The run in a short list, in (text, role); `cells` are those of its id and of its test set."""
    ident, test_set = cells
    return [
        (fit(cut_left(run.id, ident), ident), "text"),
        (f"  {run.mark:<{MARK}}", "bad" if run.mark == "no file" else "focus"),
        (f"  {fit(cut(run.test_set, test_set), test_set)}{run.records:>7} cases  {run.when}", "muted"),
    ]
