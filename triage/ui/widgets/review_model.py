"""The Review screen as words: the samples of a run, a line each, and what is told of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from msgspec import Struct

from triage.models.reading import Progress
from triage.models.sample import Sample, SampleRule, Stratum
from triage.plain import cut, fit, one_line, preview, width
from triage.ui.palette import LAYER_WORDS
from triage.ui.widgets.labelled import GUTTER, labelled, wrapped
from triage.ui.widgets.line import Words, size_of
from triage.ui.widgets.runs_model import when
from triage.ui.work.words import number_of

FIRST = (
    "no sample of this run yet",
    "A sample is a fair choice of cases, passing ones too, for people to read.",
    "It tells how much really fails, and whether those who read it agree.",
)
"""What a sample is for, for who has none."""
STRATUM, STRATUM_GAP, COUNTS, CLASS = 52, 4, 19, 11
"""Cells of a stratum, between two, of its counts, of its class."""
READERS = 5
"""Readers named one by one."""


class Entry(Struct, frozen=True):
    """A sample with how far it is.

    Args:
        readers: (name, cases of it that bear his verdict), most first.
        read: how many cases of each stratum bear a verdict, in the order of the strata.
    """

    sample: Sample
    progress: Progress
    readers: tuple[tuple[str, int], ...] = ()
    read: tuple[int, ...] = ()


class Line(Struct, frozen=True):
    """A row of the list, in words; `share` is how much of what is this reader's to read is read, 0..1."""

    name: str
    cases: str
    readings: str
    yours: str
    share: float
    left: str
    disputes: str
    drawn: str
    by: str
    strata: str
    entry: Entry


def lasts(seconds: float) -> str:
    """A time as people say it: `40 s`, `12 min`, `2 h 5 min`."""
    if seconds < 59.5:
        return f"{seconds:.0f} s"
    minutes = round(seconds / 60)
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes % 60 else f"{minutes // 60} h"


def by_words(rule: SampleRule) -> str:
    """`class x topic`."""
    return " x ".join(preview(name).replace("_", " ") for name in rule.by) or "no strata"


def first(keys: Mapping[str, str]) -> tuple[Words, ...]:
    """No sample yet: what one is for, and the key that draws one."""
    title, *rest = FIRST
    return (
        [(title, "text bold")],
        (),
        *([(says, "muted")] for says in rest),
        (),
        [
            (keys["review.new"], "focus bold"),
            (" draws one, and says first what it will be able to tell", "muted"),
        ],
    )


def lines_of(entries: Sequence[Entry], text: str) -> list[Line]:
    """A line an entry whose name holds every word typed."""
    words = text.casefold().split()
    return [_line(one) for one in entries if all(word in one.sample.name.casefold() for word in words)]


def _line(entry: Entry) -> Line:
    sample, told = entry.sample, entry.progress
    yours = told.mine + told.open
    return Line(
        name=preview(sample.name),
        cases=f"{told.cases}",
        readings=f"{told.readings}/{told.wanted}",
        yours=f"{told.mine} of {yours}" if yours else "-",
        share=told.mine / yours if yours else 0.0,
        left=_left(told),
        disputes=f"{told.disputed}" if told.disputed else ".",
        drawn=when(sample.at, with_year=False),
        by=preview(sample.reviewer),
        strata=by_words(sample.drawn.rule),
        entry=entry,
    )


def _left(told: Progress) -> str:
    if not told.open:
        return "done" if told.mine else "-"
    return lasts(told.left) if told.left is not None else "-"


def body(entry: Entry, cells: int, keys: Mapping[str, str], *, filtered: bool) -> list[Words]:
    """What is told of a sample, in lines of at most `cells` cells."""
    return [*_told(entry, cells, keys, filtered=filtered)]


def _told(entry: Entry, cells: int, keys: Mapping[str, str], *, filtered: bool) -> Iterator[Words]:
    sample, told = entry.sample, entry.progress
    key = "focus bold"
    yield labelled("you", _yours(told))
    if told.outside:
        outside = number_of(told.outside, "case") + " of it outside the filter, not handed out"
        yield labelled("", [(outside, "text")])
    elif filtered:
        yield labelled("", [("all of it is within the filter", "muted")])
    yield labelled("all", _all(told))
    yield from _readers(entry)
    if told.disputed:
        are = "is in dispute" if told.disputed == 1 else "are in dispute"
        yield labelled(
            "disputes",
            [(f"{number_of(told.disputed, 'case')} {are}", "text bold"), ("   ", ""),
             (keys["review.disputes"], key), (" shows what each reader said", "muted")],
        )  # fmt: skip
    drawn, rule = sample.drawn, sample.drawn.rule
    says = f"{number_of(drawn.n, 'case')} of {drawn.population}, by {by_words(rule)}, seed {rule.seed}"
    if rule.text:
        says += f", of the filter {rule.text}"
    yield from wrapped("drawn", says, "muted", cells)
    if drawn.claim:
        yield from wrapped("can tell", drawn.claim, "text", cells)
    yield from _must(sample, cells)
    for shortage in drawn.shortages:
        yield from wrapped("short", shortage, "muted", cells)
    yield from _strata(entry, cells)


def _yours(told: Progress) -> Words:
    words: list[tuple[str, str]] = [(f"{told.mine} read", "text bold")]
    if not told.open:
        words.append((", nothing left for you", "muted") if told.cases else (", nothing to read", "muted"))
        return words
    words.append((f", {told.open} to read", "text"))
    if told.deferred:
        words.append((f", {told.deferred} of them put off", "muted"))
    if told.stale:
        words.append(
            (f", {told.stale} of them changed since you read {'it' if told.stale == 1 else 'them'}", "text")
        )
    if told.seconds is not None and told.left is not None:
        words.append((f", about {lasts(told.left)} left at {lasts(told.seconds)} a case", "muted"))
    return words


def _all(told: Progress) -> Words:
    words: list[tuple[str, str]] = [(f"{told.readings} of {told.wanted} readings", "text")]
    if told.others:
        words.append((f", {number_of(told.others, 'case')} in others' hands", "muted"))
    return words


def _readers(entry: Entry) -> Iterator[Words]:
    named = [f"{cut(one_line(name), 16)} {count}" for name, count in entry.readers[:READERS]]
    if len(entry.readers) > READERS:
        named.append(f"and {len(entry.readers) - READERS} more")
    if named:
        yield labelled("read by", [("   ".join(named), "muted")])


def _must(sample: Sample, cells: int) -> Iterator[Words]:
    drawn, rule = sample.drawn, sample.drawn.rule
    if not drawn.must:
        return
    taken = sum(stratum.allocated for stratum in drawn.strata if stratum.must)
    if not any(one.cases for one in drawn.must):
        rules = ", ".join(one.rule for one in drawn.must)
        yield from wrapped("must", f"no case must be reviewed: {rules} selects none", "muted", cells)
        return
    reads = f", read {rule.must_readings} times each" if rule.must_readings > 1 else ""
    yield from wrapped("must", f"{number_of(taken, 'case')} that must be reviewed{reads}", "muted", cells)
    for left in drawn.must:
        if left.left_out:
            says = f"the cap left out {left.left_out} of {number_of(left.cases, 'case')} of {left.rule}"
            yield from wrapped("", says, "text bold", cells)


def _stratum(stratum: Stratum, must: bool) -> Words:
    """What its cases are, in exactly `STRATUM` cells less those of the counts; classes in their colours."""
    words: list[tuple[str, str]] = [("must  " if stratum.must else "      ", "focus")] if must else []
    room = STRATUM - COUNTS - size_of(words)
    shown = [(name, preview(value) or "(empty)") for name, value in stratum.key.items()]
    for at, (name, value) in enumerate(shown or [("", "all cases")]):
        role = "text"
        if name == "class":
            role = value if value in LAYER_WORDS else "muted"
            value = LAYER_WORDS.get(value, "no class" if value == "(not recorded)" else value)
        elif name == "topic":
            value = value.replace("_", " ")
        cells = room if at >= len(shown) - 1 else min(CLASS if name == "class" else room // 2, room)
        words.append((fit(cut(value, cells - (at < len(shown) - 1)), cells), role))
        room -= cells
    return words


def _strata(entry: Entry, cells: int) -> Iterator[Words]:
    """The strata in columns: how many of each were drawn of how many, and how many of them were read."""
    strata = entry.sample.drawn.strata
    read = (*entry.read, *[0] * len(strata))
    items = [(one, read[at]) for at, one in enumerate(strata) if one.allocated]
    if not items:
        return
    must = any(one.must for one, _ in items)
    across = max((cells - GUTTER - 1 + STRATUM_GAP) // (STRATUM + STRATUM_GAP), 1)
    down = -(-len(items) // across)
    yield ()
    for row in range(down):
        words: list[tuple[str, str]] = []
        for one, done in items[row::down]:
            if words:
                words.append((" " * STRATUM_GAP, ""))
            words += _stratum(one, must)
            words.append((f"{one.allocated:>3} of {one.size:<4}", "muted"))
            rests = done >= one.allocated
            words.append((f"{done:>3} read", "muted" if rests else "text bold" if done else "faint"))
        yield labelled("strata" if row == 0 else "", words)
    rest = [one for one in strata if not one.allocated]
    if rest:
        cases = number_of(sum(one.size for one in rest), "case")
        others = f"{len(rest)} other {'stratum' if len(rest) == 1 else 'strata'}"
        yield labelled("", [(f"none of {cases} in {others}", "faint")])


def longest(lines: Sequence[Line], name: str) -> int:
    """Cells of the longest text of a column."""
    return max((width(getattr(line, name)) for line in lines), default=0)
