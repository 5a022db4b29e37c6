"""Whether the aligned clauses say yes or no: the parity of their negators (metrics.md section 6).

The weakest of the rules: its clash is worded "check polarity".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.pairing import ALIGNED, Found, Pair, Place
from triage.citations.polarity import may_negate, negated, negators
from triage.citations.wording import Clause
from triage.models.sentences import Mismatch

KIND: Mismatch = "negation"

# These turn a clause round in a way that counting cannot follow.
_TURNS = re.compile(
    r"只有|只能|仅|才|除|以外|否则|未经|方可|方能|之前|前不|以免|不然|不是.{1,10}而是"
    r"|\b(?:only|unless|except|until|without|other than|otherwise|rather than|instead)\b"
)
_TIE = 0.08
_LEAST = 2


def clashes(pair: Pair) -> Iterator[Found]:
    """Clauses of the sentence whose best-aligned clause in the cited texts says the opposite."""
    if not may_negate(pair.sentence) and not any(may_negate(text.wording) for text in pair.texts):
        return
    for clause in pair.sentence.clauses:
        found = _against(pair, clause)
        if found:
            spans = negated(clause.text)
            start, end = spans[0] if spans else (0, len(clause.text))
            yield Found(clause.start + start, clause.start + end, found)


def _against(pair: Pair, clause: Clause) -> tuple[Place, ...]:
    if clause.grams.size < _LEAST or _TURNS.search(clause.text):
        return ()
    aligned = pair.aligned(clause.grams)
    if not aligned or aligned[0].likeness < ALIGNED:
        return ()
    parity = negators(clause.text)
    near = [each for each in aligned if each.score >= aligned[0].score - _TIE]
    if any(negators(each.clause.text) == parity or _TURNS.search(each.clause.text) for each in near):
        return ()
    best = near[0]
    if best.clause.grams.size < _LEAST:
        return ()
    spans = negated(best.clause.text) or [(0, len(best.clause.text))]
    return tuple(Place(best.cited, best.clause.start + low, best.clause.start + high) for low, high in spans)
