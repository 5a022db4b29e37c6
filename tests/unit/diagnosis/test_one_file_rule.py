"""A rule is one file: put into a copy of the package it fires, explains itself and has its word."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import triage

RULE = '''"""Answers that go on for too long."""

from __future__ import annotations

from triage.diagnosis.rule import Rule
from triage.diagnosis.words import always

RULES = (
    Rule(
        reason="answer_too_long",
        number="19b",
        failure_class="citation-semantic",
        confidence=0.5,
        meaning="the answer is longer than 600 characters",
        fires=lambda facts: facts.has_answer and len(facts.record.answer or "") > 600,
        evidence=lambda facts: {"characters": len(facts.record.answer or "")},
        says=lambda shown, record: f"The answer has {shown['characters']} characters.",
        needs=("characters",),
        word=always("too long"),
    ),
)
'''
CASE = {
    "query": "how long?", "answerable": True, "expected_ids": ["KB-1"], "retrieved": [{"id": "KB-1"}],
    "predicted_answerable": True, "citations": ["KB-1"],
}  # fmt: skip


def test_a_new_file_in_a_copy_of_the_package_fires_in_a_case(tmp_path: Path) -> None:
    package = tmp_path / "copy" / "triage"
    shutil.copytree(Path(triage.__file__).parent, package, ignore=shutil.ignore_patterns("*.pyc.*", "ui"))
    (package / "diagnosis" / "rules" / "too_long.py").write_text(RULE, encoding="utf-8")
    cases = [
        {**CASE, "id": "long", "answer": "word " * 200},
        {**CASE, "id": "short", "answer": "word"},
        {**CASE, "id": "long too", "answer": "words " * 200},
    ]
    run = tmp_path / "run.jsonl"
    run.write_text("".join(json.dumps(case) + "\n" for case in cases), encoding="utf-8")

    def call(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "triage", "--db", str(tmp_path / "new.db"), *words],
            env={**os.environ, "PYTHONPATH": str(package.parent)},
            cwd=tmp_path, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    call("ingest", str(run))
    found = {name: json.loads(call("case", name, "--format", "json")) for name in ("long", "long too")}
    assert found["long"]["suggestion"] == {
        "class": "citation-semantic",
        "reason": "answer_too_long",
        "confidence": 0.5,
        "evidence": {"characters": 1000},
    }
    assert found["long"]["failing"]
    # It asks for more than labels, so that cases which agree in these are still asked one by one.
    assert found["long too"]["suggestion"]["evidence"] == {"characters": 1200}
    assert "The answer has 1000 characters." in call("case", "long")
    short = json.loads(call("case", "short", "--format", "json"))
    assert not short["failing"]
    listed = call("cases", "--filter", "reason:answer_too_long", "--format", "jsonl").splitlines()
    assert [json.loads(line)["id"] for line in listed] == ["long", "long too"]


def test_two_rules_of_one_name_are_told(tmp_path: Path) -> None:
    package = tmp_path / "copy" / "triage"
    shutil.copytree(Path(triage.__file__).parent, package, ignore=shutil.ignore_patterns("*.pyc.*", "ui"))
    for name in ("one", "two"):
        (package / "diagnosis" / "rules" / f"{name}.py").write_text(RULE, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", "import triage.diagnosis"],
        env={**os.environ, "PYTHONPATH": str(package.parent)}, cwd=tmp_path, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "two rules are called answer_too_long, 19b" in done.stderr
