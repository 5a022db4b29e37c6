"""A sample is read at 80x24 with a Chinese input method on: full-width digits and blanks, without a mouse."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from driver import ROOT, Terminal

RUN = "support-zh-kb42.jsonl"


def told(folder: Path, *words: str) -> Any:
    """What a command prints as JSON, on the same database."""
    env = {**os.environ, "PYTHONPATH": str(ROOT), "TRIAGE_REVIEWER": "wei"}
    command = [sys.executable, "-m", "triage", *words]
    done = subprocess.run(
        command, cwd=folder, env=env, capture_output=True, text=True, check=True, timeout=60
    )
    return json.loads(done.stdout) if "json" in words else None


def test_full_width_digits_and_blanks_read_a_whole_sample(tmp_path: Path) -> None:
    shutil.copy(ROOT / "sample_runs" / RUN, tmp_path / RUN)
    told(tmp_path, "ingest", RUN)
    told(tmp_path, "sample", "kb42", "--n", "3", "--name", "退款抽样", "--by", "topic")
    words = ["review", "kb42", "--sample", "退款抽样"]
    with Terminal(words, tmp_path, columns=80, rows=24, env={"TRIAGE_REVIEWER": "wei"}) as screen:
        screen.wait("0 of 3 read")
        for word in ("evidence", "the source was not found", "test set"):
            screen.wait(word)
        screen.child.send("d")
        screen.wait("off: why?")
        screen.child.send("等客服确认")
        screen.wait("等客服确认")
        screen.press("enter")
        screen.wait(" deferred")
        screen.child.send("９")
        screen.wait("1 of 3 read")
        screen.child.send("\u3000")
        screen.wait("2 of 3 read")
        screen.wait("put off: 等客服确认")
        screen.child.send("０")
        screen.wait("nothing is left for you to read")
        screen.press("esc")
        screen.wait("退款抽样")
        screen.press("q")
        assert screen.end() == 0
    cases = told(tmp_path, "cases", "kb42", "--filter", "verdict:*", "--format", "json")
    given = [case["verdict"]["class"] for case in (cases["cases"] if isinstance(cases, dict) else cases)]
    assert len(given) == 3 and "test-set" in given and "not-a-failure" in given
