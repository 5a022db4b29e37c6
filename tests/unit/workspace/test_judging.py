"""Judges held against verdicts, against numbers in the records, and against each other."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.errors import Stopped, UsageError
from triage.models.judging import JudgeQuestion
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.settings import Settings
from triage.workspace import Workspace

ALL = Scope("kb42")
MTRAG = LoadOptions(
    mapping={"scores.faithfulness": "scores.rl_f"},
    header={"score_scale": "0-1", "dataset": {"name": "mtrag"}},
)


def _record(number: int, faithful: float | None, **changes: Any) -> dict[str, Any]:
    made: dict[str, Any] = {
        "id": f"E{number:02}", "query": f"q{number}", "topic": "refund" if number % 2 else "shipping",
        "answerable": True, "expected_ids": ["KB-1"], "retrieved": [{"id": "KB-1"}], "answer": "a",
        "predicted_answerable": True, "citations": ["KB-1"],
    }  # fmt: skip
    if faithful is not None:
        made["scores"] = {"faithfulness": faithful}
    return {**made, **changes}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    """20 cases: scores 1 to 5 in turn; what scores 1 or 2 is bad, but E03 and E05 the other way round."""
    records = [_record(at, at % 5 + 1) for at in range(20)] + [_record(20, None), _record(21, 5)]
    path = tmp_path / "kb42.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    made.ingest([path])
    bad = {f"E{at:02}" for at in range(20) if at % 5 < 2} ^ {"E03", "E05"}
    made.tag("kb42", sorted(bad), "citation-semantic")
    made.tag("kb42", sorted({f"E{at:02}" for at in range(21)} - bad), "not-a-failure")
    made.tag("kb42", ["E21"], "test-set")
    yield made
    made.close()


def test_a_judge_against_verdicts(workspace: Workspace) -> None:
    made = workspace.judging.report(ALL).calibration
    assert made is not None
    assert (made.judge, made.low, made.high, made.people, made.good) == (
        "faithfulness",
        1,
        5,
        "verdicts",
        None,
    )
    assert (made.n, made.bad, made.unscored, made.left_out) == (20, 8, 1, {"test-set": 1})
    # Good from 4 on: all eight bad but E03 (a 4) score below, and so do E05 (a 1) and the four with a 3.
    assert made.own is not None and made.best is not None
    assert (made.own.threshold, made.own.missed, made.own.alarms) == (4, 1, 5)
    assert (made.best.threshold, made.best.missed, made.best.alarms) == (3, 1, 1)
    # By hand: 18 of 20 agree; by chance (8 x 8 + 12 x 12) / 400 = .52.
    assert made.best.kappa == pytest.approx((0.9 - 0.52) / 0.48)
    assert made.missed == ("E03",)
    assert made.alarms == ("E02", "E05", "E07", "E12", "E17")


def test_where_a_judge_fails_is_not_told_in_terms_of_what_people_said(tmp_path: Path) -> None:
    path = tmp_path / "harsh.jsonl"
    path.write_text("".join(json.dumps(_record(at, 1 + at % 2)) + "\n" for at in range(20)), "utf-8")
    made = Workspace(tmp_path / "harsh.db", Settings(), reviewer="wei")
    made.ingest([path])
    made.tag("harsh", [f"E{at:02}" for at in range(10)], "not-a-failure")
    made.tag("harsh", [f"E{at:02}" for at in range(10, 20)], "retrieval")
    found = made.judging.report(Scope("harsh")).calibration
    made.close()
    assert found is not None and found.own.alarms == 10
    assert [one.value for one in found.parts if one.dimension == "verdict"] == []


def test_every_number_opens_its_cases(workspace: Workspace) -> None:
    report = workspace.judging.report(ALL)
    made = report.calibration
    assert made is not None
    for query, ids in ((made.missed_query, made.missed), (made.alarms_query, made.alarms)):
        assert query is not None
        scope = Scope("kb42", text=query)
        assert tuple(row.id for row in workspace.case_rows(scope, workspace.case_keys(scope))) == ids
    judging = workspace.judging
    asked = report.question
    assert judging.wrong(ALL, asked, 4.0) == ("E02", "E03", "E05", "E07", "E12", "E17")
    assert judging.wrong(ALL, asked, 4.0, "missed") == made.missed
    assert judging.wrong(ALL, asked, 4.0, "alarms", ("topic", "refund")) == ("E05", "E07", "E17")


def test_nobody_waits_for_what_was_given_up(workspace: Workspace) -> None:
    asked: list[bool] = []

    def given_up() -> bool:
        asked.append(True)
        return True

    with pytest.raises(Stopped), workspace.stoppable(given_up):
        workspace.judging.report(ALL)
    assert asked


def test_disputed_cases_are_left_out_and_counted(workspace: Workspace) -> None:
    workspace.reviewer = "ana"
    workspace.tag("kb42", ["E00"], "retrieval")
    made = workspace.judging.report(ALL).calibration
    assert made is not None and made.n == 19 and made.left_out == {"disputed": 1, "test-set": 1}


def test_a_verdict_on_an_earlier_record_is_not_held_against_the_scores_of_the_new_one(
    workspace: Workspace, tmp_path: Path
) -> None:
    path = tmp_path / "kb42.jsonl"
    lines = path.read_text("utf-8").splitlines()
    lines[2] = json.dumps({**json.loads(lines[2]), "answer": "another"})
    path.write_text("\n".join(lines) + "\n", "utf-8")
    workspace.ingest([path])
    made = workspace.judging.report(ALL).calibration
    assert made is not None and made.left_out == {"stale": 1, "test-set": 1}
    assert made.n == 19 and made.alarms == ("E05", "E07", "E12", "E17")
    assert made.alarms_query is not None and "id:" not in made.alarms_query


def test_the_filter_text_narrows_it(workspace: Workspace) -> None:
    made = workspace.judging.report(Scope("kb42", text="topic:refund")).calibration
    assert made is not None and made.n == 10 and made.alarms_query is not None
    assert made.alarms_query.startswith("(topic:refund) ")


def test_what_is_not_there_is_told_with_the_nearest(workspace: Workspace) -> None:
    with pytest.raises(UsageError, match="did you mean faithfulness"):
        workspace.judging.report(ALL, JudgeQuestion(judge="faithfullness"))
    with pytest.raises(UsageError, match="no case has a number there"):
        workspace.judging.report(ALL, JudgeQuestion(people="labels.human"))


def test_a_run_without_scores_or_verdicts_has_nothing_to_say(tmp_path: Path) -> None:
    path = tmp_path / "bare.jsonl"
    path.write_text(json.dumps(_record(1, None)) + "\n", "utf-8")
    made = Workspace(tmp_path / "bare.db", Settings(), reviewer="wei")
    made.ingest([path])
    report = made.judging.report(Scope("bare"))
    assert (report.judges, report.calibration, report.pairs, report.raters) == ((), None, (), None)
    path.write_text(json.dumps(_record(1, 3)) + "\n", "utf-8")
    made.ingest([path])
    calibration = made.judging.report(Scope("bare")).calibration
    assert calibration is not None and (calibration.n, calibration.shown, calibration.curve) == (0, None, ())
    made.close()


def test_two_judges_and_one_of_them_alone(tmp_path: Path) -> None:
    def judges(one: float, other: float) -> list[dict[str, Any]]:
        return [
            {"judge": "rubric-a", "scores": {"faithfulness": one}},
            {"judge": "rubric-b", "scores": {"faithfulness": other}},
        ]

    scores = [(5, 5), (5, 3), (4, 3), (1, 2), (2, 4)]
    path = tmp_path / "two.jsonl"
    lines = [json.dumps(_record(at, None, judges=judges(*pair))) + "\n" for at, pair in enumerate(scores)]
    path.write_text("".join(lines), "utf-8")
    made = Workspace(tmp_path / "two.db", Settings(), reviewer="wei")
    made.ingest([path])
    report = made.judging.report(Scope("two"))
    assert report.judges == ("faithfulness", "rubric-a/faithfulness", "rubric-b/faithfulness")
    (pair,) = report.pairs
    assert (pair.a, pair.b, pair.cases, pair.arbitrate) == ("rubric-a", "rubric-b", 5, ("E01", "E02", "E04"))
    assert pair.apart == {"faithfulness": pair.arbitrate}
    assert pair.query is not None
    scope = Scope("two", text=pair.query)
    assert [row.id for row in made.case_rows(scope, made.case_keys(scope))] == ["E01", "E02", "E04"]
    made.tag("two", ["E01", "E02", "E04"], "retrieval")
    made.tag("two", ["E00"], "not-a-failure")
    alone = made.judging.report(Scope("two"), JudgeQuestion(judge="rubric-b/faithfulness")).calibration
    assert alone is not None and alone.own is not None
    assert (alone.n, alone.own.missed, alone.own.alarms) == (4, 1, 0)
    # No filter text says one judge's own score, so the cases are named one by one.
    assert alone.missed_query == "id:E04"
    made.close()


@pytest.fixture
def mtrag(shared: Callable[[str], Path], tmp_path: Path) -> Iterator[Workspace]:
    """The answers of GPT-4o with three people's ratings and a judge's scores."""
    made = Workspace(tmp_path / "mtrag.db", Settings(), reviewer="wei")
    made.ingest([shared("realdata/mtrag_answers/gpt-4o.jsonl")], MTRAG)
    yield made
    made.close()


QUESTION = JudgeQuestion(
    judge="faithfulness",
    second="rb_llm",
    people="labels.human_median.faithfulness",
    ratings="labels.human_raw.faithfulness",
)


def test_three_people_and_a_judge_over_real_answers(mtrag: Workspace, shared: Callable[[str], Path]) -> None:
    raw = shared("realdata/mtrag_answers/gpt-4o.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in raw]
    medians = [one["labels"]["human_median"]["faithfulness"] for one in records]
    scores = [one["scores"]["rl_f"] for one in records]
    report = mtrag.judging.report(Scope("gpt-4o"), QUESTION)
    made, raters = report.calibration, report.raters
    assert made is not None and made.own is not None and made.best is not None and raters is not None
    # Counted here from the file: a median of 4 is good (3.25 and more of 1-4), a score of .75 is.
    missed = sum(median < 3.25 and score >= 0.75 for median, score in zip(medians, scores, strict=True))
    alarms = sum(median >= 3.25 and score < 0.75 for median, score in zip(medians, scores, strict=True))
    assert (made.n, made.bad, made.good) == (159, 60, 3.25)
    assert (made.own.threshold, made.own.missed, made.own.alarms) == (0.75, missed, alarms) == (0.75, 19, 9)
    assert made.own.kappa == pytest.approx(0.6125, abs=5e-5)
    assert (round(made.best.threshold, 4), made.best.missed, made.best.alarms) == (0.7143, 19, 8)
    assert made.best.kappa == pytest.approx(0.6251, abs=5e-5)
    assert made.unseen is not None and made.unseen < made.best.kappa
    # 474 ratings; the first pair, a2 and a6, counted from the file.
    human = [one["labels"]["human_raw"]["faithfulness"] for one in records]
    both = [(one["a2"], one["a6"]) for one in human if {"a2", "a6"} <= set(one)]
    first = raters.pairs[0]
    assert (first.a, first.b, first.n) == ("a2", "a6", len(both)) == ("a2", "a6", 107)
    assert first.agreement == pytest.approx(sum(x == y for x, y in both) / 107)
    assert (raters.ratings, raters.cases, raters.low, raters.high) == (474, 159, 1, 4)
    assert raters.alpha == pytest.approx(0.4932, abs=5e-5)
    # The judge is with a person as often as two people are with each other, and more.
    assert raters.mean == pytest.approx(0.5440, abs=5e-5)
    assert raters.judge_mean == pytest.approx(0.6207, abs=5e-5)
    assert report.second is not None and len(report.second.arbitrate) == 46


def test_the_cases_behind_the_numbers_of_real_answers(mtrag: Workspace) -> None:
    made = mtrag.judging.report(Scope("gpt-4o"), QUESTION).calibration
    assert made is not None and made.missed_query is not None
    assert made.missed_query == "faithfulness:>=0.75 labels.human_median.faithfulness:<3.25"
    scope = Scope("gpt-4o", text=made.missed_query)
    assert len(mtrag.case_keys(scope)) == 19
    assert len(mtrag.judging.differ(Scope("gpt-4o"), QUESTION, "a2", "a6")) == 107 - 48


def test_what_no_number_is_does_not_count(tmp_path: Path) -> None:
    people: list[Any] = [4, 2, 10**400, True, "4", None, float("nan"), [4], {"a": 4}]
    path = tmp_path / "odd.jsonl"
    lines = [json.dumps(_record(at, 4, labels={"human": value, "raw": {"a": value}})) + "\n"
             for at, value in enumerate(people)]  # fmt: skip
    path.write_text("".join(lines), "utf-8")
    made = Workspace(tmp_path / "odd.db", Settings(), reviewer="wei")
    made.ingest([path])
    asked = JudgeQuestion(people="labels.human", ratings="labels.raw")
    report = made.judging.report(Scope("odd"), asked)
    assert report.calibration is not None and report.calibration.n == 2
    assert report.raters is not None and (report.raters.ratings, report.raters.alpha) == (2, None)
    made.close()
