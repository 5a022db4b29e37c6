"""Verdicts, labels and notes: appended, never lost, and added up as the rule says."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.errors import Busy, TriageError
from triage.models.query import Scope
from triage.models.verdict import NOTE_LIMIT
from triage.store import Act, Store
from triage.store.filter import Where

REVIEWING = Path(__file__).with_name("reviewing.py")
EVERY = Where()


@pytest.fixture
def run(store: Store, kit):
    return kit.load(store, [kit.record("a"), kit.missed("b"), kit.second("c")], dataset={"name": "set"}).run


def tag(store: Store, run, who, case_id: str, verdict: str, **words: object):
    return store.add_events(run, [Act(case_id, "verdict", verdict, **words)], who).reviews[case_id]


def reviewing(path: Path, reviewer: str, count: int, verdict: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(REVIEWING), str(path), reviewer, str(count), verdict],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(REVIEWING.parents[3])},
    )  # fmt: skip


def test_a_verdict_is_seen_by_another_connection_at_once(
    store: Store, run, kit, another: Callable[[], Store]
) -> None:
    other = another()
    assert other.review(run, "b") is None
    tag(store, run, kit.who(), "b", "retrieval", labels=("stale-doc",), note="KB was rebuilt")
    review = other.review(run, "b")
    assert review is not None
    assert (review.verdict, review.labels, review.note, review.reviewer) == (
        "retrieval", ("stale-doc",), "KB was rebuilt", "wei",
    )  # fmt: skip
    assert (review.stale, review.disputed) == (False, False)


def test_the_whole_history_is_kept_newest_last(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    tag(store, run, kit.who(), "b", "ranking")
    store.add_events(run, [Act("b", "note", note="second thoughts")], kit.who())
    store.add_events(run, [Act("b", "clear")], kit.who())
    events = store.history("run", "b")
    assert [event.kind for event in events] == ["verdict", "verdict", "note", "clear"]
    assert [event.verdict for event in events] == ["retrieval", "ranking", None, None]
    assert {(event.dataset, event.run_id, event.revision, event.reviewer) for event in events} == {
        ("set", "run", 1, "wei")
    }
    review = store.review(run, "b")
    assert review is not None and (review.verdict, review.note) == (None, "second thoughts")


def test_events_cannot_be_changed(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    with pytest.raises(sqlite3.IntegrityError, match="append-only"), store.write() as sql:
        sql.execute("UPDATE events SET verdict = 'other'")


def test_reviewers_who_agree_settle_and_who_differ_dispute(store: Store, run, kit) -> None:
    assert tag(store, run, kit.who("wei"), "b", "retrieval").disputed is False
    review = tag(store, run, kit.who("lin"), "b", "ranking")
    assert (review.verdict, review.disputed, review.reviewer) == ("ranking", True, "lin")
    review = tag(store, run, kit.who("wei"), "b", "ranking")
    assert (review.verdict, review.disputed, review.reviewer) == ("ranking", False, "wei")
    tag(store, run, kit.who("wei"), "b", "other")
    review = store.add_events(run, [Act("b", "clear")], kit.who("wei")).reviews["b"]
    assert (review.verdict, review.disputed, review.reviewer) == ("ranking", False, "lin")


def test_clearing_takes_back_ones_own_verdict_and_nothing_else(store: Store, run, kit) -> None:
    tag(store, run, kit.who("lin"), "b", "ranking")
    nothing = store.add_events(run, [Act("b", "clear"), Act("a", "clear")], kit.who("wei"))
    assert (nothing.batch, nothing.reviews) == ("", {})
    assert len(store.history("run", "b")) == 1
    assert store.add_events(run, [Act("b", "clear")], kit.who("lin")).reviews == {"b": None}
    assert store.review(run, "b") is None


def test_an_empty_note_and_no_labels_take_the_old_ones_away(store: Store, run, kit) -> None:
    store.add_events(run, [Act("b", "note", note="x"), Act("b", "labels", labels=("one", "two"))], kit.who())
    review = store.review(run, "b")
    assert review is not None and (review.verdict, review.labels, review.note) == (None, ("one", "two"), "x")
    assert store.codes.uses() == {"one": {"run": 1}, "two": {"run": 1}}
    store.add_events(run, [Act("b", "note", note=""), Act("b", "labels", labels=())], kit.who())
    assert store.review(run, "b") is None


def test_a_note_holds_64_kb_and_no_more(store: Store, run, kit) -> None:
    longest = "字" * (NOTE_LIMIT // 3) + "x" * (NOTE_LIMIT % 3)
    store.add_events(run, [Act("b", "note", note=longest)], kit.who())
    review = store.review(run, "b")
    assert review is not None and review.note == longest
    with pytest.raises(TriageError, match="too long"):
        store.add_events(run, [Act("b", "note", note=longest + "x")], kit.who())


def test_text_that_no_database_holds_is_kept_readable(store: Store, run, kit) -> None:
    store.add_events(
        run, [Act("b", "note", note="\ud83d \x00 \x1b[2J '); DROP TABLE events;--")], kit.who("w\ud800")
    )
    review = store.review(run, "b")
    assert review is not None
    assert (review.note, review.reviewer) == ("\\ud83d \x00 \x1b[2J '); DROP TABLE events;--", "w\\ud800")


def test_one_wrong_case_or_verdict_and_nothing_is_written(store: Store, run, kit) -> None:
    with pytest.raises(TriageError, match="no such case"):
        store.add_events(run, [Act("b", "verdict", "other"), Act("nowhere", "verdict", "other")], kit.who())
    with pytest.raises(TriageError, match="no such verdict"):
        store.add_events(run, [Act("b", "verdict", "wrong")], kit.who())
    assert store.history("run", "b") == []
    assert store.review(run, "b") is None


def test_undo_takes_back_a_batch_and_redo_brings_it_back(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "a", "not-a-failure", note="fine")
    store.add_events(run, [Act(case_id, "verdict", "other", note="all") for case_id in "abc"], kit.who())
    undone = store.undo(run, kit.who())
    assert undone.kind == "verdict"
    left = {case_id: review and (review.verdict, review.note) for case_id, review in undone.reviews.items()}
    assert left == {
        "a": ("not-a-failure", "fine"), "b": None, "c": None,
    }  # fmt: skip
    assert [event.undone for event in store.history("run", "a")] == [False, True, False]
    assert store.undo(run, kit.who()).reviews == {"a": None}
    with pytest.raises(TriageError, match="nothing to undo"):
        store.undo(run, kit.who())
    assert store.redo(run, kit.who()).reviews["a"].verdict == "not-a-failure"
    assert [review.verdict for review in store.redo(run, kit.who()).reviews.values()] == ["other"] * 3
    with pytest.raises(TriageError, match="nothing to redo"):
        store.redo(run, kit.who())
    assert [event.kind for event in store.history("run", "b")] == ["verdict", "undo", "redo"]


def test_a_new_action_ends_what_can_be_redone(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "a", "other")
    store.undo(run, kit.who())
    tag(store, run, kit.who(), "b", "retrieval")
    with pytest.raises(TriageError, match="nothing to redo"):
        store.redo(run, kit.who())
    assert store.undo(run, kit.who()).reviews == {"b": None}
    with pytest.raises(TriageError, match="nothing to undo"):
        store.undo(run, kit.who())


def test_undo_reaches_ones_own_sitting_and_run_only(store: Store, run, kit) -> None:
    other = kit.load(store, [kit.record("a")], run_id="other").run
    tag(store, run, kit.who("wei", "morning"), "a", "other")
    for who, where in (
        (kit.who("wei", "evening"), run),
        (kit.who("lin", "morning"), run),
        (kit.who(), other),
    ):
        with pytest.raises(TriageError, match="nothing to undo"):
            store.undo(where, who)


def test_undo_and_redo_refuse_where_somebody_else_has_changed_the_case_since(store: Store, run, kit) -> None:
    store.add_events(run, [Act(case_id, "verdict", "other") for case_id in "ab"], kit.who("wei"))
    tag(store, run, kit.who("lin"), "b", "retrieval")
    with pytest.raises(TriageError, match=r"cannot undo: b was changed by lin since"):
        store.undo(run, kit.who("wei"))
    assert [len(store.history("run", case_id)) for case_id in "ab"] == [1, 2]
    store.undo(run, kit.who("lin"))
    store.undo(run, kit.who("wei"))
    store.add_events(run, [Act("a", "note", note="mine")], kit.who("wei", "another sitting"))
    with pytest.raises(TriageError, match="wei in another window"):
        store.redo(run, kit.who("wei"))


def test_undo_after_a_reload_finds_the_same_action(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    again = kit.load(store, [kit.record("a"), kit.missed("b")], sha256="new").run
    assert again.revision == 2
    assert store.undo(again, kit.who()).reviews == {"b": None}


@pytest.mark.parametrize(
    ("change", "stale"),
    [
        ({}, False), ({"query": "asked otherwise"}, True), ({"expected_ids": ["KB-2"]}, True),
        ({"answer": "Eight days."}, True), ({"retrieved": [{"id": "KB-8"}]}, True), ({"topic": "refund"},
        False),
        ({"retrieved": [{"id": "KB-9", "text": "the same id, another text"}]}, False),
    ],
)  # fmt: skip
def test_a_verdict_holds_in_a_new_revision_and_is_stale_where_the_record_changed(
    store: Store, run, kit, change: dict[str, object], stale: bool
) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    loaded = kit.load(store, [kit.missed("b", **change)], sha256="new")
    review = store.rows(loaded.run, loaded.view, store.keys(loaded.run, loaded.view, Scope("run"), EVERY))[
        0
    ].review
    assert review is not None and (review.verdict, review.stale) == ("retrieval", stale)
    assert store.review(loaded.run, "b") == review
    assert tag(store, loaded.run, kit.who(), "b", "other").stale is False


def test_a_later_run_shows_the_verdict_as_before_and_an_earlier_one_does_not(store: Store, kit) -> None:
    def load(run_id: str, day: int, name: str | None = "set"):
        return kit.load(
            store, [kit.missed("b")], run_id=run_id, path=f"/data/{run_id}", dataset={"name": name},
            created_at=f"2026-11-{day:02d}T00:00:00Z",
        )  # fmt: skip

    runs = {name: load(name, day) for name, day in (("one", 1), ("two", 2), ("three", 3))}
    stranger = load("stranger", 4, "another set")
    tag(store, runs["two"].run, kit.who(at="2026-11-29T10:00:00.000000+00:00"), "b", "ranking")

    def before(loaded) -> str | None:
        key = store.pk_of(loaded.run.pk, "b")
        return store.rows(loaded.run, loaded.view, [key])[0].before

    assert [before(each) for each in (*runs.values(), stranger)] == [None, None, "ranking", None]
    tag(store, runs["one"].run, kit.who(at="2026-11-29T11:00:00.000000+00:00"), "b", "other")
    assert [before(each) for each in runs.values()] == [None, "other", "other"]
    key = store.pk_of(runs["two"].run.pk, "b")
    parts = store.detail_parts(runs["two"].run, runs["two"].view, key)
    assert [(each.run, each.review and each.review.verdict) for each in parts.earlier] == [
        ("three", None), ("one", "other"),
    ]  # fmt: skip
    assert {(each.failing, each.failure_class, each.reason, each.first_rank) for each in parts.earlier} == {
        (True, "retrieval", "expected_missing_from_topk", None)
    }


def test_removing_a_run_keeps_its_reviews_and_loading_it_again_brings_them_back(
    store: Store, run, kit
) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    store.remove(["run"])
    assert store.run("run") is None
    again = kit.load(store, [kit.missed("b")]).run
    review = store.review(again, "b")
    assert review is not None and (review.verdict, again.revision) == ("retrieval", 2)


def test_removing_a_run_with_its_reviews_forgets_them(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    store.save_draft("wei", "run", "b", "half")
    store.remove(["run"], with_reviews=True)
    again = kit.load(store, [kit.missed("b")]).run
    assert (store.review(again, "b"), store.history("run", "b"), again.revision) == (None, [], 1)
    assert store.draft("wei", "run", "b") is None


def test_what_was_acknowledged_survives_the_kill_of_its_process(store: Store, path: Path, kit) -> None:
    run = kit.load(store, [kit.record(f"C{number}") for number in range(3000)]).run
    process = reviewing(path, "wei", 3000, "other")
    assert process.stdout is not None
    for _ in range(40):
        last = int(process.stdout.readline())
    os.kill(process.pid, signal.SIGKILL)
    last = max([last, *(int(line) for line in process.stdout.read().split("\n")[:-1])])
    process.wait()
    found = [store.review(run, f"C{number}") for number in range(last + 1)]
    assert [review and review.verdict for review in found] == ["other"] * (last + 1)


def test_two_processes_that_tag_at_once_lose_nothing(store: Store, path: Path, kit) -> None:
    run = kit.load(store, [kit.record(f"C{number}") for number in range(150)]).run
    taggers = [
        reviewing(path, name, 150, verdict) for name, verdict in (("wei", "other"), ("lin", "ranking"))
    ]
    assert [process.wait() for process in taggers] == [0, 0]
    histories = [store.history("run", f"C{number}") for number in range(150)]
    assert {len(history) for history in histories} == {2}
    assert all(store.review(run, f"C{number}").disputed for number in range(150))


def test_a_tag_that_found_the_database_held_can_be_given_again(store: Store, run, path: Path, kit) -> None:
    other = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    with Store(path, busy_seconds=0.2) as impatient, pytest.raises(Busy):
        tag(impatient, run, kit.who(), "b", "retrieval")
    release = threading.Timer(0.3, lambda: other.execute("ROLLBACK"))
    release.start()
    assert tag(store, run, kit.who(), "b", "retrieval").verdict == "retrieval"
    release.join()
    other.close()
    assert len(store.history("run", "b")) == 1


def test_review_writes_reach_the_disk_before_they_return(store: Store, run, kit) -> None:
    tag(store, run, kit.who(), "b", "retrieval")
    # 2 = FULL: the log is synced at every commit, where bulk loading leaves it to the checkpoint.
    assert store._sql.execute("PRAGMA synchronous").fetchone() == (2,)
    store.set_state("x", 1)
    assert store._sql.execute("PRAGMA synchronous").fetchone() == (1,)
