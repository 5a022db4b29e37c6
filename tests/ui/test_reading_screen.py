"""The screen of a reader in the running app: one case at a time, one key a verdict, nothing of others."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path

import pytest
from reading_help import NAME, draw, open_reading, press, reading, ready
from screen_help import HOSTILE, settle, ten, text_of, write

from triage.errors import Busy
from triage.models.run import LoadOptions
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Ask
from triage.ui.screens.help import HelpScreen
from triage.ui.screens.labels import LabelsDialog
from triage.ui.screens.reading import ReadingScreen
from triage.ui.widgets.case_detail import CaseDetail
from triage.ui.widgets.footer import Footer
from triage.ui.work.reading_queue import Beside
from triage.workspace import Workspace

SIZES = [(120, 40), (120, 36), (100, 30), (80, 24)]


def verdict_of(workspace: Workspace, case_id: str) -> str | None:
    """The reviewer's verdict that stands."""
    found = workspace.queue.readings("now", [case_id]).get(case_id, ())
    return next((one.verdict for one in found if one.reviewer == workspace.reviewer), None)


@pytest.mark.parametrize("size", SIZES)
async def test_question_answer_evidence_and_meanings_stand_on_one_screen(
    app: TriageApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    first = draw(workspace)[0]
    async with app.run_test(size=size) as pilot:
        await open_reading(pilot, app)
        text = text_of(app)
        for word in (first, "asked", "answered", "evidence", "0 of 4 read", "first of 2 readings", "wei"):
            assert word in text, word
        for word in ("retrieval", "ranking", "refusal", "citation", "other", "test set", "fine"):
            assert f" {word}" in text
        assert "七月 [b]抽样[/b]" in text
        meaning = "What answers" if size[1] > 30 else "the source was not found"
        assert meaning in text
        assert all(word in text.splitlines()[-1] for word in ("d defer", "u undo", "esc pause", "? help"))


async def test_one_key_gives_the_verdict_and_the_next_case_comes(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]
        await press(pilot, app, "2")
        assert verdict_of(workspace, order[0]) == "ranking"
        assert screen.hand.handed.case_id == order[1]
        text = text_of(app)
        assert "1 of 4 read" in text and f"{order[0]} read: ranking" in text and "u undo" in text
        one = workspace.queue.readings("now", [order[0]])[order[0]][0]
        assert one.sample == NAME and one.seconds is not None and one.seconds >= 0


@pytest.mark.parametrize(
    ("key", "verdict"), [("１", "retrieval"), ("９", "test-set"), ("０", "not-a-failure"), ("５", "other")]
)
async def test_full_width_digits_of_an_input_method_do_the_same(
    app: TriageApp, workspace: Workspace, key: str, verdict: str
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_reading(pilot, app)
        await press(pilot, app, key)
        assert verdict_of(workspace, order[0]) == verdict


async def test_space_accepts_the_suggestion_and_a_full_width_space_too(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace, n=10)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        wanted = {"C01": "retrieval", "C04": "retrieval", "C02": "ranking", "C06": "citation-semantic"}
        for at, case_id in enumerate(order):
            assert screen.hand.handed is not None and screen.hand.handed.case_id == case_id
            if case_id == "C08":
                await press(pilot, app, "space")
                assert "nothing to accept" in text_of(app)
                await press(pilot, app, "5")
                continue
            assert "space accept" in text_of(app).splitlines()[-1]
            await press(pilot, app, "space" if at % 2 else "ideographic_space")
            assert verdict_of(workspace, case_id) == wanted.get(case_id, "not-a-failure"), case_id
        text = text_of(app)
        assert "nothing is left for you to read" in text and "10 cases read by you" in text
        assert "10 of 20 readings done" in text and "esc goes back" in text


async def test_others_verdicts_labels_and_notes_are_nowhere_on_the_screen(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    for case_id in order:
        other.queue.next("now", NAME)
        other.queue.give("now", NAME, case_id, "refusal", labels=["secret-label"], note="secret note")
    other.tag("before", order, "refusal", labels=["older-label"], note="older note")
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_reading(pilot, app)
        for case_id in order:
            text = text_of(app)
            assert case_id in text and "second of 2 readings" in text
            for word in ("secret", "older", " li ", "disputed", "noted"):
                assert word not in text, word
            shown = screen.case.detail
            assert shown is not None and shown.row.review is None and shown.events == ()
            await press(pilot, app, "l")
            await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
            await pilot.pause()
            assert "[x]" not in text_of(app)
            await press(pilot, app, "escape", "1")
        assert "4 cases in dispute" in text_of(app)


async def test_blind_hides_the_machine_and_the_key_shows_it_again(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace, n=10)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_reading(pilot, app, blind=True)
        assert " blind " in text_of(app)
        for case_id in order[:5]:
            assert screen.hand.handed is not None and screen.hand.handed.case_id == case_id
            text = text_of(app)
            for word in ("rule ", "sure .", "why ", "scores ", "before ", "passing", "retrieval?", "accept"):
                assert word not in text, (case_id, word)
            await press(pilot, app, "space")
            assert screen.hand.handed is not None and screen.hand.handed.case_id == case_id
            await press(pilot, app, "b")
            assert (
                "rule " in text_of(app) and "accept" in text_of(app) and " blind " not in text_of(app)[:120]
            )
            await press(pilot, app, "b", "0")
        assert verdict_of(workspace, order[0]) == "not-a-failure"


async def test_a_case_put_off_with_a_reason_comes_last_and_tells_it(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace, n=2)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "d")
        await settle(pilot, lambda: isinstance(app.screen, Ask))
        await pilot.press("enter")
        await pilot.pause()
        assert isinstance(app.screen, Ask)
        await pilot.press(*"ask [b] Li", "enter")
        await settle(pilot, lambda: ready(app) and screen.hand.handed.case_id == order[1])  # type: ignore[union-attr]
        await press(pilot, app, "0")
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]
        assert "put off: ask [b] Li" in text_of(app)
        await press(pilot, app, "0")
        assert "nothing is left" in text_of(app)


async def test_it_goes_on_where_it_was_left_on_another_day_or_terminal(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace, readings=1)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_reading(pilot, app)
        await press(pilot, app, "1")
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        handed = other.queue.next("now", NAME)
        assert not isinstance(handed, str) and handed.case_id == order[1]
        screen = await open_reading(pilot, app)
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[2]
        assert "1 of 3 read" in text_of(app)


async def test_another_terminals_verdicts_move_nothing(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        before = screen.case.detail
        other.queue.next("now", NAME)
        other.queue.give("now", NAME, order[0], "refusal", note="secret")
        await settle(pilot, lambda: screen.hand.progress is not None and screen.hand.progress.readings == 1)
        await pilot.pause()
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]
        assert screen.case.detail is before and "secret" not in text_of(app)


async def test_only_cases_within_the_filter_come_and_it_says_how_many_are_left_out(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace, n=10)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app, "topic:refund")
        assert screen.hand.handed is not None and screen.hand.handed.case_id == "C02"
        assert "within topic:refund, 9 left out" in text_of(app)
        await press(pilot, app, "2")
        text = text_of(app)
        assert "within the filter: topic:refund" in text and "9 outside the filter" in text


async def test_no_case_within_the_filter_says_so_and_names_it(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace, n=10)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_reading(pilot, app, "topic:nosuch")
        assert "no case of" in text_of(app) and "topic:nosuch" in text_of(app)
        await press(pilot, app, "1", "l", "n", "space", "d")
        assert app.screen is reading(app)


async def test_a_second_key_never_judges_a_case_that_is_not_seen_yet(
    app: TriageApp, workspace: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app)
        screen.action_verdict("refusal")
        screen.action_verdict("other")
        await settle(pilot, lambda: ready(app))
        assert verdict_of(workspace, order[0]) == "refusal"
        assert all(verdict_of(workspace, case_id) is None for case_id in order[1:])


async def test_the_keys_of_a_case_scroll_unfold_and_walk_its_citations(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_reading(pilot, app)
        detail = app.screen.query_one(CaseDetail)
        await press(pilot, app, "j")
        assert detail.scroll_offset.y == 1
        await press(pilot, app, "k", "bracketright", "o", "z", "tab", "up", "down")
        assert isinstance(app.screen.focused, CaseDetail)


async def test_help_and_palette_tell_of_the_keys_that_work_here(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        screen = await open_reading(pilot, app)
        await pilot.press("question_mark")
        await settle(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.pause()
        text = text_of(app)
        for word in ("reading a sample", "give a verdict", "tag: retrieval", "hide what the machine says"):
            assert word in text, word
        assert "choose the list's columns" not in text
        await pilot.press("escape", "ctrl+p")
        await settle(pilot, lambda: app.screen is not screen)
        await pilot.press(*"hide what the")
        await settle(pilot, lambda: "hide what the machine says" in text_of(app))
        await pilot.press("enter")
        await settle(pilot, lambda: app.screen is screen and screen.blind)


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (60, 15)])
async def test_a_hostile_record_note_and_label_are_harmless(
    app: TriageApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    order = draw(workspace, n=10)
    async with app.run_test(size=size) as pilot:
        screen = await open_reading(pilot, app)
        for _ in order:
            assert screen.hand.handed is not None
            screen.set_beside(screen.hand.handed.case_id, Beside(("[/b] x\u202e",), HOSTILE))
            await pilot.pause()
            text = text_of(app)
            assert "\x1b" not in text and "\x07" not in text and "\u202e" not in text
            await press(pilot, app, "0")
        assert "read by you" in text_of(app)


async def test_a_tiny_terminal_judges_nothing(app: TriageApp, workspace: Workspace) -> None:
    order = draw(workspace)
    async with app.run_test(size=(50, 12)) as pilot:
        await open_reading(pilot, app)
        assert "triage needs 60x15" in text_of(app)
        await press(pilot, app, "1", "space", "u")
        assert verdict_of(workspace, order[0]) is None


async def test_a_record_that_changes_while_it_is_read_is_shown_anew_before_it_is_judged(
    app: TriageApp, workspace: Workspace, other: Workspace, tmp_path: Path
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        records = ten()
        for one in records:
            if one["id"] == order[0]:
                one["answer"] = "quite another answer [S1]"
        write(tmp_path / "now.jsonl", records, created_at="2026-11-02T10:00:00Z", kb_version="kb2")
        other.ingest([tmp_path / "now.jsonl"], LoadOptions())
        await settle(pilot, lambda: "quite another answer" in text_of(app))
        assert screen.hand.handed is not None and screen.hand.handed.case_id == order[0]
        await press(pilot, app, "1")
        assert verdict_of(workspace, order[0]) == "retrieval"


async def test_a_verdict_that_can_not_be_written_is_kept_and_written_later(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        screen = await open_reading(pilot, app)
        give, failures = workspace.queue.give, [Busy("the database is busy", "x", "wait")]

        def busy(*args: object, **named: object) -> object:
            if failures:
                raise failures.pop()
            return give(*args, **named)  # type: ignore[arg-type]

        monkeypatch.setattr(workspace.queue, "give", busy)
        await pilot.press("1")
        await settle(pilot, lambda: "not written yet, kept" in text_of(app))
        assert screen.writer in app.writers and app.writers[-1].waiting == 1
        screen.writer.try_now()
        await settle(pilot, lambda: screen.hand.handed is not None)
        assert verdict_of(workspace, order[0]) == "retrieval"
        await settle(pilot, lambda: "not written" not in text_of(app))


async def test_the_pace_is_told_after_a_few_cases(app: TriageApp, workspace: Workspace) -> None:
    draw(workspace, n=8)
    async with app.run_test(size=(120, 36)) as pilot:
        await open_reading(pilot, app)
        await press(pilot, app, "1", "2", "3")
        assert re.search(r"\d+ s a case   \d+ s left", text_of(app))


async def test_a_filter_that_can_not_be_read_says_where_it_is_wrong(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        await settle(pilot)
        assert app.triage is not None
        screen = ReadingScreen(app.triage, workspace, app.key_map, "now", NAME, "topic:(", False)
        await app.push_screen(screen)
        await settle(pilot, lambda: "error" in text_of(app))
        await pilot.press("1", "escape", "escape")
        await settle(pilot, lambda: app.screen is app.triage)


async def test_a_sample_removed_while_it_is_read_ends_the_queue_and_keeps_the_verdict(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_reading(pilot, app)
        other.sampling.remove("now", NAME)
        await pilot.press("1")
        await settle(pilot, lambda: "no such sample" in text_of(app))
        assert verdict_of(workspace, order[0]) == "retrieval"
        await pilot.press("escape", "escape")
        await settle(pilot, lambda: app.screen is app.triage)


@pytest.mark.parametrize("size", SIZES)
async def test_no_sign_of_ambiguous_width_but_the_records_own(
    app: TriageApp, workspace: Workspace, size: tuple[int, int]
) -> None:
    draw(workspace, n=6)
    async with app.run_test(size=size) as pilot:
        await open_reading(pilot, app)
        for key in ("0", "b", "0", "d"):
            await press(pilot, app, key)
            signs = {sign for sign in text_of(app) if unicodedata.east_asian_width(sign) == "A"}
            assert not signs, key


@pytest.mark.parametrize(("size", "whole"), [((120, 40), True), ((80, 24), False)])
async def test_long_texts_are_whole_where_there_is_room_for_all_of_the_case(
    app: TriageApp, workspace: Workspace, tmp_path: Path, size: tuple[int, int], whole: bool
) -> None:
    records = ten()
    for one in records:
        one["retrieved"] = [
            *one["retrieved"],
            {"id": "KB-LONG", "text": "很长的一段话，" * 30 + "the end of it"},
        ]
    write(tmp_path / "now.jsonl", records, created_at="2026-11-02T10:00:00Z", kb_version="kb2")
    workspace.ingest([tmp_path / "now.jsonl"], LoadOptions())
    draw(workspace, n=1)
    async with app.run_test(size=size) as pilot:
        await open_reading(pilot, app)
        assert ("the end of it" in text_of(app)) == whole
        await press(pilot, app, "z")
        assert ("shows all" in text_of(app)) is False


async def test_a_click_in_the_footer_does_what_its_key_does(app: TriageApp, workspace: Workspace) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "1")
        at = text_of(app).splitlines()[-1].index("u undo")
        await pilot.click(Footer, offset=(at + 2, 0))
        await settle(pilot, lambda: screen.hand.case_id == order[0])
        at = text_of(app).splitlines()[-1].index("space accept")
        await pilot.click(Footer, offset=(at + 2, 0))
        await settle(pilot, lambda: screen.hand.case_id == order[1])


async def test_quitting_lets_others_have_the_case_at_once(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace, n=1, readings=1)
    async with app.run_test(size=(120, 36)) as pilot:
        await open_reading(pilot, app)
        assert other.queue.next("now", NAME) == "others"
        await pilot.press("q")
        await pilot.pause(0.3)
    handed = other.queue.next("now", NAME)
    assert not isinstance(handed, str) and handed.case_id == order[0]


async def test_a_verdict_is_taken_back_although_the_second_reader_has_given_his(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        screen = await open_reading(pilot, app)
        await press(pilot, app, "1")
        other.queue.open("now", NAME, order[0])
        other.queue.give("now", NAME, order[0], "refusal", note="secret")
        await press(pilot, app, "u")
        text = text_of(app)
        assert screen.hand.case_id == order[0], text
        # What stands on the case now is the other's word.
        assert "refusal" not in text.splitlines()[1] and "secret" not in text
        assert verdict_of(other, order[0]) == "refusal"
