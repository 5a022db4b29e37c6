"""The settings in effect, to read: each with where it is from, after what of the files can't be used."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.plain import cut
from triage.settings.table import SETTINGS
from triage.settings.tell import origin, said
from triage.ui.screens.dialogs import Listing

if TYPE_CHECKING:
    from triage.ui.app import TriageApp

VALUE = 60
"""Most cells of a value."""


def show_settings(app: TriageApp) -> None:
    """Open the list over the present screen."""
    settings = app.workspace.settings
    lines = [f"wrong  {problem}" for problem in app.preferences.problems]
    lines += [""] if lines else []
    for setting in SETTINGS:
        value = cut(said(setting.of(settings)), VALUE)
        lines.append(f"{setting.name:<20}{value}  ({origin(settings, setting.name)})")
    lines += ["", "triage settings --write writes a file that explains each of them"]
    app.push_screen(Listing("settings", lines))
