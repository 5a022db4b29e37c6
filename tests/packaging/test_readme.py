"""README stays true: its commands run, its tables are the program's own, its picture and files exist."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType

import pytest
import textual

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "README.md").read_text(encoding="utf-8")
CONSOLE = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
COMMAND = re.compile(r"^\$ (triage .*?)(?:\s+# exit code (\d+))?$", re.MULTILINE)


def commands() -> list[tuple[str, int]]:
    """Every `$ triage` line of the console blocks, with the exit code it promises."""
    blocks = "\n".join(CONSOLE.findall(TEXT))
    return [(line, int(code or 0)) for line, code in COMMAND.findall(blocks)]


def tables() -> ModuleType:
    path = Path(__file__).with_name("readme_tables.py")
    spec = importlib.util.spec_from_file_location("readme_tables", path)
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.timeout(300)
def test_every_command_runs_in_the_order_it_stands(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "sample_runs", tmp_path / "sample_runs")
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "TRIAGE_DB": str(tmp_path / "readme.db")}
    shell = f'triage() {{ "{sys.executable}" -m triage "$@"; }}\n'
    assert len(commands()) >= 15
    for line, code in commands():
        done = subprocess.run(
            ["bash", "-c", shell + line], cwd=tmp_path, env=environment, capture_output=True, text=True,
            encoding="utf-8", timeout=60, check=False,
        )  # fmt: skip
        assert done.returncode == code, f"{line}\n{done.stdout}\n{done.stderr}"
        assert "Traceback" not in done.stderr, f"{line}\n{done.stderr}"
    assert (tmp_path / "tagged.csv").read_bytes().startswith(b"\xef\xbb\xbfrun,case_id,verdict")


def test_every_command_of_the_program_is_shown() -> None:
    from triage.cli.names import COMMANDS

    shown = {line.split()[1] for line, _ in commands()}
    elsewhere = {name for name in COMMANDS if f"triage {name}" in TEXT}
    assert set(COMMANDS) == (shown | elsewhere) & set(COMMANDS)


@pytest.mark.parametrize("name", ["keys", "metrics", "reasons", "settings"])
def test_table_is_drawn_from_the_program(name: str) -> None:
    module = tables()
    found = module.block(name).search(TEXT)
    assert found
    assert found.group(1).strip() == module.TABLES[name](), "refresh it: readme_tables.py --write"


def test_dependency_table_names_every_dependency() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    section = TEXT.split("## Dependencies")[1].split("\n## ")[0]
    wanted = [
        *project["project"]["dependencies"],
        *project["project"]["optional-dependencies"]["dev"],
        *project["build-system"]["requires"],
    ]
    names = [re.split(r"[<>=\[;]", requirement)[0] for requirement in wanted]
    assert [name for name in names if f"`{name}`" not in section] == []
    rows = re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
    runtime = [re.split(r"[<>=\[;]", requirement)[0] for requirement in project["project"]["dependencies"]]
    assert sorted(rows) == sorted(runtime)


def test_run_file_example_is_read_as_it_says(tmp_path: Path) -> None:
    from triage.models.query import Scope
    from triage.settings import Settings
    from triage.workspace import Workspace

    example = re.search(r'^```json\n(\{"run".*?)^```', TEXT, re.DOTALL | re.MULTILINE)
    assert example
    path = tmp_path / "example.jsonl"
    path.write_text(example.group(1), encoding="utf-8")
    workspace = Workspace(tmp_path / "example.db", Settings(), reviewer="tester")
    [report] = workspace.ingest([path])
    assert (report.run, report.records, report.rejected, report.problems) == ("kb42", 1, 0, ())
    [row] = workspace.case_rows(Scope(run="kb42"), list(workspace.case_keys(Scope(run="kb42"))))
    assert (row.id, row.reason, row.high_risk) == ("E06", "expected_below_rank1", True)


def test_settings_example_is_accepted(tmp_path: Path) -> None:
    from triage.settings import load_settings

    example = re.search(r"^```toml\n(.*?)^```", TEXT, re.DOTALL | re.MULTILINE)
    assert example
    (tmp_path / "triage.toml").write_text(example.group(1), encoding="utf-8")
    settings = load_settings(tmp_path)
    assert settings.mapping == {"passed": "labels.pass"}
    assert settings.keys == {"export": "E"}


def test_sample_files_it_names_are_those_that_are_shipped() -> None:
    section = TEXT.split("## The sample runs")[1].split("\n## ")[0]
    shipped = {path.name for path in (ROOT / "sample_runs").iterdir()}
    assert set(re.findall(r"`([\w-]+\.jsonl)`", section)) == shipped


def test_picture_is_there() -> None:
    [picture] = re.findall(r"!\[[^\]]+\]\(([^)]+)\)", TEXT)
    assert (ROOT / picture).is_file()


@pytest.mark.skipif(not textual.__version__.startswith("8.2."), reason="drawn with Textual 8.2")
def test_picture_is_of_the_app_as_it_is() -> None:
    import picture

    def words(svg: str) -> list[str]:
        return re.findall(r"<text[^>]*>([^<]*)</text>", svg)

    # To refresh it: python tests/packaging/picture.py --write
    assert words(picture.draw()) == words(picture.PICTURE.read_text("utf-8"))
