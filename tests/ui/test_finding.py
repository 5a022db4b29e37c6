"""Finding cases on the screen: completion, filters by name, going to a case, similar cases."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from screen_help import HOSTILE, MISS, record, settle, text_of, write
from textual.pilot import Pilot
from textual.widgets import OptionList

from triage.models.offer import Offer
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.ui.app import TriageApp
from triage.ui.screens.dialogs import Dialog
from triage.ui.widgets.filter_input import FilterInput
from triage.ui.work.memory import Memory
from triage.workspace import Workspace

QUERIES = [
    "退款多久能到账",
    "退款多久可以到账呢",
    "多久能退款到账",
    "账号被盗了怎么办",
    "where is my parcel",
    "发票",
]
TOPICS = ["refund", "物流", "会员 积分", "a：b", HOSTILE, "two\nlines"]


@pytest.fixture
def found(database: Path, tmp_path: Path) -> Iterator[TriageApp]:
    """Twelve cases of six topics; the even ones fail."""
    workspace = Workspace(database, Settings(filters={"project one": "topic:refund"}), reviewer="wei")
    records = [
        record(
            n, query=QUERIES[n % 6], topic=TOPICS[n % 6], meta={"lang": "zh"}, **(MISS if n % 2 == 0 else {})
        )
        for n in range(12)
    ]
    write(tmp_path / "run.jsonl", records)
    workspace.ingest([tmp_path / "run.jsonl"], LoadOptions())
    yield TriageApp(workspace, memory=Memory(tmp_path / "state.json"))
    workspace.close()


def field(app: TriageApp) -> FilterInput:
    assert app.triage is not None
    return app.triage.query_one(FilterInput)


def offered(app: TriageApp) -> bool:
    return field(app).offering


async def offers(pilot: Pilot[Any], app: TriageApp, *keys: str) -> None:
    """Press keys, and wait for what is offered then."""
    await pilot.press(*keys)
    await settle(pilot)
    await settle(pilot, lambda: offered(app))


async def opened(pilot: Pilot[Any], app: TriageApp, key: str) -> Dialog[Any]:
    await pilot.press(key)
    await settle(pilot, lambda: isinstance(app.screen, Dialog))
    await settle(pilot)
    screen = app.screen
    assert isinstance(screen, Dialog)
    return screen


def shown(app: TriageApp) -> list[str]:
    assert app.triage is not None
    cases = app.triage.cases
    return [row.id for at in range(len(cases.keys)) if (row := cases.row_at(at)) is not None]


async def test_names_and_values_are_offered_and_taken_with_tab(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash", *"top")
        assert "topic:" in text_of(found) and "the case's topic" in text_of(found)
        await offers(pilot, found, "tab")
        assert found.triage.bar.text == "topic:"
        await settle(pilot)
        lines = text_of(found).splitlines()
        bar = next(at for at, line in enumerate(lines) if line.startswith(" / topic:"))
        assert "物流" in "\n".join(lines[bar + 1 : bar + 9])
        assert "column" not in lines[bar], "what is being typed is not told as wrong"
        await offers(pilot, found, "a")
        await pilot.press("tab")
        await settle(pilot, lambda: found.triage.selection.scope.text == 'topic:"a：b"')
        assert not offered(found) and field(found).has_focus
        await pilot.press("enter")
        await settle(pilot)
        assert found.triage.cases.has_focus and found.triage.bar.text == 'topic:"a：b"'


async def test_enter_without_a_choice_leaves_the_text_as_typed(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash", *"refu")
        await pilot.press("enter", "1")
        await settle(pilot)
        assert found.triage.bar.text == "refu" and not offered(found)
        assert found.triage.cases.has_focus


async def test_down_chooses_enter_takes_and_escape_closes_before_it_leaves(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash", *"topic:", "down", "up", "down", "down")
        chosen = field(found).offers.chosen
        assert isinstance(chosen, Offer)
        await pilot.press("enter")
        await settle(pilot, lambda: found.triage.selection.scope.text == chosen.text)
        assert field(found).has_focus and found.triage.bar.text == chosen.text
        await offers(pilot, found, "space", *"is:f")
        await pilot.press("escape")
        await settle(pilot, lambda: not offered(found))
        assert field(found).has_focus and found.triage.bar.text.endswith(" is:f")
        await pilot.press("escape")
        await settle(pilot)
        assert found.triage.cases.has_focus and found.triage.bar.text.endswith(" is:f")


async def test_keys_pressed_before_the_offers_are_there_do_what_they_would_have_done(
    found: TriageApp,
) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"meta.la", "tab")
        await settle(pilot, lambda: found.triage.bar.text == "meta.lang:")
        await pilot.press("down")
        await settle(pilot, lambda: offered(found) and field(found).offers.chosen is not None)
        await pilot.press("enter", "x")
        await settle(pilot, lambda: found.triage.bar.text == "meta.lang:zhx")


async def test_an_empty_bar_offers_filters_that_find_something_here(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash")
        screen = text_of(found)
        assert "is:failing" in screen and "one topic's failures" in screen and "@project one" in screen
        await pilot.press("escape", "G")
        await settle(pilot)
        assert found.triage.cases.has_focus and not offered(found) and found.triage.bar.text == ""
        await pilot.press("slash", "tab")
        await settle(pilot, lambda: found.triage.bar.text.endswith("is:failing"))


async def test_hostile_values_are_offered_without_a_control_character(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash", *"topic:")
        screen = text_of(found)
        assert "[/INST]" in screen or "<ESC>" in screen
        for place in range(1, 8):
            chosen = field(found).offers.chosen
            if chosen is not None and chosen.says in (HOSTILE, "two\nlines"):
                assert not any(unicodedata.category(sign)[0] == "C" for sign in chosen.text)
            await pilot.press("down")
            assert place < 8
        for sign in text_of(found):
            assert sign == "\n" or unicodedata.category(sign)[0] != "C"
            assert unicodedata.east_asian_width(sign) != "A" or sign == "»"


async def test_a_click_takes_what_is_offered_and_the_input_keeps_the_keys(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await offers(pilot, found, "slash", *"topic:")
        first = field(found).offers.take()
        await pilot.click("Completion", offset=(6, 0))
        await settle(pilot, lambda: found.triage.bar.text == first.text)
        assert field(found).has_focus


async def test_going_to_a_case_by_number_by_id_and_outside_the_list(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"topic:refund", "enter")
        await settle(pilot, lambda: shown(found) == ["C00", "C06"])
        dialog = await opened(pilot, found, "colon")
        await pilot.press("2", "enter")
        await settle(pilot, lambda: found.screen is found.triage)
        assert found.triage.cases.row.id == "C06" and found.triage.bar.text == "topic:refund"

        dialog = await opened(pilot, found, "：")
        await pilot.press(*"zz")
        await settle(pilot)
        assert "no case of this run" in text_of(found) and found.screen is dialog
        await pilot.press("backspace", "backspace", *"c09", "enter")
        await settle(pilot, lambda: "enter again" in text_of(found))
        assert "C09 is not among the cases shown (failing, topic:refund)" in text_of(found)
        await pilot.press("enter")
        await settle(pilot, lambda: found.screen is found.triage)
        await settle(pilot, lambda: found.triage.cases.row is not None and found.triage.cases.row.id == "C09")
        assert (found.triage.selection.scope.view, found.triage.bar.text) == ("all", "")


async def test_a_case_that_is_outside_may_be_left_there(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        before = found.triage.selection.scope
        await opened(pilot, found, "colon")
        await pilot.press(*"C01", "enter")
        await settle(pilot, lambda: "enter again" in text_of(found))
        await pilot.press("escape")
        await settle(pilot, lambda: found.screen is found.triage)
        assert found.triage.selection.scope == before


async def test_filters_are_saved_used_and_removed_by_name(found: TriageApp, tmp_path: Path) -> None:
    async with found.run_test(size=(100, 30), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"topic:refund -is:passing", "enter")
        await settle(pilot)
        await opened(pilot, found, "F")
        assert "now: topic:refund -is:passing" in text_of(found)
        await pilot.press(*"退款 bad", "enter")
        await settle(pilot, lambda: "saved as" in text_of(found))
        kept = json.loads((tmp_path / "state.json").read_text("utf-8"))["filters"]
        assert kept == {"退款 bad": "topic:refund -is:passing"}
        await pilot.press("escape")
        await settle(pilot)
        await pilot.press("escape")
        await settle(pilot, lambda: found.triage.bar.text == "")

        await opened(pilot, found, "F")
        await pilot.press(*"退款", "enter")
        await settle(pilot, lambda: found.triage.selection.scope.text == "topic:refund -is:passing")
        await settle(pilot, lambda: shown(found) == ["C00", "C06"])
        await offers(pilot, found, "slash", "end", "space", "@", "退")
        await pilot.press("tab")
        await settle(pilot)
        assert found.triage.bar.text == "topic:refund -is:passing (topic:refund -is:passing)"
        await pilot.press("enter")

        await opened(pilot, found, "F")
        await pilot.press("delete")
        assert "delete again" in text_of(found) and Memory(tmp_path / "state.json").filters
        await pilot.press("delete")
        await settle(pilot)
        assert Memory(tmp_path / "state.json").filters == {}
        await pilot.press(*"project", "delete")
        assert "only a filter of your own" in text_of(found)


async def test_filters_by_name_tell_their_counts_and_what_cannot_be_read(
    database: Path, workspace: Workspace, tmp_path: Path
) -> None:
    texts = {"good": "topic:refund", "bad": "topic:(", HOSTILE[:30]: f"id:{HOSTILE}"}
    hostile = Workspace(database, Settings(filters=texts), reviewer="wei")
    app = TriageApp(hostile, memory=Memory(tmp_path / "state.json"))
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        dialog = await opened(pilot, app, "F")
        options = dialog.query_one(OptionList)
        lines = [str(options.get_option_at_index(at).prompt) for at in range(3)]
        assert lines[0].split()[-2:] == ["1", "project"] and "error" in lines[1]
        assert not any(unicodedata.category(sign)[0] == "C" and sign != "\n" for sign in text_of(app))
    hostile.close()


async def test_similar_cases_are_a_list_of_their_own_and_escape_leads_back(found: TriageApp) -> None:
    async with found.run_test(size=(120, 40), notifications=True) as pilot:
        await settle(pilot)
        assert shown(found)[0] == "C00"
        await pilot.press("m")
        await settle(pilot, lambda: shown(found)[:2] == ["C00", "C06"] and len(shown(found)) == 6)
        await settle(pilot)
        screen = text_of(found)
        assert "5 similar to C00, at least ." in screen and " like " in screen and "1.00" in screen
        assert found.triage.cases.row.id == "C00", "the cursor keeps its case"
        assert found.triage.view.matching == 12, "the panels do not follow"
        await pilot.press("x", "x", "x", "1")
        await settle(pilot)
        tagged = [row.id for row in found.triage.cases.rows_here() if row.review is not None]
        assert tagged == ["C00", "C06", "C02"] and len(shown(found)) == 6
        await pilot.press("escape")
        await settle(pilot, lambda: found.triage.selection.scope.drill is None)
        await settle(pilot)
        assert " like " not in text_of(found).splitlines()[8]


async def test_a_case_without_similar_ones_says_so_and_the_list_stays(app: TriageApp) -> None:
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("slash", *"id:C04", "enter")
        await settle(pilot, lambda: shown(app) == ["C04"])
        await pilot.press("m")
        await settle(pilot, lambda: "no other query of the run is like that of C04" in text_of(app))
        assert app.triage.selection.scope.drill is None and shown(app) == ["C04"]


async def test_the_same_key_leads_out_of_the_similar_cases(found: TriageApp) -> None:
    async with found.run_test(size=(80, 24), notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("m")
        await settle(pilot, lambda: found.triage.selection.scope.drill is not None)
        await settle(pilot)
        await pilot.press("m")
        await settle(pilot, lambda: found.triage.selection.scope.drill is None)
