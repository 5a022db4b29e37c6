"""The codebook as its screen shows it: the labels that are left of it, their columns, what is told of one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from msgspec import Struct
from textual.strip import Strip

from triage.models.codes import Bearer, Code, Codebook, CodeChange
from triage.plain import cut, fit, one_line, preview, width
from triage.ui.palette import Palette
from triage.ui.widgets.labelled import labelled, wrapped
from triage.ui.widgets.line import Part, Words, line
from triage.ui.work.words import number_of

GAP = 2
NAME_LEAST, NAME_MOST, COUNT, RUN_LEAST, RUN_MOST = 12, 26, 5, 6, 12
DEFINITION_LEAST = 26
NO_DEFINITION = "no definition yet"
_GUTTER = 13


def narrowed(book: Codebook, text: str) -> tuple[Code, ...]:
    """The labels whose name or definition holds every word that is typed."""
    words = text.casefold().split()
    return tuple(
        code
        for code in book.codes
        if all(word in f"{code.name} {code.definition}".casefold() for word in words)
    )


class CodesSheet(Struct, frozen=True, dict=True):
    """The labels as rows.

    Args:
        codes: those that are shown, in their order.
        runs: the runs whose counts have a column where there is room, newest first, with their short names.
        shown: the id of the run of the Triage screen; its column is lit.
    """

    codes: tuple[Code, ...]
    runs: tuple[tuple[str, str], ...] = ()
    shown: str | None = None

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The labels."""
        return tuple(code.name for code in self.codes)

    @cached_property
    def _run(self) -> int:
        """Cells of a run's column."""
        longest = max((width(preview(title)) for _, title in self.runs), default=0)
        return min(max(longest, RUN_LEAST), RUN_MOST)

    @cached_property
    def _longest(self) -> int:
        return max((width(preview(code.name)) for code in self.codes), default=0)

    def _columns(self, cells: int) -> tuple[int, list[tuple[str, str]]]:
        """Cells of the name, and the runs that have a column, oldest first."""
        name = min(max(self._longest, NAME_LEAST), NAME_MOST)
        room = cells - 1 - name - GAP - COUNT - GAP - DEFINITION_LEAST - 1
        count = max(min(room // (self._run + GAP), len(self.runs), 5), 0)
        # The run that is shown is always among them.
        first = [one for one in self.runs if one[0] == self.shown]
        others = [one for one in self.runs if one[0] != self.shown]
        taken = {one[0] for one in [*first, *others][:count]}
        return name, [one for one in reversed(self.runs) if one[0] in taken]

    def heading(self, cells: int, lit: bool, ink: Palette) -> Strip:
        """`label`, how often, in each run, what it means."""
        on = "raised"
        ground, voice = ink("text", on), ink("text" if lit else "faint", on)
        name, runs = self._columns(cells)
        parts: list[Part] = [
            (" " + fit("label", name), voice), (" " * GAP + fit("cases", COUNT, right=True), voice),
        ]  # fmt: skip
        for ident, title in runs:
            style = ink("text bold", on) if ident == self.shown else voice
            parts.append((" " * GAP + fit(preview(title), self._run, right=True), style))
        parts.append((" " * GAP + "means", voice))
        return line(parts, [], cells, ground)

    def paint(self, place: int, cells: int, *, cursor: bool, focused: bool, ink: Palette) -> Strip:
        """A label."""
        code = self.codes[place]
        on = "cursor" if cursor else "bg"
        text, quiet = ink("text", on), ink("muted", on)
        faint = quiet if cursor else ink("faint", on)
        name, runs = self._columns(cells)
        head = (">", ink.fill("focus") if focused else text) if cursor else (" ", text)
        used = text if code.total else faint
        parts: list[Part] = [
            head, (fit(preview(code.name), name), ink("text bold", on) if cursor else used),
            (" " * GAP + fit(_count(code.total), COUNT, right=True), used),
        ]  # fmt: skip
        for ident, _ in runs:
            count = code.uses.get(ident, 0)
            parts.append((" " * GAP + fit(_count(count), self._run, right=True), quiet if count else faint))
        said = one_line(code.definition) or NO_DEFINITION
        parts.append((" " * GAP + said, quiet if code.definition else faint))
        return line(parts, [(" ", text)], cells, text)


def _count(count: int) -> str:
    return f"{count:,}" if count else "-"


def title_of(code: Code) -> Words:
    """The label under the cursor, and where it comes from."""
    said: list[tuple[str, str]] = [(one_line(code.name), "text bold")]
    said.append((f"   {number_of(code.total, 'case')}" if code.total else "   on no case", "muted"))
    if code.offered:
        said.append(("   offered by the settings", "faint"))
    return said


def told_of(
    code: Code, changes: Sequence[CodeChange], book: Codebook, cells: int, keys: Mapping[str, str]
) -> list[Words]:
    """What is known of a label, in lines of at most `cells` cells."""
    room = max(cells - _GUTTER - 2, 20)
    lines: list[Words] = []
    if code.definition:
        text = " ".join(code.definition.split())
        lines += _wrapped("means", text, cells, "text")
        if code.reviewer:
            lines.append(_beside("", [(f"{one_line(code.reviewer)} {_when(code.at)}", "faint")]))
    else:
        lines.append(
            _beside("means", [(keys["codes.define"], "focus bold"), (" says what it means", "muted")])
        )
    for number, one in enumerate(code.examples):
        lines.append(_beside("" if number else "such as", _bearer(one, room)))
    if not code.examples and code.total:
        lines.append(
            _beside("such as", [(keys["codes.examples"], "focus bold"), (" chooses example cases", "muted")])
        )
    if code.uses:
        counts = [f"{preview(run)} {code.uses[run]:,}" for run in book.runs if run in code.uses]
        lines += _wrapped("in runs", ", ".join(counts), cells, "muted")
    for number, change in enumerate(changes):
        lines.append(_beside("" if number else "history", said_of(change, room)))
    return lines


def _beside(word: str, words: Words) -> Words:
    return labelled(word, words, _GUTTER)


def _wrapped(word: str, text: str, cells: int, role: str) -> Iterator[Words]:
    return wrapped(word, text, role, cells, gutter=_GUTTER, most=cells)


def _bearer(one: Bearer, room: int) -> Words:
    name = f"{preview(one.run)} {preview(one.case_id)}"
    said = one_line(one.query) or "no longer loaded"
    return [(f"{cut(name, 28)}  ", "muted"), (cut(said, max(room - min(width(name), 28) - 2, 8)), "text")]


def _when(at: str) -> str:
    """`11-29 10:41`."""
    return at[5:16].replace("T", " ")


def said_of(change: CodeChange, room: int) -> Words:
    """A change in one line: when, who, what, on how many cases."""
    did = one_line(change.said)
    cases = f" on {number_of(change.cases, 'case')}" if change.cases else ""
    text = f"{did}{cases}{', taken back' if change.undone else ''}"
    who = f"{_when(change.at)}  {cut(preview(change.reviewer), 12)}  "
    return [(who, "faint"), (cut(text, max(room - width(who), 8)), "faint" if change.undone else "muted")]
