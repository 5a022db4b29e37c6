"""The app: themes, keys, dialogs over the Triage screen, and an orderly end."""

from __future__ import annotations

import asyncio
import gc
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import BindingType
from textual.command import CommandPalette, Provider
from textual.screen import Screen
from textual.scrollbar import ScrollBar
from textual.widget import Widget

from triage import paths as places
from triage.errors import TriageError
from triage.models.run import LoadOptions
from triage.plain import one_line
from triage.ui.keys import bindings, shown_keys
from triage.ui.messages import DatabaseWanted, DemoWanted
from triage.ui.paging import Ahead
from triage.ui.screens.triage import TriageScreen
from triage.ui.terminal_app import TerminalApp
from triage.ui.themes import theme_variable_defaults
from triage.ui.widgets.scrollbar import PlainScrollBar
from triage.ui.work.memory import Memory
from triage.ui.work.preferences import Preferences

if TYPE_CHECKING:
    from triage.workspace import Workspace


def _palette() -> type[Provider]:
    from triage.ui.providers import Actions

    return Actions


class TriageApp(TerminalApp):
    """Interactive triage of one workspace.

    Args:
        workspace: everything it shows and writes.
        paths, options: files to read after the first paint.
        theme: the name of a theme, None = the one of settings, else of the last sitting.
        open_case: (run id, case id) to begin at.
        review: (run id, name of a sample to read at once or None, blind) to begin at.
        demo: the workspace is thrown away; said in the head.
        memory: what the last sitting left.
        ahead: a reading of the first page that is under way.

    Raises:
        TriageError: no such theme.
    """

    TITLE = "triage"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("app")]
    COMMANDS: ClassVar[set[type[Provider] | Callable[[], type[Provider]]]] = {_palette}
    ENABLE_COMMAND_PALETTE = True
    # Textual loads no stylesheet of its own for the default screen, so that one is the app's.
    CSS_PATH = "screens/triage.tcss"

    def __init__(
        self,
        workspace: Workspace,
        *,
        paths: Sequence[Path] = (),
        options: LoadOptions | None = None,
        theme: str | None = None,
        open_case: tuple[str, str] | None = None,
        review: tuple[str, str | None, bool] | None = None,
        demo: bool = False,
        memory: Memory | None = None,
        ahead: Ahead | None = None,
    ) -> None:
        super().__init__()
        self.animation_level = "none"
        # Every scrollbar, the palette's too, is drawn in whole cells of background.
        ScrollBar.renderer = PlainScrollBar
        self.workspace = workspace
        self.memory = memory or Memory(places.state_file())
        self._ahead = ahead
        self._paths, self._options = paths, options
        self._open_case: tuple[str, str | None] | None = open_case
        self._review, self._demo = review, demo
        if review is not None:
            self._open_case = (review[0], None)
        self._throw_away: tempfile.TemporaryDirectory[str] | None = None
        self._asking_to_quit = False
        self.preferences = Preferences(self, theme)
        self.stylesheet.set_variables(self.get_css_variables())
        self._styled = False

    def refresh_css(self, animate: bool = True) -> None:
        """Textual begins with a call for the theme, which its stylesheet has known since the app was made."""
        if self._styled:
            super().refresh_css(animate)
        self._styled = True

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Our variables under a theme that is not ours."""
        return theme_variable_defaults()

    def get_default_screen(self) -> Screen[None]:
        """The Triage screen is the first and lowest."""
        return self._triage_screen(self._paths, "demo" if self._demo else "")

    def _triage_screen(self, paths: Sequence[Path], aside: str) -> TriageScreen:
        screen = TriageScreen(
            self.workspace,
            self.memory,
            ahead=self._ahead,
            paths=paths,
            options=self._options,
            open_case=self._open_case,
            aside=aside,
            keymap=self.key_map,
        )
        self.writers.append(screen.writer)
        return screen

    def on_ready(self) -> None:
        """The start is over; what of settings, keys and theme files can't be used is told."""
        gc.freeze()
        gc.enable()
        if self.terminal is not None and self.triage is not None:
            self.call_after_refresh(self._follow_title, self.triage)
        self.call_after_refresh(self.preferences.started)
        if self._review is not None and self.triage is not None:
            from triage.ui.screens.review import begin_at

            self.push_screen(begin_at(self.triage, self.workspace, self.key_map, *self._review))

    async def _open_screen(self, screen: TriageScreen) -> None:
        await self.push_screen(screen)
        self._follow_title(screen)

    def _follow_title(self, screen: TriageScreen) -> None:
        from triage.ui.work.title import follow

        follow(self, screen)

    @property
    def triage(self) -> TriageScreen | None:
        """The Triage screen, wherever it stands in the stack; the demo's before the empty one under it."""
        screens = reversed(self.screen_stack)
        return next((screen for screen in screens if isinstance(screen, TriageScreen)), None)

    @property
    def shown_run(self) -> str | None:
        """Id of the run that is shown."""
        screen = self.triage
        return screen.run_shown.id if screen is not None and screen.run_shown is not None else None

    def action_help(self) -> None:
        """Every key, every metric, the filter language."""
        from triage.ui.screens.help import HelpScreen

        if not isinstance(self.screen, HelpScreen):
            kept = None if self._throw_away is not None or self._demo else self.workspace.database
            name = getattr(self.screen, "KEYS", "triage")
            # Where no run is there, what a run file is; elsewhere "first" means another beginning.
            first = name == "triage" and self.screen.has_class("-first")
            self.push_screen(HelpScreen(self.key_map, screen=name, file_first=first, database=kept))

    def action_command_palette(self) -> None:
        """Every action by name."""
        # Imported here because its classes take longer to make than those of the first paint.
        from triage.ui.screens.commands import Commands

        if not isinstance(self.screen, CommandPalette):
            self.push_screen(Commands())

    @property
    def key_map(self) -> Mapping[str, str]:
        """Binding id -> keys joined by commas, of what is not as by default; it follows the settings."""
        return self.preferences.key_map

    def keys_changed(self) -> None:
        """The keys are others now: what names them is painted anew."""
        for screen in self.screen_stack:
            if changed := getattr(screen, "keys_changed", None):
                changed()
            for widget in screen.walk_children(Widget):
                widget.refresh()

    @property
    def theme_paths(self) -> Sequence[Path]:
        """Theme files that were asked for by their paths."""
        return self.preferences.files

    def reload_themes(self) -> None:
        """Theme files have changed: see `Preferences.reload_themes`."""
        self.preferences.reload_themes()

    def reload_settings(self) -> None:
        """Settings files have changed: see `Preferences.reload_settings`."""
        self.preferences.reload_settings()

    def action_use_theme(self, name: str) -> None:
        """Use another theme, now and the next time."""
        self.preferences.keep_theme(name)

    def action_theme(self) -> None:
        """Choose a theme, seen at once."""
        from triage.ui.screens.theme import choose_theme

        self.run_worker(choose_theme(self), group="asking", exit_on_error=False)

    def action_settings(self) -> None:
        """Every setting, where it is from, and what of them can't be used."""
        from triage.ui.screens.settings import show_settings

        show_settings(self)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A run that came can be opened where one has."""
        if action != "open_new":
            return super().check_action(action, parameters)
        follow = self.triage.follow if self.triage is not None else None
        return follow is not None and bool(follow.new) and not self.screen.has_class("-tiny")

    def action_open_new(self) -> None:
        """Show the run that came while its folder was followed, and nothing over it."""
        screen = self.triage
        if screen is not None and screen.follow is not None:
            while self.screen is not screen:
                self.screen.dismiss(None)
            screen.follow.open_new()

    def action_help_quit(self) -> None:
        """ctrl+c never ends anything: it says what does."""
        screen = self.triage
        if screen is not None:
            screen.speech.say(f"{screen.shown_keys['quit']} quits")

    async def action_quit(self) -> None:
        """Quit; ask while a draft is open or something is not on disk yet."""
        if not self._asking_to_quit:
            self._asking_to_quit = True
            self.run_worker(self._quit(), group="quit", exit_on_error=True)

    async def _quit(self) -> None:
        from triage.ui.screens.dialogs import Decide
        from triage.ui.screens.note import NoteBox

        box = next((screen for screen in self.screen_stack if isinstance(screen, NoteBox)), None)
        if box is not None and box.open_draft:
            await box.flush()
            about = (
                f"The note on {one_line(box.case_id)} is not saved. Its draft is kept and comes back with "
                f"{shown_keys(self.key_map)['note']}."
            )
            answer = await self.push_screen_wait(
                Decide("quit?", about, [("q", "quit"), ("s", "save it and quit")])
            )
            if answer is None:
                self._asking_to_quit = False
                return
            if answer == "s":
                box.action_save()
                await asyncio.sleep(0)
        screen = self.triage
        if screen is not None and not await screen.writer.drained(2.0):
            about = f"{screen.writer.waiting} of your last keys are not on disk: the database is busy."
            answer = await self.push_screen_wait(
                Decide("quit?", about, [("q", "quit without them"), ("w", "wait")])
            )
            if answer != "q":
                self._asking_to_quit = False
                return
        if screen is not None:
            self.memory.remember(**screen.selection.to_remember())
        self.exit(0)

    async def on_demo_wanted(self, event: DemoWanted) -> None:
        """Show the sample runs on a database of their own that goes with the app."""
        from triage.workspace import Workspace

        samples = places.bundled("sample_runs")
        if not samples.exists():
            raise TriageError("no demo", f"{samples} is not there", "install triage again")
        self._throw_away = tempfile.TemporaryDirectory(prefix="triage-demo-", ignore_cleanup_errors=True)
        old = self.workspace
        database = Path(self._throw_away.name) / places.DATABASE
        self._ahead = None
        self.workspace = Workspace(database, old.settings, reviewer=old.reviewer)
        screen = self.triage
        if screen is not None:
            screen.look_away()
        await self._open_screen(self._triage_screen([samples], "demo"))

    async def on_database_wanted(self, event: DatabaseWanted) -> None:
        """Show another database; what waits for the old one goes on being tried."""
        from triage.workspace import Workspace

        old, screen = self.workspace, self.triage
        if screen is not None:
            screen.look_away()
        self._ahead = self._open_case = None
        self.workspace = Workspace(event.path, old.settings, reviewer=old.reviewer)
        await self._open_screen(self._triage_screen((), ""))

    def on_unmount(self) -> None:
        """The demo's database goes with the app."""
        if self._throw_away is not None:
            self.workspace.close()
            self._throw_away.cleanup()
