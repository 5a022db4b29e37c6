"""Notices that a settings or theme file was written, so that it holds at once."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from triage import paths
from triage.settings import places
from triage.ui.messages import OwnFilesChanged

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from textual.screen import Screen

    from triage.workspace import Workspace

EVERY = 0.5
"""Seconds between two looks."""


def theme_files() -> Iterator[Path]:
    """The theme files there are: the shipped ones and the user's."""
    for folder in (paths.bundled("themes"), paths.theme_dir()):
        yield from folder.glob("*.toml")


class OwnFiles:
    """Looks every half second, off the event loop."""

    def __init__(self, screen: Screen[None], workspace: Workspace) -> None:
        self._screen = screen
        self._settings = workspace.following.few_files(places)
        self._themes = workspace.following.few_files(self._theme_files)
        self._asking = False
        self._timer = screen.set_interval(EVERY, self._look)

    def _theme_files(self) -> Iterator[Path]:
        """Those of the folders, and those that were asked for by their paths."""
        yield from theme_files()
        yield from getattr(self._screen.app, "theme_paths", ())

    def _look(self) -> None:
        if not self._asking:
            self._asking = True
            future = asyncio.get_running_loop().run_in_executor(None, self._changed)
            future.add_done_callback(self._answered)

    def _changed(self) -> tuple[bool, bool]:
        return self._settings.changed(), self._themes.changed()

    def _answered(self, future: asyncio.Future[tuple[bool, bool]]) -> None:
        self._asking = False
        # A folder that can't be read now may be read at the next look.
        if not future.cancelled() and future.exception() is None and any(future.result()):
            self._screen.post_message(OwnFilesChanged(*future.result()))

    def close(self) -> None:
        """Stop looking."""
        self._timer.stop()
