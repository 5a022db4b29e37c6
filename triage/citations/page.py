"""An answer's text as the forms of markers see it: one character for one, so that offsets stay."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection

_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)} | {
    0x3010: "[", 0x3011: "]", 0x3014: "[", 0x3015: "]", 0x3000: " ", 0x3001: ",", 0x2010: "-", 0x2011: "-",
    0x2012: "-", 0x2013: "-", 0x2014: "-", 0x2212: "-", 0x007E: "-", 0xFF5E: "-", 0x301C: "-",
}  # fmt: skip
_CODE = re.compile(r"```.*?(?:```|\Z)|`[^`\n]+`", re.DOTALL)


class Page:
    """An answer, and what every form asks of it.

    Args:
        text: the answer, raw.
        known: ids of this turn's documents; these are ids whatever their shape.
    """

    __slots__ = ("_code", "known", "narrow", "text")

    def __init__(self, text: str, known: Collection[str]) -> None:
        self.text = text
        self.known = known
        self.narrow = text if text.isascii() and "~" not in text else text.translate(_NARROW)
        """The text with ASCII brackets, commas, dashes and letters for the full-width ones."""
        self._code: list[tuple[int, int]] | None = None

    def in_code(self, position: int) -> bool:
        """Whether code stands at `position`."""
        if self._code is None:
            self._code = [match.span() for match in _CODE.finditer(self.text)] if "`" in self.text else []
        behind = bisect_right(self._code, (position, len(self.text)))
        return behind > 0 and position < self._code[behind - 1][1]
