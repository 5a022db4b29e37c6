"""Words that the commands of a review can't use: said before anything is done, and never left unheard."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.mark.parametrize("command", ["report", "cases", "export", "sample", "agreement", "groups"])
def test_one_of_filter_and_text(command: str, small: Path, triage: Call) -> None:
    done = triage(command, "kb42.jsonl", "--filter", "id:a", "--text", "query")
    assert done.code == 2 and "--filter or --text" in done.err and not done.out
    done = triage(command, "kb42.jsonl", "--text", "", "--filter", "id:a")
    assert done.code == 2 and "--filter or --text" in done.err


def test_an_empty_filter_is_none(small: Path, triage: Call) -> None:
    done = triage("cases", "kb42.jsonl", "--filter", "", "--text", "query of b", "--format", "jsonl")
    assert [case["id"] for case in done.lines] == ["b"]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--judge", ""), "--judge is empty"),
        (("--people", " "), "--people is empty"),
        (("--second", "x"), "name the first with --judge"),
        (("--judge", "x", "--second", "x"), "--second is the judge itself"),
        (("--people", "labels.x", "--good", "nan"), "--good takes a number"),
        (("--people", "labels.x", "--good", "inf"), "--good takes a number"),
    ],
)
def test_a_question_about_judges_that_means_nothing(
    words: tuple[str, ...], said: str, small: Path, triage: Call
) -> None:
    done = triage("agreement", "kb42.jsonl", *words)
    assert done.code == 2 and said in done.err and not done.out


def test_nothing_loaded_is_no_agreement(triage: Call) -> None:
    done = triage("agreement", "--all", "--format", "json")
    assert done.code == 1 and "no runs" in done.err and not done.out


def test_a_label_that_there_is_not_is_no_wrong_word(small: Path, triage: Call) -> None:
    triage("ingest", "kb42.jsonl")
    for words in (("show", "nosuch"), ("rename", "nosuch", "b"), ("forget", "nosuch")):
        done = triage("codes", *words)
        assert done.code == 1 and "no such label: nosuch" in done.err and not done.out
