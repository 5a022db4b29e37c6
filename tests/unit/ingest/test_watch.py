"""The watching engine on real files: what is told, when, how often, and what never is."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.ingest import watch
from triage.ingest.watch import Event, FileChange, Following, Place, Watcher
from triage.ingest.watch_few import FewFiles
from triage.ingest.watch_whole import is_whole
from triage.store.mounts import is_silent

Start = Callable[..., "Heard"]


def line(number: int) -> str:
    return json.dumps({"id": f"c{number}", "query": f"q {number} 退货"}, ensure_ascii=False) + "\n"


def lines(count: int) -> str:
    return "".join(line(number) for number in range(count))


class Heard:
    """A watcher in a thread, and what it has told."""

    def __init__(self, places: list[Place], **options: Any) -> None:
        self.told: list[Event] = []
        self.watcher = Watcher(places, options.pop("known", {}), self.told.append, **options)
        self.thread = threading.Thread(target=self.watcher.run)
        self.thread.start()
        self.wait(lambda: bool(self.told))

    def wait(self, until: Callable[[], bool], seconds: float = 10.0) -> None:
        ends = time.monotonic() + seconds
        while not until():
            assert time.monotonic() < ends, self.told
            time.sleep(0.01)

    def changes(self, name: str = "") -> list[str]:
        return [one.what for one in self.told if isinstance(one, FileChange) and name in ("", one.path.name)]

    def names(self) -> set[str]:
        return {one.path.name for one in self.told if isinstance(one, FileChange)}

    def count(self, what: str, name: str, wanted: int) -> None:
        self.wait(lambda: self.changes(name).count(what) >= wanted)

    @property
    def modes(self) -> list[Following]:
        return [one for one in self.told if isinstance(one, Following)]

    def close(self) -> None:
        self.watcher.stop()
        self.thread.join(5)
        assert not self.thread.is_alive()


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience of a test."""
    monkeypatch.setattr(watch, "GIVE_UP", 0.8)
    monkeypatch.setattr(watch, "GONE", 0.3)


@pytest.fixture(params=["events", "poll"])
def how(request: pytest.FixtureRequest) -> dict[str, Any]:
    return {} if request.param == "events" else {"polling": True, "poll_seconds": 0.05}


@pytest.fixture
def follow() -> Iterator[Start]:
    opened: list[Heard] = []

    def begin(*places: Path | Place, **options: Any) -> Heard:
        opened.append(Heard([one if isinstance(one, Place) else Place(one) for one in places], **options))
        return opened[-1]

    yield begin
    for one in opened:
        one.close()


def test_a_new_file_is_told_once_and_again_when_it_is_another(
    tmp_path: Path, follow: Start, how: dict[str, Any]
) -> None:
    heard = follow(tmp_path, **how)
    assert heard.modes == [Following(bool(how))]
    (tmp_path / "a.jsonl").write_text(lines(3))
    heard.count("ready", "a.jsonl", 1)
    (tmp_path / "a.jsonl").write_text(lines(4))
    heard.count("ready", "a.jsonl", 2)
    time.sleep(0.3)
    assert heard.changes() == ["ready", "ready"]


def test_a_slow_writer_is_told_once_and_then_whole(
    tmp_path: Path, follow: Start, how: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "STILL_WRITTEN", 0.2)
    heard = follow(tmp_path, **how)
    data = lines(50).encode()
    step = len(data) // 12 + 1
    with (tmp_path / "slow.jsonl").open("wb") as file:
        for start in range(0, len(data), step):
            file.write(data[start : start + step])
            file.flush()
            time.sleep(0.06)
    heard.count("ready", "slow.jsonl", 1)
    assert heard.changes() == ["writing", "ready"]


def test_what_is_renamed_over_a_file_is_told_and_its_first_name_never(
    tmp_path: Path, follow: Start, how: dict[str, Any]
) -> None:
    heard = follow(tmp_path, **how)
    for count in (1, 2, 3):
        (tmp_path / ".run.jsonl.tmp").write_text(lines(count))
        (tmp_path / ".run.jsonl.tmp").replace(tmp_path / "run.jsonl")
        heard.count("ready", "run.jsonl", count)
    assert heard.names() == {"run.jsonl"}


def test_temporary_files_of_editors_and_downloads_are_nothing(tmp_path: Path, follow: Start) -> None:
    heard = follow(tmp_path)
    for name in (
        "4913", "run.jsonl~", ".run.jsonl.swp", "#run.jsonl#", ".#run.jsonl", "run.jsonl.tmp",
        "run.jsonl.part", "run.jsonl.crdownload", "notes.md",
    ):  # fmt: skip
        (tmp_path / name).write_text(lines(1))
    for name in (".git", "node_modules"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "x.jsonl").write_text(lines(1))
    (tmp_path / "real.jsonl").write_text(lines(1))
    heard.count("ready", "real.jsonl", 1)
    time.sleep(0.3)
    assert heard.names() == {"real.jsonl"}


def test_an_editor_that_moves_the_file_away_and_writes_it_anew_removes_nothing(
    tmp_path: Path, follow: Start
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(1))
    heard = follow(tmp_path)
    heard.count("ready", "run.jsonl", 1)
    path.rename(tmp_path / "run.jsonl~")
    time.sleep(0.1)
    path.write_text(lines(2))
    heard.count("ready", "run.jsonl", 2)
    assert "gone" not in heard.changes()


def test_a_file_that_goes_is_told_and_what_comes_again_too(
    tmp_path: Path, follow: Start, how: dict[str, Any]
) -> None:
    path = tmp_path / "run.jsonl"
    path.write_text(lines(1))
    heard = follow(tmp_path, **how)
    heard.count("ready", "run.jsonl", 1)
    path.unlink()
    heard.count("gone", "run.jsonl", 1)
    path.write_text(lines(1))
    heard.count("ready", "run.jsonl", 2)
    assert heard.changes() == ["ready", "gone", "ready"]


@pytest.mark.parametrize(
    ("name", "half", "whole"),
    [
        (
            "cut.jsonl",
            '{"id": "a", "query": "q"}\n{"id": "b", "que',
            '{"id": "a", "query": "q"}\n{"id": "b"}',
        ),
        ("line.json", '{"cases": [{"id": "a"}', '{"cases": [{"id": "a"}]}'),
        ("pretty.json", '{\n "cases": [\n  {"id": "a"}\n', '{\n "cases": [\n  {"id": "a"}\n ]\n}\n'),
        ("list.json", '[{"id": "a", "expected_ids": []', '[{"id": "a", "expected_ids": []}]'),
        ("empty.jsonl", "", lines(1)),
        ("bom.jsonl", "\ufeff{", "\ufeff" + lines(2)),
    ],
)
def test_half_a_file_waits_for_its_other_half(
    name: str, half: str, whole: str, tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "GIVE_UP", 60.0)
    heard = follow(tmp_path)
    (tmp_path / name).write_text(half, "utf-8")
    heard.count("writing", name, 1)
    (tmp_path / name).write_text(whole, "utf-8")
    heard.count("ready", name, 1)
    assert heard.changes() == ["writing", "ready"]


def test_a_zipped_file_waits_for_the_end_of_its_stream(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "GIVE_UP", 60.0)
    data = gzip.compress(lines(500).encode())
    heard = follow(tmp_path)
    (tmp_path / "a.jsonl.gz").write_bytes(data[:-4])
    heard.count("writing", "a.jsonl.gz", 1)
    (tmp_path / "a.jsonl.gz").write_bytes(data)
    heard.count("ready", "a.jsonl.gz", 1)
    assert heard.changes() == ["writing", "ready"]


def test_a_file_that_is_never_finished_is_taken_as_it_is(tmp_path: Path, follow: Start) -> None:
    heard = follow(tmp_path)
    (tmp_path / "a.jsonl").write_text(lines(2) + '{"id": "half')
    heard.count("ready", "a.jsonl", 1)
    assert heard.changes() == ["writing", "ready"]


def test_a_file_cut_at_a_lines_end_is_told_again_when_it_goes_on(tmp_path: Path, follow: Start) -> None:
    heard = follow(tmp_path)
    (tmp_path / "a.jsonl").write_text(lines(2))
    heard.count("ready", "a.jsonl", 1)
    with (tmp_path / "a.jsonl").open("a") as file:
        file.write(line(2))
    heard.count("ready", "a.jsonl", 2)
    assert heard.changes() == ["ready", "ready"]


def test_a_writer_without_a_pause_is_followed_where_its_records_end(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "ENDLESS", 0.6)
    heard = follow(tmp_path)
    ends = time.monotonic() + 8
    number = 0
    with (tmp_path / "a.jsonl").open("a") as file:
        while "ready" not in heard.changes() and time.monotonic() < ends:
            file.write(line(number))
            file.flush()
            number += 1
            time.sleep(0.04)
    assert "ready" in heard.changes()


def test_a_folder_that_comes_goes_and_comes_back_is_followed(
    tmp_path: Path, follow: Start, how: dict[str, Any]
) -> None:
    folder = tmp_path / "not" / "yet"
    heard = follow(folder, **how)
    assert heard.modes[-1].absent == (folder,)
    folder.mkdir(parents=True)
    (folder / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)
    assert heard.modes[-1].absent == ()
    shutil.rmtree(folder)
    heard.count("gone", "a.jsonl", 1)
    folder.mkdir()
    (folder / "b.jsonl").write_text(lines(1))
    heard.count("ready", "b.jsonl", 1)
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "c.jsonl").write_text(lines(1))
    heard.count("ready", "c.jsonl", 1)


def test_folders_inside_and_links_to_folders_are_followed(tmp_path: Path, follow: Start) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real", target_is_directory=True)
    heard = follow(tmp_path / "link")
    (tmp_path / "real" / "deep" / "deeper").mkdir(parents=True)
    (tmp_path / "real" / "deep" / "deeper" / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)
    assert str(tmp_path / "link") in str(next(one for one in heard.told if isinstance(one, FileChange)).path)


def test_a_file_that_is_followed_by_name_may_be_called_anything(tmp_path: Path, follow: Start) -> None:
    path = tmp_path / "results.txt"
    heard = follow(path)
    (tmp_path / "other.jsonl").write_text(lines(1))
    (tmp_path / "new.txt").write_text(lines(1))
    (tmp_path / "new.txt").replace(path)
    heard.count("ready", "results.txt", 1)
    path.write_text(lines(2))
    heard.count("ready", "results.txt", 2)
    assert heard.names() == {"results.txt"}


def test_thousands_of_other_files_are_not_looked_at(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    scans: list[float] = []
    real = watch.scan

    def scan(places: Any) -> Any:
        scans.append(time.monotonic())
        return real(places)

    monkeypatch.setattr(watch, "scan", scan)
    heard = follow(tmp_path)
    time.sleep(0.7)
    before = len(scans)
    began = time.monotonic()
    for number in range(5000):
        (tmp_path / f"{number}.txt").write_text("")
    (tmp_path / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)
    # The scans that back the events up, and none for each of the files.
    assert len(scans) - before <= 2 + (time.monotonic() - began) / 0.5
    assert heard.changes() == ["ready"]


def test_what_was_loaded_before_is_not_told_unless_it_changed(tmp_path: Path, follow: Start) -> None:
    for name in ("same.jsonl", "changed.jsonl", "new.jsonl"):
        (tmp_path / name).write_text(lines(1))
    known = {
        os.path.realpath(tmp_path / name): (len(lines(1).encode()), (tmp_path / name).stat().st_mtime_ns)
        for name in ("same.jsonl", "changed.jsonl")
    }
    (tmp_path / "changed.jsonl").write_text(lines(2))
    heard = follow(tmp_path, known=known)
    heard.count("ready", "changed.jsonl", 1)
    heard.count("ready", "new.jsonl", 1)
    assert heard.names() == {"changed.jsonl", "new.jsonl"}


def test_beside_runs_that_were_named_alone_only_what_comes_anew_is_told(
    tmp_path: Path, follow: Start
) -> None:
    (tmp_path / "old.json").write_text(lines(1))
    (tmp_path / "deep").mkdir()
    heard = follow(Place(tmp_path, deep=False, old=False))
    (tmp_path / "deep" / "x.jsonl").write_text(lines(1))
    (tmp_path / "new.jsonl").write_text(lines(1))
    heard.count("ready", "new.jsonl", 1)
    assert heard.names() == {"new.jsonl"}


def test_where_the_system_gives_no_events_it_looks(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def refused(*paths: Path, **options: object) -> Iterator[set[Any]]:
        raise OSError("OS file watch limit reached")

    monkeypatch.setattr(watchfiles, "watch", refused)
    heard = follow(tmp_path, poll_seconds=0.05)
    heard.wait(lambda: heard.modes[-1].polling)
    (tmp_path / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)


def test_a_lost_event_costs_a_moment_and_no_file(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    import watchfiles

    def deaf(*paths: Path, stop_event: threading.Event, **options: object) -> Iterator[set[Any]]:
        stop_event.wait()
        yield set()

    monkeypatch.setattr(watchfiles, "watch", deaf)
    monkeypatch.setattr(watch, "SLOW_SCAN", 0.3)
    heard = follow(tmp_path)
    time.sleep(1.2)
    (tmp_path / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)
    assert not heard.modes[-1].polling


def test_polling_misses_none_of_many_quick_changes(tmp_path: Path, follow: Start) -> None:
    heard = follow(tmp_path, polling=True, poll_seconds=0.05)
    for count in range(1, 6):
        (tmp_path / "a.jsonl").write_text(lines(count))
        heard.count("ready", "a.jsonl", count)
    # Another file of the same size, under the same name, with the same time.
    stat = (tmp_path / "a.jsonl").stat()
    (tmp_path / "b.txt").write_text(lines(5).replace("q 4", "q 9"))
    os.utime(tmp_path / "b.txt", ns=(stat.st_atime_ns, stat.st_mtime_ns))
    (tmp_path / "b.txt").replace(tmp_path / "a.jsonl")
    heard.count("ready", "a.jsonl", 6)


def test_a_network_file_system_is_polled_without_being_asked(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "is_silent", lambda path: True)
    heard = follow(tmp_path, poll_seconds=0.05)
    assert heard.modes == [Following(True)]
    (tmp_path / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)


@pytest.mark.parametrize(
    ("kind", "silent"),
    [("ext4", False), ("tmpfs", False), ("overlay", False), ("fuseblk", False), ("nfs4", True), ("9p", True),
     ("cifs", True), ("virtiofs", True), ("vboxsf", True), ("fuse.sshfs", True)],
)  # fmt: skip
def test_events_are_not_trusted_where_another_machine_may_write(kind: str, silent: bool) -> None:
    assert is_silent(Path("/data/runs"), f"/dev/sda1 / ext4 rw 0 0\nx /data {kind} rw 0 0\n") == silent


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        (b'{"id": "a", "score": NaN}\n{"id": "b", "score": Infinity}\n', True),
        (b'{"id": "a"}\r\n{"id": "b"}\r\n\r\n', True),
        (b'{broken}\n{"id": "b"}\n', True),
        (b'{"id": "a"}\n{broken}\n', False),
        (b'{"id": "a"}\n{"id": "\xe9\x80', False),
        (b'{"cases": [\n{"id": "a"}', False),
        (b'[\n{"id": "a"},\n{"id": "b"}\n', False),
        (b'[\n{"id": "a", "score": NaN}\n]\n', True),
        (b"[]", True),
        (b" \n", False),
        (b'{"id": "' + b"x" * 300_000 + b'"}\n{"id": "b"}', True),
        (b'{"id": "' + b"x" * 300_000 + b'"}\n{"id": ', False),
        (b'{"id": "a"}\n{"id": "' + b"x" * 300_000 + b'"}\n', True),
        (gzip.compress(b"{}") + gzip.compress(b"{}"), True),
        (gzip.compress(b"{}") + gzip.compress(b"{}")[:-2], False),
        (gzip.compress(b"x" * 9_000_000), True),
    ],
    ids=map(str, range(16)),
)
def test_a_file_is_whole_where_its_end_says_so(text: bytes, whole: bool, tmp_path: Path) -> None:
    (tmp_path / "run").write_bytes(text)
    assert is_whole(tmp_path / "run") == whole


def test_a_few_files_are_told_once_they_stand_still(tmp_path: Path) -> None:
    few = FewFiles(lambda: [tmp_path / "triage.toml", *tmp_path.glob("themes/*.toml")])
    assert not few.changed() and not few.changed()
    (tmp_path / "triage.toml").write_text("advance = fal")
    assert not few.changed()
    (tmp_path / "triage.toml").write_text("advance = false")
    assert not few.changed() and few.changed() and not few.changed()
    (tmp_path / "themes").mkdir()
    (tmp_path / "themes" / "x.toml").write_text("")
    assert not few.changed() and few.changed()
    (tmp_path / "triage.toml").unlink()
    assert not few.changed() and few.changed() and not few.changed()


def test_a_file_that_takes_long_to_load_is_not_told_at_every_line(
    tmp_path: Path, follow: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "SLOW_LOAD", 0.4)
    heard = follow(tmp_path)
    (tmp_path / "a.jsonl").write_text(lines(1))
    heard.count("ready", "a.jsonl", 1)
    heard.watcher.took(tmp_path / "a.jsonl", 0.6)
    (tmp_path / "a.jsonl").write_text(lines(2))
    time.sleep(0.8)
    assert heard.changes() == ["ready"]
    heard.count("ready", "a.jsonl", 2)


def test_seconds_beyond_any_clock_are_waited_for_by_and_by(tmp_path: Path, follow: Start) -> None:
    heard = follow(tmp_path, polling=True, poll_seconds=1e300)
    heard.wait(lambda: heard.modes[-1].polling)
    time.sleep(0.1)
    assert heard.thread.is_alive()
