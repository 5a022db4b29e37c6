"""Which folders a workspace follows, and what a file that came brings."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.formats import load_options
from triage.ingest.watch import FileChange
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.workspace import Workspace

Open = Callable[..., Workspace]
NOTHING = LoadOptions()


def places(workspace: Workspace) -> list[tuple[Path, bool, bool]]:
    return [(place.path, place.deep, place.old) for place in workspace.following.places(())]


def test_without_a_path_the_folders_that_were_given_are_followed(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    (tmp_path / "runs").mkdir()
    make.file(tmp_path / "runs" / "a.jsonl", [make.case("x")])
    workspace = open_workspace()
    assert workspace.following.places(()) == []
    workspace.ingest([tmp_path / "runs"])
    workspace.ingest([tmp_path / "runs"])
    assert places(open_workspace()) == [(tmp_path / "runs", True, True)]


def test_beside_a_run_that_was_given_as_a_file_what_comes_anew_is_followed(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
        make.file(tmp_path / name / "a.jsonl", [make.case("x")], {"id": name})
    workspace = open_workspace()
    workspace.ingest([tmp_path / "one" / "a.jsonl"])
    workspace.ingest([tmp_path / "two"])
    assert places(workspace) == [(tmp_path / "two", True, True), (tmp_path / "one", False, False)]


def test_what_is_given_is_what_is_followed(tmp_path: Path, workspace: Workspace) -> None:
    given = [tmp_path / "x", tmp_path / "y.jsonl"]
    assert [place.path for place in workspace.following.places(given)] == given
    both = [place.path for place in workspace.following.places((), given)]
    assert both == [*given, tmp_path]


def test_following_can_be_switched_off(tmp_path: Path, workspace: Workspace) -> None:
    workspace.settings = Settings(watch="off")
    assert workspace.following.watcher(workspace.following.places(()), lambda event: None) is None


def test_a_new_run_says_what_moved_against_its_baseline(
    tmp_path: Path, workspace: Workspace, make: Any
) -> None:
    cases = [dict(case) for case in make.cases]
    cases[0] = make.case("ok", **make.missed)
    cases[1] = make.case("rank")
    path = make.file(tmp_path / "kb43.jsonl", cases, {"id": "kb43", "created_at": "2026-11-29T00:00:00Z"})
    arrival = workspace.following.load(path, NOTHING)
    news = arrival.news
    assert arrival.report.status == "loaded" and news is not None
    assert (news.run.id, news.against, news.broke, news.fixed) == ("kb43", "kb42", 1, 1)
    assert news.cases == len(cases) and news.failing == workspace.run_view(Scope("kb43")).failing
    moved = {one.key: (round(one.delta, 3), one.better) for one in news.moved}
    assert moved["hit"][1] is False and "recall" in moved
    assert not any(abs(one.delta) < 1e-9 for one in news.moved)


def test_a_first_run_has_nothing_to_be_held_against(tmp_path: Path, open_workspace: Open, make: Any) -> None:
    path = make.file(tmp_path / "kb42.jsonl", make.cases)
    news = open_workspace().following.load(path, NOTHING).news
    assert news is not None and (news.against, news.moved, news.broke) == (None, (), 0)


def revisions(database: Path, run: str) -> list[tuple[int, int]]:
    with sqlite3.connect(database) as sql:
        return sql.execute(
            """SELECT v.number, v.records FROM revisions v JOIN runs r ON r.pk = v.run_pk
                WHERE r.run_id = ? AND v.done = 1 ORDER BY v.number""",
            (run,),
        ).fetchall()


@pytest.mark.parametrize("header", [None, {"id": "live"}])
def test_a_file_that_grows_is_one_revision_with_more_cases(
    tmp_path: Path, open_workspace: Open, make: Any, header: dict[str, Any] | None
) -> None:
    workspace = open_workspace()
    path = make.file(tmp_path / "live.jsonl", [make.case("c0")], header)
    assert workspace.following.load(path, NOTHING).report.status == "loaded"
    workspace.tag("live", ["c0"], "other", note="seen")
    workspace.save_draft("live", "c0", "half a thought")
    for number in range(1, 5):
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(make.case(f"c{number}")) + "\n")
        report = workspace.following.load(path, NOTHING).report
        assert (report.status, report.grown, report.revision) == ("updated", True, 1)
        assert report.records == number + 1
    assert revisions(tmp_path / "triage.db", "live") == [(1, 5)]
    detail = workspace.case_detail(Scope("live"), "c0")
    assert detail.row.review is not None and not detail.row.review.stale
    assert detail.row.review.note == "seen" and workspace.draft("live", "c0") == "half a thought"
    workspace.ingest([path])
    with sqlite3.connect(tmp_path / "triage.db") as sql:
        assert sql.execute("SELECT count(*) FROM cases").fetchone() == (5,)
        assert sql.execute("SELECT count(*) FROM revisions").fetchone() == (1,)


def test_a_file_that_changed_anywhere_else_is_the_next_revision(
    tmp_path: Path, workspace: Workspace, make: Any
) -> None:
    path = tmp_path / "kb42.jsonl"
    workspace.tag("kb42", ["rank"], "ranking")
    header = {"id": "kb42", "created_at": "2026-11-28T00:00:00Z"}
    changed = [make.case("rank"), *make.cases[2:], make.case("more")]
    report = workspace.following.load(make.file(path, changed, header), NOTHING).report
    assert (report.status, report.grown, report.revision) == ("updated", False, 2)
    review = workspace.case_detail(Scope("kb42"), "rank").row.review
    assert review is not None and review.verdict == "ranking" and review.stale
    again = workspace.following.load(make.file(path, [*changed, make.case("last")], header), NOTHING).report
    assert (again.grown, again.revision) == (True, 2)
    assert [number for number, _ in revisions(tmp_path / "triage.db", "kb42")] == [1, 2]


def test_what_a_command_loads_is_the_next_revision_even_where_it_only_got_longer(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    workspace = open_workspace()
    workspace.ingest([make.file(tmp_path / "a.jsonl", [make.case("x")])])
    report = workspace.ingest([make.file(tmp_path / "a.jsonl", [make.case("x"), make.case("y")])])[0]
    assert (report.status, report.revision) == ("updated", 2)


def test_a_half_line_that_was_taken_as_it_was_grows_into_its_record(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    workspace = open_workspace()
    path = make.file(tmp_path / "a.jsonl", [make.case("x"), make.case("y")])
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])
    report = workspace.following.load(path, NOTHING).report
    assert (report.records, report.rejected) == (1, 1)
    path.write_bytes(whole)
    report = workspace.following.load(path, NOTHING).report
    assert (report.records, report.rejected, report.revision) == (2, 0, 1)


@pytest.mark.parametrize("left", ["{", "", "no json at all\n"])
def test_a_file_that_turns_invalid_leaves_the_last_good_data(
    tmp_path: Path, workspace: Workspace, make: Any, left: str
) -> None:
    workspace.tag("kb42", ["rank"], "ranking")
    before = workspace.run_view(Scope("kb42"))
    (tmp_path / "kb42.jsonl").write_text(left)
    arrival = workspace.following.load(tmp_path / "kb42.jsonl", NOTHING)
    assert arrival.report.status == "failed" and arrival.expected and arrival.news is None
    (tmp_path / "kb42.jsonl").unlink()
    assert workspace.following.load(tmp_path / "kb42.jsonl", NOTHING).report.status == "failed"
    assert workspace.run_view(Scope("kb42")) == before
    assert [run.id for run in workspace.runs()] == ["kb42"]


def test_a_file_is_read_again_as_it_was_read_before(tmp_path: Path, open_workspace: Open, make: Any) -> None:
    workspace = open_workspace()
    path = make.file(tmp_path / "a.jsonl", [make.case("x", labels={"pass": False})])
    workspace.ingest([path], load_options(["passed=labels.pass"], ["k=1"]))
    make.file(path, [make.case("x", labels={"pass": False}), make.case("y", labels={"pass": True})])
    assert workspace.following.load(path, NOTHING).report.grown
    run = workspace.find_run("a")
    assert run.k == 1
    assert workspace.run_view(Scope("a")).metrics["runner_pass_rate"].value == 0.5


def test_a_file_of_a_removed_run_does_not_come_back_by_itself(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    workspace = open_workspace()
    (tmp_path / "runs").mkdir()
    for name in ("a", "b"):
        make.file(tmp_path / "runs" / f"{name}.jsonl", [make.case("x")], {"id": name})
    workspace.ingest([tmp_path / "runs"])
    workspace.remove(["a"])
    make.file(tmp_path / "runs" / "c.jsonl", [make.case("x")], {"id": "c"})
    told: list[str] = []

    def heard(event: Any) -> None:
        if isinstance(event, FileChange):
            told.append(event.path.name)
            watcher.stop()

    watcher = workspace.following.watcher(workspace.following.places(()), heard)
    assert watcher is not None
    watcher.run()
    assert told == ["c.jsonl"]


def test_a_list_that_was_exported_into_the_folder_is_no_run_that_came(
    tmp_path: Path, workspace: Workspace
) -> None:
    workspace.tag("kb42", ["rank"], "ranking")
    target = tmp_path / "tagged.jsonl"
    workspace.export(Scope("kb42", text="is:tagged"), "jsonl", target)
    arrival = workspace.following.load(target, NOTHING)
    assert arrival.news is None and [run.id for run in workspace.runs()] == ["kb42"]
    assert workspace.ingest([target])[0].status in ("loaded", "updated", "unchanged")


def test_a_run_follows_its_file_to_another_name(tmp_path: Path, workspace: Workspace) -> None:
    new = tmp_path / "renamed.jsonl"
    (tmp_path / "kb42.jsonl").rename(new)
    arrival = workspace.following.load(new, NOTHING)
    assert (arrival.report.status, arrival.moved) == ("unchanged", True)
    run = workspace.find_run("kb42")
    assert (run.path, run.revision) == (str(new), 1)
    assert workspace.following.load(new, NOTHING).moved is False


def test_what_another_process_loaded_first_is_news_all_the_same(
    tmp_path: Path, open_workspace: Open, make: Any
) -> None:
    mine, theirs = open_workspace(), open_workspace()
    path = tmp_path / "a.jsonl"
    make.file(tmp_path / "old.jsonl", [make.case("x")], {"id": "old"})
    mine.ingest([tmp_path / "old.jsonl"])
    assert mine.following.watcher(mine.following.places([tmp_path]), lambda event: None) is not None
    make.file(path, [make.case("x")], {"id": "a"})
    theirs.ingest([path])
    came = mine.following.load(path, NOTHING)
    assert came.news is not None and (came.report.status, came.report.run) == ("loaded", "a")
    again = mine.following.load(path, NOTHING)
    assert again.news is None and again.report.status == "unchanged"
    make.file(path, [make.case("x"), make.case("y")], {"id": "a"})
    theirs.following.load(path, NOTHING)
    grew = mine.following.load(path, NOTHING).report
    assert (grew.status, grew.grown, grew.records, grew.revision) == ("updated", True, 2, 1)
    make.file(path, [make.case("z")], {"id": "a"})
    theirs.following.load(path, NOTHING)
    other = mine.following.load(path, NOTHING).report
    assert (other.status, other.grown, other.records, other.revision) == ("updated", False, 1, 2)


def test_what_was_loaded_by_request_is_no_news(tmp_path: Path, open_workspace: Open, make: Any) -> None:
    mine = open_workspace()
    path = tmp_path / "a.jsonl"
    mine.following.watcher(mine.following.places([tmp_path]), lambda event: None)
    make.file(path, [make.case("x")], {"id": "a"})
    mine.ingest([path])
    assert mine.following.load(path, NOTHING).news is None
