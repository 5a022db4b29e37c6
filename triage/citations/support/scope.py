"""To whom and what it applies: 所有, 永久, only; 国内 for 海外, buyer for seller (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.opposites import GROUPS, PAIRS, STATES, groups_in, pairs_in
from triage.citations.pairing import ALIGNED, Found, Pair, Place
from triage.citations.polarity import negated, negators
from triage.citations.roles import left_out, other_roles
from triage.citations.wording import Clause
from triage.models.sentences import Mismatch

KIND: Mismatch = "scope"

# What widens a claim, and what in the source says as much.
_WIDE = tuple(
    (re.compile(wide), re.compile(same))
    for wide, same in (
        (
            r"所有|任何(?:人|时间)?|任意|一切|全部(?!完成)|凡是?|一律|每一?(?:个|位|种"
            r"|件|笔|款)(?!月|工作日|自然日|季度|小时|星期|账[号户]|用户|手机号|订单"
            r"|人)|全体|无论|不论|不管"
            r"|\b(?:all|every(?:one|thing|body)?|anyone|anything|any (?:reason|time|item"
            r"|order|purchase|product|amount|country|circumstances?|case|device|method"
            r"|customer|user|third part(?:y|ies)|condition|account|plan)s?|regardless"
            r"|no matter|whatever|whichever)\b",
            r"所有|任何|任意|一切|全部|凡|一律|每|全体|无论|不论|不管|均|都|各|全额|皆|整"
            r"|\b(?:all|every\w*|any\w*|regardless|no matter|whatever|each|entire|full|whole|both)\b",
        ),
        (
            r"永久|永远|终身|无限期|长期|\b(?:forever|permanently|permanent|lifetime"
            r"|indefinitely|for life)\b",
            r"永久|永远|终身|无限期|长期|永不|\b(?:forever|permanent\w*|lifetime|indefinite\w*"
            r"|for life|never)\b",
        ),
        (
            r"随时(?!联系|咨询|告诉)|不限(?:时间|次数|量|额)|无限(?:次|量|制)|\b(?:unlimited"
            r"|any ?time|whenever)\b",
            r"随时|不限|无限|全天|24|\b(?:unlimited|any ?time|whenever|no limit)\b",
        ),
        (
            r"全国|全球|世界各地|\b(?:worldwide|nationwide|globally|everywhere|anywhere)\b",
            r"全国|全球|世界|各地|\b(?:worldwide|nationwide|global\w*|everywhere|anywhere|all)\b",
        ),
        (
            r"仅限|只限|只能|仅能|仅可|仅支持|只支持|只有|仅(?!需|供|要|凭)|\b(?:only"
            r"|exclusively|solely)\b(?! (?:a|one|takes?|need)\b)",
            r"仅|只|限|唯一|专|除|不支持|不能|无法|不可|不得|必须|须|需|才|方可|不|\b(?:only"
            r"|exclusive\w*|solely|just|limited|cannot|not|must|except|no)\b|n[’']t",
        ),
    )
)
_HARMLESS = re.compile(
    r"(?:如|若|假如|if|without|not|n['’]t|no|在|用户|或其他)\s?(?:有|您有|you have|there (?:is|are))?\s?\Z"
)
# "Not in all countries" widens nothing, and "all of them, including" tells which.
_NOT_ALL = re.compile(r"(?:不是|并非|未必|不一定|\bnot\b|n['’]t)[^，。,.;]{0,24}\Z")
_TOLD = re.compile(r"[^.;。；]{0,60}\b(?:including|such as|namely)\b")
_NEAR = 0.3
_MARGIN = 0.05


def clashes(pair: Pair) -> Iterator[Found]:
    """What the sentence applies to more, or to other things, than the cited texts do."""
    yield from _wider(pair)
    yield from _opposite(pair)
    yield from _other(pair)
    yield from other_roles(pair)
    yield from left_out(pair)


def _wider(pair: Pair) -> Iterator[Found]:
    text = pair.sentence.text
    for wide, same in _WIDE:
        match = wide.search(text)
        if not match or _HARMLESS.search(text[max(0, match.start() - 12) : match.start()]):
            continue
        if _NOT_ALL.search(text[max(0, match.start() - 30) : match.start()]) or _TOLD.match(
            text, match.end()
        ):
            continue
        if any(same.search(each.wording.text) for each in pair.texts):
            continue
        clause = pair.sentence.clause_at(match.start())
        best = pair.best
        if clause and negators(clause.text) and wide.pattern.startswith("仅"):
            continue
        # 不收取任何费用 says no more than 不收费.
        if clause and best and _denied(clause, match.start()) and negators(best.clause.text):
            continue
        against = (Place(best.cited, best.clause.start, best.clause.end),) if best else ()
        yield Found(match.start(), match.end(), against)


def _denied(clause: Clause, place: int) -> bool:
    """Whether a "not" stands before `place`; "free" is none of what follows it."""
    spans = negated(clause.text)
    before = [span for span in spans if clause.start + span[0] < place]
    return len(spans) % 2 == 1 and any(clause.text[low:high] != "free" for low, high in before)


def _opposite(pair: Pair) -> Iterator[Found]:
    """A word whose opposite stands in the clause of the cited texts that speaks of the same."""
    text = pair.sentence.text
    # The sentence first: it is short, and most of the opposites are not in it.
    for at in pairs_in(text):
        one, other = PAIRS[at]
        first, second = one.search(text), other.search(text)
        if bool(first) == bool(second):
            continue
        said, same, against = (first, one, other) if first else (second, other, one)
        if said is None or not any(against.search(each.wording.text) for each in pair.texts):
            continue
        if at < STATES and _stated(pair, said, same):
            continue
        right, _ = _nearest(pair, same, against)
        wrong, place = _nearest(pair, against, same)
        if place and wrong >= (ALIGNED if said.group().isascii() else _NEAR) and wrong > right + _MARGIN:
            yield Found(said.start(), said.end(), (place,))


def _stated(pair: Pair, said: re.Match[str], same: re.Pattern[str]) -> bool:
    """Whether the clause that speaks of the same names the same state of the thing: 还没出库 for 未出库."""
    behind = pair.sentence.text[said.end() : said.end() + 2]
    # Word for word the same thing: 未出库的订单 in both.
    named = pair.sentence.text[said.start() : said.end() + 5]
    if said.end() + 5 <= len(pair.sentence.text) and any(named in each.wording.text for each in pair.texts):
        return True
    best = max((pair.like(clause) for _, clause in pair.clauses), default=0.0)
    return any(
        clause.text.startswith(behind, match.end()) and pair.like(clause) >= best - _MARGIN
        for _, clause in pair.clauses
        for match in same.finditer(clause.text)
    )


def _nearest(pair: Pair, word: re.Pattern[str], without: re.Pattern[str]) -> tuple[float, Place | None]:
    """How alike the most alike clause with `word` is, and where in it the word stands; 0 where none is."""
    best, place = 0.0, None
    for number, clause in pair.clauses:
        match = word.search(clause.text)
        if not match:
            continue
        near = pair.like(clause)
        if without.search(clause.text):
            near -= _MARGIN
        if near > best:
            best, place = near, Place(number, clause.start + match.start(), clause.start + match.end())
    return best, place


def _other(pair: Pair) -> Iterator[Found]:
    """One of several things of a kind (短信, 邮件) where the aligned clause names another."""
    text = pair.sentence.text
    for at in groups_in(text):
        group = GROUPS[at]
        said = [(member, match) for member in group if (match := member.search(text))]
        missing = [
            match for member, match in said if not any(member.search(t.wording.text) for t in pair.texts)
        ]
        if not missing or pair.best is None or pair.best.likeness < ALIGNED:
            continue
        best = pair.best
        against = [
            match
            for member in group
            if (match := member.search(best.clause.text)) and not member.search(text)
        ]
        if against:
            start = best.clause.start
            places = tuple(Place(best.cited, start + each.start(), start + each.end()) for each in against)
            yield Found(missing[0].start(), missing[0].end(), places)
