"""`triage codes` and `triage groups`, as a script calls them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def coded(triage: Any, place: Path, make: Any) -> Any:
    """Two runs; labels in both."""
    cases = [
        make.record("E1", **make.missed), make.record("E2", **make.missed, topic="refund"),
        make.record("E3", **make.second), make.record("E4"),
    ]  # fmt: skip
    make.write(place / "a.jsonl", cases, {"id": "a"})
    make.write(place / "b.jsonl", cases, {"id": "b"})
    assert triage("ingest", "a.jsonl", "b.jsonl").code == 0
    for run, case in (("a", "E1"), ("a", "E2"), ("b", "E1")):
        assert triage("label", run, case, "过期", "x").code == 0
    return triage


def book(triage: Any) -> dict[str, Any]:
    return {code["name"]: code for code in triage("codes", "--format", "json").json["codes"]}


def test_the_book_tells_what_labels_mean_and_where_they_stand(coded: Any) -> None:
    done = coded("codes", "define", "过期", "the document is out of date", "--example", "a:E1")
    assert (done.code, done.err) == (0, "triage: 过期 defined\n")
    code = book(coded)["过期"]
    assert (code["cases"], code["runs"], code["definition"]) == (
        3, {"a": 2, "b": 1}, "the document is out of date",
    )  # fmt: skip
    assert code["examples"] == [{"run": "a", "id": "E1", "query": "query of E1"}]
    assert coded("codes").out.split("\n")[2].split() == [
        "过期", "3", "2", "the", "document", "is", "out", "of", "date",
    ]  # fmt: skip
    assert "the document is out of date" in coded("codes", "show", "过期").out


def test_labels_are_renamed_merged_split_and_taken_back_from_the_command_line(coded: Any) -> None:
    assert coded("codes", "rename", "过期", "stale").err == "triage: 过期 is stale now: 3 cases in 2 runs\n"
    assert coded("codes", "split", "stale", "--into", "refund-doc=topic:refund").code == 0
    assert book(coded)["refund-doc"]["runs"] == {"a": 1}
    assert coded("codes", "merge", "x", "refund-doc", "stale").code == 0
    assert {name for name, code in book(coded).items() if code["cases"]} == {"stale"}
    kinds = [one["kind"] for one in coded("codes", "history", "--format", "json").json["changes"]]
    assert kinds == ["merge", "split", "rename"]
    assert coded("codes", "undo").code == 0
    assert book(coded)["x"]["cases"] == 3
    shown = coded("codes", "show", "过期", "--format", "json").json
    assert shown["code"] is None and shown["history"][0]["into"] == ["stale"]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (("rename", "nowhere", "b"), 1, "no such label"),
        (("rename", "过期", "x"), 1, "merge them"),
        (("rename", "过期", "a|b"), 2, "can't be used"),
        (("merge", "x"), 2, "wrong number of words"),
        (("split", "过期", "--into", "new"), 2, "NEW=QUERY"),
        (("split", "过期", "--into", "new=is:nothing"), 2, "is:"),
        (("define", "过期"), 2, "nothing to define"),
        (("define", "过期", "--example", "a-E1"), 2, "RUN:CASE"),
        (("define", "过期", "--example", "a:E9"), 1, "no such case"),
        (("forget", "过期"), 1, "in use"),
        (("show", "nowhere"), 1, "no such label"),
        (("undo",), 1, "nothing to take back"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line_and_changes_nothing(
    coded: Any, words: tuple[str, ...], code: int, says: str
) -> None:
    before = book(coded)
    done = coded("codes", *words)
    assert (done.code, done.out) == (code, "") and says in done.err and done.err.count("\n") == 1
    assert book(coded) == before


def test_groups_say_why_and_which(coded: Any) -> None:
    found = coded("groups", "a", "--format", "json").json
    assert (found["run"], found["failing"], found["grouped"]) == ("a", 3, 2)
    (group,) = found["groups"]
    assert (group["class"], group["role"], group["name"], group["ids"]) == (
        "retrieval", "missing", "KB-1", ["E1", "E2"],
    )  # fmt: skip
    assert group["labels"] == {"x": 2, "过期": 2} and group["judged"] == 0
    table = coded("groups", "a").out
    assert "2 of 3 failing cases in 1 group   1 alone" in table and "missing document KB-1  E1 E2" in table
    assert coded("groups", "a", "--filter", "topic:refund", "--format", "json").json["groups"] == []
    assert coded("groups", "a", "--least", "3", "--format", "jsonl").out == ""


def test_a_groups_verdicts_are_counted(coded: Any) -> None:
    coded("tag", "a", "E1", "retrieval")
    (group,) = coded("groups", "a", "--format", "json").json["groups"]
    assert (group["judged"], group["verdicts"]) == (1, {"retrieval": 1})


def test_a_group_is_tagged_at_once(coded: Any) -> None:
    assert "E1 E2" in coded("groups", "a", "--group", "1").out
    done = coded("groups", "a", "--group", "1", "--verdict", "retrieval", "--label", "过期")
    assert (done.code, done.out, done.err) == (0, "", "triage: 2 cases tagged retrieval\n")
    (group,) = coded("groups", "a", "--format", "json").json["groups"]
    assert (group["judged"], group["labels"]) == (2, {"过期": 2})
    for words, code in (
        (("--group", "2"), 1), (("--verdict", "ranking"), 2), (("--group", "1", "--verdict", "rank"), 2),
        (("--group", "1", "--label", "x"), 2),
    ):  # fmt: skip
        assert coded("groups", "a", *words).code == code


def test_a_sprint_list_ends_with_what_its_labels_mean_and_a_redacted_one_does_not(coded: Any) -> None:
    coded("codes", "define", "过期", "a *secret* rule\n# heading")
    coded("codes", "define", "spare", "no case bears it")
    coded("tag", "a", "E1", "retrieval")
    text = coded("export", "a", "--format", "markdown").out
    assert text.rstrip().endswith("- **过期**: a \\*secret\\* rule \\# heading") and "spare" not in text
    assert "secret" not in coded("export", "a", "--format", "markdown", "--redact").out


def test_ids_that_only_count_places_name_no_document_in_common(triage: Any, place: Path, make: Any) -> None:
    counted = {"retrieved": [{"id": "1"}, {"id": "2"}], "citations": [], "expected_ids": ["7"]}
    named = {"retrieved": [{"id": "2"}, {"id": "1"}], "citations": [], "expected_ids": ["7"]}
    for run, fields in (("places", counted), ("names", named)):
        cases = [make.record(name, query=query, answer="No idea.", **fields)
                 for name, query in (("P1", "abc def"), ("P2", "完全不同"))]  # fmt: skip
        make.write(place / f"{run}.jsonl", cases, {"id": run})
    assert triage("ingest", "places.jsonl", "names.jsonl").code == 0
    (group,) = triage("groups", "places", "--format", "json").json["groups"]
    assert (group["kind"], group["name"], group["ids"]) == ("rule", "", ["P1", "P2"])
    (group,) = triage("groups", "names", "--format", "json").json["groups"]
    assert (group["kind"], group["name"]) == ("mark", "7")


def test_a_group_of_like_queries_says_how_like_they_are(triage: Any, place: Path, make: Any) -> None:
    asked = (("Q1", "给我转人工，现在还有人吗", "KB-88"), ("Q2", "给我转人工，现在有人吗", "KB-99"))
    cases = [
        make.record(name, **make.missed | {"query": query, "expected_ids": [one]})
        for name, query, one in asked
    ]
    make.write(place / "like.jsonl", cases, {"id": "like"})
    assert triage("ingest", "like.jsonl").code == 0
    assert "queries like that of Q1 (0.82 or more)" in triage("groups", "like").out
