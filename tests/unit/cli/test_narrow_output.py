"""Tables and sentences on a terminal that is too narrow for them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.cli import output
from triage.plain import width


def at(monkeypatch: pytest.MonkeyPatch, space: int | None) -> None:
    monkeypatch.setattr(output, "room", lambda: space)


HEADS = ["", "retrieval", "citation-semantic", "not-a-failure", "all"]
ROWS = [["检索 retrieval", "12", "0", "3", "15"], ["citation-semantic", "0", "4567", "0", "4567"]]
RIGHT = frozenset({1, 2, 3, 4})


def test_titles_above_numbers_are_cut_and_the_numbers_never(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, None)
    whole = output.table(HEADS, ROWS, right=RIGHT)
    at(monkeypatch, 52)
    lines = output.table(HEADS, ROWS, right=RIGHT)
    assert max(map(width, whole)) > 52 >= max(map(width, lines)) + 1
    assert [line.split()[-4:] for line in lines[1:]] == [row[1:] for row in ROWS]
    assert lines[1].startswith("检索 retrieval") and lines[2].startswith("citation-semantic")
    assert "»" in lines[0] and lines[0].endswith("  all")


def test_a_last_column_is_no_wider_than_what_it_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 80)
    assert output.table(["", "n"], [["a", "1"]], right=frozenset({1})) == ["   n", "a  1"]


def test_spare_columns_go_in_their_order_before_anything_breaks(monkeypatch: pytest.MonkeyPatch) -> None:
    heads, row = ["rule", "first", "second", "n"], ["r" * 20, "f" * 20, "s" * 20, "7"]
    shown = []
    for space in (100, 60, 40):
        at(monkeypatch, space)
        lines = output.table(heads, [row], right=frozenset({3}), spare=(1, 2))
        assert max(map(width, lines)) < space and lines[1].split()[-1] == "7"
        shown.append(lines[0].split())
    assert shown == [heads, ["rule", "second", "n"], ["rule", "n"]]


def test_what_fits_nowhere_breaks_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    at(monkeypatch, 20)
    lines = output.table(["rule", "n"], [["r" * 40, "7"]], right=frozenset({1}))
    assert lines[1] == "r" * 40 + "  7"


def test_a_sentence_is_broken_between_its_parts_and_loses_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    parts = ("22 of 58 fail", "", "失败率约 31 %", "it speaks for 71 of 72 cases")
    at(monkeypatch, None)
    assert output.sentence(*parts) == "22 of 58 fail   失败率约 31 %   it speaks for 71 of 72 cases"
    at(monkeypatch, 40)
    assert output.sentence(*parts) == "22 of 58 fail   失败率约 31 %\n  it speaks for 71 of 72 cases"
    assert output.sentence("x" * 90) == "x" * 90 and output.sentence() == ""


def test_what_must_be_read_whole_is_broken_and_not_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    said = "归档的页面被引用了，日期不对 and the price is that of last year, [bold]not this one[/]"
    at(monkeypatch, 40)
    lines = output.table(["", ""], [["means", said], ["in run", "kb42 3"]], indent="  ", whole=True)
    assert all(width(line) < 40 for line in lines) and lines[-1] == "  in run  kb42 3"
    assert lines[0].startswith("  means   归档") and lines[1].startswith(" " * 10)
    assert "".join(line[10:].replace(" ", "") for line in lines[:-1]) == said.replace(" ", "")
    at(monkeypatch, None)
    assert output.table(["", ""], [["means", said]], whole=True) == [f"means  {said}"]


def test_a_definition_is_shown_whole_on_a_terminal(
    small: Path, triage: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    triage("ingest", "kb42.jsonl")
    said = "the cited page is an archived one; " * 5
    triage("codes", "define", "old", said)
    at(monkeypatch, 60)
    text = triage("codes", "show", "old").out
    assert "»" not in text and " ".join(text.split()).count("an archived one") >= 5
