"""The list of runs: its figures are those of the panels, whatever hangs on a run is counted."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.workspace import Workspace
from triage.workspace.run_list import differences, file_size, headlines, runs_of_family


def case(ident: str, *, hit: bool = True, **more: Any) -> dict[str, Any]:
    found = "KB-1" if hit else "KB-9"
    return {
        "id": ident, "query": f"question {ident}", "answerable": True, "expected_ids": ["KB-1"],
        "retrieved": [{"id": found, "text": "x"}], "answer": "x [S1]", "citations": ["S1"], **more,
    }  # fmt: skip


def write(folder: Path, name: str, cases: list[dict[str, Any]], **header: Any) -> Path:
    path = folder / f"{name}.jsonl"
    lines = [json.dumps({"run": {"id": name, **header}})] if header else []
    path.write_text("\n".join([*lines, *map(json.dumps, cases)]) + "\n", "utf-8")
    return path


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Workspace]:
    workspace = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    write(
        tmp_path, "old", [case("a"), case("b", hit=False)], created_at="2026-10-01T10:00:00Z", k=3,
        dataset={"name": "set"}, retrieval={"top_k": 3, "reranker": None}, kb_version="1",
    )  # fmt: skip
    write(
        tmp_path, "new", [case("a"), case("b"), case("c", hit=False, scores={"faithfulness": 2})], k=5,
        created_at="2026-10-02T10:00:00Z", dataset={"name": "set"}, retrieval={"top_k": 5}, kb_version="2",
    )  # fmt: skip
    workspace.ingest([tmp_path / "old.jsonl", tmp_path / "new.jsonl"], LoadOptions())
    yield workspace
    workspace.close()


def test_figures_are_those_of_the_panels_and_the_baseline_is_measured_at_the_same_k(made: Workspace) -> None:
    made.tag("new", ["b", "c"], "retrieval")
    made.run_view(Scope("new"))
    for entry in made.run_list.filled():
        view = made.run_view(Scope(entry.run.id))
        assert entry.figures is not None
        assert entry.figures.metrics == view.metrics
        assert entry.figures.base_metrics == view.base_metrics
        assert (entry.figures.failing, entry.figures.triaged) == (view.failing, view.triaged)
        assert entry.figures.verdicts == view.verdicts


def test_a_baseline_that_is_not_measured_at_the_runs_k_gives_no_delta_until_it_is(made: Workspace) -> None:
    newest = made.run_list.filled()[0]
    assert newest.run.id == "new" and newest.figures is not None and not newest.figures.base_metrics
    measured = made.run_list.measured("new")
    assert measured is not None and measured.figures is not None
    assert measured.figures.base_metrics["hit"].value == 0.5


def test_a_run_measured_by_another_threshold_is_measured_anew(made: Workspace, tmp_path: Path) -> None:
    strict = Workspace(tmp_path / "t.db", Settings(failing_confidence=0.99), reviewer="wei")
    assert [entry.figures for entry in strict.run_list.filled()] == [None, None]
    assert all(entry.figures is not None for entry in strict.run_list.all_measured())
    assert all(entry.figures is not None for entry in strict.run_list.filled())
    strict.close()


def test_without_a_database_there_are_no_runs_and_none_is_made(tmp_path: Path) -> None:
    workspace = Workspace(tmp_path / "none.db", Settings(), reviewer="wei")
    assert workspace.run_list.filled() == [] and workspace.run_list.measured("x") is None
    assert not (tmp_path / "none.db").exists()


def test_a_file_that_has_gone_is_known(made: Workspace, tmp_path: Path) -> None:
    (tmp_path / "old.jsonl").unlink()
    assert [entry.present for entry in made.run_list.filled()] == [True, False]


def test_a_new_revision_brings_new_figures(made: Workspace, tmp_path: Path) -> None:
    made.run_list.filled()
    write(tmp_path, "new", [case("a", hit=False)], created_at="2026-10-02T10:00:00Z", dataset={"name": "set"})
    made.ingest([tmp_path / "new.jsonl"], LoadOptions())
    newest = made.run_list.filled()[0]
    assert newest.figures is not None and newest.figures.metrics["hit"].value == 0.0
    assert (newest.run.revision, newest.figures.failing) == (2, 1)


def test_configurations_differ_by_key_in_words(made: Workspace) -> None:
    new, old = made.run_list.filled()
    assert differences(new, old) == [("kb_version", "1", "2"), ("top_k", "3", "5"), ("k", "3", "5")]


def test_the_first_recorded_metric_of_each_panel_in_most_runs_is_its_headline(made: Workspace) -> None:
    assert headlines(made.run_list.filled()) == [
        "hit",
        "refusal_accuracy",
        "citation_coverage",
        "faithfulness",
    ]
    assert headlines(made.run_list.entries()) == []


def test_what_hangs_on_a_run_is_counted_before_it_goes(made: Workspace) -> None:
    made.tag("old", ["a"], "retrieval", labels=["stale-doc"], note="x")
    made.note("old", "b", "seen")
    made.save_draft("old", "b", "half")
    removal = made.run_list.removal("old")
    assert (removal.records, removal.revisions) == (2, 1)
    assert (removal.verdicts, removal.notes, removal.labels, removal.drafts) == (1, 2, 1, 1)
    assert removal.reviewers == ("wei",) and removal.reviewed
    assert not made.run_list.removal("new").reviewed


def test_a_pin_is_told_and_taken_back(made: Workspace) -> None:
    made.pin_baseline("new")
    assert [entry.pinned for entry in made.run_list.entries()] == [True, False]
    assert made.run_list.entries()[1].run.baseline == "new"
    made.run_list.unpin("new")
    assert made.run_list.entries()[1].run.baseline is None


def test_runs_without_a_test_set_belong_to_the_one_whose_cases_they_share(
    made: Workspace, tmp_path: Path
) -> None:
    write(tmp_path, "nameless", [case("a"), case("b")])
    write(tmp_path, "stranger", [case("x"), case("y")])
    made.ingest([tmp_path / "nameless.jsonl", tmp_path / "stranger.jsonl"], LoadOptions())
    families = runs_of_family(made.run_list.entries())
    ids = sorted([entry.run.path.rsplit("/", 1)[-1] for entry in family] for family in families.values())
    assert ids == [["old.jsonl", "new.jsonl", "nameless.jsonl"], ["stranger.jsonl"]]


@pytest.mark.parametrize(
    ("count", "said"),
    [(0, "0"), (830, "830"), (6_200, "6.2k"), (14_400, "14k"), (999_600, "1.0M"), (1_300_000_000, "1.3G")],
)
def test_file_sizes_take_five_cells(count: int, said: str) -> None:
    assert file_size(count) == said
