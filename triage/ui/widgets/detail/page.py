"""A page of the detail: lines of segments under a gutter of labels, written top down."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Literal

from msgspec import Struct, field
from rich.segment import Segment

from triage.plain import width
from triage.ui.text import Line, Span, first_line, flow
from triage.ui.widgets.line import Part, clip

if TYPE_CHECKING:
    from triage.models.case import CaseDetail
    from triage.ui.palette import Palette

GUTTER, MARGIN, MEASURE = 10, 2, 96
"""Cells of the labels (outer margin included), of the right margin, and the most a line of text takes."""
HUGE = 400_000
"""Characters of one text that are laid out at most; the rest is in the export."""
Words = Sequence[tuple[str, str]]
"""Text and role: what `Palette` makes a style of."""
Hidden = Literal["nothing", "people", "machine"]
"""What a reader is not shown before his own verdict: what people said; what the machine says as well."""


class Chosen(Struct, frozen=True):
    """What the keyboard has selected: a citation or a sentence (its index), or nothing; `document` tells that
    the text it cites is looked at.
    """

    citation: int | None = None
    document: bool = False
    sentence: int | None = None


class Page(Struct):
    """Lines in order.

    `stops` are the places of citations as (citation index, line), `sentences` the first lines of the answer's
    sentences by index, `documents` the lines of the evidence rows by (id or unresolved citation, 1-based rank
    or None), `clashes` the lines of what stands against a sentence by (sentence index, document id). `folded`
    tells that something is shown in part, `unfold` is the key that shows it whole. `hidden` is what is left
    out for a reader.
    """

    detail: CaseDetail
    ink: Palette
    width: int
    unfolded: bool = False
    chosen: Chosen = field(default_factory=Chosen)
    lines: list[Line] = field(default_factory=list)
    stops: list[tuple[int, int]] = field(default_factory=list)
    sentences: dict[int, int] = field(default_factory=dict)
    documents: dict[tuple[str, int | None], int] = field(default_factory=dict)
    clashes: dict[tuple[int, str], int] = field(default_factory=dict)
    folded: bool = False
    unfold: str = "z"
    hidden: Hidden = "nothing"

    @property
    def blind(self) -> bool:
        """Is what the machine says left out? What was expected is shown, whether it was met is not."""
        return self.hidden == "machine"

    _label: str = ""

    @property
    def text(self) -> int:
        """Cells of the text column."""
        return min(max(self.width - GUTTER - MARGIN, 8), MEASURE)

    def section(self, label: str) -> None:
        """Begin a section: a blank line, and the label before its first line."""
        if self.lines and self.lines[-1]:
            self.lines.append([])
        self._label = label

    def _gutter(self, indent: int) -> Segment:
        label, self._label = self._label, ""
        return Segment(f" {label:<{GUTTER - 1}}" + " " * indent, self.ink("faint"))

    def add(self, line: Line, indent: int = 0) -> None:
        """A line as it is, in the text column."""
        self.lines.append([self._gutter(indent), *line])

    def row(self, words: Words, indent: int = 0, *, ground: str = "") -> None:
        """A line of words with roles, cut at the pane's edge."""
        self.parts([(text, self.ink(role, ground)) for text, role in words], indent)

    def parts(self, parts: Iterable[Part], indent: int = 0) -> None:
        """A line of styled text, cut at the pane's edge."""
        room = max(self.width - 1 - GUTTER - indent, 1)
        self.add([Segment(text, style) for text, style in clip(parts, room) if text], indent)

    def prose(
        self, text: str, role: str, spans: Sequence[Span] = (), *, indent: int = 0, fold: int = 0
    ) -> None:
        """Record text, wrapped. `fold` > 0 shows that many lines until the page is unfolded."""
        room = max(self.text - indent, 2)
        limit = 0 if self.unfolded else fold
        # A line holds at most as many characters as cells, but for marks that take none.
        whole = text if not limit else text[: (limit + 1) * room * 2 + 256]
        lines = flow(whole[:HUGE], room, self.ink(role), spans)
        for count, line in enumerate(lines):
            if limit and count == limit:
                self.fold(f"+ {_size(text)} in all", indent)
                return
            self.add(line, indent)
        if len(whole) > HUGE:
            self.row([(f"cut here: {_size(text)} in all, the export has it whole", "faint")], indent)

    def labelled(
        self, labels: Words, text: str, role: str, *,
        spans: Sequence[Span] = (), indent: int = 0, fold: int = 0, cut: bool = False,
    ) -> None:  # fmt: skip
        """Record text that wraps under itself, with words of our own before its first line.

        `cut` shows one line until the page is unfolded, else `fold` > 0 that many.
        """
        parts = clip([(label, self.ink(voice)) for label, voice in labels], max(self.text - indent - 4, 0))
        size = sum(width(label) for label, _ in parts)
        at = len(self.lines)
        if cut:
            self.one_line(text, role, indent + size)
        else:
            self.prose(text, role, spans, indent=indent + size, fold=fold)
        gutter, *rest = self.lines[at]
        lead = gutter._replace(text=gutter.text[:-size] if size else gutter.text)
        self.lines[at] = [lead, *(Segment(label, style) for label, style in parts), *rest]

    def point(self, at: int) -> None:
        """The sign of what is selected, in the last cell of a line's gutter."""
        gutter, *rest = self.lines[at]
        head, tail = gutter.text[: GUTTER - 1], gutter.text[GUTTER:]
        sign = gutter._replace(text=">", style=self.ink.fill("focus"))
        line = [gutter._replace(text=head), sign]
        self.lines[at] = [*line, *([gutter._replace(text=tail)] if tail else []), *rest]

    def one_line(self, text: str, role: str, indent: int = 0) -> None:
        """Record text on one line, cut; the whole of it once the page is unfolded."""
        if self.unfolded:
            self.prose(text, role, indent=indent)
        else:
            line = first_line(text, self.text - indent, self.ink(role))
            self.folded = self.folded or line[0].text.endswith("\u00bb")
            self.add(line, indent)

    def fold(self, said: str, indent: int = 0) -> None:
        """Say that something is folded away."""
        self.folded = True
        self.row([(said, "faint"), (f"   {self.unfold} shows all", "faint")], indent)

    def phrases(self, groups: Iterable[Words], indent: int = 0) -> None:
        """Words with roles in groups, as many on a line as fit, three cells apart."""
        line: list[tuple[str, str]] = []
        used = 0
        room = self.text - indent
        for group in groups:
            size = sum(width(text) for text, _ in group)
            if line and used + 3 + size > room:
                self.row(line, indent)
                line, used = [], 0
            if line:
                line.append(("   ", group[0][1]))
                used += 3
            line += group
            used += size
        if line:
            self.row(line, indent)

    def pairs(self, pairs: Iterable[tuple[str, str, str]], indent: int = 0) -> None:
        """Names with values and the value's role, as many on a line as fit."""
        self.phrases([[(f"{name} ", "faint"), (value, role)] for name, value, role in pairs], indent)


def _size(text: str) -> str:
    return f"{len(text):,} characters"
