"""Two people in two terminals on one database read a sample, disagree, settle it and read the report."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from driver import ROOT, Terminal

RUN = "helpdesk-3-kb10-rerank.jsonl"
CASE = re.compile(r"take the first that holds\s+(H\d\d)\b")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A project folder with the bilingual sample run loaded."""
    shutil.copy(ROOT / "sample_runs" / RUN, tmp_path / RUN)
    triage(tmp_path, "ingest", RUN)
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


def told(folder: Path, *words: str) -> Any:
    return json.loads(triage(folder, *words, "--format", "json"))


def opened(folder: Path, reviewer: str, *words: str) -> Terminal:
    return Terminal([*words], folder, env={"TRIAGE_REVIEWER": reviewer})


def in_hand(terminal: Terminal) -> str:
    """The id of the case that is read."""
    found = CASE.search(terminal.wait(lambda text: CASE.search(text) is not None))
    assert found
    return found[1]


def judge(terminal: Terminal, key: str, of: str) -> None:
    """Give a verdict, and wait until it is counted, `2 of 3`, and the next case is there, or none is left."""
    held = in_hand(terminal)
    terminal.child.send(key)
    terminal.wait(f"{of} read")

    def on(text: str) -> bool:
        found = CASE.search(text)
        return "nothing is left" in text or (found is not None and found[1] != held)

    terminal.wait(on)


def test_two_people_read_disagree_settle_and_report(folder: Path) -> None:
    with opened(folder, "wei") as wei, opened(folder, "li") as li:
        # wei draws three cases, each to be read by two.
        wei.wait("23 failing")
        wei.press("V")
        wei.wait("no sample of this run yet")
        wei.press("n")
        wei.wait("draw a sample")
        wei.press("backspace", "backspace", "3", "down", "down", "down", "right", "down", "right")
        wei.wait("3 clean cases")
        wei.press("enter")
        wei.wait("drew sample-1")
        # li sees it, and both begin; nobody is handed the same reading.
        li.wait("23 failing")
        li.press("V")
        li.wait("sample-1")
        wei.press("enter")
        first = in_hand(wei)
        wei.press("n")
        wei.wait("note on")
        wei.child.send("only wei knows")
        wei.wait("only wei knows")
        wei.press("ctrl+s")
        judge(wei, "1", "1 of 3")
        li.press("enter")
        assert in_hand(li) == first
        assert "second of 2 readings" in li.text
        assert "only wei knows" not in li.text and "wei" not in li.text
        judge(li, "2", "1 of 3")
        for done in ("2 of 3", "3 of 3"):
            for one in (wei, li):
                judge(one, "0", done)
        for one in (wei, li):
            one.wait("nothing is left for you to read")
        # They disagree on the first case alone, and li settles it.
        li.press("esc")
        li.wait("1 case in dispute")
        li.press("d")
        li.wait("only wei knows")
        assert re.search(rf">{first} .* retrieval .* ranking ", li.text), li.text
        li.press("2")
        li.wait(f"{first} is ranking: why?")
        li.child.send("排在第二位，证据里有")
        li.wait("排在第二位")
        li.press("enter")
        li.wait("0 in dispute  1 settled")
        wei.press("esc")
        wei.wait("6/6")
        wei.press("t")
        wei.wait("by li 3, wei 3")
        assert "1 of 3" in wei.text
        for one in (wei, li):
            one.press("q")
            assert one.end() == 0
    case = told(folder, "case", first)
    assert case["verdict"]["class"] == "ranking" and case["verdict"]["disputed"] is False
    kinds = [event["kind"] for event in case["verdicts"]]
    assert kinds.count("verdict") == 2 and kinds[-1] == "arbitration"
    agreement = told(folder, "agreement")
    assert agreement["reviewers"] == ["li", "wei"] and agreement["read_twice"] == 3
    assert [(pair["n"], pair["agreement"]) for pair in agreement["pairs"]] == [(3, 2 / 3)]
    assert "1 of 3" in triage(folder, "review", "--report", "--sample", "sample-1")


def test_a_queue_goes_on_where_a_killed_one_stopped(folder: Path) -> None:
    triage(folder, "sample", "--n", "3", "--name", "first")
    with opened(folder, "wei", "review", "--sample", "first", "--blind") as wei:
        in_hand(wei)
        assert "1 retrieval       2 ranking" not in wei.text, "blind: no trail"
        judge(wei, "0", "1 of 3")
        held = in_hand(wei)
        os.kill(wei.child.pid, signal.SIGKILL)
        wei.child.wait()
    with opened(folder, "wei", "review", "--sample", "first") as wei:
        assert in_hand(wei) == held
        assert "1 of 3 read" in wei.text
        wei.press("esc")
        wei.wait("time left")
        wei.press("q")
        assert wei.end() == 0
