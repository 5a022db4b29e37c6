"""What the Judges screen lists: thresholds, where a judge fails, people's pairs, judges two by two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from triage.models.agreement import word_for
from triage.models.judging import Calibration, Cut, JudgePair, JudgeReport, Pair
from triage.plain import cut, one_line, preview
from triage.ui.widgets.figure_list import Bar, Column
from triage.ui.widgets.labelled import labelled
from triage.ui.widgets.line import Words, size_of
from triage.ui.work.words import number_of

Part = Literal["thresholds", "where it fails", "people", "judges"]
PARTS: tuple[Part, ...] = ("thresholds", "where it fails", "people", "judges")
_NAME = 24


class Behind(Struct, frozen=True):
    """Which cases a row stands for.

    Args:
        threshold: the judge's, where its faults are meant.
        dimension, value: of these cases alone.
        pair: two people, or a judge and a person, or two judges, who differ.
        judges: the pair are judges: those to arbitrate, by the score `value` alone where it is named.
    """

    threshold: float | None = None
    dimension: str = ""
    value: str = ""
    pair: tuple[str, str] = ("", "")
    judges: bool = False


class Row(Struct, frozen=True):
    """A line of the list: text and role by column, what is drawn, what is told of it, the cases behind it."""

    key: str
    cells: tuple[tuple[str, str], ...]
    bar: Bar | None
    title: Words
    says: tuple[Words, ...]
    behind: Behind


def share(value: float | None) -> str:
    """A share or a kappa without the leading zero, `n/a` where it is undefined."""
    if value is None:
        return "n/a"
    text = f"{value:.2f}"
    return text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def score(value: float) -> str:
    """A score as short as three decimals allow."""
    return f"{value:.3f}".rstrip("0").rstrip(".")


def counts(found: JudgeReport) -> dict[Part, int]:
    """How many rows each part has."""
    made, raters = found.calibration, found.raters
    pairs = (*((found.second,) if found.second is not None else ()), *found.pairs)
    return {
        "thresholds": len(made.curve) if made is not None else 0,
        "where it fails": len(made.parts) if made is not None else 0,
        "people": len(raters.pairs) + len(raters.judge) if raters is not None else 0,
        "judges": sum(max(len(pair.scores), 1) for pair in pairs),
    }


def columns_of(part: Part) -> tuple[Column, ...]:
    """The columns of a part."""
    if part == "thresholds":
        return (Column("good from", 9), Column("", 11, right=False), Column("kappa", 6), Column("agree", 6),
                Column("missed", 9, goes=1), Column("false alarms", 12, goes=1))  # fmt: skip
    if part == "where it fails":
        return (Column("where it fails", 14, right=False), Column("", 10, right=False), Column("cases", 6),
                Column("wrong", 6), Column("missed", 7, goes=1), Column("alarms", 7, goes=1))  # fmt: skip
    if part == "people":
        return (Column("who", 10, right=False), Column("and who", 10, right=False), Column("cases", 6),
                Column("agree", 6), Column("kappa", 6), Column("gives", 7, goes=1))  # fmt: skip
    return (Column("judges", 14, right=False), Column("score", 12, right=False), Column("cases", 6),
            Column("agree", 6), Column("kappa", 6), Column("arbitrate", 9, goes=2))  # fmt: skip


def rows_of(part: Part, found: JudgeReport, text: str) -> list[Row]:
    """The rows of a part that hold every word typed."""
    made = {
        "thresholds": _thresholds, "where it fails": _parts, "people": _people, "judges": _judges,
    }[part](found)  # fmt: skip
    words = text.casefold().split()
    return [
        row
        for row in made
        if all(word in " ".join(cell for cell, _ in row.cells).casefold() for word in words)
    ]


def _thresholds(found: JudgeReport) -> Iterator[Row]:
    made = found.calibration
    if made is None:
        return
    curve = list(made.curve)
    if made.own is not None and all(one.threshold != made.own.threshold for one in curve):
        curve.append(made.own)
    for one in sorted(curve, key=lambda each: -each.threshold):
        words = [
            word
            for word, is_it in (
                ("in use", made.own is not None and one.threshold == made.own.threshold),
                ("fits best", made.best is not None and one.threshold == made.best.threshold),
            )
            if is_it
        ]
        role = "text bold" if words else "muted"
        bad, good = one.hits + one.missed, one.alarms + one.passes
        yield Row(
            key=f"{one.threshold}",
            cells=(
                (score(one.threshold), role),
                ("in use, best" if len(words) > 1 else "".join(words), "focus" if words else role),
                (share(one.kappa), role),
                (share(one.agreement), role),
                (f"{one.missed}/{bad}", "bad" if words and one.missed else role),
                (f"{one.alarms}/{good}", "bad" if words and one.alarms else role),
            ),
            bar=Bar(min(max(one.kappa or 0.0, 0.0), 1.0), None, _marks(made)),
            title=[(f"good from {score(one.threshold)} on", "text bold"),
                   (f"  on {score(made.low)} to {score(made.high)}", "muted")],
            says=tuple(_of_cut(made, one)),
            behind=Behind(threshold=one.threshold),
        )  # fmt: skip


def _marks(made: Calibration) -> tuple[float, ...]:
    return (max(made.best.kappa, 0.0),) if made.best is not None and made.best.kappa is not None else ()


def _of_cut(made: Calibration, one: Cut) -> Iterator[Words]:
    bad, good = one.hits + one.missed, one.alarms + one.passes
    for label, many, of, word in (("missed", one.missed, bad, "bad"), ("alarms", one.alarms, good, "good")):
        answers = f" of {number_of(of, 'answer')} that people call {word}"
        yield labelled(label, [(f"{many}", "bad bold" if many else "text"), (answers, "text")])
    agreement = f", agreement {share(one.agreement)} of {one.n}"
    yield labelled("kappa", [(share(one.kappa), "text bold"), (agreement, "muted")])
    if made.best is not None and one.threshold == made.best.threshold:
        yield labelled("unseen", [
            (share(made.unseen), "text bold"),
            (" is the kappa on cases that did not choose the threshold (tenths in turn)", "muted"),
        ])  # fmt: skip
    if made.separates is not None:
        yield labelled("separates", [
            (f"{made.separates:.0%}", "text bold"),
            (" of good-bad pairs of answers score in this order; 50 % is chance", "muted"),
        ])  # fmt: skip


def _parts(found: JudgeReport) -> Iterator[Row]:
    made = found.calibration
    if made is None or made.shown is None:
        return
    whole = (made.shown.missed + made.shown.alarms) / made.n if made.n else 0.0
    at = score(made.shown.threshold)
    for one in made.parts:
        name = preview(one.dimension).replace("_", " ")
        yield Row(
            key=f"{one.dimension}\x1f{one.value}",
            cells=(
                (name, "muted"), (cut(preview(one.value), _NAME), "text"), (f"{one.n}", "muted"),
                (share(one.wrong), "text bold"), (f"{one.missed}", "bad" if one.missed else "faint"),
                (f"{one.alarms}", "bad" if one.alarms else "faint"),
            ),
            bar=Bar(one.wrong, None, (whole,)),
            title=[(f"{name} ", "text bold"), (cut(one_line(one.value), _NAME), "text bold"),
                   (f"  {number_of(one.n, 'case')}", "muted")],
            says=(
                labelled("wrong", [(f"{one.missed + one.alarms} of {one.n}", "text bold"),
                                   (f", {share(one.wrong)}; of all cases {share(whole)}", "muted")]),
                labelled("missed", [(f"{one.missed}", "text"), (" bad answers that it calls good", "muted")]),
                labelled("alarms", [(f"{one.alarms}", "text"),
                                    (f" good answers that it calls bad; good is {at} or more", "muted")]),
            ),
            behind=Behind(threshold=made.shown.threshold, dimension=one.dimension, value=one.value),
        )  # fmt: skip


def _people(found: JudgeReport) -> Iterator[Row]:
    raters = found.raters
    if raters is None:
        return
    marks = (max(raters.mean, 0.0),) if raters.mean is not None else ()
    equal, step, further = raters.spread
    whole: tuple[Words, ...] = (
        labelled("people", [
            (share(raters.mean), "text bold"), (" kappa of two people, ", "muted"),
            (share(raters.alpha), "text bold"),
            (f" alpha, ordinal: {word_for(raters.alpha) or 'undefined'}", "muted"),
        ]),
        labelled("judge", [
            (share(raters.judge_mean), "text bold"), (" kappa of the judge and a person", "muted"),
        ]),
        labelled("cases", [(f"{equal} all equal, {step} one step apart, {further} further, on "
                            f"{score(raters.low)} to {score(raters.high)}", "muted")]),
    )  # fmt: skip
    for kind, pairs in (("judge", raters.judge), ("pair", raters.pairs)):
        for one in pairs:
            yield _pair_row(kind, one, marks, whole)


def _shift(value: float | None) -> str:
    """How much more the second gives, on average."""
    return "" if value is None else "=" if abs(value) < 5e-3 else f"{value:+.2f}"


def _pair_row(kind: str, one: Pair, marks: tuple[float, ...], whole: tuple[Words, ...]) -> Row:
    role = "text" if kind == "judge" else "muted"
    even = one.shift is None or abs(one.shift) < 5e-3
    more = "as much" if even else "more" if (one.shift or 0) > 0 else "less"
    by = "" if even else f"{abs(one.shift or 0):.2f} "
    names = cut(preview(one.a), _NAME), cut(preview(one.b), _NAME)
    return Row(
        key=f"{kind}\x1f{one.a}\x1f{one.b}",
        cells=(
            (names[0], role), (names[1], f"{role} bold" if kind == "judge" else role), (f"{one.n}", "muted"),
            (share(one.agreement), role), (share(one.kappa), f"{role} bold"),
            (_shift(one.shift), "muted"),
        ),
        bar=Bar(min(max(one.kappa, 0.0), 1.0), None, marks) if one.kappa is not None else None,
        title=[(f"{names[0]} and {names[1]}", "text bold"), (f"  {number_of(one.n, 'case')}", "muted")],
        says=(
            labelled("kappa", [(share(one.kappa), "text bold"),
                               (f" (quadratic); the same in {share(one.agreement)} of the cases", "muted")]),
            labelled("gives", [(f"{names[1]} gives {by}{more} on average", "text")]),
            *whole,
        ),
        behind=Behind(pair=(one.a, one.b)),
    )  # fmt: skip


def _judges(found: JudgeReport) -> Iterator[Row]:
    for pair in (*((found.second,) if found.second is not None else ()), *found.pairs):
        for name, one in pair.scores.items() or (("", Pair(pair.a, pair.b, 0, None, None)),):
            yield _judge_row(pair, name, one)


def _judge_row(pair: JudgePair, name: str, one: Pair) -> Row:
    names = f"{cut(preview(pair.a), _NAME)} and {cut(preview(pair.b), _NAME)}"
    own, many = len(pair.apart.get(name, ())), len(pair.arbitrate)
    return Row(
        key=f"{pair.a}\x1f{pair.b}\x1f{name}",
        cells=(
            (names, "text"), (cut(preview(name), _NAME).replace("_", " "), "muted"), (f"{one.n}", "muted"),
            (share(one.agreement), "text"), (share(one.kappa), "text bold"),
            (f"{own}", "bad bold" if own else "faint"),
        ),
        bar=Bar(min(max(one.kappa, 0.0), 1.0)) if one.kappa is not None else None,
        title=[(names, "text bold"), (f"  {number_of(pair.cases, 'case')} that both judged", "muted")],
        says=(
            labelled("arbitrate", [
                (number_of(own, "case"), "bad bold" if own else "text"),
                (" where they are 2 or more apart, or on both sides of 4 of 1-5", "muted"),
            ]),
            labelled("", [(f"{many} by any of their scores", "muted")]),
            labelled("kappa", [(share(one.kappa), "text bold"),
                               (f" (quadratic, 1-5) on {one_line(name) or 'no score'}; the same in "
                                f"{share(one.agreement)} of {one.n}", "muted")]),
        ),
        behind=Behind(pair=(pair.a, pair.b), value=name, judges=True),
    )  # fmt: skip


def summary(found: JudgeReport) -> list[Words]:
    """What the judge is worth, most telling first; a piece may go where there is no room."""
    made = found.calibration
    if made is None or not made.n:
        return []
    pieces: list[Words] = []
    for words, one in (("in use", made.own), ("at best", made.best)):
        if one is not None:
            kappa = "" if pieces else "kappa "
            pieces.append([(kappa, "muted"), (share(one.kappa), "text bold"),
                           (f" {words}, from {score(one.threshold)}", "muted")])  # fmt: skip
    if made.best is not None:
        pieces.append([(share(made.unseen), "text bold"), (" unseen", "muted")])
    return pieces


def counted(found: JudgeReport) -> Words:
    """The cases that count, and those that do not with why."""
    made = found.calibration
    if made is None:
        return [(f"  {number_of(found.cases, 'case')}", "muted")]
    words: list[tuple[str, str]] = [(f"  {made.n} judged by both, {made.bad} bad", "muted")]
    words += [(f"  {count} {why} left out", "muted") for why, count in made.left_out.items()]
    if made.unscored:
        words.append((f"  {made.unscored} without a score", "muted"))
    return words


def asked(found: JudgeReport, keys: Mapping[str, str]) -> list[Words]:
    """The question as a sentence, with the key that changes each part of it."""
    question, made = found.question, found.calibration

    def piece(action: str, before: str, text: str, role: str = "text bold") -> Words:
        return [(keys[action], "focus bold"), (f" {before}", "faint"), (text, role)]

    people = "verdicts" if question.people is None else cut(one_line(question.people), 40)
    if made is not None and made.good is not None:
        people += f" >= {score(made.good)}"
    pieces: list[Words] = [
        piece("judges.score", "judge ", cut(one_line(question.judge), _NAME) or "none recorded"),
        piece("judges.people", "against ", people),
    ]
    ratings = cut(one_line(question.ratings), 32) if question.ratings else "none"
    pieces.append(piece("judges.ratings", "raters ", ratings, "text bold" if question.ratings else "muted"))
    second = cut(one_line(question.second), _NAME) if question.second else "none"
    pieces.append(piece("judges.second", "other ", second, "text bold" if question.second else "muted"))
    return pieces


def fitted(pieces: Sequence[Words], cells: int, gap: int = 3) -> Words:
    """As many pieces, in their order, as a line has room for."""
    out: list[tuple[str, str]] = [(" ", "text")]
    for piece in pieces:
        if size_of(out) + size_of(piece) + gap > cells and len(out) > 1:
            break
        out += [*(((" " * gap, "text"),) if len(out) > 1 else ()), *piece]
    return out
