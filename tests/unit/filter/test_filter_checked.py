"""`check:` and `mismatch:`: what the sentence check says of a case."""

from __future__ import annotations

from typing import Any

import pytest

from triage.errors import FilterError
from triage.models.sentences import CHECK_STATES, MISMATCHES, SentenceSummary


@pytest.mark.parametrize(
    ("said", "state"),
    [
        (SentenceSummary(), "not-judged"),
        (SentenceSummary(2, 0), "not-cited"),
        (SentenceSummary(2, 2), "not-judged"),
        (SentenceSummary(2, 2, 2), "supported"),
        (SentenceSummary(2, 0, 2), "supported"),
        (SentenceSummary(2, 2, 2, 0, 1), "low-overlap"),
        (SentenceSummary(2, 1, 1), "uncited"),
        (SentenceSummary(2, 1, 1, 0, 1), "uncited"),
        (SentenceSummary(2, 1, 1, 1, 1, ("date",)), "unsupported"),
    ],
)
def test_a_case_is_called_by_its_worst_sentence(said: SentenceSummary, state: str) -> None:
    assert said.state == state


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("check:unsupported", "a1 a2"),
        ("check:UNSUPPORTED", "a1 a2"),
        ("check:not_judged", "a3"),
        ("check:un*", "a1 a2"),
        ("check:supported", ""),
        ("check:*", "a1 a2 a3"),
        ("-check:*", "a4 a5"),
        ("-check:unsupported", "a3 a4 a5"),
        ("mismatch:number", "a1 a2"),
        ("mismatch:duration", "a1"),
        ("mismatch:dur*", "a1"),
        ("mismatch:*", "a1 a2"),
        ("mismatch:(duration OR date)", "a1"),
        ("check:unsupported topic:refund", "a2"),
    ],
)
def test_cases_are_found_by_what_the_check_says(run: Any, text: str, found: str) -> None:
    assert run.find(text) == found
    assert run.where(text).on_results


@pytest.mark.parametrize(("text", "names"), [("check:wrong", CHECK_STATES), ("mismatch:num", MISMATCHES)])
def test_a_value_that_there_is_not_is_told_with_those_that_there_are(run: Any, text: str, names: Any) -> None:
    with pytest.raises(FilterError) as told:
        run.where(text)
    assert told.value.column == text.index(":") + 2
    assert all(name in told.value.hint for name in names)
