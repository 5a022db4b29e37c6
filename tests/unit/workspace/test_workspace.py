"""The facade: what screens and commands may rely on."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from triage.errors import FilterError, TriageError, UsageError
from triage.models.query import Drill, Scope
from triage.settings import Settings
from triage.workspace import Workspace

ALL = Scope("kb42")
Open = Callable[..., Workspace]


def ids(workspace: Workspace, scope: Scope) -> list[str]:
    return [row.id for row in workspace.case_rows(scope, workspace.case_keys(scope))]


def review(workspace: Workspace, case: str) -> Any:
    return workspace.case_detail(ALL, case).row.review


def test_without_a_database_there_is_nothing_and_nothing_is_made(
    open_workspace: Open, tmp_path: Path
) -> None:
    workspace = open_workspace()
    assert workspace.runs() == []
    assert workspace.changed() is False
    with pytest.raises(TriageError, match="no runs"):
        workspace.find_run(None)
    with pytest.raises(TriageError, match="no runs"):
        workspace.tag("kb42", ["a"], "other")
    assert list(tmp_path.iterdir()) == []


def test_a_run_is_found_by_id_or_as_the_latest(workspace: Workspace) -> None:
    assert workspace.find_run("kb42").id == "kb42"
    assert workspace.find_run("latest").id == "kb42"
    assert workspace.find_run(None).records == 8
    with pytest.raises(TriageError, match="no such run"):
        workspace.find_run("kb4")


def test_the_views_the_drill_downs_and_the_filter_select_what_they_say(workspace: Workspace) -> None:
    assert ids(workspace, ALL) == ["ok", "rank", "miss", "gold", "label", "bare", "crash", "runner"]
    failing = ids(workspace, Scope("kb42", view="failing"))
    assert sorted(failing) == ["crash", "gold", "miss", "rank", "runner"]
    assert ids(workspace, Scope("kb42", view="failing", sort="")) == [
        "miss",
        "rank",
        "gold",
        "crash",
        "runner",
    ]
    assert sorted(ids(workspace, Scope("kb42", view="passing"))) == ["bare", "label", "ok"]
    assert ids(workspace, Scope("kb42", drill=Drill(metric="hit"))) == ["miss"]
    assert ids(workspace, Scope("kb42", drill=Drill(failure_class="refusal"))) == ["gold"]
    assert ids(workspace, Scope("kb42", text="topic:refund")) == ["gold"]
    assert ids(workspace, Scope("kb42", text="question", literal=True)) == ["bare"]
    with pytest.raises(FilterError):
        workspace.case_keys(Scope("kb42", text="is:failing ("))
    with pytest.raises(UsageError):
        workspace.case_keys(Scope("kb42", sort="nonsense"))


def test_another_threshold_of_failing_is_measured_anew(workspace: Workspace, tmp_path: Path) -> None:
    strict = Workspace(workspace.database, Settings(failing_confidence=1.0), reviewer="wei")
    failing = Scope("kb42", view="failing")
    assert sorted(ids(strict, failing)) == ["crash", "runner"]
    assert strict.run_view(ALL).failing == 2
    assert sorted(ids(workspace, failing)) == ["crash", "gold", "miss", "rank", "runner"]
    strict.close()


def test_marked_cases_can_be_filtered(workspace: Workspace) -> None:
    key = workspace.case_key(ALL, "rank")
    assert key is not None
    assert list(workspace.case_keys(Scope("kb42", text="is:marked"), frozenset({key}))) == [key]


def test_the_panels_follow_the_text_and_not_the_view(workspace: Workspace) -> None:
    view = workspace.run_view(Scope("kb42", view="passing"))
    assert (view.cases, view.matching, view.failing) == (8, 8, 5)
    assert view.classes == {"retrieval": 1, "ranking": 1, "refusal": 1, "citation-semantic": 0}
    assert view.class_free == 2
    assert view.metrics["hit"].denominator == 4
    narrow = workspace.run_view(Scope("kb42", text="topic:refund"))
    assert (narrow.cases, narrow.matching) == (8, 1)
    assert narrow.selected_on_results is False
    assert workspace.run_view(Scope("kb42", text="is:failing")).selected_on_results is True
    assert workspace.run_view(Scope("kb42", text="a|b")).text_said == "text: a|b"


def test_what_a_list_does_not_show_is_counted(workspace: Workspace) -> None:
    outside = workspace.count_outside(Scope("kb42", view="failing", text="topic:shipping"))
    assert outside.view == len(workspace.case_keys(Scope("kb42", view="passing", text="topic:shipping")))
    assert outside.filter == 8 - workspace.run_view(Scope("kb42", text="topic:shipping")).matching


def test_panels_show_the_baseline_under_the_same_text_but_not_where_it_speaks_of_results(
    workspace: Workspace, make: Any, tmp_path: Path
) -> None:
    old = [{**one, **make.missed} if one["id"] == "rank" else one for one in make.cases]
    workspace.ingest(
        [make.file(tmp_path / "kb41.jsonl", old, {"id": "kb41", "created_at": "2026-11-01T00:00:00Z"})]
    )
    view = workspace.run_view(ALL)
    assert view.baseline == "kb41"
    assert view.metrics["hit"].value == 0.75
    assert view.base_metrics["hit"].value == 0.5
    assert workspace.run_view(Scope("kb42", text="id:rank")).base_metrics["hit"].value == 0
    assert workspace.run_view(Scope("kb42", text="is:failing")).base_metrics == {}
    workspace.set_baseline("kb41", "kb42")
    assert workspace.run_view(Scope("kb41")).baseline == "kb42"


def test_another_k_is_measured_once_when_it_is_asked_for(workspace: Workspace) -> None:
    assert workspace.run_view(Scope("kb42", k=1)).metrics["hit"].value == 0.5
    assert (
        workspace.case_detail(Scope("kb42", k=1), "rank").diagnosis.suggestion.reason
        == "expected_below_cutoff"
    )
    assert workspace.run_view(ALL).metrics["hit"].value == 0.75


def test_a_detail_has_the_record_as_it_came_and_as_it_was_read(workspace: Workspace) -> None:
    detail = workspace.case_detail(ALL, "rank")
    assert detail.record.expected_ids == ["KB-1"]
    assert detail.citations[0].id == "KB-1"
    assert detail.citations[0].resolved_rank == 2
    assert detail.diagnosis.first_rank == 2
    assert detail.events == ()
    assert workspace.case_detail(ALL, detail.row.pk).row.id == "rank"
    assert "predicted_answerable" in workspace.case_detail(ALL, "bare").inferred
    with pytest.raises(TriageError, match="no such case"):
        workspace.case_detail(ALL, "nothing")


@pytest.mark.parametrize(
    ("case", "verdict"),
    [
        ("rank", "ranking"),
        ("miss", "retrieval"),
        ("gold", "refusal"),
        ("ok", "not-a-failure"),
        ("label", "test-set"),
    ],
)
def test_accepting_makes_the_suggestion_a_verdict(workspace: Workspace, case: str, verdict: str) -> None:
    outcome = workspace.accept(ALL, [case])
    assert outcome.case_ids == (case,)
    assert outcome.said == f"{case} tagged {verdict}"
    assert outcome.reviews[case] is not None
    assert review(workspace, case).verdict == verdict


@pytest.mark.parametrize(
    ("case", "word"),
    [("bare", "not recorded"), ("crash", "nothing to accept"), ("runner", "nothing to accept")],
)
def test_where_there_is_nothing_to_accept_it_says_so_and_writes_nothing(
    workspace: Workspace, case: str, word: str
) -> None:
    outcome = workspace.accept(ALL, [case])
    assert outcome.case_ids == ()
    assert outcome.said.startswith(f"{case}: ")
    assert word in outcome.said
    assert workspace.case_detail(ALL, case).events == ()


def test_accepting_a_batch_is_one_action(workspace: Workspace) -> None:
    outcome = workspace.accept(ALL, ["rank", "gold", "bare"])
    assert set(outcome.case_ids) == {"rank", "gold"}
    assert "nothing to accept on bare" in outcome.said
    workspace.undo("kb42")
    assert review(workspace, "rank") is None
    assert review(workspace, "gold") is None


def test_undo_and_redo_bring_back_tag_and_note(workspace: Workspace) -> None:
    workspace.tag("kb42", ["rank"], "ranking", labels=["x"], note="first")
    workspace.tag("kb42", ["rank"], "other", note="second")
    outcome = workspace.undo("kb42")
    assert outcome.said == "undone: rank is ranking"
    assert (review(workspace, "rank").verdict, review(workspace, "rank").note) == ("ranking", "first")
    assert workspace.redo("kb42").said == "redone: rank is other"
    workspace.undo("kb42")
    workspace.undo("kb42")
    assert review(workspace, "rank") is None
    with pytest.raises(TriageError, match="nothing to undo"):
        workspace.undo("kb42")


def test_undo_refuses_where_somebody_else_has_changed_the_case(
    workspace: Workspace, open_workspace: Open
) -> None:
    other = open_workspace("ana")
    workspace.tag("kb42", ["rank"], "ranking")
    other.tag("kb42", ["rank"], "other")
    with pytest.raises(TriageError, match="ana"):
        workspace.undo("kb42")
    assert review(workspace, "rank").disputed is True
    with pytest.raises(TriageError, match="nothing to undo"):
        open_workspace("wei").undo("kb42")


def test_times_are_utc_and_the_reviewer_may_change(workspace: Workspace) -> None:
    workspace.reviewer = "ana"
    workspace.note("kb42", "ok", "看\n二")
    (event,) = workspace.case_detail(ALL, "ok").events
    assert event.reviewer == "ana"
    assert event.at.startswith("2026-11-28T10:00:0")
    assert event.at.endswith("Z")
    assert review(workspace, "ok").note == "看\n二"


def test_nothing_is_written_where_one_case_of_a_batch_is_not_there(workspace: Workspace) -> None:
    with pytest.raises(TriageError, match="no such case"):
        workspace.tag("kb42", ["rank", "nothing"], "other")
    assert review(workspace, "rank") is None


@pytest.mark.parametrize("label", ["", "  ", "a|b", "a\0b", "long " * 41])
def test_a_label_is_a_word_that_a_cell_can_hold(workspace: Workspace, label: str) -> None:
    with pytest.raises(UsageError):
        workspace.set_labels("kb42", ["rank"], [label])


def test_drafts_survive_and_belong_to_a_reviewer(workspace: Workspace, open_workspace: Open) -> None:
    workspace.save_draft("kb42", "rank", "half a no")
    workspace.close()
    assert open_workspace("wei").draft("kb42", "rank") == "half a no"
    assert open_workspace("ana").draft("kb42", "rank") is None
    workspace.drop_draft("kb42", "rank")
    assert workspace.draft("kb42", "rank") is None


def test_another_connections_verdict_is_seen_and_noticed(workspace: Workspace, open_workspace: Open) -> None:
    watching = open_workspace("ana")
    assert watching.changed() is False
    assert watching.changed() is False
    workspace.tag("kb42", ["rank"], "ranking")
    assert watching.changed() is True
    assert watching.changed() is False
    assert review(watching, "rank").reviewer == "wei"


def test_any_thread_may_call_and_all_verdicts_arrive(workspace: Workspace) -> None:
    def work(number: int) -> None:
        workspace.case_rows(ALL, workspace.case_keys(ALL))
        workspace.run_view(ALL)
        workspace.note("kb42", "ok", f"note {number}")

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(work, range(60)))
    assert len(workspace.case_detail(ALL, "ok").events) == 60


def test_a_closed_workspace_opens_again(workspace: Workspace) -> None:
    workspace.close()
    assert workspace.find_run(None).id == "kb42"


def test_a_database_removed_under_us_is_told_and_nothing_goes_to_the_removed_file(
    workspace: Workspace, tmp_path: Path
) -> None:
    assert workspace.find_run(None)
    for path in tmp_path.glob("triage.db*"):
        if path.is_file():
            path.unlink()
    with pytest.raises(TriageError, match="the database is gone"):
        workspace.tag("kb42", ["rank"], "ranking")
    assert not (tmp_path / "triage.db").exists()


def test_a_cancelled_load_leaves_nothing(
    open_workspace: Open, make: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("triage.ingest.load.PAUSE", 0.0)
    path = make.file(tmp_path / "big.jsonl", [make.case(f"c{number}") for number in range(5000)])
    cancel = threading.Event()
    workspace = open_workspace()
    with pytest.raises(TriageError, match="interrupted"):
        workspace.ingest([path], progress=lambda progress: cancel.set(), cancel=cancel)
    assert workspace.runs() == []
    assert workspace.ingest([path])[0].records == 5000


def test_problems_and_warnings_are_kept(workspace: Workspace, make: Any, tmp_path: Path) -> None:
    path = make.file(
        tmp_path / "p.jsonl", [make.case("a", answerable="maybe"), {"query": "no id"}], {"id": "p"}
    )
    (report,) = workspace.ingest([path])
    assert (report.records, report.rejected) == (1, 1)
    assert tuple(workspace.problems("p")) == report.problems
    assert tuple(workspace.warnings("p")) == report.warnings
    assert workspace.case_detail(Scope("p"), "a").problems[0].field == "answerable"


def test_an_export_without_a_target_is_handed_over(workspace: Workspace) -> None:
    workspace.tag("kb42", ["rank", "ok"], "ranking")
    report = workspace.export(Scope("kb42", text="is:tagged"), "csv")
    assert report.cases == 2
    assert report.content.count(b"\r\n") == 3
    assert report.target is None


def test_a_verdict_waits_for_a_lock_and_then_succeeds(workspace: Workspace) -> None:
    import sqlite3

    other = sqlite3.connect(workspace.database, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    timer = threading.Timer(1.0, lambda: other.execute("COMMIT"))
    timer.start()
    workspace.tag("kb42", ["rank"], "ranking")
    timer.join()
    other.close()
    assert review(workspace, "rank").verdict == "ranking"
