"""Sentences checked beside the work: the same as in a load, whoever stops, kills or shares it."""

from __future__ import annotations

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import triage
from triage.errors import TriageError
from triage.ingest import checked, checking
from triage.ingest import load as loading
from triage.models.query import Scope
from triage.models.record import Record
from triage.models.run import LoadOptions
from triage.models.sentences import CHECK_METRICS, SentenceSummary
from triage.settings import Settings
from triage.store import Store, versions
from triage.store.view_writer import ViewWriter
from triage.workspace import Workspace

TEXT = "Refunds arrive within 7 days. Parcels leave at 9:00. 退款将在7个工作日内到账。"
SAYS = (
    ("Refunds arrive within 7 days.[S1]", "supported"),
    ("Refunds arrive within 9 days.[S1]", "unsupported"),
    ("退款将在9个工作日内到账。[S1]", "unsupported"),
    ("Refunds arrive within 7 days.[S1] Parcels leave the house every morning.", "uncited"),
    ("Refunds arrive within 7 days.", "not-cited"),
    ("Sorry, I can't answer that.", "not-judged"),
)
"""Answers, and what the check calls each of them; the last one is a refusal."""


def record(number: int, **changes: Any) -> dict[str, Any]:
    answer, state = SAYS[number % len(SAYS)]
    made = {
        "id": f"C{number:04}",
        "query": f"question {number}",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": TEXT}, {"id": "KB-2", "text": "other"}],
        "predicted_answerable": state != "not-judged",
        "answer": answer,
        "citations": ["S1"] if "[S1]" in answer else [],
    }
    return made | changes


def write(path: Path, records: list[dict[str, Any]]) -> Path:
    head = json.dumps({"run": {"id": "now", "k": 2}})
    lines = [head, *(json.dumps(one, ensure_ascii=False) for one in records)]
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture
def large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is a large one."""
    monkeypatch.setattr(loading, "SMALL", 0)


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path / "here.db", Settings(), reviewer="wei")
    yield made
    made.close()


def rows(workspace: Workspace, question: str) -> list[Any]:
    with sqlite3.connect(workspace.database) as sql:
        found = sql.execute(question).fetchall()
    sql.close()
    return found


def said(workspace: Workspace) -> dict[str, str]:
    return dict(rows(workspace, "SELECT c.case_id, k.state FROM checks k JOIN cases c ON c.pk = k.case_pk"))


def whole(workspace: Workspace, k: int | None = None) -> object:
    """All that is said of the run at a K."""
    cases = [(one.row, one.diagnosis, one.measures) for one in workspace.measured_cases(Scope("now", k=k))]
    return workspace.run_view(Scope("now", k=k)), cases


def helper(workspace: Workspace) -> subprocess.Popen[bytes]:
    """The helper as the app starts it."""
    child = subprocess.Popen(
        [sys.executable, "-c", "from triage.workspace.checking import main; main()"],
        stdin=subprocess.PIPE, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).resolve().parents[3])},
    )  # fmt: skip
    assert child.stdin is not None
    child.stdin.write(pickle.dumps((str(workspace.database), Settings())))
    child.stdin.flush()
    return child


def begun(workspace: Workspace, cases: int = 1) -> None:
    """Wait until some cases are checked."""
    limit = time.monotonic() + 60
    while rows(workspace, "SELECT count(*) FROM checks")[0][0] < cases:
        assert time.monotonic() < limit, "the helper never began"
        time.sleep(0.005)


def test_a_small_file_is_checked_as_it_is_loaded(here: Workspace, tmp_path: Path) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(12)])], LoadOptions(), aside=True)
    assert here.checking.waiting() == [] and not here.run_view(Scope("now")).checking
    assert said(here) == {f"C{at:04}": SAYS[at % 6][1] for at in range(12)}
    assert here.checking.build()


def test_a_large_file_is_checked_later_and_says_so(here: Workspace, tmp_path: Path, large: None) -> None:
    path = write(tmp_path / "a.jsonl", [record(at) for at in range(200)])
    here.ingest([path], LoadOptions(), aside=True)
    before = here.run_view(Scope("now"))
    assert before.checking and here.checking.waiting() == ["now"] and said(here) == {}
    for key in CHECK_METRICS:
        assert (before.metrics[key].value, before.metrics[key].missing) == (None, 0)
    assert here.run_view(Scope("now", k=1)).checking
    progress: list[str] = []
    assert here.checking.build(lambda told: progress.append(told.stage))
    at_once = Workspace(tmp_path / "once.db", Settings(), reviewer="wei")
    at_once.ingest([path], LoadOptions())
    assert not at_once.run_view(Scope("now")).checking
    for k in (None, 1, 3):
        # At K = 3 it is measured only now, from what was kept.
        assert whole(here, k) == whole(at_once, k)
    assert here.run_view(Scope("now")).metrics["citation_support"].value is not None
    assert rows(here, "SELECT count(*) FROM views WHERE done = 1 AND checked IS NULL") == [(0,)]
    at_once.close()


def test_what_is_checked_when_it_is_stopped_stays(
    here: Workspace, tmp_path: Path, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(60)])], LoadOptions(), aside=True)
    monkeypatch.setattr(checking, "BATCH", 10)
    cancel, met = threading.Event(), _count(monkeypatch)
    met.after(25, cancel)
    assert not here.checking.build(cancel=cancel)
    assert len(said(here)) == 30 and here.run_view(Scope("now")).checking
    assert here.checking.build()
    assert met.ids == [f"C{at:04}" for at in range(60)]
    assert not here.run_view(Scope("now")).checking


def test_a_k_that_is_measured_while_the_check_ends_holds_what_it_says(
    here: Workspace, tmp_path: Path, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(60)])], LoadOptions(), aside=True)
    there = Workspace(here.database, Settings())
    add, ended = ViewWriter.add, []

    def slow(writer: ViewWriter, measured: Any) -> None:
        if not ended:
            ended.append(True)
            ended.append(there.checking.build())
        add(writer, measured)

    monkeypatch.setattr(ViewWriter, "add", slow)
    assert not here.run_view(Scope("now", k=1)).checking
    there.close()
    assert ended == [True, True] and here.checking.waiting() == []
    assert rows(here, "SELECT k, checked IS NULL FROM views WHERE done = 1 ORDER BY k") == [(1, 0), (2, 0)]


class _Met:
    """The ids of the records that were checked, in order."""

    def __init__(self) -> None:
        self.ids: list[str] = []
        self._limit: tuple[int, threading.Event] | None = None

    def after(self, count: int, event: threading.Event) -> None:
        self._limit = count, event

    def see(self, record: Record) -> None:
        self.ids.append(record.id)
        if self._limit is not None and len(self.ids) == self._limit[0]:
            self._limit[1].set()


def _count(monkeypatch: pytest.MonkeyPatch) -> _Met:
    met = _Met()

    def checker() -> Any:
        real = checked.checker()

        def check(record: Record) -> SentenceSummary:
            met.see(record)
            return real(record)

        return check

    monkeypatch.setattr(checking, "checker", checker)
    return met


def test_of_a_file_that_came_anew_only_what_changed_is_checked(
    here: Workspace, tmp_path: Path, large: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    met = _count(monkeypatch)
    path = write(tmp_path / "a.jsonl", [record(at) for at in range(30)])
    here.following.load(path, LoadOptions())
    assert here.checking.build() and len(met.ids) == 30
    write(path, [record(at) for at in range(33)])
    assert here.following.load(path, LoadOptions()).report.grown
    assert here.checking.build() and met.ids[30:] == ["C0030", "C0031", "C0032"]
    changed = [record(at) for at in range(33)]
    changed[0], changed[5] = record(5, id="C0005"), record(0, id="C0000", answer=SAYS[1][0])
    write(path, changed)
    assert not here.following.load(path, LoadOptions()).report.grown
    assert here.checking.build() and met.ids[33:] == ["C0000"]
    now = {f"C{at:04}": SAYS[at % 6][1] for at in range(33)} | {"C0000": "unsupported"}
    newest = "JOIN cases c ON c.pk = k.case_pk JOIN runs r ON r.newest = c.rev"
    assert dict(rows(here, f"SELECT c.case_id, k.state FROM checks k {newest}")) == now


def test_a_helper_that_is_killed_leaves_a_run_that_is_finished_later(
    here: Workspace, tmp_path: Path, large: None
) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(1500)])], LoadOptions(), aside=True)
    child = helper(here)
    begun(here)
    here.tag("now", ["C0001"], "citation-semantic")
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert here.run_view(Scope("now")).checking
    done = len(said(here))
    assert 0 < done < 1500
    assert here.upkeep.check().faults == ()
    assert here.run_view(Scope("now")).reviewed == 1
    assert here.checking.build()
    assert len(said(here)) == 1500 and not here.run_view(Scope("now")).checking
    assert here.upkeep.check().faults == ()


def test_two_processes_do_the_work_once(here: Workspace, tmp_path: Path, large: None) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(700)])], LoadOptions(), aside=True)
    child = helper(here)
    begun(here)
    assert here.checking.build()
    child.communicate(timeout=60)
    assert said(here) == {f"C{at:04}": SAYS[at % 6][1] for at in range(700)}
    assert rows(here, "SELECT checked IS NOT NULL FROM views WHERE done = 1") == [(1,)]
    here.checking.tidy()
    assert rows(here, "SELECT done FROM views") == [(1,)]


def test_a_helper_ends_with_the_one_that_started_it(here: Workspace, tmp_path: Path, large: None) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(1500)])], LoadOptions(), aside=True)
    child = helper(here)
    begun(here)
    assert child.stdin is not None
    child.stdin.close()
    assert child.wait(timeout=30) == 0
    assert here.checking.waiting() == ["now"]


def test_aside_tells_once_that_the_numbers_are_there(here: Workspace, tmp_path: Path, large: None) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(20)])], LoadOptions(), aside=True)
    told: list[bool] = []
    assert here.checking.build_aside(threading.Event(), lambda: told.append(True))
    assert here.checking.build_aside(threading.Event(), lambda: told.append(True))
    assert told == [True] and not here.run_view(Scope("now")).checking
    stopped = threading.Event()
    stopped.set()
    write(tmp_path / "a.jsonl", [record(at) for at in range(21)])
    here.ingest([tmp_path / "a.jsonl"], LoadOptions(), aside=True)
    assert not here.checking.build_aside(stopped, lambda: told.append(False))
    assert told == [True]


def test_other_rules_check_everything_anew(
    here: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(12)])], LoadOptions())
    monkeypatch.setattr(versions, "CHECK_VERSION", "other")
    met = _count(monkeypatch)
    assert here.checking.waiting() == ["now"] and here.run_view(Scope("now")).checking
    assert here.slicing.table(Scope("now"), "topic").checking
    with Store(here.database) as there:
        before = there.news()
        assert here.checking.build() and len(met.ids) == 12
        assert there.news() != before
    assert not here.slicing.table(Scope("now"), "topic").checking
    assert rows(here, "SELECT DISTINCT version FROM checkings") == [(versions.checked(),)]


@pytest.mark.parametrize(
    ("folder", "checks"), [("diagnosis/rules", False), ("citations/forms", True), ("citations/support", True)]
)
def test_a_file_more_or_less_speaks_of_what_was_loaded_before(
    here: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str, checks: bool
) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(12)])], LoadOptions())
    (tmp_path / "more" / folder).mkdir(parents=True)
    (tmp_path / "more" / folder / "newest.py").write_text("")
    seen = []
    for paths in ([*triage.__path__, str(tmp_path / "more")], list(triage.__path__)):
        monkeypatch.setattr(triage, "__path__", paths)
        versions.files.cache_clear()
        assert here.checking.waiting() == (["now"] if checks else [])
        assert here.run_view(Scope("now")).checking is checks
        assert here.checking.build()
        assert not here.run_view(Scope("now")).checking
        seen.append(rows(here, "SELECT version FROM views WHERE done = 1"))
    # Reasons make no difference to what is measured without a check.
    assert (seen[0] != seen[1]) is (folder != "citations/support")


def test_checks_leave_with_their_run(here: Workspace, tmp_path: Path) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(12)])], LoadOptions())
    here.remove(["now"])
    assert rows(here, "SELECT (SELECT count(*) FROM checks), (SELECT count(*) FROM checkings)") == [(0, 0)]


def test_a_check_that_is_not_what_it_says_is_mended_by_checking_anew(here: Workspace, tmp_path: Path) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(12)])], LoadOptions())
    with sqlite3.connect(here.database) as sql:
        sql.execute("DELETE FROM checks WHERE case_pk IN (SELECT pk FROM cases WHERE case_id = 'C0003')")
        sql.execute("INSERT INTO checks SELECT 7, state, 0, 0, 0, 0, 0, '[]' FROM checks LIMIT 1")
    sql.close()
    assert {fault.kind for fault in here.upkeep.check().faults} == {"checks", "orphans"}
    assert here.upkeep.check(repair=True).faults == ()
    assert here.checking.waiting() == ["now"] and "not checked yet" in str(here.upkeep.check().remarks)
    assert here.checking.build()
    assert len(said(here)) == 12 and here.upkeep.check().faults == ()


def test_the_record_itself_tells_the_sentences(here: Workspace, tmp_path: Path, large: None) -> None:
    here.ingest([write(tmp_path / "a.jsonl", [record(at) for at in range(6)])], LoadOptions(), aside=True)
    detail = here.case_detail(Scope("now"), "C0003")
    assert [(one.text, one.citations, one.supported) for one in detail.sentences] == [
        ("Refunds arrive within 7 days.", ("S1",), True),
        ("Parcels leave the house every morning.", (), None),
    ]
    assert here.case_detail(Scope("now"), "C0005").sentences == ()
    with pytest.raises(TriageError):
        here.case_detail(Scope("now"), "none")
