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


@pytest.mark.parametrize(
    "drawing", [("--n", "2"), ("--seed", "7"), ("--name", "b"), ("--must-review",), ("--filter", "id:a")]
)
@pytest.mark.parametrize("asked", [("--list",), ("--again", "first"), ("--remove", "first")])
def test_what_draws_nothing_new_takes_no_rule(
    asked: tuple[str, ...], drawing: tuple[str, ...], small: Path, triage: Call
) -> None:
    assert triage("sample", "kb42.jsonl", "--name", "first").code == 0
    done = triage("sample", "kb42", *asked, *drawing)
    assert done.code == 2 and f"{asked[0]} draws by no rule of yours: {drawing[0]}" in done.err
    assert not done.out
    assert triage("sample", "kb42", *asked).code == 0


@pytest.mark.parametrize("name", ["", "  ", "\t\n"])
def test_a_name_of_nothing_is_no_name(name: str, small: Path, triage: Call) -> None:
    done = triage("sample", "kb42.jsonl", "--name", name)
    assert done.code == 2 and "a sample's name is empty" in done.err and not done.out


def test_a_must_review_rule_is_blamed_where_it_stands(small: Path, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text('advance = true\nmust_review = ["topic:refund", "topic:("]\n', "utf-8")
    done = triage("sample", "kb42.jsonl", "--must-review")
    assert done.code == 2 and not done.out
    assert "triage.toml, line 2: must_review: topic:(: `(` is never closed, column 7" in done.err


def test_must_review_without_rules_is_told(small: Path, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text("must_review = []\n", "utf-8")
    done = triage("sample", "kb42.jsonl", "--must-review", "--format", "json")
    assert done.code == 0 and done.json["must_review"] == [] and "must_review is empty" in done.err
    assert "must_review is empty" not in triage("sample", "kb42.jsonl").err


def test_a_rule_that_stands_twice_counts_once(small: Path, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text('must_review = ["is:high-risk", "is:high-risk"]\n', "utf-8")
    done = triage("sample", "kb42.jsonl", "--must-review", "--format", "json")
    assert [one["rule"] for one in done.json["must_review"]] == ["is:high-risk"]
