"""Drawing a sample in the app: what is typed changes what is claimed, and what is drawn is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from screen_help import HOSTILE, SECOND, record, settle, text_of, write
from textual.pilot import Pilot
from textual.widgets import Input, Static

from triage.models.run import LoadOptions
from triage.models.sample import Sample
from triage.plain import one_line, plain
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.export_fields import Chooser
from triage.ui.screens.sample_dialog import SampleDialog
from triage.ui.widgets.strata_pane import StrataPane
from triage.workspace import Workspace

SIZES = [(80, 24), (120, 40)]


@pytest.fixture
def many(tmp_path: Path) -> Iterator[Workspace]:
    """Two hundred cases: twenty of refund, the others of shipping or a hostile topic; a tenth rank second."""
    made = Workspace(tmp_path / "sampled.db", Settings(), reviewer="wei")
    cases = [
        record(number, topic="refund" if number % 10 == 0 else HOSTILE if number == 7 else "shipping")
        | (SECOND if number % 10 == 3 else {})
        for number in range(200)
    ]
    write(tmp_path / "two-hundred.jsonl", cases)
    made.ingest([tmp_path / "two-hundred.jsonl"], LoadOptions())
    yield made
    made.close()


class Answer:
    """What the dialog came back with."""

    def __init__(self) -> None:
        self.given: list[Sample | None] = []


async def opened(pilot: Pilot[Any]) -> tuple[SampleDialog, Answer]:
    app, answer = pilot.app, Answer()
    await settle(pilot)
    triage: Any = app.screen
    dialog = SampleDialog(triage, app.workspace, "two-hundred")  # type: ignore[attr-defined]
    await app.push_screen(dialog, answer.given.append)
    await settle(pilot, lambda: dialog.query_one(StrataPane).drawn is not None)
    await settle(pilot)
    return dialog, answer


async def typed(pilot: Pilot[Any], id: str, text: str) -> None:
    field = pilot.app.screen.query_one(f"#{id}", Input)
    field.focus()
    field.value = text
    await pilot.pause(0.1)
    await settle(pilot)


def claimed(pilot: Pilot[Any]) -> str:
    return str(pilot.app.screen.query_one("#claim", Static).content)


def said(pilot: Pilot[Any]) -> str:
    return " ".join(text_of(pilot.app).split())  # type: ignore[arg-type]


@pytest.mark.parametrize("size", SIZES)
async def test_the_claim_follows_the_number_that_is_typed(many: Workspace, size: tuple[int, int]) -> None:
    async with TriageApp(many).run_test(size=size) as pilot:
        await opened(pilot)
        assert "39 clean cases of the other 180: failure rate at most 8 % (95 %)" in claimed(pilot)
        assert "all 20 that must be reviewed are read" in claimed(pilot)
        await typed(pilot, "n", "79")
        assert "59 clean cases of the other 180: failure rate at most 5 % (95 %)" in claimed(pilot)
        assert "with 1 failure at most 8 %" in claimed(pilot)
        pilot.app.screen.query_one("#must", Chooser).choose("no")
        await pilot.pause(0.1)
        await settle(pilot)
        assert "79 clean cases: failure rate at most 4 % (95 %)" in claimed(pilot)


async def test_what_is_drawn_is_kept_by_its_name_and_rule(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(120, 40)) as pilot:
        _, answer = await opened(pilot)
        await typed(pilot, "n", "30")
        await typed(pilot, "seed", "七")
        await typed(pilot, "by", "topic")
        await typed(pilot, "name", "周 48")
        await pilot.press("enter")
        await settle(pilot, lambda: bool(answer.given))
    kept = many.sampling.sample("two-hundred", "周 48")
    assert answer.given == [kept]
    rule = kept.drawn.rule
    assert (rule.n, rule.seed, rule.by, rule.must) == (30, "七", ("topic",), ("is:high-risk",))
    assert kept.drawn.n == 30 and kept.reviewer == "wei"


async def test_the_filter_of_the_list_is_the_population(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("/", *"rank:2", "enter")
        await settle(pilot)
        dialog, answer = await opened(pilot)
        assert "20 of 20 cases" in said(pilot)
        assert "59 cases are wanted, there are 20: all are taken" in said(pilot)
        dialog.query_one("#of", Chooser).choose("all")
        await pilot.pause(0.1)
        await settle(pilot)
        assert "59 of 200 cases" in said(pilot)
        dialog.query_one("#of", Chooser).choose("filter")
        await pilot.press("enter")
        await settle(pilot, lambda: bool(answer.given))
    kept = answer.given[0]
    assert kept is not None and kept.drawn.rule.text == "rank:2" and kept.drawn.population == 20


async def test_what_is_wrong_is_told_and_nothing_is_drawn(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(100, 30)) as pilot:
        dialog, answer = await opened(pilot)
        for id, text, words in (
            ("n", "", "how many cases?: nothing is typed"),
            ("n", "0", "how many cases?: 0"),
            ("n", "9" * 40, "how many cases?"),
            ("n", "20", ""),
            ("by", "colour", "no such dimension: colour"),
            ("by", "run.k", "a run header's key"),
            ("by", "class", ""),
        ):
            await typed(pilot, id, text)
            assert words in said(pilot)
            assert (dialog.query_one(StrataPane).drawn is None) is bool(words)
        many.sampling.draw("two-hundred", replace(dialog._rule(), seed="other"), "taken")
        await typed(pilot, "name", "taken")
        await pilot.press("enter")
        await settle(pilot, lambda: "there is a sample of this name" in said(pilot))
        assert pilot.app.screen is dialog and not answer.given
        await pilot.press("escape")
        await settle(pilot, lambda: bool(answer.given))
    assert answer.given == [None]
    assert [one.name for one in many.sampling.samples("two-hundred")] == ["taken"]


async def test_a_cap_tells_what_it_leaves_out_before_anything_is_drawn(many: Workspace) -> None:
    many.settings = Settings(must_review=("is:high-risk", "rank:2"), must_review_cap=12)
    async with TriageApp(many).run_test(size=(120, 40)) as pilot:
        await opened(pilot)
        text = said(pilot)
        assert "is:high-risk 20 cases" in text and "rank:2 20 cases" in text
        assert text.count("left out by the cap") == 2
    assert many.sampling.samples("two-hundred") == []


async def test_a_quota_by_topic_says_what_is_short(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(120, 40)) as pilot:
        dialog, answer = await opened(pilot)
        await typed(pilot, "n", "30")
        dialog.query_one("#must", Chooser).choose("no")
        dialog.query_one("#quota", Chooser).choose("of each topic")
        await pilot.pause(0.1)
        await settle(pilot)
        assert "30 clean cases of a topic: its failure rate at most 10 % (95 %)" in claimed(pilot)
        assert "30 of each topic are wanted, there are" in claimed(pilot)
        assert "refund 20" in claimed(pilot) and "shipping" not in claimed(pilot)
        await pilot.press("enter")
        await settle(pilot, lambda: bool(answer.given))
    kept = answer.given[0]
    assert kept is not None and kept.drawn.rule.per_topic == 30 and kept.drawn.n == 51


async def test_hostile_values_are_shown_plain(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(100, 30)) as pilot:
        await opened(pilot)
        await typed(pilot, "by", "topic")
        shown = text_of(pilot.app)  # type: ignore[arg-type]
        assert plain(shown.replace("\n", " ")) == shown.replace("\n", " ")
        assert one_line(HOSTILE)[:12] in shown
        await typed(pilot, "by", HOSTILE)
        assert "no such dimension" in said(pilot)


async def test_the_dialog_is_worked_with_arrows_and_enter_alone(many: Workspace) -> None:
    async with TriageApp(many).run_test(size=(80, 24)) as pilot:
        dialog, answer = await opened(pilot)
        await pilot.press("down", "down", "down", "right")
        await pilot.pause(0.1)
        await settle(pilot)
        assert dialog.query_one("#must", Chooser).chosen == "no"
        await pilot.press("enter")
        await settle(pilot, lambda: bool(answer.given))
    kept = answer.given[0]
    assert kept is not None and kept.drawn.rule.must == () and kept.name == "sample-1"
