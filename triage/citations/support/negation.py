"""Whether the aligned clauses say yes or no: the parity of their negators (metrics.md section 6).

The weakest of the rules: its clash is worded "check polarity".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.pairing import ALIGNED, Found, Pair, Place
from triage.citations.polarity import may_negate, negated, negators
from triage.citations.turned import asks, turned
from triage.citations.wording import Clause, contained, grams
from triage.models.sentences import Mismatch

KIND: Mismatch = "negation"

# These turn a clause round in a way that counting cannot follow.
_TURNS = re.compile(
    r"只有|只能|仅|才|(?<![删清移去解拆扣排消免])除(?!外|非|草)|以外|否则|未经|方可|方能|之前|前不|以免|不然|不是.{1,10}而是"
    r"|\b(?:only|unless|except|until|without|other than|otherwise|rather than|instead)\b"
)
_STATE = re.compile(r"(已经?|未|尚未|还没有?|没有?)([\u4e00-\u9fff]{2})")
_TIE = 0.08
_TOLD = 0.5
_MANY = 8
_CLOSE = 0.55
_LEAST = 2


def clashes(pair: Pair) -> Iterator[Found]:
    """Clauses of the sentence whose best-aligned clause in the cited texts says the opposite."""
    if not may_negate(pair.sentence) and not any(may_negate(text.wording) for text in pair.texts):
        return
    some = False
    for clause in pair.sentence.clauses:
        found = _against(pair, clause)
        if found:
            some = True
            spans = negated(clause.text)
            start, end = spans[0] if spans else (0, len(clause.text))
            yield Found(clause.start + start, clause.start + end, found)
    if not some:
        yield from turned(pair)


def _against(pair: Pair, clause: Clause) -> tuple[Place, ...]:
    if clause.grams.size < _LEAST or _TURNS.search(clause.text):
        return ()
    aligned = pair.aligned(clause.grams)
    parity = negators(clause.text)
    states = _states(pair.sentence.text)
    aligned = [
        each
        for each in aligned
        if each.likeness >= ALIGNED
        and not asks(each.clause.text)
        and not _other_state(states, _states(each.clause.text))
        and (negators(each.clause.text) == parity or _tells(clause, each.clause))
    ]
    if not aligned or aligned[0].likeness < ALIGNED:
        return ()
    # A long text says much that is near; there any clause that agrees will do.
    loose = len(pair.clauses) > _MANY
    near = [
        each
        for each in aligned
        if each.score >= aligned[0].score - _TIE or (loose and each.likeness >= ALIGNED)
    ]
    if loose and aligned[0].score < _CLOSE:
        return ()
    if any(negators(each.clause.text) == parity or _TURNS.search(each.clause.text) for each in near):
        return ()
    best = near[0]
    if best.clause.grams.size < _LEAST:
        return ()
    spans = negated(best.clause.text) or ((0, len(best.clause.text)),)
    return tuple(Place(best.cited, best.clause.start + low, best.clause.start + high) for low, high in spans)


def _tells(one: Clause, other: Clause) -> bool:
    """Whether what is negated in either clause is spoken of in the other."""
    for here, there in ((one, other), (other, one)):
        spans = negated(here.text)
        if spans:
            behind = here.text[spans[-1][1] :]
            reach = 60 if behind.isascii() else 14
            about = grams(behind[:reach])
            if about.size and contained(about, there.grams) < _TOLD:
                return False
    return True


def _states(text: str) -> dict[str, bool]:
    """The states that a clause names, and whether they are reached: 已出库, 未出库."""
    return {match.group(2): match.group(1).startswith("已") for match in _STATE.finditer(text)}


def _other_state(states: dict[str, bool], theirs: dict[str, bool]) -> bool:
    """Whether a clause speaks of the opposite state, and so of another case."""
    return any(theirs.get(name, reached) != reached for name, reached in states.items())
