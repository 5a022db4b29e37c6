"""Help: every key, every metric, the filter language, and what a run file looks like."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from triage.metrics.registry import METRICS
from triage.store.filter.fields import FIELDS
from triage.ui.keys import ACTIONS, GROUPS, Group, keys_of, shown

_FILE = """A run file is one evaluation run. The simplest is a record a line:

{"id": "E02", "query": "Can I still change the address?",
 "answerable": true, "expected_ids": ["KB-ADDRESS"],
 "retrieved": [{"id": "KB-ADDRESS", "text": "...", "score": 0.83}],
 "answer": "Yes, once, until it is sent. [S1]", "citations": ["S1"]}

Only `id` and `query` are required. What is not recorded is left out of
the metrics that need it, and never counts as zero. The first line may
be a header:

{"run": {"id": "kb42", "dataset": {"name": "support"}, "k": 3}}

A JSON list of records, or {"run": {...}, "cases": [...]}, is read as
well, also gzipped. `--map FIELD=PATH` reads fields of other names."""
_FILTER = """words                 in query, answer and notes; "two words" as a phrase
topic:refund          a field; several with a space between: all of them
-topic:refund         or NOT: every other case, missing ones too
rank:>3 cost:[1 TO 5] numbers and dates compare, ranges in brackets
a OR b, (a b) -c      either; groups
faithfulness:<=2      any metric's key; missing:KEY where not recorded
field:*               recorded at all; * in a word stands for anything
is:...                failing passing reviewed unreviewed tagged disputed
                      marked inferred high-risk
What is no field and no key of the run is searched as text; the row
then says `text: ...`."""
_COLUMNS: tuple[tuple[Group, ...], ...] = (("verdict", "note", "look", "run"), ("move", "app"))
"""The groups of keys that stand in each column."""
_KEYS = 10
"""Cells for the keys of an action."""


class HelpScreen(Screen[None]):
    """Scrolled by arrows and page keys; esc, q or ? leave it.

    Args:
        keymap: the user's keys by action id.
        file_first: begin with the run file.
    """

    CSS_PATH = "help.tcss"
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (116, "-wide")]  # noqa: RUF012
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,fullwidth_question_mark", "leave", show=False),
        Binding("j", "scroll(1)", show=False),
        Binding("k", "scroll(-1)", show=False),
    ]

    def __init__(self, keymap: Mapping[str, str], *, file_first: bool = False) -> None:
        super().__init__()
        self._keymap = keymap
        self._file_first = file_first

    def compose(self) -> ComposeResult:
        """The text in one scrolled piece; its keys in two columns where there is room."""
        yield Static(Content("help"), id="head")
        file = Static(_joined(_section("a run file", _FILE.splitlines())), classes="text")
        with VerticalScroll():
            if self._file_first:
                yield file
            with Horizontal(id="keys"):
                for groups in _COLUMNS:
                    yield Static(_joined(self._keys(groups)), classes="text")
            yield Static(_joined([*self._filter(), Content(""), *self._metrics()]), classes="text")
            if not self._file_first:
                yield file
        yield Static(Content("up and down scroll   esc back"), id="foot")

    def on_mount(self) -> None:
        """The arrows scroll."""
        self.query_one(VerticalScroll).focus()

    def action_leave(self) -> None:
        """Back to where it was called."""
        self.dismiss(None)

    def action_scroll(self, step: int) -> None:
        """A line up or down."""
        self.query_one(VerticalScroll).scroll_relative(y=step, animate=False)

    def _keys(self, groups: Sequence[Group]) -> list[Content]:
        lines: list[Content] = []
        for group in groups:
            lines += (
                [Content(""), Content.styled(GROUPS[group], "$text bold")]
                if lines
                else [Content.styled(GROUPS[group], "$text bold")]
            )
            for action in ACTIONS:
                if action.group != group:
                    continue
                keys = " ".join(keys_of(action, self._keymap)) or "ctrl+p"
                also = " ".join(map(shown, action.aliases))
                lines.append(
                    Content.assemble(
                        "  ",
                        (keys, "$focus"),
                        " " * max(_KEYS - Content(keys).cell_length, 1),
                        (action.says, "$text"),
                        f"  or {also}" if also else "",
                    )
                )
        if groups is _COLUMNS[-1]:
            lines += [Content(""), Content("Every action is in the palette, ctrl+p, by these words.")]
        return lines

    def _filter(self) -> list[Content]:
        lines = _section("the filter language", _FILTER.splitlines())
        for field in FIELDS:
            lines.append(
                Content.assemble(
                    "  ", (f"{field.name:<18}", "$text"), f"{field.means}  ", (field.example, "$muted")
                )
            )
        return lines

    def _metrics(self) -> list[Content]:
        lines = [Content.styled("metrics", "$text bold")]
        for metric in METRICS:
            if metric.built:
                lines.append(
                    Content.assemble("  ", (f"{metric.titled(3):<30}", "$text"), (metric.key, "$muted"))
                )
                lines.append(Content(f"      tells {metric.tells}"))
                lines.append(Content(f"      not   {metric.does_not_tell}"))
        return lines


def _joined(lines: Sequence[Content]) -> Content:
    return Content("\n").join(lines)


def _section(title: str, lines: Sequence[str]) -> list[Content]:
    return [Content.styled(title, "$text bold"), *(Content(f"  {line}") for line in lines)]
