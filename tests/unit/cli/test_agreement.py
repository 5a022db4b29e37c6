"""`triage agreement`: the contract's JSON, and the same said to people."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
SECOND = {"retrieved": [{"id": "KB-7"}, {"id": "KB-1"}], "citations": ["S2"], "answer": "Seven.[S2]"}
HOSTILE = "\x1b[31m| [red] *lena* `x` ​"


@pytest.fixture
def loaded(place: Path, triage: Call, make: Any) -> Call:
    """Two runs of four cases; `E2` has its document at rank 2. Returns a call that tags."""
    for name in ("kb41", "kb42"):
        records = [make.record(f"E{at}", **(SECOND if at == 2 else {})) for at in range(1, 5)]
        make.write(place / f"{name}.jsonl", records, {"id": name, "created_at": f"2026-11-{name[2:]}"})
    assert triage("ingest", "kb41.jsonl", "kb42.jsonl").code == 0

    def tag(who: str, case: str, verdict: str, run: str = "kb42") -> None:
        done = triage("tag", run, case, verdict, "--reviewer", who)
        assert done.code == 0, done.err

    return tag


def test_nobody_has_read_anything(triage: Call, loaded: Call) -> None:
    found = triage("agreement", "kb42", "--format", "json").json
    assert found["reviewers"] == []
    assert (found["read_twice"], found["pairs"], found["alpha"], found["disputes"]) == (0, [], None, [])
    assert found["suggestions"]["n"] == 0
    assert found["suggestions"]["by_reason"] == {}
    assert "agreement n/a" in triage("agreement", "kb42").out


def test_one_reviewer_has_nobody_to_agree_with(triage: Call, loaded: Call) -> None:
    loaded("wei", "E2", "ranking")
    found = triage("agreement", "kb42", "--format", "json").json
    assert (found["reviewers"], found["read_twice"], found["agreement"]) == (["wei"], 0, None)
    assert found["suggestions"]["by_reason"]["expected_below_rank1"]["agree"] == 1
    assert "agreement n/a" in triage("agreement", "kb42").out


def test_two_reviewers_as_the_contract_has_them(triage: Call, loaded: Call) -> None:
    for case, wei, lena in (("E1", "not-a-failure", "not-a-failure"), ("E2", "ranking", "retrieval"),
                            ("E3", "not-a-failure", "not-a-failure")):  # fmt: skip
        loaded("wei", case, wei)
        loaded("lena", case, lena)
    loaded("wei", "E4", "other")
    found = triage("agreement", "kb42", "--format", "json").json
    assert found["reviewers"] == ["lena", "wei"]
    assert found["read_twice"] == 3
    (pair,) = found["pairs"]
    assert (pair["a"], pair["b"], pair["n"], pair["agreement"]) == ("lena", "wei", 3, 2 / 3)
    # Observed 2/3, by chance 4/9: (2/3 - 4/9) / (5/9).
    assert pair["kappa"] == pytest.approx(0.4)
    assert pair["confusion"]["retrieval"] == {"ranking": 1}
    assert found["alpha"] == pytest.approx(1 - 5 * (2 / 6) / (18 / 6))
    assert found["disputes"] == [
        {
            "id": "E2",
            "run": "kb42",
            "verdicts": [
                {"reviewer": "wei", "class": "ranking"}, {"reviewer": "lena", "class": "retrieval"},
            ],
            "arbitration": None,
        }
    ]  # fmt: skip
    told = found["suggestions"]
    assert (told["n"], told["agree"], told["left_out"]["disputed"]) == (3, 2, 1)
    assert told["by_reason"]["ok"]["n"] == 3
    low, high = told["by_reason"]["ok"]["interval"]
    assert 0 < low < 2 / 3 < high < 1
    assert told["confusion"] == {"not-a-failure": {"other": 1, "not-a-failure": 2}}
    assert list(found["classes"]) == ["retrieval", "ranking", "not-a-failure"]


def test_where_all_say_the_same_kappa_and_alpha_are_null_with_the_raw_agreement_beside(
    triage: Call, loaded: Call
) -> None:
    for who in ("wei", "lena"):
        for case in ("E1", "E3"):
            loaded(who, case, "not-a-failure")
    found = triage("agreement", "--format", "json").json
    assert (found["pairs"][0]["kappa"], found["alpha"], found["agreement"]) == (None, None, 1.0)
    out = triage("agreement").out
    assert "Krippendorff's alpha n/a" in out
    assert "agreement 1.0000 (2/2)" in out


def test_the_page_says_what_to_do_and_which_cases_are_disputed(triage: Call, loaded: Call) -> None:
    loaded("wei", "E1", "other")
    loaded("lena", "E1", "refusal")
    loaded("wei", "E2", "ranking")
    loaded("lena", "E2", "ranking")
    for format, title in (("table", "\ndisputes"), ("markdown", "### disputes")):
        out = triage("agreement", "kb42", "--format", format).out
        assert "fix the guide before the numbers" in out
        assert title in out
        assert "wei other, lena refusal" in out
        assert "intervals say more than the numbers" in out


def test_readings_of_all_runs_together(triage: Call, loaded: Call) -> None:
    for run in ("kb41", "kb42"):
        loaded("wei", "E1", "other", run)
        loaded("lena", "E1", "refusal", run)
    found = triage("agreement", "--all", "--format", "json").json
    assert (found["run"], sorted(found["runs"]), found["read_twice"]) == (None, ["kb41", "kb42"], 2)
    assert {one["run"] for one in found["disputes"]} == {"kb41", "kb42"}
    assert "kb41 E1" in triage("agreement", "--all").out


def test_a_filter_narrows_the_cases(triage: Call, loaded: Call) -> None:
    for case in ("E1", "E2"):
        loaded("wei", case, "other")
        loaded("lena", case, "refusal")
    found = triage("agreement", "--filter", "id:E2", "--format", "json").json
    assert [one["id"] for one in found["disputes"]] == ["E2"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--sample", "monday"], 1, "no such sample"),
        (["nosuch"], 1, "no such run"),
        (["kb42", "--all"], 2, "--all takes every run"),
        (["--filter", "topic:("], 2, ""),
    ],
)
def test_what_cannot_be_asked_is_told_in_one_line(
    triage: Call, loaded: Call, words: list[str], code: int, says: str
) -> None:
    done = triage("agreement", *words)
    assert done.code == code
    assert says in done.err
    assert done.err.count("\n") == 1
    assert done.out == ""


def test_a_reviewers_name_is_text_and_nothing_else(triage: Call, loaded: Call) -> None:
    loaded(HOSTILE, "E1", "other")
    loaded("wei", "E1", "refusal")
    for format in ("table", "markdown", "json"):
        out = triage("agreement", "kb42", "--format", format).out
        assert "\x1b" not in out
        assert "other" in out
    page = triage("agreement", "kb42", "--format", "markdown").out
    rows = [line for line in page.split("\n") if "lena" in line and line.startswith("|")]
    assert rows
    assert all("\\|" in row and "\\*lena\\*" in row for row in rows)
