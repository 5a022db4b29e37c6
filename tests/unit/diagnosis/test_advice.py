"""Advice over real runs: what is told, in which order, with which numbers, and which cases it opens."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from triage.models.advice import Counsel
from triage.models.query import Scope
from triage.settings import Settings
from triage.settings.model import REFERENCE
from triage.workspace import Workspace

Shared = Callable[[str], Path]
Advise = Callable[..., Counsel]


def case(number: int, **fields: Any) -> dict[str, Any]:
    """An answered case with its expected document first."""
    plain: dict[str, Any] = {
        "id": f"c{number}", "query": f"q{number}", "topic": "shipping", "answerable": True,
        "expected_ids": ["A"], "retrieved": [{"id": "A"}, {"id": "B"}, {"id": "C"}],
        "predicted_answerable": True, "answer": "So.[A]", "citations": ["A"],
    }  # fmt: skip
    return {**plain, **fields}


MISS = {"retrieved": [{"id": "B"}, {"id": "C"}], "citations": ["B"], "answer": "So.[B]"}
SECOND = {"retrieved": [{"id": "B"}, {"id": "A"}]}
THIRD = {"retrieved": [{"id": "B"}, {"id": "C"}, {"id": "A"}]}
REFUSED = {"predicted_answerable": False, "answer": "I don't know.", "citations": None}
UNCITED = {"answer": "So.", "citations": []}
NO_ANSWER = {"answerable": False, "expected_ids": []}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path / "advice.db", Settings(), reviewer="wei")
    yield made
    made.close()


@pytest.fixture
def advise(workspace: Workspace, tmp_path: Path) -> Advise:
    """Advice on a run of cases under a filter text; every line opens as many cases as it tells."""

    def ask(
        cases: list[dict[str, Any]], text: str = "", *, literal: bool = False,
        reference: dict[str, float] | None = None, **header: Any,
    ) -> Counsel:  # fmt: skip
        path = tmp_path / "advised.jsonl"
        lines = [{"run": {"id": "advised", "k": 3, **header}}, *cases]
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        workspace.settings = replace(Settings(), reference={**REFERENCE, **(reference or {})})
        workspace.ingest([path])
        counsel = workspace.advising.of(Scope("advised", text=text, literal=literal))
        for line in counsel.lines:
            assert len(workspace.case_keys(Scope("advised", text=line.query))) == line.cases > 0, line
            assert line.try_first and line.watch and line.said
        assert [line.first for line in counsel.lines] == [place == 0 for place in range(len(counsel.lines))]
        return counsel

    return ask


def told(counsel: Counsel) -> list[tuple[str, str, str]]:
    return [(line.layer, line.signal, line.query) for line in counsel.lines]


def some(good: int, *bad: dict[str, Any]) -> list[dict[str, Any]]:
    """`good` cases without fault and one each with the fields of `bad`."""
    return [case(number) for number in range(good)] + [
        case(good + number, **fields) for number, fields in enumerate(bad)
    ]


@pytest.mark.parametrize(
    ("cases", "right"),
    [
        (some(10), []),
        (some(9, {"expected_ids": []}, {"retrieved": None}),
         [("data", "labels contradict each other", "reason:label_conflict"),
          ("data", "cases that can't be judged", "reason:insufficient_record")]),
        (some(4, MISS), [("retrieval", "Hit@3 low", "hit:0")]),
        (some(9, MISS), []),
        (some(1, *[THIRD] * 3), [("ranking", "MRR low beside Hit@3", "mrr:>0 mrr:<1")]),
        (some(7, *[SECOND] * 3), []),
        (some(13, *[SECOND] * 6), [("ranking", "many hits rank below 1", "hit:1 mrr:<1")]),
        (some(3, {"expected_ids": ["A", "X"]}),
         [("retrieval", "misses some of several expected documents", "hit:1 all_hit:0")]),
        (some(4, {**NO_ANSWER, **MISS}), [("refusal", "answers what it can't answer", "under_refusal:1")]),
        (some(4, {**NO_ANSWER, **REFUSED}), []),
        (some(9, REFUSED), [("refusal", "refuses with the evidence at hand", "hit:1 over_refusal:1")]),
        (some(8, UNCITED, UNCITED),
         [("citation", "no citation, the evidence at hand", "citation_coverage:0 -hit:0")]),
        (some(10, {**MISS, **UNCITED}, UNCITED),
         [("retrieval", "no citation, and no usable evidence", "citation_coverage:0 hit:0"),
          ("citation", "no citation, the evidence at hand", "citation_coverage:0 -hit:0")]),
        (some(9, {"citations": ["Z"]}),
         [("citation", "cites ids that are not in the evidence", "citation_id_validity:0")]),
    ],
)  # fmt: skip
def test_a_signal_is_told_where_it_falls_short_and_nowhere_else(
    cases: list[dict[str, Any]], right: list[tuple[str, str, str]], advise: Advise
) -> None:
    assert told(advise(cases, reference={"citation_coverage": 0.85})) == right


def test_layers_come_downwards_and_the_first_is_marked(advise: Advise) -> None:
    low = {"scores": {"faithfulness": 3.0}}
    counsel = advise(
        [
            case(0, **MISS),
            case(1, **THIRD, **low),
            case(2, **NO_ANSWER),
            case(3, **REFUSED),
            case(4, **REFUSED),
        ]
    )
    assert [line.layer for line in counsel.lines] == [
        "retrieval", "ranking", "generation", "refusal", "refusal", "knowledge base",
    ]  # fmt: skip
    assert counsel.lines[0].said == ".750 3/4, reference .85"
    assert counsel.lines[0].value == pytest.approx(3 / 4)


def test_what_the_knowledge_base_lacks_is_told_apart_from_what_retrieval_missed(advise: Advise) -> None:
    gap = {**MISS, "expected_ids": ["X"]}
    counsel = advise([case(0), case(1, **MISS), case(2, **gap)], kb_ids=["A", "B", "C"])
    assert told(counsel)[:2] == [
        ("knowledge base", "lacks the expected documents", "reason:knowledge_gap"),
        ("retrieval", "Hit@3 low", "hit:0"),
    ]
    assert counsel.lines[0].said == "1 of 2 misses"


def test_scores_are_read_where_the_evidence_was_at_hand(advise: Advise) -> None:
    poor, good = {"scores": {"faithfulness": 1.0}}, {"scores": {"faithfulness": 5.0}}
    # A poor answer without evidence is no fault of generation.
    assert told(advise([case(n, **good) for n in range(9)] + [case(9, **MISS, **poor)])) == []
    counsel = advise([case(0, **good), case(1, **poor, topic="refund")])
    assert told(counsel) == [
        ("generation", "hallucinations on high-risk topics", "hit:1 is:high-risk hallucination_rate:1"),
        ("generation", "faithfulness low, the evidence at hand", "hit:1 faithfulness:<4"),
    ]
    assert counsel.lines[1].said == "3.00 n 2, reference 4"


def test_scores_of_0_to_1_are_held_against_the_mapped_reference(advise: Advise) -> None:
    cases = [case(0, scores={"faithfulness": 0.7}), case(1, scores={"faithfulness": 0.6})]
    counsel = advise(cases, score_scale="0-1")
    assert told(counsel) == [
        ("generation", "faithfulness low, the evidence at hand", "hit:1 faithfulness:<0.75")
    ]
    assert advise([case(0, scores={"faithfulness": 0.8})], score_scale="0-1").lines == ()


def test_relevancy_speaks_where_faithfulness_does_not(advise: Advise) -> None:
    faithful = {"faithfulness": 5.0, "answer_relevancy": 2.0}
    assert [line.signal for line in advise([case(0, scores=faithful)]).lines] == [
        "relevancy low, the evidence at hand"
    ]


def test_incorrect_answers_that_nothing_above_explains_point_at_the_labels(advise: Advise) -> None:
    scores = {"faithfulness": 5.0, "answer_correctness": 1.0}
    counsel = advise([case(0, scores=scores), case(1, scores={**scores, "answer_correctness": 5.0})])
    assert told(counsel) == [
        ("labels", "correctness is low, nothing above is", "hit:1 hallucination_rate:0 answer_correctness:0")
    ]


def test_references_are_the_users(advise: Advise) -> None:
    cases = some(9, MISS)
    assert told(advise(cases)) == []
    assert told(advise(cases, reference={"hit": 0.95})) == [("retrieval", "Hit@3 low", "hit:0")]
    one = some(9, {"expected_ids": []})
    assert told(advise(one, reference={"data_problems": 0.1})) == []


def test_nothing_is_told_of_what_is_not_recorded(advise: Advise) -> None:
    bare = [{"id": f"b{n}", "query": "q", "answer": "So it is."} for n in range(4)]
    counsel = advise(bare)
    assert [line.layer for line in counsel.lines] == ["data", "refusal"]
    assert set(counsel.untold) >= {"retrieval", "generation"}
    assert "refusal" not in counsel.untold


@pytest.mark.parametrize(("refused", "right"), [(0, "hardly ever refuses"), (1, ""), (4, "refuses often")])
def test_the_band_of_refusals_is_for_runs_without_labels(refused: int, right: str, advise: Advise) -> None:
    bare = {"answerable": None, "expected_ids": None}
    cases = [case(n, **bare, **(REFUSED if n < refused else {})) for n in range(10)]
    said = [line.signal for line in advise(cases).lines if line.layer != "data"]
    assert said == ([right] if right else [])


@pytest.mark.parametrize(
    ("text", "literal", "query"),
    [
        ("topic:refund OR id:c1", False, "(topic:refund OR id:c1) hit:0"),
        ("q1", False, '"q1" hit:0'),
        ("topic:x [q", True, '"topic:x [q" hit:0'),
    ],
)
def test_the_selections_own_text_is_part_of_what_a_line_opens(
    text: str, literal: bool, query: str, advise: Advise
) -> None:
    cases = [case(0), case(1, **MISS), case(2, **MISS, query="topic:x [q"), case(3, **MISS)]
    assert [line.query for line in advise(cases, text, literal=literal).lines if "Hit" in line.signal] == [
        query
    ]


def test_sentences_that_differ_from_their_sources_are_told_as_rule_checked(advise: Advise) -> None:
    sourced = {"retrieved": [{"id": "A", "text": "The fee is 5 dollars."}]}
    counsel = advise([case(0, **sourced, answer="The fee is 9 dollars.[A]"), case(1)])
    assert told(counsel) == [("citation", "sentences differ from what they cite", "citation_support:<1")]
    assert counsel.lines[0].said == "rule-checked .000 0/1, reference .95"


def test_routes_and_tools_that_go_wrong_are_the_agents(advise: Advise) -> None:
    right, wrong = {"route": "faq", "expected_route": ["faq"]}, {"route": "tool", "expected_route": ["faq"]}
    counsel = advise([case(0, **right), case(1, **wrong)])
    assert told(counsel) == [("agent", "takes wrong routes", "routing_accuracy:0")]
    assert counsel.lines[0].said == ".500 1/2, reference .9"


def test_the_ten_case_fixture_begins_at_refusal(shared: Shared, workspace: Workspace) -> None:
    workspace.ingest([shared("vectors/fixture_ten_cases.json")])
    run = workspace.find_run(None)
    counsel = workspace.advising.of(Scope(run.id))
    assert [(line.layer, line.query) for line in counsel.lines][:2] == [
        ("refusal", "under_refusal:1"),
        ("retrieval", "citation_coverage:0 hit:0"),
    ]
