"""`triage agreement --judge`: judges against people, on the command line."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.fixture
def run(place: Path, triage: Call) -> str:
    """12 cases; a score below 4 is bad for two people, but in the first case."""
    lines = []
    for at in range(12):
        score = at % 5 + 1
        given = {"ana": score, "bo": 5 if at == 0 else score}
        made = {
            "id": f"E{at:02}", "query": "q", "answerable": True, "expected_ids": ["KB-1"], "answer": "a",
            "retrieved": [{"id": "KB-1"}], "scores": {"faithfulness": score, "own|one": score},
            "labels": {"human": 5 if at == 0 else score, "raw": given},
        }  # fmt: skip
        lines.append(json.dumps(made) + "\n")
    (place / "kb42.jsonl").write_text("".join(lines), "utf-8")
    triage("ingest", "--db", "t.db", "kb42.jsonl")
    return "kb42"


ASKED = ("--judge", "faithfulness", "--people", "labels.human", "--ratings", "labels.raw")


def test_a_judge_against_people_as_json(run: str, triage: Call) -> None:
    done = triage("agreement", run, "--db", "t.db", *ASKED, "--format", "json")
    found = done.json
    assert done.code == 0 and found["judges"] == ["faithfulness", "own|one"]
    made = found["calibration"]
    assert (made["n"], made["bad"], made["good"], made["people"]) == (12, 7, 4, "labels.human")
    assert made["in_use"]["missed"] == 0 and made["alarms"] == ["E00"]
    assert made["queries"]["alarms"] == "faithfulness:<4 labels.human:>=4"
    assert found["raters"]["pairs"][0]["n"] == 12 and found["raters"]["spread"]["further"] == 1
    assert found["raters"]["judge_kappa"] > 0.8


def test_for_people_and_as_markdown(run: str, triage: Call) -> None:
    text = triage("agreement", run, "--db", "t.db", *ASKED, "--second", "own|one").out
    assert (
        "judge faithfulness" in text and "false alarms" in text and "labels.human: 4 or more is good" in text
    )
    assert "Krippendorff's alpha (ordinal)" in text
    assert "faithfulness and own|one   12 cases   0 for a person to arbitrate" in text
    markdown = triage(
        "agreement", run, "--db", "t.db", *ASKED, "--second", "own|one", "--format", "markdown"
    ).out
    assert "| in use | 4 | 12 |" in markdown and "own\\|one" in markdown


def test_what_can_not_be_asked(run: str, triage: Call) -> None:
    done = triage("agreement", run, "--db", "t.db", "--judge", "fathfulness")
    assert done.code == 2 and "did you mean faithfulness?" in done.err
    done = triage("agreement", run, "--db", "t.db", "--judge", "faithfulness", "--good", "4")
    assert done.code == 2 and "--people" in done.err


@pytest.mark.parametrize(
    ("path", "words", "said"),
    [
        ("labels.raw", (), "did you mean labels.raw.ana?"),
        ("labels.human", ("--filter", "id:nosuch"), "these cases have no number there"),
        ("labels.humen", (), "did you mean labels.human?"),
        ("x", (), "a path in the record"),
    ],
)
def test_a_path_without_a_number_is_told_what_is_near_and_never_itself(
    path: str, words: tuple[str, ...], said: str, run: str, triage: Call
) -> None:
    done = triage("agreement", run, "--db", "t.db", "--people", path, *words)
    assert done.code == 2 and said in done.err and f"mean {path}?" not in done.err


def test_numbers_of_any_size_end_nothing(place: Path, triage: Call) -> None:
    odd = [1e308, -1e308, 1e-300, 10**400, 1e99, -1e99, 0, 3]
    lines = []
    for at in range(24):
        given = {"ana": odd[at % 8], "bo": odd[at // 8]}
        made = {
            "id": f"E{at:02}", "query": "q", "answer": "a",
            "scores": {"faithfulness": at % 5 + 1, "x": odd[at % 5]},
            "labels": {"human": odd[at % 7], "raw": given},
        }  # fmt: skip
        lines.append(json.dumps(made) + "\n")
    (place / "odd.jsonl").write_text("".join(lines), "utf-8")
    for judge in ("faithfulness", "x"):
        for format in ("json", "table", "markdown"):
            done = triage("agreement", "odd.jsonl", "--judge", judge, *ASKED[2:], "--format", format)
            assert done.code == 0, done.err
            assert format != "json" or done.json["raters"]["cases"] > 0
            assert all(len(word) < 60 for word in done.out.split()) or format == "json"


@pytest.mark.parametrize("good", ["0", "1e300"])
def test_where_people_call_all_alike_no_threshold_fits(good: str, run: str, triage: Call) -> None:
    done = triage("agreement", run, "--db", "t.db", *ASKED[:4], "--good", good, "--format", "json")
    made = done.json["calibration"]
    assert made["bad"] in (0, 12) and made["best"] is None and made["kappa_unseen"] is None
    table = triage("agreement", run, "--db", "t.db", *ASKED[:4], "--good", good).out
    assert (
        "fits best" not in table and "no threshold is fitted" in table and max(map(len, table.split())) < 60
    )


def test_without_people_s_word_it_says_where_to_take_it_from(run: str, triage: Call) -> None:
    for more in ((), ("--format", "markdown")):
        done = triage("agreement", run, "--db", "t.db", "--judge", "faithfulness", *more)
        assert (
            done.code == 0 and "no case has both a score and people's word: triage review reads" in done.out
        )
        assert "good from" not in done.out


def test_a_judge_no_better_than_chance_is_told_so(place: Path, triage: Call) -> None:
    lines = [
        json.dumps({"id": f"E{at}", "query": "q", "answer": "a", "scores": {"own": at % 5 + 1},
                    "labels": {"human": 5 - at % 5}})
        for at in range(20)
    ]  # fmt: skip
    (place / "odd.jsonl").write_text("\n".join(lines), "utf-8")
    triage("ingest", "--db", "t.db", "odd.jsonl")
    done = triage("agreement", "odd", "--db", "t.db", "--judge", "own", "--people", "labels.human")
    assert done.code == 0 and "no threshold agrees with people better than chance does" in done.out
