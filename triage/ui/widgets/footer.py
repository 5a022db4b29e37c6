"""The footer: on the left the verdicts, on the right what the next key does here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from msgspec import Struct
from textual import events
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.ui.actions_review import FEET, OF_A_ROW
from triage.ui.keys import BY_ID, keys_of
from triage.ui.palette import Palette, colours
from triage.ui.widgets.line import Part, Words, length, line, styled

Place = Literal[
    "list", "detail", "panels", "doors", "filter", "done", "first", "empty", "help", "runs", "slices",
    "review", "reading", "read", "disputes", "agreement", "judges", "reviewed", "codes", "groups",
]  # fmt: skip
_VERDICTS = ("retrieval", "ranking", "refusal", "citation-semantic", "other", "not-a-failure")
_TAGS = ("list", "detail", "disputes")
"""Places where a digit is a verdict."""
_WIDE, _MIDDLE = 116, 100
_MOST = {"wide": 10, "middle": 9, "narrow": 8}
_FITS = ((2, True), (1, True), (2, False), (1, False))
"""Gap between two keys, and whether `accept` names the class: the first that fits is taken."""
_RIGHT: dict[str, tuple[str, ...]] = {
    **FEET,
    "list": ("accept", "note", "undo", "help"),
    "detail": ("accept", "note", "undo", "help"),
    "panels": ("panels.choose", "advice", "pane", "back:list", "help"),
    "doors": ("doors.open", "pane", "back:list", "help"),
    "filter": ("filter.leave:to the list, the text stays",),
    "done": ("export", "back:all cases", "view", "undo", "baseline", "help", "quit"),
    "first": ("help", "quit"),
    "empty": ("view", "filter", "back", "baseline", "help", "quit"),
    "help": ("back", "quit"),
    "runs": (
        "runs.open",
        "runs.against",
        "runs.metric",
        "runs.sort",
        "runs.problems",
        "runs.remove",
        "runs.back",
        "help",
    ),
    "slices": (
        "slices.open",
        "slices.metric",
        "slices.dimension",
        "slices.cross",
        "slices.all",
        "slices.sort",
        "slices.back",
        "help",
    ),
}


class Foot(Struct, frozen=True):
    """What the footer follows. `accept` is what space does here: "accept ranking", "next", "" = nothing;
    `rows`: there is a row that keys can be about.
    """

    place: Place = "list"
    accept: str = "accept"
    rows: bool = True


class Key(Struct, frozen=True):
    """One key of the footer: as written, its role, its words, the action it runs."""

    key: str
    role: str
    words: str
    run: str


def keys_for(foot: Foot, cells: int, keymap: Mapping[str, str]) -> tuple[list[Key], list[Key]]:
    """The keys on the left and on the right, at most 10, 9 or 8 by width."""
    size = "wide" if cells >= _WIDE else "middle" if cells >= _MIDDLE else "narrow"
    left: list[Key] = []
    if foot.place in _TAGS and foot.rows:
        for verdict in _VERDICTS:
            action = BY_ID[f"verdict.{verdict}"]
            if verdict == "other" and size != "wide":
                continue
            words = action.short if size == "narrow" and action.short else action.foot
            keys = keys_of(action, keymap)
            if keys:
                left.append(Key(keys[0], verdict, words, action.run))
    right: list[Key] = []
    for name in _RIGHT[foot.place]:
        ident, _, words = name.partition(":")
        action = BY_ID[ident]
        if ident == "accept":
            words = foot.accept
            if not words:
                continue
        if ident in OF_A_ROW and not foot.rows:
            continue
        if ident == "note" and size == "narrow" and left:
            continue
        keys = keys_of(action, keymap)
        if keys:
            right.append(Key(keys[0], "focus", words or action.foot, action.run))
    return left, right[: _MOST[size] - len(left)]


class Footer(Widget):
    """One row, also to be clicked. It may speak instead, where the filter row is not seen."""

    DEFAULT_CSS = "Footer { height: 1; dock: bottom; }"

    foot: reactive[Foot] = reactive(Foot())
    spoken: reactive[Words] = reactive(())

    def __init__(self, keymap: Mapping[str, str]) -> None:
        super().__init__()
        self._keymap = keymap

    def _parts(self, ink: Palette, cells: int) -> tuple[list[Part], list[tuple[int, int, str]]]:
        left, right = keys_for(self.foot, cells, self._keymap)
        for gap, named in _FITS:
            parts, places = self._laid(ink, left, right, gap, named)
            if length(parts) < cells:
                return parts, places
        while len(right) > 1 and length(parts) >= cells:
            # Help tells of every key, so it is the last to go, after the way back.
            back = len(right) > 2 and right[-2].words.startswith(("back", "pause"))
            del right[-3 if back else -2]
            parts, places = self._laid(ink, left, right, *_FITS[-1])
        return parts, places

    def _laid(
        self, ink: Palette, left: list[Key], right: list[Key], gap: int, named: bool
    ) -> tuple[list[Part], list[tuple[int, int, str]]]:
        ground = ink("text", "raised")
        parts: list[Part] = [(" ", ground)]
        places: list[tuple[int, int, str]] = []
        for index, key in enumerate([*left, *right]):
            if index:
                parts.append((" " * (gap + 3 * (index == len(left))), ground))
            start = length(parts)
            words = key.words if named else key.words.split(" ")[0]
            parts.append((key.key, ink(f"{key.role} bold", "raised")))
            parts.append((f" {words}", ink("muted", "raised")))
            places.append((start, length(parts), key.run))
        return parts, places

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "raised")
        if self.spoken:
            return line([(" ", ground), *styled(self.spoken, ink, "raised")], [], cells, ground)
        return line(self._parts(ink, cells)[0], [], cells, ground)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key would do."""
        for start, end, run in self._parts(colours(self.app), self.size.width)[1]:
            if start <= event.x < end:
                await self.run_action(run if "." in run else f"focused.{run}")
