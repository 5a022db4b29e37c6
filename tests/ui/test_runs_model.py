"""The list of runs without a screen: order, columns, trends."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.cells import cell_len
from screen_help import HOSTILE

from triage.models.measure import MetricValue
from triage.models.run import RunSummary
from triage.models.run_list import RunEntry, RunFigures
from triage.ui.palette import DARK, Palette, variable
from triage.ui.widgets.runs_model import TREND, Order, RunsModel, arrange, prepare, when
from triage.ui.widgets.runs_row import RunColumns, heading, paint
from triage.ui.widgets.runs_strip import Told, body

INK = Palette({variable(key): value for key, value in DARK.items()}, dark=True, ansi=False, colourless=False)


def metric(key: str, value: float | None) -> MetricValue:
    return MetricValue(key, value, None, None if value is None else 10.0, 0, 0, None)


def entry(
    number: int, hit: float | None, *, over: float = 0.0, base: float | None = None, **more: object
) -> RunEntry:
    values = {"hit": metric("hit", hit), "over_refusal": metric("over_refusal", over)}
    run = RunSummary(
        pk=number, id=str(more.pop("id", f"run-{number}")), path="/x", format="jsonl",
        created_at=f"2026-10-{number + 1:02}T10:00:00Z", loaded_at="2026-10-30T10:00:00Z",
        dataset=str(more.pop("dataset", "set")), dataset_version="1", kb_version=f"kb{number}",
        retrieval={"top_k": 3}, model=None, k=3, score_scale="1-5", records=10, rejected=0, revision=1,
        size=9,
        baseline=None, notes=None,
    )  # fmt: skip
    figures = RunFigures(
        values, {"hit": metric("hit", base)} if base is not None else {}, 3, 1, {"ranking": 1}
    )
    return RunEntry(run, "=set", figures=figures, present=True)


def model(entries: list[RunEntry], order: str = "when", chosen: str | None = "hit") -> RunsModel:
    return arrange(prepare(entries, shown="run-0", against=None, metric=chosen), Order.read(order))


def ids(entries: list[RunEntry], order: str) -> list[str]:
    return [line.entry.run.id[-1] for line in model(entries, order).lines]


def test_metrics_are_sorted_best_first_by_their_direction_and_what_has_none_comes_last() -> None:
    runs = [entry(0, 0.5, over=0.1), entry(1, None, over=0.3), entry(2, 0.9, over=0.0)]
    assert ids(runs, "hit") == ["2", "0", "1"] and ids(runs, "-hit") == ["0", "2", "1"]
    assert ids(runs, "over_refusal") == ["2", "0", "1"]
    assert ids(runs, "when") == ["2", "1", "0"] and ids(runs, "-when") == ["0", "1", "2"]
    assert ids(runs, "id") == ["0", "1", "2"] and ids(runs, "nonsense") == ["2", "1", "0"]


def test_a_trend_is_on_one_scale_skips_what_is_not_recorded_and_ends_with_its_own_run() -> None:
    runs = [entry(0, 0.5), entry(1, None), entry(2, 1.0), entry(3, 0.75)]
    lines = {line.entry.run.id[-1]: line.trend for line in model(runs).lines}
    assert lines == {"0": (0,), "1": (), "2": (0, None, 6), "3": (0, None, 6, 3)}


def test_a_metric_that_never_moves_is_a_line_in_the_middle() -> None:
    assert model([entry(0, 0.5), entry(1, 0.5)]).lines[0].trend == (3, 3)


def test_a_long_history_is_cut_at_its_old_end() -> None:
    runs = [entry(number % 28, number / 100, id=f"r{number}") for number in range(100)]
    assert max(len(line.trend) for line in model(runs).lines) == TREND


def test_a_delta_says_worse_or_better_by_the_metrics_direction() -> None:
    line = model([entry(0, 0.5, base=0.75)]).lines[0]
    assert (line.chosen.value, line.chosen.delta, line.chosen.tone) == (".500", "-.250", "worse")


@pytest.mark.parametrize("cells", [60, 80, 99, 100, 119, 120, 160, 200, 320])
def test_rows_and_heading_fill_their_width_exactly_at_any_width(cells: int) -> None:
    runs = [
        entry(0, 0.5, base=0.25),
        entry(1, 0.9, id=HOSTILE, dataset="客服测试集很长的名字，比列宽得多"),
        entry(2, None, id="很长的名字" * 9),
    ]
    made = model(runs)
    columns = RunColumns.at(cells, made)
    for strip in [
        heading(columns, made, True, INK),
        *(paint(line, columns, cursor=False, focused=True, ink=INK) for line in made.lines),
    ]:
        assert sum(cell_len(segment.text) for segment in strip) == cells
        assert not set("".join(segment.text for segment in strip)) & set("\x1b\x07\u202e\n")


def test_wider_screens_never_show_fewer_columns() -> None:
    made = model([entry(0, 0.5, base=0.4), entry(1, 0.9, dataset="other")])
    before: set[str] = set()
    for cells in range(80, 240):
        columns = RunColumns.at(cells, made)
        now = {name for name in ("kb", "when", "test_set", "headlines", "trend") if getattr(columns, name)}
        assert before <= now, cells
        before = now
    assert before == {"kb", "when", "test_set", "headlines", "trend"}


def test_times_are_told_with_their_year_only_where_it_matters() -> None:
    assert when("2026-10-05T10:00:00Z", with_year=True).startswith("2026-10-0")
    assert when("2026-10-05T10:00:00Z", with_year=False).startswith("10-0")
    assert when("\x1b[31m", with_year=False) == "<ESC>[31m"


@pytest.mark.parametrize("cells", [60, 80, 120, 200])
def test_no_line_of_the_strip_is_wider_than_the_screen(cells: int) -> None:
    one = entry(1, 0.9, base=0.5, id=HOSTILE)
    base = entry(0, 0.5)
    told = Told(
        RunEntry(one.run, one.family, True, one.figures, False, {"top_k": "5", HOSTILE: HOSTILE}),
        RunEntry(base.run, base.family, False, base.figures, True, {"top_k": "3"}),
    )
    lines = body(told, cells, 8, {"runs.problems": "p"})
    for words in lines:
        assert sum(cell_len(text) for text, _ in words) <= cells
        assert not set("".join(text for text, _ in words)) & set("\x1b\x07\u202e\n")
    assert any("top_k 5, was 3" in "".join(text for text, _ in words) for words in lines)


def test_ways_to_files_are_not_looked_at_while_lines_are_built(monkeypatch: pytest.MonkeyPatch) -> None:
    def looked(self: Path) -> bool:
        raise AssertionError(self)

    monkeypatch.setattr(Path, "exists", looked)
    assert model([entry(0, 0.5)]).lines


def test_no_number_is_cut_and_a_narrow_list_has_its_dates_however_long_the_ids() -> None:
    runs = [entry(number, 0.5, id=f"a-run-with-a-long-name-{number}") for number in range(3)]
    bad = replace(runs[0], run=replace(runs[0].run, rejected=10_000))
    listed = model([bad, *runs[1:]])
    for cells in (80, 100, 120, 160):
        columns = RunColumns.at(cells, listed)
        assert columns.when
        row = paint(listed.lines[-1], columns, cursor=False, focused=False, ink=INK).text
        assert "10000" in row if columns.rejected else "1000" not in row
    assert RunColumns.at(120, listed).rejected
