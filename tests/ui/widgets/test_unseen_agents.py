"""What a blind reader sees of turns, plans, tools, citations: what was expected, not whether it was met."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from rich.style import Style
from screen_help import record, write

from triage.models.case import CaseDetail
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.palette import DARK, Palette
from triage.ui.widgets.detail.build import build
from triage.ui.widgets.detail.page import Chosen, Hidden, Page
from triage.ui.widgets.detail.unseen import unseen
from triage.ui.widgets.detail.walk import said
from triage.workspace import Workspace

INK = Palette(DARK, dark=True, ansi=False, colourless=False)
SLOTS = {"city": "上海", "day": "周一"}
TURNS = [
    {"user": f"turn {number}", "slots": SLOTS | ({"day": "周五"} if number == 2 else {}),
     "expected_slots": SLOTS, "answer": "ok", "passed": number != 2}
    for number in range(1, 12)
]  # fmt: skip
AGENT: dict[str, Any] = {
    "route": "faq", "expected_route": ["orders"],
    "plan": [{"step": "look up", "ids": ["KB-9"]}, {"step": "guess"}], "expected_plan": ["look up", "answer"],
    "tools": [{"name": "find", "params": {"order": 1}}, {"name": "refund", "params": {}, "ok": False}],
    "expected_tools": [{"name": "find", "params": {"order": 2}}, {"name": "ask", "params": {}}],
    "turns": TURNS,
    "expected_ids": ["KB-7"], "answer": "seven [S1] days [S9]", "citations": ["S1", "S9"],
}  # fmt: skip
JUDGES = (
    "differs", "met", "not called", "extra", "wasted", "efficiency", "trajectory", "as expected", "not taken",
    "turns ok", ", ok", "fail ", "1 fail", "of 2 expected", "not in the evidence", "no source",
)  # fmt: skip


def detail_of(tmp_path: Path) -> CaseDetail:
    write(tmp_path / "agent.jsonl", [record(1, **AGENT)])
    workspace = Workspace(tmp_path / "agent.db", Settings(), reviewer="wei")
    workspace.ingest([tmp_path / "agent.jsonl"], LoadOptions())
    found = workspace.case_detail(Scope("agent"), "C01")
    workspace.close()
    return found


def page_of(detail: CaseDetail, hidden: Hidden, *, unfolded: bool, width: int = 100) -> Page:
    shown = unseen(detail, "wei", hidden)
    return build(shown, INK, width, unfolded=unfolded, hidden=hidden)


def text_of_page(page: Page) -> str:
    return "\n".join("".join(segment.text for segment in line) for line in page.lines)


def test_what_the_comparison_says_is_told_to_who_is_not_blind(tmp_path: Path) -> None:
    text = text_of_page(page_of(detail_of(tmp_path), "people", unfolded=False))
    for word in ("differs", "not called", "wasted", "of 2 expected", "not in the evidence"):
        assert word in text, word


def test_expected_and_actual_stand_there_without_whether_they_agree(tmp_path: Path) -> None:
    detail = detail_of(tmp_path)
    for unfolded in (False, True):
        for width in (60, 78, 100):
            text = text_of_page(page_of(detail, "machine", unfolded=unfolded, width=width))
            for word in JUDGES:
                assert word not in text, (word, unfolded, width)
            for word in (
                "expected orders",
                "faq",
                "look up",
                "ask",
                "refund",
                "failed",
                "KB-7",
                "周五",
                "周一",
            ):
                assert word in text or (not unfolded and word in ("周五",)), (word, unfolded, width)


def test_no_turn_is_picked_because_it_went_wrong(tmp_path: Path) -> None:
    detail = detail_of(tmp_path)
    folded = text_of_page(page_of(detail, "machine", unfolded=False))
    assert "turn 2" not in folded and "turn 11" in folded and "+ 7 turns" in folded
    assert "turn 2" in text_of_page(page_of(detail, "people", unfolded=False))


def test_no_colour_of_the_page_says_good_or_bad(tmp_path: Path) -> None:
    page = page_of(detail_of(tmp_path), "machine", unfolded=True)
    judging = {INK(role).color for role in ("good", "bad", "ranking", "retrieval", "refusal")}
    found = {
        segment.text for line in page.lines for segment in line
        if (segment.style or Style()).color in judging and segment.text.strip()
    }  # fmt: skip
    assert found == set()


def test_a_citation_that_is_walked_to_says_where_it_leads_and_no_more(tmp_path: Path) -> None:
    detail = detail_of(tmp_path)
    told = [said(detail, Chosen(citation), "o", blind=True) for citation in (0, 1)]
    assert told == ["[S1] is KB-1 at rank 1: o shows it", "[S9]"]
    assert "not an expected one" in said(detail, Chosen(0), "o")
    assert "names no document" in said(detail, Chosen(1), "o")
