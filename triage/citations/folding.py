"""Text after NFKC, each of its characters still knowing where it stood (metrics.md section 6, "Pipeline")."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import combining, is_normalized, normalize

_ONE_TO_ONE = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {0x3000: 0x20, 0xA0: 0x20}
_KEPT = dict.fromkeys(range(9312, 9332), "0")


class Folded:
    """A text after NFKC; ①-⑳ stay as they are.

    Args:
        original: the text, raw.
    """

    __slots__ = ("_offsets", "original", "text")

    def __init__(self, original: str) -> None:
        self.original = original
        self._offsets: list[int] | None = None
        self.text = original
        if original.isascii():
            return
        text = original.translate(_ONE_TO_ONE)
        if is_normalized("NFKC", text.translate(_KEPT)):
            self.text = text
        else:
            self.text, self._offsets = _fold(text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Where `text[start:end]` stands in the original: (start, end), end exclusive."""
        offsets = self._offsets
        if offsets is None:
            return start, end
        while offsets[end] <= offsets[end - 1]:
            end += 1
        return offsets[start], offsets[end]


def _fold(text: str) -> tuple[str, list[int]]:
    """NFKC by characters with the marks on them, and for each character where it was; then the end."""
    starts = [place for place, char in enumerate(text) if not place or not combining(char)]
    pieces: list[str] = []
    offsets: list[int] = []
    for start, end in pairwise([*starts, len(text)]):
        cluster = text[start:end]
        piece = cluster if "①" <= cluster <= "⑳" else normalize("NFKC", cluster)
        pieces.append(piece)
        offsets += [start] * len(piece)
    return "".join(pieces), [*offsets, len(text)]
