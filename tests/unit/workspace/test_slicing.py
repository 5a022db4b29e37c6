"""Slices are right: against sums over the file itself, in plain Python."""

from __future__ import annotations

import itertools
import json
import statistics
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.errors import UsageError
from triage.metrics.registry import METRICS
from triage.models.query import Scope
from triage.models.slices import FAILING
from triage.settings import Settings
from triage.workspace import Workspace

LANGS = ["zh", "en", None, "", "ja"]
TOPICS = ["refund", "invoice", "shipping", None]


def record(number: int, shift: int = 0) -> dict[str, Any]:
    found = ["KB-1", "KB-2", "KB-3"][: 1 + number % 3]
    expected = "KB-1" if (number + shift) % 4 else "KB-9"
    made: dict[str, Any] = {
        "id": f"C{number:03}",
        "query": f"question {number}",
        "answerable": number % 7 != 0,
        "expected_ids": [expected] if number % 7 else [],
        "retrieved": [{"id": one, "text": "seven days"} for one in found],
        "predicted_answerable": number % 5 != 0,
        "answer": "Seven days.[S1]",
        "citations": ["S1"] if number % 3 else [],
        "latency_ms": 100 + (number * 37) % 400,
        "colours": [["a"], ["a", "b"], [], ["c", "c"]][number % 4],
        "meta": {"lang": LANGS[number % 5]} if number % 6 else {},
    }
    if TOPICS[number % 4] is not None:
        made["topic"] = TOPICS[number % 4]
    if number % 5:
        made["scores"] = {"faithfulness": 1 + number % 5 + (0.25 if number % 2 else 0)}
    else:
        made["refusal_reason"] = ["policy", "no evidence"][number % 2]
    return made


def write(folder: Path, name: str, records: list[dict[str, Any]], **header: Any) -> Path:
    path = folder / f"{name}.jsonl"
    head = {"run": {"id": name, "dataset": {"name": "set"}, "k": 3, **header}}
    text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in [head, *records])
    path.write_text(text, encoding="utf-8")
    return path


RECORDS = [record(number) for number in range(200)]
BEFORE = [record(number, shift=1) for number in range(150)]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("slicing")
    made = Workspace(folder / "triage.db", Settings(), reviewer="wei")
    before = {"created_at": "2026-10-01T10:00:00Z", "kb_version": "kb41", "retrieval": {"top_k": 3}}
    after = {"created_at": "2026-11-01T10:00:00Z", "kb_version": "kb42", "retrieval": {"top_k": 5}}
    made.ingest([write(folder, "old", BEFORE, **before), write(folder, "new", RECORDS, **after)])
    yield made
    made.close()


NEW = Scope("new")


def hit(one: dict[str, Any]) -> float | None:
    if not one["answerable"]:
        return None
    return float(one["expected_ids"][0] in [document["id"] for document in one["retrieved"][:3]])


def faithfulness(one: dict[str, Any]) -> float | None:
    return one.get("scores", {}).get("faithfulness")  # type: ignore[no-any-return]


def sides(value: Any) -> list[str]:
    """The slices that a recorded value counts in."""
    if isinstance(value, list):
        return list(dict.fromkeys(value)) or ["(empty)"]
    if value is None:
        return ["(not recorded)"]
    return ["(empty)" if value == "" else str(value).lower() if isinstance(value, bool) else str(value)]


def means(records: list[dict[str, Any]], measure: Any) -> tuple[float | None, int]:
    values = [value for one in records if (value := measure(one)) is not None]
    return (statistics.fmean(values) if values else None), len(values)


BY = {
    "topic": lambda one: one.get("topic"),
    "answerable": lambda one: one["answerable"],
    "meta.lang": lambda one: one["meta"].get("lang"),
    "colours": lambda one: one["colours"],
    "refused": lambda one: not one["predicted_answerable"],
    "retrieved_count": lambda one: len(one["retrieved"]),
    "refusal_reason": lambda one: one.get("refusal_reason"),
    "retrieved": lambda one: [document["id"] for document in one["retrieved"]],
}


@pytest.mark.parametrize("name", BY)
@pytest.mark.parametrize("text", ["", "latency_ms:<300"])
def test_a_slice_is_what_a_loop_over_the_file_counts(workspace: Workspace, name: str, text: str) -> None:
    records = [one for one in RECORDS if not text or one["latency_ms"] < 300]
    wanted: dict[str, list[dict[str, Any]]] = {}
    for one in records:
        for value in sides(BY[name](one)):
            wanted.setdefault(value, []).append(one)
    table = workspace.slicing.table(Scope("new", text=text), name, "hit")
    assert {row.value: row.cases for row in table.rows} == {
        value: len(some) for value, some in wanted.items()
    }
    assert table.whole.cases == len(records)
    for row in table.rows:
        for key, measure in (("hit", hit), ("faithfulness", faithfulness)):
            value, count = means(wanted[row.value], measure)
            assert row.metrics[key].denominator == count
            assert row.metrics[key].value == (None if value is None else pytest.approx(value))


def test_every_metric_of_a_slice_is_that_of_its_cases_alone(workspace: Workspace) -> None:
    for name in ("topic", "latency_ms", "reason", "meta.lang"):
        table = workspace.slicing.table(NEW, name)
        for row in (*table.rows, table.whole):
            if row is not table.whole and row.query is None:
                continue
            view = workspace.run_view(Scope("new", text=row.query or ""))
            assert (row.cases, row.failing) == (view.matching, view.failing)
            for metric in METRICS:
                mine, theirs = row.metrics[metric.key], view.metrics[metric.key]
                assert mine.value == pytest.approx(theirs.value)
                assert mine.numerator == pytest.approx(theirs.numerator)
                assert (mine.denominator, mine.missing, mine.inferred, mine.worst) == (
                    theirs.denominator, theirs.missing, theirs.inferred, theirs.worst,
                )  # fmt: skip
                assert mine.interval == pytest.approx(theirs.interval)


def test_cost_is_how_far_the_whole_rises_without_the_slice(workspace: Workspace) -> None:
    whole, _ = means(RECORDS, hit)
    table = workspace.slicing.table(NEW, "topic", "hit")
    for row in table.rows:
        others = [one for one in RECORDS if row.value not in sides(one.get("topic"))]
        rest, _ = means(others, hit)
        assert rest is not None and whole is not None
        assert row.cost == pytest.approx(rest - whole)
    costs = [row.cost for row in table.rows if row.cost is not None]
    assert costs == sorted(costs, reverse=True)
    failing = workspace.slicing.table(NEW, "topic")
    worst = max(failing.rows, key=lambda row: row.cost or 0)
    rest = (failing.whole.failing - worst.failing) / (failing.whole.cases - worst.cases)
    assert worst.cost == pytest.approx(failing.whole.failing / failing.whole.cases - rest)
    assert failing.rows[0] == worst


def test_a_metric_that_is_better_low_costs_the_other_way_round(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "topic", "over_refusal")
    whole = table.whole.metrics["over_refusal"].value
    assert whole is not None
    for row in table.rows:
        value = row.metrics["over_refusal"].value
        assert value is not None and row.cost is not None
        assert (row.cost > 0) == (value > whole)


def test_a_derived_metric_has_a_cost_too(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "latency_ms", "balanced_refusal_accuracy")
    assert all(row.cost is not None for row in table.rows)
    assert any(row.cost != 0 for row in table.rows)


def test_a_number_with_many_values_is_shown_in_ranges_that_hold_every_case_once(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "latency_ms")
    assert table.dimension.binned and 2 <= len(table.rows) <= 8
    bounds = sorted(tuple(map(float, row.value.split(".."))) for row in table.rows)
    recorded = [one["latency_ms"] for one in RECORDS]
    for (_, high), (low, _) in itertools.pairwise(bounds):
        assert high < low and not any(high < one < low for one in recorded)
    assert bounds[0][0] == min(recorded) and bounds[-1][1] == max(recorded)
    assert {f"{low:g}..{high:g}": sum(low <= one <= high for one in recorded) for low, high in bounds} == {
        row.value: row.cases for row in table.rows
    }
    few = workspace.slicing.table(NEW, "scores.faithfulness")
    assert few.dimension.binned is False and "(not recorded)" in {row.value for row in few.rows}


def test_the_long_tail_is_one_row_in_which_no_case_counts_twice(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "id", "hit", most=7)
    assert table.tail is not None and table.tail.value == "193 more values"
    assert (len(table.rows), table.tail.folded, table.tail.cases) == (7, 193, 193)
    assert all(row.metrics["hit"].value == 0 for row in table.rows)
    # Most cases have two documents that do not stand alone.
    documents = workspace.slicing.table(NEW, "retrieved", most=1)
    shown = documents.rows[0].value
    rest = [one for one in RECORDS if any(found["id"] != shown for found in one["retrieved"])]
    assert documents.tail is not None and documents.tail.cases == len(rest)


def test_the_baselines_same_slice_stands_beside(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "topic")
    assert table.baseline == "old"
    for row in table.rows:
        before = [one for one in BEFORE if row.value in sides(one.get("topic"))]
        value, count = means(before, hit)
        assert row.base_cases == len(before)
        assert row.base["hit"].denominator == count
        assert row.base["hit"].value == pytest.approx(value)
    ranges = workspace.slicing.table(NEW, "latency_ms")
    for row in ranges.rows:
        low, high = map(float, row.value.split(".."))
        assert row.base_cases == sum(low <= one["latency_ms"] <= high for one in BEFORE)


@pytest.mark.parametrize(
    ("name", "text"), [("reason", ""), ("suggestion", ""), ("verdict", ""), ("topic", "is:failing")]
)
def test_what_was_selected_on_results_is_not_compared(workspace: Workspace, name: str, text: str) -> None:
    table = workspace.slicing.table(Scope("new", text=text), name)
    assert table.on_results and table.baseline is None
    assert all(row.base == {} and row.base_cases is None for row in table.rows)


def test_two_dimensions_crossed_count_what_a_loop_counts(workspace: Workspace) -> None:
    table = workspace.slicing.cross(NEW, "topic", "colours", "hit")
    wanted: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for one in RECORDS:
        for row in sides(one.get("topic")):
            for column in sides(one["colours"]):
                wanted.setdefault((row, column), []).append(one)
    found = {
        (cell.parts[0].value, cell.parts[1].value): cell
        for cells in table.cells
        for cell in cells
        if cell is not None
    }
    assert {key: cell.cases for key, cell in found.items()} == {key: len(one) for key, one in wanted.items()}
    for key, cell in found.items():
        value, count = means(wanted[key], hit)
        assert cell.value is not None and cell.value.denominator == count
        assert cell.value.value == (None if value is None else pytest.approx(value))
    for at, head in enumerate(table.rows):
        alone = workspace.slicing.table(NEW, "topic", "hit")
        row = next(row for row in alone.rows if row.value == head.part.value)
        assert (head.cases, head.failing, head.value) == (row.cases, row.failing, row.metrics["hit"])
        assert len(table.cells[at]) == len(table.columns)
    numbers = workspace.slicing.cross(NEW, "topic", "latency_ms").columns
    assert [head.part.value for head in numbers] == sorted(
        (head.part.value for head in numbers), key=lambda text: float(text.split("..")[0])
    )


def test_a_crossing_folds_what_is_too_much_for_it(workspace: Workspace) -> None:
    table = workspace.slicing.cross(NEW, "id", "topic", most=(3, 2))
    assert [head.folded for head in table.rows] == [0, 0, 0, 197]
    assert [head.folded for head in table.columns] == [0, 0, 2]
    assert sum(cell.cases for cells in table.cells for cell in cells if cell is not None) == 200


def test_a_header_key_compares_the_runs_of_the_test_set(workspace: Workspace) -> None:
    table = workspace.slicing.table(NEW, "retrieval.top_k", "hit")
    assert table.dimension.kind == "run"
    rows = {row.value: row for row in table.rows}
    assert {value: row.part.runs for value, row in rows.items()} == {"3": ("old",), "5": ("new",)}
    for value, records in (("3", BEFORE), ("5", RECORDS)):
        mean, count = means(records, hit)
        assert rows[value].cases == len(records)
        assert rows[value].metrics["hit"].value == pytest.approx(mean)
        assert rows[value].metrics["hit"].denominator == count
    assert table.whole.cases == len(BEFORE) + len(RECORDS)
    assert workspace.slicing.opened(NEW, rows["3"].part).run == "old"
    assert workspace.slicing.table(NEW, "kb_version").rows[0].value == "kb42"
    assert {row.value for row in workspace.slicing.table(NEW, "run.kb_version").rows} == {"kb41", "kb42"}


def test_dimensions_are_those_that_the_run_has(workspace: Workspace) -> None:
    found = {one.name: one for one in workspace.slicing.dimensions(NEW)}
    assert (found["topic"].kind, found["topic"].values) == ("case", 3)
    assert (found["meta.lang"].kind, found["meta.lang"].values) == ("own", 4)
    assert (found["reason"].kind, found["retrieved_count"].values) == ("result", 3)
    assert found["run.retrieval.top_k"].values == 2
    assert "route" not in found and "meta" not in found
    assert "verdict" not in found


def test_a_name_that_is_none_names_a_near_one_and_the_others(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match=r"topik .*did you mean topic\?.*meta\.lang"):
        workspace.slicing.table(NEW, "topik")
    with pytest.raises(UsageError, match="did you mean hit"):
        workspace.slicing.table(NEW, "topic", "hits")
    with pytest.raises(UsageError, match="cannot be crossed"):
        workspace.slicing.cross(NEW, "topic", "run.kb_version")


def test_an_answer_is_kept_until_data_changes(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "triage.db", Settings(), reviewer="wei")
    path = write(tmp_path, "run", RECORDS[:40])
    workspace.ingest([path])
    scope = Scope("run")
    topics = workspace.slicing.table(scope, "topic")
    verdicts = workspace.slicing.table(scope, "verdict")
    assert workspace.slicing.table(scope, "topic") is topics
    workspace.tag("run", ["C001", "C002"], "retrieval")
    assert workspace.slicing.table(scope, "topic") is topics
    again = workspace.slicing.table(scope, "verdict")
    assert {row.value: row.cases for row in verdicts.rows} == {"(not recorded)": 40}
    assert {row.value: row.cases for row in again.rows} == {"(not recorded)": 38, "retrieval": 2}
    write(tmp_path, "run", RECORDS[:50])
    workspace.ingest([path])
    assert workspace.slicing.table(scope, "topic").whole.cases == 50
    workspace.close()


def test_no_cases_are_no_slices(workspace: Workspace) -> None:
    table = workspace.slicing.table(Scope("new", text="id:nobody"), "topic", "hit")
    assert (table.rows, table.tail, table.whole.cases) == ((), None, 0)
    crossed = workspace.slicing.cross(Scope("new", text="id:nobody"), "topic", "colours", FAILING)
    assert (crossed.rows, crossed.columns, crossed.cells) == ((), (), ())


@pytest.mark.parametrize("few", [0, 10])
def test_however_many_different_scores_there_are_the_sums_are_the_same(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("triage.store.slice_sums.FEW", few)
    other = Workspace(workspace.database, Settings(), reviewer="wei")
    names = ["topic", "colours", "latency_ms", "id"]
    for mine, theirs in zip(
        other.slicing.tables(NEW, names, "mrr", 5),
        workspace.slicing.tables(NEW, names, "mrr", 5),
        strict=True,
    ):
        assert [row.value for row in mine.rows] == [row.value for row in theirs.rows]
        for one, another in zip((*mine.rows, mine.whole), (*theirs.rows, theirs.whole), strict=True):
            for key, value in one.metrics.items():
                assert value.value == pytest.approx(another.metrics[key].value), (one.value, key)
    other.close()
