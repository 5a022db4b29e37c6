"""The export dialog: what is chosen is seen as it will be written, and nothing is overwritten unasked."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from screen_help import record, settle, text_of, write
from textual.pilot import Pilot
from textual.widgets import Input

from triage.models.query import Scope
from triage.plain import plain
from triage.ui.app import TriageApp
from triage.ui.screens.export import ExportDialog
from triage.ui.screens.export_fields import Chooser
from triage.ui.screens.export_preview import PreviewPane
from triage.workspace import Workspace

SIZES = [(80, 24), (120, 40)]
FORMATS = [("csv", ".csv"), ("jsonl", ".jsonl"), ("markdown", ".md"), ("xlsx", ".xlsx")]


@pytest.fixture(autouse=True)
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


async def opened(pilot: Pilot[Any], *before: str) -> ExportDialog:
    app = pilot.app
    await settle(pilot)
    if before:
        await pressed(pilot, *before)
    await pilot.press("e")
    await settle(pilot, lambda: isinstance(app.screen, ExportDialog) and bool(pane_of(app).lines))
    assert isinstance(app.screen, ExportDialog)
    return app.screen


def pane_of(app: Any) -> PreviewPane:
    return app.screen.query_one(PreviewPane)


def shown(app: Any, *words: str) -> bool:
    text = " ".join(text_of(app).split())
    return all(word in text for word in words)


async def named(pilot: Pilot[Any], path: str) -> None:
    field = pilot.app.screen.query_one(Input)
    field.focus()
    field.value = path
    field.cursor_position = len(path)
    await settle(pilot)


async def pressed(pilot: Pilot[Any], *keys: str) -> None:
    """Press keys; what one of them asks for is waited for before all, after an enter, a tab and the last."""
    await settle(pilot)
    for at, key in enumerate(keys):
        await pilot.press(key)
        if key in ("enter", "tab") or at == len(keys) - 1:
            await settle(pilot)


@pytest.mark.parametrize("size", SIZES)
async def test_two_keys_write_the_tagged_cases_and_say_where(
    app: TriageApp, elsewhere: Path, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await opened(pilot, "1")
        assert shown(app, "> tagged 1", "shown 5", "marked 0", "> csv", "enter writes 1 case")
        await pressed(pilot, "enter")
        target = elsewhere / "now-tagged.csv"
        data = target.read_bytes()
        said = "".join(text_of(app).split())
        assert f"wrote1caseto{target}" in said
        assert f"{len(data):,}bytes,csv" in said
        assert data.startswith(b"\xef\xbb\xbfrun,case_id")
        await pressed(pilot, "escape")
        assert app.screen is app.triage
        assert "wrote 1 case to" in text_of(app)


@pytest.mark.parametrize("size", SIZES)
async def test_what_is_previewed_is_what_is_written(
    app: TriageApp, elsewhere: Path, size: tuple[int, int]
) -> None:
    async with app.run_test(size=size) as pilot:
        await pressed(pilot, "f")
        for steps, (format, ending) in enumerate(FORMATS):
            dialog = await opened(pilot)
            await pressed(pilot, "up", "up", *["right"] * steps)
            assert shown(app, "> shown 10", "the list: all", f"> {format}")
            name, lines = dialog.query_one(Input).value, list(pane_of(app).lines)
            assert name == f"now-shown{ending}"
            assert lines[0][:40] in text_of(app)
            await pressed(pilot, "enter", "escape")
            if format == "xlsx":
                rows = list(load_workbook(elsewhere / name)["cases"].values)
                assert [line.split()[:2] for line in lines] == [list(row[:2]) for row in rows]
            else:
                text = (elsewhere / name).read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
                assert lines == [plain(line) for line in text.split("\n")[:-1]]


async def test_hostile_text_is_previewed_with_marks_in_every_format(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, "f")
        await pressed(pilot, "up", "up")
        for _ in range(4):
            await pressed(pilot, "right")
            text = text_of(app) + "\n".join(pane_of(app).lines)
            assert not set(text) & set("\x1b\x07\u202e\u200b\t")
            assert "INST" in text
        await pressed(pilot, "shift+tab", "shift+tab")
        pane = pane_of(app)
        pane.focus()
        for key in ("end", "right", "pageup", "down"):
            await pilot.press(key)
            assert not set(text_of(app)) & set("\x1b\x07\u202e\u200b")


async def test_marked_cases_alone_are_offered_first(app: TriageApp, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "x", "x")
        assert shown(app, "> marked 2")
        await named(pilot, "two.jsonl")
        assert shown(app, "> jsonl")
        await pressed(pilot, "enter")
        lines = [json.loads(line) for line in (elsewhere / "two.jsonl").read_text("utf-8").splitlines()]
        assert {line["case_id"] for line in lines} == {"C01", "C04"}


async def test_redacting_shows_and_writes_no_text_of_anybody(app: TriageApp, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "f")
        assert any("question" in line for line in pane_of(app).lines)
        await pressed(pilot, "shift+tab", "right")
        assert shown(app, "> yes", "nobody's words")
        assert not any("question" in line for line in pane_of(app).lines)
        await pressed(pilot, "enter")
        assert "redacted" in text_of(app)
        assert "question" not in (elsewhere / "now-shown.csv").read_text("utf-8")


async def test_the_ending_chooses_the_format(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        for typed, format in (
            ("a.md", "markdown"), ("a.JSONL", "jsonl"), ("b/a.xlsx", "xlsx"), ("a.txt", "xlsx"),
            ("a.csv", "csv"),
        ):  # fmt: skip
            await named(pilot, typed)
            assert dialog.query_one("#format", Chooser).chosen == format


async def test_the_format_changes_the_ending_and_nothing_else_of_the_name(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        await named(pilot, "某/for-li.v2.csv")
        await pressed(pilot, "up", "up", "left")
        assert dialog.query_one(Input).value == "某/for-li.v2.xlsx"
        await named(pilot, "plain")
        await pressed(pilot, "up", "up", "left")
        assert dialog.query_one(Input).value == "plain.md"
        await pressed(pilot, "up", "left", "left")
        assert dialog.query_one(Input).value == "plain.md", "a name of one's own stays"


async def test_a_foreign_ending_is_refused_in_words(app: TriageApp, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await named(pilot, "a.pdf")
        assert shown(app, "no such export format", ".pdf")
        await pressed(pilot, "enter")
        assert isinstance(app.screen, ExportDialog)
        assert list(elsewhere.iterdir()) == []


async def test_a_file_that_is_there_is_asked_about(app: TriageApp, elsewhere: Path) -> None:
    (elsewhere / "now-shown.csv").write_text("mine")
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        await pressed(pilot, "enter")
        assert shown(app, "is there already, 4 bytes: enter again overwrites it", "now-shown-2.csv")
        assert (elsewhere / "now-shown.csv").read_text() == "mine"
        await pressed(pilot, "tab")
        assert dialog.query_one(Input).value == "now-shown-2.csv"
        await pressed(pilot, "enter")
        assert shown(app, "wrote 5 cases to")
        assert (elsewhere / "now-shown.csv").read_text() == "mine"
        assert (elsewhere / "now-shown-2.csv").stat().st_size > 100


async def test_one_more_enter_overwrites_but_not_after_something_changed(
    app: TriageApp, elsewhere: Path
) -> None:
    for name in ("now-shown.csv", "now-shown.jsonl"):
        (elsewhere / name).write_text("mine")
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pressed(pilot, "enter", "up", "up", "right", "enter")
        assert shown(app, "now-shown.jsonl is there already")
        assert (elsewhere / "now-shown.jsonl").read_text() == "mine"
        await pressed(pilot, "enter")
        assert shown(app, "wrote 5 cases to")
        assert (elsewhere / "now-shown.csv").read_text() == "mine"
        assert (elsewhere / "now-shown.jsonl").read_text("utf-8").startswith('{"run"')


async def test_a_missing_folder_is_made_when_agreed(app: TriageApp, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await named(pilot, "下周/a/x.csv")
        await pressed(pilot, "enter")
        assert shown(app, "there is no folder 下周: enter again makes it")
        assert not (elsewhere / "下周").exists()
        await pressed(pilot, "enter")
        assert (elsewhere / "下周" / "a" / "x.csv").exists()


async def test_a_folder_as_target_gets_a_name_in_it(app: TriageApp, elsewhere: Path) -> None:
    (elsewhere / "out").mkdir()
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        await named(pilot, "out")
        await pressed(pilot, "enter")
        assert shown(app, "that is a folder")
        assert dialog.query_one(Input).value == "out/now-shown.csv"
        await pressed(pilot, "enter")
        assert (elsewhere / "out" / "now-shown.csv").exists()


CANNOT = [
    ("file.txt/x.csv", 1, "file.txt is a file, not a folder"),
    ("x" * 300 + ".csv", 1, "can't write there: File name too long"),
    ("/proc/x.csv", 1, "can't write the export: /proc/x.csv"),
    ("/dev/full", 2, "No space left on device"),
    ("~nobody-of-that-name/x.csv", 1, "can't write there"),
    ("", 1, "a name for the file is wanted"),
]


async def test_what_cannot_be_written_is_told_and_the_dialog_stays(app: TriageApp, elsewhere: Path) -> None:
    (elsewhere / "file.txt").write_text("x")
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        for path, enters, words in CANNOT:
            await named(pilot, path)
            await pressed(pilot, *["enter"] * enters)
            assert shown(app, words)
            assert app.screen is dialog
            assert dialog.query_one(Input).value == path
        await named(pilot, "good.csv")
        await pressed(pilot, "enter")
        assert (elsewhere / "good.csv").exists(), "and it can be written elsewhere"


async def test_tab_completes_folders_and_files_and_goes_on_where_there_is_nothing_to_complete(
    app: TriageApp, elsewhere: Path
) -> None:
    (elsewhere / "exports" / "for-li").mkdir(parents=True)
    for name in ("sprint-1.csv", "sprint-2.csv", ".hidden.csv"):
        (elsewhere / "exports" / name).write_text("")
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        field = dialog.query_one(Input)
        await named(pilot, "ex")
        await pressed(pilot, "tab")
        assert field.value == "exports/"
        await settle(pilot)
        assert shown(app, "for-li/ sprint-1.csv sprint-2.csv")
        assert ".hidden" not in text_of(app)
        await pressed(pilot, *"sp", "tab")
        assert field.value == "exports/sprint-"
        await pressed(pilot, "tab")
        assert field.value == "exports/sprint-" and field.has_focus
        await pressed(pilot, "2", "tab")
        assert field.value == "exports/sprint-2.csv"
        await pressed(pilot, "tab")
        assert pane_of(app).has_focus
        await pressed(pilot, "shift+tab")
        assert field.has_focus


async def test_a_home_is_expanded(app: TriageApp, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    home = tmp_path / "wei"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        await named(pilot, "~")
        await pressed(pilot, "tab")
        assert dialog.query_one(Input).value == "~/"
        await named(pilot, "~/x.csv")
        await pressed(pilot, "enter")
        assert (home / "x.csv").exists()


async def test_the_folder_of_the_last_export_is_remembered(
    app: TriageApp, workspace: Workspace, elsewhere: Path
) -> None:
    (elsewhere / "out").mkdir()
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await named(pilot, "out/x.csv")
        await pressed(pilot, "enter", "enter")
    again = TriageApp(workspace)
    async with again.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot)
        assert dialog.query_one(Input).value == "out/now-shown.csv"


async def test_nothing_is_written_where_there_is_no_case(app: TriageApp, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot)
        await pressed(pilot, "up", "up", "up", "left", "enter")
        assert shown(app, "> tagged 0", "no case is tagged")
        assert isinstance(app.screen, ExportDialog)
        await pressed(pilot, "escape")
        assert app.screen is app.triage
        assert list(elsewhere.iterdir()) == []


async def test_a_slow_export_tells_how_far_it_is_and_stops_leaving_nothing(
    app: TriageApp, workspace: Workspace, elsewhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    from triage.ui.screens import export

    write(tmp_path / "many.jsonl", [record(n) for n in range(1, 400)], created_at="2026-12-01T00:00:00Z")
    workspace.ingest([tmp_path / "many.jsonl"])
    monkeypatch.setattr(export, "EVERY", 0.0)
    waits, told = threading.Event(), threading.Event()
    post = ExportDialog.post_message

    def slow(self: ExportDialog, message: Any) -> bool:
        sent = post(self, message)
        if isinstance(message, ExportDialog.Progressed):
            told.set()
            waits.wait(10)
        return sent

    monkeypatch.setattr(ExportDialog, "post_message", slow)
    async with app.run_test(size=(80, 24)) as pilot:
        dialog = await opened(pilot, "f")
        await named(pilot, "new/x.csv")
        await pressed(pilot, "enter")
        await pilot.press("enter")
        await settle(pilot, lambda: told.is_set() and "of 399 cases" in text_of(app))
        assert shown(app, "writing 100 of 399 cases esc stops")
        assert list((elsewhere / "new").iterdir()), "a draft"
        await pilot.press("escape")
        waits.set()
        await settle(pilot)
        assert shown(app, "stopped, nothing was written")
        assert app.screen is dialog
        assert list(elsewhere.iterdir()) == []
        await pressed(pilot, "enter", "enter")
        assert shown(app, "wrote 399 cases to")


async def test_a_database_that_changes_under_the_dialog_is_counted_anew(
    app: TriageApp, other: Workspace, elsewhere: Path
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await opened(pilot, "1")
        assert shown(app, "tagged 1")
        other.tag("now", ["C02", "C04"], "ranking")
        await pressed(pilot, "up", "right")
        assert shown(app, "tagged 3", "3 cases")


async def test_warnings_stand_with_what_was_written(
    app: TriageApp, workspace: Workspace, elsewhere: Path
) -> None:
    workspace.tag("now", ["C03"], "other")
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        await named(pilot, "x.xlsx")
        await pressed(pilot, "enter")
        assert shown(app, "C03: topic, query, answer: control characters as marks")
        assert load_workbook(elsewhere / "x.xlsx")["cases"].max_row == 2


async def test_a_mouse_click_chooses(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        dialog = await opened(pilot)
        await pilot.click("#format", offset=(26, 0))
        await settle(pilot)
        assert dialog.query_one("#format", Chooser).chosen == "markdown"


async def test_a_scope_is_what_the_list_shows(app: TriageApp, workspace: Workspace, elsewhere: Path) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.triage.selection.text("topic:refund")
        dialog = await opened(pilot)
        assert dialog._wanted.shown.text == "topic:refund"
        await named(pilot, "x.jsonl")
        await pressed(pilot, "enter")
        lines = (elsewhere / "x.jsonl").read_text("utf-8").splitlines()
        assert [json.loads(line)["case_id"] for line in lines] == ["C02"]
        assert workspace.case_keys(Scope("now", text="topic:refund"))
