"""What comes, changes and goes while the app is open: nothing moves under the reviewer, nothing is lost."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from screen_help import HOSTILE, record, settle, ten, text_of, write
from textual.pilot import Pilot

from triage.ingest import watch
from triage.models.run import LoadOptions
from triage.plain import width
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.note import NoteBox
from triage.ui.work.follow_words import TOAST
from triage.workspace import Workspace

NOW = {"created_at": "2026-11-02T10:00:00Z", "kb_version": "kb2"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watch, "GIVE_UP", 0.5)
    monkeypatch.setattr(watch, "GONE", 0.3)


def head(app: TriageApp) -> str:
    return text_of(app).splitlines()[0]


async def live(pilot: Pilot[Any], app: TriageApp) -> None:
    """Until the first list stands and the files are followed."""
    await settle(pilot)
    await settle(pilot, lambda: "live" in head(app))


def arrives(path: Path, records: list[dict[str, Any]], **header: Any) -> None:
    """A run file that comes whole."""
    write(path.with_name(f".{path.name}.tmp"), records, **{"id": path.stem, **header}).replace(path)


def toasts(app: TriageApp) -> str:
    return " ".join(one.message for one in app._notifications)


async def test_a_new_run_is_told_and_one_key_opens_it(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("j")
        assert not app.check_action("open_new", ())
        records = ten()
        records[4] |= {"error": "timed out"}
        arrives(tmp_path / "next.jsonl", records, created_at="2026-11-03T10:00:00Z", kb_version="kb3")
        await settle(pilot, lambda: "opens it" in text_of(app))
        assert "next is here: 1 broke" in toasts(app) and "O opens it" in toasts(app)
        assert app.triage.run_shown.id == "now" and app.triage.cases.row.id == "C04"
        await settle(pilot)
        assert "live, 1 new" in head(app) and app.triage.cases.row.id == "C04"
        await pilot.press("O")
        await settle(pilot, lambda: app.triage.run_shown.id == "next")
        await settle(pilot)
        assert "new" not in head(app).split("wei")[1] and "against kb2" in head(app)
        assert next(run.id for run in app.workspace.runs()) == "next"


async def test_a_replaced_file_is_taken_over_in_place(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("f", "j")
        await settle(pilot)
        assert app.triage.cases.row.id == "C04"
        app.workspace.tag("now", ["C04"], "other", note="mine")
        fresh = [record(21), *ten(), record(22)]
        fresh[4] = record(4, answer="another answer [S1]")
        arrives(tmp_path / "now.jsonl", fresh, **NOW)
        await settle(pilot, lambda: "12 cases" in head(app))
        await settle(pilot)
        row = app.triage.cases.row
        assert row.id == "C04" and row.review.verdict == "other" and row.review.note == "mine"
        assert row.review.stale and app.triage.run_shown.revision == 2
        assert app.triage.detail.detail.record.answer == "another answer [S1]"
        assert "now replaced: revision 2, 12 cases" in text_of(app)
        assert app.triage.focused is app.triage.cases


async def test_a_case_that_no_longer_fails_stays_under_the_cursor(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("j", "j")
        assert app.triage.cases.row.id == "C02"
        place = app.triage.cases.position
        fresh = ten()
        fresh[1] = record(2)
        arrives(tmp_path / "now.jsonl", fresh, **NOW)
        await settle(pilot, lambda: "4 failing" in head(app))
        await settle(pilot)
        cases = app.triage.cases
        assert (cases.row.id, cases.position, cases.row.failing) == ("C02", place, False)
        await pilot.press("f", "f", "f", "f")
        await settle(pilot)
        assert "C02" not in {row.id for row in cases.rows_here()}


async def test_the_list_stays_where_it_is_scrolled_to(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    many = [record(number, id=f"c{number:03}", error="x") for number in range(200)]
    made.ingest([write(tmp_path / "many.jsonl", many)], LoadOptions())
    app = TriageApp(made)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot, app)
        cases = app.triage.cases
        cases.move_to(100)
        await settle(pilot)
        offset = cases.position - cases.scroll_offset.y
        arrives(tmp_path / "many.jsonl", [record(0, id=f"new{n}", error="x") for n in range(7)] + many)
        await settle(pilot, lambda: len(cases.keys) == 207)
        await settle(pilot)
        assert cases.row.id == "c100" and cases.position - cases.scroll_offset.y == offset
    made.close()


async def test_a_half_typed_note_and_its_caret_are_kept(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("j", "n")
        await settle(pilot, lambda: isinstance(app.screen, NoteBox))
        await pilot.press(*"half thought", "left", "left")
        box = app.screen
        area = app.focused
        before = (area.text, area.cursor_location)
        arrives(tmp_path / "now.jsonl", [record(21), *ten()], **NOW)
        arrives(tmp_path / "other.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: len(app.workspace.runs()) == 3 and "11 cases" in head_below(app))
        await settle(pilot)
        assert app.screen is box and app.focused is area
        assert (area.text, area.cursor_location) == before
        await pilot.press(*"X", "ctrl+s")
        await settle(pilot, lambda: app.screen is app.triage)
        await settle(pilot)
        detail = app.workspace.case_detail(app.triage.selection.scope, "C04")
        assert detail.row.review.note == "half thougXht"
        assert app.triage.cases.row.id == "C04"


def head_below(app: TriageApp) -> str:
    """The head's count, which the dialog dims."""
    view = app.triage.view
    return f"{view.cases} cases" if view is not None else ""


async def test_a_half_typed_filter_is_kept(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("slash", *"question", "left")
        await settle(pilot)
        field = app.focused
        arrives(tmp_path / "now.jsonl", [record(21), *ten()], **NOW)
        await settle(pilot, lambda: "11 cases" in head(app))
        await settle(pilot)
        assert app.focused is field and (field.value, field.cursor_position) == ("question", 7)
        await pilot.press(*"s")
        assert field.value == "questiosn"


async def test_a_broken_file_is_told_once_and_changes_nothing(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        app.workspace.tag("now", ["C01"], "other")
        (tmp_path / "now.jsonl").write_text("{")
        await settle(pilot, lambda: "still being written" in text_of(app))
        await settle(pilot, lambda: "can't be read, the last good data stays" in text_of(app))
        assert "file broken" in head(app) and "10 cases" in head(app) and "5 failing" in head(app)
        app.triage.bar.say(())
        (tmp_path / "now.jsonl").write_text("{\n")
        await pilot.pause(1.2)
        assert "can't be read" not in text_of(app)
        (tmp_path / "now.jsonl").unlink()
        await settle(pilot, lambda: "now.jsonl is gone" in text_of(app))
        await settle(pilot)
        assert "file gone" in head(app) and "10 cases" in head(app) and app.triage.run_shown.id == "now"
        assert app.triage.cases.row.review.verdict == "other"
        await pilot.press("r")
        await settle(pilot, lambda: "can't be read" in text_of(app))
        assert app.triage.run_shown.id == "now" and len(app.triage.cases.keys) == 5
        arrives(tmp_path / "now.jsonl", ten(), **NOW)
        await settle(pilot, lambda: head(app).rstrip().endswith("live"))
        assert [run.revision for run in app.workspace.runs()] == [1, 1]


async def test_a_file_that_grows_is_shown_as_it_grows(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        for count in (11, 12):
            with (tmp_path / "now.jsonl").open("a") as file:
                file.write(json.dumps(record(count)) + "\n")
            await settle(pilot, lambda count=count: f"now grew to {count} cases" in text_of(app))
        await settle(pilot)
        assert app.triage.run_shown.revision == 1 and "12 cases" in head(app)


async def test_two_files_at_once_are_two_runs(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        for name in ("x", "y"):
            arrives(tmp_path / f"{name}.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: "live, 2 new" in head(app))
        assert "2 new runs" in toasts(app) and len(app.workspace.runs()) == 4


async def test_the_reload_key_says_so_where_nothing_has_changed(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("r")
        await settle(pilot, lambda: "now.jsonl is unchanged" in text_of(app))


@pytest.mark.parametrize(("watching", "word"), [("poll", "live (poll)"), ("off", "not live")])
async def test_how_files_are_followed_stands_in_the_head(
    workspace: Workspace, tmp_path: Path, watching: str, word: str
) -> None:
    workspace.settings = Settings(watch=watching, poll_seconds=0.1)
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        await settle(pilot, lambda: head(app).rstrip().endswith(word))
        with (tmp_path / "now.jsonl").open("a") as file:
            file.write(json.dumps(record(11)) + "\n")
        if watching == "off":
            await pilot.press("r")
        await settle(pilot, lambda: "11 cases" in head(app))


async def test_the_first_run_of_a_folder_that_was_empty_opens_by_itself(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    folder = tmp_path / "runs"
    app = TriageApp(made, paths=[folder])
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot, lambda: "is not there yet" in text_of(app))
        folder.mkdir()
        await settle(pilot, lambda: "a run file that comes is shown" in text_of(app))
        arrives(folder / "first.jsonl", ten())
        await settle(pilot, lambda: "5 failing" in head(app))
        await settle(pilot)
        assert app.triage.run_shown.id == "first" and app.focused is app.triage.cases
        assert app.triage.cases.row.id == "C01"
    made.close()


async def test_settings_and_themes_are_taken_over_when_their_files_are_written(
    app: TriageApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project, told = tmp_path / "project", []
    project.mkdir()
    monkeypatch.chdir(project)
    monkeypatch.setattr(TriageApp, "reload_settings", lambda self: told.append("settings"), raising=False)
    monkeypatch.setattr(TriageApp, "reload_themes", lambda self: told.append("themes"), raising=False)
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot, app)
        await pilot.pause(0.6)
        (project / "triage.toml").write_text("advance = false\n")
        await settle(pilot, lambda: "settings" in told)
        from triage import paths

        paths.theme_dir().mkdir(parents=True)
        (paths.theme_dir() / "mine.toml").write_text('name = "mine"\n')
        await settle(pilot, lambda: "themes" in told)
        assert told == ["settings", "themes"]


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_hostile_name_is_printed_as_marks(app: TriageApp, tmp_path: Path, size: Any) -> None:
    async with app.run_test(size=size, notifications=True) as pilot:
        await settle(pilot, lambda: app.triage.live == "live")
        name = "[b] \x1b]52;c;AA\x07 \x1b[2J 退货退货退货退货退货"
        arrives(tmp_path / f"{name}.jsonl", ten(), created_at="2026-11-03T10:00:00Z", id=HOSTILE)
        await settle(pilot, lambda: "opens it" in text_of(app))
        assert "\x1b" not in text_of(app) and width(toasts(app)) <= TOAST
        (tmp_path / f"{name}.jsonl").write_text("{")
        await settle(pilot, lambda: "still being" in text_of(app))
        assert "\x1b" not in text_of(app)


def test_what_a_toast_says_fits_whatever_came(make_news: Callable[..., Any]) -> None:
    from triage.ui.work import follow_words

    for run in ("kb43", "a-run-with-a-very-long-name-2026-11-28", "退货退货退货退货退货退货退货退货"):
        for status, grown, new in (("loaded", False, 1), ("loaded", False, 12), ("updated", True, 1)):
            report, news = make_news(run, status, grown)
            said = follow_words.came(report, news, new, "O")
            assert width(said) <= TOAST and "3 broke" in said and said.endswith("; O opens it")


@pytest.mark.parametrize("run", ["kb43", "a-run-with-a-very-long-name-2026-11-28"])
def test_a_toast_tells_what_moved_however_long_the_names_are(make_news: Callable[..., Any], run: str) -> None:
    from msgspec.structs import replace

    from triage.ui.work import follow_words

    report, news = make_news(run, "loaded", False)
    alone = replace(news, against=None, moved=(), broke=0, fixed=0)
    still = replace(news, against="a-baseline-with-a-long-name", moved=(), broke=0, fixed=0)
    for new in (1, 2, 12):
        assert "5 of 10" in follow_words.came(report, alone, new, "O")
        assert ": nothing moved" in follow_words.came(report, still, new, "O")
        assert max(width(follow_words.came(report, one, new, "O")) for one in (alone, still)) <= TOAST


@pytest.fixture
def make_news(workspace: Workspace) -> Callable[..., Any]:
    from msgspec.structs import replace

    from triage.models.arrival import Moved, News
    from triage.models.run import FileReport

    run = workspace.find_run("now")

    def make(name: str, status: Any, grown: bool) -> tuple[FileReport, News]:
        moved = (Moved("recall", -0.125, False), Moved("mrr", 0.2, True))
        news = News(replace(run, id=name), 10, 5, "before", moved, 3, 12)
        return FileReport("x.jsonl", "jsonl", name, status, 10, grown=grown), news

    return make


async def test_what_was_opened_in_the_app_is_followed_too(app: TriageApp, tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere" / "runs"
    folder.mkdir(parents=True)
    arrives(folder / "a.jsonl", ten())
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        app.triage.load([folder])
        await settle(pilot, lambda: app.triage.run_shown.id == "a")
        await settle(pilot)
        arrives(folder / "b.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: "b is here" in toasts(app))
        assert app.triage.run_shown.id == "a"


async def test_a_file_that_comes_while_another_program_writes_is_tried_again(
    app: TriageApp, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triage.errors import Busy
    from triage.ui.work import loader

    monkeypatch.setattr(loader, "AGAIN", 0.1)
    following = app.workspace.following
    real, refused = following.load, [2]

    def load(*given: Any) -> Any:
        if refused[0]:
            refused[0] -= 1
            raise Busy("the database is busy", "triage.db", "close the other program")
        return real(*given)

    monkeypatch.setattr(following, "load", load)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        arrives(tmp_path / "next.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: "next is here" in toasts(app))
        assert not app.triage.bar.has_error


async def test_files_wait_for_the_one_that_is_being_read(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        for name in ("x", "y", "z"):
            app.triage.load([write(tmp_path / f"{name}.jsonl", ten())])
        await settle(pilot, lambda: app.triage.run_shown.id == "z" and not app.triage.loader.busy)
        assert {run.id for run in app.workspace.runs()} >= {"x", "y", "z"}


async def test_a_run_that_came_is_opened_from_the_runs_screen_too(app: TriageApp, tmp_path: Path) -> None:
    from triage.ui.screens.runs import RunsScreen

    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("R")
        await settle(pilot, lambda: isinstance(app.screen, RunsScreen) and app.screen.filled)
        records = ten()
        records[4] |= {"error": "timed out"}
        arrives(tmp_path / "next.jsonl", records, created_at="2026-11-03T10:00:00Z", kb_version="kb3")
        await settle(pilot, lambda: "next is here: 1 broke" in toasts(app))
        assert "O opens it" in toasts(app)
        await settle(pilot, lambda: any(line.startswith(" next ") for line in text_of(app).splitlines()))
        await settle(pilot)
        said = text_of(app)
        row = next(line for line in said.splitlines() if line.startswith(" next "))
        assert " new " in row and said.splitlines()[0].rstrip().endswith("live, 1 new")
        # The toast has told it: the screen's own row does not tell it again.
        assert "came in" not in said
        await pilot.press("p", "O")
        await settle(pilot, lambda: app.triage.run_shown.id == "next")
        assert app.screen is app.triage


async def test_the_key_is_not_promised_where_it_is_text(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        await live(pilot, app)
        await pilot.press("slash")
        arrives(tmp_path / "next.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: "next is here" in toasts(app))
        assert "opens it" not in toasts(app)
        await pilot.press("O")
        assert app.triage.bar.text == "O" and app.triage.run_shown.id == "now"


@pytest.mark.parametrize("size", [(80, 24), (100, 30)])
async def test_a_narrow_head_tells_how_files_are_followed_and_what_came(
    app: TriageApp, tmp_path: Path, size: Any
) -> None:
    async with app.run_test(size=size, notifications=True) as pilot:
        await live(pilot, app)
        await settle(pilot, lambda: head(app).endswith(" live "))
        arrives(tmp_path / "next.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: head(app).endswith(" 1 new "))
        (tmp_path / "now.jsonl").unlink()
        await settle(pilot, lambda: head(app).endswith(" file gone, 1 new "))
        assert "triaged" in head(app)


async def test_a_toast_leaves_the_lists_cursor_in_sight(app: TriageApp, tmp_path: Path) -> None:
    async with app.run_test(size=(80, 16), notifications=True) as pilot:
        await settle(pilot, lambda: app.triage.live == "live")
        await pilot.press("f")
        await settle(pilot, lambda: "all 10 of 10" in text_of(app))
        await pilot.press("G")
        await settle(pilot)

        def cursor() -> str:
            return next(line for line in text_of(app).splitlines() if line.startswith(">"))

        alone = cursor()
        arrives(tmp_path / "next.jsonl", ten(), created_at="2026-11-03T10:00:00Z")
        await settle(pilot, lambda: "opens it" in text_of(app))
        assert cursor() == alone and "opens it" in text_of(app)
        await pilot.press("k")
        await settle(pilot)
        assert "opens it" not in cursor() and "opens it" in text_of(app)


async def test_another_file_of_the_run_is_named_and_a_file_that_comes_back_is_told(
    app: TriageApp, tmp_path: Path
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await live(pilot, app)
        was = (tmp_path / "now.jsonl").read_bytes()
        (tmp_path / "now.jsonl").unlink()
        await settle(pilot, lambda: "file gone" in head(app))
        (tmp_path / "now.jsonl").write_bytes(was)
        await settle(pilot, lambda: "now.jsonl is back as it was" in text_of(app))
        assert "file gone" not in head(app)
        arrives(tmp_path / "copy.jsonl", ten()[:7], **{**NOW, "id": "now"})
        await settle(pilot, lambda: "now replaced by copy.jsonl: revision 2, 7 cases" in text_of(app))
