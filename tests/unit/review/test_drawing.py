"""Which cases a rule draws: the shared vectors, strata, quotas, what must be reviewed, what is short."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from triage.models.sample import Drawn, SampleRule
from triage.review.order import pick, shuffled
from triage.review.sampling import Population, allocate, draw, queue

RULE = SampleRule("42", 10)


@pytest.fixture
def cases(shared: Callable[[str], Path]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(shared("vectors/sampling.json").read_text("utf-8"))["cases"]
    return found


def ids(stratum: str, size: int) -> list[str]:
    return [f"{stratum}-{number:03d}" for number in range(size)]


def population(sizes: dict[Any, int], *must: set[str], uncertain: frozenset[str] = frozenset()) -> Population:
    """Cases named after their stratum's values, and by rule the ids of those that must be reviewed."""
    keys = list(sizes)
    names, strata = [], []
    for number, (key, size) in enumerate(sizes.items()):
        names += ids("-".join(key), size)
        strata += [number] * size
    places = {name: place for place, name in enumerate(names)}
    return Population(
        names,
        strata,
        keys,
        tuple(frozenset(places[name] for name in rule) for rule in must),
        frozenset(places[name] for name in uncertain),
    )


def drawn_ids(drawn: Drawn) -> set[str]:
    return {case_id for stratum in drawn.strata for case_id in stratum.ids}


def test_the_shared_vectors_hold(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        assert allocate(case["strata"], case["n"]) == case["allocation"]
        for stratum, size in case["strata"].items():
            found = pick(ids(stratum, size), case["allocation"][stratum], case["seed"])
            assert found == case["selected"][stratum]


def test_a_rule_draws_what_the_vectors_say(cases: list[dict[str, Any]]) -> None:
    for case in cases:
        rule = SampleRule(case["seed"], case["n"], by=("class",))
        drawn = draw(rule, population({(name,): size for name, size in case["strata"].items()}))
        found = {stratum.key["class"]: list(stratum.ids) for stratum in drawn.strata}
        assert found == case["selected"]
        assert {stratum.key["class"]: stratum.size for stratum in drawn.strata} == case["strata"]


def test_allocations_are_whole_and_never_above_a_stratum() -> None:
    for n in range(40):
        sizes = {"a": 1, "b": 0, "c": 17, "d": 5, "e": 5}
        given = allocate(sizes, n)
        assert sum(given.values()) == min(n, 28)
        assert all(given[name] <= size for name, size in sizes.items())
    assert allocate({"b": 5, "a": 5, "c": 9}, 2) == {"b": 0, "a": 1, "c": 1}
    assert allocate({}, 3) == {}
    assert allocate({"a": 3}, -2) == {"a": 0}


def test_remainders_fall_to_the_larger_stratum_then_by_name() -> None:
    # 2 more cases over 4, 4 and 4 that are left: equal remainders, equal sizes.
    assert allocate({"z": 5, "y": 5, "x": 5}, 5) == {"x": 2, "y": 2, "z": 1}


def test_another_case_never_reshuffles_the_others() -> None:
    few, many = ids("a", 50), ids("a", 51)
    before, after = pick(few, 10, "s"), pick(many, 10, "s")
    assert set(after) - {"a-050"} <= set(before)
    order = [name for name in shuffled(many, "s") if name != "a-050"]
    assert order == shuffled(few, "s")


def test_the_queue_is_no_order_of_strata_or_picks() -> None:
    drawn = draw(replace(RULE, n=40, by=("topic",)), population({("退款",): 30, ("隐私",): 30}))
    order = queue(drawn)
    assert [case.place for case in order] == list(range(40))
    assert {case.case_id for case in order} == drawn_ids(drawn)
    assert all(case.case_id in drawn.strata[case.stratum].ids for case in order)
    assert len({case.stratum for case in order[:10]}) == 2
    assert [case.case_id for case in order] != pick(drawn_ids(drawn), 40, RULE.seed)
    assert order == queue(drawn)


def test_what_must_be_reviewed_is_taken_whole_in_strata_of_its_own() -> None:
    cases = population({("a",): 10, ("b",): 10}, {"a-000", "a-001", "b-003"}, {"b-003"})
    rule = replace(RULE, n=5, by=("topic",), must=("is:high-risk", "is:uncertain"), must_readings=2)
    drawn = draw(rule, cases)
    musts = [stratum for stratum in drawn.strata if stratum.must]
    assert [(one.key, one.size, one.ids) for one in musts] == [
        ({"topic": "a"}, 2, ("a-000", "a-001")),
        ({"topic": "b"}, 1, ("b-003",)),
    ]
    rest = [(one.key["topic"], one.size, one.allocated) for one in drawn.strata if not one.must]
    assert rest == [("a", 8, 1), ("b", 9, 1)]
    assert drawn.n == 5 and drawn.population == 20
    assert [(one.rule, one.cases, one.left_out) for one in drawn.must] == [
        ("is:high-risk", 3, 0), ("is:uncertain", 1, 0),
    ]  # fmt: skip
    readings = {case.case_id: case.readings for case in queue(drawn)}
    assert sorted(readings.values()) == [1, 1, 2, 2, 2]
    assert readings["b-003"] == 2


def test_a_cap_takes_uncertain_cases_first_and_tells_what_it_leaves_out() -> None:
    every = {*ids("a", 6), *ids("b", 6)}
    cases = population({("a",): 20, ("b",): 20}, every, {"a-000"}, uncertain=frozenset(("a-005", "b-001")))
    drawn = draw(replace(RULE, n=12, by=("topic",), must=("x", "y"), must_cap=5), cases)
    musts = [stratum for stratum in drawn.strata if stratum.must]
    assert {"a-005", "b-001"} <= drawn_ids(drawn)
    assert sum(stratum.allocated for stratum in musts) == 5
    assert sum(stratum.size for stratum in musts) == 12
    assert {stratum.key["uncertain"] for stratum in musts} == {"true", "false"}
    assert drawn.must[0].cases == 12 and drawn.must[0].left_out == 7
    # Whatever the cap leaves out is not drawn by chance either: it stays a stratum of its own.
    rest = drawn_ids(drawn) - {case_id for stratum in musts for case_id in stratum.ids}
    assert len(rest) == 7 and not rest & every


def test_a_cap_below_the_uncertain_cases_takes_no_others() -> None:
    cases = population({("a",): 9}, set(ids("a", 9)), uncertain=frozenset(ids("a", 4)))
    drawn = draw(replace(RULE, by=("topic",), must=("x",), must_cap=3), cases)
    assert drawn_ids(drawn) < set(ids("a", 4)) and drawn.n == 3
    assert [(one.key["uncertain"], one.size, one.allocated) for one in drawn.strata] == [
        ("true", 4, 3), ("false", 5, 0),
    ]  # fmt: skip


def test_more_than_n_must_be_reviewed() -> None:
    cases = population({("a",): 9}, set(ids("a", 8)))
    drawn = draw(replace(RULE, n=5, by=("topic",), must=("x",)), cases)
    assert drawn.n == 8
    assert drawn.shortages == ("8 cases must be reviewed, n is 5: no others are drawn",)
    assert drawn.claim == "all 8 that must be reviewed are read; nothing is claimed of the other 1"


def test_a_quota_by_topic_is_split_over_the_classes_and_tells_what_is_short() -> None:
    sizes = {("ranking", "退款"): 6, ("refusal", "退款"): 2, ("ranking", "other"): 2}
    rule = replace(RULE, by=("class", "topic"), per_topic=4)
    drawn = draw(rule, population(sizes))
    assert {tuple(one.key.values()): one.allocated for one in drawn.strata} == {
        ("ranking", "退款"): 3, ("refusal", "退款"): 1, ("ranking", "other"): 2,
    }  # fmt: skip
    assert drawn.shortages == ("4 of each topic are wanted, there are other 2",)
    assert drawn.claim == "4 clean cases of a topic: its failure rate at most 53 % (95 %)"


def test_what_must_be_reviewed_counts_towards_its_topic() -> None:
    sizes = {("退款",): 8, ("other",): 8}
    rule = replace(RULE, by=("topic",), per_topic=3, must=("x",))
    drawn = draw(rule, population(sizes, {"退款-000", "退款-001"}))
    found = {(one.key["topic"], one.must): one.allocated for one in drawn.strata}
    assert found == {("退款", True): 2, ("退款", False): 1, ("other", False): 3}


def test_shortages_are_said() -> None:
    few = draw(replace(RULE, by=("topic",), n=50), population({("a",): 3, ("b",): 4}))
    assert few.n == 7
    assert few.shortages == ("50 cases are wanted, there are 7: all are taken",)
    assert few.claim == "all 7 are read: failures are counted, not estimated"
    thin = draw(replace(RULE, by=("topic",), n=2), population({("a",): 3, ("b",): 4, ("c",): 1}))
    assert thin.shortages == ("2 cases for 3 strata: 1 of them, 1 case, give none",)


def test_no_case_at_all() -> None:
    drawn = draw(replace(RULE, by=()), Population([], [], [()]))
    assert drawn.n == 0 and drawn.strata == ()
    assert drawn.claim == "no cases: nothing can be claimed"


def test_one_stratum_is_a_simple_random_sample() -> None:
    drawn = draw(replace(RULE, by=(), n=4), population({(): 10}))
    assert [(one.key, one.size, one.allocated) for one in drawn.strata] == [({}, 10, 4)]
    assert drawn.strata[0].ids == tuple(pick(ids("", 10), 4, "42"))


def test_a_seed_and_an_id_of_any_signs_can_be_hashed() -> None:
    assert pick(["\ud800", "退", "\0"], 3, "\udfff") == sorted(["\ud800", "退", "\0"])


def test_a_run_of_one_case_is_spoken_of_as_one() -> None:
    drawn = draw(SampleRule("s", 59, by=("topic",)), Population(["a"], [0], [("x",)]))
    assert drawn.shortages == ("59 cases are wanted, there is 1: it is taken",)
    assert drawn.claim == "the one case is read: failures are counted, not estimated"
