"""Two processes at the same file; runs that were removed and come again."""

from __future__ import annotations

import json
import threading
from pathlib import Path

from triage.ingest import load_file
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.store import Act, Store, Who


class AfterThree(threading.Event):
    """Asked whether to go on, loads the file by another connection first, once the load has begun."""

    def __init__(self, database: Path, file: Path) -> None:
        super().__init__()
        self._asked = 0
        self._database, self._file = database, file

    def is_set(self) -> bool:
        self._asked += 1
        if self._asked == 3:
            with Store(self._database) as other:
                assert load_file(other, self._file, LoadOptions(), Settings()).status == "loaded"
        return False


def run_file(folder: Path) -> Path:
    path = folder / "r.jsonl"
    lines = [{"run": {"id": "r1"}}, {"id": "a", "query": "q"}]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_the_same_bytes_loaded_by_two_at_once_are_one_revision(tmp_path: Path) -> None:
    database, path = tmp_path / "triage.db", run_file(tmp_path)
    with Store(database, create=True) as store:
        meanwhile = AfterThree(database, path)
        report = load_file(store, path, LoadOptions(), Settings(), cancel=meanwhile)
        assert (report.status, report.run, report.revision, report.records) == ("unchanged", "r1", 1, 1)
        assert [run.revision for run in store.runs()] == [1]
        assert store.cleanup() == 0


def test_a_run_that_was_removed_is_loaded_not_updated(tmp_path: Path) -> None:
    path = run_file(tmp_path)
    with Store(tmp_path / "triage.db", create=True) as store:
        load_file(store, path, LoadOptions(), Settings())
        run = store.run("r1")
        assert run is not None
        store.add_events(
            run, [Act("a", "verdict", verdict="other")], Who("me", "s", "2026-11-28T10:00:00.000Z")
        )
        store.remove(["r1"])
        assert load_file(store, path, LoadOptions(), Settings()).status == "loaded"
        found = store.run("r1")
        assert found is not None and found.revision == 2
