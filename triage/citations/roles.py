"""Who does it, where it goes and what is left out: 由卖家承担, sent to the billing address, 海外的除外.

Part of "scope" (metrics.md section 6): the same said of somebody or somewhere else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from triage.citations.pairing import Found, Pair, Place
from triage.citations.polarity import may_negate
from triage.citations.wording import Clause, Grams, Wording, alike, contained, grams, united

_IN = r"[^，。！？；,;.!?\n:()（）]"
_END = (
    r"(?=[，。！？；,;.!?\n:()（）]|\Z"
    r"|\b(?:within|after|before|by|on|in|if|when|once|and|or|for|at|that|which|you|used)\b)"
)
_ROLES = (
    re.compile(
        r"(?:发送|发放|推送|寄送|邮寄|寄|发|送|退款|退回|退还|返还|退|打款|转账|转接|转交|移交|转|汇款|汇|划转|派送|配送"
        rf"|投递|提交|上传|提供|共享|披露)(?:到|至|往|给|入)了?(?P<x>{_IN}{{2,20}})"
        r"|\b(?:sent|sends?|(?:e-?)?mail(?:ed|s)?|deliver(?:ed|s)?|shipped|ships?|refund(?:ed|s)?|credited"
        r"|transfer(?:red|s)?|forwarded|escalated|returned|routed|reported|disclosed|submitted)\b"
        rf"{_IN}{{0,30}}?\b(?:to|into) (?P<y>[a-z][a-z ]{{2,60}}?)\s?{_END}"
    ),
    re.compile(
        rf"由(?P<x>{_IN}{{1,10}}?)(?:直接|统一|先|再|来|自行|共同|全部|另行)?"
        r"(?:承担|支付|负担|负责|审核|审批|处理|办理|保管|出具|提供|签字|签收|取件|配送|发货|联系|跟进|回复|决定|保存"
        r"|上门|申请|管理|签署|陪同|安排|执行|操作|确认|填写|开具|维护|承运)"
        rf"|(?:ed|paid|borne|made|done|given|sent)\sby (?P<y>[a-z][a-z ]{{2,30}}?)\s?{_END}"
    ),
)
"""Where something goes, and who does it: `x` in Chinese, `y` in English."""
_BEHIND = re.compile(
    r"(?:处理|办理|审核|核实|跟进|解决|查询|使用|即可|[里中内上处]|(?:进行|并|后|时|才|以便|之).*)\Z"
)
_TIME = re.compile(r"[0-9]|次日|当[日天]|[今明后]天|[天日月周年]\Z|day\b|week|month")
_LEFT_OUT = re.compile(
    rf"(?P<x>{_IN}{{2,14}}?)的?(?:除外|不在此限)"
    rf"|(?:不包括|不包含|(?<!所)不含)(?P<y>{_IN}{{2,14}})"
    rf"|除(?P<z>{_IN}{{2,12}}?)(?:之?外|以外)[，,]?(?:其他|其余|均|所有|都|一律|全部)"
    rf"|\b(?:except|excluding|excludes?|other than|not including)(?: for)?"
    rf" (?P<e>[a-z][a-z -]{{2,40}}?)\s?{_END}"
)
_KEEPS = re.compile(r"除|例外|不含|不包|\b(?:except|exclud\w*|other than|unless|but not)\b")
_SAME_SHARE = 0.5
_NEAR = 0.3
_MARGIN = 0.05
_WHOLE = 0.8


def other_roles(pair: Pair) -> Iterator[Found]:
    """What the sentence gives to, or has done by, another than the clause that speaks of the same."""
    for role in _ROLES:
        match = role.search(pair.sentence.text)
        if not match:
            continue
        name = "x" if match.group("x") else "y"
        mine = _filler(match.group(name))
        if not mine or not mine.size:
            continue
        if contained(mine, united(text.wording.grams for text in pair.texts)) >= _SAME_SHARE:
            continue
        here = pair.sentence.clause_at(match.start())
        place = _nearest(pair, role, name, mine, here)
        if place:
            yield Found(*match.span(name), (place,))


def _nearest(pair: Pair, role: re.Pattern[str], name: str, mine: Grams, here: Clause | None) -> Place | None:
    """Where the most alike clause says who it is instead; None where one as near agrees, or none is near."""
    right, wrong, place = 0.0, 0.0, None
    for number, clause in pair.clauses:
        match = role.search(clause.text)
        if not match or not match.group(name):
            continue
        theirs = _filler(match.group(name))
        if not theirs or not theirs.size:
            continue
        near = pair.like(clause)
        if here is not None:
            near = max(near, alike(here.grams, clause.grams)[0])
        if alike(mine, theirs)[1] >= _SAME_SHARE:
            right = max(right, near)
        elif near > wrong:
            low, high = match.span(name)
            wrong, place = near, Place(number, clause.start + low, clause.start + high)
    return place if wrong >= _NEAR and wrong > right + _MARGIN else None


def _filler(text: str) -> Grams | None:
    """What the words that fill a role are about: the last noun alone; None where they tell a time."""
    if _TIME.search(text):
        return None
    head = text.rpartition("的")[2] or text
    return grams(_BEHIND.sub("", head) or head)


def left_out(pair: Pair) -> Iterator[Found]:
    """What the cited texts leave out of a rule, and the sentence puts in."""
    text = pair.sentence.text
    if _KEEPS.search(text) or may_negate(pair.sentence):
        return
    for number, each in enumerate(pair.texts):
        for match in _exceptions(each.wording):
            name = match.lastgroup or "x"
            about = grams(match.group(name))
            if len(about.long) and contained(about, pair.sentence.grams) >= _WHOLE:
                rest = grams(each.wording.text[: match.start()] + each.wording.text[match.end() :])
                if (
                    contained(about, rest) < _WHOLE
                    and contained(pair.sentence.grams, each.wording.grams) >= _NEAR
                ):
                    yield Found(0, len(text), (Place(number, *match.span()),))
                    return


def _exceptions(wording: Wording) -> list[re.Match[str]]:
    """What a text leaves out of its rules; read once."""
    kept: list[re.Match[str]] | None = wording.kept.get("exceptions")
    if kept is None:
        text = wording.text
        kept = list(_LEFT_OUT.finditer(text)) if _KEEPS.search(text) or "不在此限" in text else []
        wording.kept["exceptions"] = kept
    return kept
