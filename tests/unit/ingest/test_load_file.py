"""Run files into a real database: what a run is, what is unchanged, what a failed load leaves."""

from __future__ import annotations

import json
import os
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from triage.errors import UsageError
from triage.formats import load_options
from triage.ingest import Cancelled, StoredReader, discover, ensure_view, load_file
from triage.ingest import load as loading
from triage.metrics.registry import combine_all
from triage.models.measure import MetricValue
from triage.models.query import Scope
from triage.models.run import FileReport, LoadOptions, Progress
from triage.settings import Settings
from triage.store import Store
from triage.store.filter import Where

Shared = Callable[[str], Path]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with Store(tmp_path / "db" / "triage.db", create=True) as opened:
        yield opened


@pytest.fixture(autouse=True)
def database_folder(tmp_path: Path) -> None:
    (tmp_path / "db").mkdir(exist_ok=True)


def case(number: int, **data: Any) -> dict[str, Any]:
    return {
        "id": f"c{number}", "query": f"q {number}", "answerable": True, "expected_ids": ["A"],
        "retrieved": ["B", "A"],
        "answer": "yes", "predicted_answerable": True, **data,
    }  # fmt: skip


def write(path: Path, records: list[dict[str, Any]], header: dict[str, Any] | None = None) -> Path:
    lines = [] if header is None else [{"run": header}]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines + records), encoding="utf-8"
    )
    return path


def load(
    store: Store, path: Path, options: LoadOptions | None = None, settings: Settings | None = None
) -> FileReport:
    return load_file(store, path, options or LoadOptions(), settings or Settings())


def metrics(store: Store, run_id: str, k: int | None = None) -> dict[str, MetricValue]:
    run = store.run(run_id)
    assert run is not None
    view = ensure_view(store, run, k or run.k, Settings())
    return combine_all(store.summed(run, view, Where()).aggregates)


def record_of(store: Store, run_id: str, case_id: str) -> Any:
    run = store.run(run_id)
    assert run is not None
    view = store.view(run.pk, run.k)
    pk = store.pk_of(run.pk, case_id)
    assert view is not None
    assert pk is not None
    options, cites = store.options(run.pk)
    parts = store.detail_parts(run, view, pk)
    return StoredReader(options.mapping, Settings(), cites).read(parts.raw)


def test_a_run_is_loaded_and_measured(store: Store, tmp_path: Path) -> None:
    header = {"id": "r1", "k": 1, "dataset": {"name": "d", "version": 2}, "kb_version": "kb1"}
    report = load(store, write(tmp_path / "a.jsonl", [case(1), case(2, retrieved=["A"])], header))
    assert (report.status, report.run, report.records, report.rejected, report.revision) == (
        "loaded",
        "r1",
        2,
        0,
        1,
    )
    run = store.run("r1")
    assert run is not None
    assert (run.k, run.dataset, run.dataset_version, run.kb_version) == (1, "d", "2", "kb1")
    values = metrics(store, "r1")
    assert (values["hit"].value, values["mrr"].value) == (0.5, 0.75)
    assert metrics(store, "r1", 2)["hit"].value == 1.0


def test_the_same_bytes_again_are_unchanged_however_they_are_named(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = write(tmp_path / "runs" / "a.jsonl", [case(1), {"id": "x"}])
    first = load(store, path)
    (tmp_path / "link.jsonl").symlink_to(path)
    os.utime(path, (1, 1))
    monkeypatch.chdir(path.parent)
    for name in (Path("a.jsonl"), path, tmp_path / "link.jsonl", Path("../runs/a.jsonl")):
        again = load(store, name)
        assert (again.status, again.run, again.records, again.rejected) == ("unchanged", "a", 1, 1)
        assert again.problems == first.problems
    assert len(store.runs()) == 1


def test_a_copy_with_a_header_is_the_same_run_and_one_without_is_another(
    store: Store, tmp_path: Path
) -> None:
    write(tmp_path / "x" / "a.jsonl", [case(1)], {"id": "r1"})
    write(tmp_path / "y" / "a.jsonl", [case(1)], {"id": "r1"})
    assert [load(store, tmp_path / name / "a.jsonl").status for name in "xy"] == ["loaded", "unchanged"]
    write(tmp_path / "x" / "b.jsonl", [case(1)])
    write(tmp_path / "y" / "b.jsonl", [case(1)])
    assert [load(store, tmp_path / name / "b.jsonl").run for name in "xy"] == ["b", "y/b"]


def test_other_bytes_are_the_next_revision_of_the_run_that_their_header_or_path_names(
    store: Store, tmp_path: Path
) -> None:
    load(store, write(tmp_path / "a.jsonl", [case(1)], {"id": "r1"}))
    moved = load(store, write(tmp_path / "elsewhere" / "b.jsonl", [case(1), case(2)], {"id": "r1"}))
    assert (moved.status, moved.run, moved.revision) == ("updated", "r1", 2)
    load(store, write(tmp_path / "c.jsonl", [case(1)]))
    changed = load(store, write(tmp_path / "c.jsonl", [case(1), case(2)]))
    assert (changed.status, changed.run, changed.revision, changed.records) == ("updated", "c", 2, 2)


def test_other_options_on_the_same_bytes_are_a_new_load(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [case(1, labels={"pass": False})])
    load(store, path)
    mapped = load(store, path, load_options(["passed=labels.pass"]))
    assert (mapped.status, mapped.revision) == ("updated", 2)
    assert metrics(store, "a")["runner_pass_rate"].value == 0
    assert load(store, path, load_options(["passed=labels.pass"])).status == "unchanged"
    assert load(store, path, load_options(["passed=labels.pass"], ["k=1"])).status == "updated"
    assert metrics(store, "a")["hit"].value == 0


def test_settings_that_decide_how_a_file_is_read_count_as_options(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [case(1)])
    load(store, path)
    with_run = Settings(header={"kb_version": "kb7"})
    assert load(store, path, settings=with_run).status == "updated"
    assert load(store, path, settings=with_run).status == "unchanged"
    run = store.run("a")
    assert run is not None
    assert run.kb_version == "kb7"
    worded = Settings(header={"kb_version": "kb7"}, topic_words={"x": ("q",)})
    assert load(store, path, settings=worded).status == "updated"
    assert (
        load(store, path, settings=Settings(theme="other", header={"kb_version": "kb7"})).status == "updated"
    )


def test_wrong_settings_are_told_before_anything_is_read(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [case(1)])
    with pytest.raises(UsageError, match="did you mean kb_version"):
        load(store, path, settings=Settings(header={"kb_versoin": "x"}))
    with pytest.raises(UsageError, match="did you mean passed"):
        load(store, path, settings=Settings(mapping={"pased": "x"}))


@pytest.mark.parametrize("content", ["", " \n\n", "[]", '{"cases": []}', '{"run": {"id": "r1"}}\n'])
def test_a_file_without_records_fails_and_leaves_nothing(store: Store, tmp_path: Path, content: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    report = load(store, path)
    assert (report.status, report.run, report.records, report.rejected) == ("failed", None, 0, 0)
    assert [problem.reason for problem in report.problems] == ["no records"]
    assert store.runs() == []


def test_a_run_whose_every_record_is_rejected_fails(store: Store, tmp_path: Path) -> None:
    report = load(store, write(tmp_path / "a.jsonl", [{"query": "no id"}, {"id": "b"}]))
    assert (report.status, report.records, report.rejected) == ("failed", 0, 2)
    assert len(report.problems) == 2


def test_the_last_good_revision_stays_when_its_file_goes_bad(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [case(1)])
    load(store, path)
    path.write_text("{", encoding="utf-8")
    assert load(store, path).status == "failed"
    path.unlink()
    report = load(store, path)
    assert (report.status, report.problems[0].reason) == ("failed", "no such file (check the path)")
    run = store.run("a")
    assert run is not None
    assert run.records == 1


def test_a_loop_of_links_is_told(store: Store, tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").symlink_to(tmp_path / "b.jsonl")
    (tmp_path / "b.jsonl").symlink_to(tmp_path / "a.jsonl")
    assert discover([tmp_path / "a.jsonl"]) == [tmp_path / "a.jsonl"]
    assert load(store, tmp_path / "a.jsonl").status == "failed"


def test_a_folder_is_no_run_file(store: Store, tmp_path: Path) -> None:
    report = load(store, tmp_path)
    assert (report.status, report.problems[0].reason) == (
        "failed",
        "a folder, not a file (name a file in it)",
    )


def test_duplicate_ids_name_both_lines_and_the_counts_add_up(store: Store, shared: Shared) -> None:
    report = load(store, shared("bugfiles/072_dup_case_id.jsonl"))
    assert (report.records, report.rejected) == (2, 1)
    assert report.problems[0].reason == "id 'd1' was seen before, in line 1: line 3 is left out"
    assert report.problems[0].line == 3
    assert record_of(store, "072_dup_case_id", "d1").answer == "first"


def test_problems_and_warnings_are_kept(store: Store, tmp_path: Path) -> None:
    report = load(
        store,
        write(tmp_path / "a.jsonl", [case(1, scores={"faithfulness": "high", "clarity": 9}), {"id": "b"}]),
    )
    assert [(one.level, one.case, one.field) for one in report.problems] == [
        ("field", "c1", "scores.faithfulness"), ("record", "b", None),
    ]  # fmt: skip
    run = store.run("a")
    assert run is not None
    assert store.problems(run.pk) == list(report.problems)
    assert store.warnings(run.pk) == list(report.warnings)
    assert run.field_problems == 1
    assert report.warnings[0] == "scores.faithfulness: 1 value is no finite number and not recorded"
    assert report.warnings[1] == "clarity: 1 of 1 scores lie outside the scale 1-5"


def test_a_scale_that_was_not_declared_is_told(store: Store, tmp_path: Path) -> None:
    report = load(store, write(tmp_path / "a.jsonl", [case(1, faithfulness=0.25), case(2, faithfulness=1)]))
    hint = "they fit 0-1: --set score_scale=0-1"
    assert report.warnings == (f"faithfulness: 1 of 2 scores lie outside the scale 1-5; {hint}",)


def test_a_score_that_failed_is_not_in_the_mean(store: Store, shared: Shared) -> None:
    load(store, shared("bugfiles/093_nan_scores.jsonl"))
    value = metrics(store, "093_nan_scores")["faithfulness"]
    assert (value.value, value.denominator, value.missing) == (1.0, 1, 2)


@pytest.mark.parametrize(
    ("name", "key", "value", "denominator"),
    [
        ("069_int_doc_ids", "recall", 1.0, 2), ("087_empty_retrieved", "recall", 0.5, 2),
        ("088_unanswerable", "recall", 1.0, 1),
        ("085_dup_retrieved", "ndcg", 1.0, 1), ("105_zh_refusals", "refusal_accuracy", 6 / 7, 7),
    ],
)  # fmt: skip
def test_others_trouble_files_measure_right(
    store: Store, shared: Shared, name: str, key: str, value: float, denominator: int
) -> None:
    load(store, shared(f"bugfiles/{name}.jsonl"))
    measured = metrics(store, name)[key]
    assert measured.value == pytest.approx(value)
    assert measured.denominator == denominator


def test_a_header_that_comes_last_decides_the_measures(store: Store, tmp_path: Path) -> None:
    cases = [case(number) for number in range(7)]
    for name, keys in (("first", ("run", "cases")), ("last", ("cases", "run"))):
        content = {"run": {"id": name, "k": 1, "kb_ids": ["B"], "kb_version": "kb1"}, "cases": cases}
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps({key: content[key] for key in keys}, indent=1), encoding="utf-8")
        assert load(store, path).status == "loaded"
    first, last = metrics(store, "first"), metrics(store, "last")
    assert first == last
    assert first["hit"].value == 0
    for name in ("first", "last"):
        run = store.run(name)
        assert run is not None
        view = store.view(run.pk, 1)
        assert view is not None
        rows = store.rows(run, view, store.keys(run, view, Scope(name), Where()))
        assert {row.reason for row in rows} == {"knowledge_gap"}


def test_who_cites_late_decides_for_those_before(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "BATCH", 2)
    silent = [case(number) for number in range(5)]
    load(store, write(tmp_path / "silent.jsonl", silent))
    assert metrics(store, "silent")["citation_coverage"].denominator == 0
    assert metrics(store, "silent")["citation_coverage"].missing == 5
    load(store, write(tmp_path / "citing.jsonl", [*silent, case(5, answer="yes [1]"), case(6)]))
    coverage = metrics(store, "citing")["citation_coverage"]
    assert (coverage.numerator, coverage.denominator, coverage.missing) == (1, 7, 0)
    assert record_of(store, "citing", "c0").citations == []
    assert record_of(store, "citing", "c5").citations == ["1"]
    run = store.run("citing")
    assert run is not None
    pk = store.pk_of(run.pk, "c0")
    assert pk is not None
    assert "citations" in store.inferred_fields([pk])[pk]


def test_topics_and_risk_are_stored(store: Store, tmp_path: Path) -> None:
    records = [case(1, topic="security"), case(2, query="我要退款"), case(3, tags=["shipping"])]
    load(store, write(tmp_path / "a.jsonl", records))
    run = store.run("a")
    assert run is not None
    view = store.view(run.pk, run.k)
    assert view is not None
    rows = store.rows(run, view, store.keys(run, view, Scope("a"), Where()))
    assert [(row.topic, row.topic_inferred, row.high_risk) for row in rows] == [
        ("security", False, True), ("refund", True, True), ("shipping", False, False),
    ]  # fmt: skip


def test_a_stored_record_is_given_back_as_it_came(store: Store, shared: Shared) -> None:
    path = shared("bugfiles/007_ansi_osc.jsonl")
    load(store, path)
    raw = path.read_text(encoding="utf-8").splitlines()[0]
    assert record_of(store, "007_ansi_osc", "x1").answer == json.loads(raw)["answer"]


def test_lone_surrogates_can_be_stored(store: Store, tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(
        '{"id": "a", "query": "x\\ud800", "answer": "\\udc00", "m": "\\udfff"}\n', encoding="utf-8"
    )
    assert load(store, path).records == 1
    assert record_of(store, "a", "a").query == "x\\ud800"


def test_a_load_that_is_called_off_leaves_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "BATCH", 10)
    monkeypatch.setattr(loading, "PAUSE", 0.0)
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(2000)])
    cancel = threading.Event()

    def stop_midway(progress: Progress) -> None:
        if progress.records > 500:
            cancel.set()

    with pytest.raises(Cancelled) as caught:
        load_file(store, path, LoadOptions(), Settings(), stop_midway, cancel)
    assert caught.value.exit_code == 130
    assert store.runs() == []
    with store.write() as sql:
        counted = [
            sql.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("cases", "revisions", "measures")
        ]
    assert counted == [0, 0, 0]
    assert load(store, path).records == 2000


def test_an_interrupt_leaves_nothing(store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "BATCH", 10)
    monkeypatch.setattr(loading, "PAUSE", 0.0)
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(500)])

    def interrupt(progress: Progress) -> None:
        if progress.records > 100:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        load_file(store, path, LoadOptions(), Settings(), interrupt)
    assert store.runs() == []
    assert store.cleanup() == 0


def test_progress_is_told_at_most_four_times_a_second_and_at_the_end(store: Store, tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(3000)])
    told: list[tuple[float, Progress]] = []
    load_file(
        store, path, LoadOptions(), Settings(), lambda progress: told.append((time.monotonic(), progress))
    )
    steps = [later[0] - earlier[0] for earlier, later in pairwise(told[:-1])]
    assert all(step >= 0.2 for step in steps)
    last = told[-1][1]
    assert (last.stage, last.records, last.done_bytes, last.total_bytes) == (
        "done",
        3000,
        path.stat().st_size,
        path.stat().st_size,
    )


def test_another_k_is_measured_once(store: Store, tmp_path: Path) -> None:
    load(store, write(tmp_path / "a.jsonl", [case(1)], {"id": "r1"}))
    run = store.run("r1")
    assert run is not None
    view = ensure_view(store, run, 1, Settings())
    assert ensure_view(store, run, 1, Settings()) == view
    assert ensure_view(store, run, 3, Settings()) == store.view(run.pk, 3)


def test_another_threshold_of_failing_is_measured_anew(store: Store, tmp_path: Path) -> None:
    load(store, write(tmp_path / "a.jsonl", [case(1, citations=["1"])], {"id": "r1"}))
    run = store.run("r1")
    assert run is not None

    def failing(settings: Settings) -> list[bool]:
        view = ensure_view(store, run, 3, settings)
        return [row.failing for row in store.rows(run, view, store.keys(run, view, Scope("r1"), Where()))]

    assert failing(Settings()) == [True]
    assert failing(Settings(failing_confidence=0.99)) == [False]
    assert failing(Settings(failing_confidence=0.99)) == [False]
    assert failing(Settings()) == [True]


@pytest.mark.parametrize(
    ("folder", "name", "maps", "sets", "key", "value", "denominator"),
    [
        ("nomiracl_zh", "zh.gpt-4-azure", [], [], "under_refusal", 0.436, 250),
        ("nomiracl_zh", "zh.Mixtral-8x7B-Instruct-v0.1", [], [], "under_refusal", 53 / 249, 249),
        ("tau_airline", "gpt-4o-trial1", ["passed=labels.pass"], [], "runner_pass_rate", 0.44, 50),
        ("mtragun_judged", "gemini-3-pro", [], ["dataset.name=mtragun"], "refusal_accuracy", 0.983683, 429),
        ("mtrag_retrieval", "elser-rewrite", [], ["k=5"], "hit", 0.697917, 576),
        ("mtrag_answers", "gpt-4o", ["scores.faithfulness=scores.rl_f"], ["score_scale=0-1"], "faithfulness",
         0.755956, 159),
    ],
)  # fmt: skip
def test_real_runs_come_out_at_their_published_figures(
    store: Store, shared: Shared, folder: str, name: str, maps: list[str], sets: list[str], key: str,
    value: float,
    denominator: int,
) -> None:  # fmt: skip
    report = load(store, shared(f"realdata/{folder}/{name}.jsonl"), load_options(maps, sets))
    assert (report.status, report.rejected, report.problems) == ("loaded", 0, ())
    measured = metrics(store, name)[key]
    assert measured.value == pytest.approx(value, abs=5e-7)
    assert (measured.denominator or report.records) == denominator


def test_a_list_exported_into_a_folder_is_no_run_of_it_unless_it_is_named_or_alone(tmp_path: Path) -> None:
    line = {"run": "a", "case_id": "1", "record": case(1), "suggestion": None, "verdict": None, "history": []}
    exported, run = write(tmp_path / "a-tagged.jsonl", [line]), write(tmp_path / "a.jsonl", [case(1)])
    assert discover([tmp_path]) == [run]
    assert discover([tmp_path, exported]) == [run, exported]
    run.unlink()
    assert discover([tmp_path]) == [exported]


def test_folders_are_walked_and_each_file_is_met_once(tmp_path: Path) -> None:
    for name in ("b.jsonl", "a.json", "x/c.jsonl.gz", "x/d.json.gz", "notes.txt", ".hidden.jsonl",
                 ".git/e.jsonl",
                 "node_modules/f.json", "x/.cache/g.json"):  # fmt: skip
        write(tmp_path / name, [case(1)])
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "b.jsonl")
    found = discover(
        [tmp_path / "x" / "c.jsonl.gz", tmp_path, tmp_path / "notes.txt", tmp_path / "gone.jsonl"]
    )
    assert [path.relative_to(tmp_path).as_posix() for path in found] == [
        "x/c.jsonl.gz", "a.json", "b.jsonl", "x/d.json.gz", "notes.txt", "gone.jsonl",
    ]  # fmt: skip
