"""Labels renamed and groups judged in the real program, beside another process."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from driver import ROOT, Terminal


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with two runs of one test set."""
    for name in ("helpdesk-1-kb09-dense.jsonl", "helpdesk-3-kb10-rerank.jsonl"):
        shutil.copy(ROOT / "sample_runs" / name, tmp_path / name)
    return tmp_path


def triage(folder: Path, *words: str) -> str:
    """Standard output of a command on the same database."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIAGE_REVIEWER": "mei"}
    command = [sys.executable, "-m", "triage", *words]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return done.stdout


def in_use(folder: Path) -> dict[str, Any]:
    """Label -> run -> cases, as another process reads it."""
    book = json.loads(triage(folder, "codes", "--format", "json"))
    return {code["name"]: code["runs"] for code in book["codes"] if code["runs"]}


def test_a_rename_on_the_screen_reaches_both_runs_and_survives_kill_9(folder: Path) -> None:
    triage(folder, "ingest", ".")
    triage(folder, "label", "kb09-dense", "H02", "过期文档")
    triage(folder, "label", "kb10-rerank", "H03", "过期文档", "routing")
    with Terminal([], folder, columns=80, rows=24) as terminal:
        terminal.wait("23 failing")
        terminal.rest()
        terminal.press("L")
        terminal.wait("codebook")
        terminal.wait(lambda text: "过期" in text.replace(" ", ""))
        triage(folder, "label", "kb10-rerank", "H19", "过期文档")
        terminal.wait("3 cases")
        terminal.press("r")
        terminal.wait("stays in the history")
        terminal.press(*["backspace"] * 4, *"stale", "enter")
        terminal.wait("3 cases in 2 runs")
        os.kill(terminal.child.pid, signal.SIGKILL)
        terminal.child.wait()
    found = in_use(folder)
    assert found["stale"] == {"kb10-rerank": 2, "kb09-dense": 1} and "过期文档" not in found


def test_a_group_is_judged_by_one_key_and_taken_back_by_one(folder: Path) -> None:
    triage(folder, "ingest", ".")
    groups = json.loads(triage(folder, "groups", "kb10-rerank", "--format", "json"))["groups"]
    with Terminal([], folder) as terminal:
        terminal.wait("23 failing")
        terminal.rest()
        terminal.press("M")
        terminal.wait("left to judge")
        terminal.wait("same rule")
        terminal.press("enter")
        terminal.wait(f"{groups[0]['cases']} marked")
        terminal.press("5")
        terminal.wait(f"{groups[0]['cases']} of 23")
        cases = json.loads(triage(folder, "cases", "kb10-rerank", "--format", "json"))["cases"]
        judged = {case["id"]: case["verdict"]["class"] for case in cases if case["verdict"]}
        assert judged == dict.fromkeys(groups[0]["ids"], "other")
        terminal.press("u")
        terminal.wait("0 of 23")
        terminal.press("q")
        assert terminal.end() == 0


def test_a_label_renamed_elsewhere_is_in_no_undo_s_way(folder: Path) -> None:
    triage(folder, "ingest", ".")
    triage(folder, "label", "kb10-rerank", "H08", "old")
    with Terminal([], folder) as terminal:
        terminal.wait("23 failing")
        terminal.wait("H08  retrieval?")
        terminal.rest()
        terminal.press("1")
        terminal.wait("1 of 23")
        triage(folder, "codes", "rename", "old", "new")
        terminal.rest()
        terminal.press("u")
        terminal.wait("0 of 23")
        terminal.press("q")
        assert terminal.end() == 0
    assert in_use(folder) == {"new": {"kb10-rerank": 1}}
