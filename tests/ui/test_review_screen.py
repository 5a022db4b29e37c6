"""The Review screen: the samples of a run, how far each is for whom, and the ways into all of a review."""

from __future__ import annotations

import unicodedata

import pytest
from review_help import NAME, drawn, open_review, read, review_of
from rich.cells import cell_len
from screen_help import HOSTILE, settle, text_of

from triage.models.reading import Progress
from triage.ui.app import TriageApp
from triage.ui.messages import ChangedElsewhere
from triage.ui.screens.dialogs import Decide
from triage.ui.screens.reading import ReadingScreen
from triage.ui.screens.review import begin_at
from triage.ui.widgets.review_model import lasts
from triage.workspace import Workspace

SIZES = [(80, 24), (100, 30), (120, 40), (200, 60)]


async def test_without_a_sample_it_says_what_one_is_for_and_which_key_draws_one(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24)) as pilot:
        await open_review(pilot)
        text = text_of(app)
        assert "no sample of this run yet" in text and "for people to read" in text
        assert "n draws one" in " ".join(text.split())
        # What is left of the keys does no harm where there is nothing.
        await pilot.press("D", "enter", "tab", "j")
        await settle(pilot)
        assert review_of(pilot).table.count == 0


async def test_a_sample_tells_how_far_it_is_for_me_and_for_all(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    drawn(workspace, must=("is:high-risk",))
    read(workspace, most=4, C01="retrieval")
    read(other, C01="ranking")
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot)
        text = text_of(app)
        row = next(line for line in text.splitlines() if line.startswith(f">{NAME}"))
        assert "4 of 10" in row and "14/20" in row and "1 min" in row
        assert "4 read, 6 to read, about 1 min left at 10 s a case" in text
        assert "14 of 20 readings" in text and "li 10   wei 4" in text
        assert "10 cases of 10, by class x topic, seed seed" in text
        assert "shipping" in text


async def test_who_has_read_all_of_it_is_done(app: TriageApp, workspace: Workspace) -> None:
    drawn(workspace)
    read(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot)
        row = next(line for line in text_of(app).splitlines() if line.startswith(f">{NAME}"))
        assert "10 of 10" in row and "done" in row
        assert "10 read, nothing left for you" in text_of(app)


async def test_what_others_read_and_draw_is_seen_at_once(
    app: TriageApp, workspace: Workspace, other: Workspace
) -> None:
    drawn(workspace, "a")
    async with app.run_test(size=(120, 40)) as pilot:
        await open_review(pilot)
        read(other, "a", most=3)
        await settle(pilot, lambda: "3/20" in text_of(app))
        drawn(other, "b", n=4)
        await settle(pilot, lambda: "2 samples" in text_of(app))
        # The cursor stays on its sample, which is no longer the newest.
        assert review_of(pilot).entry.sample.name == "a"


async def test_a_filter_narrows_what_is_handed_out_and_is_told(app: TriageApp, workspace: Workspace) -> None:
    drawn(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        app.triage.selection.text("topic:refund")
        await open_review(pilot)
        text = text_of(app)
        assert "filter topic:refund" in text.splitlines()[0]
        assert "9 cases of it outside the filter, not handed out" in text
        row = next(line for line in text.splitlines() if line.startswith(f">{NAME}"))
        assert "0 of 1 " in row


async def test_a_queue_of_no_case_names_the_filter_and_opens_nothing(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        app.triage.selection.text("topic:nowhere")
        await open_review(pilot, "enter")
        text = text_of(app)
        assert "the filter topic:nowhere leaves out all 10 cases of 第一轮 refunds" in text
        assert review_of(pilot)
        await pilot.press("escape")
        await settle(pilot)
        assert "error" not in text_of(app)


async def test_a_sample_is_removed_after_a_question_and_its_verdicts_stay(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    read(workspace, most=2)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_review(pilot, "D")
        assert isinstance(app.screen, Decide)
        assert "The 2 readings of it stay" in " ".join(text_of(app).split())
        await pilot.press("escape")
        await settle(pilot)
        assert review_of(pilot).table.count == 1
        await pilot.press("D")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot, lambda: "no sample of this run yet" in text_of(app))
    assert workspace.sampling.samples("now") == []
    assert (
        sum(bool(found) for found in workspace.queue.readings("now", [f"C{n:02}" for n in range(1, 11)])) == 2
    )


async def test_typing_narrows_the_samples(app: TriageApp, workspace: Workspace) -> None:
    drawn(workspace)
    drawn(workspace, "privacy", n=4)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_review(pilot, "slash", *"退")
        assert "no sample has such a name" in text_of(app)
        await pilot.press("backspace", *"第一", "enter")
        await settle(pilot)
        assert [line.name for line in review_of(pilot).table.rows] == [NAME]
        await pilot.press("escape")
        await settle(pilot)
        assert review_of(pilot).table.count == 2


async def test_it_opens_at_the_sample_that_a_command_named(workspace: Workspace) -> None:
    drawn(workspace, "a")
    drawn(workspace, "b")
    app = TriageApp(workspace, review=("before", None, False))
    async with app.run_test(size=(100, 30)) as pilot:
        await settle(pilot, lambda: "no sample of this run yet" in text_of(app))
        assert app.triage.run_shown.id == "before"
        await app.push_screen(begin_at(app.triage, workspace, app.key_map, "now", "gone", False))
        await settle(pilot, lambda: "no sample is named gone" in text_of(app))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("keys", [(), ("tab", "pagedown")])
async def test_hostile_names_stay_text_and_every_row_is_whole(
    app: TriageApp, workspace: Workspace, size: tuple[int, int], keys: tuple[str, ...]
) -> None:
    workspace.reviewer = f"ann {HOSTILE}"
    drawn(workspace, HOSTILE[:28], by=("topic", "class"), must=("is:failing",), must_cap=1)
    async with app.run_test(size=size) as pilot:
        await open_review(pilot, *keys)
        lines = text_of(app).splitlines()
        assert all(cell_len(line) == size[0] for line in lines)
        assert "\x1b" not in "".join(lines) and "\u202e" not in "".join(lines)
        assert any(line.startswith(">[/] [b]bold") for line in lines)


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 s"), (42.4, "42 s"), (59.6, "1 min"), (95, "2 min"), (3600, "1 h"), (7500, "2 h 5 min")],
)
def test_a_time_is_said_as_people_say_it(seconds: float, said: str) -> None:
    assert lasts(seconds) == said


def test_time_left_is_unknown_until_it_is_measured() -> None:
    assert Progress(4, 0, 1, 3, 0, 0, 1, 4, 0).left is None


@pytest.mark.parametrize("size", SIZES)
async def test_no_sign_of_doubtful_width_stands_anywhere(
    app: TriageApp, workspace: Workspace, other: Workspace, size: tuple[int, int]
) -> None:
    drawn(workspace, "“引号”…—样本", must=("is:failing",), must_cap=2)
    read(workspace, "“引号”…—样本", most=2, C01="ranking")
    read(other, "“引号”…—样本", C01="retrieval")
    async with app.run_test(size=size) as pilot:
        await open_review(pilot)
        for keys in ((), ("tab", "end"), ("escape", "D"), ("escape", "d"), ("f",), ("slash", "x")):
            await pilot.press(*keys)
            await settle(pilot)
            # What stands last in its row may have any sign: the queries of the pool, the sample's own name.
            lines = [line for line in text_of(app).splitlines() if "样本" not in line]
            assert {
                sign for line in lines for sign in line if unicodedata.east_asian_width(sign) == "A"
            } == set()


async def test_marked_cases_are_what_is_handed_out_under_is_marked(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("x", "j", "x")
        app.triage.selection.text("is:marked")
        await open_review(pilot)
        row = next(line for line in text_of(app).splitlines() if line.startswith(f">{NAME}"))
        assert "0 of 2 " in row


async def test_a_command_begins_to_read_a_sample_at_once_and_blind(workspace: Workspace) -> None:
    drawn(workspace)
    app = TriageApp(workspace, review=("now", NAME, True))
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot, lambda: isinstance(app.screen, ReadingScreen) and "asked" in text_of(app))
        assert app.screen.blind and "1 retrieval       2 ranking" not in text_of(app)
        await pilot.press("escape")
        await settle(pilot, lambda: "0 of 10" in text_of(app))
        assert review_of(pilot).entry.sample.name == NAME
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is app.triage)
        assert app.triage.run_shown.id == "now"


async def test_reading_typed_ahead_begins_when_the_samples_are_here(
    app: TriageApp, workspace: Workspace
) -> None:
    drawn(workspace)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("V", "enter")
        await settle(pilot, lambda: isinstance(app.screen, ReadingScreen))


async def test_what_is_covered_is_read_once_when_it_is_seen_again(
    app: TriageApp, workspace: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn(workspace)
    async with app.run_test(size=(120, 36)) as pilot:
        await open_review(pilot)
        review = review_of(pilot)
        await pilot.press("enter")
        await settle(pilot, lambda: app.screen is not review)
        asked: list[bool] = []
        monkeypatch.setattr(review, "ask", lambda: asked.append(True))
        review.post_message(ChangedElsewhere())
        await settle(pilot)
        assert not asked
        await pilot.press("escape")
        await settle(pilot, lambda: app.screen is review)
        await settle(pilot)
        assert asked == [True]
        review.post_message(ChangedElsewhere())
        await settle(pilot)
        assert asked == [True, True]
