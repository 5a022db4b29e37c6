"""Which words mean what: commands, paths, options, and what goes wrong with them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import triage as package

Call = Callable[..., Any]
COMMANDS = (
    "demo open ingest runs report cases case tag note label export baseline remove db "
    "sample review agreement reweigh codes groups"
).split()
LATER = "compare formats".split()


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself_with_an_example(triage: Call, command: str) -> None:
    done = triage(command, "--help")
    assert done.code == 0
    assert f"Example: triage {command}" in done.out
    assert "--db FILE" in done.out
    assert done.err == ""


@pytest.mark.parametrize("word", LATER)
def test_a_command_that_is_not_there_yet_is_no_command(triage: Call, word: str) -> None:
    done = triage(word)
    assert done.code == 2
    assert "no such command" in done.err
    assert done.err.count("\n") == 1


def test_a_slip_of_the_keyboard_gets_the_nearest_command(triage: Call) -> None:
    done = triage("reprot")
    assert done.code == 2
    assert "did you mean report?" in done.err
    assert done.out == ""


def test_words_after_two_dashes_are_paths_whatever_they_say(triage: Call, make: Any, place: Path) -> None:
    make.write(place / "report", [make.record("a")])
    done = triage("--", "report")
    assert done.code == 0, done.err
    assert "1 cases" in done.out
    assert triage("--", "runs").code == 1


def test_a_command_wins_over_a_file_of_its_name_and_dot_slash_is_the_file(
    triage: Call, make: Any, place: Path
) -> None:
    make.write(place / "runs", [make.record("a")])
    assert triage("runs").code == 1, "no runs are loaded"
    assert triage("./runs").code == 0
    assert "runs" in triage("runs").out


def test_group_options_stand_before_the_command_and_hold_for_it(
    triage: Call, place: Path, small: Path
) -> None:
    database = place / "other" / "my.db"
    assert triage("--db", str(database), "ingest", "kb42.jsonl").code == 0
    assert database.is_file()
    assert not (place / ".triage").exists()
    assert triage("--db", str(database), "report").code == 0
    assert triage("report", "--db", str(database)).code == 0
    assert triage("report").code == 1


def test_options_may_follow_the_path(triage: Call, place: Path, small: Path) -> None:
    done = triage("kb42.jsonl", "--db", str(place / "x.db"), "--reviewer", "wei")
    assert done.code == 0, done.err
    assert (place / "x.db").is_file()


def test_not_on_a_terminal_paths_are_loaded_and_the_newest_is_reported(
    triage: Call, make: Any, place: Path, small: Path
) -> None:
    make.write(place / "old.jsonl", [make.record("a")], {"id": "old", "created_at": "2020-01-01T00:00:00Z"})
    done = triage(".")
    assert done.code == 0, done.err
    assert done.out.startswith("kb42 ")
    assert triage().out == done.out


@pytest.mark.parametrize("k", ["0", "-1", "abc", "2.5", "", "99999999999999999999"])
@pytest.mark.parametrize("command", ["report", "cases", "export", "case"])
def test_a_wrong_k_is_refused_in_one_line(triage: Call, small: Path, command: str, k: str) -> None:
    words = [command, "a"] if command == "case" else [command]
    done = triage(*words, f"--k={k}")
    assert done.code == 2
    assert "whole number from 1 on" in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    "words",
    [
        ["report", "--bogus"],
        ["report", "--format", "xml"],
        ["cases", "--limit", "0"],
        ["tag", "a"],
        ["tag", "kb42", "a", "ranking", "more"],
        ["tag", "a", "rankin"],
        ["tag", "a", "--clear", "--note", "x"],
        ["note", "a"],
        ["label", "a"],
        ["case", "a", "b", "c"],
        ["ingest"],
        ["remove"],
        ["export", "-o", "x.ods"],
        ["report", "--fail-on", "rain"],
        ["ingest", "kb42.jsonl", "--map", "nonsense"],
        ["ingest", "kb42.jsonl", "--set", "k"],
    ],
)
def test_wrong_usage_is_one_line_and_exit_code_2(triage: Call, small: Path, words: list[str]) -> None:
    assert triage("ingest", "kb42.jsonl").code == 0
    done = triage(*words)
    assert done.code == 2, done
    assert done.out == ""
    assert done.err.startswith("triage: error: ")
    assert done.err.count("\n") == 1


def test_reading_makes_nothing(triage: Call, place: Path) -> None:
    for words in (["report"], ["runs"], ["cases"], ["case", "a"], ["export"], ["tag", "a", "ranking"], []):
        done = triage(*words)
        assert done.code == 1, words
        assert "no runs" in done.err
    assert [path.name for path in place.iterdir()] == [".git"]


def test_a_first_load_makes_a_private_database_that_git_ignores(
    triage: Call, place: Path, small: Path
) -> None:
    assert triage("ingest", "kb42.jsonl").code == 0
    folder = place / ".triage"
    assert (folder.stat().st_mode & 0o777) == 0o700
    assert ((folder / "triage.db").stat().st_mode & 0o777) == 0o600
    assert (folder / ".gitignore").read_text() == "*\n"


def test_a_file_that_is_not_there_makes_no_database(triage: Call, place: Path) -> None:
    done = triage("ingest", "nowhere.jsonl")
    assert done.code == 1
    assert "nowhere.jsonl" in done.err + done.out
    assert [path.name for path in place.iterdir()] == [".git"]


def test_the_database_is_found_from_a_folder_below(
    triage: Call, place: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert triage("ingest", "kb42.jsonl").code == 0
    (place / "deep" / "er").mkdir(parents=True)
    monkeypatch.chdir(place / "deep" / "er")
    assert triage("report").code == 0


def test_the_environment_names_a_database(
    triage: Call, place: Path, small: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TRIAGE_DB", str(place / "env.db"))
    assert triage("ingest", "kb42.jsonl").code == 0
    assert (place / "env.db").is_file()
    assert not (place / ".triage").exists()


def test_a_file_that_is_no_database_is_told_in_one_line(triage: Call, place: Path) -> None:
    (place / "x.db").write_text("this is no database, and long enough to be looked at as one " * 9)
    done = triage("report", "--db", "x.db")
    assert done.code == 1
    assert done.err.count("\n") == 1


def run_triage(place: Path, *words: str, code: str = "") -> subprocess.CompletedProcess[str]:
    program = (
        "import sys\nfrom triage.cli import main\ntry:\n    main()\nfinally:\n"
        "    print(' '.join(sorted(sys.modules)), file=sys.stderr)\n"
    )
    root = str(Path(package.__file__).parent.parent)
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=place,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["--help"], 0),
        (["report"], 0),
        (["export"], 0),
        (["cases", "--format", "jsonl"], 0),
        (["runs"], 0),
        ([], 0),
    ],
)
def test_commands_never_load_the_screen_library(
    triage: Call, place: Path, small: Path, words: list[str], code: int
) -> None:
    assert triage("ingest", "kb42.jsonl").code == 0
    done = run_triage(place, *words)
    assert done.returncode == code, done.stderr
    loaded = set(done.stderr.splitlines()[-1].split())
    assert "triage.cli" in loaded
    assert not {name for name in loaded if name.split(".")[0] in {"textual", "watchfiles"}}


def test_a_report_needs_neither_validation_nor_migration_nor_parser(
    triage: Call, place: Path, small: Path
) -> None:
    assert triage("ingest", "kb42.jsonl").code == 0
    loaded = set(run_triage(place, "report").stderr.splitlines()[-1].split())
    assert not {
        name for name in loaded if name.split(".")[0] in {"pydantic", "sqlite_utils", "luqum", "textual"}
    }


def test_a_reader_that_goes_away_is_no_error(triage: Call, make: Any, place: Path) -> None:
    make.write(place / "big.jsonl", [make.record(f"c{number}") for number in range(3000)])
    assert triage("ingest", "big.jsonl").code == 0
    with subprocess.Popen(
        [sys.executable, "-m", "triage", "cases", "--format", "jsonl"],
        cwd=place,
        env={**os.environ, "PYTHONPATH": str(Path(package.__file__).parent.parent)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert b"c0" in process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""


@pytest.mark.parametrize("word", ["a" * 300, f"./{'退' * 200}", "~nobody-of-that-name/run.jsonl"])
@pytest.mark.parametrize("command", ["report", "cases", "ingest", "baseline", "tag"])
def test_a_word_that_can_be_no_path_is_wrong_and_no_bug(triage: Call, command: str, word: str) -> None:
    done = triage(command, word, *(["C01", "ranking"] if command == "tag" else []))
    assert done.code in (1, 3)
    assert "bug" not in done.err
    assert done.err.count("\n") <= 1


@pytest.mark.parametrize("word", ["a" * 300, "~nobody-of-that-name/t.db"])
def test_a_database_that_can_be_no_path_is_told(
    triage: Call, word: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "bug" not in triage("--db", word, "report").err
    monkeypatch.setenv("TRIAGE_DB", word)
    assert "bug" not in triage("runs").err
