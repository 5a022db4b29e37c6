"""A drill-down to cases that are named one by one."""

from __future__ import annotations

from triage.models.query import Drill, Scope
from triage.ui.work.words import selection
from triage.workspace import Workspace
from triage.workspace.exporting import filter_words

NAMED = Drill(named="read differently", ids=("miss", "ok", "not there"))


def test_a_list_shows_exactly_the_named_cases_under_its_filter_text(workspace: Workspace) -> None:
    for text, expected in (("", ["ok", "miss"]), ("id:miss", ["miss"]), ("id:gold", [])):
        scope = Scope("kb42", text=text, drill=NAMED)
        rows = workspace.case_rows(scope, workspace.case_keys(scope))
        assert [row.id for row in rows] == expected
    none = Scope("kb42", drill=Drill(named="nobody's"))
    assert len(workspace.case_keys(none)) == 0


def test_the_list_and_an_export_say_what_they_are() -> None:
    scope = Scope("kb42", drill=NAMED)
    assert selection(scope, 3) == "read differently"
    assert filter_words(scope) == "read differently"
    hostile = Scope("kb42", drill=Drill(named="\x1b[31m[red]", ids=("ok",)))
    assert "\x1b" not in selection(hostile, 3)
