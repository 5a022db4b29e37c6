"""Trailing ①②: circled digits behind what they are the source of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triage.citations.page import Page

PLACE = 50
OPENERS = "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳"
HINT = "[①-⑳]"

_RUN = re.compile(r"[①-⑳](?:[ ,、，]?[①-⑳])*")
_BEHIND = re.compile(r"[ \t]*(?:[。．.！!？?；;，,、：:”’」』）)】\]\[［【〔]|\n|\Z)")
_HEADS = frozenset("\n\r \t、，,；;：:（([【“「")


def find(page: Page) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """A run that follows words and ends its clause or line; one that leads a clause counts items."""
    text = page.text
    for match in _RUN.finditer(text):
        start, end = match.span()
        if start == 0 or text[start - 1] in _HEADS or not _BEHIND.match(text, end):
            continue
        numbers = [str(ord(each) - 0x245F) for each in match.group() if "①" <= each <= "⑳"]
        yield start, end, tuple(dict.fromkeys(numbers))
