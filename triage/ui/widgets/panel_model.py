"""What the metric panels say, worked out from a `RunView` without a screen (look.md section 6, "Panel")."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from msgspec import Struct

from triage.metrics.metric import PANELS, Metric
from triage.metrics.registry import BY_KEY, METRICS
from triage.models.sentences import CHECK_METRICS
from triage.plain import cut
from triage.ui.palette import CLASS_KEYS
from triage.ui.text import wrap

if TYPE_CHECKING:
    from triage.models.case import RunView
    from triage.models.measure import MetricValue

SHOWN = 3
"""Figures of a panel that are seen without going on through it."""
CHECKING = "checking"
"""Stands in the place of a value that the check of sentences is still to give."""
Tone = Literal["worse", "better", "same", ""]
NEEDS = {
    "retrieval": "expected_ids and retrieved",
    "refusal": "answerable and predicted_answerable",
    "citation": "citations, or markers such as [S1] in answers",
    "generation": "scores, or passed",
}
"""The fields of a record that would fill a panel in which nothing is recorded."""


class Figure(Struct, frozen=True):
    """One metric as its row shows it.

    `digit` is the layer's digit where some case makes the metric worse, "." where none does, " " where
    nothing is recorded; `layer` gives its colour. `value` "" goes with `said`: "not recorded", "n/a" where no
    case is in scope, or "checking" where sentences are still to be checked.
    """

    key: str
    layer: str
    digit: str
    short: str
    title: str
    value: str
    fraction: str
    delta: str
    tone: Tone
    said: str = ""


class Panel(Struct, frozen=True):
    """A layer's figures: the recorded ones in registry order, filled up to three with others of the layer.

    `more` counts the recorded ones past the third, `more_worse` tells that one of these is worse. `lit` is
    the class in whose colour the title is filled, None for a layer that isn't the first to fall short. `word`
    is "2 worse" or "1 better", of the first three; where only others are worse, it counts these.
    """

    name: str
    figures: tuple[Figure, ...]
    more: int
    lit: str | None
    word: str
    tone: Tone
    more_worse: bool = False


class Panels(Struct, frozen=True):
    """All of it. `folded` names the layers with nothing recorded, `said` the filter they follow."""

    panels: tuple[Panel, ...]
    folded: tuple[str, ...] = ()
    said: str = ""


def number(value: float, metric: Metric, *, signed: bool = False) -> str:
    """A value in at most 6 cells, without a leading zero: ".875", "1.000", "4.10", signed "+.20"."""
    places = 2 if metric.scale == "judge" else 3
    if signed and value and not round(value, places):
        places += 1
    sign = "+" if signed and value > 0 else "-" if value < 0 else ""
    while True:
        # Half a last place goes up, as people round: 0.8125 is .813.
        text = f"{abs(value) + 1e-9:.{places}f}"
        text = sign + (text[1:] if text.startswith("0.") else text)
        if len(text) <= 6 or not places:
            return text
        places -= 1


def counted(count: float) -> str:
    """A number of cases in 5 cells: "n 8", from 100 on "n412", "n2.0k", "n41k", "n1.2m"."""
    if count < 100:
        return f"n {count:g}"
    if count < 1000:
        return f"n{count:g}"
    if count < 9950:
        return f"n{count / 1000:.1f}k"
    if count < 999_500:
        return f"n{count / 1000:.0f}k"
    return f"n{count / 1e6:.1f}m" if count < 9_950_000 else f"n{count / 1e6:.0f}m"


def fraction(value: MetricValue, metric: Metric) -> str:
    """A share's fraction, or how many cases stand behind a mean; in 5 cells."""
    if value.denominator is None:
        return ""
    if (metric.is_share or metric.micro) and value.denominator < 100 and value.numerator is not None:
        return f"{value.numerator:g}/{value.denominator:g}"
    return counted(value.denominator)


def compared(value: MetricValue, base: MetricValue | None, metric: Metric) -> tuple[str, Tone]:
    """The delta to a baseline's value in words (`-.125`, `=`, "" without one), and what it means."""
    if base is None or base.value is None or value.value is None:
        return "", ""
    delta = value.value - base.value
    if abs(delta) < 1e-9:
        return "=", "same"
    return number(delta, metric, signed=True), "better" if (delta > 0) == metric.higher_is_better else "worse"


def _figure(metric: Metric, view: RunView) -> Figure:
    value: MetricValue | None = view.metrics.get(metric.key)
    layer = CLASS_KEYS[int(metric.digit) - 1]
    short, title = metric.named(view.k), metric.titled(view.k)
    if value is None or value.value is None:
        said = "not recorded" if value is None or value.missing else "n/a"
        said = CHECKING if view.checking and metric.key in CHECK_METRICS else said
        return Figure(metric.key, layer, " ", short, title, "", "", "", "", said)
    delta, tone = compared(value, view.base_metrics.get(metric.key), metric)
    digit = metric.digit if value.worst else "."
    return Figure(
        metric.key,
        layer,
        digit,
        short,
        title,
        number(value.value, metric),
        fraction(value, metric),
        delta,
        tone,
    )


def _lit(view: RunView) -> tuple[str, str] | None:
    """The first layer that falls short, and the class in whose colour it is filled (look.md section 9)."""
    fails = view.layer_fails
    for name, classes in (
        ("retrieval", ("retrieval", "ranking")),
        ("refusal", ("refusal",)),
        ("citation", ("citation-semantic",)),
    ):
        for layer in classes:
            if fails.get(layer, 0):  # type: ignore[call-overload]
                return name, layer
    return ("generation", "other") if view.generation_fails or view.class_free else None


def _word(figures: list[Figure]) -> tuple[str, Tone]:
    worse = sum(figure.tone == "worse" for figure in figures)
    if worse:
        return f"{worse} worse", "worse"
    better = sum(figure.tone == "better" for figure in figures)
    return (f"{better} better", "better") if better else ("", "")


def scope_said(view: RunView) -> str:
    """ "12 of 100 cases, selected on results" under a filter text, else ""."""
    parts = (
        [f"{view.matching} of {view.cases} cases"] if view.matching != view.cases or view.text_said else []
    )
    if view.selected_on_results:
        parts = [f"{view.matching} of {view.cases} cases", "selected on results"]
    return ", ".join(parts)


def reduce(view: RunView | None) -> Panels:
    """The panels of a view; None = still loading, which has the final layout with `-` for values."""
    panels: list[Panel] = []
    folded: list[str] = []
    lit = _lit(view) if view else None
    for name in PANELS:
        metrics = [metric for metric in METRICS if metric.panel == name]
        if view is None:
            shown = [_loading(metric) for metric in metrics[:SHOWN]]
            panels.append(Panel(name, tuple(shown), 0, None, "", ""))
            continue
        figures = [_figure(metric, view) for metric in metrics]
        recorded = [figure for figure in figures if not figure.said]
        if recorded:
            # They keep the place that their values will have.
            recorded = [figure for figure in figures if figure.said in ("", CHECKING)]
        unknown = any(figure.said == "not recorded" for figure in figures)
        if not recorded and (unknown or view.matching == view.cases):
            folded.append(name)
            continue
        rest = [figure for figure in figures if figure not in recorded]
        shown = recorded + rest[: max(SHOWN - len(recorded), 0)]
        hidden = any(figure.tone == "worse" for figure in recorded[SHOWN:])
        word, tone = _word(recorded[:SHOWN])
        if hidden and tone != "worse":
            # A layer is not called better while one of its numbers is worse.
            word, tone = _word(recorded)
        filled = lit[1] if lit and lit[0] == name else None
        more = max(len(recorded) - SHOWN, 0)
        panels.append(Panel(name, tuple(shown), more, filled, word, tone, hidden))
    return Panels(tuple(panels), tuple(folded), scope_said(view) if view else "")


def _loading(metric: Metric) -> Figure:
    layer = CLASS_KEYS[int(metric.digit) - 1]
    return Figure(metric.key, layer, " ", metric.named(3), metric.titled(3), "-", "", "", "")


def explain(view: RunView | None, key: str, *, brief: bool = False, told: bool = False) -> str:
    """One line on a metric: exact fraction, interval, missing, inferred, what it tells and can't.

    `brief` leaves out what the panel shows anyway, for a row of 80 cells; `told` what it tells and can't,
    which stands elsewhere then.
    """
    metric = BY_KEY.get(key)
    if metric is None or view is None:
        return ""
    value: MetricValue | None = view.metrics.get(key)
    parts = [metric.titled(view.k)]
    if value is None or value.value is None:
        missing = value.missing if value else 0
        said = "not recorded" if missing or value is None else "n/a: no case in scope"
        waits = view.checking and key in CHECK_METRICS
        parts.append("checking: its sentences are still being read" if waits else said)
    else:
        if not brief:
            parts.append(f"{value.value:.4f}")
        if value.denominator is not None:
            exact = f"{value.numerator:g}/{value.denominator:g}"
            parts.append(exact if metric.is_share or metric.micro else f"n {value.denominator:g}")
        if value.interval is not None and not brief:
            low, high = value.interval
            parts.append(f"95 % {number(low, metric)}-{number(high, metric)}")
    if value is not None and value.missing:
        parts.append(f"{value.missing} missing")
    if value is not None and value.inferred:
        parts.append(f"{value.inferred} inferred")
    # Imported here because the first paint explains nothing.
    from triage.metrics.companions import companions

    beside = companions(view.metrics).get(key)
    if beside is not None:
        parts.append(beside.text)
    if value is not None and not brief:
        delta, tone = compared(value, view.base_metrics.get(key), metric)
        if tone in ("worse", "better"):
            parts.append(f"{delta} is {tone}")
    if not told:
        parts.append(f"tells {metric.tells}; not {metric.does_not_tell}")
    return "  ".join(parts)


TOLD = 3
"""Rows under panels that are lines for what a metric tells and can't; side by side the blank rows hold it."""


def told(key: str, cells: int) -> list[str]:
    """What a metric tells and can't, in `TOLD` lines of at most `cells`; the last ones may be blank."""
    metric = BY_KEY[key]
    text = f"tells {metric.tells}; can't tell {metric.does_not_tell}"
    lines = [text[start:end] for start, end in wrap(text, cells)]
    if len(lines) > TOLD:
        lines[TOLD - 1] = cut(" ".join(each.strip() for each in lines[TOLD - 1 :]), cells)
    return [*lines[:TOLD], *([""] * (TOLD - len(lines)))]
