"""A metric is added by one file: the README's page is followed to the letter, in a copy of the package."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from triage.metrics import catalogue
from triage.metrics.catalogue import CATALOGUE
from triage.metrics.registry import METRICS

ROOT = Path(__file__).resolve().parents[3]
README = ROOT / "README.md"
MARK = "# triage/metrics/catalogue/answer_length.py"
ANSWERS = {"a": "Seven days.", "b": "Yes.", "c": None}


def page() -> str:
    """The file that the README says to write."""
    blocks = re.findall(r"^```python\n(.*?)^```", README.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    found = [block for block in blocks if block.startswith(MARK)]
    if not found:
        pytest.skip("README.md has no page on adding a metric yet")
    return found[0]


def test_the_page_adds_a_metric_everywhere(tmp_path: Path) -> None:
    text = page()
    lines = [line for line in text.splitlines()[1:] if line.strip() and "import" not in line]
    assert len(lines) <= 10, "ten lines, the imports apart"
    shutil.copytree(ROOT / "triage", tmp_path / "triage", ignore=shutil.ignore_patterns("*.pyc.*"))
    (tmp_path / MARK.removeprefix("# ")).write_text(text, "utf-8")
    records = [
        {"id": case, "query": "q", "answerable": True, "expected_ids": ["A"], "retrieved": ["A"],
         "answer": answer, "predicted_answerable": True, "citations": []}
        for case, answer in ANSWERS.items()
    ]  # fmt: skip
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")

    def python(*words: str) -> str:
        env = {**os.environ, "PYTHONPATH": str(tmp_path), "TRIAGE_DB": str(tmp_path / "added.db")}
        done = subprocess.run(
            [sys.executable, *words], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    def told(*words: str) -> Any:
        return json.loads(python("-m", "triage", *words, "--format", "json"))

    python("-m", "triage", "ingest", str(run))
    shown = told("report")["metrics"]["answer_length"]
    lengths = [len(answer) for answer in ANSWERS.values() if answer is not None]
    assert (shown["value"], shown["missing"]) == (sum(lengths) / len(lengths), 1)
    assert shown["tells"]
    assert shown["does_not_tell"]
    assert "Answer length" in python("-m", "triage", "report")
    cases = json.loads(python("-m", "triage", "cases", "--filter", "answer_length:>5", "--format", "json"))
    listed = cases["cases"] if isinstance(cases, dict) else cases
    assert [(case["id"], case["measures"]["answer_length"]) for case in listed] == [("a", lengths[0])]
    column = python(
        "-c", "from triage.ui.widgets.cells import column; print(column('answer_length', 3).head)"
    )
    assert 0 < len(column.strip()) <= 8


def test_files_come_in_their_places_and_none_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert [entry.place for entry in CATALOGUE] == sorted(entry.place for entry in CATALOGUE)
    assert [metric for entry in CATALOGUE for metric in entry.metrics] == list(METRICS)
    folder = Path(catalogue.__file__).parent
    assert {entry.name for entry in CATALOGUE} == {path.stem for path in folder.glob("[!_]*.py")}
    # A second file of the same metrics is told, not silently used.
    shutil.copy(folder / "refusal.py", tmp_path / "again_refusal.py")
    monkeypatch.setattr(catalogue, "__path__", [*catalogue.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match=r"two metrics are called .*refusal_accuracy"):
        catalogue._registered()
    sys.modules.pop("triage.metrics.catalogue.again_refusal", None)
