"""Helper processes: a file comes out the same with and without them, and none outlives its load."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest

from triage.formats import load_options
from triage.ingest import Cancelled, crew, load_file
from triage.ingest import load as loading
from triage.ingest.batch import Job, Setup
from triage.models.run import FileReport, LoadOptions, Progress
from triage.settings import Settings
from triage.store import Store

ROOT = Path(__file__).resolve().parents[3]
TABLES = (
    "runs", "revisions", "views", "cases", "texts", "records", "measures", "findings", "patterns", "problems",
    "extra_keys", "view_patterns", "view_sums", "overlaps", "state",
)  # fmt: skip


class Patient(crew.Crew):
    """A crew that is waited for, so that a small file is not read before it is there."""

    made: ClassVar[list[Patient]] = []

    def __init__(self, setup: Setup, count: int) -> None:
        super().__init__(setup, count)
        self.made.append(self)
        limit = time.monotonic() + 30
        while not self.ready and time.monotonic() < limit:
            time.sleep(0.01)
        self.jobs = 0

    def submit(self, job: Job) -> Any:
        self.jobs += 1
        return super().submit(job)

    @property
    def running(self) -> list[int]:
        return [helper._process.pid for helper in self._all if helper._process.poll() is None]


@pytest.fixture
def helped(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Makes the loads that follow have helpers, whatever the file's size."""

    def make(crew_class: type[crew.Crew] = Patient, count: int = 2) -> None:
        monkeypatch.setattr(loading, "Crew", crew_class)
        monkeypatch.setattr(loading, "helpers", lambda size: count)

    Patient.made.clear()
    monkeypatch.setattr(loading, "BATCH", 20)
    yield make
    assert [pid for made in Patient.made for pid in made.running] == []


def case(number: int, **data: Any) -> dict[str, Any]:
    ids = [f"KB-{number * step % 17}" for step in range(1, 6)]
    return {
        "id": f"c{number}", "query": f"问题 {number}", "answerable": number % 5 > 0,
        "expected_ids": [ids[number % 5]],
        "retrieved": [{"id": name, "text": f"{name} 证据 {number}"} for name in ids],
        "answer": "是的" if number % 3 else "我不知道", "meta": {"lang": "zh"},
        "scores": {"faithfulness": number % 5 + 1, "other": number / 7}, **data,
    }  # fmt: skip


def write(path: Path, lines: list[Any]) -> Path:
    texts = (line if isinstance(line, str) else json.dumps(line, ensure_ascii=False) for line in lines)
    path.write_text("\n".join(texts), encoding="utf-8", errors="surrogatepass")
    return path


def contents(store: Store) -> dict[str, list[Any]]:
    """Every row of every table, but for the moment of loading."""
    found = {}
    with store.write() as sql:
        for table in TABLES:
            names = [row[1] for row in sql.execute(f"PRAGMA table_info({table})") if row[1] != "loaded_at"]
            rows = sql.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall()
            found[table] = sorted(map(repr, rows))
    return found


def both_ways(
    tmp_path: Path, path: Path, helped: Callable[..., None], options: LoadOptions | None = None,
    crew_class: type[crew.Crew] = Patient,
) -> FileReport:  # fmt: skip
    """Load a file without and with helpers: the same rows, the same report."""
    stores, reports = [], []
    for name in ("alone", "helped"):
        (tmp_path / name).mkdir()
        with Store(tmp_path / name / "triage.db", create=True) as store:
            reports.append(load_file(store, path, options or LoadOptions(), Settings()))
            stores.append(contents(store))
        helped(crew_class)
    assert reports[0] == reports[1]
    assert stores[0] == stores[1]
    return reports[1]


def test_a_file_comes_out_the_same_with_helpers(tmp_path: Path, helped: Callable[..., None]) -> None:
    lines: list[Any] = [{"run": {"id": "r1", "k": 2, "kb_version": "kb7", "kb_ids": ["KB-1", "KB-2"]}}]
    lines += [case(number, citations=["S1"] if number % 4 else []) for number in range(1000)]
    lines[300] = "{broken"
    lines[500] = {"query": "no id"}
    lines[600] = ""
    lines[700] = case(699, scores={"faithfulness": "high"}, tags=["退款"])
    lines[800] = r'{"id": "lone", "query": "x\ud800", "retrieved": [{"id": "A", "text": "\udc00"}]}'
    report = both_ways(tmp_path, write(tmp_path / "a.jsonl", lines), helped)
    assert (report.status, report.records, report.rejected) == ("loaded", 997, 2)
    assert Patient.made[0].jobs == 50


def test_ids_seen_long_before_are_told_with_both_lines(tmp_path: Path, helped: Callable[..., None]) -> None:
    lines: list[Any] = [case(number, citations=[]) for number in range(400)]
    # Twins across batches, of each other within one, and of a twin that was left out.
    lines[350] = case(7, citations=["S1"])
    lines[351] = case(7)
    lines[352] = lines[353] = case(1000)
    report = both_ways(tmp_path, write(tmp_path / "a.jsonl", lines), helped)
    assert [problem.reason for problem in report.problems] == [
        "id 'c7' was seen before, in line 8: line 351 is left out",
        "id 'c7' was seen before, in line 8: line 352 is left out",
        "id 'c1000' was seen before, in line 353: line 354 is left out",
    ]


@pytest.mark.parametrize("first", [None, 3, 150, 390])
def test_who_cites_first_decides_the_same(
    tmp_path: Path, helped: Callable[..., None], first: int | None
) -> None:
    lines = [case(number, **({"citations": ["S1"]} if number == first else {})) for number in range(400)]
    assert both_ways(tmp_path, write(tmp_path / "a.jsonl", lines), helped).records == 400


@pytest.mark.parametrize("last", [True, False])
def test_a_document_and_a_mapping_come_out_the_same(
    tmp_path: Path, helped: Callable[..., None], last: bool
) -> None:
    header, cases = {"id": "r1", "k": 1}, [case(number, labels={"pass": True}) for number in range(200)]
    content = {"cases": cases, "run": header} if last else {"run": header, "cases": cases}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(content, indent=1), encoding="utf-8")
    report = both_ways(tmp_path, path, helped, load_options(["passed=labels.pass", "route=no.such"]))
    assert any("no.such" in warning for warning in report.warnings)


class Dying(Patient):
    """A crew whose helpers are killed in the middle of the file."""

    def submit(self, job: Job) -> Any:
        if self.jobs == 5:
            for helper in self._all:
                helper._process.kill()
        return super().submit(job)


def test_a_file_is_read_to_its_end_where_the_helpers_die(tmp_path: Path, helped: Callable[..., None]) -> None:
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(1000)])
    assert both_ways(tmp_path, path, helped, crew_class=Dying).records == 1000


def test_a_file_is_read_where_no_process_can_be_started(
    tmp_path: Path, helped: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crew.sys, "executable", str(tmp_path / "no-such-python"))
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(100)])
    assert both_ways(tmp_path, path, helped, crew_class=crew.Crew).records == 100


def test_helpers_are_for_large_files_alone() -> None:
    assert crew.helpers(crew.LARGE - 1) == 0
    assert crew.helpers(crew.LARGE) == (2 if (os.cpu_count() or 1) > 1 else 0)


def test_a_load_that_is_called_off_leaves_no_helper(
    tmp_path: Path, helped: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "PAUSE", 0.0)
    helped()
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(2000)])
    cancel = threading.Event()

    def stop_midway(progress: Progress) -> None:
        if progress.records > 500:
            cancel.set()

    with Store(tmp_path / "triage.db", create=True) as store:
        with pytest.raises(Cancelled):
            load_file(store, path, LoadOptions(), Settings(), stop_midway, cancel)
        assert contents(store)["cases"] == []
    assert len(Patient.made[0]._all) >= 1
    assert Patient.made[0].running == []


def alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # One that has ended and that nobody has asked about yet is gone, too.
    with contextlib.suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return True


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
@pytest.mark.parametrize("sent", ["interrupt", "kill"])
def test_helpers_end_with_the_one_they_help(tmp_path: Path, sent: str) -> None:
    path = write(tmp_path / "a.jsonl", [case(number) for number in range(20_000)])
    child = subprocess.Popen(
        [sys.executable, str(Path(__file__).with_name("helped.py")), "ingest", str(path), "--db",
         str(tmp_path / "triage.db")],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert child.stdout is not None
    assert child.stderr is not None
    helper = int(child.stdout.readline())
    assert alive(helper)
    time.sleep(0.1)
    # As a terminal does: every process of the group gets it.
    os.killpg(child.pid, signal.SIGINT if sent == "interrupt" else signal.SIGKILL)
    code = child.wait(30)
    said = child.stderr.read()
    assert code == (130 if sent == "interrupt" else -signal.SIGKILL)
    assert ("interrupted; nothing is half done" in said) == (sent == "interrupt")
    assert "Traceback" not in said
    limit = time.monotonic() + 10
    while alive(helper) and time.monotonic() < limit:
        time.sleep(0.02)
    assert not alive(helper)
    with Store(tmp_path / "triage.db") as store:
        store.cleanup()
        assert contents(store)["cases"] == []
