"""The rules of the house that no linter knows."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FILES = sorted((ROOT / "triage").rglob("*.py"))
LONGEST = 400


def test_there_are_files_to_look_at() -> None:
    assert len(FILES) > 30


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_file_is_too_long_to_read(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST


def test_stylesheets_stand_beside_their_screens_and_hold_no_colour() -> None:
    for path in (ROOT / "triage").rglob("*.tcss"):
        assert path.parent.name in {"screens", "ui", "widgets"}
        assert not re.search(r"#[0-9a-fA-F]{3,8}\b(?![-\w]*\s*\{)", path.read_text(encoding="utf-8")), path


def test_top_level_is_as_fixed() -> None:
    allowed = {"pyproject.toml", "README.md", "triage", "tests", "sample_runs", "themes"}
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if not listed:
        pytest.skip("not a git checkout")
    tops = {line.split("/")[0].strip('"') for line in listed.splitlines()}
    assert {top for top in tops if not top.startswith(".")} <= allowed | {"uv.lock"}


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module:
            found.add(node.module)
        elif isinstance(node, ast.Import):
            found.update(name.name for name in node.names)
    return found


def _modules() -> dict[str, Path]:
    names = {".".join(path.relative_to(ROOT).with_suffix("").parts): path for path in FILES}
    return {name.removesuffix(".__init__"): path for name, path in names.items()}


def _imports_at_runtime(path: Path, modules: dict[str, Path]) -> set[str]:
    """Our own modules that a file imports, inside functions too; what only type checkers read is left out."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            node.body = []
    found: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            inside = (f"{node.module}.{name.name}" for name in node.names)
            found.update(name if name in modules else node.module for name in inside)
    return found & modules.keys()


def test_no_imports_go_round_deferred_ones_included() -> None:
    modules = _modules()
    left = {name: _imports_at_runtime(path, modules) - {name} for name, path in modules.items()}
    while free := {name for name, needs in left.items() if not needs & left.keys()}:
        left = {name: needs for name, needs in left.items() if name not in free}
    assert not left, "these import each other, or something that does"


def test_only_ui_speaks_textual_and_only_store_speaks_sqlite() -> None:
    for path in FILES:
        part = path.relative_to(ROOT / "triage").parts[0]
        names = imported(path)
        if part != "ui":
            assert not {name for name in names if name.split(".")[0] == "textual"}, path
        if part not in {"store", "formats"}:
            assert not {name for name in names if name.split(".")[0] in {"sqlite3", "sqlite_utils"}}, path


def test_pure_parts_ask_neither_clock_nor_disk() -> None:
    banned = {"os", "time", "pathlib", "random", "sqlite3", "datetime", "subprocess"}
    for part in ("models", "citations", "metrics", "diagnosis"):
        for path in (ROOT / "triage" / part).rglob("*.py"):
            assert not {name.split(".")[0] for name in imported(path)} & banned, path
    for path in (ROOT / "triage" / "review").rglob("*.py"):
        # A generator that is made from a seed has no state that others share.
        assert not {name.split(".")[0] for name in imported(path)} & (banned - {"random"}), path
        assert "import random" not in path.read_text("utf-8"), path
    for module in ("plain.py", "similar.py"):
        assert not {name.split(".")[0] for name in imported(ROOT / "triage" / module)} & banned


def loaded_by(words: list[str], tmp_path: Path) -> set[str]:
    program = (
        "import sys\nfrom triage.cli import main\nsys.argv = sys.argv[1:]\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        "print('\\n' + ' '.join(sorted(sys.modules)))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, "triage", *words],
        cwd=tmp_path,
        env={"PATH": "/usr/bin:/bin", "HOME": str(tmp_path), "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("words", [["--help"], ["report"], ["runs"], ["export"], ["cases"]])
def test_commands_start_without_the_screen_library(words: list[str], tmp_path: Path) -> None:
    modules = loaded_by(words, tmp_path)
    assert "triage.cli" in modules
    assert "textual" not in modules
