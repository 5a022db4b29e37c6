"""Where the list is to be written, and which part of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, Literal

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Input, Static

from triage.ui.screens.dialogs import Dialog
from triage.ui.widgets.fields import Field

Format = Literal["csv", "jsonl", "markdown"]
FORMATS: dict[str, Format] = {".csv": "csv", ".jsonl": "jsonl", ".md": "markdown", ".markdown": "markdown"}
Part = Literal["tagged", "shown"]


@dataclass(frozen=True, slots=True)
class Wanted:
    """The answer: which part, in which format, to which file."""

    part: Part
    format: Format
    path: Path


class ExportDialog(Dialog[Wanted]):
    """The part by up and down, the file by name; its ending is the format. Asks before it overwrites.

    Args:
        name: the file name to begin with.
        shown: how many cases the list holds, and in which words it was asked for.
        exists: tells whether a file is there already.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "part('tagged')", show=False),
        Binding("down", "part('shown')", show=False),
    ]

    def __init__(self, name: str, shown: str, exists: Callable[[Path], bool] = Path.exists) -> None:
        super().__init__("export", "")
        self._name, self._shown, self._exists = name, shown, exists
        self._part: Part = "tagged"
        self._asked: Path | None = None

    def content(self) -> ComposeResult:
        """The parts, and the file."""
        yield Static(id="parts", classes="about")
        yield Field(self._name, compact=True, select_on_focus=False)

    def on_mount(self) -> None:
        """Begin with what is tagged."""
        super().on_mount()
        self._paint()

    def _paint(self) -> None:
        parts: tuple[tuple[Part, str], ...] = (
            ("tagged", "tagged: every verdict but `fine`"),
            ("shown", f"as shown: {self._shown}"),
        )
        lines = [
            Content.assemble(
                ("> ", "$focus bold") if part == self._part else "  ",
                (words, "$text bold" if part == self._part else "$muted"),
            )
            for part, words in parts
        ]
        self.query_one("#parts", Static).update(Content("\n").join(lines))
        self._say()

    def _format(self, text: str) -> Format | None:
        return FORMATS.get(Path(text).suffix.casefold())

    def _say(self) -> None:
        self._asked = None
        text = self.query_one(Input).value.strip()
        made = self._format(text)
        if made is None:
            self.tell("a name that ends in .csv, .jsonl or .md", bad=bool(text))
        else:
            self.tell(f"enter writes {made}   up and down: which part   esc leaves")

    def action_part(self, part: Part) -> None:
        """Choose the part."""
        self._part = part
        self._paint()

    @on(Input.Changed)
    def _typed(self) -> None:
        self._say()

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        made = self._format(text)
        if made is None:
            self._say()
            return
        path = Path(text).expanduser()
        if self._exists(path) and self._asked != path:
            self._asked = path
            self.tell(
                f"{path.name} is there already: enter again overwrites it, or give another name", bad=True
            )
            return
        self.dismiss(Wanted(self._part, made, path))
