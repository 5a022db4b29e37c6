"""`triage sample`: what is drawn, kept, listed, drawn again and let go."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def run(place: Path, make: Any) -> Path:
    """Forty answered cases: shipping and invoice, six of refund (high risk), some that rank second."""
    records = [
        make.record(
            f"c{number:02d}",
            topic="refund" if number % 7 == 0 else "invoice" if number % 3 == 0 else "shipping",
            **(make.second if number % 5 == 0 else {}),
        )
        for number in range(40)
    ]
    path: Path = make.write(place / "forty.jsonl", records, {"id": "forty"})
    return path


def of(found: Any, *, must: bool) -> list[str]:
    return [case for one in found["strata"] if one["must"] is must for case in one["ids"]]


def test_a_sample_has_the_keys_of_the_contract(triage: Any, run: Path) -> None:
    found = triage("sample", str(run), "--n", "10", "--seed", "42", "--format", "json").json
    assert {"name", "seed", "rule", "n", "population", "strata", "claim"} <= set(found)
    assert (found["name"], found["seed"], found["n"], found["population"]) == ("sample-1", "42", 10, 40)
    assert found["rule"]["by"] == ["class", "topic"]
    assert found["claim"] == "10 clean cases: failure rate at most 30 % (95 %)", "as the report will say"
    assert {tuple(one["key"]) for one in found["strata"]} == {("class", "topic")}
    assert {"class": "ranking", "topic": "refund"} in [one["key"] for one in found["strata"]]
    assert sum(one["size"] for one in found["strata"]) == 40
    assert all(one["allocated"] == len(one["ids"]) for one in found["strata"])


def test_the_same_seed_draws_the_same_and_another_does_not(triage: Any, run: Path) -> None:
    words = ("sample", str(run), "--n", "12", "--dry-run", "--format", "json")
    first = triage(*words, "--seed", "a").json
    assert first["name"] is None
    assert triage(*words, "--seed", "a").json == first
    assert of(triage(*words, "--seed", "b").json, must=False) != of(first, must=False)
    assert triage("sample", "--list", "--format", "json").json["samples"] == []


def test_must_review_takes_every_high_risk_case_passing_ones_too(triage: Any, run: Path) -> None:
    found = triage("sample", str(run), "--n", "20", "--must-review", "--format", "json").json
    assert of(found, must=True) and set(of(found, must=True)) == {
        f"c{number:02d}" for number in range(0, 40, 7)
    }
    assert found["n"] == 20
    assert found["must_review"] == [{"rule": "is:high-risk", "cases": 6, "left_out": 0}]
    assert found["claim"].endswith("all 6 that must be reviewed are read")


def test_what_the_cap_leaves_out_is_printed(triage: Any, run: Path, place: Path) -> None:
    (place / "triage.toml").write_text("must_review_cap = 4\n", encoding="utf-8")
    done = triage("sample", str(run), "--must-review")
    assert "must be reviewed: is:high-risk, 6 cases, 2 left out by the cap of 4" in done.out


def test_a_must_review_rule_that_is_no_filter_is_told(triage: Any, run: Path, place: Path) -> None:
    (place / "triage.toml").write_text('must_review = ["is:dangerous"]\n', encoding="utf-8")
    done = triage("sample", str(run), "--must-review")
    assert done.code == 2
    assert "triage.toml, line 1: must_review: is:dangerous: no such state, column 4" in done.err
    assert done.out == ""


def test_quotas_by_topic(triage: Any, run: Path) -> None:
    words = ("--per-topic", "3", "--topics", "refund,invoice,nix", "--format", "json")
    found = triage("sample", str(run), *words).json
    topics: dict[str, int] = {}
    for one in found["strata"]:
        topics[one["key"]["topic"]] = topics.get(one["key"]["topic"], 0) + one["allocated"]
    assert topics == {"refund": 3, "invoice": 3}
    assert found["shortages"] == ["no case has the topic nix"]


def test_quotas_by_topic_with_a_limit_in_all(triage: Any, run: Path) -> None:
    words = (
        "--per-topic",
        "3",
        "--n",
        "4",
        "--topics",
        "refund,invoice",
        "--by",
        "topic",
        "--format",
        "json",
    )
    found = triage("sample", str(run), *words).json
    assert {one["key"]["topic"]: one["allocated"] for one in found["strata"]} == {"refund": 2, "invoice": 2}
    assert found["n"] == 4
    assert found["shortages"] == ["the topics' quotas are 6 cases, 4 of them are drawn"]


def test_topics_with_commas_and_line_breaks_stand_in_quotes(triage: Any, place: Path, make: Any) -> None:
    topics = ("退款, 换货", "a\nb", "plain", "退款", 'say "no"')
    records = [make.record(f"c{at}", topic=topic) for at, topic in enumerate(topics)]
    path = str(make.write(place / "odd.jsonl", records, {"id": "odd"}))
    asked = '"退款, 换货",  "a\nb" ,plain, "say ""no"""'
    words = ("sample", path, "--dry-run", "--format", "json", "--topics")
    found = triage(*words, asked).json
    assert sorted(one["ids"][0] for one in found["strata"]) == ["c0", "c1", "c2", "c4"]
    assert found["rule"]["topics"] == ["退款, 换货", "a\nb", "plain", 'say "no"']
    for wrong in ('"a" b', '"a', " , ", "", '""'):
        assert triage(*words, wrong).code == 2, wrong


def test_a_filter_names_the_population(triage: Any, run: Path) -> None:
    found = triage("sample", str(run), "--filter", "rank:2", "--by", "none", "--format", "json").json
    assert found["population"] == 8
    assert found["rule"]["text"] == "rank:2"
    assert [one["key"] for one in found["strata"]] == [{}]
    assert "under rank:2" in triage("sample", str(run), "--filter", "rank:2").out


def test_a_sample_can_be_filtered_for(triage: Any, run: Path) -> None:
    drawn = triage("sample", str(run), "--n", "7", "--name", "周 48", "--format", "json").json
    found = triage("cases", "forty", "--filter", 'sample:"周 48"', "--format", "json").json
    assert [case["id"] for case in found["cases"]] == sorted(of(drawn, must=False))


def test_a_sample_is_drawn_again_to_the_same_cases(triage: Any, run: Path, make: Any, place: Path) -> None:
    first = triage("sample", str(run), "--n", "7", "--name", "one", "--format", "json").json
    done = triage("sample", "--again", "one", "--format", "json")
    assert done.json["strata"] == first["strata"]
    assert done.json["again"] == {"same": True, "gone": [], "new": []}
    assert "drawn again: the same 7 cases" in triage("sample", "--again", "one").err
    gone = first["strata"][0]["ids"][0]
    kept = [
        line for line in run.read_text("utf-8").splitlines(keepends=True) if f'"id": "{gone}"' not in line
    ]
    run.write_text("".join(kept), encoding="utf-8")
    triage("ingest", str(run))
    anew = triage("sample", "--again", "one", "--format", "json").json["again"]
    assert anew["same"] is False and anew["gone"] == [gone]
    listed = triage("sample", "--list", "--format", "json").json["samples"]
    assert [(one["name"], one["n"]) for one in listed] == [("one", 7)]


def test_a_name_is_taken_once_and_can_be_let_go(triage: Any, run: Path) -> None:
    assert triage("sample", str(run), "--name", "one").code == 0
    again = triage("sample", str(run), "--name", "one")
    assert again.code == 0 and "one was kept before, with the same cases" in again.err
    done = triage("sample", str(run), "--name", "one", "--seed", "2")
    assert done.code == 1 and "there is a sample of this name" in done.err
    assert triage("sample", "--remove", "one").code == 0
    assert triage("sample", "--remove", "one").code == 1
    assert triage("sample", str(run), "--name", "one").code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--n", "0"), "--n"),
        (("--by", "colour"), "no such dimension: colour"),
        (("--by", "run.k"), "a run header's key"),
        (("--filter", "is:nothing"), "no such state"),
        (("--name", "  "), "a sample's name is empty"),
        (("--list", "--again", "x"), "one of --list"),
    ],
)
def test_wrong_usage(triage: Any, run: Path, words: tuple[str, ...], said: str) -> None:
    done = triage("sample", str(run), *words)
    assert done.code == 2 and said in done.err and not done.out


def test_nothing_to_draw(triage: Any, run: Path) -> None:
    done = triage("sample", str(run), "--filter", "topic:none")
    assert done.code == 1 and "nothing to draw" in done.err


def test_a_hostile_topic_is_printed_plain(triage: Any, place: Path, make: Any) -> None:
    path = make.write(place / "evil.jsonl", [make.record("a", topic="[red]\x1b]0;x\x07[/red]")])
    done = triage("sample", str(path))
    assert "\x1b" not in done.out and "[red]" in done.out
    kept = triage("sample", "--list", "--format", "json").json["samples"][0]
    assert kept["strata"][0]["key"]["topic"] == "[red]\x1b]0;x\x07[/red]"
