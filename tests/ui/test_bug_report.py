"""The report of a bug: where it happened, and nothing of what a record holds."""

from __future__ import annotations

import os
import threading

import pytest

from triage.ui.frames import Frames
from triage.ui.terminal import Line
from triage.ui.work.bugs import report

SECRET = "我的订单 \x1b]52;c;aGk=\x07 丢了"


def raised() -> BaseException:
    try:
        try:
            {}[SECRET]
        except KeyError as error:
            raise ValueError(f"no such thing: '{SECRET}' in \"{SECRET}\"\nsecond line {SECRET}") from error
    except ValueError as error:
        return error
    raise AssertionError


def test_it_tells_where_and_not_what_a_record_holds() -> None:
    text = report(raised())
    assert "KeyError: ..." in text and "ValueError: no such thing: ... in ..." in text
    assert "which led to:" in text and "test_bug_report.py" in text
    assert "订单" not in text.split("Traceback")[-1].split("ValueError:")[1]
    assert "second line" not in text.split("ValueError:")[1]
    assert "\x1b" not in text


def test_names_in_quotes_stay() -> None:
    text = report(AttributeError("'CaseList' object has no attribute 'curser'"))
    assert "AttributeError: 'CaseList' object has no attribute 'curser'" in text


def test_errors_in_a_group_are_all_told() -> None:
    text = report(ExceptionGroup("two", [ValueError("one bad"), raised()]))
    assert "one bad" in text and "KeyError" in text


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_bug_in_what_spares_bytes_leaves_the_screen_alive(monkeypatch: pytest.MonkeyPatch) -> None:
    change, calls = Frames.change, []

    def broken(self: Frames, text: str) -> str:
        calls.append(text)
        if len(calls) == 3:
            raise RuntimeError("a bug in it")
        return change(self, text)

    monkeypatch.setattr(Frames, "change", broken)
    monkeypatch.setattr(threading, "excepthook", lambda _: None)
    reading, writing = os.pipe()
    with os.fdopen(writing, "w") as stream:
        line = Line(stream, lambda: None)
        line.start()
        for number in range(60):
            line.write(f"\x1b[1;1H\x1b[31mrow {number}\x1b[0m\x1b[1;1H")
        line.finish()
    with os.fdopen(reading) as sent:
        text = sent.read()
    assert len(calls) == 3
    assert all(f"row {number}\x1b" in text for number in range(2, 60))
