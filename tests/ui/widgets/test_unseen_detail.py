"""What a reader does not see of a case before his own verdict."""

from __future__ import annotations

from pathlib import Path

import pytest
from screen_help import HOSTILE, MISS, SECOND, record, write

from triage.models.case import CaseDetail
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.palette import DARK, Palette
from triage.ui.widgets.detail.build import build
from triage.ui.widgets.detail.head import head
from triage.ui.widgets.detail.page import Hidden
from triage.ui.widgets.detail.unseen import unseen
from triage.ui.widgets.detail.walk import stops
from triage.workspace import Workspace

JUDGED = {
    "scores": {"faithfulness": 1.5},
    "judges": [{"judge": "strict-judge", "scores": {"faithfulness": 1}, "reason": "judge says bad"}],
    "passed": False,
    "failure_reason": "runner says no",
    "human_score": "extra key 77",
    "golden": {"must": [{"fact": "seven days it is", "hit": False}]},
    "turns": [{"user": "turn words", "answer": "said so", "passed": False, "grade": "grade D"}],
}


def detail_of(tmp_path: Path, **changes: object) -> CaseDetail:
    """A ranking case that others have judged, noted and labelled, here and in the run before."""
    one = record(1, **(SECOND | JUDGED | changes))
    write(tmp_path / "past.jsonl", [record(1, **MISS)], created_at="2026-11-01T10:00:00Z", kb_version="kb1")
    write(tmp_path / "seen.jsonl", [one], created_at="2026-11-02T10:00:00Z", kb_version="kb2")
    database = tmp_path / "unseen.db"
    for reviewer in ("li", "wei"):
        workspace = Workspace(database, Settings(), reviewer=reviewer)
        if reviewer == "li":
            workspace.ingest([tmp_path], LoadOptions())
            workspace.tag("past", ["C01"], "refusal", note="past note of li")
            workspace.tag("seen", ["C01"], "refusal", labels=["secret-label"], note="secret note")
        else:
            found = workspace.case_detail(Scope("seen"), "C01")
        workspace.close()
    return found


def shown(detail: CaseDetail, hidden: Hidden) -> str:
    """Head and page as text."""
    ink = Palette(DARK, dark=True, ansi=False, colourless=False)
    page = build(detail, ink, 100, unfolded=True, hidden=hidden)
    lines = [head(detail, None, 100, ink, focused=True, hidden=hidden), *page.lines]
    return "\n".join("".join(segment.text for segment in line) for line in lines)


def test_everything_is_there_where_nothing_is_hidden(tmp_path: Path) -> None:
    text = shown(detail_of(tmp_path), "nothing")
    for word in ("secret-label", "secret note", "li", "strict-judge", "runner says no", "2 ranking", "rule "):
        assert word in text, word


def test_other_readers_are_taken_out_and_the_machine_stays(tmp_path: Path) -> None:
    detail = unseen(detail_of(tmp_path), "wei", "people")
    text = shown(detail, "people")
    for word in ("secret", "past note", "refusal ", " li ", "verdicts"):
        assert word not in text.replace("3 refusal", ""), word
    for word in ("2 ranking", "strict-judge", "runner says no", "before", "rule "):
        assert word in text, word
    assert detail.row.review is None and detail.events == () and detail.earlier[0].review is None


def test_a_blind_reader_sees_question_answer_and_evidence_alone(tmp_path: Path) -> None:
    detail = unseen(detail_of(tmp_path), "wei", "machine")
    text = shown(detail, "machine")
    for word in (
        "secret", "ranking", "rank ", "rule", "strict-judge", "judge says", "1.5", "runner", "extra key",
        "before", "sure", "failing", "missing", "grade", "above", "passing", "verdicts", "facts there",
    ):  # fmt: skip
        assert word not in text, word
    for word in ("question 1", "seven days", "KB-1", "KB-2", "expected", "[S2] cited", "turn words"):
        assert word in text, word


def test_a_blind_reader_walks_every_citation_and_none_is_told_apart(tmp_path: Path) -> None:
    whole = detail_of(tmp_path, answer="seven days [S1] or eight [S9]", citations=["S1", "S9"])
    assert stops(whole)[0].sentence == 0, "who sees all is led to the flagged sentence"
    blind = unseen(whole, "wei", "machine")
    assert [chosen.citation for chosen in stops(blind, all_citations=True)] == [0, 1]
    assert "no source" not in shown(blind, "machine") and "no source" in shown(whole, "nothing")


def test_own_words_stay(tmp_path: Path) -> None:
    whole = detail_of(tmp_path)
    assert unseen(whole, "li", "people").events == whole.events
    assert "yours" in shown(unseen(whole, "li", "people"), "people")


def test_a_case_that_broke_says_so_to_a_blind_reader(tmp_path: Path) -> None:
    broken = unseen(detail_of(tmp_path, error="timed out", answer=None, citations=None), "wei", "machine")
    assert "error: timed out" in shown(broken, "machine")


@pytest.mark.parametrize("hidden", ["people", "machine"])
def test_a_hostile_record_is_harmless(tmp_path: Path, hidden: Hidden) -> None:
    whole = detail_of(tmp_path, query=HOSTILE, answer=HOSTILE, topic=HOSTILE, error=HOSTILE)
    text = shown(unseen(whole, "wei", hidden), hidden)
    assert "\x1b" not in text and "\x07" not in text and "[/INST]" in text
