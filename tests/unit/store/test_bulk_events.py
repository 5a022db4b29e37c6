"""Cases put off, labels added and taken, thousands at once: as events, as what they add up to, undone."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from triage.errors import TriageError
from triage.store import Act, Store, events, schema, undo

BATCHES = """
import sys
from pathlib import Path
from triage.store import Act, Store, Who
with Store(Path(sys.argv[1])) as store:
    run = store.newest()
    for number in range(4):
        who = Who("lin", "noon", f"2026-11-29T12:00:0{number}Z")
        store.add_events(run, [Act(f"C{at}", "verdict", "other") for at in range(int(sys.argv[2]))], who)
        store.undo(run, who)
        print(number, flush=True)
"""


@pytest.fixture
def run(store: Store, kit):
    return kit.load(store, [kit.record("a"), kit.missed("b"), kit.second("c")]).run


def put(store: Store, run, who, kind: str, *cases: str, **more: object):
    return store.add_events(run, [Act(case, kind, **more) for case in cases], who)


def deferred(store: Store, run, case: str) -> bool:
    review = store.review(run, case)
    return review is not None and review.deferred


def test_a_deferral_lasts_until_somebodys_verdict_and_comes_back_when_that_is_undone(
    store: Store, run, kit
) -> None:
    put(store, run, kit.who("wei"), "defer", "b")
    review = store.review(run, "b")
    assert review is not None and (review.deferred, review.verdict, review.reviewer) == (True, None, "wei")
    put(store, run, kit.who("lin"), "verdict", "b", verdict="retrieval")
    assert not deferred(store, run, "b")
    store.undo(run, kit.who("lin"))
    assert deferred(store, run, "b")
    put(store, run, kit.who("lin"), "verdict", "b", verdict="retrieval")
    put(store, run, kit.who("lin"), "clear", "b")
    assert store.review(run, "b") is None
    assert [event.kind for event in store.history("run", "b")] == [
        "defer",
        "verdict",
        "undo",
        "verdict",
        "clear",
    ]


def test_what_would_change_nothing_is_not_written(store: Store, run, kit) -> None:
    put(store, run, kit.who(), "verdict", "a", verdict="other")
    assert put(store, run, kit.who(), "defer", "a").batch == ""
    assert put(store, run, kit.who(), "undefer", "a", "b").batch == ""
    assert list(put(store, run, kit.who(), "defer", "a", "b", "c").reviews) == ["b", "c"]
    assert put(store, run, kit.who(), "defer", "b").batch == ""
    assert len(store.history("run", "a")) == 1


def test_taking_a_deferral_back_leaves_labels_and_note(store: Store, run, kit) -> None:
    put(store, run, kit.who(), "labels", "b", labels=("later-on",))
    put(store, run, kit.who("lin"), "defer", "b")
    put(store, run, kit.who("wei"), "undefer", "b")
    review = store.review(run, "b")
    assert review is not None and (review.deferred, review.labels) == (False, ("later-on",))
    store.undo(run, kit.who("wei"))
    assert deferred(store, run, "b")


def test_labels_are_added_and_taken_case_by_case_and_the_rest_stays(store: Store, run, kit) -> None:
    put(store, run, kit.who(), "labels", "a", labels=("one", "two"))
    put(store, run, kit.who(), "labels", "b", labels=("two",))
    done = put(store, run, kit.who(), "labels", "a", "b", "c", add=("three", "two"), take=("one",))
    assert {case: review.labels for case, review in done.reviews.items() if review} == {
        "a": ("two", "three"),
        "b": ("two", "three"),
        "c": ("three", "two"),
    }
    assert put(store, run, kit.who(), "labels", "a", add=("three",)).batch == ""
    store.undo(run, kit.who())
    assert [store.review(run, case) and store.review(run, case).labels for case in "abc"] == [
        ("one", "two"),
        ("two",),
        None,
    ]
    assert store.codes.on_cases("run", "abc") == {"two": 2, "one": 1}
    assert store.codes.on_cases("run", "bc") == {"two": 1}
    assert store.codes.on_cases("other", "abc") == {}


def test_a_batch_is_undone_whole_or_not_at_all_and_the_case_in_the_way_is_named(
    store: Store, run, kit
) -> None:
    put(store, run, kit.who("wei"), "verdict", "a", "b", "c", verdict="other")
    put(store, run, kit.who("lin"), "verdict", "b", verdict="ranking")
    with pytest.raises(TriageError, match="b was changed by lin"):
        store.undo(run, kit.who("wei"))
    assert [store.review(run, case).verdict for case in "ac"] == ["other", "other"]
    store.undo(run, kit.who("lin"))
    assert dict(store.undo(run, kit.who("wei")).reviews) == {"a": None, "b": None, "c": None}


def test_thousands_at_once_are_one_action_and_are_found_as_they_are_one_by_one(store: Store, kit) -> None:
    run = kit.load(store, [kit.record(f"C{at}") for at in range(1300)], run_id="many", path="/many").run
    ids = [f"C{at}" for at in range(1300)]
    done = put(store, run, kit.who(), "verdict", *ids, verdict="test-set")
    assert list(done.reviews) == ids
    assert all(store.review(run, ids[at]) == done.reviews[ids[at]] for at in (0, 499, 500, 1299))
    put(store, run, kit.who(), "clear", *ids[:700])
    assert [store.review(run, ids[at]) is None for at in (0, 699, 700)] == [True, True, False]
    store.undo(run, kit.who())
    store.undo(run, kit.who())
    assert {store.review(run, case) for case in ids} == {None}
    with pytest.raises(TriageError, match="nothing to undo"):
        store.undo(run, kit.who())


@pytest.fixture
def meanwhile(monkeypatch: pytest.MonkeyPatch, another: Callable[[], Store]) -> Callable[..., None]:
    """Lets somebody write between the reading for a write and the write."""

    def between(module: ModuleType, act: Callable[[Store], object]) -> None:
        plan, acted = module._plan, []

        def planning(*given: object):
            made = plan(*given)
            if not acted:
                acted.append(True)
                act(another())
            return made

        monkeypatch.setattr(module, "_plan", planning)

    return between


def test_what_others_write_while_a_batch_is_read_is_part_of_what_it_adds_up_to(
    store: Store, run, kit, meanwhile
) -> None:
    meanwhile(events, lambda other: put(other, run, kit.who("lin"), "verdict", "b", verdict="ranking"))
    done = put(store, run, kit.who("wei"), "verdict", "a", "b", "c", verdict="other")
    assert list(done.reviews) == ["a", "b", "c"]
    assert {case: (review.verdict, review.disputed) for case, review in done.reviews.items()} == {
        "a": ("other", False),
        "b": ("other", True),
        "c": ("other", False),
    }
    assert all(store.review(run, case) == done.reviews[case] for case in "abc")
    assert [event.reviewer for event in store.history("run", "b")] == ["lin", "wei"]


def test_a_deferral_of_a_case_that_is_judged_meanwhile_is_not_written(
    store: Store, run, kit, meanwhile
) -> None:
    meanwhile(events, lambda other: put(other, run, kit.who("lin"), "verdict", "b", verdict="ranking"))
    assert list(put(store, run, kit.who("wei"), "defer", "b", "c").reviews) == ["c"]
    assert [event.kind for event in store.history("run", "b")] == ["verdict"]


def test_an_undo_refuses_what_was_changed_while_it_was_read(store: Store, run, kit, meanwhile) -> None:
    put(store, run, kit.who("wei"), "verdict", "a", "b", verdict="other")
    meanwhile(undo, lambda other: put(other, run, kit.who("lin"), "note", "b", note="mine"))
    with pytest.raises(TriageError, match="b was changed by lin"):
        store.undo(run, kit.who("wei"))
    assert store.review(run, "a").verdict == "other" and len(store.history("run", "a")) == 1


def test_nothing_is_written_to_a_run_that_is_removed_meanwhile(store: Store, run, kit, meanwhile) -> None:
    meanwhile(events, lambda other: other.remove(["run"], with_reviews=True))
    with pytest.raises(TriageError, match="no such run"):
        put(store, run, kit.who("wei"), "verdict", "a", verdict="other")
    assert store.history("run", "a") == []


def test_a_reviewer_goes_on_beside_big_batches_and_sees_each_whole_or_not_at_all(
    store: Store, path: Path, kit
) -> None:
    size = 2000
    records = [kit.record(f"C{at}") for at in range(size)] + [kit.missed(f"mine{at}") for at in range(40)]
    run = kit.load(store, records, run_id="big", path="/big").run
    other = subprocess.Popen(
        [sys.executable, "-c", BATCHES, str(path), str(size)], stdout=subprocess.PIPE, text=True
    )
    reader = sqlite3.connect(path)
    seen = set()
    for at in range(40):
        put(store, run, kit.who(), "verdict", f"mine{at}", verdict="retrieval")
        seen.add(reader.execute("SELECT count(*) FROM reviews_now WHERE reviewer = 'lin'").fetchone()[0])
    reader.close()
    assert other.communicate()[0].split() == ["0", "1", "2", "3"] and other.returncode == 0
    assert seen <= {0, size}
    assert all(store.review(run, f"mine{at}").verdict == "retrieval" for at in range(40))
    assert len(store.history("big", "C0")) == 8


def test_reviews_of_a_database_from_before_deferral_come_along(path: Path, kit) -> None:
    older = sqlite3.connect(path, isolation_level=None)
    older.execute("BEGIN IMMEDIATE")
    schema.migrate(older, upto=3)
    older.execute(
        """INSERT INTO reviews_now (run_id, case_id, verdict, labels, note, reviewer, at, disputed, hash_case,
            hash_answer, hash_retrieved)
            VALUES ('run', 'b', 'ranking', '["one"]', 'n', 'wei', 't', 0, '', '', '')"""
    )
    older.execute("COMMIT")
    older.close()
    with Store(path) as store:
        run = kit.load(store, [kit.missed("b"), kit.record("c")]).run
        review = store.review(run, "b")
        assert review is not None
        assert (review.verdict, review.labels, review.note, review.deferred) == (
            "ranking",
            ("one",),
            "n",
            False,
        )
        put(store, run, kit.who(), "defer", "c")
        assert deferred(store, run, "c")
    assert path.with_name("triage.db.schema3.backup").exists()
