"""The list's header where columns leave little room, and the cursor's row in 16 colours."""

from __future__ import annotations

import pytest

from triage.ui.palette import CLASS_KEYS, Palette
from triage.ui.widgets.row import TOPIC, Columns, heading

INK = Palette({}, dark=True, ansi=False, colourless=False)


def header(query: int, sorted_by: tuple[str, str]) -> str:
    cells = 7 + 5 + 12 + 3 + TOPIC.room + query + 1
    return heading(Columns(cells, 5, (TOPIC,), query), True, sorted_by, INK).text


@pytest.mark.parametrize(
    ("query", "ends"),
    [(40, "query" + 22 * " " + "by similarity "), (21, "query   by similarity "), (18, "  similarity ")],
)
def test_the_order_stands_whole_beside_the_columns(query: int, ends: str) -> None:
    said = header(query, ("similarity", "similarity"))
    assert said.endswith(ends) and "»" not in said


def test_on_the_cursors_grey_of_16_colours_only_the_texts_own_colour_is_used() -> None:
    few = Palette({}, dark=True, ansi=True, colourless=False)
    text = few("text", "cursor").color
    for role in (*CLASS_KEYS, "bad", "good"):
        assert few(role, "cursor").color == text and few.tint(role, "cursor").color == text
        assert INK(role, "cursor").color != INK("text", "cursor").color
    assert few("ranking", "bg").color != text and few.tint("ranking").color != text
