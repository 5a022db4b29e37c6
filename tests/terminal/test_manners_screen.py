"""At a slow, small or Chinese terminal: few bytes, the caret in its place, the screen whole."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from driver import ROOT, Terminal

BOX = "退货政策ABC"


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of forty cases, half of which fail, with long Chinese texts."""
    folder = tmp_path_factory.mktemp("project")
    lines = ['{"run": {"id": "kb42", "dataset": {"name": "客服", "version": "3"}}}']
    for number in range(40):
        retrieved = (
            '[{"id": "KB-9", "text": "物流说明"}]' if number % 2 else '[{"id": "KB-1", "text": "七天内可退"}]'
        )
        lines.append(
            f'{{"id": "C{number:02}", "query": "第{number}个问题：我买的东西想退货", "answerable": true,'
            f' "expected_ids": ["KB-1"], "retrieved": {retrieved}, "answer": "七天内可以退货。[S1]",'
            ' "citations": ["S1"], "predicted_answerable": true}'
        )
    (folder / "run.jsonl").write_text("\n".join(lines), encoding="utf-8")
    words = [sys.executable, "-m", "triage", "--db", "triage.db", "ingest", "run.jsonl"]
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT), "HOME": str(folder)}
    subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture
def folder(tmp_path: Path, loaded: Path) -> Path:
    """A project folder with a copy of it."""
    (tmp_path / ".triage").mkdir()
    shutil.copy(loaded / "triage.db", tmp_path / ".triage" / "triage.db")
    return tmp_path


def selected(terminal: Terminal) -> str:
    """The row under the cursor."""
    rows = [line for line in terminal.lines if re.match(r">\S* ?\S*.*C\d\d", line)]
    assert len(rows) == 1, terminal.text
    found = re.search(r"C\d\d", rows[0])
    assert found is not None
    return found[0]


def cost(terminal: Terminal, key: str) -> int:
    """Bytes that a key makes the program send."""
    before = len(terminal.received)
    terminal.press(key)
    terminal.rest(0.3)
    return len(terminal.received) - before


def test_a_key_sends_few_bytes(folder: Path) -> None:
    with Terminal([], folder, columns=80, rows=24) as terminal:
        terminal.wait("20 failing")
        terminal.rest()
        # The list alone: two rows and the position. A whole screen of these colours is over ten thousand.
        walk = [cost(terminal, "down") for _ in range(4)]
        assert sum(walk) / len(walk) < 3000, walk
        verdict = cost(terminal, "1")
        assert verdict < 5000
        terminal.press("/")
        typed = [cost(terminal, key) for key in "zz"]
        assert max(typed) < 6000, typed
        terminal.press("esc", "esc")
        terminal.press("n")
        noted = [cost(terminal, key) for key in ("a", "b", "退")]
        assert max(noted) < 500, noted
        quiet = len(terminal.received)
        terminal.rest(1.2)
        assert len(terminal.received) - quiet < 500


def test_the_terminals_own_cursor_stands_at_the_caret(folder: Path) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("20 failing")
        terminal.rest()
        terminal.press("n")
        terminal.child.send(BOX)
        terminal.wait("ABC")
        terminal.rest()
        row, end = terminal.screen.cursor.y, terminal.screen.cursor.x
        line = terminal.screen.buffer[row]
        # Eleven cells: four wide signs and three narrow ones.
        assert "".join(line[end - 11 + at].data for at in range(11)) == BOX
        terminal.press("left", "left", "left")
        assert (terminal.screen.cursor.y, terminal.screen.cursor.x) == (row, end - 3)
        terminal.press("left")
        assert terminal.screen.cursor.x == end - 5
        terminal.press("right", "X")
        assert terminal.screen.cursor.x == end - 2
        assert "退货政策XABC" in "".join(terminal.screen.buffer[row][at].data for at in range(120))
        terminal.press("home")
        assert terminal.screen.cursor.x == end - 11
        terminal.press("end")
        assert terminal.screen.cursor.x == end + 1
        # A click on the right half of 货 goes before or after it, never into it.
        click = f"\x1b[<0;{end - 11 + 4};{row + 1}M\x1b[<0;{end - 11 + 4};{row + 1}m"
        terminal.child.send(click)
        terminal.rest()
        assert terminal.screen.cursor.x in (end - 9, end - 7)
        terminal.press("esc", "d")
        terminal.press("/")
        terminal.child.send("退款")
        terminal.rest()
        at = terminal.screen.cursor
        assert "".join(terminal.screen.buffer[at.y][at.x - 4 + step].data for step in range(4)) == "退款"


@pytest.mark.parametrize(
    ("key", "sees"),
    [("", "C03"), ("n", "note on C03"), ("?", "how do I"), ("/", "is:failing")],
)
def test_a_storm_of_resizes_leaves_case_and_dialog_where_they_were(folder: Path, key: str, sees: str) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("20 failing")
        terminal.rest()
        terminal.press("j")
        assert selected(terminal) == "C03"
        if key:
            terminal.press(key)
            terminal.wait(sees)
        for size in ((10, 3), (200, 60), (1, 1), (80, 24), (40, 10), (120, 40), (10, 3), (200, 60)):
            terminal.resize(*size)
            terminal.pump(0.02)
        terminal.resize(30, 8)
        terminal.rest()
        terminal.resize(120, 40)
        terminal.wait(sees)
        terminal.rest()
        if key:
            terminal.press("esc", "esc")
        terminal.wait("20 failing")
        assert selected(terminal) == "C03"
        terminal.press("q")
        assert terminal.end() == 0


def test_below_the_least_size_a_sentence_stands_there_alone(folder: Path) -> None:
    with Terminal([], folder, columns=59, rows=14) as terminal:
        text = terminal.wait("60")
        terminal.rest()
        assert "failing" not in text and len([line for line in terminal.lines if line]) <= 4
        assert max(len(line) for line in terminal.lines) <= 59


def test_the_place_is_kept_through_verdict_sort_filter_and_reload(folder: Path) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("20 failing")
        terminal.rest()
        terminal.child.send("j" * 14)
        terminal.rest()
        case = selected(terminal)
        terminal.press("s")
        terminal.wait("sort by")
        terminal.child.send("id\r")
        terminal.rest()
        assert selected(terminal) == case
        terminal.press("/")
        terminal.child.send("东西")
        terminal.rest(0.5)
        terminal.press("enter")
        assert selected(terminal) == case
        terminal.press("esc")
        assert selected(terminal) == case
        terminal.press("f")
        assert selected(terminal) == case


def test_ctrl_l_paints_the_screen_anew(folder: Path) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("20 failing")
        shown = terminal.rest()
        terminal.screen.erase_in_display(2)
        terminal.child.send("\x0c")
        terminal.wait("20 failing")
        assert terminal.rest() == shown


def test_the_palettes_caret_stands_still_and_where_the_terminals_own_is(folder: Path) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("20 failing")
        terminal.rest()
        terminal.press("\x10")
        terminal.child.send("主题a")
        terminal.wait("No matches")
        terminal.rest(1.0)
        at = terminal.screen.cursor
        assert "".join(terminal.screen.buffer[at.y][at.x - 5 + step].data for step in range(5)) == "主题a"
        before = len(terminal.received)
        # A blinking caret changes twice a second.
        terminal.rest(1.2)
        assert len(terminal.received) == before
