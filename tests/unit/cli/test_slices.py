"""`report --by`: the contract's JSON, tables for people, and wrong names."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.metrics.registry import METRICS

Call = Callable[..., Any]


def record(number: int, good: bool, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"C{number:02}",
        "query": f"question {number}",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1" if good else "KB-7", "text": "seven days"}],
        "predicted_answerable": True,
        "answer": "Seven days.[S1]",
        "citations": ["S1"],
        **fields,
    }


def write(path: Path, records: list[dict[str, Any]], **header: Any) -> Path:
    lines = [{"run": {"id": path.stem, "dataset": {"name": "set"}, **header}}, *records]
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
    return path


TOPICS = ["退款", "invoice", "shipping [b]now[/b]"]


@pytest.fixture
def runs(place: Path, triage: Call) -> list[dict[str, Any]]:
    """Two runs of one test set are loaded; the records of the newer one."""
    old = [record(at, at % 2 == 0, topic=TOPICS[at % 3], meta={"lang": "zh"}) for at in range(60)]
    new = [
        record(
            at, at % 5 != 0, topic=TOPICS[0 if at < 40 else 1 + at % 2], meta={"lang": ["zh", "en"][at % 2]}
        )
        for at in range(60)
    ]
    write(place / "old.jsonl", old, created_at="2026-10-01T00:00:00Z", model="a")
    write(place / "new.jsonl", new, created_at="2026-11-01T00:00:00Z", model="b")
    assert triage("ingest", "old.jsonl", "new.jsonl").code == 0
    return new


def test_slices_as_the_contract_has_them(triage: Call, runs: list[dict[str, Any]]) -> None:
    done = triage("report", "new", "--by", "topic", "--by", "meta.lang", "--format", "json")
    assert done.code == 0, done.err
    report = done.json
    assert set(report["slices"]) == {"topic", "meta.lang"}
    topics = report["slices"]["topic"]
    assert {value: one["cases"] for value, one in topics.items()} == Counter(one["topic"] for one in runs)
    for value, one in topics.items():
        assert set(one["metrics"]) == {metric.key for metric in METRICS}
        mine = [record for record in runs if record["topic"] == value]
        hits = sum(record["retrieved"][0]["id"] == "KB-1" for record in mine)
        found = one["metrics"]["hit"]
        assert (found["numerator"], found["denominator"], found["missing"]) == (hits, len(mine), 0)
        assert found["value"] == pytest.approx(hits / len(mine))
        assert triage("report", "new", "--filter", one["query"], "--format", "json").json["cases"] == len(
            mine
        )
    assert (report["crossed"], report["folded"]) == ({}, {})
    alone = triage("report", "new", "--format", "json").json
    assert (alone["slices"], alone["crossed"], alone["folded"]) == ({}, {}, {})
    assert alone["metrics"] == report["metrics"]


def test_slices_stay_within_the_filter(triage: Call, runs: list[dict[str, Any]]) -> None:
    report = triage("report", "new", "--by", "topic", "--filter", "meta.lang:en", "--format", "json").json
    wanted = Counter(one["topic"] for one in runs if one["meta"]["lang"] == "en")
    assert {value: one["cases"] for value, one in report["slices"]["topic"].items()} == wanted


def test_two_names_with_a_comma_are_crossed(triage: Call, runs: list[dict[str, Any]]) -> None:
    words = ("report", "new", "--by", "topic,meta.lang", "--metric", "hit", "--format", "json")
    report = triage(*words).json
    assert report["slices"] == {}
    crossed = report["crossed"]["topic,meta.lang"]
    assert crossed["metric"] == "hit"
    found = {
        (row, column): cell["cases"]
        for row, cells in crossed["cells"].items()
        for column, cell in cells.items()
    }
    assert found == Counter((one["topic"], one["meta"]["lang"]) for one in runs)
    cell = crossed["cells"]["退款"]["en"]
    assert cell["metric"]["denominator"] == cell["cases"]
    assert triage("report", "--filter", cell["query"], "--format", "json").json["cases"] == cell["cases"]


def test_a_header_key_compares_the_loaded_runs(triage: Call, runs: list[dict[str, Any]]) -> None:
    found = triage("report", "new", "--by", "model", "--format", "json").json["slices"]["run.model"]
    assert {value: (one["cases"], one["runs"]) for value, one in found.items()} == {
        "a": (60, ["old"]), "b": (60, ["new"]),
    }  # fmt: skip
    assert found["a"]["metrics"]["hit"]["value"] == pytest.approx(0.5)
    assert found["b"]["metrics"]["hit"]["value"] == pytest.approx(0.8)


def test_a_table_for_people(triage: Call, runs: list[dict[str, Any]]) -> None:
    done = triage("report", "new", "--by", "topic", "--metric", "hit", "--by", "topic,meta.lang")
    lines = done.out.split("\n")
    start = next(at for at, line in enumerate(lines) if line.startswith("by topic"))
    assert "3 values" in lines[start] and "Hit@3" in lines[start] and "the same slice of old" in lines[start]
    table = lines[start + 1 : start + 6]
    assert table[0].split()[:6] == ["cases", "failing", "share", "cost", "Hit@3", "n"]
    rows = [line.split()[0] for line in table[1:]]
    assert set(rows) == {"退款", "invoice", "shipping", "all"} and rows[-1] == "all"
    costs = [float(line.replace("[b]now[/b]", "").split()[4].replace("=", "0")) for line in table[1:4]]
    assert costs == sorted(costs, reverse=True)
    small = [line for line in table if "small: n < 30" in line]
    assert [line.split()[0] for line in small] == [row for row in rows if row in ("invoice", "shipping")]
    refund = next(line for line in table if line.split()[0] == "退款").split()
    # .8 of 40 now, .5 of the 20 that the older run has of this topic.
    assert refund[5:8] == ["0.8000", "40", "+0.3000"]
    assert any(line.startswith("topic by meta.lang") for line in lines)


def test_hostile_values_are_shown_and_never_obeyed(triage: Call, place: Path) -> None:
    hostile = ["esc\x1b[2J", "two\nlines", "(empty)", "", "[b]x[/b]", "\u202ereversed"]
    records = [record(at, True, topic=text, meta={"a,b": text}) for at, text in enumerate(hostile)]
    write(place / "h.jsonl", records)
    assert triage("ingest", "h.jsonl").code == 0
    shown = triage("report", "h", "--by", "topic", "--by", "meta.a,b").out
    assert "\x1b" not in shown and "\u202e" not in shown and "[b]x[/b]" in shown and "(empty)" in shown
    found = triage("report", "h", "--by", "topic", "--by", "meta.a,b", "--format", "json").json["slices"]
    assert set(found["topic"]) == set(found["meta.a,b"])
    assert found["topic"]["(empty)"]["query"] == 'topic:""'
    assert found["topic"]['"(empty)"']["cases"] == 1
    assert all(one["cases"] == 1 for one in found["topic"].values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--by", "topik"), ("no such dimension", "topik", "did you mean topic?", "meta.lang")),
        (("--by", "topic,langg"), ("no such dimension", "langg")),
        (("--by", "topic", "--metric", "hits"), ("no such metric", "did you mean hit?")),
        (("--by", "topic,model"), ("cannot be crossed",)),
    ],
)
def test_a_name_that_is_none_is_wrong_usage(
    triage: Call, runs: list[dict[str, Any]], words: tuple[str, ...], said: tuple[str, ...]
) -> None:
    done = triage("report", "new", *words, "--format", "json")
    assert (done.code, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert all(part in done.err for part in said)
