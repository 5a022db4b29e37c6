"""The detail of one case: a head that stays, and a page that scrolls under it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from triage.ui.keys import same_keys, shown_key
from triage.ui.messages import Told
from triage.ui.palette import colours
from triage.ui.text import short
from triage.ui.widgets.detail.page import Chosen, Page
from triage.ui.widgets.scrollbar import PlainScrollBar

if TYPE_CHECKING:
    from triage.models.case import CaseDetail as CaseDetailModel
    from triage.ui.widgets.detail.page import Hidden

NOTHING = ("no case selected",)
"""Said where the list has no case; while one is being read nothing is."""
HEAD = 1
"""Rows of the head, which do not scroll."""


class CaseDetail(ScrollView, can_focus=True):
    """What is known of a case, from the query to its history."""

    DEFAULT_CSS = """
    CaseDetail {
        background: $raised; color: $text; overflow-x: hidden; overflow-y: auto; scrollbar-size: 0 1;
        scrollbar-color: $cursor; scrollbar-background: $raised;
        scrollbar-color-hover: $muted; scrollbar-background-hover: $raised;
        scrollbar-color-active: $focus; scrollbar-background-active: $raised;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        *same_keys(down="scroll_down", up="scroll_up", home="scroll_home", end="scroll_end"),
        *same_keys(page_down="page_down", page_up="page_up"),
    ]

    detail: reactive[CaseDetailModel | None] = reactive(None, init=False, always_update=True)
    """The case shown; None shows `notice`."""
    place: reactive[tuple[int, int] | None] = reactive(None, init=False)
    """Its 1-based position in the list, and how many there are."""
    notice: reactive[tuple[str, ...]] = reactive(NOTHING, init=False)
    """Lines shown where there is no case; the first in bad if it begins with "error"."""
    hidden: reactive[Hidden] = reactive("nothing", init=False)
    """What of the case is left out for a reader; `detail` is to be without it (`unseen`)."""

    roomy = False
    """Show long texts whole where all of the case then still fits in the window."""

    class Spoke(Told):
        """Something to say on the filter row."""

        text: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._page: Page | None = None
        self._unfolded = False
        self._chosen = Chosen()
        self._back_to = 0.0
        self._read: tuple[str, int] | None = None
        """The section at the top, and the line of it, before the page was laid out anew."""
        self._built: tuple[object, ...] = ()
        self._strips: dict[int, Strip] = {}
        self._base = Style()

    def on_mount(self) -> None:
        """Draw the scrollbar without characters."""
        self.vertical_scrollbar.renderer = PlainScrollBar  # type: ignore[misc]

    # What is shown

    def watch_detail(self, old: CaseDetailModel | None, new: CaseDetailModel | None) -> None:
        """Another case begins at its top; the same one read anew keeps its place."""
        same = old is not None and new is not None and (old.run, old.row.id) == (new.run, new.row.id)
        if not same:
            self._unfolded = False
            self._chosen = Chosen()
            self.scroll_to(y=0, animate=False, force=True)
        elif new is not None and (
            (self._chosen.citation or 0) >= max(len(new.citations), 1)
            or (self._chosen.sentence or 0) >= max(len(new.sentences), 1)
        ):
            self._chosen = Chosen()
        self._rebuild()

    def watch_place(self) -> None:
        """Only the head knows the position."""
        self._strips.pop(-1, None)
        self.refresh()

    def watch_notice(self) -> None:
        """Shown only where there is no case."""
        self._rebuild()

    def watch_hidden(self) -> None:
        """Other sections are left out."""
        self._rebuild()

    def on_resize(self) -> None:
        """Another width is another page; what is read stays in sight."""
        self._lay_out()
        self._keep()

    def notify_style_update(self) -> None:
        """Another theme is other colours."""
        super().notify_style_update()
        if self.is_mounted:
            self._rebuild()

    def keys_changed(self) -> None:
        """The user's keys are others now."""
        self._rebuild()

    def on_focus(self) -> None:
        """The focused pane's head is lit."""
        self._refresh_head()

    def on_blur(self) -> None:
        """The head goes faint."""
        self._refresh_head()

    def _refresh_head(self) -> None:
        self._strips.pop(-1, None)
        self.refresh_lines(self.scroll_offset.y, HEAD)

    def _width(self) -> int:
        # The scrollbar takes the last cell of the right margin, so that its coming moves nothing.
        return self.outer_size.width

    def _key(self, ident: str) -> str:
        return shown_key(ident, getattr(self.app, "key_map", {}))

    def _rebuild(self) -> None:
        self._built = ()
        self._lay_out()
        self.refresh()

    def _lay_out(self) -> None:
        """Build the page if anything that it depends on has changed."""
        ink, width = colours(self.app), self._width()
        height = self.size.height if self.roomy else 0
        built = (id(self.detail), id(ink), width, height, self._unfolded, self._chosen, self._key("unfold"))
        if built == self._built or width < 1:
            return
        self._built = built
        self._strips = {}
        self._base = self.rich_style
        detail, before = self.detail, self._page
        self._page = None
        if detail is not None:
            # Imported with the first case: it brings the rules' words, and the list is on the screen before.
            from triage.ui.widgets.detail.build import build
            from triage.ui.widgets.detail.walk import section_at

            if before is not None and (before.width, before.unfolded) != (width, self._unfolded):
                # A page may be drawn before its window says that it has changed.
                top = self.scroll_offset.y
                self._read = section_at(before, top) if top and before.detail is detail else None

            def page(unfolded: bool) -> Page:
                key, hidden, chosen = self._key("unfold"), self.hidden, self._chosen
                return build(detail, ink, width, unfolded=unfolded, chosen=chosen, unfold=key, hidden=hidden)

            self._page = page(self._unfolded)
            if self.roomy and self._page.folded and len(self._page.lines) + HEAD < self.size.height:
                whole = page(True)
                self._page = whole if len(whole.lines) + HEAD <= self.size.height else self._page
        rows = HEAD + (len(self._page.lines) if self._page else 0)
        self.virtual_size = Size(width, rows)

    # Drawing

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a part of the window."""
        self._lay_out()
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """The head, then the page from where it is scrolled to."""
        at = -1 if y < HEAD else y - HEAD + self.scroll_offset.y
        strip = self._strips.get(at)
        if strip is None:
            strip = self._strips[at] = self._strip(at)
        return strip.crop(0, self.size.width)

    def _strip(self, at: int) -> Strip:
        width, base, ink = self._width(), self._base, colours(self.app)
        if self._page is None:
            line = self._notice(at)
        elif at < 0:
            from triage.ui.widgets.detail.head import head

            line = head(self._page.detail, self.place, width, ink, focused=self.has_focus, hidden=self.hidden)
        else:
            line = self._page.lines[at] if at < len(self._page.lines) else []
        if not line:
            return Strip.blank(width, base)
        return Strip(line).apply_style(base).adjust_cell_length(width, base)

    def _notice(self, at: int) -> list[Segment]:
        ink = colours(self.app)
        if not 0 <= at < len(self.notice):
            return []
        text = self.notice[at]
        bad = at == 0 and text.startswith("error")
        return [Segment(" " + short(text, self._width() - 2), ink("bad" if bad else "muted"))]

    # Moving among flagged sentences and citations

    def next_flag(self) -> bool:
        """Select the next flagged sentence or citation; False where there is none."""
        return self.to_flag(1)

    def previous_flag(self) -> bool:
        """Select the flagged sentence or citation before; False where there is none."""
        return self.to_flag(-1)

    def to_flag(self, step: int) -> bool:
        """To the next (1) or previous (-1) flagged sentence or citation; False where there is none."""
        from triage.ui.widgets.detail.walk import stops

        if self.detail is None:
            return False
        order = stops(self.detail, all_citations=self.hidden == "machine")
        if not order:
            self._speak("no citation in this answer")
            return False
        now = Chosen(self._chosen.citation, sentence=self._chosen.sentence)
        at = order.index(now) + step if now in order else 0 if step > 0 else -1
        self._go(order[at % len(order)])
        self._say_chosen()
        return True

    def _go(self, chosen: Chosen) -> bool:
        """Choose, unfold what is folded over it, and scroll to it; False where it has no place."""
        from triage.ui.widgets.detail.walk import line_of

        self._choose(chosen)
        line = line_of(self._page, chosen) if self._page is not None else None
        if line is None and self._page is not None and self._page.folded and not self._unfolded:
            self._unfolded = True
            self._rebuild()
            self._read = None
            line = line_of(self._page, chosen)
        self._show(line, chosen)
        return line is not None

    def _speak(self, said: str) -> None:
        self.post_message(self.Spoke(said))

    def _say_chosen(self) -> None:
        from triage.ui.widgets.detail.walk import said

        if self.detail is not None:
            blind = self.hidden == "machine"
            self._speak(said(self.detail, self._chosen, self._key("document"), blind=blind))

    def to_document(self) -> bool:
        """From the selected sentence or citation (the first one where none is) to what it cites, and back."""
        from triage.ui.widgets.detail.walk import document_of, first_with_document

        page, chosen = self._page, self._chosen
        if page is None:
            return False
        if chosen.document:
            self._choose(Chosen(chosen.citation, sentence=chosen.sentence))
            self.scroll_to(y=self._back_to, animate=False, force=True)
            self._say_chosen()
            return True
        if chosen == Chosen():
            first = first_with_document(page)
            if first is None:
                self._speak("no citation in this answer")
                return False
            chosen = first
        if document_of(page.detail, chosen) not in page.documents:
            self._choose(chosen)
            self._say_chosen()
            return False
        self._back_to = self.scroll_y
        found = self._go(Chosen(chosen.citation, document=True, sentence=chosen.sentence))
        self._say_chosen()
        return found

    def _choose(self, chosen: Chosen) -> None:
        self._chosen = chosen
        self._rebuild()

    def _show(self, line: int | None, chosen: Chosen) -> None:
        """Scroll only if the line, or what is said below it, is out of sight: to a third from the top."""
        from triage.ui.widgets.detail.walk import end_of

        if line is None or self._page is None:
            return
        rows = self.size.height - HEAD
        end = min(end_of(self._page, chosen, line), line + rows // 2)
        if not self.scroll_offset.y <= line <= end < self.scroll_offset.y + rows - 1:
            self.scroll_to(y=max(line - rows // 3, 0), animate=False, force=True)

    def unfold(self) -> None:
        """Show long texts and lists whole, or fold them again."""
        if self._page is not None and (self._page.folded or self._unfolded):
            self._unfolded = not self._unfolded
            self._rebuild()
            self._keep()

    def _keep(self) -> None:
        """Keep in sight what was read before the page was laid out anew, and what is chosen."""
        page, read, self._read = self._page, self._read, None
        if page is None:
            return
        # Imported here because the first paint has no page.
        from triage.ui.widgets.detail.walk import line_in, line_of

        if read is not None and (line := line_in(page, *read)) is not None:
            self.scroll_to(y=line, animate=False, force=True)
        if self._chosen != Chosen():
            self._show(line_of(page, self._chosen), self._chosen)

    def on_click(self, event: events.Click) -> None:
        """A click on a citation or a sentence that clashes selects it."""
        meta = event.style.meta
        for chosen in (Chosen(meta.get("citation")), Chosen(sentence=meta.get("sentence"))):
            if chosen != Chosen():
                self._choose(chosen)
                self._say_chosen()
                return
