"""Suggestions against the pinned cases."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.citations.markers import cited_ids
from triage.diagnosis import REASONS, diagnose
from triage.models.measure import Scoring
from triage.models.record import Record

Shared = Callable[[str], Path]
RecordOf = Callable[..., Record]


def load(path: Path) -> Any:
    return json.loads(path.read_text("utf-8"))


def test_pinned_cases_get_their_suggestion(shared: Shared, record_of: RecordOf) -> None:
    held = 0
    for vector in load(shared("vectors/diagnosis.json"))["cases"]:
        right, name = vector["expected"], vector["case"]["id"]
        kb_ids = vector["kb_ids"]
        scoring = Scoring(k=vector["k"], kb_ids=None if kb_ids is None else frozenset(kb_ids))
        found = diagnose(record_of(vector["case"]), scoring)
        wanted = None if right["class"] == "none" else right["class"].replace("_", "-")
        suggestion = found.suggestion
        assert (suggestion.reason, suggestion.failure_class) == (right["sub_reason"], wanted), name
        assert suggestion.confidence == right["confidence"], name
        assert found.failing == (wanted is not None and right["confidence"] >= 0.4), name
        assert set(right["secondary_includes"]) <= {each.reason for each in found.secondary}, name
        mismatch = right["mismatch_includes"]
        assert mismatch is None or mismatch in suggestion.evidence["kinds"], name
        json.dumps([suggestion.evidence, *(each.evidence for each in found.secondary)])
        held += 1
    assert held == 36


@pytest.mark.parametrize("name", ["fixture_ten_cases", "fixture_false_refusal", "fixture_phantom_citation"])
def test_fixture_cases_that_fail(name: str, shared: Shared, record_of: RecordOf) -> None:
    fixture = load(shared(f"vectors/{name}.json"))
    found = {case["id"]: diagnose(record_of(case), Scoring(k=fixture["k"])) for case in fixture["cases"]}
    failing = {
        case: [each.suggestion.failure_class, each.suggestion.reason]
        for case, each in found.items()
        if each.failing
    }
    if name == "fixture_ten_cases":
        assert failing == fixture["diagnosis"]
        layers = {
            case: "".join(_cell(state) for state in each.layers.values()) for case, each in found.items()
        }
        assert (layers["E06"], layers["E08"], layers["E10"], layers["E09"]) == (
            ".x..",
            "x .x",
            "  x.",
            "  . ",
        )
        assert layers["E01"] == "...."
    else:
        assert set(failing) > {"E06", "E08", "E10"}
    assert all(each.suggestion.reason in REASONS for each in found.values())


def _cell(state: str | None) -> str:
    return " " if state is None else "." if state == "ok" else "x"


def test_citations_of_documents_that_are_not_there(shared: Shared, record_of: RecordOf) -> None:
    flat = [
        json.loads(line) for line in shared("bugfiles/101_out_of_range.jsonl").read_text("utf-8").splitlines()
    ]
    found = {}
    for each in flat:
        # An empty field beside markers in the answer yields to the markers when a record is read.
        record = record_of({**each, "citations": cited_ids(each["answer"])})
        found[each["id"]] = diagnose(record, Scoring())
    unknown = "citation_id_not_in_evidence"
    assert found["o1"].suggestion.reason == unknown
    assert found["o1"].suggestion.evidence["unresolved"] == ["9"]
    assert unknown in [each.reason for each in (found["o2"].suggestion, *found["o2"].secondary)]
    assert found["o2"].layers["citation-semantic"] == "fails"
    assert found["o3"].suggestion.reason == "ok"
    assert found["o4"].suggestion.reason == "no_citation"
