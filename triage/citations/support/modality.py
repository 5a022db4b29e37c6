"""How sure and how binding: 一定 for 通常, will for may, must for can (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.pairing import ALIGNED, Found, Pair, Place
from triage.citations.passages import related
from triage.citations.polarity import negators
from triage.models.sentences import Mismatch

KIND: Mismatch = "modality"

_SURE = re.compile(
    r"必定|必然|必将|势必|肯定|绝对|(?<!不)一定(?!程度|条件|期限|时间|时长|金额"
    r"|数额|比例|范围|的|要|得|需|额度|数量)|百分之?百|100\s?%(?=\s?[^0-9\s])"
    r"|保证(?!金|书|人|期)|担保|承诺|包(?:您|你)|(?<![质须])确保|毫无疑问|无疑|总是|每次都|永远都|始终"
    r"|\b(?:definitely|certainly|guarante(?:e|es|ed|eing)|always|absolutely|surely"
    r"|undoubtedly|without fail|for sure"
    r"|in every case|without exception|inevitably)\b"
)
_ADVICE = re.compile(r"(?:(?<!申)请|需要?|应当?|须|务必|为了|为|以|please|make|to)\s?\Z")
_DOUBTED = re.compile(r"(?:不|无法|不能|不会|未|没有?|难以|not|n't|cannot|no)\s?(?:能|会|be|to)?\s?\Z")
_SAME = re.compile(
    _SURE.pattern
    + r"|务必|一定要|必须|一律|均(?:会|可|能)|每[次个位]|全部|所有|\b(?:every|all|must|each)\b|100"
)
_MAYBE = re.compile(
    r"可能|或许|也许|有时|有机会|或会|不一定|未必|\b(?:might|may|could|sometimes"
    r"|possibly|occasionally|not always)\b"
)
_HEDGED = re.compile(
    _MAYBE.pattern
    + r"|通常|一般|大约|大概|预计|视|取决|原则上|尽量|多数|部分|有些|个别|概率|风险|如|若|或"
    + r"|\b(?:tends?|seems?|appears?|suggests?)\b"
    + r"|\b(?:usually|typically|generally|often|can|would|likely"
    + r"|potentially|subject to|depending|up to|some|if)\b"
)
_WILL = re.compile(r"\b(?:will|shall|must|always|is|are|gets?|does)\b")
_MUST = re.compile(
    r"必须|务必|一定要|一定得|强制|非得|不得不|\b(?:must|required|have to|has to"
    r"|mandatory|obliged|compulsory|need to)\b"
)
_DUE = re.compile(_MUST.pattern + r"|(?<![无毋])须(?!知)|(?<!无)需(?!求)|应当")
_NEED = re.compile(
    _MUST.pattern
    + r"|必需|需要?|须|应当?|得|只能|才能?|方可|方能|仅|凡|\b(?:need|needs|only|shall|requires?|should)\b"
)
_MAY = re.compile(
    r"可以|可(?![能靠])|建议|推荐|最好|可选|自愿|允许|选择|鼓励|\b(?:may|can"
    r"|could|optional|optionally|recommend(?:ed|s)?|advised?|encouraged?|suggest(?:ed"
    r"|s)?|allowed)\b"
)
_CHOICE = re.compile(
    r"建议|推荐|最好|可选|自愿|自由选择|可以不|不强制|视情况|\b(?:optional|optionally"
    r"|recommended|encouraged|suggested|voluntary)\b"
)

_RELATED = 0.3
"""What share of the sentence a sentence of a long source has to have, for its "always" to count."""


def clashes(pair: Pair) -> Iterator[Found]:
    """Words of the sentence that are surer, or more or less binding, than the cited texts are."""
    yield from _too_sure(pair)
    yield from _not_maybe(pair)
    yield from _other_duty(pair)


def _too_sure(pair: Pair) -> Iterator[Found]:
    text = pair.sentence.text
    for match in _SURE.finditer(text):
        before = text[max(0, match.start() - 6) : match.start()]
        if _ADVICE.search(before) or _DOUBTED.search(before) or _emphasis(pair, match.end()):
            continue
        # "Always check the label" advises.
        if match.group() == "always" and not text[: match.start()].strip(" *-\n"):
            continue
        if not any(_sure(text) for text in related(pair, pair.sentence.grams, _RELATED)):
            yield Found(match.start(), match.end(), _hedges(pair))


def _sure(text: str) -> bool:
    return any(
        not _DOUBTED.search(text[max(0, match.start() - 6) : match.start()]) for match in _SAME.finditer(text)
    )


def _emphasis(pair: Pair, place: int) -> bool:
    """Whether a "not" follows that the best-aligned clause has as well: 绝对不会 for 不会."""
    text = pair.sentence.text
    follows = re.match(r"\s?(?:不|没|无|禁止|not|never)", text[place:])
    return bool(follows and pair.best and negators(pair.best.clause.text))


def _hedges(pair: Pair) -> tuple[Place, ...]:
    best = pair.best
    if best is None:
        return ()
    match = _HEDGED.search(best.clause.text)
    return (
        (Place(best.cited, best.clause.start + match.start(), best.clause.start + match.end()),)
        if match
        else ()
    )


def _not_maybe(pair: Pair) -> Iterator[Found]:
    """What the best-aligned clause says may be, the sentence says is."""
    if not any(_MAYBE.search(each.wording.text) for each in pair.texts) or _HEDGED.search(pair.sentence.text):
        return
    for clause in pair.sentence.clauses:
        for there in pair.aligned(clause.grams)[:1]:
            match = _MAYBE.search(there.clause.text)
            if not match or there.likeness < ALIGNED or negators(clause.text) != negators(there.clause.text):
                continue
            if match.group().isascii() and not _WILL.search(clause.text):
                continue
            start = there.clause.start + match.start()
            yield Found(clause.start, clause.end, (Place(there.cited, start, start + len(match.group())),))


def _other_duty(pair: Pair) -> Iterator[Found]:
    """Must for may or should, and optional for must."""
    for said, needed, other in ((_MUST, _NEED, _MAY), (_CHOICE, _CHOICE, _DUE)):
        for clause in pair.sentence.clauses:
            match = said.search(clause.text)
            if not match or _DOUBTED.search(clause.text[: match.start()]) or negators(clause.text):
                continue
            for there in pair.aligned(clause.grams)[:1]:
                against = other.search(there.clause.text)
                if not against or there.likeness < ALIGNED or needed.search(there.clause.text):
                    continue
                if negators(there.clause.text):
                    continue
                start = there.clause.start + against.start()
                yield Found(
                    clause.start + match.start(),
                    clause.start + match.end(),
                    (Place(there.cited, start, start + len(against.group())),),
                )
