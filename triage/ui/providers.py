"""The command palette: every action by name, and every run, baseline and theme."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.fuzzy import Matcher

from triage.errors import TriageError
from triage.models.measure import CLASSES
from triage.plain import one_line
from triage.ui.actions_review import SAID, SHARED
from triage.ui.keys import ACTIONS, keys_of
from triage.ui.widgets.row import NAMES

if TYPE_CHECKING:
    from triage.ui.app import TriageApp


class Command(NamedTuple):
    """What the palette offers: its words, its key, the action it runs."""

    words: str
    aside: str
    run: str


def _quoted(text: str) -> str:
    """A text as an argument inside an action string."""
    return repr(text)


class Actions(Provider):
    """Every action of the table that can be done here."""

    def _commands(self) -> Iterator[Command]:
        app: TriageApp = self.app  # type: ignore[assignment]
        place = getattr(self.screen, "KEYS", "")
        shared, said = SHARED.get(place), SAID.get(place, {})
        for action in ACTIONS:
            if shared is not None and action.where == "screen" and action.id not in shared:
                continue
            if action.palette and self._can(action.run):
                keys = " ".join(keys_of(action, app.key_map))
                yield Command(said.get(action.id, action.says), keys, action.run)
        for layer in CLASSES if shared is None and self._can("screen.verdict") else ():
            yield Command(
                f"the failing cases suggested as {NAMES[layer]}", "", f"screen.go('class', {_quoted(layer)})"
            )
        for theme in sorted(app.preferences.names):
            yield Command(f"theme: {theme}", "", f"app.use_theme({_quoted(theme)})")

    def _can(self, run: str) -> bool:
        """Can the action be done on this screen?"""
        owner, _, call = run.partition(".")
        name = call.partition("(")[0]
        known = owner != "screen" or hasattr(self.screen, f"action_{name}")
        here = self.app if owner == "app" else self.screen
        return known and bool(self.screen.check_action(name, ())) and bool(here.check_action(name, ()))

    async def _runs(self) -> AsyncIterator[Command]:
        app: TriageApp = self.app  # type: ignore[assignment]
        if not hasattr(self.screen, "action_go"):
            return
        try:
            runs = await asyncio.to_thread(app.workspace.runs)
        except TriageError:
            # The screen itself tells what is wrong with the database; the palette just has no runs.
            return
        for run in runs:
            aside = one_line(f"{run.dataset or ''} {run.created_at[:10]}".strip())
            yield Command(f"open run {run.id}", aside, f"screen.go('run', {_quoted(run.id)})")
        shown = app.shown_run
        for run in runs:
            if shown is not None and run.id != shown:
                yield Command(
                    f"compare with {run.id}",
                    "baseline",
                    f"screen.against({_quoted(shown)}, {_quoted(run.id)})",
                )

    def _do(self, command: Command) -> None:
        self.app.run_worker(partial(self.app.run_action, command.run, self.screen)(), exclusive=False)

    async def discover(self) -> Hits:
        """Every action, before anything is typed."""
        for command in self._commands():
            yield DiscoveryHit(_display(command), partial(self._do, command), text=command.words)

    async def search(self, query: str) -> Hits:
        """What fits the words typed."""
        matcher = self.matcher(query)
        commands = [*self._commands(), *[command async for command in self._runs()]]
        for command in commands:
            score = matcher.match(command.words)
            if score > 0:
                shown = _lit(matcher, one_line(command.words))
                aside = (f"  {command.aside}", "$muted") if command.aside else ""
                yield Hit(
                    score, Content.assemble(shown, aside), partial(self._do, command), text=command.words
                )


def _lit(matcher: Matcher, words: str) -> Content:
    """The words with what fits lit; Textual's own way of it reads them as markup, and a run's id is data."""
    content = Content(words)
    for offset in matcher.fuzzy_search.match(matcher.query, words)[1]:
        if not words[offset].isspace():
            content = content.stylize(matcher.match_style, offset, offset + 1)
    return content


def _display(command: Command) -> Content:
    return Content.assemble(
        one_line(command.words), (f"  {command.aside}", "$muted") if command.aside else ""
    )
