"""The progress line: on a terminal, for what takes over a second, and gone afterwards."""

from __future__ import annotations

import io
import re
import sys

import pytest

from triage.cli.progress import Bar
from triage.models.run import Progress


class Terminal(io.StringIO):
    """A stream that says it is a terminal."""

    def isatty(self) -> bool:
        return True


def show(seconds: list[float]) -> None:
    with Bar() as bar:
        for second in seconds:
            bar.show(
                Progress("a/[red]退款\x1b]0;x.jsonl", int(1000 * second), 31, int(100 * second), 1000, second)
            )


def test_a_quick_load_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    show([0.1, 0.5, 0.9])
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_no_terminal_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    show([0.5, 2.0, 4.0])
    assert sys.stderr.getvalue() == ""  # type: ignore[attr-defined]


def test_a_long_load_shows_records_rate_and_time_left_and_no_markup(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "120")
    show([0.5, 2.0, 4.0])
    out = sys.stderr.getvalue()  # type: ignore[attr-defined]
    assert "reading [red]退款<ESC>]0;x.jsonl" in out
    assert re.search(r"4000 records  31 rejected  1,000/s", out)
    assert "40%" in out
    assert "left" in out
    assert "\x1b]0" not in out
