"""What one says against what another says: two reviewers, or a rule's suggestion and the verdict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import get_args

from triage.metrics.interval import wilson
from triage.models.agreement import Matrix, RuleAgreement, SuggestedCase, SuggestionAgreement
from triage.models.verdict import Verdict, suggested_verdict

_PLACE = {verdict: place for place, verdict in enumerate(get_args(Verdict))}


def crossed(pairs: Iterable[tuple[str, str]]) -> Matrix:
    """How often each two verdicts meet, in the order of the verdict keys; pairs that never do are absent."""
    counts = Counter(pairs)
    out: Matrix = {}
    for row, column in sorted(counts, key=lambda pair: (_place(pair[0]), _place(pair[1]))):
        out.setdefault(row, {})[column] = counts[row, column]
    return out


def _place(verdict: str) -> tuple[int, str]:
    return _PLACE.get(verdict, len(_PLACE)), verdict


def counted(verdicts: Iterable[str]) -> dict[str, int]:
    """How often each verdict is given, in the order of the verdict keys; those never given are absent."""
    counts = Counter(verdicts)
    return {verdict: counts[verdict] for verdict in sorted(counts, key=_place)}


def suggestions_against(cases: Iterable[SuggestedCase]) -> SuggestionAgreement:
    """What the tool's own suggestions are worth (metrics.md section 7): agreement with people, by rule.

    Reasons stand by how many cases they have, most first. Cases without a standing verdict are passed over.
    """
    disputed = stale = silent = 0
    by_rule: dict[str, list[tuple[SuggestedCase, Verdict, Verdict]]] = {}
    pairs: Counter[tuple[str, str]] = Counter()
    for case in cases:
        if case.verdict is None:
            continue
        says = suggested_verdict(case.reason, case.failure_class)
        if case.disputed:
            disputed += 1
        elif case.stale:
            stale += 1
        elif says is None:
            silent += 1
        else:
            by_rule.setdefault(case.reason, []).append((case, says, case.verdict))
            pairs[says, case.verdict] += 1
    rules = sorted((_rule(reason, rows) for reason, rows in by_rule.items()), key=lambda one: -one.n)
    n, agree = sum(one.n for one in rules), sum(one.agree for one in rules)
    return SuggestionAgreement(
        n, agree, wilson(agree, n), tuple(rules), crossed(pairs.elements()), disputed, stale, silent
    )


def _rule(reason: str, rows: list[tuple[SuggestedCase, Verdict, Verdict]]) -> RuleAgreement:
    n, agree = len(rows), sum(says == verdict for _, says, verdict in rows)
    return RuleAgreement(
        reason=reason,
        says=rows[0][1],
        confidence=sum(case.confidence for case, _, _ in rows) / n,
        n=n,
        agree=agree,
        interval=wilson(agree, n) or (0.0, 1.0),
        verdicts=counted(verdict for _, _, verdict in rows),
    )
