"""A judge's scores against people's word: thresholds, where it fails, two judges, raters."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from triage.models.judging import LEAST_RATED
from triage.review import judges
from triage.review.judges import Judged, Scored, cut_at, cuts
from triage.review.kappa import cohen_kappa
from triage.review.ratings import Rated, raters

Shared = Callable[[str], Path]


def some(count: int, seed: int) -> list[Judged]:
    """Cases whose bad answers score lower, mostly."""
    draw = random.Random(seed)
    out = []
    for at in range(count):
        bad = draw.random() < 0.3
        score = round(min(max(draw.gauss(0.4 if bad else 0.7, 0.2), 0), 1), 2)
        out.append(Judged(f"c{at}", score, bad, {"topic": draw.choice("ab")}))
    return out


def test_the_table_of_two_by_two_has_cohens_kappa() -> None:
    cases = some(60, 1)
    for cut in cuts(cases):
        machine = [case.score < cut.threshold for case in cases]
        people = [case.bad for case in cases]
        assert cut.kappa == pytest.approx(cohen_kappa(machine, people))
        assert cut == cut_at(cases, cut.threshold)
        assert cut.n == 60


def test_every_score_but_the_lowest_is_a_threshold() -> None:
    cases = some(60, 2)
    assert [cut.threshold for cut in cuts(cases)] == sorted({case.score for case in cases})[1:]
    assert cuts([Judged("a", 1, True), Judged("b", 1, False)]) == []


def test_the_best_threshold_has_the_highest_kappa_and_is_nearest_to_the_one_in_use() -> None:
    cases = [Judged(str(at), score, score < 3) for at, score in enumerate((1, 1, 2, 2, 3, 3, 5, 5, 5, 5))]
    best = judges.best(cases, own=4.0)
    assert best is not None and (best.threshold, best.kappa) == (3, 1.0)
    # Between 3 and 5 nothing lies: with the bad ones below 5 either would be right, and 5 is the nearer.
    tied = [Judged(str(at), score, score < 5) for at, score in enumerate((1, 1, 2, 2, 2, 2, 5, 5, 5, 5))]
    found = judges.best(tied, own=4.0)
    assert found is not None and found.threshold == 5
    equal = [cut_at(tied, 2.0), cut_at(tied, 1.5)]
    assert equal[0].kappa == equal[1].kappa
    assert judges.best_of(equal, own=None) == equal[1]
    assert judges.best_of(equal, own=2.1) == equal[0]


def test_nothing_is_fitted_to_few_cases() -> None:
    cases = some(LEAST_RATED - 1, 3)
    assert judges.best(cases, None) is None
    assert judges.unseen(cases, None) is None


def test_kappa_is_undefined_where_people_find_no_bad_answer_and_the_judge_neither() -> None:
    assert judges.binary_kappa(0, 0, 0, 9) is None
    assert judges.binary_kappa(0, 0, 0, 0) is None
    assert judges.binary_kappa(0, 0, 3, 6) == 0


def test_on_cases_that_did_not_choose_it_noise_is_worth_nothing() -> None:
    draw = random.Random(5)
    noise = [Judged(f"c{at}", draw.random(), draw.random() < 0.5) for at in range(60)]
    best = judges.best(noise, None)
    honest = judges.unseen(noise, None)
    assert best is not None and best.kappa is not None and honest is not None
    assert best.kappa > 0.15
    assert honest < best.kappa - 0.1
    assert honest == judges.unseen(noise[::-1], None)


def test_a_judge_that_is_right_stays_right_on_cases_it_has_not_seen() -> None:
    cases = [Judged(f"c{at}", at % 5 + 1, at % 5 + 1 < 3) for at in range(50)]
    assert judges.unseen(cases, 4.0) == 1.0


def test_separates_counts_pairs_of_a_good_and_a_bad_answer() -> None:
    cases = some(50, 4)
    good = [case.score for case in cases if not case.bad]
    bad = [case.score for case in cases if case.bad]
    pairs = [(one > other) + (one == other) / 2 for one in good for other in bad]
    assert judges.separates(cases) == pytest.approx(sum(pairs) / len(pairs))
    assert judges.separates([Judged("a", 1, True)]) is None


def test_a_curve_is_thinned_and_keeps_the_best() -> None:
    found = cuts([Judged(str(at), at / 500, at < 250) for at in range(500)])
    best = judges.best_of(found, None)
    assert best is not None
    shown = judges.curve(found, best)
    assert len(shown) <= judges.CURVE + 1
    assert best in shown and shown[0] == found[0] and shown[-1] == found[-1]
    assert judges.curve(found[:5], None) == tuple(found[:5])


def test_where_a_judge_fails_stands_first_where_most_is_wrong_beyond_its_share() -> None:
    cases = [Judged(f"a{at}", 5, at < 8, {"topic": "refund", "all": "x"}) for at in range(10)]
    cases += [Judged(f"b{at}", 5, at < 1, {"topic": "shipping", "all": "x"}) for at in range(20)]
    cases += [Judged(f"c{at}", 5, True, {"topic": "rare", "all": "x"}) for at in range(4)]
    found = judges.parts(cases, 4.0)
    assert [(one.dimension, one.value, one.n, one.missed, one.alarms) for one in found] == [
        ("topic", "refund", 10, 8, 0)
    ]
    assert judges.parts([], 4.0) == ()


def test_scales_and_where_good_begins() -> None:
    assert judges.scale_of([0.1, 0.9]) == (0, 1)
    assert judges.scale_of([1, 4]) == (1, 5)
    assert judges.scale_of([-3, 7]) == (-3, 7)
    assert judges.good_from(1, 5) == 4
    assert judges.good_from(1, 4) == 3.25
    assert judges.onto(0.5, (0, 1), (1, 5)) == 3
    assert judges.onto(7, (7, 7), (1, 5)) == 1
    assert [judges.rounded(value, 1, 4) for value in (0.2, 1.49, 1.5, 3.5, 9)] == [1, 1, 2, 4, 4]
    assert judges.rounded(-1.5, -3, 3) == -1


def test_two_judges_are_sent_to_a_person_by_the_rule_of_arbitration(shared: Shared) -> None:
    vectors = json.loads(shared("vectors/agent_metrics.json").read_text("utf-8"))["judge_pairs"]
    cases = [Scored(str(at), {"a": one["a"], "b": one["b"]}) for at, one in enumerate(vectors)]
    (pair,) = judges.judge_pairs(cases)
    wanted = tuple(str(at) for at, one in enumerate(vectors) if one["expected"]["arbitrate"])
    assert pair.arbitrate == wanted
    assert (pair.a, pair.b, pair.cases) == ("a", "b", len(vectors))
    assert pair.scores["clarity"].n == len(vectors)


def test_three_judges_make_three_pairs_over_the_cases_that_both_scored() -> None:
    cases = [
        Scored("1", {"a": {"faithfulness": 5}, "b": {"faithfulness": 3}, "c": {"clarity": 5}}),
        Scored("2", {"a": {"faithfulness": 5}, "b": {"faithfulness": 4}}),
    ]
    found = judges.judge_pairs(cases)
    assert [(one.a, one.b, one.cases, one.arbitrate) for one in found] == [
        ("a", "b", 2, ("1",)),
        ("a", "c", 1, ()),
        ("b", "c", 1, ()),
    ]
    assert found[0].scores["faithfulness"].shift == -1.5
    assert found[1].scores == {}


def test_other_names_can_be_arbitrated_too() -> None:
    cases = [Scored("1", {"a": {"x": 5.0}, "b": {"x": 2.0}})]
    assert judges.judge_pairs(cases)[0].arbitrate == ()
    assert judges.judge_pairs(cases, ("x",))[0].arbitrate == ("1",)


def test_quadratic_kappa_of_two_who_scored(shared: Shared) -> None:
    for case in json.loads(shared("vectors/stats_kappa.json").read_text("utf-8"))["cases"]:
        if "kappa_quadratic_1_5" not in case:
            continue
        found = judges.pair("a", "b", list(zip(case["a"], case["b"], strict=True)), 1, 5)
        assert found.agreement == pytest.approx(case["agreement"])
        assert (found.kappa is None) == (case["kappa_quadratic_1_5"] is None)
        if found.kappa is not None:
            assert found.kappa == pytest.approx(case["kappa_quadratic_1_5"], abs=1e-9)


def test_people_against_each_other_and_the_judge_on_their_scale() -> None:
    cases = [
        Rated({"wei": 4, "ana": 4, "bo": 3}, 1.0),
        Rated({"wei": 1, "ana": 2}, 0.0),
        Rated({"wei": 2, "ana": 2, "bo": 4}, 0.5),
        Rated({"wei": 3}, None),
    ]
    found = raters(cases, "labels.people", "rl_f", (0.0, 1.0))
    assert (found.low, found.high, found.cases, found.ratings) == (1, 4, 3, 9)
    assert found.spread == (0, 2, 1)
    assert [(one.a, one.b, one.n) for one in found.pairs] == [
        ("ana", "wei", 3), ("ana", "bo", 2), ("bo", "wei", 2),
    ]  # fmt: skip
    # 1 of 0-1 is 4 of 1-4, 0 is 1, and .5 is 2.5, which is nearest to 3.
    assert found.judge[1].a == "wei" and found.judge[1].shift == pytest.approx((0 + 0 + 1) / 3)
    assert found.judge[0].a == "ana" and found.judge[0].n == 3
    weights = [(one.kappa, one.n) for one in found.pairs if one.kappa is not None]
    assert found.mean == pytest.approx(sum(k * n for k, n in weights) / sum(n for _, n in weights))


def test_no_ratings_and_all_equal_ones_have_no_agreement_to_tell() -> None:
    empty = raters([], "x")
    assert (empty.alpha, empty.mean, empty.pairs, empty.cases) == (None, None, (), 0)
    same = raters([Rated({"a": 4, "b": 4}), Rated({"a": 4, "b": 4})], "x")
    assert (same.alpha, same.mean, same.pairs[0].agreement, same.pairs[0].kappa) == (None, None, 1.0, None)


def test_parts_of_0_to_1_are_compared_on_1_to_5() -> None:
    shares = [Rated({"a": first / 4, "b": second / 4}, first / 4) for first, second in
              ((0, 0), (1, 2), (2, 2), (3, 4), (4, 4), (1, 1), (3, 1))]  # fmt: skip
    found = raters(shares, "x", "judge", (0.0, 1.0))
    same = raters(
        [Rated({name: 1 + 4 * one for name, one in case.ratings.items()}, case.judge) for case in shares],
        "x", "judge", (0.0, 1.0),
    )  # fmt: skip
    assert found.pairs == same.pairs and found.judge == same.judge and found.spread == same.spread
    assert found.alpha == pytest.approx(same.alpha) and (found.low, found.high) == (0, 1)
    assert found.pairs[0].agreement == pytest.approx(4 / 7) and found.spread == (4, 2, 1)


def test_halves_at_the_end_of_a_scale_are_rounded_as_anywhere() -> None:
    found = raters([Rated({"a": 1, "b": 2}), Rated({"a": 3.5, "b": 4}), Rated({"a": 1.5, "b": 1.5})], "x")
    assert found.pairs[0].agreement == pytest.approx(2 / 3)
