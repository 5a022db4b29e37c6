"""What a run is, which runs belong together, and which one another is compared with."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.errors import TriageError
from triage.models.run import LoadOptions
from triage.store import Store
from triage.store.identity import file_run_id
from triage.store.times import normal


def names(kit, prefix: str, count: int, start: int = 0):
    return [kit.record(f"{prefix}{number}") for number in range(start, start + count)]


def load(store: Store, kit, run_id: str, day: int, records=None, **header: object):
    return kit.load(
        store, records if records is not None else [kit.record("a")], run_id=run_id,
        path=f"/data/{run_id}.jsonl",
        created_at=f"2026-11-{day:02d}T08:00:00+08:00", **header,
    ).run  # fmt: skip


def test_a_header_id_names_the_run_from_whatever_path(store: Store, kit) -> None:
    first = kit.load(store, [kit.record("a")], run_id="night", path="/one/x.jsonl", sha256="1").run
    second = kit.load(store, [kit.record("a")], run_id="night", path="/two/y.jsonl", sha256="2").run
    assert [(run.id, run.revision, run.path) for run in (first, second)] == [
        ("night", 1, "/one/x.jsonl"), ("night", 2, "/two/y.jsonl"),
    ]  # fmt: skip
    assert len(store.runs()) == 1


def test_without_an_id_the_path_names_the_run_and_its_folder_tells_two_apart(store: Store, kit) -> None:
    paths = [
        "/a/results.jsonl",
        "/b/results.jsonl",
        "/c/b/results.json.gz",
        "/a/results.jsonl",
        "/b/results.jsonl",
    ]
    runs = [kit.load(store, [kit.record("a")], run_id=None, path=path, sha256=path).run for path in paths]
    assert [(run.id, run.revision) for run in runs] == [
        ("results", 1), ("b/results", 1), ("c/b/results", 1), ("results", 2), ("b/results", 2),
    ]  # fmt: skip


def test_a_name_that_a_header_took_is_not_given_to_a_path(store: Store, kit) -> None:
    kit.load(store, [kit.record("a")], run_id="results", path="/x.jsonl")
    kit.load(store, [kit.record("a")], run_id="a/results", path="/y.jsonl")
    run = kit.load(store, [kit.record("a")], run_id=None, path="/a/results.jsonl").run
    assert run.id == "results-2"


def test_another_file_does_not_inherit_the_reviews_of_a_removed_one(store: Store, kit) -> None:
    from triage.store import Act

    run = kit.load(store, [kit.record("a")], run_id=None, path="/a/results.jsonl").run
    store.add_events(run, [Act("a", "verdict", "other")], kit.who())
    store.remove([run.id])
    other = kit.load(store, [kit.record("a")], run_id=None, path="/b/results.jsonl").run
    assert (other.id, store.review(other, "a")) == ("b/results", None)
    back = kit.load(store, [kit.record("a")], run_id=None, path="/a/results.jsonl").run
    assert back.id == "results" and store.review(back, "a") is not None


@pytest.mark.parametrize(
    ("path", "name"),
    [("/x/run.jsonl", "run"), ("/x/run.jsonl.gz", "run"), ("/x/a.b.json", "a.b"), ("/x/RUN.JSON", "RUN"),
     ("/x/.json", ".json"), ("/x/plain", "plain")],
)  # fmt: skip
def test_a_runs_id_is_its_files_name_without_its_endings(path: str, name: str) -> None:
    assert file_run_id(Path(path)) == name


def test_the_same_file_is_known_by_its_path_and_a_copy_by_its_headers_id(store: Store, kit) -> None:
    kit.load(store, [kit.record("a")], run_id="night", path="/one/x.jsonl", sha256="111")
    kit.load(store, [kit.record("a")], run_id=None, path="/two/y.jsonl", sha256="222")
    known = store.find_file(Path("/one/x.jsonl"), "111")
    assert known is not None
    assert (known.run_id, known.number, known.sha256, known.named, known.options) == (
        "night", 1, "111", True, LoadOptions(),
    )  # fmt: skip
    copy, other = store.find_file(Path("/copy.jsonl"), "111"), store.find_file(Path("/two/y.jsonl"), "999")
    assert copy is not None and copy.run_id == "night"
    assert other is not None and (other.run_id, other.sha256) == ("y", "222")
    assert store.find_file(Path("/copy.jsonl"), "222") is None
    assert store.find_file(Path("/two/y.jsonl")) is not None
    store.remove(["night"])
    assert store.find_file(Path("/one/x.jsonl"), "111") is None


def test_bytes_of_an_older_revision_are_a_change(store: Store, kit) -> None:
    for sha256 in "12":
        kit.load(store, [kit.record("a")], run_id="night", path="/one/x.jsonl", sha256=sha256)
    known = store.find_file(Path("/one/x.jsonl"), "1")
    assert known is not None and known.sha256 == "2"


def test_runs_come_newest_first_by_creation(store: Store, kit) -> None:
    for run_id, day in (("b", 2), ("c", 3), ("a", 1)):
        load(store, kit, run_id, day)
    assert [run.id for run in store.runs()] == ["c", "b", "a"]
    newest = store.newest()
    assert newest is not None and (newest.id, newest.created_at) == ("c", "2026-11-03T00:00:00.000000+00:00")


def test_runs_of_one_dataset_belong_together_and_the_newest_earlier_one_is_the_baseline(
    store: Store, kit
) -> None:
    for run_id, day, dataset in (("a", 1, "x"), ("b", 2, "y"), ("c", 3, "x"), ("d", 4, "x")):
        load(store, kit, run_id, day, dataset={"name": dataset})
    assert {run.id: run.baseline for run in store.runs()} == {"a": None, "b": None, "c": "a", "d": "c"}
    assert store.earlier_runs("d") == ["c", "a"]


@pytest.mark.parametrize(("shared", "together"), [(5, True), (4, False)])
def test_without_a_name_half_of_the_smaller_runs_cases_make_one_test_set(
    store: Store, kit, shared: int, together: bool
) -> None:
    load(store, kit, "big", 1, names(kit, "case", 30), dataset={"name": "x"})
    load(store, kit, "small", 2, names(kit, "case", shared) + names(kit, "other", 10 - shared))
    assert store.earlier_runs("small") == (["big"] if together else [])
    load(store, kit, "named", 3, names(kit, "case", 30), dataset={"name": "y"})
    assert store.earlier_runs("named") == (["small"] if together else [])


def test_an_empty_run_belongs_to_no_other(store: Store, kit) -> None:
    load(store, kit, "a", 1, [])
    load(store, kit, "b", 2, [])
    assert store.earlier_runs("b") == []


def test_a_chosen_baseline_goes_before_the_headers_the_pinned_and_the_default_one(store: Store, kit) -> None:
    for run_id, day in (("a", 1), ("b", 2), ("c", 3)):
        load(store, kit, run_id, day, dataset={"name": "x"})
    load(store, kit, "d", 4, dataset={"name": "x"}, baseline="a")
    load(store, kit, "e", 5, dataset={"name": "x"}, baseline="not loaded")

    def baselines() -> dict[str, str | None]:
        return {run.id: run.baseline for run in store.runs()}

    assert baselines() == {"a": None, "b": "a", "c": "b", "d": "a", "e": "d"}
    store.pin_baseline("b")
    assert baselines() == {"a": "b", "b": "a", "c": "b", "d": "a", "e": "b"}
    store.set_baseline("d", "c")
    assert baselines()["d"] == "c"
    store.remove(["c"])
    assert baselines()["d"] == "a"
    store.set_baseline("e", "a")
    store.set_baseline("e", None)
    assert baselines()["e"] == "b"


def test_a_run_that_is_not_loaded_is_told_and_nothing_is_changed(store: Store, kit) -> None:
    load(store, kit, "a", 1)
    for change in (
        lambda: store.set_baseline("a", "nowhere"), lambda: store.set_baseline("nowhere", "a"),
        lambda: store.pin_baseline("nowhere"), lambda: store.remove(["a", "nowhere"]),
    ):  # fmt: skip
        with pytest.raises(TriageError, match="no such run: nowhere"):
            change()
    with pytest.raises(TriageError, match="own baseline"):
        store.set_baseline("a", "a")
    assert [run.id for run in store.runs()] == ["a"]
    assert store.run("nowhere") is None


def test_another_connections_new_run_is_seen_as_a_baseline(store: Store, kit, another) -> None:
    other = another()
    load(store, kit, "a", 1)
    assert [run.baseline for run in other.runs()] == [None]
    load(store, kit, "b", 2)
    assert [run.baseline for run in other.runs()] == ["a", None]


@pytest.mark.parametrize(
    ("text", "stored"),
    [
        ("2026-11-28T10:00:00+08:00", "2026-11-28T02:00:00.000000+00:00"),
        ("2026-11-28T10:00:00Z", "2026-11-28T10:00:00.000000+00:00"),
        ("yesterday", None), ("", None), (None, None), ("0001-01-01T00:00:00+14:00", None),
    ],
)  # fmt: skip
def test_times_are_stored_in_utc(text: str | None, stored: str | None) -> None:
    assert normal(text) == stored
