"""Slices by numbers beyond all bounds, and by keys that are named as something of ours."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest

from triage.models.query import Drill, Scope
from triage.settings import Settings
from triage.workspace import Workspace

COUNT = 40
SCOPE = Scope("numbers")
KEYS = ("stamp", "id64", "huge", "zero", "failing")


def numbered(at: int) -> dict[str, Any]:
    """A case with integers that have no float of their own."""
    return {
        "id": f"N{at:02}",
        "query": f"question {at}",
        "expected_ids": ["KB-1"],
        "retrieved_ids": ["KB-1"] if at % 3 else [],
        "predicted_answerable": True,
        "answerable": True,
        "stamp": 1732960000123456789 + at * 10**9,
        "id64": 9007199254740993 + 2 * at,
        "huge": 10**400 + at,
        "zero": [-0.0, 0, 0.0, 1][at % 4],
        "failing": ["x", "true"][at % 2],
    }


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("slicing_hostile")
    made = Workspace(folder / "numbers.db", Settings(), reviewer="wei")
    records = [{"run": {"id": "numbers", "k": 3}}, *(numbered(at) for at in range(COUNT))]
    path = folder / "numbers.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in records), encoding="utf-8")
    made.ingest([path])
    yield made
    made.close()


@pytest.mark.parametrize("name", KEYS)
def test_every_case_is_in_one_slice_which_opens_exactly_its_cases(workspace: Workspace, name: str) -> None:
    table = workspace.slicing.table(SCOPE, name)
    assert sum(row.cases for row in table.rows) == COUNT
    for row in table.rows:
        opened = workspace.slicing.opened(SCOPE, row.part)
        drilled = Scope(SCOPE.run, drill=Drill(slice=(row.part,)))
        assert len(workspace.case_keys(opened)) == len(workspace.case_keys(drilled)) == row.cases
    crossed = workspace.slicing.cross(SCOPE, name, "zero")
    assert sum(head.cases for head in crossed.rows) == COUNT


def test_the_bounds_of_a_range_are_recorded_numbers(workspace: Workspace) -> None:
    bounds = [row.value.split("..") for row in workspace.slicing.table(SCOPE, "id64").rows]
    recorded = {str(numbered(at)["id64"]) for at in range(COUNT)}
    assert len(bounds) == 8 and {end for pair in bounds for end in pair} <= recorded


def test_a_key_named_as_a_dimension_of_ours_is_the_records_own(workspace: Workspace) -> None:
    rows = workspace.slicing.table(SCOPE, "failing").rows
    assert {row.value: row.cases for row in rows} == {"x": COUNT // 2, "true": COUNT // 2}


def test_nothing_is_less_than_nothing(workspace: Workspace) -> None:
    rows = workspace.slicing.table(SCOPE, "zero").rows
    assert {row.value: row.cases for row in rows} == {"0": 30, "1": 10}


def test_one_value_that_is_folded_is_one(workspace: Workspace) -> None:
    tail = workspace.slicing.table(SCOPE, "zero", most=1).tail
    assert tail is not None and tail.value == "1 more value"
