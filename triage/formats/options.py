"""Loading options: the words of `--map` and `--set`, and what of the settings goes with them."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from typing import Any

from triage.errors import UsageError
from triage.formats.header import SETTINGS_KEY, flat, typed
from triage.formats.mapping import check_target
from triage.models.run import LoadOptions
from triage.settings import Settings


def load_options(
    maps: Iterable[str] = (), sets: Iterable[str] = (), *, dedup_docs: bool = False
) -> LoadOptions:
    """The options that the words of a command line give.

    Args:
        maps: words of the form FIELD=PATH.
        sets: words of the form KEY=VALUE.
        dedup_docs: collapse repeated documents before the cut.

    Raises:
        UsageError: a word without "=", an unknown field or key, or a value of the wrong kind.
    """
    mapping = {}
    for word in maps:
        field, path = _split(word, "--map FIELD=PATH")
        check_target(field)
        mapping[field] = path
    header = {}
    for word in sets:
        key, value = _split(word, "--set KEY=VALUE")
        header[key] = typed(key, value)
    return LoadOptions(mapping=mapping, header=header, dedup_docs=dedup_docs)


def _split(word: str, form: str) -> tuple[str, str]:
    left, sign, right = word.partition("=")
    if not sign or not left.strip() or not right.strip():
        raise UsageError("an option can't be read", repr(word), f"write {form}")
    return left.strip(), right.strip()


def effective(options: LoadOptions, settings: Settings) -> LoadOptions:
    """`options` with the settings' share in them: what is stored with a run, and tells whether to load again.

    The settings' `[map]` lies below `--map`; their `[run]` lies below the file's own header: it stays apart.

    Raises:
        UsageError: a `[run]` or `[map]` of the settings that can't be used.
    """
    if SETTINGS_KEY in options.header:
        return options
    run = flat(settings.header)
    header: dict[str, Any] = {key: typed(key, value) for key, value in options.header.items()}
    header[SETTINGS_KEY] = {"run": run, "reading": _reading(settings)}
    mapping = {**settings.mapping, **options.mapping}
    for field in mapping:
        check_target(field)
    return LoadOptions(mapping=mapping, header=header, dedup_docs=options.dedup_docs)


def _reading(settings: Settings) -> str:
    """A short name of the settings that decide what reading infers of a record."""
    parts = (
        sorted(settings.high_risk_names),
        sorted((topic, *words) for topic, words in settings.topic_words.items()),
        list(settings.topic_words),
        settings.fallback_phrases,
        settings.builtin_fallbacks,
    )
    return blake2b(repr(parts).encode("utf-8", "backslashreplace"), digest_size=6).hexdigest()
