"""What the Agreement screen lists: pairs, classes, readers, rules; each row with its table and its cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

from triage.metrics.interval import wilson
from triage.models.agreement import (
    ADVICE,
    Agreement,
    ClassAgreement,
    Door,
    Matrix,
    PairAgreement,
    RuleAgreement,
    Word,
)
from triage.models.reweigh import LEAST_VERDICTS
from triage.models.verdict import VERDICTS
from triage.plain import cut, one_line, preview
from triage.ui.palette import LAYER_DIGITS, LAYER_WORDS
from triage.ui.widgets.figure_list import Bar, Column
from triage.ui.widgets.line import Words

Part = Literal["pairs", "classes", "readers", "suggestions"]
PARTS: tuple[Part, ...] = ("pairs", "classes", "readers", "suggestions")
DIGITS = {**LAYER_DIGITS, "not-a-failure": "0", "test-set": "9"}
"""The key of each verdict, which is its sign in a table."""
TONES: dict[Word, str] = {"usable": "good", "tentative": "text", "fix the guide": "bad"}
_NAME = 24


class Table(Struct, frozen=True):
    """Verdicts against verdicts, a row's and a column's; `lit` is the row that is told of.

    `heads` are what stands beside the counts where there is room, `aside` its texts by row.
    """

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Matrix
    lit: str = ""
    heads: tuple[str, ...] = ()
    aside: dict[str, tuple[str, ...]] = {}

    def at(self, row: str, column: str) -> int:
        """How many."""
        return self.cells.get(row, {}).get(column, 0)


class Row(Struct, frozen=True):
    """A line of the list.

    Args:
        key: tells it from others.
        cells: text and role by column.
        bar: what is drawn in what is left, None = nothing.
        title: what it is, over its table.
        table: what is said against what.
        says: sentences.
        door, named: its cases, and what they are called; `cell` makes the door of a cell of the table.
    """

    key: str
    cells: tuple[tuple[str, str], ...]
    bar: Bar | None
    title: Words
    table: Table
    says: tuple[Words, ...]
    door: Door
    named: str
    differ: int


def number(value: float | None) -> str:
    """`.704`, `1.000`, `-.026`; `n/a` where there is none."""
    if value is None:
        return "n/a"
    text = f"{value:.3f}"
    return "-" + text[2:] if text.startswith("-0") else text.removeprefix("0")


def between(interval: tuple[float, float] | None) -> str:
    """`.57-.81`."""
    if interval is None:
        return ""
    return "-".join("1.0" if end > 0.995 else f"{end:.2f}".removeprefix("0") for end in interval)


def name_of(reviewer: str) -> str:
    """A reviewer's name that stands left of something else."""
    return cut(preview(reviewer), _NAME)


def _coefficient(value: float | None) -> tuple[str, str]:
    return number(value), "faint" if value is None else "text"


def word_cell(word: Word | None) -> tuple[str, str]:
    """What a coefficient allows, in its tone."""
    return (word, TONES[word]) if word is not None else ("", "faint")


def columns_of(part: Part, found: Agreement) -> tuple[Column, ...]:
    """The columns of a part; the first takes what its names need."""
    if part == "pairs":
        return (
            Column("reviewer", 12, False), Column("and", 12, False), Column("cases", 5),
            Column("same", 7, goes=2), Column("agreement", 9), Column("95 %", 8, False, 1),
            Column("kappa", 6), Column("", 13, False, 3),
        )  # fmt: skip
    if part == "classes":
        # Kappa is of two people: of more, each pair has its own, and alpha speaks of all.
        kappa = (Column("kappa", 6),) if len(found.pairs) == 1 else ()
        return (
            Column("verdict", 12, False), Column("either", 6, goes=1), Column("both", 5, goes=3),
            Column("both of either", 14), Column("agreement", 9), *kappa, Column("alpha", 6),
            Column("", 13, False, 2),
        )  # fmt: skip
    if part == "readers":
        counts = tuple(Column(DIGITS[verdict], 3) for verdict in VERDICTS)
        return (
            Column("reader", 12, False), Column("readings", 8, goes=3), Column("shared", 6, goes=1),
            Column("as others say", 14), *counts,
        )  # fmt: skip
    return (
        Column("rule", 22, False), Column("suggests", 10, False), Column("sure", 4),
        Column("cases", 5), Column("same", 5, goes=1), Column("share", 6), Column("95 %", 8, False),
    )  # fmt: skip


def rows_of(part: Part, found: Agreement, text: str = "") -> list[Row]:
    """The rows of a part, those alone whose names hold `text`."""
    made: Iterable[Row]
    if part == "pairs":
        made = (_pair(pair) for pair in found.pairs)
    elif part == "classes":
        made = _classes(found)
    elif part == "readers":
        made = _readers(found)
    else:
        made = (_rule(one, found) for one in found.suggestions.by_reason)
    wanted = text.strip().casefold()
    return [row for row in made if wanted in " ".join(text for text, _ in row.cells).casefold()]


def _square(cells: Matrix, lit: str = "", classes: Sequence[ClassAgreement] = ()) -> Table:
    used = set(cells) | {verdict for row in cells.values() for verdict in row}
    names = tuple(verdict for verdict in VERDICTS if verdict in used)
    kappa = any(one.kappa is not None for one in classes)
    heads = ("both of either", "kappa" if kappa else "alpha") if classes else ()
    aside: dict[str, tuple[str, ...]] = {
        one.verdict: (f"{one.both} of {one.either}", number(one.kappa if kappa else one.alpha))
        for one in classes
    }
    return Table(names, names, cells, lit, heads, aside)


def _both_ways(pairs: Sequence[PairAgreement]) -> Matrix:
    """What one of two readings says against what the other does, each of the two being the first once."""
    out: dict[str, Counter[str]] = {}
    for pair in pairs:
        for row, cells in pair.confusion.items():
            for column, count in cells.items():
                out.setdefault(row, Counter())[column] += count
                out.setdefault(column, Counter())[row] += count
    return {row: dict(cells) for row, cells in out.items()}


def _apart(table: Table, a: str, b: str) -> Words:
    """The two verdicts that are most often held against each other."""
    most = max(
        ((table.at(row, column), row, column) for row in table.rows for column in table.columns
         if row != column),
        key=lambda one: one[0],
        default=(0, "", ""),
    )  # fmt: skip
    count, row, column = most
    if not count:
        return [("they say the same throughout", "good")]
    return [
        ("most often apart  ", "muted"),
        (f"{a} ", "text"), (LAYER_WORDS[row], f"{row} bold"),
        (f"  {b} ", "text"), (LAYER_WORDS[column], f"{column} bold"),
        (f"  in {count} of them", "muted"),
    ]  # fmt: skip


def _allows(name: str, value: float | None, word: Word | None) -> Words:
    if word is None:
        return [(f"{name} n/a  ", "text"), ("both say one and the same throughout, which chance explains",
                                             "muted")]  # fmt: skip
    return [
        (f"{name} {number(value)}  ", "text bold"),
        (ADVICE[word], TONES[word]),
        ("  from .667 tentative, from .800 usable", "muted"),
    ]


_TELLS: Words = [("kappa is agreement beyond chance; it sinks where one verdict is given nearly always",
                  "muted")]  # fmt: skip


def _pair(pair: PairAgreement) -> Row:
    a, b = name_of(pair.a), name_of(pair.b)
    table = _square(pair.confusion, classes=pair.classes)
    return Row(
        key=f"{pair.a}\n{pair.b}",
        cells=(
            (a, "text"), (b, "text"), (str(pair.n), "muted"), (f"{pair.agree}/{pair.n}", "muted"),
            (number(pair.agreement), "text bold"), (between(pair.interval), "muted"),
            _coefficient(pair.kappa), word_cell(pair.word),
        ),
        bar=Bar(pair.agreement, pair.interval),
        title=[(a, "text bold"), (" in rows  ", "muted"), (b, "text bold"), (" in columns", "muted")],
        table=table,
        says=(_allows("kappa", pair.kappa, pair.word), _apart(table, a, b), _TELLS),
        door=Door("pair", pair.a, pair.b),
        named=f"{cut(one_line(pair.a), _NAME)} and {cut(one_line(pair.b), _NAME)}",
        differ=pair.n - pair.agree,
    )  # fmt: skip


def _classes(found: Agreement) -> Iterable[Row]:
    cells = _both_ways(found.pairs)
    for one in found.classes:
        said = LAYER_WORDS[one.verdict]
        instead = Counter({
            column: count for column, count in cells.get(one.verdict, {}).items() if column != one.verdict
        })  # fmt: skip
        others: list[tuple[str, str]] = []
        for verdict, count in instead.most_common():
            others += [(f"  {LAYER_WORDS[verdict]} ", verdict), (str(count), "text")]
        kappa = (_coefficient(one.kappa),) if len(found.pairs) == 1 else ()
        yield Row(
            key=one.verdict,
            cells=(
                (f"{DIGITS[one.verdict]} {said}", one.verdict), (str(one.either), "muted"),
                (str(one.both), "muted"), (number(one.both / one.either), "text bold"),
                (number(one.agreement), "text"), *kappa, _coefficient(one.alpha), word_cell(one.word),
            ),
            bar=Bar(one.both / one.either, wilson(one.both, one.either)),
            title=[("a reading in rows, another of its case in columns", "muted")],
            table=_square(cells, one.verdict, found.classes),
            says=(
                [(f"{one.both} of {one.either}", "text bold"),
                 (" pairs of readings in which one says ", "muted"), (said, f"{one.verdict} bold"),
                 (" have both say so", "muted")],
                [("the other says instead", "muted"), *(others or [("  nothing else", "muted")])],
                [(f"{said} against all else: agreement {number(one.agreement)} of {one.n}, "
                  f"alpha {number(one.alpha)}", "muted")],
            ),
            door=Door("class", row=one.verdict),
            named=f"{said} in a reading",
            differ=one.either - one.both,
        )  # fmt: skip


def _readers(found: Agreement) -> Iterable[Row]:
    for one in found.readers:
        name = name_of(one.reviewer)
        met: dict[str, Counter[str]] = {}
        for pair in found.pairs:
            for row, cells in pair.confusion.items() if one.reviewer in (pair.a, pair.b) else ():
                for column, count in cells.items():
                    own, other = (row, column) if one.reviewer == pair.a else (column, row)
                    met.setdefault(own, Counter())[other] += count
        table = _square({row: dict(cells) for row, cells in met.items()})
        share = one.agree / one.compared if one.compared else None
        counts = tuple(
            (str(count), verdict) if (count := one.verdicts.get(verdict, 0)) else (".", "faint")
            for verdict in VERDICTS
        )
        same = "n/a" if share is None else f"{one.agree}/{one.compared}  {number(share)}"
        yield Row(
            key=one.reviewer,
            cells=(
                (name, "text"), (str(one.readings), "muted"), (str(one.shared), "muted"),
                (same, "faint" if share is None else "text bold"), *counts,
            ),
            bar=None,
            title=[(name, "text bold"), (" in rows  all others in columns", "muted")],
            table=table,
            says=(_apart(table, name, "another") if one.compared else
                  [("nobody else has read these cases yet", "muted")],),
            door=Door("reader", one.reviewer),
            named=f"{cut(one_line(one.reviewer), _NAME)} and others",
            differ=one.compared - one.agree,
        )  # fmt: skip


def _rule(one: RuleAgreement, found: Agreement) -> Row:
    said = LAYER_WORDS[one.says]
    confusion = found.suggestions.confusion
    used = {verdict for row in confusion.values() for verdict in row}
    columns = tuple(verdict for verdict in VERDICTS if verdict in used)
    aside: dict[str, tuple[str, ...]] = {}
    for says, cells in confusion.items():
        same, n = cells.get(says, 0), sum(cells.values())
        aside[says] = (f"{same} of {n}", between(wilson(same, n)))
    table = Table(tuple(confusion), columns, confusion, one.says, ("as suggested", "95 %"), aside)
    low, high = one.interval
    inside = low <= one.confidence <= high
    people: list[tuple[str, str]] = [("people say", "muted")]
    for verdict, count in one.verdicts.items():
        people += [(f"  {LAYER_WORDS[verdict]} ", f"{verdict} bold"), (str(count), "text")]
    share, fixed = between(one.interval), f"{one.confidence:.2f}".removeprefix("0")
    held: Words = [(f"fixed at {fixed}", "text"), (f"; the verdicts allow {share}", "muted")]
    if one.n < LEAST_VERDICTS:
        held = [*held, (f", {LEAST_VERDICTS} are wanted to change it", "muted")]
    elif not inside:
        held = [
            (f"fixed at {fixed}, ", "text"),
            ("outside ", "bad"),
            (f"{share} of the verdicts: triage reweigh proposes another", "muted"),
        ]
    return Row(
        key=one.reason,
        cells=(
            (one.reason, "text"), (said, one.says), (f"{one.confidence:.2f}".removeprefix("0"), "muted"),
            (str(one.n), "muted"), (str(one.agree), "muted"), (number(one.share), "text bold"),
            (between(one.interval), "muted"),
        ),
        bar=Bar(one.share, one.interval, (one.confidence,)),
        title=[("suggested", "text bold"), (" in rows  ", "muted"), ("verdict", "text bold"),
               (" in columns, all rules", "muted")],
        table=table,
        says=(people, held,
              [("who sees a suggestion agrees more easily: a blind reading tells more", "muted")]),
        door=Door("rule", reason=one.reason),
        named=f"{one.reason} suggested",
        differ=one.n - one.agree,
    )  # fmt: skip


def cell_door(row: Row, at: str, column: str) -> tuple[Door, str]:
    """The cases of a cell of a row's table, and what they are called."""
    door = row.door
    said = f"{LAYER_WORDS[at]}, {LAYER_WORDS[column]}"
    if door.kind == "pair":
        return Door("pair", door.a, door.b, row=at, column=column), f"{row.named}: {said}"
    if door.kind in ("rule", "suggested"):
        return Door("suggested", row=at, column=column), (
            f"{LAYER_WORDS[at]} suggested, {LAYER_WORDS[column]} by verdict"
        )
    return Door("met", door.a if door.kind == "reader" else "", row=at, column=column), (
        f"{cut(one_line(door.a), _NAME)} and another: {said}"
        if door.kind == "reader"
        else f"two readings: {said}"
    )
