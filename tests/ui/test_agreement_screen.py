"""The Agreement screen: what it shows at every size, and the cases behind each number."""

from __future__ import annotations

from typing import Any

import pytest
from review_help import open_over
from screen_help import HOSTILE, clean_text, listed, settle, text_of
from textual.pilot import Pilot

from triage.models.sample import SampleRule
from triage.models.verdict import Verdict
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.agreement import AgreementScreen
from triage.ui.screens.disputes import DisputesScreen
from triage.ui.screens.triage import TriageScreen
from triage.workspace import Workspace

SIZES = [(60, 15), (80, 24), (100, 30), (120, 40), (200, 60)]
SAID: dict[str, tuple[Verdict, Verdict]] = {
    "C01": ("retrieval", "retrieval"), "C02": ("ranking", "retrieval"), "C03": ("test-set", "not-a-failure"),
    "C05": ("not-a-failure", "not-a-failure"), "C06": ("citation-semantic", "citation-semantic"),
    "C07": ("not-a-failure", "not-a-failure"),
}  # fmt: skip


@pytest.fixture
def read(workspace: Workspace, other: Workspace) -> Workspace:
    """Six cases of `now` read by wei and by li, who differ on C02 and C03."""
    for case, (wei, li) in SAID.items():
        workspace.tag("now", [case], wei)
        other.tag("now", [case], li)
    return workspace


def screen_of(app: TriageApp) -> AgreementScreen:
    """The screen, which is on top."""
    screen = app.screen
    assert isinstance(screen, AgreementScreen)
    return screen


async def open_agreement(pilot: Pilot[Any], *keys: str, sample: str | None = None) -> None:
    """The screen over the cases of `now`, then these keys."""
    await open_over(pilot, AgreementScreen, lambda made: made.found is not None, sample)
    await pilot.press(*keys)
    await settle(pilot)


def rows_of(app: TriageApp) -> list[str]:
    """The first cell of each row of the list."""
    return [row.cells[0][0] for row in screen_of(app).table.rows]


async def test_a_pair_with_its_numbers_and_its_table(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot)
        text = text_of(app)
        assert "agreement .667 4/6" in text
        assert "2 disputes" in text and "few cases" in text
        assert "12 readings of 6 cases" in text
        row = next(line for line in text.splitlines() if line.startswith(">li"))
        # By hand: observed 4/6; by chance (2*1 + 0 + 1 + 2*3 ...)/36.
        found = read.agreeing.of("now").pairs[0]
        assert found.kappa is not None
        assert f"{found.kappa:.3f}".removeprefix("0") in row and ".667" in row and "4/6" in row
        assert "li in rows  wei in columns" in text
        assert "most often apart" in text
        assert "enter cases" in text.splitlines()[-1]


@pytest.mark.parametrize("size", SIZES)
async def test_every_line_is_as_wide_as_the_screen_and_without_doubtful_signs(
    read: Workspace, size: tuple[int, int]
) -> None:
    app = TriageApp(read)
    async with app.run_test(size=size) as pilot:
        await open_agreement(pilot)
        for keys in ((), ("f",), ("f",), ("f",), ("tab", "right", "down")):
            await pilot.press(*keys)
            await pilot.pause()
            await pilot.pause()
            clean_text(app)
            assert screen_of(app).table.size.height >= 3


async def test_enter_opens_exactly_the_cases_on_which_they_differ(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot, "enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert set(listed(app)) == {"C02", "C03"}
        assert "li and wei, read differently" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert len(listed(app)) > 2


async def test_all_cases_of_a_row(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(100, 30)) as pilot:
        await open_agreement(pilot, "c")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert listed(app) == sorted(SAID)


async def test_disputes_are_settled_beside_and_counted_anew(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot, "d")
        await settle(pilot, lambda: isinstance(app.screen, DisputesScreen))
        read.queue.arbitrate("now", "C02", "ranking", "it stands at rank 2")
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, AgreementScreen) and "1 settled" in text_of(app))
        assert "1 dispute " in text_of(app)


async def test_a_cell_of_the_table_is_a_door(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_agreement(pilot, "tab")
        screen = screen_of(app)
        assert screen.focused is screen.matrix
        # li in rows: retrieval and ranking by wei is C02; the cell of a difference is chosen first.
        assert screen.matrix.cell == ("retrieval", "ranking")
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert set(listed(app)) == {"C02"}


async def test_an_empty_cell_opens_nothing(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_agreement(pilot, "tab", "right", "right", "enter")
        assert screen_of(app).matrix.cell == ("retrieval", "not-a-failure")
        assert "no case is so read" in text_of(app)
        await pilot.press("escape")
        assert screen_of(app).focused is screen_of(app).table
        await pilot.press("escape")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))


async def test_classes_readers_and_rules_follow(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot, "f")
        assert rows_of(app) == ["1 retrieval", "2 ranking", "4 citation", "0 fine", "9 test set"]
        assert "1 of 2 pairs of readings in which one says retrieval" in text_of(app)
        await pilot.press("enter")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert set(listed(app)) == {"C02"}
        await open_agreement(pilot, "f", "f")
        assert rows_of(app) == ["li", "wei"]
        assert "4/6  .667" in text_of(app)
        await pilot.press("f")
        await settle(pilot)
        assert "ok" in rows_of(app)
        assert "people say" in text_of(app) and "sure" in text_of(app)
        # C03 is in dispute, and what is disputed is held against nothing.
        assert {row.cells[0][0]: row.cells[3][0] for row in screen_of(app).table.rows}["ok"] == "2"


async def test_where_all_agree_there_is_nothing_to_open_but_all(
    workspace: Workspace, other: Workspace
) -> None:
    for one in (workspace, other):
        one.tag("now", ["C05", "C07"], "not-a-failure")
    app = TriageApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_agreement(pilot)
        text = text_of(app)
        assert "alpha n/a   all say one and the same" in text and "kappa n/a" in text
        assert "agreement 1.000 2/2" in text
        await pilot.press("enter")
        await settle(pilot)
        assert "no difference here" in text_of(app)


@pytest.mark.parametrize(
    ("readers", "says"),
    [(0, "nobody has read a case here yet"), (1, "only one person has read here"),
     (2, "2 people have read here, no case was read by two")],
)  # fmt: skip
async def test_without_second_readings_it_says_why(
    workspace: Workspace, other: Workspace, readers: int, says: str
) -> None:
    for one, case in zip((workspace, other)[:readers], ("C04", "C01"), strict=False):
        one.tag("now", [case], "retrieval")
    app = TriageApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        # With verdicts there are suggestions to show, which come first then.
        await open_agreement(pilot, *(("right",) if readers else ()))
        assert says in text_of(app)
        assert "agreement n/a" in text_of(app)
        await pilot.press("enter", "tab", "c", "d")
        await settle(pilot)
        assert screen_of(app).part == "pairs"


async def test_a_sample_alone_or_the_whole_run(read: Workspace) -> None:
    read.sampling.draw("now", SampleRule(seed="7", n=2, text="id:(C01 OR C02)"), "two")
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot, sample="two")
        assert "agreement .500 1/2" in text_of(app)
        assert "agreement  two" in text_of(app).splitlines()[0]
        await pilot.press("s")
        await settle(pilot, lambda: "4/6" in text_of(app))
        await pilot.press("s")
        await settle(pilot, lambda: "1/2" in text_of(app))


async def test_it_follows_the_filter_of_the_cases(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        screen = app.screen
        assert isinstance(screen, TriageScreen)
        screen.selection.show_all("id:(C01 OR C02 OR C03)")
        await open_agreement(pilot, "c")
        await settle(pilot, lambda: isinstance(app.screen, TriageScreen))
        await settle(pilot)
        assert set(listed(app)) == {"C01", "C02", "C03"}


async def test_what_another_reads_meanwhile_is_counted(read: Workspace, other: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(120, 40)) as pilot:
        await open_agreement(pilot)
        other.tag("now", ["C03"], "test-set")
        await settle(pilot, lambda: "agreement .833 5/6" in text_of(app))


async def test_hostile_names_are_text(read: Workspace, database: Any) -> None:
    hostile = Workspace(database, Settings(), reviewer=HOSTILE)
    long = Workspace(database, Settings(), reviewer="读者" * 40)
    for one in (hostile, long):
        for case in SAID:
            one.tag("now", [case], "other")
    app = TriageApp(read)
    try:
        for size in ((80, 24), (120, 40)):
            for keys in ((), ("f", "f")):
                async with TriageApp(read).run_test(size=size) as pilot:
                    app = pilot.app  # type: ignore[assignment]
                    await open_agreement(pilot, *keys)
                    assert "[/] [b]" in clean_text(app)
                    await pilot.press("enter")
                    await settle(pilot, lambda app=app: isinstance(app.screen, TriageScreen))  # type: ignore[misc]
                    await settle(pilot)
                    assert listed(app)
    finally:
        hostile.close()
        long.close()


async def test_narrowing_lists_those_alone_whose_name_holds_the_word(read: Workspace) -> None:
    app = TriageApp(read)
    async with app.run_test(size=(80, 24)) as pilot:
        await open_agreement(pilot, "f", "/", *"fine", "enter")
        assert rows_of(app) == ["0 fine"]
        assert "1 of 5" in text_of(app)
        await pilot.press("escape")
        await settle(pilot)
        assert len(rows_of(app)) == 5
