"""Commands wait until the sentences that they speak of are checked."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from triage.ingest import load as loading
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.workspace import Workspace

ROOT = Path(__file__).resolve().parents[3]


FEW, MANY = 250, 1000
"""Cases that are checked in a few transactions; and in so many that one can come between them."""


@pytest.fixture
def unchecked(
    place: Path, make: Any, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Path:
    """The database of a run `large` as the app has just loaded it; case `c1` is wrong."""
    records = [
        make.record(
            f"c{at}", answer=f"It takes {8 if at == 1 else 7} days.[S1] Nothing else is known of it.[S1]",
            citations=["S1"], retrieved=[{"id": "KB-1", "text": "It takes 7 days, or a week at most."}],
        )
        for at in range(getattr(request, "param", FEW))
    ]  # fmt: skip
    with monkeypatch.context() as patch:
        patch.setattr(loading, "SMALL", 0)
        made = Workspace(place / "triage.db", Settings())
        made.ingest([make.write(place / "large.jsonl", records, {"id": "large"})], LoadOptions(), aside=True)
        assert made.checking.waiting() == ["large"]
        made.close()
    monkeypatch.setenv("TRIAGE_DB", str(place / "triage.db"))
    return place / "triage.db"


def checked(database: Path) -> int:
    with sqlite3.connect(database) as sql:
        (count,) = sql.execute("SELECT count(*) FROM checks").fetchone()
    sql.close()
    return int(count)


def unsupported(triage: Any) -> Any:
    return triage("cases", "large", "--filter", "check:unsupported", "--format", "jsonl").lines


def test_a_report_waits_for_the_check(unchecked: Path, triage: Any) -> None:
    done = triage("report", "large", "--format", "json")
    support = done.json["metrics"]["citation_support"]
    assert done.code == 0 and done.err == ""
    assert support["value"] is not None and support["denominator"] - support["numerator"] == 1
    assert checked(unchecked) == FEW


@pytest.mark.parametrize("command", ["cases", "case", "export"])
def test_the_others_wait_too(unchecked: Path, triage: Any, command: str) -> None:
    if command == "cases":
        assert [one["id"] for one in unsupported(triage)] == ["c1"]
    elif command == "case":
        found = triage("case", "large", "c1", "--format", "json").json
        assert found["suggestion"]["reason"] == "cited_text_mismatch"
        assert found["sentences"][0]["supported"] is None or found["sentences"][0]["mismatches"]
    else:
        out = triage("export", "large", "--filter", "mismatch:*", "--format", "jsonl").lines
        assert [one["record"]["id"] for one in out] == ["c1"]
    assert checked(unchecked) == FEW


@pytest.mark.parametrize("unchecked", [MANY], indirect=True)
def test_an_interrupted_wait_ends_with_130_and_goes_on_the_next_time(unchecked: Path, triage: Any) -> None:
    if sys.platform == "win32":
        pytest.skip("no interrupt that only a child gets")
    child = subprocess.Popen(
        [sys.executable, "-m", "triage", "report", "large"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True, text=True,
    )  # fmt: skip
    limit = time.monotonic() + 60
    while not checked(unchecked) and child.poll() is None and time.monotonic() < limit:
        time.sleep(0.005)
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out) == (130, "")
    assert err.strip() == "triage: interrupted; nothing is half done"
    done = checked(unchecked)
    assert 0 < done < MANY
    assert triage("db", "check").code == 0
    assert [one["id"] for one in unsupported(triage)] == ["c1"]
    assert checked(unchecked) == MANY and triage("db", "check").code == 0
