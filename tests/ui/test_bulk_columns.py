"""Columns and order of the list: chosen, as many as fit, remembered; what is copied, and where it goes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from screen_help import HOSTILE, MISS, record, settle, text_of, write

from triage import paths
from triage.models.query import Scope
from triage.plain import plain, preview, width
from triage.ui.app import TriageApp
from triage.ui.screens.columns import ColumnsDialog
from triage.ui.screens.dialogs import Choose, Listing
from triage.ui.widgets.cells import choices, columns_of
from triage.ui.work import clipboard
from triage.workspace import Workspace
from triage.workspace.copying import copied


@pytest.fixture
def measured(workspace: Workspace, tmp_path: Path) -> Workspace:
    """A newer run with numbers, Chinese and hostile fields."""
    records = [
        record(1, **MISS, latency_ms=812.4, cost=0.0021, difficulty="hard", query="退款到账要多久" * 5),
        record(
            2,
            **MISS,
            latency_ms=20113,
            difficulty=HOSTILE,
            query_type="多轮对话多轮对话",
            topic="退款退款退款",
        ),
        record(3, **MISS, query_type="synonym", scores={"faithfulness": 4}),
    ]
    workspace.ingest([write(tmp_path / "sums.jsonl", records, created_at="2026-11-03T10:00:00Z")])
    return workspace


async def choose(pilot, app: TriageApp, *names: str) -> None:
    await pilot.press("c")
    await settle(pilot, lambda: isinstance(app.screen, ColumnsDialog))
    for name in names:
        await pilot.press(*(key if key != "_" else "underscore" for key in name), "enter")
    await pilot.press("enter")
    await settle(pilot, lambda: app.screen is app.triage)
    await settle(pilot)


def head(app: TriageApp) -> str:
    return next(line for line in text_of(app).splitlines() if line.startswith(" 1234")).split("query")[0]


@pytest.mark.parametrize(
    ("size", "shown"),
    [
        ((80, 24), ["type", "ms", "faithful", "level"]),
        ((100, 30), []),
        ((110, 30), ["type"]),
        ((120, 40), ["type", "ms"]),
        ((200, 50), ["type", "ms", "faithful", "level"]),
    ],
)
async def test_as_many_columns_as_leave_the_query_its_place(
    measured: Workspace, size: tuple[int, int], shown: list[str]
) -> None:
    chosen = ("query_type", "latency_ms", "faithfulness", "difficulty")
    measured.settings = replace(measured.settings, columns=chosen)
    app = TriageApp(measured)
    async with app.run_test(size=size) as pilot:
        await settle(pilot)
        assert head(app).split()[3:] == shown
        columns, text = app.triage.cases.columns, text_of(app)
        assert columns.cells == app.triage.cases.size.width and (columns.query >= 8)
        assert app.triage.detail.size.width >= 58 or size[0] < 100
        assert "\x1b" not in text and "\u202e" not in text
        if shown:
            assert "多轮对话» " in text
        if "ms" in shown:
            row = next(line for line in text.splitlines() if "812.4" in line)
            other = next(line for line in text.splitlines() if "20113" in line)
            assert width(row.split("812.4")[0]) == width(other.split("20113")[0]), "numbers end together"


async def test_columns_are_remembered_moved_and_given_back_to_the_default(
    measured: Workspace,
) -> None:
    app = TriageApp(measured)
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        assert head(app).split()[3:] == ["topic"]
        await choose(pilot, app, "reviewer", "label")
        assert head(app).split()[3:] == ["topic", "by", "labels"]
        await pilot.press("c")
        await settle(pilot, lambda: isinstance(app.screen, ColumnsDialog))
        await pilot.press("right", "right", "enter")
        await settle(pilot, lambda: app.screen is app.triage)
        await settle(pilot)
        assert head(app).split()[3:] == ["by", "labels", "topic"]
        await pilot.press("1")
        await settle(pilot, lambda: " wei " in text_of(app).splitlines()[9])
    second = TriageApp(measured)
    async with second.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        assert head(second).split()[3:] == ["by", "labels", "topic"]
        await pilot.press("c")
        await settle(pilot, lambda: isinstance(second.screen, ColumnsDialog))
        await pilot.press("backspace")
        await settle(pilot, lambda: second.screen is second.triage)
        await settle(pilot)
        assert head(second).split()[3:] == ["topic"]
    assert json.loads(paths.state_file().read_text())["columns"] is None


async def test_settings_say_columns_and_order_until_somebody_chooses(measured: Workspace) -> None:
    measured.settings = replace(measured.settings, columns=("latency_ms", "nonsense"), sort="-latency_ms")
    app = TriageApp(measured)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "no such column: nonsense" in text_of(app)
        assert head(app).split()[3:] == ["ms"] and app.triage.selection.scope.sort == "-latency_ms"
        assert app.triage.cases.row_at(0).id == "C02" and "-latency_ms" in text_of(app)
        await pilot.press("s")
        await settle(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.press(*"by layer", "enter")
        await settle(pilot, lambda: app.triage.selection.scope.sort == "")
        await settle(pilot)
    second = TriageApp(measured)
    async with second.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert second.triage.selection.scope.sort == ""


async def test_the_head_says_which_way_the_list_is_sorted(measured: Workspace) -> None:
    app = TriageApp(measured)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for sort, said in [("rank", "by rank, lowest first"), ("-topic", "by topic, last first")]:
            app.triage.selection.change(sort=sort)
            await settle(pilot, lambda said=said: said in text_of(app))


async def test_an_order_that_there_no_longer_is_does_no_harm(measured: Workspace) -> None:
    paths.state_file().parent.mkdir(parents=True, exist_ok=True)
    paths.state_file().write_text(json.dumps({"sort": "-gone_metric", "columns": ["gone", 3, "topic"]}))
    app = TriageApp(measured)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.triage.selection.scope.sort == "" and len(app.triage.cases.keys) == 3
        assert head(app).split()[3:] == ["topic"]


async def test_another_k_renames_the_columns(measured: Workspace) -> None:
    app = TriageApp(measured)
    async with app.run_test(size=(200, 50)) as pilot:
        await settle(pilot)
        await choose(pilot, app, "hit")
        assert "Hit@3" in head(app)
        app.triage.selection.change(k=2)
        await settle(pilot, lambda: "Hit@2" in head(app))


def test_every_column_that_is_offered_shows_something_harmless_in_its_cells(measured: Workspace) -> None:
    scope = Scope("sums")
    measured.tag("sums", ["C02"], "other", labels=["长" * 30, "two"], note=HOSTILE)
    found, unknown = columns_of([key for key, _, _ in choices(3)], 3)
    assert not unknown and len(found) == len(choices(3)) > 50
    rows = measured.case_rows(scope, measured.case_keys(scope), [column.key for column in found])
    for column in found:
        for row in rows:
            laid = column.laid(preview(column.text(row)))
            assert width(laid) == column.room and plain(laid) == laid, column.key
    said = {column.key: [column.text(row).strip() for row in rows] for column in found}
    assert said["latency_ms"] == ["812.4", "20113", "-"] and said["faithfulness"] == ["-", "-", "4"]
    assert said["verdict"] == ["-", "other", "-"] and said["retrieved"][0] == "KB-8, KB-9"
    assert said["hit"] == ["0", "0", "0"] and said["answerable"] == ["yes"] * 3


async def test_a_key_of_the_records_own_is_a_column_too(workspace: Workspace, tmp_path: Path) -> None:
    own = [{"meta": {"lang": "中文", "o'k": 3}}, {"meta": {"lang": HOSTILE, "o'k": True}}, {"meta": None}]
    records = [record(number, **MISS, **keys) for number, keys in enumerate(own, 1)]
    workspace.ingest([write(tmp_path / "own.jsonl", records, created_at="2026-11-03T10:00:00Z")])
    app = TriageApp(workspace)
    async with app.run_test(size=(140, 40)) as pilot:
        await settle(pilot)
        await choose(pilot, app, "meta.lang", "meta.o'k")
        assert head(app).split()[3:] == ["lang", "o'k"]
        rows = app.triage.cases.rows_here()
        shown = [[column.text(row) for column in app.triage.cases.columns.more] for row in rows]
        assert shown == [["中文", "3"], [HOSTILE, "true"], ["-", "-"]]
        assert "中文" in text_of(app) and "\x1b" not in text_of(app)


# copying


@pytest.fixture
def far(monkeypatch: pytest.MonkeyPatch) -> Iterator[pytest.MonkeyPatch]:
    """A terminal at the far end of ssh, without tmux."""
    for name in ("TMUX", "STY", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.1 1 10.0.0.2 22")
    monkeypatch.setenv("DISPLAY", ":0")
    return monkeypatch


def program(folder: Path, name: str, script: str) -> None:
    target = folder / name
    target.write_text(f"#!/bin/sh\n{script}\n")
    target.chmod(0o755)


async def test_over_ssh_the_text_is_in_a_file_and_the_terminal_is_not_said_to_have_taken_it(
    app: TriageApp, far: pytest.MonkeyPatch
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot, lambda: "C01 is in " in text_of(app))
        assert "copied.txt, and sent to the terminal (OSC 52)" in text_of(app)
        assert "asked: question 1" in app.clipboard
        far.setenv("TERM", "linux")
        await pilot.press("y")
        await settle(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.press("down", "enter")
        await settle(pilot, lambda: "id of C01 is in" in text_of(app))
        assert "no clipboard to be reached from here" in text_of(app)
        assert (paths.state_file().parent / "copied.txt").read_text() == "C01"
        await pilot.press("y")
        await settle(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.press("up", "enter")
        await settle(pilot, lambda: isinstance(app.screen, Listing))
        assert "answered: seven days [S1]" in text_of(app)


async def test_a_program_that_takes_the_text_is_told_and_one_that_fails_is_not(
    app: TriageApp, far: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bin_ = tmp_path / "bin"
    bin_.mkdir()
    far.setenv("PATH", f"{bin_}:/usr/bin:/bin")
    far.delenv("SSH_CONNECTION")
    program(bin_, "xclip", f"cat > {tmp_path}/taken")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await app.run_action("screen.copy('link')", app.triage)
        await settle(pilot, lambda: "command for C01 on the clipboard, also in" in text_of(app))
        assert (tmp_path / "taken").read_text() == "triage open now C01"
        program(bin_, "xclip", "exit 1")
        program(bin_, "xsel", "exit 1")
        await app.run_action("screen.copy('answer')", app.triage)
        await settle(pilot, lambda: "answer of C01 is in" in text_of(app))
        assert "OSC 52" in text_of(app)


def test_far_away_only_tmux_is_asked_and_terminals_without_a_clipboard_are_known(tmp_path: Path) -> None:
    for name in ("tmux", "wl-copy", "xclip", "clip.exe"):
        program(tmp_path, name, "exit 0")
    env = {
        "PATH": str(tmp_path),
        "TMUX": "x",
        "WAYLAND_DISPLAY": "w",
        "DISPLAY": ":0",
        "WSL_DISTRO_NAME": "U",
    }
    assert [way.command[0] for way in clipboard.ways(env)] == ["wl-copy", "xclip", "clip.exe", "tmux", "tmux"]
    assert {way.command[0] for way in clipboard.ways({**env, "SSH_TTY": "/dev/pts/1"})} == {"tmux"}
    assert clipboard.put("x", {"PATH": ""}) == ""
    assert clipboard.terminal_may_take({"TERM": "xterm-256color"})
    for deaf in ({"TERM": "linux"}, {"TERM_PROGRAM": "Apple_Terminal"}, {"TMUX": "x"}, {"STY": "x"}):
        assert not clipboard.terminal_may_take({"TERM": "xterm", **deaf})


async def test_a_text_too_long_for_a_terminals_clipboard_is_whole_in_the_file(
    workspace: Workspace, far: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    long = "字" * 40_000
    workspace.ingest(
        [write(tmp_path / "long.jsonl", [record(1, **MISS, answer=long)], created_at="2026-11-05T10:00:00Z")]
    )
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot, lambda: "too long for a terminal's clipboard" in text_of(app))
        assert long in (paths.state_file().parent / "copied.txt").read_text() and app.clipboard == ""


def test_what_is_copied_holds_no_control_character_and_json_means_the_same(
    workspace: Workspace, tmp_path: Path
) -> None:
    evil = HOSTILE + "\x9b31m\U000e0041\u2028"
    raw = json.dumps(record(1, answer=evil, query=evil), ensure_ascii=False)
    path = tmp_path / "evil.jsonl"
    path.write_text(f'{{"run": {{"id": "evil run"}}}}\n{raw}\n', "utf-8")
    workspace.ingest([path])
    detail = workspace.case_detail(Scope("evil run"), "C01")
    for kind in ("case", "id", "answer", "json", "link"):
        text = copied(kind, detail)
        assert plain(text) == text, kind
    assert json.loads(copied("json", detail)) == json.loads(raw)
    assert copied("link", detail) == "triage open 'evil run' C01"
