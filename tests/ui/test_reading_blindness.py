"""Nothing that another reader said of a case reaches a reader who has still to read it."""

from __future__ import annotations

from pathlib import Path

from reading_help import NAME, draw, open_reading, press, ready
from review_help import open_review
from screen_help import settle, text_of

from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.labels import LabelsDialog
from triage.ui.screens.reading import ReadingScreen
from triage.workspace import Workspace


def notices(app: TriageApp) -> list[str]:
    return [one.message for one in app._notifications]


async def test_a_verdict_from_elsewhere_is_no_toast_over_the_queue(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.triage is not None
        shown = app.triage.cases.row
        assert shown is not None
        await open_reading(pilot, app)
        other.tag("now", [shown.id], "refusal")
        await settle(pilot, lambda: app.triage is not None and app.triage.cases.row != shown)
        await pilot.pause(0.3)
        assert notices(app) == [] and "tagged" not in text_of(app)


async def test_a_toast_that_is_still_shown_goes_before_a_reader_begins(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert app.triage is not None and app.triage.cases.row is not None
        other.tag("now", [app.triage.cases.row.id], "refusal")
        await settle(pilot, lambda: bool(notices(app)))
        assert "li tagged" in notices(app)[0]
        await open_review(pilot)
        assert notices(app) == []


async def test_what_is_undone_in_the_queue_never_tells_what_others_set(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    other.set_labels("now", [order[0]], ["secret-label"])
    workspace.bulk.change_labels("now", [order[0]], ["mine"], [])
    async with app.run_test(size=(120, 40)) as pilot:
        await open_reading(pilot, app)
        assert "secret-label" not in text_of(app), "his own act stands beside what others set"
        await press(pilot, app, "u")
        await settle(pilot, lambda: "as before: labels undone" in text_of(app))
        assert "secret-label" not in text_of(app)


async def test_the_labels_dialog_counts_nothing_that_others_have_just_set(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace)
    for number, case_id in enumerate(order):
        other.queue.next("now", NAME)
        labels = ["zz-often"] if number else ["aa-once"]
        other.queue.give("now", NAME, case_id, "refusal", labels=labels)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_reading(pilot, app)
        await press(pilot, app, "l")
        await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
        await pilot.pause()
        text = text_of(app)
        assert text.index("aa-once") < text.index("zz-often") and "in use" not in text


async def test_labels_set_before_a_pause_are_their_readers_alone(
    app: TriageApp, workspace: Workspace
) -> None:
    draw(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_reading(pilot, app)
        await press(pilot, app, "l")
        await settle(pilot, lambda: isinstance(app.screen, LabelsDialog))
        await pilot.press(*"stale", "enter", "enter")
        await settle(pilot, lambda: isinstance(app.screen, ReadingScreen) and "stale" in text_of(app))
        await press(pilot, app, "escape")
        workspace.reviewer = "ana"
        await open_reading(pilot, app)
        assert "stale" not in text_of(app)
        await press(pilot, app, "escape")
        workspace.reviewer = "wei"
        screen = await open_reading(pilot, app)
        assert ready(app) and screen.hand.beside.labels == ("stale-doc",)


async def test_a_dispute_that_this_reader_has_still_to_read_waits_for_him(
    app: TriageApp, workspace: Workspace, other: Workspace, database: Path
) -> None:
    order = draw(workspace, n=3, readings=3)
    third = Workspace(database, Settings(), reviewer="ana")
    for reader, verdict in ((other, "refusal"), (third, "ranking")):
        for case_id in order[:2]:
            reader.queue.open("now", NAME, case_id)
            reader.queue.give("now", NAME, case_id, verdict, note="secret note")
    third.close()
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        text = text_of(app)
        assert "2 cases yours to read first" in text and "nobody disagrees" not in text
        for word in (order[0], order[1], "secret", "ana", " li "):
            assert word not in text, word
        workspace.queue.open("now", NAME, order[0])
        workspace.queue.give("now", NAME, order[0], "retrieval")
        await settle(pilot, lambda: order[0] in text_of(app))
        await settle(pilot, lambda: "secret note" in text_of(app))
        text = text_of(app)
        assert "1 in dispute" in text and "1 yours to read first" in text and order[1] not in text


async def test_who_settles_what_two_have_judged_outside_of_a_queue_sees_it(
    app: TriageApp, workspace: Workspace, other: Workspace, database: Path
) -> None:
    order = draw(workspace, n=3, readings=2)
    third = Workspace(database, Settings(), reviewer="ana")
    other.tag("now", [order[0]], "refusal")
    third.tag("now", [order[0]], "ranking")
    third.close()
    assert workspace.queue.unread("now", order) == frozenset(order[1:])
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot, "d")
        assert "1 in dispute" in text_of(app) and order[0] in text_of(app)


async def test_a_filter_that_asks_for_results_says_that_its_reader_is_not_blind_to_them(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    order = draw(workspace, n=10)
    other.tag("now", order[:2], "refusal")
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        for text, told in (("verdict:refusal", True), ("is:failing", True), ("topic:shipping", False)):
            assert app.triage is not None
            app.triage.selection.show_all(text)
            await settle(pilot)
            await open_reading(pilot, app, text)
            shown = text_of(app)
            assert f"within {text}" in shown and ("not blind to results" in shown) is told, text
            await press(pilot, app, "escape")
