"""Where the database is looked for and made."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from triage import paths


def make(folder: Path) -> Path:
    (folder / ".triage").mkdir(parents=True)
    (folder / ".triage" / "triage.db").touch()
    return folder / ".triage" / "triage.db"


def test_the_nearest_database_upward_is_found(tmp_path: Path) -> None:
    far = make(tmp_path)
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert paths.find_database(deep) == far.resolve()
    near = make(tmp_path / "a")
    assert paths.find_database(deep) == near.resolve()


def test_the_search_ends_at_the_repository_root(tmp_path: Path) -> None:
    make(tmp_path)
    inside = tmp_path / "repo" / "src"
    inside.mkdir(parents=True)
    (tmp_path / "repo" / ".git").mkdir()
    assert paths.find_database(inside) is None
    own = make(tmp_path / "repo")
    assert paths.find_database(inside) == own.resolve()


def test_home_counts_only_where_it_is_the_start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    own = make(tmp_path)
    (tmp_path / "work").mkdir()
    assert paths.find_database(tmp_path / "work") is None
    assert paths.find_database(tmp_path) == own.resolve()


def test_the_environment_names_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "x" / "other.db"
    monkeypatch.setenv("TRIAGE_DB", str(named))
    make(tmp_path)
    assert paths.find_database(tmp_path) is None
    assert paths.new_database(tmp_path) == named
    named.parent.mkdir()
    named.touch()
    assert paths.find_database(tmp_path) == named


def test_reading_makes_nothing(tmp_path: Path) -> None:
    assert paths.find_database(tmp_path) is None
    paths.new_database(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_new_database_is_its_owners_alone(tmp_path: Path) -> None:
    path = paths.new_database(tmp_path, create=True)
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (path.parent / ".gitignore").read_text(encoding="utf-8") == "*\n"


def test_a_named_database_gets_no_gitignore(tmp_path: Path) -> None:
    paths.new_database(create=True, path=tmp_path / "d" / "runs.db")
    assert [path.name for path in (tmp_path / "d").iterdir()] == ["runs.db"]


@pytest.mark.parametrize("text", ["a" * 5000, "x/" * 3000, "a\0b", "~nobody-of-that-name/x", ""])
def test_what_can_be_no_path_is_not_there(text: str) -> None:
    assert not paths.is_there(paths.typed(text)) or text == ""
    assert not paths.is_file(text)
    assert not paths.is_folder(text)


def test_a_home_that_is_not_there_stays_as_it_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/of/mine")
    assert paths.typed("~/x.db") == Path("/home/of/mine/x.db")
    assert paths.typed("~nobody-of-that-name/x.db") == Path("~nobody-of-that-name/x.db")
