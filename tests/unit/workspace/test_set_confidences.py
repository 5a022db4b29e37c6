"""A run measured under other confidences is measured anew, and only then."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from triage.models.query import Scope
from triage.settings import Settings
from triage.store import state
from triage.workspace import Workspace

RANK_2 = {
    "id": "E06", "query": "human agent please", "answerable": True, "expected_ids": ["KB-2"],
    "retrieved": [{"id": "KB-1"}, {"id": "KB-2"}], "answer": "9 to 21", "predicted_answerable": True,
    "citations": ["KB-2"],
}  # fmt: skip
MISSED = {**RANK_2, "id": "E07", "expected_ids": ["KB-9"]}
ALL = Scope("kb42")
SET = Settings(confidence={"expected_below_rank1": 0.2})


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    path = tmp_path / "kb42.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in (RANK_2, MISSED)), "utf-8")
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    made.ingest([path])
    yield made
    made.close()


def _view(workspace: Workspace) -> int:
    found = workspace._place(ALL)
    return found.view


def test_set_confidences_change_suggestion_failing_layers_and_every_answer(workspace: Workspace) -> None:
    other = Workspace(workspace.database, SET, reviewer="wei")
    row = other.case_rows(ALL, other.case_keys(ALL))[0]
    assert (row.failing, row.reason, row.confidence) == (False, "expected_below_rank1", 0.2)
    assert row.layers["ranking"] == "ok"
    assert other.run_view(ALL).failing == 1
    assert other.run_view(ALL).classes["ranking"] == 0
    assert list(other.case_keys(Scope("kb42", text="confidence:<.3"))) == [row.pk]
    assert other.case_detail(ALL, "E06").diagnosis.suggestion.confidence == 0.2
    assert workspace.run_view(ALL).failing == 2
    other.close()


def test_a_view_is_measured_anew_once_and_not_where_the_same_confidences_hold(workspace: Workspace) -> None:
    first = _view(workspace)
    assert _view(workspace) == first
    other = Workspace(workspace.database, SET, reviewer="wei")
    second = _view(other)
    assert second != first and _view(other) == second
    same = Workspace(workspace.database, Settings(confidence={"expected_below_rank1": 0.2}), reviewer="ana")
    assert _view(same) == second
    assert _view(workspace) != second
    for each in (other, same):
        each.close()


def test_a_file_loaded_under_set_confidences_is_not_measured_again(tmp_path: Path) -> None:
    path = tmp_path / "kb43.jsonl"
    path.write_text(json.dumps(RANK_2) + "\n", "utf-8")
    made = Workspace(tmp_path / "set.db", SET, reviewer="wei")
    made.ingest([path])
    store = made._stores.reading()
    assert store is not None
    run = made.find_run(None)
    assert store.view(run.pk, run.k, SET.sureness) == store.view(run.pk, run.k)
    assert store.view(run.pk, run.k, Settings().sureness) is None
    assert made.run_list.filled()[0].figures is not None
    made.close()


def test_the_list_of_runs_follows_settings_that_change_while_it_is_open(workspace: Workspace) -> None:
    figures = workspace.run_list.all_measured()[0].figures
    assert figures is not None and figures.failing == 2
    workspace.settings = SET
    again = workspace.run_list.all_measured()[0].figures
    assert again is not None and again.failing == 1


def test_a_measuring_that_is_killed_before_its_end_leaves_nothing_that_is_taken_for_another(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triage.store.view_writer import ViewWriter

    first = _view(workspace)
    seen: list[bool] = []
    finish = ViewWriter.finish

    def watched(writer: ViewWriter, *, linger: bool = False) -> int:
        store = other._stores.reading()
        assert store is not None
        seen.append(SET.sureness in state.surenesses(store._connection).values())
        return finish(writer, linger=linger)

    monkeypatch.setattr(ViewWriter, "finish", watched)
    other = Workspace(workspace.database, SET, reviewer="wei")
    assert _view(other) != first
    assert seen == [True]
    other.close()
