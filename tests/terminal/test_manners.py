"""The terminal is left as it was found, however the app stops, ends or breaks."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from driver import ROOT, Terminal
from shells import HAS_BASH, TRIAGE, Shell

SAMPLES = ROOT / "sample_runs"
needs_bash = pytest.mark.skipif(not HAS_BASH, reason="bash is not here")
MODES = ("1049", "1000", "1003", "1006", "1015", "2004", "1004")
"""Alternate screen, mouse, bracketed paste, focus reports."""


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project folder with the ten-case run and its baseline, loaded."""
    folder = tmp_path_factory.mktemp("project")
    for name in ("support-zh-kb41.jsonl", "support-zh-kb42.jsonl"):
        shutil.copy(SAMPLES / name, folder / name)
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-m", "triage", "--db", "triage.db", "ingest", "."]
    subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True, timeout=60)
    return folder


@pytest.fixture
def folder(tmp_path: Path, loaded: Path) -> Path:
    """A copy of it."""
    (tmp_path / ".triage").mkdir()
    shutil.copy(loaded / "triage.db", tmp_path / ".triage" / "triage.db")
    return tmp_path


def left_whole(sent: bytes) -> None:
    """Is every mode that was set taken back, after it was last set?"""
    for mode in MODES:
        on, off = (sent.rfind(f"\x1b[?{mode}{end}".encode()) for end in "hl")
        assert off > on, f"mode {mode} is still on"
    assert sent.rfind(b"\x1b[?25h") > sent.rfind(b"\x1b[?25l"), "the cursor is hidden"
    assert sent.rfind(b"\x1b[?7h") > sent.rfind(b"\x1b[?7l"), "lines do not wrap"
    assert sent.rfind(b"\x1b[<u") > sent.rfind(b"\x1b[>"), "the keyboard protocol is still on"


def broken(folder: Path, where: str) -> str:
    """A command that runs the program with a bug in it: `where` raises, quoting a hostile record."""
    module, name = where.rsplit(".", 1)
    program = folder / "broken.py"
    program.write_text(
        "import importlib, sys\n"
        f"owner = importlib.import_module({module.rsplit('.', 1)[0]!r})\n"
        f"owner = getattr(owner, {module.rsplit('.', 1)[1]!r})\n"
        "def bug(*given, **more):\n"
        "    secret = '\\x1b]52;c;AAAA\\x07 words of a record'\n"
        "    raise RuntimeError('broke on ' + secret)\n"
        f"setattr(owner, {name!r}, bug)\n"
        "from triage.cli import main\nmain()\n"
    )
    return f"{shlex.quote(sys.executable)} {program}"


@needs_bash
def test_ctrl_z_and_fg_come_back_to_the_same_screen(folder: Path) -> None:
    with Shell(folder) as shell:
        before = shell.modes()
        shell.line(TRIAGE)
        shell.wait("3 failing")
        shell.press("j")
        shell.wait("E06  ranking?")
        shown = shell.rest()
        shell.press("ctrl+z")
        shell.wait("Stopped")
        left_whole(bytes(shell.received))
        assert shell.modes() == before
        shell.blank()
        shell.line("fg")
        shell.wait("E06  ranking?")
        assert shell.rest() == shown
        shell.press("2")
        shell.wait("1 of 3")
        shell.press("q")
        shell.wait("$")
        assert shell.modes() == before


@needs_bash
def test_a_draft_outlives_a_suspension(folder: Path) -> None:
    with Shell(folder) as shell:
        shell.line(TRIAGE)
        shell.wait("3 failing")
        shell.rest()
        shell.press("n")
        shell.child.send("half a 退货")
        shell.wait("half a")
        shell.press("ctrl+z")
        shell.wait("Stopped")
        with sqlite3.connect(folder / ".triage" / "triage.db") as sql:
            assert sql.execute("SELECT text FROM drafts").fetchall() == [("half a 退货",)]
        shell.blank()
        shell.line("fg")
        shell.wait("half a")
        shell.child.send(" thought")
        shell.wait("thought")
        shell.press("ctrl+s")
        shell.wait("noted")
        os.kill(shell.job(), signal.SIGTERM)
        shell.wait("$")


@needs_bash
def test_a_stop_that_nobody_announced_leaves_no_wrong_modes_behind(folder: Path) -> None:
    with Shell(folder) as shell:
        before = shell.modes()
        shell.line(TRIAGE)
        shell.wait("3 failing")
        shell.rest()
        os.kill(shell.job(), signal.SIGSTOP)
        shell.wait("Stopped")
        shell.blank()
        shell.line("fg")
        shell.wait("3 failing")
        shell.press("q")
        shell.wait("$")
        assert shell.modes() == before
        left_whole(bytes(shell.received))


@needs_bash
@pytest.mark.parametrize(
    "where",
    [
        "triage.ui.work.verdicts.Verdicts.tag",
        "triage.ui.widgets.case_detail.CaseDetail.render_line",
        "triage.ui.screens.triage.TriageScreen.compose",
    ],
)
def test_a_bug_ends_the_app_with_one_sentence_and_a_report(folder: Path, where: str) -> None:
    with Shell(folder) as shell:
        before = shell.modes()
        start = len(shell.received)
        shell.child.send(broken(folder, where) + "; echo code $?\r")
        shell.wait(lambda text: "3 failing" in text or "bug in triage" in text)
        shell.rest()
        if "bug in triage" not in shell.text:
            shell.press("1")
        shell.wait("code 70")
        sent = bytes(shell.received[start:])
        left_whole(sent)
        assert shell.modes() == before
    after = sent[sent.rfind(b"\x1b[?1049l") :].decode()
    assert "triage: bug in triage" in after and "Traceback" not in after
    assert b"\x1b]52" not in sent and b"words of a record" not in sent
    found = re.search(r"the report is (\S+?\.txt)", after)
    assert found is not None
    report = Path(found[1]).read_text("utf-8")
    assert "RuntimeError" in report and "bug(" not in report.split("RuntimeError")[0].splitlines()[0]
    assert "\x1b" not in report and "TERM=xterm-256color" in report


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_in_order_and_what_was_typed_is_kept(folder: Path, ending: signal.Signals) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("n")
        terminal.child.send("typed a moment ago")
        terminal.wait("moment ago")
        os.kill(terminal.child.pid, ending)
        assert terminal.end() == 128 + ending
        sent = bytes(terminal.received)
    left_whole(sent)
    assert b"Traceback" not in sent
    with sqlite3.connect(folder / ".triage" / "triage.db") as sql:
        assert sql.execute("SELECT text FROM drafts").fetchall() == [("typed a moment ago",)]


def test_a_closed_terminal_ends_it(folder: Path) -> None:
    terminal = Terminal([], folder)
    terminal.wait("3 failing")
    terminal.rest()
    pid = terminal.child.pid
    os.close(terminal.child.child_fd)
    for _ in range(200):
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            break
        signal.sigtimedwait([], 0.05)
    else:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        raise AssertionError("it goes on without a terminal")
    assert os.waitstatus_to_exitcode(status) == 128 + signal.SIGHUP
    terminal.child.closed = True


@needs_bash
def test_it_ends_when_the_shell_that_started_it_is_killed(folder: Path) -> None:
    with Shell(folder) as shell:
        shell.line(f"bash --norc -c {shlex.quote(TRIAGE + '; true')}")
        shell.wait("3 failing")
        shell.rest()
        inner = shell.job()
        children = Path(f"/proc/{inner}/task/{inner}/children").read_text().split()
        app = int(children[0])
        os.kill(inner, signal.SIGKILL)
        shell.rest(1.0)
        os.kill(shell.child.pid, signal.SIGHUP)
        shell.rest(1.0)
        gone = not Path(f"/proc/{app}").exists() or "Z" in Path(f"/proc/{app}/stat").read_text().split()[2]
        if not gone:
            os.kill(app, signal.SIGKILL)
        assert gone


def test_a_dumb_terminal_is_told_in_one_line(folder: Path) -> None:
    with Terminal([], folder, env={"TERM": "dumb"}) as terminal:
        assert terminal.end() == 1
        text = " ".join(terminal.text.split())
        assert "this terminal can't show the app" in text and "TERM is dumb" in text
        assert b"\x1b" not in terminal.received


@pytest.mark.parametrize("term", ["screen-256color", "linux", "vt100", "nonsense"])
def test_it_works_in_every_kind_of_terminal(folder: Path, term: str) -> None:
    with Terminal([], folder, env={"TERM": term, "COLORTERM": ""}) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("1")
        terminal.wait("1 of 3")
        terminal.press("q")
        assert terminal.end() == 0
        sent = bytes(terminal.received)
    left_whole(sent) if term != "linux" else None
    titled = b"\x1b]2;triage" in sent
    assert titled == (term not in ("linux", "vt100"))
    if term == "linux":
        # The console prints the end of what it takes for no sequence of its own.
        assert b"$p" not in sent and b"\x1b]" not in sent and b"\x1b[>" not in sent


def test_the_title_tells_the_run_and_is_given_back(folder: Path) -> None:
    with Terminal([], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("q")
        terminal.end()
        sent = bytes(terminal.received)
    titles = [title.decode() for title in re.findall(rb"\x1b\]2;([^\x07]*)\x07", sent)]
    assert titles[-2:] == ["triage kb42 3 failing", ""]
    assert sent.count(b"\x1b[22;2t") == sent.count(b"\x1b[23;2t") == 1
    (folder / "triage.toml").write_text("title = false\n")
    with Terminal([], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("q")
        terminal.end()
        assert b"\x1b]2;" not in terminal.received


def test_a_hostile_run_name_does_not_reach_the_title(tmp_path: Path) -> None:
    name = "a\\u001b]52;c;AAAA\\u0007\\u202e退款" + "长" * 60
    run = '{"run": {"id": "' + name + '"}}\n{"id": "c1", "query": "q", "answer": "a"}\n'
    (tmp_path / "run.jsonl").write_text(run, encoding="utf-8")
    with Terminal(["run.jsonl"], tmp_path) as terminal:
        terminal.wait("1234")
        terminal.rest()
        terminal.press("q")
        terminal.end()
        sent = bytes(terminal.received)
    assert b"\x1b]52" not in sent
    titles = [title.decode() for title in re.findall(rb"\x1b\]2;([^\x07]*)\x07", sent)]
    assert any("<ESC>" in title and "»" in title for title in titles)
    assert all(len(title) <= 80 for title in titles)


@pytest.mark.parametrize("how", ["option", "setting"])
def test_the_mouse_can_be_left_to_the_terminal(folder: Path, how: str) -> None:
    words = ["--no-mouse"] if how == "option" else []
    if how == "setting":
        (folder / "triage.toml").write_text("mouse = false\n")
    with Terminal(words, folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("1", "q")
        terminal.end()
        assert b"\x1b[?1000h" not in terminal.received and b"\x1b[?1003h" not in terminal.received
