"""The ids that a marker's content names: positions, ranges of positions, documents, labels before them."""

from __future__ import annotations

import re
from collections.abc import Collection

RANGE_LIMIT = 20
"""Most positions that a range may stand for; a longer one is an interval of numbers, not a citation."""

_SEPARATOR = re.compile(r"[,;]")
_POSITION = re.compile(r"S?[0-9]{1,3}")
_RANGE = re.compile(r"(S?)([0-9]{1,3}) ?- ?(S?)([0-9]{1,3})")
# Two characters at least before the first joint: `[i-1]` and `[A-Z]` are no documents.
_DOCUMENT = re.compile(r"[A-Za-z][A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)+")
_JOINT = re.compile(r"[-_]")
_SHORT_ID = re.compile(r"[A-Z]{1,6}[0-9]{1,6}")
_DIGIT = re.compile(r"[0-9]")
_DAGGER = re.compile(r"([0-9]{1,3}(?::[0-9]{1,3})?)†.*")
# A label stands apart from its id, or before a digit: `ref` is no label in `KB-REFUND`.
_LABEL = re.compile(
    r"(?:(?:参考)?资料|参考(?:文献|来源)?|来源|出处|引用|文献|文档|证据|片段"
    r"|(?i:citations?|cite|sources?|refs?|references?|docs?|documents?|passages?|chunks?|evidence|see))"
    r"(?: ?[:#] ?| (?=\S)|(?=[0-9]))"
)


def ids_in(inner: str, known: Collection[str]) -> tuple[str, ...]:
    """The distinct ids that a marker's content names, in order; () if any part of it is no citation.

    Args:
        inner: what stands between the brackets, narrowed (`triage.citations.page`).
        known: ids of this turn's documents; these count whatever their shape.
    """
    if _POSITION.fullmatch(inner):
        return (inner,)
    found: dict[str, None] = {}
    label = _LABEL.match(inner)
    rest = inner[label.end() :] if label and inner.strip() not in known else inner
    for piece in _SEPARATOR.split(rest):
        ids = _ids(piece.strip(), known)
        if not ids:
            return ()
        found.update(dict.fromkeys(ids))
    return tuple(found)


def _ids(part: str, known: Collection[str]) -> list[str]:
    if part in known or _POSITION.fullmatch(part) or looks_like_document(part):
        return [part]
    positions = _range(part)
    if positions:
        return positions
    dagger = _DAGGER.fullmatch(part)
    if dagger:
        return [dagger.group(1)]
    label = _LABEL.match(part)
    return _ids(part[label.end() :].strip(), known) if label else []


def _range(part: str) -> list[str]:
    """`S1-S3` as its positions; [] if it is none, runs backwards, or is longer than `RANGE_LIMIT`."""
    match = _RANGE.fullmatch(part)
    if not match:
        return []
    prefix, first, again, last = match.groups()
    low, high = int(first), int(last)
    if (again and not prefix) or not low <= high < low + RANGE_LIMIT:
        return []
    return [f"{prefix}{number}" for number in range(low, high + 1)]


def looks_like_document(part: str) -> bool:
    """`KB-REFUND`, `chunk_12`, `FAQ7`, but neither `well-known` nor `Jean-Pierre`, nor the range `S1-S3`."""
    if _SHORT_ID.fullmatch(part):
        return True
    if not _DOCUMENT.fullmatch(part) or _RANGE.fullmatch(part):
        return False
    return bool(_DIGIT.search(part)) or _JOINT.split(part, maxsplit=1)[0].isupper()
