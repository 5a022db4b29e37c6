"""A database that can't be used: what, where and what to do, and nothing that was done is lost."""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from screen_help import HOSTILE, settle, text_of

from triage import paths
from triage.errors import DatabaseProblem
from triage.models.query import Scope
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.problem import Problem
from triage.ui.start import ended
from triage.workspace import Workspace


def shown(app: TriageApp) -> Callable[[], bool]:
    return lambda: isinstance(app.screen, Problem)


def away(database: Path) -> Path:
    """Move a database and its log away."""
    for path in database.parent.glob(f"{database.name}*"):
        path.rename(path.with_name("away-" + path.name))
    return database.with_name("away-" + database.name)


def back(database: Path) -> None:
    for path in database.parent.glob(f"away-{database.name}*"):
        path.rename(path.with_name(path.name.removeprefix("away-")))


@pytest.mark.skipif(sys.platform == "win32", reason="an open file can't be moved there")
async def test_a_database_that_goes_is_told_and_what_was_done_meanwhile_is_written(
    app: TriageApp, workspace: Workspace, database: Path
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        first = app.triage.cases.pk
        away(database)
        await settle(pilot, shown(app))
        await pilot.pause(0.1)
        text = text_of(app)
        assert "the database is gone" in text and "Put it back" in text
        assert "try again" in text and "another database" in text and "quit" in text
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        await pilot.press("1")
        await settle(pilot, lambda: app.triage.writer.waiting == 1)
        assert app.triage.cases.keys[0] == first
        back(database)
        await settle(pilot, lambda: app.triage.writer.waiting == 0)
        await settle(pilot, lambda: "not written" not in text_of(app))
    assert [row.id for row in workspace.case_rows(Scope("now"), [first]) if row.review] == ["C01"]


async def test_the_problem_goes_by_itself_once_it_is_mended(app: TriageApp, database: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        away(database)
        await settle(pilot, shown(app))
        back(database)
        await settle(pilot, lambda: app.screen is app.triage)
        assert "the database" not in text_of(app)


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_newer_database_is_told_at_the_start_with_both_versions(
    database: Path, workspace: Workspace, size: tuple[int, int]
) -> None:
    workspace.close()
    with sqlite3.connect(database) as sql:
        sql.execute("PRAGMA user_version = 999")
    app = TriageApp(Workspace(database, Settings(), reviewer="wei"))
    async with app.run_test(size=size) as pilot:
        await settle(pilot, shown(app))
        await pilot.pause(0.1)
        text = text_of(app)
        assert "newer than this program" in text and "999" in text and "Upgrade triage" in text
        assert "the demo" not in text
        with sqlite3.connect(database) as sql:
            sql.execute("PRAGMA user_version = 999")
        await pilot.press("r")
        await settle(pilot, shown(app))
        await pilot.press("q")
        await settle(pilot, lambda: app.return_value == 0)


async def test_another_database_can_be_chosen(workspace: Workspace, database: Path, tmp_path: Path) -> None:
    made = workspace.upkeep.backup()
    wrong = tmp_path / "notes.db"
    wrong.write_text("no database at all, but long enough to be looked at as one " * 40)
    app = TriageApp(Workspace(wrong, Settings(), reviewer="wei"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, shown(app))
        await pilot.pause(0.1)
        assert "not a database" in text_of(app)
        await pilot.press("o")
        await settle(pilot, lambda: "another database" in text_of(app) and not shown(app)())
        await pilot.press(*"x", "enter")
        assert "there is no" in text_of(app)
        await pilot.press("ctrl+u", *made.path)
        await pilot.press("enter")
        await settle(pilot, lambda: app.triage.run_shown is not None and app.screen is app.triage)
        assert app.shown_run == "now" and "C01" in text_of(app)
        await pilot.press("1")
        await settle(pilot)
    with sqlite3.connect(made.path) as sql:
        assert sql.execute("SELECT case_id FROM reviews_now").fetchall() == [("C01",)]


async def test_hostile_words_of_an_error_are_data(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.triage.trouble.met(DatabaseProblem(HOSTILE, HOSTILE, HOSTILE))
        await settle(pilot, shown(app))
        await pilot.pause(0.1)
        text = text_of(app)
        assert "[/]" in text and "<ESC>" in text and "\x1b" not in text


async def test_a_write_that_the_disk_refuses_is_kept_and_told(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*given: object, **more: object) -> None:
        raise DatabaseProblem("the disk is full", "triage.db", "free some space on the disk")

    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        with monkeypatch.context() as patch:
            for name in ("tag", "tag_many"):
                patch.setattr(workspace, name, full, raising=False)
            patch.setattr(type(workspace.bulk), "tag", full, raising=False)
            await pilot.press("1")
            await settle(pilot, shown(app))
            await pilot.pause(0.1)
            assert "the disk is full" in text_of(app)
            assert "1 entry of yours is not in the database yet" in text_of(app)
            assert app.triage.writer.waiting == 1
        await settle(pilot, lambda: app.screen is app.triage and not app.triage.writer.waiting)
        assert len(workspace.case_keys(Scope("now", text="verdict:retrieval"))) == 1


async def test_what_could_not_be_written_by_the_end_is_in_a_file(
    app: TriageApp, database: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("n", *"hello", "ctrl+s")
        await settle(pilot)
        kept = away(database)
        await settle(pilot, shown(app))
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        await pilot.press("1")
        await settle(pilot, lambda: app.triage.writer.waiting == 1)
        app.exit(143)
    assert ended(app, 143) == 143
    told = capsys.readouterr().err
    assert "1 of your entries is not in the database" in told
    (path,) = paths.log_dir().glob("triage-not-written-*.txt")
    assert path.name in told and "retrieval" in path.read_text("utf-8")
    assert path.stat().st_mode & 0o777 == 0o600
    assert kept.exists() and not database.exists()


async def test_a_migration_and_its_backup_are_told_once(
    database: Path, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    import triage.store.connection as connection

    workspace.close()
    newer = connection.SCHEMA_VERSION + 1
    monkeypatch.setattr(connection, "SCHEMA_VERSION", newer)
    monkeypatch.setattr(connection, "migrate", lambda sql: sql.execute(f"PRAGMA user_version = {newer}"))
    app = TriageApp(Workspace(database, Settings(), reviewer="wei"))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        (notice,) = [one.message for one in app._notifications]
        assert "migrated" in notice and ".backup" in notice
        await pilot.press("f")
        await settle(pilot)
        assert app.workspace.upkeep.notices() == []
