"""The settings and their defaults; `table.py` says what each is for."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from triage.errors import UsageError
from triage.models.sureness import FAILING, Sureness

HIGH_RISK = ("refund", "privacy", "account_security", "human_handoff")
"""Topics whose answers a person reads whatever the scores say."""

TOPIC_ALIASES = {
    "security": "account_security",
    "account": "account_security",
    "escalation": "human_handoff",
    "handoff": "human_handoff",
    "转人工": "human_handoff",
}

TOPIC_WORDS: dict[str, tuple[str, ...]] = {
    "human_handoff": (
        "转人工", "人工客服", "人工服务", "真人", "找人工", "投诉", "human agent", "real person",
        "live agent", "speak to someone", "talk to a human", "talk to someone", "representative",
        "complaint", "escalate",
    ),
    "account_security": (
        "账号安全", "账户安全", "被盗", "盗号", "盗刷", "密码", "验证码", "异地登录", "冻结账",
        "password", "hacked", "stolen", "two-factor", "2fa", "verification code",
        "account security", "locked out", "unauthorized", "phishing",
    ),
    "privacy": (
        "隐私", "个人信息", "个人资料", "个人数据", "注销账", "删除我的", "删掉我的", "privacy",
        "personal data", "personal information", "gdpr", "delete my account", "delete my data",
    ),
    "refund": (
        "退款", "退钱", "退回来", "退货", "退费", "扣了", "扣款", "refund", "money back",
        "chargeback", "charged twice", "double charge", "return policy",
    ),
    "shipping": (
        "物流", "快递", "发货", "配送", "送达", "收货地址", "运费", "包裹", "shipping", "shipment",
        "delivery", "courier", "parcel", "tracking number", "package",
    ),
    "invoice": ("发票", "开票", "税号", "invoice", "vat receipt"),
}  # fmt: skip
"""Words of a query that tell its topic where the record has none; the first topic here wins."""

FALLBACK_PHRASES: tuple[str, ...] = (
    "无法回答", "不能回答", "回答不了", "没法回答", "我不知道", "我不清楚", "我不太清楚",
    "没有足够的信息", "信息不足", "知识库中没有", "资料中未提及", "没有找到相关", "未找到相关",
    "暂无相关", "超出我的知识范围", "超出了我的能力范围", "i don't know", "i do not know",
    "i'm not sure", "i cannot answer", "i can't answer", "unable to answer",
    "no relevant information", "not enough information", "couldn't find any information",
    "outside my scope",
)  # fmt: skip
"""Words by which a system declines; `formats/refusal.py` knows more forms of them."""

MUST_REVIEW = ("is:high-risk",)
"""Filter texts: a person reads what any of them selects, passing cases too."""
LABELS = ("stale-doc", "missing-doc", "chunking", "routing", "prompt", "wrong-label", "judge-error")

REFERENCE: dict[str, float] = {
    "data_problems": 0.0, "hit": 0.85, "mrr_share": 0.8, "below_first": 0.3, "incomplete": 0.1,
    "precision": 0.2,
    "faithfulness": 4.0, "relevancy": 4.0, "correctness": 0.85, "under_refusal": 0.1, "over_refusal": 0.05,
    "fallback_low": 0.05, "fallback_high": 0.15, "citation_coverage": 0.9, "citation_id_validity": 1.0,
    "citation_support": 0.95, "routing": 0.9, "tools": 0.9,
}  # fmt: skip
"""What advice holds a run against (metrics.md section 5): a place to begin, and no pass mark."""

PROJECT = ("tool", "triage")
"""The table of a `pyproject.toml` that is ours."""
WATCH = ("auto", "poll", "off")


class SettingError(UsageError):
    """A setting that can't be used.

    Args:
        title: what is wrong, in a few words.
        path, line: where it stands; line is 1-based, None = unknown.
        key: the setting, with dots inside a table; "" = the file as a whole.
        reason: why.
        hint: what to do about it.
    """

    def __init__(
        self, title: str, path: Path, line: int | None, key: str, reason: str, hint: str = ""
    ) -> None:
        place = f"{path}, line {line}" if line is not None else str(path)
        super().__init__(title, ": ".join(part for part in (place, key, reason) if part), hint)
        self.path, self.line, self.key, self.reason = path, line, key, reason


class Settings(Struct, frozen=True, dict=True):
    """Everything a user may set, with its defaults; `table.SETTINGS` describes each.

    Args:
        header: `[run]`, what a run file's header does not say.
        mapping: `[map]`, FIELD -> PATH as `--map` takes it.
        sources: the files that were read, lowest first.
        origins: setting -> the files that speak of it, lowest first.
        problems: what of the files could not be used, where reading went on all the same.
    """

    high_risk_topics: tuple[str, ...] = HIGH_RISK
    topic_aliases: Mapping[str, str] = field(default_factory=lambda: dict(TOPIC_ALIASES))
    topic_words: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(TOPIC_WORDS))
    fallback_phrases: tuple[str, ...] = FALLBACK_PHRASES
    builtin_fallbacks: bool = True
    failing_confidence: float = FAILING
    reference: Mapping[str, float] = field(default_factory=lambda: dict(REFERENCE))
    advance: bool = True
    reviewer: str | None = None
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = LABELS
    filters: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    sort: str | None = None
    must_review: tuple[str, ...] = MUST_REVIEW
    must_review_cap: int = 0
    readings: int = 1
    must_readings: int = 2
    hold_minutes: float = 60.0
    confidence: Mapping[str, float] = field(default_factory=dict)
    watch: str = "auto"
    poll_seconds: float = 1.0
    title: bool = True
    mouse: bool = True
    header: Mapping[str, Any] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()
    origins: Mapping[str, tuple[Path, ...]] = field(default_factory=dict)
    problems: tuple[SettingError, ...] = ()

    @cached_property
    def sureness(self) -> Sureness:
        """What decides which suggestions make a case failing."""
        return Sureness.of(self.failing_confidence, self.confidence)

    @cached_property
    def high_risk_names(self) -> frozenset[str]:
        """High-risk topics and their aliases, case-folded."""
        topics = {topic.casefold() for topic in self.high_risk_topics}
        aliases = self.topic_aliases.items()
        return frozenset(topics | {name.casefold() for name, topic in aliases if topic.casefold() in topics})

    def is_high_risk(self, topic: str | None) -> bool:
        """Is `topic` one that a person reads whatever the scores say?"""
        return topic is not None and topic.strip().casefold() in self.high_risk_names

    @cached_property
    def _topics(self) -> tuple[re.Pattern[str] | None, dict[str, str]]:
        order: dict[str, str] = {}
        for topic, topic_words in self.topic_words.items():
            for word in topic_words:
                order.setdefault(word.casefold(), topic)
        # Longer words first, so that "return policy" is not read as a shorter word of another topic.
        words = sorted(order, key=len, reverse=True)
        if not words:
            return None, {}
        forms = (rf"\b{re.escape(word)}\b" if word.isascii() else re.escape(word) for word in words)
        return re.compile("|".join(forms)), order

    def topic_of(self, text: str) -> str | None:
        """The topic that the words of a query tell; of several the one that stands first in `topic_words`."""
        pattern, topics = self._topics
        if pattern is None:
            return None
        found = {topics[word] for word in pattern.findall(text.casefold())}
        if len(found) < 2:
            return found.pop() if found else None
        return next(topic for topic in self.topic_words if topic in found)
