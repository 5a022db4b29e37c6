"""Themes in the app: seen while they are chosen, remembered, told where a file can't be used, read again."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace
from screen_help import settle, text_of
from textual.color import Color
from textual.pilot import Pilot

from triage import paths
from triage.errors import UsageError
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.palette import colours
from triage.ui.screens.theme import ThemeDialog
from triage.workspace import Workspace

MINE = 'name = "mine"\n[roles]\nbg = "{}"\n'


def own_theme(name: str, text: str) -> Path:
    path = paths.theme_dir() / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")
    return path


def told(app: TriageApp) -> str:
    return " | ".join(note.message for note in app._notifications)


def ground(app: TriageApp) -> str:
    """The background of the list's first row."""
    strip = app.screen._compositor.render_strips()[10]
    style = next(segment.style for segment in strip if segment.style is not None and segment.style.bgcolor)
    assert style.bgcolor is not None and style.bgcolor.triplet is not None
    return style.bgcolor.triplet.hex


async def choosing(app: TriageApp, pilot: Pilot[int]) -> ThemeDialog:
    await settle(pilot)
    await pilot.press("T")
    await settle(pilot, lambda: isinstance(app.screen, ThemeDialog))
    assert isinstance(app.screen, ThemeDialog)
    return app.screen


async def test_the_theme_under_the_cursor_is_seen_and_esc_brings_back_the_one_before(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await choosing(app, pilot)
        before = ground(app)
        for name in ("triage-light", "triage-okabe"):
            await pilot.press("down")
            await settle(pilot, lambda name=name: app.theme == name)
        await pilot.pause()
        okabe = app.get_theme("triage-okabe")
        assert okabe is not None
        assert ground(app) == Color.parse(okabe.variables["bg"]).hex.lower() != before
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        assert (app.theme, app.memory.theme) == ("triage-dark", None)
        assert ground(app) == before


async def test_enter_keeps_the_theme_for_the_next_time(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await choosing(app, pilot)
        shown = text_of(app)
        for name in ("ansi", "contrast", "dark", "light", "okabe"):
            assert f"triage-{name}" in shown
        assert "> triage-dark" in shown and "16 colours" in shown
        await pilot.press("k", "enter")
        await settle(pilot, lambda: app.screen is app.triage)
        assert app.theme == "triage-contrast"
    assert TriageApp(workspace).theme == "triage-contrast"


async def test_a_theme_of_the_users_folder_is_offered(app: TriageApp) -> None:
    own_theme("mine.toml", MINE.format("#000001"))
    async with app.run_test(size=(120, 40)) as pilot:
        await choosing(app, pilot)
        assert text_of(app).count("mine ") == 1
        assert app.preferences.problems == []


async def test_what_the_settings_say_is_next_times_theme_and_that_is_said(workspace: Workspace) -> None:
    workspace.settings = replace(workspace.settings, theme="triage-light")
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.theme == "triage-light"
        await app.run_action("app.use_theme('triage-dark')")
        await settle(pilot)
        assert app.theme == "triage-dark"
        assert "the settings say triage-light" in text_of(app)


@pytest.mark.parametrize("folder", [True, False])
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("029_theme_bad_colour.toml", "line 3: colors.primary: 'bluish' is no colour"),
        ("029_theme_broken.yaml", "line 1: name: is no TOML"),
    ],
)
async def test_a_bad_theme_file_is_told_and_the_default_is_used(
    workspace: Workspace, shared: Callable[[str], Path], name: str, said: str, folder: bool
) -> None:
    path = shared(f"bugfiles/{name}")
    if folder:
        path = own_theme(name, path.read_text("utf-8"))
    app = TriageApp(workspace, theme=None if folder else str(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await settle(pilot, lambda: app.preferences.started is not None)
        assert app.theme == "triage-dark"
        assert f"{name}, {said}" in told(app)
        assert "C01" in text_of(app)


async def test_an_order_and_columns_that_there_are_not_are_told(workspace: Workspace) -> None:
    workspace.settings = Settings(sort="-nonsense", columns=("zz", "latency_ms"))
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await settle(
            pilot, lambda: "sort: '-nonsense' is no field or metric to sort by (and 1 more)" in told(app)
        )
        await app.run_action("app.settings")
        await settle(pilot, lambda: "columns: 'zz' is no column" in text_of(app))


async def test_a_theme_file_is_used_by_its_path(workspace: Workspace, tmp_path: Path) -> None:
    path = tmp_path / "theirs.toml"
    path.write_text(MINE.format("#123456"), "utf-8")
    app = TriageApp(workspace, theme=str(path))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.theme == "mine" and ground(app) == "#123456"
        path.write_text(MINE.format("#654321"), "utf-8")
        app.reload_themes()
        await settle(pilot, lambda: ground(app) == "#654321")


@pytest.mark.parametrize("theme", ["no-such", "./no-such.toml"])
def test_a_theme_that_is_not_there_is_wrong_usage_on_the_command_line(
    workspace: Workspace, theme: str
) -> None:
    with pytest.raises(UsageError, match="no such theme"):
        TriageApp(workspace, theme=theme)


async def test_a_wrong_theme_of_the_settings_is_told_and_the_default_used(workspace: Workspace) -> None:
    workspace.settings = Settings(theme="triage-lihgt")
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.theme == "triage-dark"
        assert "triage-lihgt (did you mean triage-light?): triage-dark is used" in told(app)


async def test_a_theme_file_that_changes_is_seen_at_once_and_its_faults_told_once(
    workspace: Workspace,
) -> None:
    path = own_theme("mine.toml", MINE.format("#000011"))
    app = TriageApp(workspace, theme="mine")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert ground(app) == "#000011"
        path.write_text(MINE.format("#220000"), "utf-8")
        app.reload_themes()
        await settle(pilot, lambda: ground(app) == "#220000")
        path.write_text(MINE.format("red?"), "utf-8")
        for _ in range(3):
            app.reload_themes()
        await settle(pilot)
        assert (app.theme, ground(app)) == ("mine", "#220000")
        assert len(app._notifications) == 1 and "roles.bg" in told(app)
        path.unlink()
        app.reload_themes()
        await settle(pilot)
        assert (app.theme, ground(app)) == ("mine", "#220000")
        own_theme("other.toml", 'name = "other"\n')
        app.reload_themes()
        assert "other" in app.preferences.names
        (paths.theme_dir() / "other.toml").unlink()
        app.reload_themes()
        assert "other" not in app.preferences.names


async def test_settings_that_change_hold_at_once_or_say_when(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        (tmp_path / "triage.toml").write_text(
            'theme = "triage-okabe"\nadvance = false\nhigh_risk_topics = ["x"]\nkeys.undo = "w"\nfoo = 1\n',
            "utf-8",
        )
        app.reload_settings()
        await settle(pilot)
        assert app.theme == "triage-okabe"
        assert not app.workspace.settings.advance
        shown = text_of(app)
        assert "w undo" in shown.splitlines()[-1]
        assert "high_risk_topics holds from the next load" in shown
        assert "line 5: foo" in told(app)
        (tmp_path / "triage.toml").write_text('theme = "nope\n', "utf-8")
        app.reload_settings()
        await settle(pilot)
        assert "triage.toml, line 1" in told(app)
        assert app.theme == "triage-okabe"
        assert "w undo" in text_of(app).splitlines()[-1]
        (tmp_path / "triage.toml").unlink()
        app.reload_settings()
        await settle(pilot, lambda: "u undo" in text_of(app).splitlines()[-1])
        assert app.workspace.settings.advance and app.preferences.problems == []


async def test_a_least_confidence_that_changes_is_measured_anew(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "5 failing" in text_of(app)
        (tmp_path / "triage.toml").write_text("failing_confidence = 1.0\n", "utf-8")
        app.reload_settings()
        await settle(pilot, lambda: "1 failing" in text_of(app))


async def test_every_theme_paints_every_pane_in_its_own_colours(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for name in sorted(app.preferences.names - {"triage-ansi"}):
            app.theme = name
            await settle(pilot)
            theme = app.get_theme(name)
            assert theme is not None
            known = {Color.parse(value).hex.lower() for value in theme.variables.values() if value[0] == "#"}
            painted = {
                colour.get_truecolor().hex
                for row in app.screen._compositor.render_strips()
                for segment in row
                if segment.style is not None
                for colour in (segment.style.color, segment.style.bgcolor)
                if colour is not None and not colour.is_default
            }
            assert painted <= known, name
            assert colours(app).colours["bg"].hex.lower() in painted


async def test_the_settings_are_listed_with_what_is_wrong(workspace: Workspace) -> None:
    workspace.settings = Settings(keys={"undoo": "x", "undo": "n"})
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "keys.undoo: no such action" in told(app) and "(and 1 more)" in told(app)
        await app.run_action("app.settings")
        await settle(pilot, lambda: "failing_confidence" in text_of(app))
        shown = text_of(app)
        assert "error  keys.undoo: no such action (did you mean undo?)" in shown
        assert "error  keys.undo: n is undo, so not note as well" in shown
        assert "failing_confidence  0.4  default" in shown
