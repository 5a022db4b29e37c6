"""README's two commands do everything, in a copy of the checkout, with a home of their own."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from demo_in_a_pty import demo

ROOT = Path(__file__).resolve().parents[2]
INSIDE = "TRIAGE_INSIDE_README_COMMAND"
"""Set while a README command runs, so that the tests it collects do not run README's commands again."""

pytestmark = [
    pytest.mark.skipif(INSIDE in os.environ, reason="README's commands are being run right now"),
    pytest.mark.timeout(900),
]


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """What git has of this checkout, with today's changes, in an empty folder."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    copy = tmp_path / "checkout"
    for name in filter(None, listed.stdout.split("\0")):
        if (ROOT / name).is_file():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, copy / name)
    return copy


def commands() -> list[str]:
    """The commands that begin by making a virtual environment, in README's order."""
    return re.findall(r"^python3 -m venv .+$", (ROOT / "README.md").read_text("utf-8"), re.MULTILINE)


def environment(tmp_path: Path) -> dict[str, str]:
    home = tmp_path / "home"
    home.mkdir()
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "VIRTUAL_ENV"))}
    return {
        **kept,
        INSIDE: "1",
        "HOME": str(home),
        "TERM": "xterm-256color",
        "PIP_DISABLE_PIP_VERSION_CHECK": "1",
    }


def test_there_are_two() -> None:
    first, second = commands()
    assert first == "python3 -m venv .venv && .venv/bin/pip install -e . && .venv/bin/triage demo"
    assert second.endswith(".venv/bin/pytest")


def test_the_first_opens_the_app_on_the_sample_runs(checkout: Path, tmp_path: Path) -> None:
    seen = demo(["/bin/sh", "-c", commands()[0]], checkout, environment(tmp_path), patience=600)
    assert any("helpdesk" in line for line in seen)


def test_the_second_installs_and_finds_every_test(checkout: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        commands()[1] + " --collect-only", shell=True, cwd=checkout, env=environment(tmp_path),
        capture_output=True, text=True, timeout=800, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    found = re.search(r"(\d+) tests collected", done.stdout)
    assert found and int(found[1]) > 1000, done.stdout[-500:]
