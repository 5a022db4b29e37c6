"""What may be typed next: a short list under the filter row, over the cases."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from textual import events
from textual.strip import Strip
from textual.widget import Widget

from triage.models.offer import Offer
from triage.plain import cut_left, fit, preview, width
from triage.ui.palette import Palette, colours
from triage.ui.widgets.line import Part, Words, line, styled

LINES = 7
"""Most things that are seen at once; a line of keys stands under them."""
CELLS = 80
_WORDS_LEAST, _COUNT = 12, 8
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
            self.styles.width = room[0] if room[0] < CELLS + 20 else CELLS
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
            place = "" if self._at is None else f"{self._at + 1} of {len(self._offers)}"
            if len(self._offers) > self._seen and not place:
                place = f"{len(self._offers)}"
            hint = [(" " * _LEFT, ground), *styled(self._hint(), ink, "raised")]
            return line(hint, [(f" {place} ", ink("muted", "raised"))], cells, ground)
        index = self._top + y
        return self._line(self._offers[index], index == self._at, ink, cells)

    def _hint(self) -> Words:
        keys = self._keys
        taking = "takes it" if self._at is not None else "takes the first"
        key = "focus bold"
        hint = [(keys["filter.take"], key), (f" {taking}   ", "muted")]
        if self._at is not None:
            return [(keys["filter.leave"], key), (" takes it   ", "muted"),
                    (keys["filter.close"], key), (" closes", "muted")]  # fmt: skip
        return [*hint, (keys["filter.down"], key), (" chooses   ", "muted"),
                (keys["filter.leave"], key), (" to the cases", "muted")]  # fmt: skip

    def _line(self, offer: Offer, here: bool, ink: Palette, cells: int) -> Strip:
        on = "cursor" if here else "raised"
        ground = ink("text", on)
        longest = max(width(preview(one.says[:200])) for one in self._offers)
        means = max((width(one.means) for one in self._offers), default=0)
        counted = any(one.count is not None for one in self._offers)
        room = cells - _LEFT - (_COUNT if counted else 1)
        words = min(longest, room if not means else max(room - min(means, 34) - 2, _WORDS_LEAST))
        head = (">", ink.fill("focus")) if here else (" ", ground)
        says = (
            cut_left(preview(offer.says[:200]), words) if offer.says.isascii() else preview(offer.says[:200])
        )
        parts: list[Part] = [
            head,
            (" ", ground),
            (fit(says, words), ink("text bold" if here else "text", on)),
        ]
        if means:
            left = room - words - 2
            parts.append(("  " + fit(preview(offer.means[:200]), left), ink("muted", on)))
        count = "" if offer.count is None else str(offer.count)
        return line(parts, [(f"{count} ", ink("muted", on))], cells, ground)

    def on_click(self, event: events.Click) -> None:
        """Take the one that was clicked."""
        if event.y < self._seen:
            self._take(self._offers[self._top + event.y])
