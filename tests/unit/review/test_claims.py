"""What a number of read cases can claim: scipy's figures in the shared vectors, and the sentences."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from triage.models.review_report import Cell
from triage.review import claims
from triage.review.estimate import rate
from triage.review.proportion import most_hidden, upper_bound
from triage.review.sampling import allocate


@pytest.fixture
def vectors(shared: Callable[[str], Path]) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(shared("vectors/sample_size.json").read_text("utf-8"))
    return found


def test_plans_are_as_large_as_scipy_says(vectors: dict[str, Any]) -> None:
    for plan in vectors["plans"]:
        rate, confidence, failures = plan["max_rate"], plan["confidence"], plan["failures_allowed"]
        assert claims.needed(rate, confidence, failures) == plan["n_needed"]
        if plan["rule_of_three"] is not None:
            assert claims.rule_of_three(rate) == plan["rule_of_three"]


def test_plans_of_finite_populations(vectors: dict[str, Any]) -> None:
    for plan in vectors["finite"]:
        found = claims.needed_of(plan["population"], plan["max_rate"], plan["confidence"])
        assert found == plan["n_needed_zero_failures"]


@pytest.mark.parametrize("failures", [0, 1, 2, 7])
@pytest.mark.parametrize("rate", [0.1, 0.05, 0.01])
def test_a_bound_is_the_rate_that_its_plan_was_made_for(failures: int, rate: float) -> None:
    n = claims.needed(rate, failures=failures)
    assert upper_bound(failures, n) <= rate < upper_bound(failures, n - 1)


def test_bounds_at_their_ends() -> None:
    assert upper_bound(0, 0) == upper_bound(3, 3) == 1.0
    assert upper_bound(0, 59) == pytest.approx(1 - 0.05 ** (1 / 59), rel=1e-12)
    with pytest.raises(ValueError):
        claims.needed(0.0)


@pytest.mark.parametrize("population", [20, 100, 500])
def test_a_finite_bound_is_the_rate_that_its_plan_was_made_for(population: int) -> None:
    n = claims.needed_of(population, 0.05)
    assert most_hidden([(population, n)]) / population <= 0.05
    assert most_hidden([(population, n - 1)]) / population > 0.05


@pytest.mark.parametrize(
    ("n", "said"),
    [(29, "10 %"), (59, "5 %"), (99, "3 %"), (149, "2 %"), (299, "1 %"), (598, "0.5 %"), (1, "95 %")],
)
def test_clean_cases_claim_what_the_definition_says(n: int, said: str) -> None:
    cases = "1 clean case" if n == 1 else f"{n} clean cases"
    assert claims.claim([(100_000, n)]) == f"{cases}: failure rate at most {said} (95 %)"
    assert rate([Cell(200_000, 0, n)], "s").said == f"0 of {n}: failure rate at most {said} (95 %)"


def test_a_rate_is_never_said_to_be_nothing() -> None:
    assert claims.percent(upper_bound(0, 1_000_000)) == "0.1 %"
    assert "counted" in claims.claim([(10, 10)])
    assert rate([Cell(10, 0, 0)], "s").said == "no case is read: nothing is known of the failure rate"


def test_cases_that_must_be_reviewed_speak_for_themselves_alone() -> None:
    assert claims.claim([(900, 59)], 100, 100) == (
        "59 clean cases of the other 900: failure rate at most 5 % (95 %); all 100 that must be reviewed are "
        "read"
    )
    assert claims.claim([(900, 0)], 40, 100) == (
        "40 of 100 that must be reviewed are read; nothing is claimed of the other 900"
    )
    assert claims.claim([(13, 13)], 7, 7) == "all 20 are read: failures are counted, not estimated"
    assert claims.claim([(13, 13)], 5, 7) == (
        "all 13 others are read: failures are counted, not estimated; 5 of 7 that must be reviewed are read"
    )
    assert claims.claim([], 7, 7) == "all 7 that must be reviewed are read"


def test_a_failure_or_two_and_the_cases_themselves_are_told() -> None:
    assert claims.further([(10_000, 59)]) == ("with 1 failure at most 8 %", "with 2 failures at most 11 %")
    assert claims.further([(200, 47)])[-1] == "of these 200 cases themselves at most 5 %"
    assert claims.further([(10, 10)]) == claims.further([(10, 0)]) == ()


def test_a_quota_claims_what_its_thinnest_topic_can() -> None:
    assert claims.claim_of_each({"a": [(20, 10)], "b": [(30, 3)]}) == (
        "3 clean cases of a topic: its failure rate at most 64 % (95 %)"
    )
    assert "counted" in claims.claim_of_each({"a": [(2, 2)]})


def test_what_is_claimed_is_what_the_report_says_when_all_are_clean() -> None:
    """Of 400 cases one stratum has nearly all, and gives half of the sample."""
    sizes = {str(number): 3 for number in range(29)} | {"big": 313}
    for n in (30, 59, 80):
        given = allocate(sizes, n)
        strata = [(sizes[name], given[name]) for name in sizes]
        said = rate([Cell(size, 0, drawn) for size, drawn in strata], "s").said
        least = claims.percent(upper_bound(0, n))
        assert said.startswith(f"0 of {n}: failure rate at most ")
        wide = said.removeprefix(f"0 of {n}: ")
        assert claims.claim(strata) == f"{n} clean cases: {wide}"
        assert claims.percent(claims.clean_bound(strata)) != least, "so few of the large stratum"
        assert claims.further(strata) == (), "what a failure says depends on where it is"


def test_an_even_draw_claims_what_its_number_says() -> None:
    strata = [(300, 30), (200, 20), (90, 9)]
    assert claims.claim(strata) == "59 clean cases: failure rate at most 5 % (95 %)"
    assert claims.further(strata)[0] == "with 1 failure at most 8 %"


def test_strata_that_give_none_are_not_spoken_for() -> None:
    assert claims.claim([(50, 5), (7, 0), (3, 0)]).endswith(
        "; nothing is claimed of 10 cases in strata that give none"
    )
    told = claims.claim_of_each({"a": [(20, 3)], "b": [(1, 0)]})
    assert told.endswith("; nothing is claimed of 1 case in strata that give none")
    assert told.startswith("3 clean cases of a topic: ")


def test_a_quota_that_a_cap_thins_out_does_not_say_that_all_is_read() -> None:
    assert claims.claim_of_each({"a": [(2, 2)]}, 3, 8) == (
        "every other case of the topics is read: failures are counted, not estimated; "
        "3 of 8 that must be reviewed are read"
    )
    assert claims.claim_of_each({"a": [(20, 0)]}, 3, 8) == (
        "nothing is claimed of the cases that need not be reviewed; 3 of 8 that must be reviewed are read"
    )


def test_a_quota_is_as_sure_as_the_stratum_of_which_least_is_drawn() -> None:
    even = claims.claim_of_each({"a": [(50, 30)]})
    uneven = claims.claim_of_each({"a": [(48, 10), (20, 20)]})
    assert even == "30 clean cases of a topic: its failure rate at most 10 % (95 %)"
    assert uneven == "30 clean cases of a topic: its failure rate at most 17 % (95 %)"


def test_strata_that_are_read_wholly_are_counted() -> None:
    singles = [(1, 1)] * 5 + [(1, 0)] * 20
    assert claims.claim(singles) == (
        "of 5 cases all are read: failures are counted, not estimated; "
        "nothing is claimed of 20 cases in strata that give none"
    )
    assert claims.further(singles) == ()


def test_topics_that_no_case_has_claim_nothing() -> None:
    assert claims.claim_of_each({}) == "no cases: nothing can be claimed"
    assert claims.claim_of_each({}, 2, 2) == "all 2 that must be reviewed are read"
    assert claims.claim_of_each({}, 2, 5) == "2 of 5 that must be reviewed are read"


@pytest.mark.parametrize(("population", "level"), [(5, 0.8), (10, 0.9), (20, 0.95), (100, 0.99)])
def test_a_level_that_is_met_exactly_is_met(population: int, level: float) -> None:
    """One failing case among so many is missed by all but one of them with 1 / population."""
    assert claims.needed_of(population, 0.5 / population, level) == population - 1


@pytest.mark.parametrize(
    ("strata", "must", "of", "said"),
    [
        ([(5, 2)], 1, 1, "; the one that must be reviewed is read"),
        ([(5, 2)], 2, 2, "; all 2 that must be reviewed are read"),
        ([(5, 2)], 1, 9, "; 1 of 9 that must be reviewed is read"),
        ([(1, 1)], 1, 9, "the other is read: failures are counted, not estimated; 1 of 9"),
        ([(4, 4)], 3, 9, "all 4 others are read: failures are counted, not estimated; 3 of 9"),
    ],
)
def test_one_case_is_spoken_of_as_one(strata: Any, must: int, of: int, said: str) -> None:
    assert said in claims.claim(strata, must, of)
