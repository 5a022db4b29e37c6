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


def test_who_names_a_format_wants_print_and_no_app(
    small: Path, triage: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triage.cli.review.on_terminal", lambda: True)
    monkeypatch.setattr("triage.cli.review.run_app_on", lambda *args, **kwargs: pytest.fail("the app opened"))
    assert triage("review", "kb42.jsonl", "--format", "json").json["run"] == "kb42"
    assert triage("review", "kb42", "--report").out.startswith("kb42")


@pytest.fixture
def labelled(small: Path, triage: Call) -> Call:
    """Two of four cases, on two topics, bear the label old."""
    assert triage("ingest", "kb42.jsonl").code == 0
    for case in ("a", "d"):
        assert triage("label", "kb42", case, "old").code == 0
    return triage


@pytest.mark.parametrize("words", [("show", "old"), ("history",), ("define", "old", "x")])
def test_a_format_before_the_command_of_the_codebook_is_not_left_unheard(
    words: tuple[str, ...], labelled: Call
) -> None:
    done = labelled("codes", "--format", "json", *words)
    assert done.code == 2 and "--format stands after the command" in done.err and not done.out
    assert labelled("codes", "--format", "json").code == 0


def test_one_label_has_one_filter(labelled: Call) -> None:
    done = labelled("codes", "split", "old", "--into", "new=id:a", "--into", "new=id:d")
    assert done.code == 2 and "--into names a label twice: new" in done.err


def test_a_split_says_which_filter_matches_nothing(labelled: Call) -> None:
    done = labelled("codes", "split", "old", "--into", "new=topic:nosuch")
    assert done.code == 1 and "no case with the label old matches new=topic:nosuch" in done.err
    done = labelled("codes", "split", "old", "--into", "new=topic:nosuch", "--rest", "old")
    assert done.code == 1 and "no case with the label old matches" in done.err
    done = labelled("codes", "split", "chunking", "--into", "new=id:a", "--rest", "chunking")
    assert done.code == 1 and "chunking" in done.err
    done = labelled("codes", "split", "old", "--into", "new=topic:nosuch", "--into", "fee=topic:refund")
    assert done.code == 0 and "old split into fee: 1 case" in done.err
    assert "no case matches new=topic:nosuch" in done.err


@pytest.mark.parametrize("words", [("report", "--fail-on", "unreviewed-high-risk"), ("review", "--report")])
def test_a_wrong_rule_prints_nothing_but_its_line(
    words: tuple[str, ...], small: Path, place: Path, triage: Call
) -> None:
    triage("ingest", "kb42.jsonl")
    (place / "triage.toml").write_text('advance = true\nmust_review = ["topic:("]\n', "utf-8")
    done = triage(*words, "--format", "json")
    assert done.code == 2 and not done.out
    assert "triage.toml, line 2: must_review: topic:(: `(` is never closed" in done.err


def test_a_condition_that_can_not_hold_is_told(small: Path, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text("must_review = []\n", "utf-8")
    done = triage("report", "kb42.jsonl", "--fail-on", "unreviewed-high-risk")
    assert done.code == 0 and "must_review is empty" in done.err
    (place / "triage.toml").unlink()
    assert triage("report", "kb42.jsonl", "--fail-on", "unreviewed-high-risk").code == 4


def test_a_condition_stands_above_rejected_records(place: Path, small: Path, triage: Call) -> None:
    small.write_text(small.read_text("utf-8") + "{}\n", "utf-8")
    assert triage("report", "kb42.jsonl", "--db", "a.db").code == 3
    done = triage("report", "kb42.jsonl", "--db", "b.db", "--fail-on", "unreviewed-high-risk")
    assert done.code == 4 and "missing d" in done.err


def test_an_example_is_found_though_ids_hold_colons(place: Path, make: Any, triage: Call) -> None:
    make.write(place / "a.jsonl", [make.record("c<::>1")], {"id": "kb:2026-11-28T10:00"})
    triage("ingest", "a.jsonl")
    done = triage("codes", "define", "old", "--example", "kb:2026-11-28T10:00:c<::>1")
    assert done.code == 0, done.err
    shown = triage("codes", "show", "old", "--format", "json").json["code"]["examples"]
    assert [(one["run"], one["id"]) for one in shown] == [("kb:2026-11-28T10:00", "c<::>1")]
    for word, code in (("nosuch:c", 1), ("latest:c<::>1", 0), (":c", 2), ("x:", 2), ("x", 2)):
        assert triage("codes", "define", "old", "--example", word).code == code, word


@pytest.mark.parametrize("option", ["--n", "--per-topic", "--readings"])
def test_a_number_that_nothing_can_hold_is_a_wrong_word(option: str, small: Path, triage: Call) -> None:
    done = triage("sample", "kb42.jsonl", option, "9" * 20, "--name", "big")
    assert done.code == 2 and "is too large" in done.err and not done.out
    assert triage("sample", "kb42", option, "2147483647", "--name", "big").code == 0
    assert triage("sample", "kb42", "--again", "big").code == 0


def test_minutes_that_no_clock_can_count_are_no_setting(small: Path, place: Path, triage: Call) -> None:
    (place / "triage.toml").write_text("hold_minutes = 1e300\n", "utf-8")
    done = triage("sample", "kb42.jsonl")
    assert done.code == 2 and "triage.toml, line 1: hold_minutes: a number above 0 is wanted" in done.err


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("sample", "--by", "a\udcff"), 2),
        (("report", "--by", "a\udcff"), 2),
        (("sample", "--name", "a\udcff"), 0),
        (("sample", "--again", "a\udcff"), 1),
        (("agreement", "--judge", "a\udcff"), 2),
        (("agreement", "--people", "a\udcff"), 2),
        (("codes", "show", "a\udcff"), 1),
        (("codes", "define", "a\udcff", "a\udcff"), 0),
        (("groups", "--filter", "a\udcff"), 0),
        (("cases", "--filter", "label:a\udcff"), 0),
    ],
)
def test_bytes_that_are_no_text_end_nothing(
    words: tuple[str, ...], code: int, small: Path, triage: Call
) -> None:
    triage("ingest", "kb42.jsonl")
    done = triage(*words)
    assert done.code == code and "bug in triage" not in done.err, done.err


def test_a_name_in_other_letters_is_the_same_name(small: Path, triage: Call) -> None:
    # The filter sample:NAME folds case, so that two such samples would be one to it.
    assert triage("sample", "kb42.jsonl", "--filter", "id:a", "--name", "Straße 1").code == 0
    done = triage("sample", "kb42", "--filter", "id:b", "--name", "STRASSE 1")
    assert done.code == 1 and "there is a sample of this name: Straße 1 in kb42" in done.err
    for words in (("review", "kb42", "--format", "json"), ("agreement", "kb42", "--format", "json")):
        assert triage(*words, "--sample", "strasse 1").code == 0
    assert (
        triage("review", "kb42", "--sample", "strasse 1", "--format", "json").json["sample"]["name"]
        == "Straße 1"
    )
    assert triage("sample", "kb42", "--name", "SAMPLE-1").code == 0
    assert triage("sample", "kb42", "--format", "json").json["name"] == "sample-2"
    assert triage("sample", "kb42", "--remove", "strasse 1").code == 0
    assert triage("sample", "kb42", "--again", "strasse 1").code == 1


def test_one_case_is_no_cases(place: Path, make: Any, triage: Call) -> None:
    make.write(place / "a.jsonl", [make.record("c", scores={"faithfulness": 4})], {"id": "a"})
    said = [triage("sample", "a.jsonl", "--name", "one")]
    said += [triage("sample", "a", *words) for words in (("--again", "one"), ("--remove", "one"))]
    said += [triage("agreement", "a", "--judge", "faithfulness"), triage("review", "a", "--report")]
    assert all(done.code == 0 for done in said)
    assert not [done for done in said if " 1 cases" in (done.out + done.err).replace("of 1 cases", "")]


def test_strata_by_nothing_are_asked_for_by_name(small: Path, triage: Call) -> None:
    for by in ("", " ", ","):
        done = triage("sample", "kb42.jsonl", "--by", by)
        assert done.code == 2 and "--by names no dimension" in done.err and not done.out
    done = triage("sample", "kb42", "--by", "none", "--format", "json").json
    assert [stratum["key"] for stratum in done["strata"]] == [{}]
