"""The example of each command of a review's help runs as it is printed."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
ROOT = Path(__file__).resolve().parents[3]
BEFORE = (
    ("label", "kb42", "E01", "stale-doc"),
    ("label", "kb42", "E06", "stale-doc"),
    ("label", "kb42", "E08", "old-doc", "stale"),
    ("codes", "define", "spare", "not needed any more"),
)
COMMANDS = (
    "sample", "review", "agreement", "reweigh", "groups", "codes", "codes show", "codes define",
    "codes split", "codes undo", "codes merge", "codes rename", "codes forget", "codes history",
)  # fmt: skip


def example_of(text: str) -> str:
    """The command line after `Example:` on a help page."""
    lines = [line.strip() for line in text.splitlines()]
    return next(line.removeprefix("Example: ") for line in lines if line.startswith("Example: "))


@pytest.fixture
def samples(place: Path, triage: Call) -> Call:
    """The sample runs that the examples name, with the labels that they speak of."""
    for name in ("support-zh-kb42.jsonl", "helpdesk-3-kb10-rerank.jsonl"):
        shutil.copy(ROOT / "sample_runs" / name, place / name)
    assert triage("ingest", ".").code == 0
    for words in BEFORE:
        assert triage(*words).code == 0
    return triage


def test_examples_run_as_they_are_printed_on_80_columns(
    samples: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    for command in COMMANDS:
        example = example_of(samples(*command.split(), "--help").out)
        program, *words = shlex.split(example)
        assert program == "triage" and " ".join(words).startswith(command)
        done = samples(*words)
        assert done.code == 0, (example, done.err)
        assert done.out.strip() or done.err.strip(), example


def test_an_example_of_groups_has_groups(samples: Call) -> None:
    _, *words = shlex.split(example_of(samples("groups", "--help").out))
    assert samples(*words, "--format", "json").json["groups"]
