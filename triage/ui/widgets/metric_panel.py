"""The metric panels: four columns where there is room, else a line a layer; every number is a door."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from rich.segment import Segment
from textual import events
from textual.binding import BindingType
from textual.geometry import Size
from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.metrics.registry import BY_KEY
from triage.plain import cut
from triage.ui.keys import bindings
from triage.ui.messages import Told
from triage.ui.palette import Palette, colours
from triage.ui.text import wrap
from triage.ui.widgets.panel_model import CHECKING, NEEDS, SHOWN, Figure, Panel, Panels, explain, reduce, told

if TYPE_CHECKING:
    from triage.models.case import RunView

WIDE, MIDDLE, SHORT_ROWS = 116, 100, 20
"""Cells from which panels stand side by side, or three figures a line; rows below which one line is left."""
LINE_NAME, LINE_FIGURE, LINE_WORD = 12, 29, 10
WIDEST = 44
"""Most cells of a panel: with more the eye loses the row between a metric's name and its value."""
Layout = Literal["wide", "lines", "short"]
Part = tuple[str, str]
"""Text and the role it is drawn in; "" = the ground."""


class MetricPanels(Widget, can_focus=True):
    """Metrics by layer with their deltas; the focused one explains itself, enter opens its cases."""

    DEFAULT_CSS = """
    MetricPanels { height: auto; width: 1fr; background: $bg; color: $text; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("panels")]

    view: reactive[RunView | None] = reactive(None, init=False)
    """What is shown; None while loading."""

    class Chosen(Told):
        """Enter on a metric: show the cases behind it."""

        key: str

    class Focused(Told):
        """The metric that has the focus now, None where the panels lost it."""

        key: str | None

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.model: Panels = reduce(None)
        self._key: str | None = None
        self._strips: list[Strip] = []
        self._drawn: tuple[object, ...] = ()
        self._doors: list[tuple[int, int, int, str]] = []

    # What is shown

    def watch_view(self, view: RunView | None) -> None:
        """Work the view out anew; the focused metric keeps the focus if it is still there."""
        before = self._height_of(self.size.width)
        self.model = reduce(view)
        self._drawn = ()
        self.refresh(layout=before != self._height_of(self.size.width))
        if self.has_focus:
            self.post_message(self.Focused(self._focused_key()))

    def explain(self, key: str) -> str:
        """One line on a metric: exact fraction, interval, missing, inferred, what it tells and can't."""
        return explain(
            self.view, key, brief=self.size.width < MIDDLE, told=self._layout_of(self.size.width) != "short"
        )

    # Focus

    def _place(self) -> tuple[int, int]:
        """Panel and figure that have the focus."""
        for at, panel in enumerate(self.model.panels):
            for index, figure in enumerate(panel.figures):
                if figure.key == self._key:
                    return at, index
        lit = next((at for at, panel in enumerate(self.model.panels) if panel.lit), 0)
        return lit, 0

    def _focused_key(self) -> str | None:
        at, index = self._place()
        panels = self.model.panels
        return panels[at].figures[index].key if panels and panels[at].figures else None

    def on_focus(self) -> None:
        """Light the focused metric's row."""
        self._refocus()
        self.post_message(self.Focused(self._focused_key()))

    def on_blur(self) -> None:
        """Put the focused metric's row back."""
        self._refocus()
        self.post_message(self.Focused(None))

    def action_move(self, across: int, down: int) -> None:
        """Move the focus among the metrics; past the third it goes on through those not seen yet."""
        panels = self.model.panels
        if not panels:
            return
        at, index = self._place()
        if self._layout_of(self.size.width) != "wide":
            across, down = down, across
        at = min(max(at + across, 0), len(panels) - 1)
        last = len(panels[at].figures) - 1
        index = min(max(index + down, 0), last if down else min(last, SHOWN - 1 if across else last))
        self._key = panels[at].figures[index].key
        self._redraw()
        self.post_message(self.Focused(self._key))

    def action_choose(self) -> None:
        """Open the cases behind the focused metric."""
        if (key := self._focused_key()) is not None:
            self.post_message(self.Chosen(key))

    def on_click(self, event: events.Click) -> None:
        """A click on a metric chooses it."""
        for row, start, end, key in self._doors:
            if row == event.y and start <= event.x < end:
                self._key = key
                self._redraw()
                self.post_message(self.Focused(key))
                self.post_message(self.Chosen(key))
                return

    # Drawing

    def _layout_of(self, width: int) -> Layout:
        if self.is_mounted and self.screen.size.height < SHORT_ROWS:
            return "short"
        return "wide" if width >= WIDE else "lines"

    def _height_of(self, width: int) -> int:
        layout = self._layout_of(width)
        if layout == "short":
            return 1
        if layout == "wide":
            return 6
        rows = len(self.model.panels) + bool(self.model.folded)
        below = len(self._told_below(width))
        return rows + below + (1 if self.model.said or (width >= MIDDLE and not below) else 0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Rows: a blank one, four, a blank one; or a line a layer, and what the focused metric tells."""
        return self._height_of(width)

    def on_resize(self) -> None:
        """Another width or height may be another layout."""
        self._redraw()

    def notify_style_update(self) -> None:
        """Another theme is other colours."""
        super().notify_style_update()
        self._redraw()

    def _refocus(self) -> None:
        self._drawn = ()
        self.refresh(layout=self._layout_of(self.size.width) == "lines")

    def _redraw(self) -> None:
        self._drawn = ()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        """One row of the panels."""
        width, palette = self.size.width, colours(self.app)
        drawn = (width, self._layout_of(width), self.has_focus, id(palette))
        if drawn != self._drawn:
            self._drawn = drawn
            self._doors = []
            self._strips = self._draw(width, palette)
        return self._strips[y] if y < len(self._strips) else Strip.blank(width, palette("text", "bg"))

    def _draw(self, width: int, palette: Palette) -> list[Strip]:
        layout = self._layout_of(width)
        tells, not_told = self._told(width)
        if layout == "wide":
            rows = self._wide(width)
            rows[0].append(((f"  {tells}" if self.model.said else tells) if tells else "", "muted"))
            rows[5].append((f" {not_told}", "muted"))
        elif layout == "short":
            rows = [self._line(self._only(), width, 0)] if self.model.panels else [self._folded_line(width)]
        else:
            rows = [self._line(panel, width, row) for row, panel in enumerate(self.model.panels)]
            if self.model.folded:
                rows.append(self._folded_line(width))
            if self.model.said:
                rows.append([(f" {self.model.said}", "muted")])
            rows += [[(f" {text}", "muted")] for text in self._told_below(width)]
        return [_strip(row, width, palette) for row in rows]

    def _told(self, width: int) -> tuple[str, str]:
        """What the focused metric tells and can't tell, for the blank rows around the panels."""
        key = self._focused_key() if self.has_focus else None
        if key is None or self._layout_of(width) != "wide":
            return "", ""
        metric = BY_KEY[key]
        room = width - 4 - len(self.model.said)
        return cut(f"tells {metric.tells}", room), cut(f"can't tell {metric.does_not_tell}", width - 4)

    def _told_below(self, width: int) -> list[str]:
        """The same where panels are lines: in rows of its own, as many for every metric."""
        key = self._focused_key() if self.has_focus else None
        if key is None or self._layout_of(width) != "lines":
            return []
        return told(key, width - 3)

    def _only(self) -> Panel:
        """The layer whose line is left where there is no room: the focused one, else the lit one."""
        return self.model.panels[self._place()[0]]

    def _window(self, panel: Panel, room: int) -> tuple[int, tuple[Figure, ...]]:
        """The figures that are seen: the first ones, or those up to the focused one."""
        at, index = self._place()
        mine = self.has_focus and self.model.panels[at] is panel
        start = max(index - room + 1, 0) if mine else 0
        return start, panel.figures[start : start + room]

    def _figure(self, figure: Figure, panel: Panel, index: int, name: int, lead: str) -> list[Part]:
        """lead · digit · name · value 6 · fraction 5 · delta 6 · 1."""
        focused = self.has_focus and figure.key == self._focused_key()
        on = " on cursor" if focused else " on raised" if panel.lit else ""
        quiet = "text" if focused else "muted"
        label = figure.title if len(figure.title) <= name - 1 and name > 12 else cut(figure.short, name)
        mark = (">", "focus fill") if focused else (lead[-1:], on)
        parts: list[Part] = [(lead[:-1], ""), mark]
        parts += [
            (figure.digit, ("faint" if figure.digit == "." else f"{figure.layer} bold") + on),
            (" ", on),
        ]
        parts.append((f"{label:<{name}}", quiet + on))
        if figure.said in ("not recorded", CHECKING):
            return [*parts, (f"  {figure.said:<15}", "faint italic" + on), (" ", on)]
        value = figure.value or figure.said
        if any(len(each.fraction) > 4 for each in panel.figures):
            # A fraction of five cells would touch the value, which then moves a cell to the left.
            value = f"{value if name > 8 else value[:4]} "
        bold = " bold" if index == 0 and not figure.said else ""
        voice = {"worse": "bad bold", "better": "good", "same": "faint"}.get(figure.tone, "faint")
        return [
            *parts,
            (f"{value:>6}", ("faint italic" if figure.said else "text" + bold) + on),
            (f"{figure.fraction:>5}", ("muted" if focused else "faint") + on),
            (f"{figure.delta:>6}", voice + on),
            (" ", on),
        ]

    def _wide(self, width: int) -> list[list[Part]]:
        column = min(width // 4, WIDEST)
        rows: list[list[Part]] = [[(f" {self.model.said}", "muted")], [], [], [], [], []]
        for at, panel in enumerate(self.model.panels):
            on = " on raised" if panel.lit else ""
            more = f" +{panel.more}" if panel.more else ""
            title = f" {panel.name} "
            word_voice = {"worse": "bad" if panel.lit else "muted"}.get(panel.tone, "muted")
            gap = column - 2 - len(title) - len(more) - len(panel.word)
            rows[1] += [
                ("›" if at else " ", "faint"),
                (title, f"{panel.lit} fill" if panel.lit else "text bold"),
                (more, ("bad" if panel.more_worse else "faint") + on),
                (" " * gap, on),
                (panel.word, word_voice + on),
                (" ", on),
            ]
            start, figures = self._window(panel, SHOWN)
            for row, figure in enumerate(figures, 2):
                parts = self._figure(figure, panel, start + row - 2, max(column - 22, 8), "  ")
                self._doors.append((row, at * column, (at + 1) * column, figure.key))
                # Where a column is a cell short, the blank after the delta is what gives way.
                rows[row] += parts if column >= 30 else parts[:-1]
            for row in range(2 + len(figures), 5):
                rows[row] += [(" ", ""), (" " * (column - 1), on)]
        if self.model.folded:
            left = len(self.model.panels) * column
            for row, (text, role) in enumerate(self._folded_words(width - left - 3), 1):
                rows[row] += [("  ", ""), (text, role)] if row < 5 else []
        return rows

    def _folded_words(self, width: int) -> list[Part]:
        names = ", ".join(self.model.folded)
        lines = [(text, "faint italic") for text in _wrapped(f"not recorded: {names}", width)]
        needs = [f"{name} needs {NEEDS[name]}" for name in self.model.folded]
        if len(lines) + len(needs) > 4:
            # Four rows are all there are.
            needs = ["; ".join(needs)]
        return [*lines, *((text, "faint") for each in needs for text in _wrapped(each, width))]

    def _folded_line(self, width: int) -> list[Part]:
        said = f" not recorded: {', '.join(self.model.folded)}"
        needs = f"   needs {'; '.join(NEEDS[name] for name in self.model.folded)}"
        return [(said, "faint italic"), (cut(needs, width - len(said) - 1), "faint")]

    def _line(self, panel: Panel, width: int, row: int) -> list[Part]:
        on = " on raised" if panel.lit else ""
        room = min(SHOWN, max((width - LINE_NAME - (0 if width >= MIDDLE else LINE_WORD)) // LINE_FIGURE, 1))
        title = f" {panel.name}+{panel.more}" if panel.more else f" {panel.name}"
        if len(title) > LINE_NAME:
            # That there is more is said whatever room there is: the name gives way.
            title = f" {panel.name[:5]}.+{panel.more}"
        voice = f"{panel.lit} fill" if panel.lit else "text bold"
        parts: list[Part] = [(f"{title:<{LINE_NAME}}", voice)]
        start, figures = self._window(panel, room)
        for at, figure in enumerate(figures):
            left = LINE_NAME + at * LINE_FIGURE
            self._doors.append((row, left, left + LINE_FIGURE, figure.key))
            parts += self._figure(figure, panel, start + at, 8, " ")
        parts.append((" " * (LINE_FIGURE * (room - len(figures))), on))
        rest = width - LINE_NAME - room * LINE_FIGURE
        word = panel.word if len(panel.word) < rest else ""
        word_voice = {"worse": "bad" if panel.lit else "muted"}.get(panel.tone, "muted")
        return [*parts, (f"{word:>{max(rest - 1, 0)}} "[: max(rest, 0)], word_voice + on)]


def _wrapped(text: str, width: int) -> list[str]:
    return [text[start:end] for start, end in wrap(text, width)]


def _strip(parts: list[Part], width: int, palette: Palette) -> Strip:
    segments: list[Segment] = []
    for text, role in parts:
        if not text:
            continue
        if role.endswith(" fill"):
            style = palette.fill(role.removesuffix(" fill"))
        else:
            voice, _, on = role.partition(" on ")
            style = palette(voice.strip() or "text", on.strip() or "bg")
        segments.append(Segment(text, style))
    return Strip(segments).adjust_cell_length(width, palette("text", "bg"))
