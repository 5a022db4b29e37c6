"""The Disputes screen: what every reader said side by side, a decision with its reason; all of it stays."""

from __future__ import annotations

import unicodedata

import pytest
from review_help import NAME, disputes_of, drawn, open_review, read
from rich.cells import cell_len
from screen_help import HOSTILE, settle, text_of

from triage.models.query import Scope
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Ask
from triage.ui.screens.disputes import DisputesScreen
from triage.ui.screens.review import ReviewScreen
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


def differing(workspace: Workspace, other: Workspace) -> None:
    """wei and li differ on C01 and C02."""
    drawn(workspace)
    read(workspace, C01="retrieval", C02="ranking", C04="retrieval")
    read(other, C01="ranking", C02="refusal", C04="retrieval")


async def test_each_reading_stands_with_its_reader_labels_note_and_time(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    drawn(workspace)
    workspace.queue.open("now", NAME, "C01")
    workspace.queue.give("now", NAME, "C01", "retrieval", labels=["stale-doc"], note="文档是旧的", seconds=42)
    other.queue.open("now", NAME, "C01")
    other.queue.give(
        "now", NAME, "C01", "test-set", labels=["routing"], note="the label is wrong", seconds=95
    )
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        text = text_of(app)
        assert "1 in dispute" in text
        row = next(line for line in text.splitlines() if line.startswith(">C01"))
        assert row.index(" retrieval ") < row.index(" test set ")
        side = next(line for line in text.splitlines() if "wei" in line and "li" in line and "-" in line)
        assert side.index("wei") < side.index("li")
        assert "in 42 s" in text and "in 2 min" in text
        labels = next(line for line in text.splitlines() if "stale-doc" in line)
        assert "routing" in labels
        notes = next(line for line in text.splitlines() if "文档是旧的" in line)
        assert "the label is wrong" in notes


async def test_a_digit_asks_why_and_settles_the_case_and_every_reading_stays(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        assert [one.id for one in disputes_of(pilot).table.rows] == ["C01", "C02"]
        await pilot.press("2")
        await settle(pilot, lambda: isinstance(app.screen, Ask))
        asked = text_of(app)
        assert "C01 is ranking: why?" in asked and "wei says retrieval, li says ranking" in asked
        assert "You are one of its readers." in asked
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Ask) and "a reason is wanted" in text_of(app)
        await pilot.press(*"it stands at rank 2", "enter")
        await settle(pilot, lambda: isinstance(app.screen, DisputesScreen))
        await settle(pilot, lambda: "1 settled" in text_of(app))
        text = text_of(app)
        assert "C01 settled as ranking" in text and "1 in dispute  1 settled" in text
        # It rests in its place, and the cursor is on the one that is left.
        assert any(line.startswith(">C02") for line in text.splitlines())
        assert any(line.startswith(" C01") and "settled" in line for line in text.splitlines())
    decided = workspace.queue.arbitrations("now", ["C01"])["C01"]
    assert (decided.verdict, decided.reason, decided.reviewer) == ("ranking", "it stands at rank 2", "wei")
    kept = workspace.queue.readings("now", ["C01"])["C01"]
    assert [(one.reviewer, one.verdict) for one in kept] == [("wei", "retrieval"), ("li", "ranking")]


async def test_a_decision_is_taken_back_and_settled_ones_are_a_view(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        await pilot.press("u")
        await settle(pilot)
        assert "nothing was settled here yet" in text_of(app)
        assert len(workspace.queue.readings("now", ["C01"])["C01"]) == 2
        await pilot.press("1")
        await settle(pilot, lambda: isinstance(app.screen, Ask))
        await pilot.press(*"gone", "enter")
        await settle(pilot, lambda: "1 settled" in text_of(app))
        await pilot.press("f")
        await settle(pilot)
        assert [one.id for one in disputes_of(pilot).table.rows] == ["C01"]
        await settle(pilot, lambda: "settles it: gone" in text_of(app))
        await pilot.press("u")
        await settle(pilot, lambda: "2 in dispute" in text_of(app))
        assert workspace.queue.arbitrations("now", ["C01"]) == {}
        await pilot.press("f", "f")
        await settle(pilot)
        assert len(disputes_of(pilot).table.rows) == 2


async def test_what_another_settles_leaves_the_pool_at_once(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d", "j")
        other.queue.arbitrate("now", "C01", "retrieval", "not there")
        await settle(pilot, lambda: "1 in dispute  1 settled" in text_of(app))
        assert any(line.startswith(">C02") for line in text_of(app).splitlines())
        await pilot.press("f", "f")
        await settle(pilot)
        assert "every" not in text_of(app) and len(disputes_of(pilot).table.rows) == 2


async def test_what_another_settles_while_one_types_is_not_settled_over_it_unseen(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d", "1")
        await settle(pilot, lambda: isinstance(app.screen, Ask))
        await pilot.press(*"gone")
        other.queue.arbitrate("now", "C01", "ranking", "rank 3")
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, DisputesScreen))
        await settle(pilot, lambda: "settled meanwhile: C01 by li as ranking: rank 3" in text_of(app))
        assert workspace.queue.arbitrations("now", ["C01"])["C01"].reviewer == "li"
        await pilot.press("escape")
        await settle(pilot, lambda: "1 in dispute  1 settled" in text_of(app))
        await pilot.press("f")
        await settle(pilot, lambda: any(line.startswith(">C01") for line in text_of(app).splitlines()))
        await pilot.press("1")
        await settle(pilot, lambda: isinstance(app.screen, Ask) and "gone" in text_of(app))
        assert "li settled it" in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, DisputesScreen))
        await settle(pilot, lambda: workspace.queue.arbitrations("now", ["C01"])["C01"].reviewer == "wei")
    reasons = [one.reason for one in workspace.case_detail(Scope("now"), "C01").events if one.reason]
    assert reasons == ["rank 3", "gone"]


async def test_nobody_disagrees_and_all_is_settled_are_told_apart(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "d")
        assert "nobody disagrees" in text_of(app)
        workspace.tag("now", ["C01"], "retrieval")
        other.tag("now", ["C01"], "ranking")
        await settle(pilot, lambda: "1 in dispute" in text_of(app))
        other.queue.arbitrate("now", "C01", "ranking", "rank 3")
        await settle(pilot, lambda: "every dispute is settled" in text_of(app))
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, ReviewScreen))


async def test_the_pool_opens_in_the_case_list(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d", "c")
        assert app.screen is app.triage
        await settle(pilot, lambda: "2 of 10" in text_of(app))
        assert "is:disputed" in text_of(app)


async def test_on_a_narrow_screen_the_case_takes_the_list_s_place(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot, "d")
        assert "asked" not in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: "asked" in text_of(app))
        assert "question 1" in text_of(app) and ">C01" not in text_of(app)
        await pilot.press("j")
        await settle(pilot, lambda: "question 2" in text_of(app))
        await pilot.press("escape")
        await settle(pilot, lambda: ">C02" in text_of(app))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [("d",), ("d", "enter"), ("d", "f", "f")])
async def test_hostile_text_stays_text_and_every_row_is_whole(
    app: TriageApp, workspace: Workspace, other: Workspace, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    third = Workspace(workspace.database, workspace.settings, reviewer=f"ann {HOSTILE}")
    drawn(workspace, readings=3)
    for one, verdict in ((workspace, "retrieval"), (other, "other"), (third, "test-set")):
        one.queue.open("now", NAME, "C03")
        one.queue.give("now", NAME, "C03", verdict, labels=["旧文档"], note=f"“引号”…—{HOSTILE}" * 9)
    third.close()
    async with app.run_test(size=size) as pilot:
        await open_review(pilot, *keys)
        lines = text_of(app).splitlines()
        assert all(cell_len(line) == size[0] for line in lines)
        assert "\x1b" not in "".join(lines) and "\u202e" not in "".join(lines)
        if "enter" not in keys:
            assert any(line.startswith(">C03") for line in lines)


async def test_no_doubtful_sign_stands_left_of_another_reading(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    differing(workspace, other)
    workspace.queue.open("now", NAME, "C01")
    workspace.queue.give("now", NAME, "C01", "retrieval", note="“旧”… — 不对")
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        line = next(line for line in text_of(app).splitlines() if "不对" in line)
        assert {sign for sign in line if unicodedata.east_asian_width(sign) == "A"} == set()


async def test_of_many_readers_each_is_seen(workspace: Workspace, app: TriageApp) -> None:
    drawn(workspace, readings=6)
    names = ("ann", "ben", "cai", "dee", "eva", "fay")
    for at, name in enumerate(names):
        one = Workspace(workspace.database, workspace.settings, reviewer=name)
        one.queue.open("now", NAME, "C01")
        one.queue.give("now", NAME, "C01", "retrieval" if at % 2 else "ranking", note="很长的说明。" * 40)
        one.close()
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        text = text_of(app)
        assert all(name in text for name in names) and "asked" in text
