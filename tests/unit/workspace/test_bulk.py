"""Many cases at once, as screens and commands ask for it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError, UsageError
from triage.models import shapes
from triage.models.query import Scope
from triage.workspace import Workspace

ALL = Scope("kb42")


def found(workspace: Workspace, text: str) -> list[str]:
    rows = workspace.case_rows(ALL, workspace.case_keys(Scope("kb42", text=text)))
    return [row.id for row in rows]


def test_deferring_is_told_filtered_in_the_history_and_taken_back_by_the_same_call(
    workspace: Workspace,
) -> None:
    assert workspace.bulk.defer("kb42", ["miss"]).said == "miss deferred"
    assert found(workspace, "is:deferred") == ["miss"] and "miss" in found(workspace, "is:unreviewed")
    event = shapes.event(workspace.case_detail(ALL, "miss").events[-1])
    assert (event["kind"], event["reviewer"], event["undone"]) == ("defer", "wei", False)
    assert workspace.bulk.defer("kb42", ["miss"]).said == "miss no longer deferred"
    workspace.tag("kb42", ["gold"], "refusal")
    assert workspace.bulk.defer("kb42", ["gold"]).said == "gold: judged already, nothing to put off"
    said = workspace.bulk.defer("kb42", ["gold", "miss", "rank"]).said
    assert said == "2 cases deferred; 1 case judged or deferred before"
    assert workspace.undo("kb42").said == "undone: 2 cases"
    assert found(workspace, "is:deferred") == []
    with pytest.raises(TriageError, match="no such case"):
        workspace.bulk.defer("kb42", ["nowhere"])


def test_an_undone_verdict_of_a_deferred_case_says_that_it_is_put_off_again(workspace: Workspace) -> None:
    workspace.bulk.defer("kb42", ["miss"])
    workspace.tag("kb42", ["miss"], "retrieval")
    assert workspace.undo("kb42").said == "undone: miss is deferred"


def test_labels_in_use_come_with_where_they_stand(workspace: Workspace) -> None:
    workspace.bulk.change_labels("kb42", ["miss", "rank"], ["路由错误", "stale-doc"], [])
    workspace.bulk.change_labels("kb42", ["gold"], ["stale-doc"], [])
    labels = {one.name: (one.here, one.used) for one in workspace.bulk.labels("kb42", ["miss", "gold"])}
    assert labels["stale-doc"] == (2, 3) and labels["路由错误"] == (1, 2) and labels["prompt"] == (0, 0)
    assert list(labels)[:2] == ["stale-doc", "路由错误"]
    said = workspace.bulk.change_labels("kb42", ["miss", "gold"], ["new  one"], ["路由错误"]).said
    assert said == "2 cases labelled +new one -路由错误"
    detail = workspace.case_detail(ALL, "miss")
    assert detail.row.review is not None and detail.row.review.labels == ("stale-doc", "new one")
    with pytest.raises(UsageError):
        workspace.bulk.change_labels("kb42", ["miss"], ["a|b"], [])


def test_accepting_many_is_one_action(workspace: Workspace) -> None:
    outcome = workspace.accept(ALL, ["miss", "rank", "crash"])
    assert outcome.said == "2 cases tagged as suggested; nothing to accept on crash"
    assert workspace.undo("kb42").case_ids == ("miss", "rank")


def test_keys_of_the_revision_before_find_their_cases_by_id_and_those_gone_are_told(
    workspace: Workspace, make: Any, tmp_path: Path, open_workspace: Callable[..., Workspace]
) -> None:
    keys = list(workspace.case_keys(ALL))
    path = make.file(
        tmp_path / "kb42.jsonl", list(reversed(make.cases))[:-1], {"id": "kb42", "created_at": "2026-11-28"}
    )
    workspace.ingest([path])
    ids = workspace.bulk.ids_of("kb42", keys)
    assert ids == [one["id"] for one in make.cases]
    moved = workspace.bulk.moved("kb42", keys)
    assert keys[0] not in moved and len(moved) == 7
    assert [row.id for row in workspace.case_rows(ALL, [moved[key] for key in keys[1:]])] == ids[1:]
    with pytest.raises(TriageError, match="have gone"):
        workspace.bulk.ids_of("kb42", [*keys, 5])
