"""How the user wants the app: themes and keys, from the settings and from files, now and when they change."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from textual.app import App

from triage import paths
from triage.errors import TriageError
from triage.plain import cut, one_line
from triage.ui import themes
from triage.ui.keys import shown_keys

if TYPE_CHECKING:
    from textual.theme import Theme

    from triage.settings import Settings
    from triage.ui.app import TriageApp

TOLD = 200
"""Most cells of what is told of the settings at once."""
SECONDS = 10
"""How long it stands there."""


class Preferences:
    """Applies themes and keys, and keeps what is wrong with them.

    `key_map` (binding id -> keys, of what is not as by default) is changed in place: who has it follows.
    """

    def __init__(self, app: TriageApp, theme: str | None) -> None:
        """`theme` is the name or file that the command line asks for.

        Raises:
            UsageError: no such theme.
        """
        self._app = app
        self._asked = theme
        self._problems: dict[str, list[str]] = {
            "settings": [],
            "list": [],
            "keys": [],
            "themes": [],
            "theme": [],
        }
        self._told: set[str] = set()
        self._read = False
        self._files: list[Path] = []
        self.names: frozenset[str] = frozenset()
        """Names of the themes that are ours or the user's."""
        self.key_map: dict[str, str] = {}
        self.color_system = app.console.color_system if "NO_COLOR" not in os.environ else "truecolor"
        settings = app.workspace.settings
        self._take_settings(settings)
        self._take_keys(settings)
        self._register(themes.built_in(self.color_system))
        self._begin(settings)

    # the start

    def _begin(self, settings: Settings) -> None:
        """Choose the first theme; files are read for it only where it is none of the built-in ones."""
        saved = self._app.memory.theme
        for word in (self._asked, settings.theme, saved):
            if word is not None and word not in self.names:
                self.read_files()
                break
        else:
            if paths.is_folder(paths.theme_dir()):
                self.read_files()
        asked = self._named(self._asked, strict=True)
        if asked is None and (asked := self._named(settings.theme, strict=False)) is None:
            self._app.theme = themes.choose(None, saved, self.names, self.color_system)
        else:
            self._app.theme = asked

    def _named(self, word: str | None, *, strict: bool) -> str | None:
        """The theme that a word means, None = another is to be taken; a `strict` word that is none raises."""
        if word is None:
            return None
        wrong: TriageError | None = None
        if themes.is_path(word):
            path = paths.typed(word)
            if paths.is_file(path):
                return self._from_file(path)
            wrong = themes.no_such_file(path)
        elif word not in self.names:
            wrong = themes.no_such_theme(word, self.names)
        if wrong is None:
            return word
        if strict:
            raise wrong
        self._problems["theme"] = [f"{wrong}: {self._fallback()} is used"]
        return None

    def _fallback(self) -> str:
        return themes.choose(None, self._app.memory.theme, self.names, self.color_system)

    def _from_file(self, path: Path) -> str | None:
        from triage.ui.theme_files import ThemeError, read_theme

        if path not in self._files:
            self._files.append(path)
        try:
            theme = read_theme(path)
        except ThemeError as error:
            self._problems["theme"] = [f"{error}: {self._fallback()} is used"]
            return None
        self._register([themes.textual_theme(theme, self.color_system)])
        return theme.name

    def _register(self, found: list[Theme]) -> None:
        for theme in found:
            self._app.register_theme(theme)
        self.names |= {theme.name for theme in found}

    def started(self) -> None:
        """The first paint is over: read the theme files that it did without, and tell what is wrong."""
        if not self._read:
            self.read_files()
        self._look_at_list(self._app.workspace.settings)
        self.tell()
        if self._app.workspace.settings.confidence and not self.problems:
            self._tell_confidence(self._app.workspace.settings)

    def _tell_confidence(self, settings: Settings) -> None:
        """Other confidences than the rules' own hold: what fails may differ from what another sees."""
        # Most have none set, and so no need of this.
        from triage.settings.tell import origin
        from triage.ui.work.words import number_of

        rules = number_of(len(settings.confidence), "rule")
        words = (
            f"the confidence of {rules} is set in {origin(settings, 'confidence')}: cases are judged by it"
        )
        self._app.clear_notifications()
        self._app.notify(cut(one_line(words), TOLD), timeout=SECONDS, markup=False)

    # theme files

    def read_files(self) -> None:
        """Register the themes of the shipped and the user's folder, and of the file asked for."""
        from triage.ui.theme_files import load_themes

        self._read = True
        folders = [path for path in (paths.bundled("themes"), paths.theme_dir()) if paths.is_folder(path)]
        found, errors = load_themes([*folders, *self._files], self.color_system)
        known = {theme.name for theme in found}
        for name in self.names - known:
            if name != self._app.theme:
                self._app.unregister_theme(name)
        # The theme in use stays although its file is gone or can't be read now.
        self.names &= {self._app.theme}
        self._register(found)
        self._problems["themes"] = [str(error) for error in errors]

    def reload_themes(self) -> None:
        """Theme files have changed: what is in use is seen at once, what is wrong is told once."""
        before = self._app.current_theme
        self.read_files()
        if self._app.current_theme != before:
            self._app.mutate_reactive(App.theme)
        self.tell()

    def keep_theme(self, name: str) -> None:
        """Use a theme now, and the next time where nothing else asks for one."""
        if name not in self.names:
            return
        app = self._app
        app.theme = name
        app.memory.remember(theme=name)
        set_theme = app.workspace.settings.theme
        screen = app.triage
        if screen is not None and set_theme is not None and set_theme != name:
            screen.speech.say(f"{name} for now: the settings say {one_line(set_theme)}, which is next time's")

    @property
    def files(self) -> tuple[Path, ...]:
        """Theme files that were asked for by their paths."""
        return tuple(self._files)

    # settings

    def reload_settings(self) -> None:
        """Settings files have changed: what can hold at once does, the rest is named."""
        from triage.settings import load_settings
        from triage.settings.table import SETTINGS

        old, new = self._app.workspace.settings, load_settings(lenient=True)
        if any(not problem.key for problem in new.problems):
            # A file that can't be read at all is half saved, or about to be mended: what held goes on.
            self._take_settings(new)
            self.tell()
            return
        self._look_at_list(new)
        changed = [setting for setting in SETTINGS if setting.of(old) != setting.of(new)]
        self._take_settings(new)
        self._app.workspace.settings = new
        names = {setting.name for setting in changed}
        if "keys" in names:
            self._take_keys(new)
            self._app.keys_changed()
        if "theme" in names and self._asked is None:
            self._problems["theme"] = []
            name = self._named(new.theme, strict=False)
            if name is not None:
                self._app.theme = name
        screen = self._app.triage
        judged = {"failing_confidence", "confidence"} & names
        if screen is not None and judged:
            screen.selection.refresh()
        later = [
            f"{setting.name} holds from {setting.holds}" for setting in changed if setting.holds != "at once"
        ]
        if judged:
            later.insert(0, "the rules' confidence is another: cases are judged anew")
        if screen is not None and changed:
            screen.speech.say("settings read again" + "".join(f"; {words}" for words in later))
        self.tell()

    def _take_settings(self, settings: Settings) -> None:
        self._problems["settings"] = [str(problem) for problem in settings.problems]

    def _look_at_list(self, settings: Settings) -> None:
        self._problems["list"] = []
        if not settings.sort and not settings.columns:
            return
        # Most have neither, and so no need of these.
        from triage.settings.tell import placed
        from triage.ui.widgets.cells import columns_of
        from triage.workspace.cases import can_sort

        if settings.sort and not can_sort(settings.sort):
            reason = f"{settings.sort!r} is no field or metric to sort by"
            self._problems["list"].append(placed(settings, ("sort",), reason))
        for key in columns_of(settings.columns or (), 3)[1]:
            reason = f"{key!r} is no column: a field, a metric's key or record.KEY"
            self._problems["list"].append(placed(settings, ("columns",), reason))

    def _take_keys(self, settings: Settings) -> None:
        self.key_map.clear()
        told: Mapping[str, str] = {}
        self._problems["keys"] = []
        if settings.keys:
            # Most have no keys of their own, and so no need of this.
            from triage.settings.tell import placed
            from triage.ui.keymap import keyboard

            changed, told, problems = keyboard(settings.keys)
            self.key_map.update(changed)
            self._problems["keys"] = [placed(settings, ("keys", one.ident), one.reason) for one in problems]
        self._app.set_keymap(dict(told))

    # what is wrong

    @property
    def problems(self) -> list[str]:
        """What of settings, keys and themes can't be used, a sentence each."""
        said = [problem for problems in self._problems.values() for problem in problems]
        return [_shorter(problem) for problem in said]

    def tell(self) -> None:
        """Tell what has not been told yet; what was mended meanwhile would be told again."""
        problems = self.problems
        new = [problem for problem in problems if problem not in self._told]
        self._told = set(problems)
        if new:
            more = f" (and {len(new) - 1} more)" if len(new) > 1 else ""
            words = cut(one_line(new[0]), TOLD) + more
            palette = shown_keys(self.key_map)["palette"]
            self._app.clear_notifications()
            self._app.notify(f"{words}   {palette} settings tells more", timeout=SECONDS, markup=False)


def _shorter(problem: str) -> str:
    """A sentence in which the paths of settings files are as seen from here: a toast is narrow."""
    from triage.settings import places
    from triage.settings.tell import short

    for path in places():
        problem = problem.replace(str(path), short(path))
    return problem
