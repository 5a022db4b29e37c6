"""Views and details made of records by the real measures and rules, without a database."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from textual.app import App

from triage.citations.resolve import resolve
from triage.diagnosis import examine
from triage.metrics.registry import add_up, combine_all
from triage.models.case import CaseDetail, CaseRow, RunView
from triage.models.measure import CLASSES, Scoring
from triage.models.record import Record, RunHeader
from triage.ui.themes import DARK_NAME, built_in, theme_variable_defaults

HOSTILE = (
    "before \x1b]52;c;Zm9vYmFy\x07 mid \x1b]0;PWNED\x07 \x1b[2J\x1b[H [/] [/path] [bold]x[/b] "
    "[@click=app.quit]q[/] "
    '\u202etxt\u202c \u200b\x00\x9b31m {"a": [1]} tab\there\r\nline\u2028two \ud800 退货，政策'
)


class ThemedApp(App[None]):
    """An app with our themes and nothing else."""

    def __init__(self, theme: str = DARK_NAME) -> None:
        super().__init__()
        self._wanted = theme

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return theme_variable_defaults()

    def on_mount(self) -> None:
        for theme in built_in():
            self.register_theme(theme)
        self.theme = self._wanted


def view_of(
    records: Sequence[Record],
    base: Sequence[Record] = (),
    cases: int | None = None,
    scoring: Scoring | None = None,
) -> RunView:
    scoring = scoring or Scoring()
    examined = [examine(record, scoring) for record in records]
    found = [diagnosis for _, diagnosis in examined]
    failing = [diagnosis for diagnosis in found if diagnosis.failing]
    earlier = [examine(record, scoring)[0] for record in base]
    return RunView(
        run="kb42",
        k=scoring.k,
        cases=len(records) if cases is None else cases,
        matching=len(records),
        failing=len(failing),
        reviewed=0,
        triaged=0,
        classes={layer: sum(each.suggestion.failure_class == layer for each in failing) for layer in CLASSES},
        verdicts={},
        layer_fails={layer: sum(each.layers[layer] == "fails" for each in failing) for layer in CLASSES},
        generation_fails=0,
        class_free=sum(each.suggestion.failure_class is None for each in failing),
        metrics=combine_all(add_up([measures for measures, _ in examined], scoring)),
        baseline="kb41" if base else None,
        base_metrics=combine_all(add_up(earlier, scoring)) if base else {},
    )


def detail_of(record: Record, scoring: Scoring | None = None, **changed: Any) -> CaseDetail:
    scoring = scoring or Scoring()
    measures, diagnosis = examine(record, scoring)
    row = CaseRow(
        pk=1,
        id=record.id,
        query=record.query or "",
        topic=record.topic,
        topic_inferred="topic" in record.inferred,
        high_risk=changed.pop("high_risk", False),
        failing=diagnosis.failing,
        failure_class=diagnosis.suggestion.failure_class,
        reason=diagnosis.suggestion.reason,
        confidence=diagnosis.suggestion.confidence,
        layers=diagnosis.layers,
        first_rank=diagnosis.first_rank,
        review=changed.pop("review", None),
    )
    values: dict[str, Any] = {
        "row": row,
        "run": "kb42",
        "revision": 1,
        "k": scoring.k,
        "header": RunHeader(id="kb42", kb_version="kb42", k=scoring.k),
        "raw": json.dumps(record.model_dump(exclude_none=True), ensure_ascii=True),
        "record": record,
        "diagnosis": diagnosis,
        "measures": {key: measure.value for key, measure in measures.items()},
        "missing": tuple(key for key, measure in measures.items() if measure.missing),
        "inferred": tuple(record.inferred),
        "citations": tuple(resolve(record)),
    }
    return CaseDetail(**{**values, **changed})


@pytest.fixture
def make_view() -> Callable[..., RunView]:
    return view_of


@pytest.fixture
def make_detail() -> Callable[..., CaseDetail]:
    return detail_of


@pytest.fixture
def themed() -> type[ThemedApp]:
    return ThemedApp


@pytest.fixture
def hostile() -> str:
    return HOSTILE
