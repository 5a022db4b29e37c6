"""A scrollbar of background colour alone: the usual one draws its ends in characters of ambiguous width."""

from __future__ import annotations

from textual.scrollbar import ScrollBarRender


class PlainScrollBar(ScrollBarRender):
    """Whole cells, no block characters (look.md section 8)."""

    VERTICAL_BARS = (" ",) * 8  # type: ignore[assignment]
    HORIZONTAL_BARS = (" ",) * 8  # type: ignore[assignment]
