"""`[S1] [1,2] [1-3] [KB-X] 【1】 〔1〕 ［Ｓ１］ [^1] [citation:3] [资料1] 【3†source】`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from triage.citations.naming import ids_in

if TYPE_CHECKING:
    from triage.citations.page import Page

PLACE = 30
OPENERS = "[【〔［"
HINT = r"[\[【〔［]"

_BRACKET = re.compile(r"\[(\^?)([^\[\]\n]{1,200})\]")
_NAME = re.compile(r"[^\W\d][\w.]*\Z")
_LINK = re.compile(
    r"\(\s*<?(?:[A-Za-z][A-Za-z0-9+.-]*:[^\s)]|\.{0,2}/|#|[\w-]+(?:\.[\w-]+)*\.[A-Za-z]{2,})", re.ASCII
)
_TICKS = frozenset({"x", "X"})
_NAME_REACH = 80


def find(page: Page) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """A bracket is a marker only if every part of it is a position, a range of them, or like a document id.

    A link's text, a tick box, the definition of a footnote, an index (`a[1]`) and numbers in code are none.
    """
    narrow, text, known = page.narrow, page.text, page.known
    index_end = -1
    for match in _BRACKET.finditer(narrow):
        start, end = match.span()
        raw = text[start + 1 : end - 1]
        ids = (raw,) if raw in known else ids_in(match.group(2), known)
        if not ids or raw.strip() in _TICKS or _LINK.match(text, end):
            continue
        if match.group(1) and _defines(narrow, start, end):
            continue
        if page.in_code(start) and not any(map(str.isalpha, match.group(2))):
            continue
        if start == index_end or (not match.group(1) and _is_index(page, start, match.group(2))):
            index_end = end
            continue
        yield start, end, ids


def _defines(text: str, start: int, end: int) -> bool:
    """Whether `[^1]:` at the head of a line says what footnote 1 is."""
    return text[end : end + 1] == ":" and not text[text.rfind("\n", 0, start) + 1 : start].strip()


def _is_index(page: Page, start: int, inner: str) -> bool:
    """Whether the bracket at `start` indexes the name before it (`a[1]`) rather than cites (`neonate[3]`)."""
    before = page.narrow[start - 1 : start]
    if not (before.isascii() and (before.isalnum() or before == "_")):
        return False
    name = _NAME.search(page.narrow[max(0, start - _NAME_REACH) : start])
    if not name:
        return False
    if page.in_code(start):
        return True
    word = name.group()
    return inner.strip().isdecimal() and (len(word) == 1 or not word.isalpha())
