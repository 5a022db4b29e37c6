"""What `triage agreement` says, as JSON and as sections that a table and a Markdown page share."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import Struct

from triage.cli.words import decimals
from triage.models import shapes
from triage.models.agreement import (
    ADVICE,
    FEW_CASES,
    Agreement,
    ClassAgreement,
    Matrix,
    PairAgreement,
    ReadTwice,
    RuleAgreement,
    SuggestionAgreement,
)
from triage.models.verdict import VERDICTS
from triage.plain import number_of

MOST = 20
"""Disputes and pairs that a section lists; the others are counted."""
MATRICES = 6
"""Pairs whose verdicts are crossed, those with the most cases in common; JSON has all."""


class Section(Struct, frozen=True):
    """A titled part: sentences, then a table whose columns in `right` stand at the right.

    Those in `spare` may be left out where there is no room, the first to go first; `whole`: the last one is
    broken over several lines and not cut.
    """

    title: str
    says: tuple[str, ...] = ()
    heads: tuple[str, ...] = ()
    rows: tuple[tuple[str, ...], ...] = ()
    right: frozenset[int] = frozenset()
    spare: tuple[int, ...] = ()
    whole: bool = False


# JSON


def agreement_json(found: Agreement) -> dict[str, Any]:
    """The agreement as cli.md fixes it, with more beside."""
    return {
        "run": found.run,
        "runs": list(found.runs),
        "sample": found.sample,
        "reviewers": list(found.reviewers),
        "readings": found.readings,
        "cases": found.cases,
        "stale": found.stale,
        "read_twice": found.read_twice,
        "unanimous": found.unanimous,
        "agreement": found.agreement,
        "interval": _ends(found.interval),
        "pairs": [_pair_json(pair) for pair in found.pairs],
        "alpha": found.alpha,
        "alpha_interval": _ends(found.alpha_interval),
        "word": found.word,
        "classes": _classes_json(found.classes),
        "by_reviewer": {
            one.reviewer: {
                "readings": one.readings, "verdicts": one.verdicts, "shared": one.shared,
                "compared": one.compared, "agree": one.agree,
            }
            for one in found.readers
        },
        "disputes": [_dispute_json(one) for one in found.disputes],
        "arbitrated": [_dispute_json(one) for one in found.arbitrated],
        "outvoted": [_dispute_json(one) for one in found.outvoted],
        "suggestions": suggestions_json(found.suggestions),
    }  # fmt: skip


def _ends(interval: tuple[float, float] | None) -> list[float] | None:
    return None if interval is None else list(interval)


def _pair_json(pair: PairAgreement) -> dict[str, Any]:
    return {
        "a": pair.a,
        "b": pair.b,
        "n": pair.n,
        "agree": pair.agree,
        "agreement": pair.agreement,
        "interval": _ends(pair.interval),
        "kappa": pair.kappa,
        "word": pair.word,
        "confusion": pair.confusion,
        "classes": _classes_json(pair.classes),
    }


def _classes_json(classes: Iterable[ClassAgreement]) -> dict[str, Any]:
    return {
        one.verdict: {
            "readings": one.readings, "n": one.n, "either": one.either, "both": one.both,
            "agreement": one.agreement, "kappa": one.kappa, "alpha": one.alpha, "word": one.word,
        }
        for one in classes
    }  # fmt: skip


def _dispute_json(one: ReadTwice) -> dict[str, Any]:
    return {
        "id": one.case_id,
        "run": one.run,
        "verdicts": [{"reviewer": name, "class": verdict} for name, verdict in one.verdicts],
        "arbitration": shapes.arbitration(one.arbitration),
    }  # fmt: skip


def suggestions_json(found: SuggestionAgreement) -> dict[str, Any]:
    """Suggestions against verdicts: `agree` counts cases."""
    return {
        "n": found.n,
        "agree": found.agree,
        "share": found.agree / found.n if found.n else None,
        "interval": _ends(found.interval),
        "by_reason": {
            one.reason: {
                "n": one.n, "agree": one.agree, "share": one.share, "interval": _ends(one.interval),
                "suggests": one.says, "confidence": one.confidence, "verdicts": one.verdicts,
            }
            for one in found.by_reason
        },
        "confusion": found.confusion,
        "left_out": {"disputed": found.disputed, "stale": found.stale, "no_suggestion": found.silent},
    }  # fmt: skip


# for people


def _between(interval: tuple[float, float] | None) -> str:
    return "" if interval is None else f"[{interval[0]:.4f}, {interval[1]:.4f}]"


def headline(found: Agreement) -> list[str]:
    """Whose readings these are, how many, and what they come to: a sentence each."""
    of = found.run if found.run is not None else number_of(len(found.runs), "run")
    whose = f"{of}, sample {found.sample}" if found.sample is not None else of
    lines = [
        f"{whose}: {number_of(found.readings, 'reading')} of {number_of(found.cases, 'case')} by "
        f"{number_of(len(found.reviewers), 'reviewer')}, {found.read_twice} read twice or more"
    ]
    if found.stale:
        lines.append(f"left out: {number_of(found.stale, 'reading')} of a record that has changed since")
    if not found.read_twice:
        lines.append("agreement n/a: no case has two readings that can be compared")
        return lines
    lines.append(
        f"agreement {decimals(found.agreement)} ({found.unanimous}/{found.read_twice}), "
        f"95 % {_between(found.interval)}; Krippendorff's alpha {decimals(found.alpha)}"
        + (f", 95 % {_between(found.alpha_interval)}" if found.alpha_interval is not None else "")
        + (f": {ADVICE[found.word]}" if found.word is not None else "")
    )
    if found.alpha is None:
        lines.append("alpha and kappa are n/a where all give one and the same verdict")
    if found.read_twice < FEW_CASES:
        lines.append(f"fewer than {FEW_CASES} cases read twice: the intervals say more than the numbers")
    return lines


def sections(found: Agreement) -> list[Section]:
    """Everything else, each part where it has something to say."""
    parts = [_readers(found), _pairs(found), _classes(found)]
    parts += [_confusion(pair) for pair in found.pairs[:MATRICES] if pair.n > pair.agree]
    parts += [
        _cases("disputes: no verdict has more than half of its readers", found.disputes),
        _cases("outvoted: most readers say the same, not all", found.outvoted),
        _cases("arbitrated", found.arbitrated),
    ]
    parts += _suggestions(found.suggestions, sampled=found.sample is not None)
    return [part for part in parts if part is not None]


def _readers(found: Agreement) -> Section | None:
    if not found.readers:
        return None
    rows = tuple(
        (
            one.reviewer,
            str(one.readings),
            str(one.shared),
            f"{one.agree} of {one.compared}" if one.compared else "n/a",
            ", ".join(f"{verdict} {count}" for verdict, count in one.verdicts.items()),
        )
        for one in found.readers
    )
    heads = ("", "readings", "read by others too", "others say the same", "verdicts")
    return Section("reviewers", (), heads, rows, frozenset({1, 2, 3}), whole=True)


def _pairs(found: Agreement) -> Section | None:
    if not found.pairs:
        return None
    rows = tuple(
        (
            pair.a,
            pair.b,
            str(pair.n),
            decimals(pair.agreement),
            _between(pair.interval),
            decimals(pair.kappa),
            pair.word or "",
        )
        for pair in found.pairs[:MOST]
    )
    more = len(found.pairs) - MOST
    says = (f"{number_of(more, 'pair')} with fewer cases in common not shown",) if more > 0 else ()
    heads = ("", "", "n", "agreement", "95 %", "kappa", "")
    return Section("pairs", says, heads, rows, frozenset({2, 3, 5}))


def _classes(found: Agreement) -> Section | None:
    if not found.classes:
        return None
    # Kappa is of two people: of more, each pair has its own, and alpha speaks of all.
    two = len(found.pairs) == 1
    rows = tuple(
        (
            one.verdict,
            str(one.n),
            str(one.either),
            str(one.both),
            decimals(one.agreement),
            *((decimals(one.kappa),) if two else ()),
            decimals(one.alpha),
        )
        for one in found.classes
    )
    heads = ("", "pairs of readings", "either says so", "both say so", "agreement",
             *(("kappa",) if two else ()), "alpha")  # fmt: skip
    return Section("each class against the rest", (), heads, rows, frozenset(range(1, len(heads))))


def _matrix(matrix: Matrix, *, square: bool = False) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """The verdicts at the head of the columns, and the rows with their sums; `square`: the same in both."""
    used = {verdict for cells in matrix.values() for verdict in cells}
    used |= set(matrix) if square else set()
    columns = [verdict for verdict in VERDICTS if verdict in used]
    made = []
    for row in columns if square else matrix:
        cells = matrix.get(row, {})
        counts = (str(cells.get(column, 0)) for column in columns)
        made.append((row, *counts, str(sum(cells.values()))))
    return ("", *columns, "all"), tuple(made)


def _confusion(pair: PairAgreement) -> Section:
    heads, rows = _matrix(pair.confusion, square=True)
    return Section(f"{pair.a} in rows, {pair.b} in columns", (), heads, rows, frozenset(range(1, len(heads))))


def _cases(title: str, found: Sequence[ReadTwice]) -> Section | None:
    if not found:
        return None
    runs = len({one.run for one in found}) > 1
    rows = []
    for one in found[:MOST]:
        said = ", ".join(f"{name} {verdict}" for name, verdict in one.verdicts)
        if one.arbitration is not None:
            said += f"; {one.arbitration.reviewer} decided {one.arbitration.verdict}"
            said += f": {one.arbitration.reason}" if one.arbitration.reason else ""
        rows.append((f"{one.run} {one.case_id}" if runs else one.case_id, said))
    more = (f"{len(found) - MOST} more not shown",) if len(found) > MOST else ()
    return Section(f"{title}: {len(found)}" if ":" not in title else f"{title} ({len(found)})", more,
                   ("", ""), tuple(rows), whole=True)  # fmt: skip


def _suggestions(found: SuggestionAgreement, *, sampled: bool) -> list[Section]:
    left = [
        f"{count} {why}"
        for count, why in (
            (found.disputed, "disputed"),
            (found.stale, "whose record has changed since"),
            (found.silent, "for which no rule suggests anything"),
        )
        if count
    ]
    says = []
    if found.n:
        says.append(
            f"{found.agree} of {found.n} as suggested, {decimals(found.agree / found.n)}, "
            f"95 % {_between(found.interval)}"
        )
    if left:
        says.append("left out: " + ", ".join(left))
    if not found.n:
        return [Section("suggestions against verdicts", ("n/a: no case to compare", *says))] if left else []
    says.append("who sees a suggestion agrees with it more easily: triage review --blind hides it")
    if not sampled:
        says.append("people chose what they judged: --sample takes the cases that were drawn")
    heads = ("rule", "suggests", "sure", "n", "agree", "share", "95 %", "people say")
    rows = tuple(_rule(one) for one in found.by_reason)
    table = Section("suggestions against verdicts, by rule", tuple(says), heads, rows,
                    frozenset({2, 3, 4, 5}), spare=(5, 2, 1), whole=True)  # fmt: skip
    over, cells = _matrix(found.confusion)
    return [table, Section("suggested in rows, verdict in columns", (), over, cells,
                           frozenset(range(1, len(over))))]  # fmt: skip


def _rule(one: RuleAgreement) -> tuple[str, ...]:
    said = ", ".join(f"{verdict} {count}" for verdict, count in one.verdicts.items())
    return (
        one.reason,
        one.says,
        f"{one.confidence:.2f}",
        str(one.n),
        str(one.agree),
        decimals(one.share),
        _between(one.interval),
        said,
    )
