"""The table of names, the dates, and the help drawn from them."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest

from triage.metrics.registry import METRICS
from triage.store.filter import FIELDS, STATES, describe, functions, match, metric_fields
from triage.store.filter.dates import stretch

PRODUCT = """id query raw_query answer note evidence topic query_type domain difficulty source kb_version
dataset_version answerable refused route error passed expected retrieved cited rank suggestion reason
confidence check mismatch verdict label reviewer reviewed_at sample high_risk inferred turns latency_ms cost
tokens""".split()


def _new_zone() -> None:
    """Let local dates mean something else; a program's zone stays, so what was read of them is kept."""
    time.tzset()
    match.test.cache_clear()
    functions._within.cache_clear()


@pytest.fixture
def shanghai(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    if not hasattr(time, "tzset"):
        pytest.skip("this system can't change its time zone")
    monkeypatch.setenv("TZ", "Asia/Shanghai")
    _new_zone()
    yield
    monkeypatch.undo()
    _new_zone()


def test_every_name_that_is_promised_is_a_field() -> None:
    assert [field.name for field in FIELDS if field.name not in ("is", "missing")] == PRODUCT
    promised = "failing passing reviewed unreviewed tagged disputed marked inferred high-risk deferred stale"
    promised += " arbitrated uncertain"
    assert set(promised.split()) == set(STATES)
    assert [field.name for field in metric_fields()] == [metric.key for metric in METRICS]


@pytest.mark.parametrize("field", [*FIELDS, *metric_fields()], ids=lambda field: str(field.name))
def test_every_example_runs(run: Any, field: Any) -> None:
    assert field.means
    where = run.where(field.example)
    assert where.said == ""
    assert where.on_results is field.on_results
    run.run(where)
    assert sorted(run.find(f"is:failing OR {field.name}:*").split()) if field.kind != "state" else True


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: str(metric.key))
def test_every_metric_can_be_asked_for_its_missing_cases(run: Any, metric: Any) -> None:
    found = run.find(f"missing:{metric.key}")
    assert found == ("a3" if metric.key in ("hit", "faithfulness") else "")


def test_help_is_short_ascii_and_names_every_field() -> None:
    lines = describe()
    assert len(lines) <= 22
    assert all(line.isascii() and len(line) <= 76 for line in lines)
    words = " ".join(lines).split()
    assert all(field.name in words for field in FIELDS if field.kind not in ("state", "missing"))
    assert all(state in words for state in STATES)


def test_review_dates_are_local_days(table: Any, shanghai: None) -> None:
    table.add("d1", query="x", review={"at": "2026-11-27T15:59:59.999999+00:00"})
    table.add("d2", query="x", review={"at": "2026-11-27T16:00:00.000000+00:00"})
    table.add("d3", query="x", review={"at": "2026-11-28T15:59:59.500000+00:00"})
    table.add("d4", query="x", review={"at": "2026-11-28T16:00:00.000000+00:00"})
    table.add("d5", query="x")
    for text, ids in {
        "reviewed_at:2026-11-28": "d2 d3",
        "reviewed_at:>2026-11-28": "d4",
        "reviewed_at:>=2026-11-28": "d2 d3 d4",
        "reviewed_at:<2026-11-28": "d1",
        "reviewed_at:<=2026-11-28": "d1 d2 d3",
        "reviewed_at:[2026-11-27 TO 2026-11-28]": "d1 d2 d3",
        "reviewed_at:{2026-11-27 TO *]": "d2 d3 d4",
        "reviewed_at:2026-11-28..2026-11-29": "d2 d3 d4",
        "reviewed_at:2026-11": "d1 d2 d3 d4",
        "reviewed_at:2026": "d1 d2 d3 d4",
        "reviewed_at:>2026": "",
        "reviewed_at:>=2026-11-28T23:59": "d3 d4",
        "reviewed_at:>=2026-11-28T16:00Z": "d4",
        'reviewed_at:"2026-11-28 23:59:59"': "d3",
        "reviewed_at:*": "d1 d2 d3 d4",
        "-reviewed_at:>=2026-11-28": "d1 d5",
    }.items():
        assert table.find(text) == ids, text


def test_the_records_own_dates_compare_as_dates(table: Any, shanghai: None) -> None:
    table.add("k1", query="x", made="2026-11-28T01:00:00Z", size="9")
    table.add("k2", query="x", made="2026-11-28T23:00:00Z", size="10")
    table.add("k3", query="x", made="soon", size=11)
    assert table.find("made:2026-11-28") == "k1"
    assert table.find("made:>2026-11-28") == "k2"
    assert table.find("made:<2027-01-01") == "k1 k2"
    assert table.find("made:<2027") == "k1 k2"
    assert table.find("size:>9") == "k2 k3"
    assert table.find("size:[9 TO 10]") == "k1 k2"


@pytest.mark.parametrize(
    ("text", "begin", "end"),
    [
        ("2026-11-28T10:30Z", (2026, 11, 28, 10, 30), (2026, 11, 28, 10, 31)),
        ("2026-11-28 10:30:05.25+02:00", (2026, 11, 28, 8, 30, 5), (2026, 11, 28, 8, 30, 6)),
        ("2026-12-31T23Z", (2026, 12, 31, 23), (2027, 1, 1, 0)),
        ("2026-12-31T23:59-0830", (2027, 1, 1, 8, 29), (2027, 1, 1, 8, 30)),
    ],
)
def test_a_date_is_the_stretch_it_names(text: str, begin: tuple[int, ...], end: tuple[int, ...]) -> None:
    assert stretch(text) == (datetime(*begin, tzinfo=UTC), datetime(*end, tzinfo=UTC))


@pytest.mark.parametrize(
    "text", ["2026", "20261128", "2026-11-31", "2026-13", "0000-01-01", "9999-12", "1.5", "x", ""]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert stretch(text) is None
