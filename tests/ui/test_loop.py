"""The loop: read, press one key, the next unreviewed case is there."""

from __future__ import annotations

from screen_help import settle, text_of

from triage.models.query import Scope
from triage.ui.app import TriageApp
from triage.workspace import Workspace


def verdicts(workspace: Workspace) -> dict[str, str | None]:
    scope = Scope("now")
    rows = workspace.case_rows(scope, list(workspace.case_keys(scope)))
    return {row.id: row.review.verdict for row in rows if row.review is not None}


async def test_the_list_opens_on_what_fails_in_the_order_of_the_layers(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        cases = app.triage.cases
        assert [cases.row_at(at).id for at in range(len(cases.keys))] == ["C01", "C04", "C02", "C06", "C08"]
        assert "5 failing" in text_of(app) and "0 of 5 triaged" in text_of(app)
        assert app.triage.detail.detail.row.id == "C01"


async def test_a_verdict_key_writes_and_goes_to_the_next_unreviewed(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "retrieval"}
        assert app.triage.cases.row.id == "C04"
        assert "C01 tagged retrieval" in text_of(app) and "1 of 5 triaged" in text_of(app)


async def test_keys_pressed_faster_than_they_are_written_go_to_their_cases_in_order(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1", "2", "3", "4", "5")
        await settle(pilot)
        assert verdicts(workspace) == {
            "C01": "retrieval",
            "C04": "ranking",
            "C02": "refusal",
            "C06": "citation-semantic",
            "C08": "other",
        }


async def test_full_width_keys_do_the_same(app: TriageApp, workspace: Workspace) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("２", "０", "ideographic_space")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "ranking", "C04": "not-a-failure", "C02": "ranking"}
        await pilot.press("ideographic_comma")
        await settle(pilot)
        assert app.triage.bar.typing
        await pilot.press("escape", "fullwidth_question_mark")
        await settle(pilot)
        assert "the filter language" in text_of(app) or app.screen is not app.triage


async def test_space_takes_the_suggestion_and_says_where_there_is_none(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        assert "space accept retrieval" in text_of(app)
        await pilot.press("space")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "retrieval"}
        await pilot.press("G")
        await settle(pilot)
        assert app.triage.cases.row.id == "C08" and "accept" not in text_of(app).splitlines()[-1]
        await pilot.press("space")
        await settle(pilot)
        assert "nothing to accept" in text_of(app) and "C08" not in verdicts(workspace)
        assert app.triage.cases.row.id == "C08"
        await pilot.press("g")
        await settle(pilot)
        assert "space next" in text_of(app)
        await pilot.press("space")
        assert app.triage.cases.row.id == "C04"


async def test_it_wraps_once_and_then_it_is_the_end_of_the_list(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("j", "j", "1", "1", "1")
        await settle(pilot)
        assert app.triage.cases.row.id == "C01"
        await pilot.press("1")
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert "end of list" in text_of(app)
        assert "all 5 failing cases are tagged" in text_of(app)


async def test_undo_brings_back_what_was_and_redo_brings_back_the_verdict(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        await pilot.press("u")
        await settle(pilot)
        assert verdicts(workspace).get("C01") is None and "0 of 5 triaged" in text_of(app)
        assert app.triage.cases.row.id == "C01"
        assert app.triage.cases.row_at(0).review is None or app.triage.cases.row_at(0).review.verdict is None
        await pilot.press("U")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "refusal"}
        await pilot.press("u", "u")
        await settle(pilot)
        assert "nothing to undo" in text_of(app) and not app.triage.bar.has_error


async def test_a_tagged_case_stays_in_its_place_until_the_view_changes(app: TriageApp) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("f", "f")
        await settle(pilot)
        assert app.triage.selection.scope.view == "unreviewed"
        before = list(app.triage.cases.keys)
        await pilot.press("0")
        await settle(pilot)
        assert list(app.triage.cases.keys) == before
        await pilot.press("f", "f", "f", "f")
        await settle(pilot)
        assert len(app.triage.cases.keys) == len(before) - 1


async def test_a_verdict_goes_to_all_marked_and_undo_takes_all_back(
    app: TriageApp, workspace: Workspace
) -> None:
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "x", "4")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "citation-semantic", "C04": "citation-semantic"}
        assert not app.triage.cases.marked and app.triage.cases.row.id == "C02"
        await pilot.press("u")
        await settle(pilot)
        assert set(verdicts(workspace).values()) <= {None}


async def test_the_list_can_be_told_to_stay(workspace: Workspace) -> None:
    from msgspec.structs import replace

    workspace.settings = replace(workspace.settings, advance=False)
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("1")
        await settle(pilot)
        assert app.triage.cases.row.id == "C01"


async def test_keys_can_be_rebound_and_the_footer_tells_it(workspace: Workspace) -> None:
    from msgspec.structs import replace

    workspace.settings = replace(workspace.settings, keys={"verdict.ranking": "w", "undo": "z"})
    app = TriageApp(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("w")
        await settle(pilot)
        assert verdicts(workspace) == {"C01": "ranking"}
        assert "w ranking" in text_of(app).splitlines()[-1] and "z undo" in text_of(app).splitlines()[-1]
