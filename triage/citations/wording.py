"""A text as the rules read it: its clauses, and what each is about once its small words are gone."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

_INSIDE = r"[^，。！？；,;.!?\n:]+"
# A point or a comma in a number, and the points of `p.o. box` and `9 a.m. on`, end no clause.
_CLAUSE = re.compile(
    rf"{_INSIDE}(?:(?:(?<=[0-9])[,.:](?=[0-9])|(?<=\b[a-z])\.(?=[a-z]\b)|(?<=\.[a-z])\.(?=\s[a-z0-9])){_INSIDE})*"
)
_CONJUNCTION = re.compile(
    r"\b(?:but|and|while|whereas|however|unless|although|though|because|whose|so that)\b"
    r"|\b(?<!in )(?<!of )(?<!to )(?<!on )which\b|因为|所以|因此|但是|但|而(?!且)|不过|然而"
)
_RUN = re.compile(r"[\u3400-\u9fff]+|[a-z]+(?:['’][a-z]+)?|[0-9]+(?:[.,][0-9]+)*")
# Words that say how, not what: polarity, modality, politeness. Longest first.
_SMALL = re.compile(
    r"(?=[^\x00-\x7f])(?:"
    r"不支持|不允许|不能够|不可以|不需要|不得不|不提供|不接受|不承担|不收取|不适用"
    r"|不属于|不再|不能|不可|不会|不得|不予|不用|不必|不应|不该|不是"
    r"|不要|不随|无法|无需|无须|毋须|没有|并非|并不|尚未|从未|未能|未经|禁止"
    r"|严禁|拒绝|谢绝|暂不|暂未|均不|概不|绝不|决不|勿|别"
    r"|必须|需要|应当|务必|可以|能够|支持|允许|可能|也许|或许|通常|一般|大约"
    r"|大概|左右|必定|一定|肯定|保证|绝对|必然|确保|建议|推荐|最好"
    r"|所有|任何|全部|一切|无论|不论|不管|仅限|只能|只有|一律|永久|永远|始终"
    r"|都会|以内|之内|以后|之后|以前|之前|的话|时候|情况|如果|但是"
    r"|我们|你们|您的|我的|对于|关于|通过|进行|就是|还是|因为|所以|以及|或者|并且|其他"
    r"|[不没未无非的了将会在后时内可能需须应请您你我也都就即则还被把由对于为与和及或等其该此这那是有所以之仅只要于给到从向用去来])"
)
_SAME = (
    ("账户", "账号"), ("帐号", "账号"), ("帐户", "账号"), ("返还", "退回"),
    ("退还", "退回"), ("收货地址", "地址"), ("收件地址", "地址"), ("邮费", "运费"),
    ("更改", "修改"), ("变更", "修改"), ("更换", "修改"), ("更新", "修改"),
    ("产品", "商品"), ("客户", "用户"), ("顾客", "用户"), ("坐席", "客服"),
    ("手续费", "费"), ("费用", "费"), ("缴纳", "支付"), ("付款", "支付"),
    ("退掉", "退货"), ("寄出", "发货"), ("发出", "发货"), ("收到", "签收"),
    ("收货", "签收"), ("登陆", "登录"), ("清除", "删除"), ("抹除", "删除"),
    ("完成", ""), ("包邮", "免运费"), ("免邮", "免运费"),
)  # fmt: skip
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "of",
        "to",
        "in",
        "on",
        "at",
        "for",
        "from",
        "by",
        "with",
        "as",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "it",
        "its",
        "this",
        "that",
        "these",
        "those",
        "you",
        "your",
        "yours",
        "we",
        "our",
        "us",
        "i",
        "my",
        "they",
        "their",
        "them",
        "he",
        "she",
        "his",
        "her",
        "will",
        "shall",
        "can",
        "could",
        "may",
        "might",
        "must",
        "should",
        "would",
        "do",
        "does",
        "did",
        "not",
        "no",
        "never",
        "don't",
        "doesn't",
        "didn't",
        "isn't",
        "aren't",
        "won't",
        "can't",
        "cannot",
        "cant",
        "wont",
        "if",
        "when",
        "once",
        "after",
        "before",
        "within",
        "and",
        "or",
        "but",
        "then",
        "than",
        "so",
        "all",
        "any",
        "every",
        "only",
        "also",
        "please",
        "usually",
        "typically",
        "generally",
        "always",
        "about",
        "into",
        "up",
        "out",
        "over",
        "have",
        "has",
        "had",
        "there",
        "here",
        "which",
        "who",
        "whom",
        "what",
        "how",
        "per",
        "via",
        "such",
        "both",
        "either",
        "each",
        "more",
        "most",
        "some",
        "other",
    ]
)
_WORD = re.compile(r"[a-z]")


_ENDINGS = (
    ("ational", "ate"), ("ations", ""), ("ation", ""), ("ements", ""), ("ement", ""), ("ments", ""),
    ("ment", ""), ("ings", ""), ("ing", ""), ("ies", "y"), ("ied", "y"), ("ers", ""),
    ("ables", ""), ("able", ""), ("ions", ""), ("ion", ""), ("ed", ""), ("es", ""),
    ("er", ""), ("ly", ""), ("s", ""), ("e", ""),
)  # fmt: skip


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """An English word without its commonest endings; rough, but the same for the same word."""
    if not _WORD.match(word):
        return word
    for ending, put in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            word = word[: len(word) - len(ending)] + put
            break
    if len(word) > 3 and word[-1] == word[-2]:
        word = word[:-1]
    return word.rstrip("e") if len(word) > 3 else word


class Grams(NamedTuple):
    """What a text is about: bigrams of Chinese and stems of English words, and single characters."""

    long: frozenset[str]
    short: frozenset[str]

    @property
    def size(self) -> int:
        """How many there are of both."""
        return len(self.long) + len(self.short)


def grams(text: str) -> Grams:
    """What a piece of text (lower case) is about, its small words left out."""
    long: set[str] = set()
    short: set[str] = set()
    content = text
    if not text.isascii():
        content = _SMALL.sub("", text)
        for written, meant in _SAME:
            if written in content:
                content = content.replace(written, meant)
    for run in _RUN.findall(content):
        if run[0] > "\u2fff":
            short.update(run)
            long.update(map("".join, pairwise(run)))
        elif run not in _STOP:
            (long if len(run) > 1 else short).add(stem(run))
    return Grams(frozenset(long), frozenset(short))


def united(parts: Iterable[Grams]) -> Grams:
    """What several pieces are about together."""
    kept = list(parts)
    return Grams(
        frozenset().union(*(part.long for part in kept)), frozenset().union(*(part.short for part in kept))
    )


class Clause:
    """A clause of a text.

    Args:
        text: the clause, lower case.
        start: where it begins in its text.
    """

    __slots__ = ("__dict__", "end", "start", "text")

    def __init__(self, text: str, start: int) -> None:
        self.text = text
        self.start = start
        self.end = start + len(text)

    @cached_property
    def grams(self) -> Grams:
        """What it is about (`grams`)."""
        return grams(self.text)


class Wording:
    """A text after NFKC, in clauses.

    Args:
        text: after NFKC.
    """

    __slots__ = ("__dict__", "kept", "text")

    def __init__(self, text: str) -> None:
        self.kept: dict[str, Any] = {}
        """What the rules have read of it, by name, so that each reads it once."""
        lower = text.lower()
        self.text = lower if len(lower) == len(text) else text

    @cached_property
    def clauses(self) -> list[Clause]:
        """Its clauses in order, split at punctuation and before conjunctions with words on both sides."""
        found = _CLAUSE.finditer(self.text)
        if _CONJUNCTION.search(self.text):
            return [each for match in found for each in self._parts(*match.span())]
        return [Clause(match.group(), match.start()) for match in found if not match.group().isspace()]

    def _parts(self, start: int, end: int) -> list[Clause]:
        piece = self.text[start:end]
        cuts = [0]
        for match in _CONJUNCTION.finditer(piece):
            if (
                len(grams(piece[cuts[-1] : match.start()]).long) >= 2
                and len(grams(piece[match.end() :]).long) >= 2
            ):
                cuts.append(match.start())
        return [
            Clause(piece[low:high], start + low)
            for low, high in zip(cuts, [*cuts[1:], len(piece)], strict=True)
            if not piece[low:high].isspace()
        ]

    def clause_at(self, place: int) -> Clause | None:
        """The clause that `place` stands in."""
        behind = bisect_right(self.clauses, place, key=lambda each: each.start)
        clause = self.clauses[behind - 1] if behind else None
        return clause if clause and place < clause.end else None

    @cached_property
    def grams(self) -> Grams:
        """What the whole is about (`grams`)."""
        return grams(self.text)


def contained(inner: Grams, outer: Grams) -> float:
    """The share of `inner` that `outer` has, 0..1: the mean over characters and bigrams; of nothing 0."""
    long, short = len(inner.long), len(inner.short)
    if not long:
        return len(inner.short & outer.short) / short if short else 0.0
    share = len(inner.long & outer.long) / long
    return (share + len(inner.short & outer.short) / short) / 2 if short else share


def alike(one: Grams, other: Grams) -> tuple[float, float]:
    """(score, likeness): the mean of the two shares, and the larger; 0..1."""
    there, back = contained(one, other), contained(other, one)
    return (there + back) / 2, max(there, back)
