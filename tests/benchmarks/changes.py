"""One change to a sentence that makes it say something else than the text it cites, in Chinese and English.

Every change is `(sentence, cited, chooser) -> the changed sentence, or None where it can't be made`: what is
changed stands in the cited text too, and what it is changed to does not, so that the two contradict each
other. Markers in brackets are left alone.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable, Sequence

Change = Callable[[str, str, random.Random], "str | None"]

_UNITS = (
    "个工作日", "个自然日", "个月", "小时", "分钟", "天", "周", "年",
    "working days", "working day", "business days", "days", "day", "hours", "hour", "minutes", "minute",
    "weeks", "months", "month", "years", "year",
)  # fmt: skip
_UNIT = "|".join(_UNITS)
_OTHER_UNIT = {
    "个工作日": "个自然日", "个自然日": "个工作日", "小时": "天", "天": "小时", "分钟": "小时",
    "个月": "天", "年": "个月",
    "working days": "days", "working day": "day", "business days": "days", "days": "hours", "hours": "days",
    "minutes": "hours", "weeks": "months", "months": "weeks", "years": "months",
}  # fmt: skip
_APART = r"(?<![\d.,:/\-A-Za-z$£€(])"
_DURATION = re.compile(rf"{_APART}(\d{{1,3}})([ -]?)({_UNIT})(?![a-z])")
_AMOUNT = re.compile(
    r"(?:(?<=[$£€¥])|(?<=[$£€¥] ))(\d[\d,]*(?:\.\d+)?)(?![\d-])|"
    + _APART
    + r"(\d+(?:\.\d+)?)(?= ?(?:元|dollars|euros|million|billion))"
)
_NUMBER = re.compile(
    rf"{_APART}(\d{{1,6}}(?:\.\d+)?)"
    rf"(?![\d:/A-Za-z()\-]|[.,]\d|\.\Z|\. |，?\d|\*\*|[ -]?(?:{_UNIT})|"
    r" ?(?:元|月|日|dollars|million|billion|至|to \d|a\.?m|p\.?m))"
)
_MONTHS = "January February March April May June July August September October November December".split()
_YEAR = re.compile(r"(?<![\d.,:/\-A-Za-z$])(1[5-9]\d\d|20\d\d)(?![\d\-/])(?= 年|\b)")
_CLOCK = re.compile(r"(?<![\d:])(\d{1,2}):(\d{2})(?!\d)")
_MONTH_DAY = re.compile(rf"\b({'|'.join(_MONTHS)})(?= \d)|(?<=\d )({'|'.join(_MONTHS)})\b")
_ZH_DAY = re.compile(r"(\d{1,2})(?= ?[月日](?!内))")
_RELATIVE = {
    "次月": "当月", "当月": "次月", "次日": "当日", "the next day": "the same day",
    "the next month": "the same month", "next month": "this month", "每日": "每周一",
}  # fmt: skip

_HEDGES = {
    "通常": ("一定", "必定", "保证"), "一般": ("一定", "肯定", "必定"), "可能": ("一定", "必然"),
    "大多": ("全都一定",),
    "usually": ("always", "definitely"), "typically": ("always", "certainly"),
    "generally": ("always", "certainly"),
    "often": ("always",), "may": ("will always", "will certainly"), "might": ("will definitely",),
    "most likely": ("certainly",), "likely": ("certainly",), "could": ("will certainly",),
}  # fmt: skip
_STRONG = re.compile(
    "一定|必定|必然|保证|肯定|务必|always|guarantee|definitely|certainly|never", re.IGNORECASE
)

_ZH_FLIPS: tuple[tuple[str, str], ...] = (
    ("不可以", "可以"), ("不能", "可以"), ("不会", "会"), ("无须", "须"), ("无需", "需"), ("不需要", "需要"),
    ("不包邮", "包邮"), ("不随", "随"), ("不补", "补"),
    (r"(?<!不)(?<!也)可以(?![，。,])", "不可以"), (r"(?<![不可功智])能(?![力够])", "不能"),
    (r"(?<!必)须(?!知)", "无须"),
    (r"(?<!不)由(?=您|买家|我们|机主|主号|收件人)", "不由"), (r"(?<!不)会(?![员话议计])", "不会"),
    (r"(?<!自)(?<!未)有效", "无效"),
)  # fmt: skip
_EN_REMOVED = re.compile(
    r"\b(do|does|did|is|are|was|were|wo|should|must|could|would|has|have|need)"
    r"(?:n['’]t| not)\b|\bcan(?:not| not|['’]t)\b"
)
_EN_ADDED = re.compile(
    r"\b(can|will|must|should|is|are|was|were|could|would|does)\b(?! not|['’]t| also| often)"
)
_NOT = {"can": "can't", "will": "won't", "must": "need not"}
_UNSAID = {"wo": "will"}
_SUBORDINATE = re.compile(
    r"\b(?:if|whether|unless|who|whom|what|which|that|how|where|why|though|although|as|when|while|than|before|after"
    r"|until|once|because|since|ensure|sure|here|there)\b",
    re.IGNORECASE,
)
_EMPTY = frozenset("also been being have more most very that this with your their them they from".split())
_NO = re.compile(r"\b(?:not|no|never|cannot|without|unable|neither|nor)\b|n['’]t\b", re.IGNORECASE)

_LIMITS = re.compile(
    "须|只|仅|除外|以内|之内|内|之前|之后|前|后|满|限|期间|的，|最多|"
    r"\b(?:only|unless|if|when|within|before|after|up to|until|except|excluded|not covered|once|"
    r"at most|without)\b"
)
_KEPT = re.compile(r"除外|还没|只|仅|\b(?:only|unless|except|until|if|as long as|[Ww]ithin the)\b")
"""A sentence that keeps its own limit is not made wider by words before it."""
_WIDE = re.compile(
    "所有|任何|无论|永久|一律|全部|\\b(?:all|any|every|always|never|regardless|permanently|whatever)\\b",
    re.IGNORECASE,
)
_ZH_WIDE = ("无论什么情况，", "任何情况下，", "所有订单都一样：", "不管是谁，任何时候，")
_EN_WIDE = (
    "In all cases, ",
    "Regardless of the reason, ",
    "For any customer at any time, ",
    "In every case, ",
)
_OPPOSITES = {
    "未发货": "已发货", "未出库": "已出库", "未过期": "已过期", "买家": "卖家", "卖家": "买家",
    "国内": "海外", "全额": "部分",
    "required": "optional", "mandatory": "optional", "domestic": "international", "in full": "in part",
}  # fmt: skip


def chinese(text: str) -> bool:
    """Is the text Chinese, by its letters?"""
    han = sum("\u4e00" <= letter <= "\u9fff" for letter in text)
    return han * 3 > sum(letter.isascii() and letter.isalpha() for letter in text)


def outside_markers(sentence: str, matches: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """Those matches that stand in no bracket of a marker."""
    brackets = [each.span() for each in re.finditer(r"[\[【［(（][^\])】］）]*[\])】］）]", sentence)]
    return [m for m in matches if not any(start <= m.start() < end for start, end in brackets)]


def _flat(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text)).lower()


def _numbers(text: str) -> set[str]:
    return {number.replace(",", "").rstrip(".") for number in re.findall(r"\d[\d,]*(?:\.\d+)?", text)}


def _other_number(number: str, taken: set[str], chooser: random.Random) -> str:
    """Another number of the same look that stands in neither text."""
    plain = number.replace(",", "")
    value = float(plain)
    places = len(plain.partition(".")[2])
    for factor in chooser.sample((2, 3, 0.5, 1.5, 4, 6, 10), 7):
        other = f"{max(value * factor, 1):.{places}f}"
        if not places and value * factor != int(value * factor):
            other = str(int(value * factor) + 1)
        if other not in taken and other != plain:
            return f"{int(other):,}" if "," in number and not places else other
    return f"{value + 17:.{places}f}"


def _replaced(sentence: str, match: re.Match[str], new: str, group: int = 0) -> str:
    return sentence[: match.start(group)] + new + sentence[match.end(group) :]


def _pick(
    sentence: str, cited: str, chooser: random.Random, pattern: re.Pattern[str], *, whole: bool = True
) -> re.Match[str] | None:
    """A match that the cited text holds as well."""
    there = _flat(cited)
    numbers = _numbers(cited)
    found = [
        match
        for match in outside_markers(sentence, list(pattern.finditer(sentence)))
        if (_flat(match.group()) in there if whole else match.group().replace(",", "") in numbers)
    ]
    return chooser.choice(found) if found else None


_DIGITS = "零一二三四五六七八九"


def in_chinese(number: int) -> str:
    """A number below 100 in Chinese words."""
    tens, ones = divmod(number, 10)
    return (("" if tens == 1 else _DIGITS[tens]) + "十" if tens else "") + (
        _DIGITS[ones] if ones or not tens else ""
    )


def duration(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """Another number of days, or the same number of another unit."""
    match = _pick(sentence, cited, chooser, _DURATION)
    if match is None:
        return None
    number, unit = match.group(1), match.group(3)
    if unit in _OTHER_UNIT and chooser.random() < 0.4:
        other = _replaced(sentence, match, _OTHER_UNIT[unit], 3)
        written = _flat(number + match.group(2) + _OTHER_UNIT[unit])
        if written not in _flat(cited):
            return other
    new = _other_number(number, _numbers(cited) | _numbers(sentence), chooser)
    if "个工作日" not in unit and unit[0] >= "\u4e00" and int(new) < 100 and chooser.random() < 0.3:
        new = in_chinese(int(new))
    return _replaced(sentence, match, new, 1)


def amount(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """Another amount of money."""
    match = _pick(sentence, cited, chooser, _AMOUNT, whole=False)
    if match is None:
        return None
    return _replaced(
        sentence, match, _other_number(match.group(), _numbers(cited) | _numbers(sentence), chooser)
    )


def number(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """Another count, share or measure: no duration, no money, no date."""
    found = [
        match
        for match in outside_markers(sentence, list(_NUMBER.finditer(sentence)))
        if match.group(1) in _numbers(cited)
        and not _YEAR.fullmatch(match.group(1))
        and not _MONTH_DAY.search(sentence[max(0, match.start() - 12) : match.end() + 12])
    ]
    if not found:
        return None
    match = chooser.choice(found)
    return _replaced(
        sentence, match, _other_number(match.group(1), _numbers(cited) | _numbers(sentence), chooser), 1
    )


def date(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """Another year, month, day or hour, or the next day in place of the same day."""
    options: list[str] = []
    there = _flat(cited)
    for match in outside_markers(sentence, list(_YEAR.finditer(sentence))):
        if match.group() in _numbers(cited):
            for step in (3, -4, 11):
                year = str(int(match.group()) + step)
                if year not in _numbers(cited):
                    options.append(_replaced(sentence, match, year))
                    break
    for match in outside_markers(sentence, list(_CLOCK.finditer(sentence))):
        hour = (int(match.group(1)) + chooser.choice((1, 2, 3))) % 24
        if match.group() in there and f"{hour}:{match.group(2)}" not in there:
            options.append(_replaced(sentence, match, f"{hour}:{match.group(2)}"))
    for match in outside_markers(sentence, list(_MONTH_DAY.finditer(sentence))):
        month = _MONTHS[(_MONTHS.index(match.group()) + 3) % 12]
        if match.group() in cited and month not in cited:
            options.append(_replaced(sentence, match, month))
    for match in outside_markers(sentence, list(_ZH_DAY.finditer(sentence))):
        day = str(int(match.group()) % 12 + 1)
        if match.group() in _numbers(cited) and day not in _numbers(cited):
            options.append(_replaced(sentence, match, day))
    for said, other in _RELATIVE.items():
        if said in sentence and said in cited and other not in cited:
            options.append(sentence.replace(said, other, 1))
    return chooser.choice(options) if options else None


def _clause(sentence: str, at: int) -> str:
    """The clause of the sentence in which place `at` is."""
    ends = [0, *(each.end() for each in re.finditer(r"[，,；;：:]|\b(?:and|but|so|because)\b", sentence))]
    start = max(end for end in ends if end <= at)
    return sentence[start : min((end for end in ends if end > at), default=len(sentence))]


def holding(clause: str, cited: str) -> list[str]:
    """The sentences of the cited text that say it: those with most of its words, or pairs of characters."""
    said = re.split(r"(?<=[。！？；!?;\n])|(?<=\.)\s", cited)
    if chinese(clause):
        letters = re.sub(r"\W|\[[^\]]*\]", "", clause)
        parts = {letters[at : at + 2] for at in range(len(letters) - 1)}
        found = [sum(part in _flat(each) for part in parts) for each in said]
    else:
        parts = set(re.findall(r"[a-z]{4,}", clause.lower()))
        found = [sum(part[:-1] in each.lower() for part in parts) for each in said]
    return [each for each, count in zip(said, found, strict=True) if parts and count >= 0.6 * len(parts)]


def denied(sentence: str, match: re.Match[str], cited: str, *, already: bool) -> bool:
    """Would a "not" at the match, or without one there, make the sentence say the opposite of the cited text?

    Only in a main clause, as "if it is not" denies nothing; and only where a sentence of the cited text that
    says the clause has the word that the "not" stands before, and itself no "not" (`already`: has one).
    """
    clause = _clause(sentence, match.start())
    before = clause[: clause.index(match.group())]
    if _SUBORDINATE.search(before) or sentence.rstrip().endswith((":", "?")):
        return False
    behind = [
        word for word in re.findall(r"[a-z]{4,}", sentence[match.end() :].lower()) if word not in _EMPTY
    ]
    return bool(behind) and any(
        behind[0][:-1] in each.lower() and bool(_NO.search(each)) is already
        for each in holding(clause, cited)
    )


def negation(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """The opposite: a "not" more, or one less."""
    if chinese(sentence):
        found = []
        for pattern, new in _ZH_FLIPS:
            match = re.search(pattern, sentence)
            # A contradiction only where the cited text speaks of the same.
            if (
                match
                and outside_markers(sentence, [match])
                and holding(_clause(sentence, match.start()), cited)
            ):
                found.append(_replaced(sentence, match, new))
        # A removed "not" first: where one stands, adding another elsewhere would speak of something else.
        return found[0] if found else None
    match = _EN_REMOVED.search(sentence)
    if match and denied(sentence, match, cited, already=True):
        word = match.group(1)
        return _replaced(sentence, match, "can" if word is None else _UNSAID.get(word, word))
    start = 0
    if re.match(r"(?:If|When|Once|After|While|Although|In|As|For)\b", sentence) and "," in sentence:
        start = sentence.index(",")
    match = match or _EN_ADDED.search(sentence, start)
    if match is None or _EN_REMOVED.match(sentence, match.start()):
        return None
    if not denied(sentence, match, cited, already=False):
        return None
    return _replaced(sentence, match, _NOT.get(match.group(1), match.group(1) + " not"))


def modality(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """A "usually" into an "always"."""
    if _STRONG.search(cited):
        return None
    found = []
    for said, stronger in _HEDGES.items():
        pattern = said if chinese(said) else rf"\b{said}\b(?! not)"
        match = re.search(pattern, sentence)
        if match and re.search(pattern, cited):
            found.append((match, stronger))
    if not found:
        return None
    match, stronger = chooser.choice(found)
    return _replaced(sentence, match, chooser.choice(stronger))


def scope(sentence: str, cited: str, chooser: random.Random) -> str | None:
    """For all, where the cited text sets a condition; or for the opposite ones."""
    for said, other in _OPPOSITES.items():
        if said in sentence and said in cited and other not in cited:
            if said.isascii() and (_NO.search(sentence) or f"{said} to" in sentence):
                return None
            return re.sub(rf"\ba {other}", f"an {other}", sentence.replace(said, other, 1))
    if not chinese(sentence) and (len(sentence.split()) < 5 or re.search(r"`|^\s*(?:Yes|No)\b", sentence)):
        return None
    if _WIDE.search(cited) or _WIDE.search(sentence) or not _LIMITS.search(cited) or _KEPT.search(sentence):
        return None
    bare = sentence.lstrip()
    blank = sentence[: len(sentence) - len(bare)]
    if chinese(sentence):
        return blank + chooser.choice(_ZH_WIDE) + bare
    first = (
        bare[0].lower()
        if re.match(r"(?:The|A|An|You|It|This|They|Within|Once|Each|In|If) ", bare)
        else bare[0]
    )
    return blank + chooser.choice(_EN_WIDE) + first + bare[1:]


CHANGES: dict[str, Change] = {
    "duration": duration,
    "amount": amount,
    "number": number,
    "date": date,
    "negation": negation,
    "modality": modality,
    "scope": scope,
}
"""By the kind of mismatch that each makes, as metrics.md section 6 names it."""
