"""`^[1]^ <sup>1</sup> <sup>[1]</sup>`: markers above the line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from triage.citations.naming import ids_in

if TYPE_CHECKING:
    from triage.citations.page import Page

PLACE = 20
OPENERS = "^<"
HINT = r"\^\[|<(?:sup|SUP)\b"

_RAISED = re.compile(
    r"\^\[([^\[\]\n]{1,200})\]\^|<(?:sup|SUP)>\s?\[?([^\[\]<>\n]{1,200})\]?\s?</(?:sup|SUP)>"
)


def find(page: Page) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """The tags and the carets belong to the marker; `m<sup>2</sup>` is an exponent."""
    narrow = page.narrow
    for match in _RAISED.finditer(narrow):
        if _is_exponent(narrow, match.start()):
            continue
        ids = ids_in(match.group(match.lastindex or 1), page.known)
        if ids:
            yield match.start(), match.end(), ids


def _is_exponent(text: str, start: int) -> bool:
    """Whether a unit of one or two letters, or a digit, stands alone right before `start`."""
    word = re.search(r"(?<![A-Za-z])(?:[kcdm]?m|in|ft|[0-9]|[a-zA-Z])\Z", text[max(0, start - 4) : start])
    return word is not None
