"""Labels that are renamed, merged or split while readers have them in hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.reading import Handed
from triage.workspace import Workspace


def read(work: Workspace, case_id: str, *labels: str) -> None:
    """Read a case of the sample `two`, for the first time or again."""
    found = work.queue.open("r", "two", case_id)
    assert isinstance(found, Handed)
    work.queue.give("r", "two", case_id, "retrieval", labels=labels)


def labels(work: Workspace, case_id: str) -> tuple[str, ...]:
    row = work.case_rows(Scope("r"), [work.case_key(Scope("r"), case_id) or 0])[0]
    return row.review.labels if row.review is not None else ()


def given(work: Workspace, case_id: str) -> dict[str, tuple[str, ...]]:
    return {one.reviewer: one.labels for one in work.queue.readings("r", [case_id])[case_id]}


def test_who_reads_a_case_again_takes_his_labels_back_under_their_new_names(
    wei: Workspace, ada: Workspace
) -> None:
    read(wei, "c0", "stale", "order")
    read(ada, "c0", "price")
    wei.coding.rename("stale", "old page")
    wei.coding.split("order", {("r", "c0"): ["order of rows", "order of pages"]})
    assert labels(ada, "c0") == ("old page", "order of rows", "order of pages", "price")
    read(wei, "c0", "routing")
    assert set(labels(ada, "c0")) == {"price", "routing"}
    assert given(ada, "c0") == {"wei": ("routing",), "ada": ("price",)}
    assert wei.upkeep.check().faults == ()


def test_a_change_of_the_codebook_stands_in_nobodys_way(wei: Workspace, ada: Workspace) -> None:
    read(wei, "c0", "stale")
    wei.tag("r", ["c1"], "ranking", labels=["stale"])
    ada.coding.rename("stale", "old page")
    assert labels(wei, "c1") == ("old page",)
    assert wei.undo("r").said == "undone: c1 is without a verdict"
    assert labels(wei, "c1") == ()
    wei.redo("r")
    assert labels(wei, "c1") == ("old page",)
    wei.undo("r")
    assert "yours to read again" in wei.queue.undo("r").said
    assert labels(wei, "c0") == () and ada.coding.book().named("old page") is None
    assert wei.upkeep.check().faults == ()


def test_a_change_is_taken_back_although_the_case_was_read_since(wei: Workspace, ada: Workspace) -> None:
    read(wei, "c0", "stale")
    wei.coding.rename("stale", "old page")
    read(ada, "c0", "price")
    wei.coding.undo()
    assert labels(ada, "c0") == ("stale", "price")
    wei.coding.rename("stale", "old page")
    ada.set_labels("r", ["c0"], ["price", "old page"])
    with pytest.raises(TriageError, match="were changed since"):
        wei.coding.undo()


def test_names_go_there_and_back_again(wei: Workspace, ada: Workspace) -> None:
    read(wei, "c0", "a")
    for old, new in (("a", "b"), ("b", "a"), ("a", "c"), ("c", "b")):
        wei.coding.rename(old, new)
    assert labels(ada, "c0") == ("b",) == given(ada, "c0")["wei"]
    read(ada, "c0", "a")
    assert labels(ada, "c0") == ("b", "a") and given(ada, "c0")["ada"] == ("a",)
    for _ in range(4):
        wei.coding.undo()
    assert labels(ada, "c0") == ("a",) == given(ada, "c0")["wei"]


def test_who_renames_a_label_has_said_nothing_of_the_case(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    ada.set_labels("r", ["c3"], ["stale"])
    wei.coding.rename("stale", "old page")
    row = wei.case_rows(Scope("r"), [wei.case_key(Scope("r"), "c3") or 0])[0]
    assert row.review is not None and (row.review.reviewer, row.review.labels) == ("ada", ("old page",))
