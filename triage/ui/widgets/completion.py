"""What may be typed next: a short list under the filter row, over the cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.strip import Strip
from textual.widget import Widget

from triage.models.offer import Offer
from triage.plain import fit, preview, width
from triage.ui.palette import Palette, colours
from triage.ui.widgets.line import Part, Words, line, styled

LINES = 7
"""Most things that are seen at once; a line of keys stands under them."""
_WORDS_LEAST, _COUNT, _MEANS = 12, 8, 34
_LONGEST = 200
"""Characters of a text that are looked at: more is never seen."""
_LEFT = 3
"""Where the filter's text begins; the offers begin there too."""


class Completion(Widget):
    """Offers, one a line: what it says, what it means, how many cases have it. None is chosen at first.

    It has no focus of its own: the filter's input keeps the keys and passes a few of them on.

    Args:
        keys: the key named for each action.
        take: is told the offer that is clicked.
    """

    DEFAULT_CSS = """
    Completion { overlay: screen; position: absolute; offset: 0 1; height: 1; width: 1; display: none; }
    """

    def __init__(self, keys: Mapping[str, str], take: Callable[[Offer], None]) -> None:
        super().__init__()
        self._keys, self._take = keys, take
        self._offers: Sequence[Offer] = ()
        self._at: int | None = None
        self._top = 0
        self._seen = 0

    @property
    def open(self) -> bool:
        """Is anything offered?"""
        return self.display

    @property
    def chosen(self) -> Offer | None:
        """The offer that was chosen with the arrows."""
        return self._offers[self._at] if self._at is not None else None

    def offer(self, offers: Sequence[Offer], room: tuple[int, int]) -> None:
        """Show offers, none chosen, in at most `room` (cells, lines); () closes the list."""
        self._offers, self._at, self._top = offers, None, 0
        self._seen = min(LINES, len(offers), room[1] - 1)
        self.display = self._seen > 0
        if self.display:
            self.styles.width = room[0]
            self.styles.height = self._seen + 1
            self.refresh()

    def close(self) -> None:
        """Offer nothing."""
        self.offer((), (0, 0))

    def choose(self, step: int) -> None:
        """The next offer, or the one before; before the first none is chosen."""
        at = (-1 if self._at is None else self._at) + step
        self._at = None if at < 0 else min(at, len(self._offers) - 1)
        first = self._at or 0
        self._top = min(max(self._top, first - self._seen + 1), first)
        self.refresh()

    def take(self) -> Offer | None:
        """The chosen offer, else the first."""
        return self.chosen or (self._offers[0] if self._offers else None)

    # painting

    def render_line(self, y: int) -> Strip:
        """An offer, or the keys."""
        ink, cells = colours(self.app), self.size.width
        if y >= self._seen:
            ground = ink("text", "raised")
            count = len(self._offers)
            place = f"{self._at + 1} of {count}" if self._at is not None else f"{self._seen} of {count}"
            if self._at is None and count <= self._seen:
                place = ""
            hint = [(" " * _LEFT, ground), *styled(self._hint(), ink, "raised")]
            return line(hint, [(f" {place} ", ink("muted", "raised"))], cells, ground)
        index = self._top + y
        return self._line(self._offers[index], index == self._at, ink, cells)

    def _hint(self) -> Words:
        keys, key = self._keys, "focus bold"
        if self._at is not None:
            return [(keys["filter.leave"], key), (" takes it   ", "muted"),
                    (keys["filter.close"], key), (" closes", "muted")]  # fmt: skip
        return [(keys["filter.take"], key), (" takes the first   ", "muted"),
                (keys["filter.down"], key), (" chooses   ", "muted"),
                (keys["filter.leave"], key), (" to the cases", "muted")]  # fmt: skip

    def _line(self, offer: Offer, here: bool, ink: Palette, cells: int) -> Strip:
        on = "cursor" if here else "raised"
        ground = ink("text", on)
        longest = max(width(_said(one.says)) for one in self._offers)
        means = min(max(width(one.means) for one in self._offers), _MEANS)
        counted = any(one.count is not None for one in self._offers)
        room = cells - _LEFT - (_COUNT if counted else 0) - (means + 2 if means else 0) - 1
        words = min(longest, max(room, _WORDS_LEAST))
        head = (">", ink.fill("focus")) if here else (" ", ground)
        said = (fit(_said(offer.says), words), ink("text bold" if here else "text", on))
        parts: list[Part] = [(" ", ground), head, (" ", ground), said]
        if counted:
            count = "" if offer.count is None else str(offer.count)
            parts.append((fit(count, _COUNT, right=True), ink("text", on)))
        parts.append((f"  {_said(offer.means)}", ink("muted", on)))
        return line(parts, [(" ", ground)], cells, ground)

    def on_click(self, event: events.Click) -> None:
        """Take the one that was clicked."""
        if event.y < self._seen:
            self._take(self._offers[self._top + event.y])


def _said(text: str) -> str:
    """Record text on one line, safe to print."""
    return preview(text[:_LONGEST])
