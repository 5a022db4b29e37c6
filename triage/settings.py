"""What a user may set: `triage.toml`, or `[tool.triage]` in `pyproject.toml`, over the user's own file.

The later file wins key by key; a table is merged by its keys, a list replaces the earlier list.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import inf
from pathlib import Path
from typing import Any

from triage import paths
from triage.errors import UsageError, did_you_mean

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

LABELS = ("stale-doc", "missing-doc", "chunking", "routing", "prompt", "wrong-label", "judge-error")

WATCH = ("auto", "poll", "off")


@dataclass(frozen=True)
class Settings:
    """Everything a user may set, with its defaults.

    Args:
        high_risk_topics: topics that a person reads in any case; aliases count as their topic.
        topic_aliases: other names of a topic -> the topic.
        topic_words: topic -> words that tell it in a query (any language, case-folded).
        fallback_phrases: phrases that make an answer a refusal where the record does not say.
        builtin_fallbacks: also use the forms that reading knows by itself.
        failing_confidence: least confidence (0..1) at which a suggestion makes a case failing.
        advance: a verdict key moves on to the next unreviewed case.
        reviewer, theme: None = found by the program.
        keys: action id -> keys, for rebinding.
        labels: second-level codes offered beside a verdict.
        filters: name -> filter text, the filters that a project shares.
        columns: fields and metric keys that the case list shows; () = as the app chooses.
        sort: metric key or field that the list is sorted by, `-` before it for falling; None = file order.
        watch: how folders are followed: "auto" (events, polling where none arrive), "poll" or "off".
        poll_seconds: seconds between two looks where polling is used, > 0.
        title: set the terminal's title.
        header: `[run]`, defaults for what a run file's header does not say.
        mapping: `[map]`, FIELD -> PATH as `--map` takes it.
        sources: the files that were read, lowest first.
    """

    high_risk_topics: tuple[str, ...] = HIGH_RISK
    topic_aliases: Mapping[str, str] = field(default_factory=lambda: dict(TOPIC_ALIASES))
    topic_words: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: dict(TOPIC_WORDS))
    fallback_phrases: tuple[str, ...] = FALLBACK_PHRASES
    builtin_fallbacks: bool = True
    failing_confidence: float = 0.4
    advance: bool = True
    reviewer: str | None = None
    theme: str | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    labels: tuple[str, ...] = LABELS
    filters: Mapping[str, str] = field(default_factory=dict)
    columns: tuple[str, ...] = ()
    sort: str | None = None
    watch: str = "auto"
    poll_seconds: float = 1.0
    title: bool = True
    header: Mapping[str, Any] = field(default_factory=dict)
    mapping: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[Path, ...] = ()

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


def load_settings(start: Path | None = None) -> Settings:
    """The user's settings, with those of the project around `start` (default: here) over them.

    Raises:
        UsageError: a file that can't be read or parsed, an unknown key, or a value of the wrong kind;
            it names the file, and the line or key.
    """
    settings = Settings()
    own = paths.config_file()
    if own.is_file():
        settings = _over(settings, _parse(own), own)
    for folder in paths.upward(start or Path.cwd()):
        if found := _project_table(folder):
            path, table = found
            return _over(settings, table, path)
    return settings


def _project_table(folder: Path) -> tuple[Path, dict[str, Any]] | None:
    path = folder / "triage.toml"
    if path.is_file():
        return path, _parse(path)
    path = folder / "pyproject.toml"
    # Other people's half-written project files are none of our business unless they speak of us.
    if path.is_file() and "tool.triage" in _read(path):
        table = _parse(path).get("tool", {}).get("triage")
        if isinstance(table, dict):
            return path, table
    return None


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        place = f"{path}, byte {error.start + 1}"
        raise UsageError("settings are not UTF-8", place, "save the file as UTF-8") from None
    except OSError as error:
        raise UsageError("settings can't be read", f"{path}: {error.strerror}") from None


def _parse(path: Path) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(_read(path))
    except tomllib.TOMLDecodeError as error:
        hint = "mend that line, or move the file away"
        raise UsageError("settings don't parse", f"{path}: {error}", hint) from None


def _over(settings: Settings, table: Mapping[str, Any], path: Path) -> Settings:
    """`settings` with the values of a parsed file laid over them."""
    changes: dict[str, Any] = {}
    for key, value in table.items():
        name = {"run": "header", "map": "mapping"}.get(key, key)
        reader = _READERS.get(key)
        if reader is None:
            hint = did_you_mean(key, _READERS, "known: " + ", ".join(sorted(_READERS)))
            raise UsageError("unknown setting", f"{path}: {key}", hint)
        try:
            read = reader(value)
        except ValueError as error:
            raise UsageError("a setting can't be used", f"{path}: {key}: {error}") from None
        if isinstance(read, dict):
            read = {**getattr(settings, name), **read}
        changes[name] = read
    # The user's phrases stand beside ours, or alone where ours are switched off.
    ours = FALLBACK_PHRASES if changes.get("builtin_fallbacks", settings.builtin_fallbacks) else ()
    before = (phrase for phrase in settings.fallback_phrases if phrase not in FALLBACK_PHRASES)
    theirs = changes.get("fallback_phrases") or before
    changes["fallback_phrases"] = tuple(dict.fromkeys((*ours, *theirs)))
    return replace(settings, **changes, sources=(*settings.sources, path))


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("a text is wanted")
    return value


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError("true or false is wanted")
    return value


def _share(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ValueError("a number from 0 to 1 is wanted")
    return float(value)


def _seconds(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < inf:
        raise ValueError("a number above 0 is wanted")
    return float(value)


def _watch(value: Any) -> str:
    if value not in WATCH:
        raise ValueError(f"one of {', '.join(WATCH)} is wanted")
    return str(value)


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) and item.strip() for item in value):
        raise ValueError("a list of texts is wanted")
    return tuple(value)


def _table(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("a table is wanted")
    return dict(value)


def _text_table(value: Any) -> dict[str, str]:
    table = _table(value)
    for key, item in table.items():
        if not isinstance(item, str):
            raise ValueError(f"{key}: a text is wanted")
    return table


def _flat_text_table(value: Any, prefix: str = "") -> dict[str, str]:
    """A table of texts whose dotted keys TOML has nested, with the dots put back."""
    flat: dict[str, str] = {}
    for key, item in _table(value).items():
        if isinstance(item, dict):
            flat.update(_flat_text_table(item, f"{prefix}{key}."))
        elif isinstance(item, str):
            flat[prefix + key] = item
        else:
            raise ValueError(f"{prefix}{key}: a text is wanted")
    return flat


def _word_table(value: Any) -> dict[str, tuple[str, ...]]:
    words: dict[str, tuple[str, ...]] = {}
    for key, item in _table(value).items():
        try:
            words[key] = _texts(item)
        except ValueError as error:
            raise ValueError(f"{key}: {error}") from None
    return words


_READERS: dict[str, Callable[[Any], Any]] = {
    "high_risk_topics": _texts,
    "topic_aliases": _text_table,
    "topic_words": _word_table,
    "fallback_phrases": _texts,
    "builtin_fallbacks": _flag,
    "failing_confidence": _share,
    "advance": _flag,
    "reviewer": _text,
    "theme": _text,
    "keys": _flat_text_table,
    "labels": _texts,
    "filters": _text_table,
    "columns": _texts,
    "sort": _text,
    "watch": _watch,
    "poll_seconds": _seconds,
    "title": _flag,
    "run": _table,
    "map": _flat_text_table,
}
