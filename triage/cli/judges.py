"""What `triage agreement --judge` prints: judges against people, raters, judges against each other."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

from triage.cli.options import stack
from triage.cli.output import emit, emit_json, sentence, table
from triage.cli.words import decimals
from triage.errors import UsageError
from triage.models.agreement import ADVICE, word_for
from triage.models.judging import (
    Calibration,
    Cut,
    JudgePair,
    JudgeQuestion,
    JudgeReport,
    Pair,
    Raters,
)
from triage.workspace.reviews import counted

if TYPE_CHECKING:
    from triage.cli.session import Session
    from triage.models.query import Scope

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
NAMED = 10
"""Cases of a kind that a table names; the others are counted."""
PAIRS = 8
"""Pairs of people that a table has."""

judge_options: Callable[[Decorated], Decorated] = stack(
    click.option("--judge", metavar="KEY", help="Hold a judge's score against people: SCORE or JUDGE/SCORE."),
    click.option("--second", metavar="KEY", help="With --judge: hold it against another judge's score too."),
    click.option("--people", metavar="PATH", help="Where records hold people's number. Default: verdicts."),
    click.option("--ratings", metavar="PATH", help="Where records hold an object of each person's number."),
    click.option("--good", type=float, metavar="NUMBER", help="People's number from which on it is good."),
)  # fmt: skip
_OURS = ("judge", "second", "people", "ratings", "good")


def judge_asked(given: Mapping[str, Any]) -> JudgeQuestion | None:
    """The question that a command's options ask of judges; None where none of them is given.

    Raises:
        UsageError: an option is empty, `--good` is without `--people` or no number, `--second` is without
            `--judge` or the same score.
    """
    asked = {name: given[name] for name in _OURS if given.get(name) is not None}
    if not asked:
        return None
    for name in _OURS:
        if not str(asked.get(name, name)).strip():
            raise UsageError(f"--{name} is empty", "", "triage agreement --help")
    if "second" in asked and "judge" not in asked:
        raise UsageError(
            "--second is another judge's score", asked["second"], "name the first with --judge KEY"
        )
    if "second" in asked and asked["second"] == asked["judge"]:
        raise UsageError("--second is the judge itself", asked["second"], "name another score")
    if not isfinite(asked.get("good", 0)):
        raise UsageError("--good takes a number", str(asked["good"]))
    if "good" in asked and "people" not in asked:
        raise UsageError("--good is people's number", "", "name it with --people PATH")
    return JudgeQuestion(**asked)


def print_judges(
    session: Session, scope: Scope, question: JudgeQuestion, format: str, sample: str | None = None
) -> None:
    """Write what judges are worth on a scope's cases to standard output.

    `format` is `table`, `json` or `markdown`; `sample` names the sample whose cases alone count.

    Raises:
        UsageError: no case has such a score, or a number at such a path.
    """
    found = session.workspace.judging.report(scope, question, sample)
    if format == "json":
        emit_json(judges_json(scope.run, found))
        return
    for line in judges_markdown(scope.run, found) if format == "markdown" else judges_lines(scope.run, found):
        emit(line)


# JSON


def judges_json(run: str, found: JudgeReport) -> dict[str, Any]:
    """The report of judges; a part that was not asked for is null."""
    return {
        "run": run,
        "cases": found.cases,
        "judges": list(found.judges),
        "calibration": None if found.calibration is None else _calibration_json(found.calibration),
        "raters": None if found.raters is None else _raters_json(found.raters),
        "second": None if found.second is None else _pair_of_judges_json(found.second),
        "pairs": [_pair_of_judges_json(pair) for pair in found.pairs],
    }


def _cut_json(cut: Cut | None) -> dict[str, Any] | None:
    if cut is None:
        return None
    return {
        "threshold": cut.threshold, "n": cut.n, "agreement": cut.agreement, "kappa": cut.kappa,
        "hits": cut.hits, "missed": cut.missed, "alarms": cut.alarms, "passes": cut.passes,
    }  # fmt: skip


def _calibration_json(made: Calibration) -> dict[str, Any]:
    return {
        "judge": made.judge,
        "scale": [made.low, made.high],
        "people": made.people,
        "good": made.good,
        "n": made.n,
        "bad": made.bad,
        "unscored": made.unscored,
        "left_out": made.left_out,
        "in_use": _cut_json(made.own),
        "best": _cut_json(made.best),
        "kappa_unseen": made.unseen,
        "separates": made.separates,
        "curve": [_cut_json(cut) for cut in made.curve],
        "missed": list(made.missed),
        "alarms": list(made.alarms),
        "queries": {"missed": made.missed_query, "alarms": made.alarms_query},
        "fails": [
            {
                "dimension": part.dimension, "value": part.value, "n": part.n, "missed": part.missed,
                "alarms": part.alarms, "query": part.query,
            }
            for part in made.parts
        ],
    }  # fmt: skip


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {"a": pair.a, "b": pair.b, "n": pair.n, "agreement": pair.agreement, "kappa": pair.kappa,
            "shift": pair.shift}  # fmt: skip


def _raters_json(found: Raters) -> dict[str, Any]:
    return {
        "path": found.path,
        "scale": [found.low, found.high],
        "cases": found.cases,
        "ratings": found.ratings,
        "alpha": found.alpha,
        "kappa": found.mean,
        "judge_kappa": found.judge_mean,
        "spread": {"equal": found.spread[0], "one_step": found.spread[1], "further": found.spread[2]},
        "pairs": [_pair_json(pair) for pair in found.pairs],
        "judge": [_pair_json(pair) for pair in found.judge],
    }


def _pair_of_judges_json(pair: JudgePair) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "n": pair.cases,
        "scores": {name: _pair_json(one) for name, one in pair.scores.items()},
        "arbitrate": list(pair.arbitrate),
        "query": pair.query,
    }


# for people


def number(value: float | None) -> str:
    """A score or threshold, as short as four decimals allow."""
    if value is None:
        return "n/a"
    return f"{value:.4f}".rstrip("0").rstrip(".") if abs(value) < 1e9 else f"{value:g}"


def cut_words(made: Calibration) -> list[list[str]]:
    """Rows of the cuts: which, good from, n, agreement, kappa, missed, false alarms."""
    rows = []
    for name, cut in (("in use", made.own), ("fits best", made.best)):
        if cut is not None:
            rows.append([
                name, number(cut.threshold), str(cut.n), decimals(cut.agreement), decimals(cut.kappa),
                f"{cut.missed} of {cut.missed + cut.hits} bad",
                f"{cut.alarms} of {cut.alarms + cut.passes} good",
            ])  # fmt: skip
    return rows


def people_words(made: Calibration) -> str:
    """What the judge is held against, in words."""
    if made.good is None:
        return "people's verdicts: any failure is bad, not-a-failure good"
    return f"{made.people}: {number(made.good)} or more is good"


def _counts(made: Calibration) -> list[str]:
    parts = [f"{counted(made.n)} that both judged", f"{made.bad} bad by people"]
    if made.unscored:
        parts.append(f"{made.unscored} without a score")
    parts += [f"left out: {count} {why}" for why, count in made.left_out.items()]
    return parts


def notes(made: Calibration) -> list[str]:
    """What stands beside the cuts, a sentence each."""
    said = []
    if made.best is not None:
        said.append(
            f"on cases that did not choose the threshold (tenths in turn): kappa {decimals(made.unseen)}"
        )
        if made.best.kappa is not None and made.best.kappa <= 0:
            said.append("no threshold agrees with people better than chance does")
    elif made.n:
        said.append("too few cases, or all alike: no threshold is fitted")
    else:
        said.append(
            "no case has both a score and people's word: triage review reads some, "
            "--people PATH takes a number of the records"
        )
    if made.separates is not None:
        share = f"{100 * made.separates:.1f} %"
        said.append(f"a good answer scores above a bad one in {share} of pairs (50 % is chance)")
    return said


_HEADS = ("", "good from", "n", "agreement", "kappa", "missed", "false alarms")
_RIGHT = frozenset({1, 2, 3, 4})


def _calibration_lines(made: Calibration) -> list[str]:
    scale = f"scale {number(made.low)} to {number(made.high)}"
    lines = [sentence(f"judge {made.judge}", scale, people_words(made)), sentence(*_counts(made))]
    rows = cut_words(made)
    lines += table(_HEADS, rows, right=_RIGHT, indent="  ") if rows else []
    lines += [f"  {said}" for said in notes(made)]
    for what, ids in (("missed", made.missed), ("false alarms", made.alarms)):
        if ids:
            lines.append(f"  {sentence(f'{what}:', _named(ids))}")
    if made.parts:
        rows = _part_rows(made)
        heads = ["where it fails", "", "n", "missed", "false alarms"]
        lines += ["", *table(heads, rows, right=frozenset({2, 3, 4}), indent="  ")]
    return lines


def _part_rows(made: Calibration) -> list[list[str]]:
    return [
        [part.dimension, part.value, str(part.n), str(part.missed), str(part.alarms)] for part in made.parts
    ]


def _named(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
    return ", ".join(ids[:NAMED]) + more


def _pair_rows(pairs: Sequence[Pair]) -> list[list[str]]:
    return [
        [pair.a, pair.b, str(pair.n), decimals(pair.agreement), decimals(pair.kappa), shift(pair.shift)]
        for pair in pairs[:PAIRS]
    ]


def shift(value: float | None) -> str:
    """How much more the second gives on average."""
    if value is None:
        return ""
    return "=" if abs(value) < 5e-3 else f"{value:+.2f}" if abs(value) < 1e9 else f"{value:+g}"


_PAIR_HEADS = ("", "", "n", "agreement", "kappa (quadratic)", "second gives")
_PAIR_RIGHT = frozenset({2, 3, 4, 5})


def raters_words(found: Raters) -> list[str]:
    """What people's ratings say of each other and of the judge, a sentence each."""
    equal, step, further = found.spread
    said = [
        f"{counted(found.cases)} rated by two or more, {found.ratings} ratings on {number(found.low)} to "
        f"{number(found.high)}: {equal} all equal, {step} one step apart, {further} further",
        f"Krippendorff's alpha (ordinal) {decimals(found.alpha)}{_worth(found.alpha)}; "
        f"kappa of two people {decimals(found.mean)} (quadratic, mean over pairs by cases)",
    ]
    if found.judge:
        said.append(f"kappa of the judge and a person {decimals(found.judge_mean)}")
    return said


def _worth(alpha: float | None) -> str:
    word = word_for(alpha)
    return "" if word is None else f": {ADVICE[word]}"


def _raters_lines(found: Raters) -> list[str]:
    lines = [f"people's ratings {found.path}", *(f"  {said}" for said in raters_words(found))]
    for pairs in (found.pairs, found.judge):
        if pairs:
            more = f"{len(pairs) - PAIRS} pairs with fewer cases" if len(pairs) > PAIRS else ""
            lines += [*table(_PAIR_HEADS, _pair_rows(pairs), right=_PAIR_RIGHT, indent="  ")]
            lines += [f"  {more}"] if more else []
    return lines


def _judge_pair_lines(pair: JudgePair) -> list[str]:
    lines = [sentence(f"{pair.a} and {pair.b}", counted(pair.cases),
                      f"{len(pair.arbitrate)} for a person to arbitrate")]  # fmt: skip
    rows = [
        [name, str(one.n), decimals(one.agreement), decimals(one.kappa), shift(one.shift)]
        for name, one in pair.scores.items()
    ]
    heads = ["", "n", "agreement", "kappa (quadratic, 1-5)", "second gives"]
    lines += table(heads, rows, right=frozenset({1, 2, 3, 4}), indent="  ")
    if pair.arbitrate:
        lines.append(f"  {sentence('arbitrate:', _named(pair.arbitrate))}")
    return lines


def judges_lines(run: str, found: JudgeReport) -> list[str]:
    """The report of judges for people."""
    lines = [sentence(run, counted(found.cases), "scores: " + (", ".join(found.judges) or "none recorded"))]
    if found.calibration is not None:
        lines += ["", *_calibration_lines(found.calibration)]
    if found.raters is not None:
        lines += ["", *_raters_lines(found.raters)]
    for pair in (*((found.second,) if found.second is not None else ()), *found.pairs):
        lines += ["", *_judge_pair_lines(pair)]
    return lines


def judges_markdown(run: str, found: JudgeReport) -> list[str]:
    """The report of judges as Markdown."""
    from triage.export.markdown import escape, escaped_table

    lines = [f"## Judges of {escape(run)}"]
    made = found.calibration
    if made is not None:
        lines += [
            "",
            f"Judge {escape(made.judge)} against {escape(people_words(made))}. {'; '.join(_counts(made))}.",
        ]
        rows = cut_words(made)
        lines += ["", *(escaped_table(_HEADS, rows) if rows else ())]
        lines += ["", *(f"- {said}" for said in notes(made))]
        if made.parts:
            rows = _part_rows(made)
            lines += ["", *escaped_table(("where it fails", "", "n", "missed", "false alarms"), rows)]
    if found.raters is not None:
        lines += ["", *(f"- {escape(said)}" for said in raters_words(found.raters))]
        for pairs in (found.raters.pairs, found.raters.judge):
            lines += ["", *escaped_table(_PAIR_HEADS, _pair_rows(pairs))] if pairs else []
    for pair in (*((found.second,) if found.second is not None else ()), *found.pairs):
        asked = f"{len(pair.arbitrate)} for a person to arbitrate: {escape(_named(pair.arbitrate))}"
        lines += ["", f"{escape(pair.a)} and {escape(pair.b)}: {counted(pair.cases)}, {asked}"]
    return lines
