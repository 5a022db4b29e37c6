"""A run file in, why it failed, one key, a list out: the real program in a real terminal."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from driver import ROOT, Terminal

SAMPLES = ROOT / "sample_runs"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with the ten-case run and its baseline."""
    for name in ("support-zh-kb41.jsonl", "support-zh-kb42.jsonl"):
        shutil.copy(SAMPLES / name, tmp_path / name)
    return tmp_path


def triage(folder: Path, *words: str) -> str:
    """Standard output of a command on the same database."""
    done = subprocess.run(
        [sys.executable, "-m", "triage", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return done.stdout


def verdicts(folder: Path) -> dict[str, str]:
    """Each case's verdict in the newest run, as another process reads it."""
    cases = json.loads(triage(folder, "cases", "--format", "json"))["cases"]
    return {case["id"]: case["verdict"]["class"] for case in cases if case["verdict"]}


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_the_loop_from_file_to_list(folder: Path, size: tuple[int, int]) -> None:
    with Terminal(["."], folder, columns=size[0], rows=size[1]) as terminal:
        terminal.wait("3 failing")
        terminal.wait(lambda text: all(case in text for case in ("E06", "E08", "E10")))
        terminal.press("space")
        terminal.wait("1 of 3")
        terminal.press("2")
        terminal.wait("2 of 3")
        terminal.press("3")
        terminal.wait("3 of 3")
        terminal.press("q")
        assert terminal.end() == 0
    assert len(verdicts(folder)) == 3
    triage(folder, "export", "-o", "tagged.csv")
    assert (folder / "tagged.csv").read_bytes().startswith(b"\xef\xbb\xbfrun,case_id,verdict")


def test_a_verdict_on_the_screen_survives_kill_9(folder: Path) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("1")
        terminal.wait("1 of 3")
        os.kill(terminal.child.pid, signal.SIGKILL)
        terminal.child.wait()
    assert list(verdicts(folder).values()) == ["retrieval"]


def test_a_verdict_from_another_process_is_seen_within_a_second(folder: Path) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        triage(folder, "tag", "E10", "refusal", "--reviewer", "mei")
        written = time.monotonic()
        terminal.wait("1 of 3")
        assert time.monotonic() - written < 3  # a second on a quiet machine; the command's own end is in it
        terminal.press("q")


def test_a_verdict_here_is_seen_there_at_once(folder: Path) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("1")
        terminal.wait("1 of 3")
        assert list(verdicts(folder).values()) == ["retrieval"]


def test_keys_typed_into_a_note_are_text(folder: Path) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("n")
        terminal.child.send("quit 123 jk/? tag x 退货")
        terminal.wait("quit 123 jk/? tag x 退货".replace("退货", "退"))
        terminal.press("ctrl+s")
        terminal.rest()
        terminal.press("q")
        assert terminal.end() == 0
    case = json.loads(triage(folder, "cases", "--format", "json"))["cases"]
    notes = [one["verdict"]["note"] for one in case if one["verdict"]]
    assert notes == ["quit 123 jk/? tag x 退货"]
    assert verdicts(folder) == {} or set(verdicts(folder).values()) == {None}


@pytest.mark.parametrize("key", ["ctrl+c", "ctrl+q", "esc"])
def test_a_half_written_note_is_never_lost(folder: Path, key: str) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("n")
        terminal.child.send("half a thought")
        terminal.wait("half a thought")
        terminal.press(key)
        os.kill(terminal.child.pid, signal.SIGKILL)
        terminal.child.wait()
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("n")
        terminal.wait("half a thought")


@pytest.mark.parametrize("size", [(40, 10), (20, 5), (5, 2), (1, 1)])
def test_a_tiny_terminal_does_no_harm(folder: Path, size: tuple[int, int]) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("j")
        where = next(line for line in terminal.lines if re.match(r"^[> ]?>", line))
        terminal.resize(*size)
        terminal.rest()
        terminal.resize(120, 40)
        terminal.wait("3 failing")
        terminal.rest()
        assert next(line for line in terminal.lines if re.match(r"^[> ]?>", line)) == where
        terminal.press("q")
        assert terminal.end() == 0


@pytest.mark.parametrize("size", [(40, 10), (20, 5), (1, 1)])
def test_starting_in_a_tiny_terminal_and_growing(folder: Path, size: tuple[int, int]) -> None:
    with Terminal(["."], folder, columns=size[0], rows=size[1]) as terminal:
        terminal.rest()
        terminal.resize(120, 40)
        terminal.wait("3 failing")
        terminal.press("q")
        assert terminal.end() == 0


def test_no_colour_means_no_colour_codes(folder: Path) -> None:
    with Terminal(["."], folder, env={"NO_COLOR": "1"}) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("j", "1")
        terminal.press("q")
        assert terminal.end() == 0
        colours = re.findall(
            rb"\x1b\[(?:[0-9;]*;)?(?:3[0-7]|4[0-7]|9[0-7]|10[0-7]|[34]8)(?:;[0-9;]*)?m", terminal.received
        )
    assert not colours


def test_no_control_sequence_of_a_record_reaches_the_terminal(
    tmp_path: Path, shared: Callable[[str], Path]
) -> None:
    shutil.copy(shared("bugfiles/007_ansi_osc.jsonl"), tmp_path / "run.jsonl")
    with Terminal(["run.jsonl"], tmp_path) as terminal:
        terminal.wait("1234")
        terminal.rest()
        terminal.press("f", "enter", "down", "down", "esc", "n", "esc", "?", "esc", "q")
        terminal.end()
        sent = bytes(terminal.received)
    assert b"\x1b]52" not in sent
    assert b"\x1b]8;" not in sent
    titles = re.findall(rb"\x1b\][02];([^\x07\x1b]*)", sent)
    assert all(title.startswith(b"triage") or not title for title in titles)


@pytest.mark.parametrize("ending", [signal.SIGTERM, signal.SIGHUP])
def test_the_terminal_is_left_whole_after_a_signal(folder: Path, ending: signal.Signals) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        os.kill(terminal.child.pid, ending)
        terminal.end()
        sent = bytes(terminal.received)
    assert sent.rfind(b"\x1b[?1049l") > sent.rfind(b"\x1b[?1049h")
    assert sent.rfind(b"\x1b[?25h") > sent.rfind(b"\x1b[?25l")
    assert sent.rfind(b"\x1b[?1003l") >= sent.rfind(b"\x1b[?1003h")


def test_a_first_screen_without_data_shows_three_ways_on(tmp_path: Path) -> None:
    with Terminal([], tmp_path) as terminal:
        terminal.wait("demo")
        terminal.press("q")
        assert terminal.end() == 0
    assert not (tmp_path / ".triage").exists()


def test_the_demo_says_that_its_database_is_thrown_away(tmp_path: Path) -> None:
    with Terminal(["demo"], tmp_path) as terminal:
        terminal.wait("1234")
        terminal.press("q")
        assert terminal.end() == 0
        assert b"throw" in terminal.received
    assert list(tmp_path.iterdir()) == []


def test_the_loop_by_an_input_methods_keys(folder: Path) -> None:
    with Terminal(["."], folder) as terminal:
        terminal.wait("3 failing")
        terminal.rest()
        terminal.press("１", "　")
        terminal.wait("2 of 3")
        terminal.press("？")
        terminal.wait("take the verdict back")
        terminal.press("esc", "q")
        assert terminal.end() == 0
    assert len(verdicts(folder)) == 2
