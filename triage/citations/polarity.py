"""Negators of a clause: which characters and words say no, and which only look like it."""

from __future__ import annotations

import re
from functools import lru_cache

from triage.citations.wording import Wording

# What holds a negator's character without being one; read first.
_NONE = (
    r"(?:还|尚)?(?:没有?|未)[\u4e00-\u9fff]{2}的|没有?[^，,]{1,8}(?:的话|时)|(?:如果?|若)(?:没有?|未|不|无)|"
    r"不得不|不能不|不可不|不会不|不无|无不|非.{1,8}不可|不(?:得|能|会|可)?(?:超过"
    r"|少于|低于|高于|多于|大于|小于|满|足|到|晚于|迟于)"
    r"|不(?:同|便|良|断|久|仅|但|管|论|过|妨|只|限于?|锈钢|可抗力|好意思|等|止"
    r"|如|禁|动产|正当|正常|当|合格|符|完整|知道?|清楚)"
    r"|(?:不|不会|并不|并不会)(?:影响|妨碍|耽误)|不着急|别(?:着急|担心)|对不起|差不多|要不|可不可以|能不能|是不是|有没有"
    r"|无(?:论|理由|线|忧|障碍|人机|关|形|纸|条件|故|感|接触)|毫无疑问|未(?:来"
    r"|成年|婚|读|知|拆封?|使用|开封|激活|付款|支付|发货"
    r"|签收|到期|过期|使用过|发出|出库|完成|登录|实名|绑定|满|用完|用过|领取"
    r"|到账|送达|收到|审核|通过|按时|授权)"
    r"|没(?:关系|事|问题|有?.{1,3}过|有?(?:拆|开|用|发货|付款|收到|出库|签收"
    r"|到期))|非(?:常|洲|凡|工作日|会员|质量|人为|本人|官方|活动|定制|生鲜|现货"
    r"|法)|除非|是否|能否|可否|否则|别(?:人|的|名)|(?:特|分|区|类|级|性|识|个"
    r"|鉴|派|告|国)别|另外"
    r"|不(?:收|受理时间)(?=时间)"
    r"|\bno (?:later|more|less|fewer|earlier|matter|doubt)\b|\bnot (?:exceed(?:ing)?|only|just"
    r"|later|more|less)\b|\bno\.\s?[0-9]|\bwhy not\b|\bif not\b|\bwhether or not\b"
)
_IS = (
    r"不|没有?|除外|(?<![被将已后自能])禁用|禁(?:食|烟|售|入|寄|运|带|飞)|忌(?:食|用|服)|(?<=[会将能])(?:影响|妨碍)"
    r"|包邮|无(?:法|需|须|权|效|法)?|未|非|勿|莫|禁止|严禁|拒绝(?!收)"
    r"|谢绝|杜绝|避免|免(?!责|疫|密|得|税|不了)|别(?=[再把将在去点])|毋"
    r"|\b(?:not|no|never|cannot|none|neither|nor|nothing|nobody|unable|unlikely|unavailable"
    r"|fail(?:s|ed|ure)?(?= to\b)"
    r"|ineligible|invalid|impossible|prohibit(?:s|ed)?"
    r"|forbid(?:s|den)?|exclud(?:e|es|ed)|waive[ds]?|free(?! (?:to|time|trial"
    r"|text|up|of)\b)|free of|void|unsupported|nonrefundable|declined?|refuses?d?)\b"
    r"|\bnon-?(?=[a-z]+[ai]ble\b)|n[’']t\b|\bun(?=(?:supported|available|limited"
    r"|needed|necessary|refundable)\b)"
)
# Most characters begin none, and are passed over at once.
_FIRST = "不没还尚未如若非别对差要可能是有无毫除否特分区类级性识个鉴派告国另并除禁忌影妨包勿莫严拒谢杜避免毋"
_NEGATOR = re.compile(rf"(?=[{_FIRST}nwuifpevrcd])(?:(?P<none>{_NONE})|(?P<is>{_IS}))")


def negators(text: str) -> int:
    """How many negators a clause (lower case) has, even or odd: 0 or 1."""
    return len(negated(text)) % 2


@lru_cache(maxsize=4096)
def negated(text: str) -> tuple[tuple[int, int], ...]:
    """Where the negators of a text (lower case) stand, in order."""
    return tuple(match.span() for match in _NEGATOR.finditer(text) if match.group("is"))


def may_negate(wording: Wording) -> bool:
    """Whether a text has any negator; read once."""
    kept: bool | None = wording.kept.get("negated")
    if kept is None:
        kept = any(match.group("is") for match in _NEGATOR.finditer(wording.text))
        wording.kept["negated"] = kept
    return kept
