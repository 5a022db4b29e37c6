"""Live reload in the real program: the writers of bugs.md class M, and some more, at work beside it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from driver import ROOT, Terminal


def case(number: int, **changes: Any) -> dict[str, Any]:
    return {
        "id": f"c{number}", "query": f"q {number} 退货", "answerable": True, "expected_ids": ["A"],
        "retrieved_ids": ["A"], "answer": "x [S1]", "citations": ["A"], "predicted_answerable": True,
        **changes,
    }  # fmt: skip


def whole(path: Path, records: list[dict[str, Any]]) -> None:
    """A file that comes by a rename."""
    part = path.with_name(f".{path.name}.tmp")
    part.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in records), "utf-8")
    part.replace(path)


def runs(folder: Path) -> dict[str, tuple[int, int]]:
    """Records and revision of each run, as another process reads them."""
    done = subprocess.run(
        [sys.executable, "-m", "triage", "runs", "--format", "json"],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True,
        timeout=60,
    )  # fmt: skip
    return {run["id"]: (run["records"], run["revision"]) for run in json.loads(done.stdout)["runs"]}


def leave(terminal: Terminal) -> None:
    terminal.press("q")
    assert terminal.end() == 0


def test_126_a_slow_writer_is_loaded_whole_and_once(tmp_path: Path, shared: Callable[[str], Path]) -> None:
    script = shared("bugfiles/126_slow_writer.py")
    with Terminal(["."], tmp_path) as terminal:
        terminal.wait("a run file that comes is shown")
        subprocess.run([sys.executable, str(script), str(tmp_path)], check=True, timeout=60)
        terminal.wait("50 cases")
        terminal.rest()
        assert b"error" not in terminal.received and b"can't be read" not in terminal.received
        leave(terminal)
    assert runs(tmp_path) == {"slow": (50, 1)}


def test_127_each_rename_over_the_file_is_followed(tmp_path: Path, shared: Callable[[str], Path]) -> None:
    script = shared("bugfiles/127_renamer.py")
    with Terminal(["."], tmp_path) as terminal:
        terminal.wait("a run file that comes is shown")
        writer = subprocess.Popen([sys.executable, str(script), str(tmp_path)])
        for count in (10, 20, 30):
            terminal.wait(f"{count} cases")
        assert writer.wait(20) == 0
        leave(terminal)
    assert set(runs(tmp_path)) == {"run"} and runs(tmp_path)["run"][0] == 30


@pytest.mark.parametrize(("watching", "word"), [("auto", "live"), ("poll", "live (poll)")])
def test_129_files_are_followed_with_events_and_without(tmp_path: Path, watching: str, word: str) -> None:
    (tmp_path / "triage.toml").write_text(f'watch = "{watching}"\npoll_seconds = 0.2\n')
    whole(tmp_path / "run.jsonl", [case(1)])
    with Terminal(["run.jsonl"], tmp_path) as terminal:
        terminal.wait(lambda text: text.splitlines()[0].endswith(word))
        for count in (2, 3):
            whole(tmp_path / "run.jsonl", [case(number) for number in range(count)])
            terminal.wait(f"{count} cases")
        leave(terminal)


def test_132_a_half_typed_note_outlives_a_new_run_and_a_replaced_one(tmp_path: Path) -> None:
    missed = [case(number, retrieved_ids=["B"]) for number in range(5)]
    whole(tmp_path / "run.jsonl", missed)
    with Terminal(["."], tmp_path) as terminal:
        terminal.wait("5 failing")
        terminal.wait(lambda text: text.splitlines()[0].endswith("live"))
        terminal.press("down", "n")
        terminal.child.send("half a")
        terminal.wait("half a")
        whole(tmp_path / "run.jsonl", [case(9), *missed])
        whole(tmp_path / "next.jsonl", missed[1:])
        terminal.wait("6 cases")
        terminal.wait("1 new")
        terminal.child.send(" thought")
        terminal.wait("half a thought")
        terminal.press("ctrl+s")
        terminal.wait(lambda text: any("c1" in line and line.startswith(">") for line in text.splitlines()))
        terminal.press("O")
        terminal.wait("4 cases")
        leave(terminal)
    cases = subprocess.run(
        [sys.executable, "-m", "triage", "case", "run", "c1"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, text=True, check=True, timeout=60,
    ).stdout  # fmt: skip
    assert "half a thought" in cases


def test_134_the_last_good_run_outlives_its_file(tmp_path: Path) -> None:
    whole(tmp_path / "run.jsonl", [case(1, retrieved_ids=["B"]), case(2)])
    with Terminal(["."], tmp_path) as terminal:
        terminal.wait("1 failing")
        terminal.wait(lambda text: text.splitlines()[0].endswith("live"))
        terminal.press("1")
        terminal.wait("1 of 1")
        (tmp_path / "run.jsonl").write_text("{\n")
        terminal.wait("the last good data stays")
        (tmp_path / "run.jsonl").unlink()
        terminal.wait("file gone")
        assert "2 cases" in terminal.text and "1 of 1" in terminal.text
        leave(terminal)
    assert runs(tmp_path) == {"run": (2, 1)}


def test_a_folder_that_is_still_to_come_is_waited_for(tmp_path: Path) -> None:
    with Terminal(["results/"], tmp_path) as terminal:
        terminal.wait("results is not there yet")
        (tmp_path / "results").mkdir()
        whole(tmp_path / "results" / "run.jsonl", [case(1, retrieved_ids=["B"])])
        terminal.wait("1 failing")
        leave(terminal)


def test_without_a_path_the_folders_that_are_known_are_followed(tmp_path: Path) -> None:
    (tmp_path / "results").mkdir()
    whole(tmp_path / "results" / "run.jsonl", [case(1)])
    subprocess.run(
        [sys.executable, "-m", "triage", "ingest", "results"], cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, capture_output=True, check=True, timeout=60,
    )  # fmt: skip
    whole(tmp_path / "results" / "overnight.jsonl", [case(1), case(2)])
    with Terminal([], tmp_path) as terminal:
        terminal.wait("overnight is here")
        whole(tmp_path / "results" / "now.jsonl", [case(1), case(2), case(3)])
        terminal.wait("2 new runs")
        terminal.press("O")
        terminal.wait("3 cases")
        leave(terminal)


def test_a_missing_word_that_is_no_path_is_still_a_slip(tmp_path: Path) -> None:
    with Terminal(["reprot"], tmp_path) as terminal:
        assert terminal.end() == 2
        assert b"did you mean report" in terminal.received
