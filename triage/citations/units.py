"""The units that the rules know, and what of another unit each is."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Dimension(NamedTuple):
    """A unit: its kind, what it can be compared with, how much of the base unit it is.

    `lists` marks one that often counts what follows in a list (两种方式).
    """

    kind: Literal["duration", "amount", "number"]
    name: str
    factor: float
    lists: bool = False


def _units() -> dict[str, Dimension]:
    found: dict[str, Dimension] = {}

    def put(kind: Literal["duration", "amount", "number"], name: str, factor: float, words: str) -> None:
        for word in words.split("|"):
            found[word] = Dimension(kind, name, factor)

    put("duration", "time", 1 / 60, "秒|秒钟|second|seconds|sec|secs")
    put("duration", "time", 1, "分钟|minute|minutes|min|mins")
    put("duration", "time", 15, "刻钟")
    put("duration", "time", 60, "小时|个小时|钟头|个钟头|hour|hours|hr|hrs|h")
    put(
        "duration",
        "time",
        1440,
        "天|个自然日|自然日|自然天|日内|日之内|日以内|日后|日起|day|days|calendar day|calendar days",
    )
    put("duration", "time", 7 * 1440, "周|个星期|星期|个礼拜|礼拜|week|weeks")
    put("duration", "time", 14 * 1440, "fortnight|fortnights")
    put(
        "duration",
        "work",
        1,
        "工作日|个工作日|工作天|个工作天|business day|business days|working day|working days",
    )
    put("duration", "work hours", 1, "工作小时|个工作小时|business hours|business hour|working hours")
    put("duration", "month", 1, "个月|月内|个自然月|month|months")
    put("duration", "month", 3, "个季度|季度|quarter|quarters")
    put("duration", "month", 12, "年|周年|year|years|yr|yrs")
    put("amount", "cny", 1, "元|块|块钱|元钱|人民币|元人民币|rmb|cny|yuan")
    put("amount", "cny", 0.1, "角|毛钱")
    put("amount", "usd", 1, "美元|美金|usd|dollar|dollars")
    put("amount", "eur", 1, "欧元|eur|euro|euros")
    put("amount", "gbp", 1, "英镑|gbp")
    put("amount", "hkd", 1, "港元|港币|hkd")
    put("amount", "jpy", 1, "日元|jpy|yen")
    put("amount", "percent", 1, "%|个百分点|percent|per cent")
    put("number", "g", 1, "克|g|gram|grams")
    put("number", "g", 500, "斤")
    put("number", "g", 1000, "公斤|千克|kg|kilogram|kilograms|kilos")
    put("number", "lb", 1, "磅|lb|lbs|pounds")
    put("number", "mm", 1, "毫米|mm")
    put("number", "mm", 10, "厘米|公分|cm")
    put("number", "mm", 1000, "米|m|meter|meters|metre|metres")
    put("number", "mm", 1_000_000, "公里|千米|km|kilometer|kilometers|kilometre|kilometres")
    put("number", "mile", 1, "英里|mile|miles")
    put("number", "byte", 1, "kb|kib")
    put("number", "byte", 1024, "mb|兆|mib")
    put("number", "byte", 1024**2, "gb|gib")
    put("number", "byte", 1024**3, "tb|tib")
    put("number", "litre", 1, "升|l|liter|liters|litre|litres")
    put("number", "litre", 0.001, "毫升|ml")
    put("number", "degree", 1, "度|℃|摄氏度")
    put("number", "times", 1, "次|遍|回|times|time|attempts|attempt")
    put(
        "number",
        "characters",
        1,
        "位数字|位数|位字符|个字符|位|个字|字|字符|characters|character|digits|digit",
    )
    put("number", "age", 1, "周岁|岁|years old|years of age|year old|year-old|year-olds|years-old")
    put("number", "points", 1, "积分|个积分|分|points|point|金币|星")
    for word in _PIECES:
        put("number", word, 1, word)
    for word in _LISTED:
        found[word] = Dimension("number", word, 1, lists=True)
    return found


_PIECES = "个件张台部笔条份款人名户单只本套页层级倍期颗支瓶箱包袋双辆间座所家枚组批封幅道门"
_LISTED = ("种", "项", "步", "点", "类", "方面", "大类", "个步骤", "个方面", "种方式", "个问题")
UNITS = _units()
"""The units by how they are written, lower case."""
