"""Help: how the usual is done, every key of the screen, the filter language, the metrics, a run file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from triage.metrics.registry import METRICS
from triage.models.guide import GUIDE, ORDER
from triage.plain import one_line
from triage.settings.tell import short
from triage.store.filter.fields import FIELDS, STATES
from triage.ui.actions import Group
from triage.ui.actions_review import SAID, SHARED
from triage.ui.keys import ACTIONS, GROUPS, SCREENS, aliases_of, keyed, keys_of, same_keys, shown_keys
from triage.ui.palette import LAYER_WORDS
from triage.ui.screens.help_texts import FILE, FILTER, TASKS, TITLES
from triage.ui.widgets.paragraphs import Paragraphs, Row

_COLUMNS: tuple[tuple[Group, ...], ...] = (("verdict", "note", "look", "run"), ("move", "app"))
"""The groups of keys that stand in each column."""
_JUDGED = ("reading", "disputes")
"""Screens of those who read or settle."""
_KEYS, _TASK, _FIELD = 10, 30, 18
"""Cells for the keys of an action, for a question, for the name of a field."""


class HelpScreen(Screen[None]):
    """Scrolled by arrows and page keys; the keys of back, help and quit leave it.

    Args:
        keymap: the user's keys by action id.
        screen: the name of the screen whose keys are told (`keys.SCREENS`).
        file_first: begin with the run file.
        database: where verdicts and notes are kept, None = nowhere that stays.
    """

    CSS_PATH = "help.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        *same_keys(back="leave", help="leave", quit="leave", next="scroll(1)", previous="scroll(-1)")
    ]

    def __init__(
        self,
        keymap: Mapping[str, str],
        *,
        screen: str = "triage",
        file_first: bool = False,
        database: Path | None = None,
    ) -> None:
        super().__init__()
        self._keymap = keymap
        self._keys = shown_keys(keymap)
        self._screen, self._file_first, self._database = screen, file_first, database

    def compose(self) -> ComposeResult:
        """The text in one scrolled piece; its keys in two columns where there is room."""
        yield Static(Content(f"help: {TITLES.get(self._screen, self._screen)}"), id="head")
        file = Paragraphs([*_title("a run file"), *(_line(line) for line in FILE.splitlines())])
        with VerticalScroll():
            if self._file_first:
                yield file
            if tasks := self._tasks():
                yield Paragraphs(tasks)
            with Horizontal(id="keys"):
                for groups in _COLUMNS:
                    yield Paragraphs(self._told(groups))
            if self._screen in _JUDGED:
                yield Paragraphs(self._verdicts())
            if self._screen == "triage":
                yield Paragraphs(self._filter())
            yield Paragraphs(_metrics())
            if not self._file_first:
                yield file
        yield Static(Content(keyed("up and down scroll   esc back", self._keymap)), id="foot")

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_leave(self) -> None:
        """Back to where it was called."""
        self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        """A line up or down."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def _tasks(self) -> list[Row]:
        """What a newcomer asks, and the keys that answer."""
        kept = "a database that goes with the app" if self._database is None else short(self._database)
        rows = _title("how do I") if TASKS.get(self._screen) else []
        for question, answer in TASKS.get(self._screen, ()):
            rows.append(Row(Content(f"  {question}"), self._answer(answer, one_line(kept)), _TASK))
        return rows

    def _answer(self, answer: str, kept: str) -> Content:
        """An answer in which `{id}` is the key of an action, and `{database}` where everything is kept."""
        parts: list[tuple[str, str]] = []
        for at, part in enumerate(answer.replace("}", "{").split("{")):
            if at % 2:
                parts.append((kept, "$text") if part == "database" else (self._keys[part], "$focus bold"))
            else:
                # What is to be typed stands between grave accents there, which a terminal can show better.
                said = enumerate(part.split("`"))
                parts.extend((text, "$text bold" if odd % 2 else "$text") for odd, text in said)
        return Content.assemble(*parts)

    def _verdicts(self) -> list[Row]:
        """What each verdict means, whole: beside a case there may be room for a few words alone."""
        rows = [*_title("what the verdicts mean"), _line(f"{ORDER}:")]
        for meaning in GUIDE:
            key = self._keys[f"verdict.{meaning.verdict}"]
            sign = Content.assemble("  ", (key, "$focus"), f" {LAYER_WORDS[meaning.verdict]}")
            rows.append(Row(sign, Content(meaning.says), _FIELD))
        return rows

    def _told(self, groups: Sequence[Group]) -> list[Row]:
        places = (*SCREENS.get(self._screen, (self._screen,)), "app")
        said = SAID.get(self._screen, {})
        rows: list[Row] = []
        for group in groups:
            shared = SHARED.get(self._screen, ())
            actions = [
                action
                for action in ACTIONS
                if action.group == group and (action.where in places or action.id in shared)
            ]
            if not actions:
                continue
            rows += _title(GROUPS[group], after=bool(rows))
            for action in actions:
                keys = " ".join(keys_of(action, self._keymap)) or self._keys["palette"]
                also = " ".join(aliases_of(action, self._keymap))
                says = Content.assemble(
                    (said.get(action.id, action.says), "$text"), f"  or {also}" if also else ""
                )
                rows.append(Row(Content.assemble("  ", (keys, "$focus")), says, _KEYS + 2))
        if groups is _COLUMNS[-1]:
            palette = f"Every action is in the palette, {self._keys['palette']}, by these words."
            rows += [_line(""), Row(Content(""), Content(palette), 0)]
        return rows

    def _filter(self) -> list[Row]:
        rows = [*_title("the filter language"), *(_line(line) for line in FILTER.splitlines())]
        for name, (_, means) in STATES.items():
            rows.append(Row(Content.assemble("  ", (f"is:{name}", "$text")), Content(means), _FIELD + 2))
        for field in FIELDS:
            example = Content.assemble(f"{field.means}  ", (field.example, "$text"))
            rows.append(Row(Content.assemble("  ", (field.name, "$text")), example, _FIELD + 2))
        return rows


def _metrics() -> list[Row]:
    rows = _title("metrics")
    for metric in METRICS:
        rows.append(Row(Content.assemble("  ", (metric.titled(3), "$text")), Content(metric.key), 32))
        rows.append(Row(Content("      tells"), Content(metric.tells), 12))
        rows.append(Row(Content("      not"), Content(metric.does_not_tell), 12))
    return rows


def _title(words: str, *, after: bool = False) -> list[Row]:
    title = Row(Content.styled(words, "$text bold"), Content(""), 0)
    return [_line(""), title] if after else [title]


def _line(text: str) -> Row:
    return Row(Content(f"  {text}" if text else ""), Content(""), 0)
