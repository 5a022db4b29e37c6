"""What the Slices screen works out without a screen: order, sureness, cost in words, axis, tints."""

from __future__ import annotations

import pytest
from textual.color import Color

from triage.metrics.interval import wilson
from triage.metrics.registry import BY_KEY
from triage.models.measure import MetricValue
from triage.models.query import SlicePart
from triage.models.slices import FAILING, Dimension, SliceRow, SliceTable
from triage.ui.palette import ANSI, DARK, LIGHT, Palette, contrast
from triage.ui.widgets.slices_heat import look_of
from triage.ui.widgets.slices_model import (
    COUNT,
    Axis,
    Order,
    Question,
    effect,
    headlines,
    metric_of,
    one,
    surely,
)
from triage.ui.widgets.slices_strip import Told, sentences
from triage.ui.widgets.slices_tint import STEPS, degree, tinted
from triage.ui.work.slices_showing import asked_next


def share(key: str, good: int, of: int) -> MetricValue:
    return MetricValue(key, good / of, good, of, 0, 0, wilson(good, of), of - good)


def row(value: str, good: int, of: int, cost: float | None, **more: object) -> SliceRow:
    small = of < 30
    return SliceRow(
        SlicePart("topic", value),
        of,
        of - good,
        {"hit": share("hit", good, of)},
        cost=cost,
        small=small,
        **more,
    )  # type: ignore[arg-type]


def table(*rows: SliceRow, tail: SliceRow | None = None) -> SliceTable:
    return SliceTable(
        Dimension("topic", "topic", "case", len(rows)), "r", 3, "hit", rows, tail, row("", 150, 200, None)
    )


def test_a_value_is_sure_only_where_its_whole_interval_lies_on_one_side() -> None:
    hit, over = BY_KEY["hit"], BY_KEY["over_refusal"]
    whole = share("hit", 75, 100)
    assert surely(share("hit", 20, 100), whole, hit) == "worse"
    assert surely(share("hit", 99, 100), whole, hit) == "better"
    assert surely(share("hit", 2, 4), whole, hit) == ""
    assert surely(share("over_refusal", 99, 100), whole, over) == "worse", "less of it is better"
    assert surely(None, whole, hit) == surely(share("hit", 1, 4), None, hit) == ""


@pytest.mark.parametrize(
    ("key", "beside"),
    [
        ("satisfaction", "  response rate 0.7500 (3/4 sessions)"),
        ("citation_support", "  flags right: .92 on short sources, .28 on long"),
    ],
)
def test_a_number_that_needs_a_companion_has_it_beside_its_slice(key: str, beside: str) -> None:
    value = MetricValue(key, 2 / 3, 2, 3, 1, 0, None, 1)
    slice_ = SliceRow(SlicePart("topic", "refund"), 4, 1, {key: value}, small=True)
    told = Told((("topic", "refund"),), BY_KEY[key], None, row=slice_)
    assert (beside, "muted") in sentences(told)[0][1]


def test_the_cost_has_the_sign_that_the_whole_would_show() -> None:
    assert effect(0.024, BY_KEY["hit"]) == ("-.024", "worse")
    assert effect(-0.011, BY_KEY["hit"]) == ("+.011", "better")
    assert effect(0.024, BY_KEY["over_refusal"]) == ("+.024", "worse")
    assert effect(0.0, BY_KEY["hit"]) == ("=", "same") and effect(None, BY_KEY["hit"]) == ("", "")


def test_rows_are_ordered_and_the_tail_stays_last_until_one_narrows() -> None:
    rows = (row("b", 30, 60, 0.1), row("A", 5, 5, -0.01), row("c", 40, 50, None))
    tail = row("9 more values", 3, 40, 0.5, folded=9)
    made = table(*rows, tail=tail)

    def names(order: Order, text: str = "") -> list[str]:
        return [line.name for line in one(made, "hit", order, text).lines]

    assert names(Order()) == ["b", "A", "c", "9 more values"], "what has no cost comes after what has one"
    assert names(Order("cost", turned=True)) == ["A", "b", "c", "9 more values"]
    assert names(Order("value")) == ["b", "c", "A", "9 more values"]
    assert names(Order("name")) == ["A", "b", "c", "9 more values"]
    assert names(Order("cases")) == ["b", "c", "A", "9 more values"]
    assert names(Order(), "B") == ["b"]


def test_an_order_comes_back_as_it_was_kept_and_nonsense_is_the_default() -> None:
    for order in (Order(), Order("name"), Order("cases", turned=True)):
        assert Order.read(order.written()) == order
    assert Order.read("nonsense") == Order.read("") == Order()


def test_costs_are_awaited_where_the_table_is_of_another_metric() -> None:
    made = table(row("b", 30, 60, 0.1))
    assert one(made, FAILING, Order()).lines[0].cost == "-"
    assert one(made, FAILING, Order()).lines[0].value == ".500"
    assert one(made, "hit", Order()).lines[0].cost == "-.100"


def test_the_axis_holds_every_value_and_ends_on_tenths() -> None:
    made = one(table(row("b", 30, 60, 0.1), row("c", 58, 60, 0.0)), "hit", Order())
    axis = made.axis
    assert (axis.low, axis.high) == (0.3, 1.0)
    places = [axis.place(value, 29) for value in (0.3, 0.5, 0.75, 1.0)]
    assert places == [0, 8, 18, 28]
    assert Axis(0.0, 1.0, None).place(7.0, 10) == 9, "what lies outside stands at the end"


def test_headline_metrics_of_every_layer_come_before_more_of_one() -> None:
    metrics = [BY_KEY[key] for key in ("hit", "mrr", "recall", "refusal_accuracy", "citation_coverage")]
    assert [metric.key for metric in headlines(metrics, 3)][:3] == [
        "hit", "refusal_accuracy", "citation_coverage",
    ]  # fmt: skip
    assert {metric.key for metric in headlines(metrics, 3)} == {metric.key for metric in metrics}
    assert metric_of("no such").key == FAILING


def test_a_question_that_can_not_be_asked_gives_way() -> None:
    start = Question("topic", "hit")
    assert asked_next(start, {"mode": "cross"}) == start, "crossed with nothing"
    crossed = asked_next(start, {"mode": "cross", "cross": "domain", "metric": COUNT})
    assert (crossed.mode, crossed.metric) == ("cross", COUNT)
    turned = asked_next(crossed, {"by": "domain"})
    assert (turned.by, turned.cross) == ("domain", "topic"), "they change places"
    assert asked_next(crossed, {"mode": "all"}).metric == FAILING


@pytest.mark.parametrize("colours", [DARK, LIGHT])
@pytest.mark.parametrize("role", ["bad", "good", "other", "focus"])
def test_text_is_readable_on_every_tint(colours: dict[str, str], role: str) -> None:
    ink = Palette({}, dark=colours is DARK, ansi=False, colourless=False)
    seen = []
    for step in range(1, STEPS + 1):
        style = tinted(ink, role, step)
        assert style.bgcolor is not None and style.bgcolor.triplet is not None
        ground = Color(*style.bgcolor.triplet)
        assert contrast(ink.colours["text"], ground) >= 4.5
        seen.append(ground)
    assert len(set(seen)) == STEPS and tinted(ink, role, 0) == ink("text", "bg")
    assert [degree(value) for value in (0, 0.01, 0.5, 1)] == [0, 1, 3, STEPS]


def test_without_colours_the_degrees_are_plain_bold_and_filled() -> None:
    for ink in (
        Palette({}, dark=True, ansi=False, colourless=True),
        Palette(dict(ANSI), dark=True, ansi=True, colourless=False),
    ):
        looks = [tinted(ink, "bad", step) for step in range(STEPS + 1)]
        assert len({str(look) for look in looks}) >= 3
        assert looks[STEPS].reverse or looks[STEPS].bgcolor is not None
        assert looks[2].bold


def test_counts_of_a_confusion_table_know_what_is_right() -> None:
    assert look_of("expected_route", "route", "sql", "sql") == "fine"
    assert look_of("expected_route", "route", "sql", "vector") == "worse"
    assert look_of("answerable", "refused", "true", "false") == "fine"
    assert look_of("answerable", "refused", "false", "false") == "worse"
    assert look_of("conflict.resolved", "conflict.correct", "true", "false") == "worse"
    assert look_of("topic", "domain", "a", "a") == "plain"
