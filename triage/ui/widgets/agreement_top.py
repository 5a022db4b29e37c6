"""Two rows over the list of the Agreement screen: what the readings come to, and which part is listed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from textual.reactive import reactive
from textual.strip import Strip
from textual.widget import Widget

from triage.models.agreement import ADVICE, FEW_CASES, Agreement
from triage.ui.palette import Palette, colours
from triage.ui.widgets.agreement_model import PARTS, TONES, Part, between, number
from triage.ui.widgets.line import Part as Piece
from triage.ui.widgets.line import Words, length, line, size_of, styled
from triage.ui.work.words import number_of

GAP = 3


def summary(found: Agreement, cells: int) -> list[Words]:
    """What it comes to, as much as there is room for in `cells`, in the order in which it is read."""
    if not found.read_twice:
        readers = number_of(len(found.reviewers), "reader")
        why = "nobody has read a case yet" if not found.readings else f"{readers}, no case read by two"
        return [[("agreement ", "muted"), ("n/a", "text bold"), (f"  {why}", "muted")]]
    of = f" {found.unanimous}/{found.read_twice}"
    tone = TONES[found.word] if found.word is not None else "muted"
    words = ("all say one and the same",) if found.word is None else (ADVICE[found.word], found.word)
    pieces: list[tuple[int, Words]] = [
        (0, [("agreement ", "muted"), (number(found.agreement), "text bold"), (of, "muted")]),
        (3, [(f"95 % {between(found.interval)}", "muted")]),
        (0, [("alpha ", "muted"), (number(found.alpha), "text bold")]),
        (5, [(f"95 % {between(found.alpha_interval)}", "muted")]),
        (0, [(words[0], tone)]),
    ]
    if found.alpha_interval is None:
        del pieces[3]
    advice = len(pieces) - 1
    if found.read_twice < FEW_CASES:
        pieces.append((2, [("few cases", "text")]))
    for count, said, role in (
        (len(found.disputes), number_of(len(found.disputes), "dispute"), "text bold"),
        (len(found.outvoted), f"{len(found.outvoted)} outvoted", "muted"),
        (len(found.arbitrated), f"{len(found.arbitrated)} settled", "muted"),
    ):
        if count:
            pieces.append((1 if "bold" in role else 4, [(said, role)]))
    if _size(pieces) > cells:
        pieces[advice] = (0, [(words[-1], tone)])
    for goes in (5, 4, 3, 2, 1):
        if _size(pieces) > cells:
            pieces = [piece for piece in pieces if piece[0] != goes]
    return [words for _, words in pieces]


def _size(pieces: Sequence[tuple[int, Words]]) -> int:
    return sum(GAP + size_of(words) for _, words in pieces)


def counts(found: Agreement) -> Mapping[Part, int]:
    """How many rows each part has."""
    return {
        "pairs": len(found.pairs), "classes": len(found.classes), "readers": len(found.readers),
        "suggestions": len(found.suggestions.by_reason),
    }  # fmt: skip


class AgreementTop(Widget):
    """The summary, then the parts with the key that goes on to the next."""

    DEFAULT_CSS = "AgreementTop { height: 2; width: 1fr; }"

    found: reactive[Agreement | None] = reactive(None)
    part: reactive[Part] = reactive("pairs")

    def __init__(self, keys: Mapping[str, str]) -> None:
        """`keys` are the keys shown by action id."""
        super().__init__()
        self._keys = keys

    def render_line(self, y: int) -> Strip:
        """The row `y`."""
        ink, cells = colours(self.app), self.size.width
        ground = ink("text", "bg")
        if self.found is None:
            words = "  comparing the readings" if y == 0 else ""
            return line([(words, ink("muted", "bg"))], [], cells, ground)
        return self._summary(self.found, ink, cells) if y == 0 else self._parts(self.found, ink, cells)

    def _summary(self, found: Agreement, ink: Palette, cells: int) -> Strip:
        ground = ink("text", "bg")
        parts: list[Piece] = [(" ", ground)]
        for piece in summary(found, cells):
            gap = GAP if length(parts) > 1 else 0
            parts += [(" " * gap, ground), *styled(piece, ink)]
        return line(parts, [], cells, ground)

    def _parts(self, found: Agreement, ink: Palette, cells: int) -> Strip:
        ground, have = ink("text", "bg"), counts(found)
        parts: list[Piece] = [(" ", ground), (self._keys["agreement.part"], ink("focus bold", "bg"))]
        for part in PARTS:
            here = part == self.part
            parts += [
                ("  ", ground),
                (f" {part} ", ink("text bold" if here else "muted", "cursor" if here else "bg")),
                (f"{have[part]}" + (" " if here else ""),
                 ink("text" if here else "faint", "cursor" if here else "bg")),
            ]  # fmt: skip
        readings = f"{number_of(found.readings, 'reading')} of {number_of(found.cases, 'case')}"
        if found.stale:
            readings += f", {found.stale} of a changed record left out"
        right = [(f"{readings} ", ink("muted", "bg"))]
        if length(parts) + length(right) + 2 > cells:
            right = [(f"{number_of(found.readings, 'reading')} ", ink("muted", "bg"))]
        if length(parts) + length(right) + 2 > cells:
            right = []
        return line(parts, right, cells, ground)
