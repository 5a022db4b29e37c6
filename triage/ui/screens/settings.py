"""The settings in effect, to read: each with where it is from, after what of the files can't be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content

from triage.plain import cut, one_line
from triage.settings.table import SETTINGS
from triage.settings.tell import origin, said
from triage.ui.screens.dialogs import Listing
from triage.ui.widgets.paragraphs import Paragraphs, Row

if TYPE_CHECKING:
    from triage.ui.app import TriageApp

NAME, VALUE = 20, 120
"""Cells of a setting's name, and most of a value."""


class SettingsDialog(Listing):
    """What is wrong, in bad; then every setting."""

    def __init__(self, app: TriageApp) -> None:
        super().__init__("settings", ())
        settings = app.workspace.settings
        self._rows = [
            Row(Content.styled("error", "$bad bold"), Content.styled(one_line(problem), "$bad"), 7)
            for problem in app.preferences.problems
        ]
        self._rows += [Row(Content(""), Content(""), 0)] if self._rows else []
        for setting in SETTINGS:
            value = cut(one_line(said(setting.of(settings))), VALUE)
            text = Content.assemble(
                (f"{value}  " if value else "", "$text"), one_line(origin(settings, setting.name))
            )
            self._rows.append(Row(Content.styled(setting.name, "$text"), text, NAME))
        file = "`triage settings --write` writes a file that explains each of them"
        self._rows += [Row(Content(""), Content(""), 0), Row(Content(""), Content(file), 0)]

    def content(self) -> ComposeResult:
        """The rows."""
        with VerticalScroll():
            yield Paragraphs(self._rows)


def show_settings(app: TriageApp) -> None:
    """Open the list over the present screen."""
    app.push_screen(SettingsDialog(app))
