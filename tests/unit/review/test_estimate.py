"""The failure rate that a sample tells: weighted by strata, never surer than what was read."""

from __future__ import annotations

import math
import random

import pytest

from triage.models.review_report import Cell
from triage.review.estimate import cell, part_of, rate
from triage.review.proportion import clopper_pearson


def test_each_stratum_weighs_what_it_has() -> None:
    found = rate([Cell(100, 5, 5), Cell(900, 1, 29)], "s")
    assert found.value == pytest.approx(0.1 * 0.5 + 0.9 / 30)
    assert found.method == "strata" and found.interval is not None and found.value is not None
    low, high = found.interval
    # What was seen stands, whatever the rest is like: 6 of 1000 fail, 34 don't.
    assert 0.006 <= low < found.value < high <= 0.966
    assert found.said.startswith("6 of 40: failure rate about 8 %, ")


def test_the_interval_is_as_wide_as_the_strata_vary() -> None:
    cells = [Cell(2000, 40, 60), Cell(3000, 30, 120)]
    found = rate(cells, "seed")
    variance = sum(
        (one.size / 5000) ** 2
        * (one.failing * one.clean / one.read**2)
        / (one.read - 1)
        * (1 - one.read / one.size)
        for one in cells
    )
    half = 1.96 * math.sqrt(variance)
    assert found.interval == pytest.approx((0.28 - half, 0.28 + half), abs=0.006)


def test_the_same_seed_gives_the_same_interval() -> None:
    cells = [Cell(100, 5, 5), Cell(900, 3, 29), Cell(50, 2, 9)]
    assert rate(cells, "a") == rate(cells, "a")
    assert rate(cells, "a").value == rate(cells, "b").value


def test_no_failure_found_is_a_bound_and_never_nothing() -> None:
    found = rate([Cell(100_000, 0, 59)], "s")
    assert found.said == "0 of 59: failure rate at most 5 % (95 %)"
    assert found.interval is not None and found.interval[1] == pytest.approx(0.0495, abs=0.0001)
    assert rate([Cell(100, 0, 39)], "s").said == "0 of 39: failure rate at most 5 % (95 %)"
    assert rate([Cell(50, 0, 31)], "s").interval == (0, 2 / 50)
    spread = rate([Cell(900, 0, 10), Cell(100, 0, 49)], "s")
    # Read evenly the same 59 cases would say more: ten cases are all that is known of nine in ten.
    assert spread.interval is not None and 0.2 < spread.interval[1] < 0.26


def test_what_was_read_wholly_has_no_error() -> None:
    all_read = rate([Cell(10, 3, 7), Cell(5, 0, 5)], "s")
    assert all_read.method == "all read" and all_read.interval == (0.2, 0.2)
    assert all_read.said == "3 of 15 failed, and all 15 were read"
    clean = rate([Cell(15, 0, 15)], "s")
    assert clean.said == "0 of 15 failed, and all 15 were read" and "%" not in clean.said
    # The failures are all in the stratum that is known; the other may hide some nevertheless.
    half_known = rate([Cell(20, 5, 15), Cell(480, 0, 40)], "s")
    assert half_known.value == pytest.approx(0.01) and half_known.interval is not None
    assert half_known.interval[0] == pytest.approx(0.01) and 0.07 < half_known.interval[1] < 0.1


def test_a_simple_random_sample_has_the_exact_interval() -> None:
    found = rate([Cell(5000, 3, 97)], "s")
    assert found.method == "simple" and found.interval == clopper_pearson(3, 100)
    assert found.said == "3 of 100: failure rate about 3 %, 0.6 % to 8.5 % (95 %)"


def test_all_failing_leaves_room_below() -> None:
    found = rate([Cell(40, 4, 0), Cell(10, 2, 0)], "s")
    assert found.method == "all failed" and found.value == 1 and found.interval is not None
    assert 0.3 < found.interval[0] < 0.8 and found.said.startswith("6 of 6: failure rate at least ")


def test_nothing_is_said_of_strata_that_nobody_read() -> None:
    found = rate([Cell(100, 0, 20), Cell(40, 0, 0), Cell(0, 0, 0)], "s")
    assert (found.population, found.uncovered, found.read) == (100, 40, 20)
    nothing = rate([Cell(40, 0, 0)], "s")
    assert nothing.value is None and nothing.interval is None and nothing.uncovered == 40
    assert nothing.said == "no case is read: nothing is known of the failure rate"


def test_mistakes_of_the_test_set_leave_the_rate() -> None:
    assert cell(100, 2, 6, elsewhere=2) == Cell(80, 2, 6)
    assert cell(10, 2, 6, elsewhere=2) == Cell(8, 2, 6)
    assert cell(3, 0, 0, elsewhere=3) == Cell(0, 0, 0)
    assert cell(30, 0, 0, elsewhere=1) == Cell(29, 0, 0), "nothing is known of the others"
    assert cell(30, 4, 1) == Cell(30, 4, 1)
    assert cell(12, 1, 1, elsewhere=9) == Cell(3, 1, 1), "one is unread, and not known to be a mistake"


def test_a_topics_part_of_a_stratum_is_as_large_as_its_share_of_what_was_read() -> None:
    whole = Cell(200, 4, 16)
    assert part_of(whole, 2, 3) == Cell(50, 2, 3)
    assert part_of(Cell(20, 4, 16), 2, 3) == Cell(5, 2, 3)
    assert part_of(Cell(21, 4, 16), 2, 3) == Cell(6, 2, 3), "the unread case may be of them"
    assert part_of(Cell(200, 0, 0), 0, 0) == Cell(0, 0, 0)


def test_single_cases_of_many_strata_are_taken_together() -> None:
    cells = [Cell(10, 1, 0)] * 4 + [Cell(10, 0, 1)] * 16
    found = rate(cells, "s")
    assert found.value == 0.2 and found.interval == clopper_pearson(4, 20)


@pytest.mark.parametrize(
    "design",
    [
        [(200, 40, 30), (300, 15, 30)],
        [(60, 48, 10), (480, 24, 40)],
        [(10, 2, 1)] * 20,
        [(20, 5, 20), (480, 10, 40)],
        [(5, 1, 1)] * 10 + [(150, 3, 20)] * 2,
        [(20, 4, 2)] * 10 + [(300, 6, 20)],
    ],
)
def test_intervals_hold_the_true_rate_as_often_as_they_say(design: list[tuple[int, int, int]]) -> None:
    """`design`: size, failures and read cases of each stratum, sampled again and again by a fixed seed."""
    chance = random.Random(7)
    truth = sum(failures for _, failures, _ in design) / sum(size for size, _, _ in design)
    held = 0
    for trial in range(200):
        cells = []
        for size, failures, read in design:
            found = sum(chance.sample([1] * failures + [0] * (size - failures), read))
            cells.append(Cell(size, found, read - found))
        interval = rate(cells, str(trial), rounds=400).interval
        assert interval is not None
        held += interval[0] - 1e-12 <= truth <= interval[1] + 1e-12
    assert held >= 0.93 * 200
