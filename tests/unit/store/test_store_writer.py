"""Runs on their way in: seen whole or not at all, whatever happens to the writer."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.models.query import Scope
from triage.models.run import LoadOptions, Problem
from triage.store import Act, Store
from triage.store.filter import Where

LOADING = Path(__file__).with_name("loading.py")
ROOT = LOADING.parents[3]
EVERY = Where()


def loading(
    path: Path, run_id: str, batches: int, pause: float = 0, *, finish: bool = True
) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(LOADING), str(path), run_id, str(batches), str(pause),
        "finish" if finish else "hang"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip


def said(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def rows_left(path: Path) -> dict[str, int]:
    sql = sqlite3.connect(path)
    tables = (
        "cases",
        "texts",
        "records",
        "measures",
        "findings",
        "problems",
        "revisions",
        "views",
        "extra_keys",
    )
    left = {table: sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0] for table in tables}
    sql.close()
    return {table: count for table, count in left.items() if count}


def begin(store: Store, **words: object):
    plain = {
        "path": Path("/data/run.jsonl"), "format": "jsonl", "sha256": "s", "size": 1,
        "mtime_ns": 1_000_000_000,
        "options": LoadOptions(),
    }  # fmt: skip
    return store.begin(**{**plain, **words})


def finish(writer, records: int, run_id: str | None = "run", k: int = 3, **header: object):
    from triage.models.record import RunHeader

    said = RunHeader.model_validate({"id": run_id, "k": k, **header})
    return writer.finish(
        run_id=run_id, header=said, k=k, warnings=("a warning",), records=records, rejected=2, run_cites=True
    )


def test_nobody_sees_a_revision_before_it_is_done(store: Store, kit, another: Callable[[], Store]) -> None:
    reader = another()
    with begin(store, scoring=kit.Scoring()) as writer:
        keys = writer.add([kit.case_in(kit.record("a"), 0, kit.Scoring())])
        assert len(keys) == 1
        assert reader.runs() == store.runs() == []
        finish(writer, 1)
    assert [run.id for run in reader.runs()] == ["run"]
    run = reader.run("run")
    assert run is not None
    assert (run.records, run.rejected, run.revision, run.k, run.created_at) == (
        1, 2, 1, 3, "1970-01-01T00:00:01.000000+00:00",
    )  # fmt: skip
    assert reader.warnings(run.pk) == ["a warning"]


def test_leaving_without_finishing_takes_everything_back(store: Store, path: Path, kit) -> None:
    with pytest.raises(KeyboardInterrupt), begin(store, scoring=kit.Scoring()) as writer:
        writer.add([kit.case_in(kit.missed("a", extra={"meta": {"lang": "zh"}}), 0, kit.Scoring())])
        writer.add_problems([Problem("field", 1, "a", "cost", "is no number")])
        raise KeyboardInterrupt
    assert rows_left(path) == {}
    assert [each.name for each in path.parent.iterdir() if "lock" in each.name] == []


def test_a_killed_writer_leaves_nothing_to_see_and_cleanup_takes_the_rest(path: Path) -> None:
    process = loading(path, "big", 3, finish=False)
    assert [said(process) for _ in range(3)] == ["0", "1", "2"]
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    with Store(path) as store:
        assert store.runs() == []
        assert rows_left(path)["cases"] == 3000
        assert store.cleanup() == 1
        assert store.cleanup() == 0
    assert rows_left(path) == {}
    assert [each.name for each in path.parent.iterdir() if "lock" in each.name] == []


def test_cleanup_leaves_a_living_writer_alone(path: Path) -> None:
    process = loading(path, "big", 2, 0.2)
    assert said(process) == "0"
    with Store(path) as store:
        assert store.cleanup() == 0
        assert [said(process) for _ in range(2)] == ["1", "done"]
        assert process.wait() == 0
        assert [run.records for run in store.runs()] == [2000]


def test_one_who_tags_while_another_process_loads_never_waits_long(store: Store, path: Path, kit) -> None:
    loaded = kit.load(store, [kit.record("a")])
    process = loading(path, "big", 12)
    assert said(process) == "0"
    waits = []
    for number in range(60):
        begin_at = time.monotonic()
        store.add_events(loaded.run, [Act("a", "note", note=str(number))], kit.who())
        waits.append(time.monotonic() - begin_at)
        time.sleep(0.01)
    assert process.wait() == 0
    assert max(waits) < 1.0
    assert sorted(waits)[len(waits) // 2] < 0.1
    assert [run.id for run in store.runs()] == ["run", "big"] or [run.id for run in store.runs()] == [
        "big",
        "run",
    ]


def test_cases_keep_the_order_of_the_file_in_their_keys(store: Store, kit) -> None:
    loaded = kit.load(store, [kit.record(name) for name in "cab"])
    keys = store.keys(loaded.run, loaded.view, Scope("run"), EVERY)
    assert list(keys) == list(range(keys[0], keys[0] + 3))
    assert [store.ids_of(keys)[key] for key in keys] == ["c", "a", "b"]
    assert store.pk_of(loaded.run.pk, "a") == keys[1]
    assert store.pk_of(loaded.run.pk, "d") is None


def test_newest_and_previous_revision_keep_their_records_and_older_ones_go(
    store: Store, path: Path, kit
) -> None:
    revisions = [
        kit.load(store, [kit.record("a"), kit.missed("b")], sha256=str(number)).run for number in range(4)
    ]
    assert [run.revision for run in revisions] == [1, 2, 3, 4]
    assert [len(list(store.raw_records(run.pk))) for run in revisions] == [0, 0, 1, 1]
    assert [store.view(run.pk, 3) is not None for run in revisions] == [False, False, True, True]
    assert rows_left(path)["cases"] == 4
    assert rows_left(path)["measures"] == 4
    assert [run.pk for run in store.runs()] == [revisions[3].pk]


def test_what_was_half_removed_when_a_process_died_is_removed_by_the_next(
    store: Store, path: Path, kit
) -> None:
    loaded = kit.load(store, [kit.record("a")])
    with store.write() as sql:
        sql.execute("UPDATE revisions SET done = 2")
        sql.execute("UPDATE runs SET newest = NULL")
    store.cleanup()
    assert "cases" not in rows_left(path)
    assert store.view(loaded.run.pk, 3) is None


def test_the_second_pass_measures_what_could_not_be_measured_at_first(store: Store, kit) -> None:
    scoring = kit.Scoring(k=1)
    first = [kit.record("a", citations=None), kit.second("b", citations=None)]
    second = [kit.record("a", citations=[], inferred=["citations"]), kit.second("b", citations=[])]
    with begin(store) as writer:
        keys = writer.add([kit.case_in(each, at, None) for at, each in enumerate(first)])
        writer.measure_with(scoring)
        assert [pk for batch in writer.raw_records(1) for pk, _ in batch] == keys
        writer.replace_measured(
            [(key, each, kit.measured(each, scoring)) for key, each in zip(keys, second, strict=True)]
        )
        _, _, rev = finish(writer, 2, k=1)
    run, view = store.run("run"), store.view(rev, 1)
    assert run is not None and view is not None
    assert [row.reason for row in store.rows(run, view, keys)] == ["no_citation", "expected_below_cutoff"]
    assert store.inferred_fields(keys) == {keys[0]: ("citations",), keys[1]: ()}
    assert store.measures(view, keys)[keys[1]][0]["hit"] == 0.0


def test_measured_cases_without_their_scoring_are_a_bug(store: Store, kit) -> None:
    with pytest.raises(RuntimeError, match="scoring"), begin(store) as writer:
        writer.add([kit.case_in(kit.record("a"), 0, kit.Scoring())])


def test_a_view_at_another_k_is_seen_once_it_is_whole(store: Store, kit) -> None:
    records = [kit.record("a"), kit.second("b")]
    loaded = kit.load(store, records)
    keys = store.keys(loaded.run, loaded.view, Scope("run"), EVERY)
    scoring = kit.Scoring(k=1)
    with store.begin_view(loaded.run.pk, 1, scoring) as writer:
        writer.add([(key, kit.measured(each, scoring)) for key, each in zip(keys, records, strict=True)])
        assert store.view(loaded.run.pk, 1) is None
        view = writer.finish()
    assert store.view(loaded.run.pk, 1) == view != loaded.view
    assert [store.measures(view, keys)[key][0]["hit"] for key in keys] == [1.0, 0.0]
    assert [store.measures(loaded.view, keys)[key][0]["hit"] for key in keys] == [1.0, 1.0]


def test_a_view_that_was_given_up_or_replaced_leaves_nothing(store: Store, path: Path, kit) -> None:
    loaded = kit.load(store, [kit.record("a")])
    keys = store.keys(loaded.run, loaded.view, Scope("run"), EVERY)
    with pytest.raises(ZeroDivisionError), store.begin_view(loaded.run.pk, 5, kit.Scoring(k=5)) as writer:
        writer.add([(keys[0], kit.measured(kit.record("a"), kit.Scoring(k=5)))])
        raise ZeroDivisionError
    assert store.view(loaded.run.pk, 5) is None
    with store.begin_view(loaded.run.pk, 3, kit.Scoring()) as writer:
        writer.add([(keys[0], kit.measured(kit.record("a"), kit.Scoring()))])
        assert store.view(loaded.run.pk, 3) == loaded.view
        again = writer.finish()
    assert store.view(loaded.run.pk, 3) == again
    assert (rows_left(path)["views"], rows_left(path)["measures"]) == (1, 1)


def test_a_record_comes_back_as_it_came(store: Store, kit) -> None:
    raw = '{"id": "a",  "query": "\\ud83d\\u0000 [/INST] ", "score": NaN, "\\u5143": {"a": [1.10, Infinity]}}'
    item = kit.record(
        "a", query="\ud83d\x00 [/INST]", extra={"score": float("nan"), "元": {"a": [1.1, float("inf")]}}
    )
    with begin(store, scoring=kit.Scoring()) as writer:
        case = kit.case_in(item, 0, kit.Scoring())
        (key,) = writer.add([type(case)(0, 1, raw, item, False, case.measured)])
        finish(writer, 1)
    assert store.raws([key]) == {key: raw}
    with store.write() as sql:
        (extra,) = sql.execute("SELECT extra FROM texts").fetchone()
        assert sql.execute("SELECT json_extract(extra, '$.元.a[0]') FROM texts").fetchone() == (1.1,)
    assert json.loads(extra) == {"score": None, "元": {"a": [1.1, None]}}


def test_the_records_own_keys_are_known_by_their_dotted_names(store: Store, kit) -> None:
    loaded = kit.load(
        store,
        [kit.record("a", extra={"meta": {"lang": "zh"}}), kit.record("b", tags=["x"], scores={"RL_F": 0.5})],
    )
    assert store.known_keys(loaded.run.pk) == {"meta", "meta.lang", "tags", "scores", "scores.RL_F"}


def test_a_version_that_only_the_header_names_holds_for_every_record(store: Store, kit) -> None:
    records = [kit.record("a"), kit.record("b", kb_version="old")]
    first = kit.load(
        store, records, run_id="first", kb_version="kb1", dataset={"name": "set", "version": "3"}
    )
    with begin(store, scoring=kit.Scoring()) as writer:
        writer.add([kit.case_in(each, at, kit.Scoring()) for at, each in enumerate(records)])
        _, _, rev = finish(writer, 2, "second", kb_version="kb1")
    with store.write() as sql:
        found = sql.execute("SELECT rev, kb_version, dataset_version FROM cases ORDER BY pk").fetchall()
    assert found == [
        (first.run.pk, "kb1", "3"),
        (first.run.pk, "old", "3"),
        (rev, "kb1", None),
        (rev, "old", None),
    ]


def test_problems_are_kept_with_their_place(store: Store, kit) -> None:
    problems = [
        Problem("record", 7, "a", None, "the id a stands in line 1 already"),
        Problem("field", 1, "a", "cost", "is no number"),
    ]
    loaded = kit.load(store, [kit.record("a")], problems=problems)
    assert store.problems(loaded.run.pk) == [problems[1], problems[0]]
    assert loaded.run.field_problems == 1
    key = store.keys(loaded.run, loaded.view, Scope("run"), EVERY)[0]
    assert store.detail_parts(loaded.run, loaded.view, key).problems == (problems[1],)


def test_the_header_comes_back_with_or_without_its_long_list(store: Store, kit) -> None:
    loaded = kit.load(
        store, [kit.record("a")], kb_ids=["KB-1", "KB-2"], retrieval={"top_k": 3}, model="demo-1"
    )
    assert store.header(loaded.run.pk).kb_ids == ["KB-1", "KB-2"]
    assert store.header(loaded.run.pk, with_kb_ids=False).kb_ids is None
    assert (loaded.run.retrieval, loaded.run.model) == ({"top_k": 3}, "demo-1")
