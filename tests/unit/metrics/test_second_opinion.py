"""Reports of generated run files against a second computation that shares no code with the app's."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from tests.unit.metrics.raw_values import Raw, ids_of
from tests.unit.metrics.second_opinion import FALLBACK, Run
from triage.cli.run import run as call

TEXT = "Refunds take 7 days. The fee is 30 yuan."
# Text, is it factual, does it clash with TEXT.
PIECES = [
    ("Refunds take 7 days.", True, False),
    ("Refunds take 9 days.", True, True),
    ("The fee is 30 yuan.", True, False),
    ("The fee is 45 yuan.", True, True),
    ("Hello!", False, False),
    ("Is that all right?", False, False),
]
MARKS = ["", "", "[S1]", "[S2]", "[KB-1]", "[S9]"]
IDS = ["KB-1", "KB-10", "kb-1", "A", "B", "0", ""]
NULL = st.none()
FLAGS = st.sampled_from([True, False, True, False, None, "false", "是", 0, "perhaps"])
SCORES = st.sampled_from([1, 2, 2.0, 2.5, 3.9, 4, 5, "4", None, "good"])
UNITS = st.sampled_from([0, 0.25, 0.26, 0.74, 0.75, 1, 1.0, None])


def sometimes(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Raw]:
    return st.fixed_dictionaries({}, optional=fields)


def lists(of: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[list[Any]]:
    return st.lists(of, max_size=most)


documents = st.one_of(
    st.sampled_from(IDS),
    st.just(7),
    st.builds(
        lambda name, text: {"id": name, **({"text": TEXT} if text else {})},
        st.sampled_from(IDS),
        st.booleans(),
    ),
)
ids = st.one_of(lists(st.sampled_from(IDS)), NULL, st.just("KB-1"), st.just([7, "7"]))
values = st.sampled_from([1, 1.0, "1", " 1 ", True, None, [1, "a"], [1], {"x": 1}, 2])
wanted_values = st.one_of(values, st.builds(lambda some: {"any_of": some}, lists(values, 3)))


def tool(of: st.SearchStrategy[Any], **more: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    given_params = st.dictionaries(st.sampled_from(["p", "q"]), of, max_size=2)
    whole = st.builds(
        lambda name, given, rest: {"name": name, **given, **rest},
        st.sampled_from(["a", "b"]),
        st.one_of(
            st.just({}),
            given_params.map(lambda it: {"params": it}),
            given_params.map(lambda it: {"args": it}),
        ),
        sometimes(**more),
    )
    return st.one_of(st.sampled_from(["a", "b"]), whole)


wanted_call = tool(wanted_values, strict=st.booleans())
made_call = tool(values, ok=st.sampled_from([True, False, None]), empty=st.booleans(),
                 result=st.sampled_from([None, "", [], {}, 0, False, "row"]))  # fmt: skip


def grouped(of: st.SearchStrategy[Any], most: int = 4) -> st.SearchStrategy[Any]:
    return st.one_of(NULL, lists(st.one_of(of, lists(of, 2)), most))


fact = st.one_of(
    st.just("f"), st.builds(lambda hit: {"fact": "f", "hit": hit}, st.sampled_from([True, False, None]))
)
slot_values = st.sampled_from(["A", "B", " A", 1, 1.0, True, None, ["x", 1], {"k": [1]}])
slots = st.one_of(NULL, st.dictionaries(st.sampled_from(["s", "t"]), slot_values, max_size=2))
turn = st.builds(
    lambda given: {"user": "hi", **given},
    sometimes(slots=slots, expected_slots=slots, passed=FLAGS),
)
step = st.one_of(st.just("look"), st.just({"step": "read", "ids": ["KB-1"]}))
attempt = st.one_of(st.booleans(), st.sampled_from([{"passed": True}, {"passed": False}, {"answer": "so"}]))
SCORED = ("faithfulness", "answer_relevancy", "answer_correctness", "factual_correctness", "completeness",
          "groundedness", "clarity", "relevancy", "correctness")  # fmt: skip


def scored(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Raw]:
    return st.dictionaries(st.sampled_from(SCORED), of, max_size=4)


def fields(of: st.SearchStrategy[Any]) -> st.SearchStrategy[Raw]:
    """What a record may have, each field there or not."""
    return sometimes(
        answerable=FLAGS,
        expected_ids=ids,
        retrieved=st.one_of(NULL, lists(documents, 6)),
        evidence=st.one_of(NULL, lists(documents.filter(lambda one: isinstance(one, dict)), 2)),
        citations=st.one_of(
            NULL, lists(st.sampled_from(["S1", "1", "S2", "S0", "S9", "KB-1", "A", "S1"]), 3)
        ),
        predicted_answerable=FLAGS,
        refused=FLAGS,
        error=st.sampled_from(["", "timeout", None]),
        golden=st.one_of(
            NULL, sometimes(must=lists(fact, 3), compare=lists(fact, 2), exclude=lists(fact, 2))
        ),
        expected_route=st.sampled_from(["a", "a+b", ["a", "b+a"], [], "none", None]),
        route=st.sampled_from(["a", "b+a", "A", "none", None]),
        expected_plan=grouped(step),
        plan=grouped(step),
        expected_tools=grouped(wanted_call, 3),
        tools=grouped(made_call, 3),
        conflict=st.one_of(NULL, sometimes(resolved=FLAGS, correct=FLAGS)),
        scores=st.one_of(NULL, scored(of)),
        judges=st.one_of(NULL, lists(st.builds(lambda it: {"judge": "j", "scores": it}, scored(of)), 2)),
        attempts=st.one_of(NULL, lists(attempt, 5)),
        passed=FLAGS,
        turns=st.one_of(NULL, st.lists(turn, min_size=1, max_size=3)),
        feedback=st.one_of(NULL, sometimes(thumb=st.sampled_from(["up", "down", None]), repeated=FLAGS)),
        query_type=st.sampled_from(["one", "two", "true", "", None, 7]),
        tags=st.one_of(NULL, lists(st.sampled_from(["x", "y", ""]), 3)),
    )


answers = st.one_of(
    st.sampled_from([None, "", "  ", FALLBACK]),
    st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(MARKS)), min_size=1, max_size=3),
)


def checked(pieces: list[Any], marks: list[str]) -> Callable[[Raw, list[str]], tuple[int, int, int, int]]:
    """The sentences of an answer made of pieces, in numbers, where a case cites `cited`."""

    def numbers(case: Raw, cited: list[str]) -> tuple[int, int, int, int]:
        listed, proofs = case.get("retrieved") or [], case.get("evidence") or []
        texts = {
            ids_of([one])[0]: one["text"]
            for one in (*listed, *proofs)
            if isinstance(one, dict) and "text" in one
        }  # type: ignore[index]
        factual = marked = judged = wrong = 0
        for (_, is_factual, clashes), mark in pieces:
            if not is_factual:
                continue
            factual += 1
            marked += bool(mark)
            names = [mark.strip("[]")] if mark else ([] if marks else cited)
            found = [Run._resolves(name, ids_of(listed) or [], ids_of(proofs) or []) for name in names]
            there = [name for name in found if name is not None]
            if there and all(name in texts for name in there):
                judged += 1
                wrong += clashes
        return factual, marked, judged, wrong

    return numbers


def with_answer(given: Raw, answer: Any) -> Raw:
    """A record with its answer, and what the answer is known to be made of."""
    nothing: dict[str, Any] = {"_markers": [], "_sentences": lambda case, cited: (0, 0, 0, 0)}
    if answer is None or isinstance(answer, str):
        given = {
            key: one for key, one in given.items() if key not in ("predicted_answerable", "refused", "error")
        }
        return {**given, **nothing, "answer": answer}
    # A greeting or a question cites nothing.
    pieces = [(piece, mark if piece[1] else "") for piece, mark in answer]
    marks = list(dict.fromkeys(mark.strip("[]") for _, mark in pieces if mark))
    text = " ".join(piece[0] + mark for piece, mark in pieces)
    return {**given, "answer": text, "_markers": marks, "_sentences": checked(pieces, marks)}


def runs() -> st.SearchStrategy[tuple[Raw, list[Raw]]]:
    def of(scale: str | None, values: st.SearchStrategy[Any]) -> st.SearchStrategy[tuple[Raw, list[Raw]]]:
        headers = sometimes(k=st.sampled_from([1, 2, 3, 5]), pass_k=st.sampled_from([1, 2, 9])).map(
            lambda it: {**it, **({} if scale is None else {"score_scale": scale})}
        )
        cases = st.lists(st.builds(with_answer, fields(values), answers), min_size=1, max_size=8)
        return st.tuples(headers, cases)

    return st.one_of(of(None, SCORES), of("1-5", SCORES), of("0-1", UNITS))


def differences(right: dict[str, Any], told: dict[str, Any]) -> list[str]:
    """Where a report's metrics are not as they should be."""
    out = []
    for key, (value, part, whole, missing) in right.items():
        got = told[key]
        pair = (got["value"], got["numerator"], got["denominator"], got["missing"])
        want = (value, part, whole, missing)
        if pair != tuple(one if one is None else pytest.approx(one) for one in want):
            out.append(f"{key}: right {want}, told {pair}")
    for key, got in told.items():
        if key in KEYS and key not in right and (got["value"] is not None or got["missing"]):
            out.append(f"{key}: out of scope of all, told {got['value']} missing {got['missing']}")
    return out


KEYS = frozenset(
    "hit mrr recall precision precision_trec all_hit ndcg mrr_at_k ap f1 refusal_accuracy over_refusal "
    "under_refusal fallback_rate citation_coverage citation_coverage_labelled citation_coverage_answered "
    "citation_id_validity citation_id_validity_micro sentence_citation_coverage citation_support "
    "faithfulness hallucination_rate answer_relevancy answer_correctness factual_correctness completeness "
    "groundedness clarity golden_coverage satisfaction runner_pass_rate routing_accuracy plan_efficiency "
    "tool_success trajectory conflict_resolution slot_accuracy conversation_pass pass_at_k pass_hat_k "
    "final_pass".split()
)


def slice_of(case: Raw, name: str) -> set[str]:
    value = case.get(name)
    if value is None:
        return {"(not recorded)"}
    if isinstance(value, list):
        return {one or "(empty)" for one in value} or {"(empty)"}
    return {str(value) or "(empty)"}


NUMBERS = count()


@given(generated=runs())
@settings(
    max_examples=20,
    deadline=None,
    derandomize=True,
    suppress_health_check=list(HealthCheck),
    # A run file is large: to make it smaller takes minutes, and the difference names the metric anyhow.
    phases=(Phase.explicit, Phase.generate),
    report_multiple_bugs=False,
)
def test_a_report_is_what_plain_python_finds_in_the_file(
    generated: tuple[Raw, list[Raw]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    header, cases = generated
    place = tmp_path / f"n{next(NUMBERS)}"
    place.mkdir()
    for number, case in enumerate(cases):
        case |= {"id": f"c{number}", "query": "q"}
    # A dimension that no case has anything for is none.
    cases[0] |= {"query_type": "one", "tags": ["x", "y", "x"]}
    shown = [{key: one for key, one in case.items() if key[0] != "_"} for case in cases]
    # An id that was seen before is left out, whatever it says.
    lines = [{"run": {"id": "r", **header}}, *shown, {"id": "c0", "query": "again", "passed": True}]
    path = place / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    capsys.readouterr()
    words = [
        "report",
        str(path),
        "--db",
        str(place / "t.db"),
        "--by",
        "query_type",
        "--by",
        "tags",
        "--format",
        "json",
    ]
    assert call(words) == 3
    told = json.loads(capsys.readouterr().out)
    second = Run(header, cases)
    whole = second.report()
    assert differences(whole, told["metrics"]) == []
    over, under = (whole.get(key, (None,))[0] for key in ("over_refusal", "under_refusal"))
    balanced = None if over is None or under is None else (1 - over + 1 - under) / 2
    assert told["metrics"]["balanced_refusal_accuracy"]["value"] == (
        balanced if balanced is None else pytest.approx(balanced)
    )
    for name in ("query_type", "tags"):
        names = {value for case in cases for value in slice_of(case, name)}
        assert set(told["slices"][name]) == names
        for value in names:
            inside = [case for case in cases if value in slice_of(case, name)]
            assert told["slices"][name][value]["cases"] == len(inside)
            assert differences(second.report(inside), told["slices"][name][value]["metrics"]) == []
    # Another K measures the stored records anew.
    assert call(["report", "r", "--db", str(place / "t.db"), "--k", "4", "--format", "json"]) == 0
    again = json.loads(capsys.readouterr().out)["metrics"]
    assert differences(Run({**header, "k": 4}, cases).report(), again) == []
