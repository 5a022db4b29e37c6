"""The filter row: what is typed, what is counted, the doors to each class; and where the screen speaks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.timer import Timer
from textual.widget import Widget

from triage.models.measure import CLASSES, FailureClass
from triage.plain import width
from triage.ui.keys import bindings, shown_keys
from triage.ui.messages import Told
from triage.ui.palette import Palette, colours
from triage.ui.widgets.filter_input import FilterInput
from triage.ui.widgets.line import Part, Words, length, line, size_of, styled
from triage.ui.widgets.row import NAMES

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.offer import Offer

DEBOUNCE = 0.15
"""Seconds of quiet after which what was typed is looked for."""
SPEAKS = 5.0
"""Seconds that a sentence stays."""
_DOORS_FROM = 100


class Doors(Widget, can_focus=True):
    """The count of the list as shown, and a door to the failing cases of each suggested class."""

    DEFAULT_CSS = "Doors { height: 1; width: auto; }"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("doors")]

    view: reactive[RunView | None] = reactive(None)
    counted: reactive[Words] = reactive(())
    at: reactive[int] = reactive(0)
    alone: reactive[bool] = reactive(True)
    """Nothing else stands in this place, so the doors are seen."""
    bare: reactive[bool] = reactive(False, layout=True)
    """The count stands beside something that is told, which leaves no room for the doors."""

    class Opened(Told):
        """The failing cases with this suggestion are asked for."""

        failure_class: FailureClass

    def _open_doors(self) -> list[FailureClass]:
        if self.view is None or not self.alone or self.app.size.width < _DOORS_FROM:
            return []
        return [layer for layer in CLASSES if self.view.classes.get(layer)]

    def _parts(self, ink: Palette) -> tuple[list[Part], list[tuple[int, int, FailureClass]]]:
        parts = styled(self.counted, ink)
        places: list[tuple[int, int, FailureClass]] = []
        for index, layer in enumerate(() if self.bare else self._open_doors()):
            parts.append(("   ", ink("text", "bg")))
            start = length(parts)
            here = self.has_focus and index == self.at
            count = self.view.classes[layer] if self.view is not None else 0
            on = "cursor" if here else "bg"
            parts.append(
                (str(CLASSES.index(layer) + 1), ink.fill("focus") if here else ink(f"{layer} bold", "bg"))
            )
            parts.append((f" {NAMES[layer]} {count}", ink("text" if here else "muted", on)))
            places.append((start, length(parts), layer))
        parts.append((" ", ink("text", "bg")))
        return parts, places

    def get_content_width(self, container: object, viewport: object) -> int:
        """As wide as what it says."""
        return length(self._parts(colours(self.app))[0])

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        return line([], self._parts(ink)[0], self.size.width, ink("text", "bg"))

    def watch_view(self) -> None:
        """Its width follows what it says."""
        self.at = min(self.at, max(len(self._open_doors()) - 1, 0))
        self.refresh(layout=True)

    def watch_counted(self) -> None:
        """Its width follows what it says."""
        self.refresh(layout=True)

    def action_step(self, direction: int) -> None:
        """The next door to the right or left."""
        self.at = min(max(self.at + direction, 0), max(len(self._open_doors()) - 1, 0))

    def action_open(self) -> None:
        """Through the door."""
        doors = self._open_doors()
        if doors:
            self.post_message(self.Opened(doors[min(self.at, len(doors) - 1)]))

    def on_click(self, event: events.Click) -> None:
        """Through the door that was clicked."""
        for start, end, layer in self._parts(colours(self.app))[1]:
            if start <= event.x < end:
                self.post_message(self.Opened(layer))

    @property
    def doors_width(self) -> int:
        """Cells that the doors alone take."""
        return length(self._parts(colours(self.app))[0]) - size_of(self.counted)

    def can_open(self) -> bool:
        """Is there any door to focus?"""
        return bool(self._open_doors())


class Spoken(Widget):
    """A sentence on one row."""

    DEFAULT_CSS = "Spoken { height: 1; width: 1fr; display: none; }"

    words: reactive[Words] = reactive(())

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        ground = ink("text", "bg")
        return line(styled(self.words, ink), [(" ", ground)], self.size.width, ground)


class Slash(Widget):
    """The key that starts a filter."""

    DEFAULT_CSS = "Slash { height: 1; width: auto; }"

    def __init__(self, keys: Mapping[str, str], action: str = "filter") -> None:
        """`keys` are the keys shown by action id, `action` is the one that starts the filter here."""
        super().__init__()
        self._keys, self._action = keys, action

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """The key with a cell at each side."""
        return width(self._keys[self._action]) + 2

    def render_line(self, y: int) -> Strip:
        """The row."""
        ink = colours(self.app)
        ground, key = ink("text", "bg"), ink("focus bold", "bg")
        return line([(" ", ground), (self._keys[self._action], key)], [], self.size.width, ground)


class FilterBar(Horizontal):
    """One row: `/`, the text, the view and its count, the doors. An error stands in place, the list stays."""

    DEFAULT_CSS = """
    FilterBar { height: 1; }
    FilterBar FilterInput { width: 1fr; height: 1; border: none; padding: 0; background: transparent; }
    FilterBar.-speaking FilterInput { display: none; }
    FilterBar.-speaking Spoken { display: block; }
    FilterBar.-about Doors { display: none; }
    """

    view: reactive[RunView | None] = reactive(None)

    class Asked(Told):
        """This text is to be looked for."""

        text: str

    class Completing(Told):
        """What may be typed at the caret of this text is to be offered."""

        text: str
        caret: int

    def __init__(self, *, id: str | None = None, keys: Mapping[str, str] | None = None) -> None:
        super().__init__(id=id)
        self._keys = keys if keys is not None else shown_keys({})
        self._timer: Timer | None = None
        self._hush: Timer | None = None
        self._about: Words = ()
        self._said: Words = ()
        self._error: str = ""
        self._counted: Words = ()
        self._drilled = False
        self._asked = ""

    def compose(self) -> ComposeResult:
        """The parts of the row."""
        yield Slash(self._keys)
        yield FilterInput(placeholder="type to filter", compact=True, select_on_focus=False)
        yield Spoken()
        yield Doors().data_bind(FilterBar.view)

    def on_mount(self) -> None:
        """The caret does not blink."""
        self.query_one(FilterInput).cursor_blink = False

    @property
    def typing(self) -> bool:
        """Does the input have the keys?"""
        return self.query_one(FilterInput).has_focus

    @property
    def text(self) -> str:
        """What stands in the input."""
        return self.query_one(FilterInput).value

    def set_text(self, text: str) -> None:
        """Put a text there without asking for it."""
        field = self.query_one(FilterInput)
        self._stop()
        self._asked = text
        with self.prevent(FilterInput.Changed):
            field.value = text

    def type(self) -> None:
        """Give the input the keys."""
        self._said = ()
        self._paint()
        # At once, so that the next key is text and tags nothing.
        self.screen.set_focus(self.query_one(FilterInput))

    @property
    def has_error(self) -> bool:
        """Does an error stand there?"""
        return bool(self._error)

    def say(self, words: Words) -> None:
        """Speak for a few seconds."""
        self._said = words
        if self._hush is not None:
            self._hush.stop()
        self._hush = self.set_timer(SPEAKS, self._quiet)
        self._paint()

    def _quiet(self) -> None:
        self._said = ()
        self._paint()

    def about(self, words: Words) -> None:
        """Tell of the metric that has the focus; () = of none."""
        if words != self._about:
            self._about = words
            self._paint()

    def error(self, message: str) -> None:
        """Tell why the text can't be looked for; "" = it can."""
        if message != self._error:
            self._error = message
            self._paint()

    def count(self, words: Words, *, drilled: bool) -> None:
        """Tell what the list holds; what is `drilled` into is told beside the metric that has the focus."""
        if (words, drilled) != (self._counted, self._drilled):
            self._counted, self._drilled = words, drilled
            self._paint()

    def _paint(self) -> None:
        spoken, doors = self.query_one(Spoken), self.query_one(Doors)
        said = self._said or self._about
        beside = self.typing or bool(self._error)
        doors.bare = bool(self._about) and not self._said and not beside
        # What is being typed is not wrong yet while there is something to take.
        error = "" if self.query_one(FilterInput).offering else self._error
        self.set_class(bool(said) and not beside, "-speaking")
        # A sentence goes before the counts where both don't fit; those come back in a moment.
        long = size_of(said) + size_of(self._counted) + 5 > self.size.width - doors.doors_width
        self.set_class(bool(said) and not beside and long and not (doors.bare and self._drilled), "-about")
        spoken.words = said
        doors.alone = not error
        doors.styles.max_width = None
        if error:
            doors.counted = [(f"  {error}", "bad")]
            text = 3 + min(max(width(self.text) + 2, 16), self.size.width // 2)
            doors.styles.max_width = max(self.size.width - text, 1)
        elif self._said and beside:
            doors.counted = [("  ", "text"), *self._said]
        else:
            doors.counted = self._counted

    @on(FilterInput.Changed)
    def _typed(self, event: FilterInput.Changed) -> None:
        event.stop()
        self._stop()
        self._timer = self.set_timer(DEBOUNCE, self._ask)
        self._complete()

    def _complete(self) -> None:
        """Ask what may be typed; not after a value was taken: the next key is to find the list closed."""
        field = self.query_one(FilterInput)
        taken, field.taken = field.taken, None
        if not field.has_focus or (field.value == taken and not taken.endswith(":")):
            field.close_offers()
            return
        field.asks = True
        self.post_message(self.Completing(field.value, field.cursor_position))

    async def offer(self, text: str, offers: Sequence[Offer]) -> None:
        """Offer what may be typed next in `text`; what is for a text typed before is dropped."""
        field = self.query_one(FilterInput)
        if not field.has_focus or not field.asks or field.value != text:
            return
        wants, field.asks, field.wants = field.wants, False, ""
        if field.offers is None:
            # Imported here because the first paint offers nothing.
            from triage.ui.widgets.completion import Completion

            field.offers = Completion(self._keys, field.put)
            await self.mount(field.offers)
        size = self.app.size
        field.offers.offer(offers, (size.width, size.height - self.region.y - 2))
        self._paint()
        if wants == "choose":
            field.offers.choose(1)
        elif wants == "take" and offers:
            field.put(offers[0])

    @on(FilterInput.Closed)
    def _offers_closed(self) -> None:
        self._paint()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.stop()
            self._timer = None

    def _ask(self) -> None:
        self._stop()
        if self.text != self._asked:
            self._asked = self.text
            self.post_message(self.Asked(self.text))

    def on_descendant_focus(self) -> None:
        """What is said moves aside for the text, and what may be typed is offered."""
        self._paint()
        if self.typing:
            self._complete()

    def on_descendant_blur(self) -> None:
        """What is said may stand in the text's place again."""
        self.query_one(FilterInput).close_offers()
        self._ask()
        self._paint()
