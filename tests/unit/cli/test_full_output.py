"""Where the output takes nothing more, that is told in a line: no bug report, no traceback."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLES = Path(__file__).resolve().parents[3] / "sample_runs"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("words", [["report"], ["export", "--filter", "id:*", "--format", "xlsx"]])
def test_a_full_disk_behind_standard_output_is_no_bug(tmp_path: Path, words: list[str]) -> None:
    env = os.environ | {"TRIAGE_DB": str(tmp_path / "triage.db"), "XDG_STATE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "triage"]
    run = str(SAMPLES / "support-zh-kb42.jsonl")
    subprocess.run([*command, "ingest", run], env=env, check=True, capture_output=True)
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run([*command, *words], env=env, stdout=full, stderr=subprocess.PIPE, check=False)
    assert done.returncode == 1
    assert done.stderr.decode() == "triage: error: can't write the output (No space left on device)\n"
