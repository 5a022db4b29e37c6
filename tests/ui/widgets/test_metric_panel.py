"""The metric panels: what they say, and how they stand at every width."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from textual.app import App, ComposeResult

from triage.metrics.registry import BY_KEY
from triage.models.case import RunView
from triage.models.measure import MetricValue
from triage.models.record import Document, Record
from triage.ui.widgets.metric_panel import MetricPanels
from triage.ui.widgets.panel_model import counted, explain, fraction, number, reduce

Make = Callable[..., RunView]


def record(at: int, **changed: Any) -> Record:
    values: dict[str, Any] = {
        "id": f"E{at}",
        "query": "退款多久到",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [Document(id="KB-1"), Document(id="KB-2"), Document(id="KB-3")],
        "predicted_answerable": True,
        "answer": "七天内。[S1]",
        "citations": ["S1"],
        "scores": {"faithfulness": 4.0},
    }
    return Record(**{**values, **changed})


def ten(missed: int = 1) -> list[Record]:
    other = [Document(id="KB-2"), Document(id="KB-3")]
    return [record(at, retrieved=other) for at in range(missed)] + [record(at) for at in range(missed, 10)]


def rows(app: App[None], widget: MetricPanels) -> list[str]:
    return [widget.render_line(y).text for y in range(widget.size.height)]


def test_numbers_take_at_most_six_cells_and_no_leading_zero() -> None:
    share, judge = BY_KEY["hit"], BY_KEY["faithfulness"]
    assert [number(value, share) for value in (0.875, 0.8125, 0, 1)] == [".875", ".813", ".000", "1.000"]
    assert number(4.1, judge) == "4.10"
    assert [number(value, share, signed=True) for value in (-0.125, 0.5, 1)] == ["-.125", "+.500", "+1.000"]
    assert number(0.2, judge, signed=True) == "+.20"
    assert number(0.0004, share, signed=True) == "+.0004"
    assert all(len(number(value, judge, signed=True)) <= 6 for value in (-4.25, 99.5, -99.9))


@pytest.mark.parametrize(
    ("count", "said"),
    [
        (8, "n 8"), (99, "n 99"), (412, "n412"), (2000, "n2.0k"), (9949, "n9.9k"), (9990, "n10k"),
        (41_000, "n41k"), (999_700, "n1.0m"), (12_000_000, "n12m"),
    ],
)  # fmt: skip
def test_counts_stay_within_five_cells(count: int, said: str) -> None:
    assert counted(count) == said
    assert len(said) <= 5


def test_a_share_shows_its_fraction_below_a_hundred_cases() -> None:
    value = MetricValue("hit", 0.875, 7, 8, 0, 0, None)
    assert fraction(value, BY_KEY["hit"]) == "7/8"
    assert fraction(MetricValue("hit", 0.875, 700, 800, 0, 0, None), BY_KEY["hit"]) == "n800"
    assert fraction(value, BY_KEY["mrr"]) == "n 8"


def test_the_first_layer_that_falls_short_is_lit_and_words_count_its_changes(make_view: Make) -> None:
    model = reduce(make_view(ten(2), ten(1)))
    assert [panel.lit for panel in model.panels] == ["retrieval", None, None, None]
    retrieval = model.panels[0]
    assert (retrieval.word, retrieval.tone) == ("3 worse", "worse")
    hit = retrieval.figures[0]
    assert (hit.digit, hit.short, hit.value, hit.fraction, hit.delta) == (
        "1",
        "Hit@3",
        ".800",
        "8/10",
        "-.100",
    )
    assert retrieval.more == 7
    assert retrieval.more_worse
    assert model.panels[1].figures[1].digit == "."


def clearer(make_view: Make) -> RunView:
    """Three numbers of generation that are better or the same, and others that are worse."""
    same = {"answer_relevancy": 5.0, "factual_correctness": 5.0}
    now, before = {"faithfulness": 4.0, "clarity": 3.0}, {"faithfulness": 3.0, "clarity": 5.0}
    return make_view(*([record(at, scores=same | own) for at in range(4)] for own in (now, before)))


def test_a_layer_is_not_called_better_while_a_number_that_is_not_seen_is_worse(make_view: Make) -> None:
    generation = reduce(clearer(make_view)).panels[3]
    assert [figure.tone for figure in generation.figures[:3]] == ["better", "same", "same"]
    assert generation.more_worse
    assert generation.tone == "worse"
    assert generation.word.endswith(" worse")


@pytest.mark.parametrize("width", [80, 100])
async def test_what_is_not_seen_is_counted_whatever_room_the_name_leaves(
    width: int, make_view: Make, themed: type[App[None]]
) -> None:
    class Small(themed):  # type: ignore[valid-type, misc]
        def compose(self) -> ComposeResult:
            yield MetricPanels()

    app = Small()
    async with app.run_test(size=(width, 30)) as pilot:
        panels = app.query_one(MetricPanels)
        panels.view = clearer(make_view)
        await pilot.pause()
        generation = panels.model.panels[3]
        assert generation.more > 0
        assert rows(app, panels)[3][:12].rstrip() == f" gener.+{generation.more}"


def test_up_is_not_always_good(make_view: Make) -> None:
    refusing = [record(at, predicted_answerable=False, answer="抱歉", citations=[]) for at in range(4)]
    model = reduce(make_view([*refusing, record(5)], [record(at) for at in range(5)]))
    over = next(figure for figure in model.panels[1].figures if figure.key == "over_refusal")
    assert (over.delta, over.tone) == ("+.800", "worse")


def test_without_a_baseline_deltas_are_blank_and_nothing_is_lit_where_all_passes(make_view: Make) -> None:
    model = reduce(make_view([record(at) for at in range(3)]))
    assert not any(panel.lit for panel in model.panels)
    assert not any(figure.delta for panel in model.panels for figure in panel.figures)


def test_layers_with_nothing_recorded_fold_and_the_first_three_are_filled_up(make_view: Make) -> None:
    bare = [Record(id=str(at), query="x", passed=bool(at % 2)) for at in range(5)]
    model = reduce(make_view(bare))
    assert model.folded == ("retrieval", "refusal", "citation")
    figures = model.panels[0].figures
    assert figures[0].key == "runner_pass_rate"
    assert [figure.said for figure in figures] == ["", "not recorded", "not recorded"]
    assert figures[1].digit == " "


def test_a_filter_that_leaves_no_case_in_scope_says_so_and_does_not_fold(make_view: Make) -> None:
    refused = record(
        1, answerable=False, expected_ids=[], predicted_answerable=False, answer="抱歉", citations=[]
    )
    model = reduce(make_view([refused], cases=10))
    retrieval = model.panels[0]
    assert retrieval.name == "retrieval"
    assert {figure.said for figure in retrieval.figures} == {"n/a"}
    assert model.said == "1 of 10 cases"


def test_a_metric_explains_itself(make_view: Make) -> None:
    said = explain(make_view([*ten(2), record(11, expected_ids=None)], ten(1)), "hit")
    for part in ("Hit@3", "0.8000", "8/10", "95 % .490-.943", "1 missing", "-.100 is worse", "tells", "not"):
        assert part in said
    assert explain(None, "hit") == ""


@pytest.mark.parametrize(
    ("width", "height", "lines"), [(120, 40, 6), (116, 40, 6), (100, 30, 5), (80, 24, 4), (80, 18, 1)]
)
async def test_panels_fill_their_grid_at_every_size(
    make_view: Make, themed: type[App[None]], width: int, height: int, lines: int
) -> None:
    class Small(themed):  # type: ignore[valid-type, misc]
        AUTO_FOCUS = ""

        def compose(self) -> ComposeResult:
            yield MetricPanels()

    app = Small()
    async with app.run_test(size=(width, height)) as pilot:
        panels = app.query_one(MetricPanels)
        panels.view = make_view(ten(2), ten(1))
        await pilot.pause()
        assert panels.size.height == lines
        shown = rows(app, panels)
        assert all(len(row) == width for row in shown)
        text = "\n".join(shown)
        assert ".800" in text
        assert not {character for character in text if unicodedata.east_asian_width(character) == "A"}
        if lines == 6:
            column = width // 4
            assert shown[1][1:12] == " retrieval "
            assert shown[2][4:9] == "Hit@3"
            assert shown[2][:column].rstrip().endswith("8/10 -.100")
        if width == 80 and lines == 4:
            assert shown[0].endswith(" 3 worse ")


async def test_the_keyboard_goes_through_every_metric_and_enter_is_a_door(
    make_view: Make, themed: type[App[None]]
) -> None:
    heard: list[tuple[str, str | None]] = []

    class Small(themed):  # type: ignore[valid-type, misc]
        def compose(self) -> ComposeResult:
            yield MetricPanels()

        def on_metric_panels_focused(self, event: MetricPanels.Focused) -> None:
            heard.append(("focus", event.key))

        def on_metric_panels_chosen(self, event: MetricPanels.Chosen) -> None:
            heard.append(("chosen", event.key))

    app = Small()
    async with app.run_test(size=(120, 40)) as pilot:
        panels = app.query_one(MetricPanels)
        panels.view = make_view(ten(2), ten(1))
        panels.focus()
        await pilot.press("down", "down", "down", "down")
        assert heard[-1] == ("focus", "precision_trec")
        assert panels.render_line(4).text[1] == ">"
        assert "trecP@3" in panels.render_line(4).text
        await pilot.press("right")
        assert heard[-1] == ("focus", "fallback_rate")
        await pilot.press("up", "enter")
        assert heard[-1] == ("chosen", "over_refusal")
        await pilot.resize_terminal(80, 24)
        await pilot.press("right", "right")
        assert heard[-1] == ("focus", "fallback_rate")
        assert panels.render_line(1).text[41:51] == ">. fallbac"
        panels.blur()
        await pilot.pause()
        assert heard[-1] == ("focus", None)


async def test_nothing_loaded_yet_has_the_final_layout(themed: type[App[None]]) -> None:
    class Small(themed):  # type: ignore[valid-type, misc]
        def compose(self) -> ComposeResult:
            yield MetricPanels()

    app = Small()
    async with app.run_test(size=(120, 40)) as pilot:
        panels = app.query_one(MetricPanels)
        panels.focus()
        await pilot.press("down", "enter", "left")
        assert panels.size.height == 6
        assert panels.render_line(2).text.count(" - ") == 4
