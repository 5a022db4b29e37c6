"""What a review says in the end: rates, what must be read, saturation, the test set's mistakes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError, UsageError
from triage.metrics.registry import BY_KEY
from triage.models.query import Scope
from triage.models.sample import SampleRule
from triage.review.telling import rule_said
from triage.settings import Settings
from triage.workspace import Workspace

Reader = Callable[[str], Workspace]


@pytest.fixture
def forty(make: Any, tmp_path: Path) -> Path:
    """A run of forty cases: ten of refund (the first of them failing), thirty of shipping."""
    cases = [
        make.case(f"R{number:02}", topic="refund", **(make.missed if number == 0 else {}))
        for number in range(10)
    ]
    cases += [make.case(f"S{number:02}") for number in range(30)]
    path: Path = make.file(tmp_path / "forty.jsonl", cases, {"id": "forty"})
    return path


@pytest.fixture
def reader(tmp_path: Path, forty: Path) -> Iterator[Reader]:
    """The workspace of a reader by name, on the one database."""
    made: dict[str, Workspace] = {}

    def of(name: str) -> Workspace:
        if name not in made:
            made[name] = Workspace(tmp_path / "reviewing.db", Settings(), reviewer=name)
        return made[name]

    of("wei").ingest([forty])
    yield of
    for workspace in made.values():
        workspace.close()


def read(workspace: Workspace, sample: str, count: int, say: Callable[[str], str]) -> list[str]:
    """Read so many cases of a sample; `say` gives the verdict on a case."""
    done = []
    for _ in range(count):
        handed = workspace.queue.next("forty", sample)
        assert not isinstance(handed, str), handed
        verdict: Any = say(handed.case_id)
        workspace.queue.give("forty", sample, handed.case_id, verdict, seconds=10)
        done.append(handed.case_id)
    return done


def test_a_rate_is_weighted_by_what_the_strata_have(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 16, by=("topic",)), "one")
    read(wei, "one", 16, lambda case: "retrieval" if case.startswith("R") else "not-a-failure")
    report = wei.reviewing.report("forty")
    assert report.sample == "one" and report.rate is not None
    assert report.rate.value == pytest.approx(0.25), "all of refund, ten of forty, whatever was drawn of each"
    assert report.rate.population == 40 and report.rate.interval is not None
    low, high = report.rate.interval
    assert low < 0.25 < high
    topics = {one.topic: one for one in report.topics}
    assert topics["refund"].high_risk and report.topics[0].topic == "refund"
    assert topics["shipping"].rate is not None
    assert topics["shipping"].rate.said.startswith("0 of 12: failure rate at most ")
    assert report.read.cases == report.read.wanted == 16 and report.read.seconds == 10
    assert report.read.reviewers == {"wei": 16}


def test_a_stratum_that_is_read_and_in_dispute_is_not_called_unread(reader: Reader) -> None:
    wei, ana = reader("wei"), reader("ana")
    wei.sampling.draw("forty", SampleRule("s", 16, by=("topic",), readings=2), "twice")
    read(wei, "twice", 16, lambda case: "not-a-failure")
    read(ana, "twice", 16, lambda case: "retrieval" if case.startswith("R") else "not-a-failure")
    said = wei.reviewing.report("forty").remarks
    assert "nothing is said of 10 cases in 1 stratum of which none that was read counts" in said


def test_topics_that_are_no_stratum_are_told_too(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("class",)), "whole")
    read(wei, "whole", 40, lambda case: "other" if case in ("R03", "S03", "S04") else "not-a-failure")
    report = wei.reviewing.report("forty", "whole")
    assert report.rate is not None and report.rate.said == "3 of 40 failed, and all 40 were read"
    told = {one.topic: (one.drawn, one.failing, one.rate and one.rate.value) for one in report.topics}
    assert told == {"refund": (10, 1, 0.1), "shipping": (30, 2, 2 / 30)}


def test_what_must_be_read_is_told_case_by_case(reader: Reader) -> None:
    wei, ana = reader("wei"), reader("ana")
    rule = SampleRule("s", 12, must=("is:high-risk",), must_cap=8)
    wei.sampling.draw("forty", rule, "risky")
    must = {one.case_id for one in wei.sampling.cases("forty", "risky") if one.must}
    for case in sorted(must)[:7]:
        wei.tag("forty", [case], "not-a-failure")
        if case != sorted(must)[0]:
            ana.tag("forty", [case], "not-a-failure")
    (told,) = wei.reviewing.report("forty").must
    assert (told.rule, told.cases, told.left_out, told.few) == ("is:high-risk", 10, 2, 1)
    assert set(told.missing) == {f"R{n:02}" for n in range(10)} - set(sorted(must)[:7])
    assert not wei.reviewing.report("forty").must_satisfied
    wei.tag("forty", list(told.missing), "not-a-failure")
    assert wei.reviewing.report("forty").must_satisfied


def test_rules_of_ones_own_and_a_filter_decide_what_is_missing(reader: Reader) -> None:
    wei = reader("wei")
    wei.settings = Settings(must_review=("topic:shipping", "id:R01"))
    found = wei.reviewing.must_review(Scope("forty", text="id:*1"))
    assert [(one.rule, one.missing) for one in found] == [
        ("topic:shipping", ("S01", "S11", "S21")),
        ("id:R01", ("R01",)),
    ]
    wei.settings = Settings(must_review=("topic:(",))
    with pytest.raises(UsageError, match="a must-review rule is no filter"):
        wei.reviewing.must_review(Scope("forty"))


def test_mistakes_of_the_test_set_leave_the_corrected_metrics_alone(reader: Reader) -> None:
    wei = reader("wei")
    assert wei.reviewing.corrected(Scope("forty")) is None
    wei.tag("forty", ["R00"], "test-set", note="labelled by mistake")
    found = wei.reviewing.corrected(Scope("forty"))
    raw = wei.run_view(Scope("forty")).metrics
    assert found is not None and found.left_out == 1
    assert raw["hit"].value == 39 / 40 and found.metrics["hit"].value == 1
    assert set(found.metrics) == set(BY_KEY)
    # A filter searched literally is narrowed as well, and one that leaves the mistake out has none.
    literal = wei.reviewing.corrected(Scope("forty", text="query of R0", literal=True))
    assert literal is not None and literal.metrics["hit"].denominator == 9
    assert wei.reviewing.corrected(Scope("forty", text="topic:shipping")) is None
    report = wei.reviewing.report("forty")
    assert report.corrected == found and report.raw["hit"].value == 39 / 40
    (mistake,) = report.mistakes
    assert (mistake.case_id, mistake.note, mistake.reviewer) == ("R00", "labelled by mistake", "wei")


def test_a_mistake_of_the_test_set_is_in_no_rate(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("topic",)), "all")
    read(wei, "all", 40, lambda case: "test-set" if case < "R05" else "not-a-failure")
    report = wei.reviewing.report("forty")
    assert report.rate is not None and (report.rate.read, report.rate.population) == (35, 35)
    assert report.strata[0].test_set == 5
    assert "5 cases in no rate: the test set is wrong" in report.remarks


def test_without_a_sample_there_are_counts_and_no_rate(reader: Reader) -> None:
    wei = reader("wei")
    nothing = wei.reviewing.report("forty")
    assert nothing.rate is None and nothing.why_none.startswith("nobody has given a verdict")
    wei.tag("forty", ["R00", "S01"], "retrieval")
    wei.tag("forty", ["S02"], "not-a-failure")
    report = wei.reviewing.report("forty")
    assert report.sample is None and report.rate is None
    assert "nothing follows for the other 37" in report.why_none
    assert report.verdicts == {"retrieval": ("R00", "S01"), "not-a-failure": ("S02",)}
    assert [(one.topic, one.read, one.failing, one.rate) for one in report.topics] == [
        ("refund", 1, 1, None),
        ("shipping", 2, 1, None),
    ]
    wei.tag("forty", [*(f"R{n:02}" for n in range(10)), *(f"S{n:02}" for n in range(30))], "not-a-failure")
    counted = wei.reviewing.report("forty")
    assert counted.rate is not None and counted.rate.said == "0 of 40 failed, and all 40 were read"
    wei.sampling.draw("forty", SampleRule("s", 5), "five")
    assert wei.reviewing.report("forty").sample == "five"
    whole = wei.reviewing.report("forty", "")
    assert whole.sample is None and whole.others == ("five",) and whole.read.cases == 40
    with pytest.raises(TriageError, match="no such sample"):
        wei.reviewing.report("forty", "none")


def test_readers_who_differ_on_the_class_agree_that_it_fails(reader: Reader) -> None:
    wei, ana = reader("wei"), reader("ana")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("topic",), readings=2), "twice")
    for who, verdict in ((wei, "retrieval"), (ana, "ranking")):
        who.tag("forty", ["R00"], verdict)  # type: ignore[arg-type]
    wei.tag("forty", ["R01"], "retrieval")
    ana.tag("forty", ["R01"], "not-a-failure")
    wei.tag("forty", ["R02"], "not-a-failure")
    report = wei.reviewing.report("forty")
    assert report.rate is not None and (report.rate.failing, report.rate.read) == (1, 2)
    assert report.unsettled == ("R01",) and report.read.disputed == 2
    assert (report.read.readings, report.read.readings_wanted) == (5, 80)
    wei.queue.arbitrate("forty", "R01", "refusal", "the answer turns the customer away")
    decided = wei.reviewing.report("forty")
    assert decided.rate is not None and (decided.rate.failing, decided.unsettled) == (2, ())
    assert decided.read.arbitrated == 1


def test_a_verdict_on_an_earlier_record_is_in_no_rate(reader: Reader, make: Any, forty: Path) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("topic",)), "old")
    wei.tag("forty", ["R01", "S01", "S02"], "not-a-failure")
    cases = [make.case("R01", topic="refund", answer="Ten days.[S1]"), make.case("S01")]
    wei.ingest([make.file(forty, cases, {"id": "forty"})])
    report = wei.reviewing.report("forty")
    assert report.rate is not None and report.rate.read == 1
    assert (report.read.stale, report.unsettled, report.gone) == (1, ("R01",), 38)
    assert "38 cases of the sample no longer in the run" in report.remarks


def test_cases_beside_a_mistake_of_the_test_set_are_not_passed_over(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 4, by=("topic",)), "few")
    said = {"R": "test-set", "S": "not-a-failure"}
    read(wei, "few", 4, lambda case: said[case[0]])
    report = wei.reviewing.report("forty")
    drawn = {one.title: one.drawn for one in report.strata}
    assert report.rate is not None and report.rate.population == 30
    assert report.rate.uncovered == 10 - drawn["refund"]
    assert any(one.startswith(f"nothing is said of {10 - drawn['refund']} cases in 1 stratum") for one in
               report.remarks)  # fmt: skip


def test_readers_of_the_record_as_it_is_decide_against_one_of_an_earlier_record(
    reader: Reader, make: Any, forty: Path
) -> None:
    wei, ana = reader("wei"), reader("ana")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("topic",)), "old")
    for case in ("R01", "R02", "R03"):
        wei.tag("forty", [case], "refusal")
    cases = [make.case(f"R0{n}", topic="refund", answer="Ten days.[S1]") for n in (1, 2, 3)]
    wei.ingest([make.file(forty, cases, {"id": "forty"})])
    ana.tag("forty", ["R01"], "not-a-failure")
    ana.tag("forty", ["R02"], "ranking")
    report = wei.reviewing.report("forty")
    assert report.unsettled == ("R03",) and report.rate is not None
    assert (report.rate.failing, report.rate.read) == (1, 2)
    assert report.verdicts == {"not-a-failure": ("R01",), "ranking": ("R02",)}


def test_a_rate_says_which_cases_it_does_not_speak_for(reader: Reader, make: Any, forty: Path) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 5, by=(), text="topic:refund"), "refunds")
    wei.sampling.draw("forty", SampleRule("s", 5, by=()), "whole")
    of = "nothing is said of 30 cases that the sample was not drawn from"
    assert of in wei.reviewing.report("forty", "refunds").remarks
    assert not any("not drawn from" in one for one in wei.reviewing.report("forty", "whole").remarks)
    wei.ingest([make.file(forty, [make.case(f"N{n}") for n in range(41)], {"id": "forty"})])
    later = wei.reviewing.report("forty", "whole").remarks
    assert "nothing is said of 1 case that the sample was not drawn from" in later


def test_what_is_not_read_is_like_nothing_where_nothing_is_read(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 8, by=("topic",)), "eight")
    unread = wei.reviewing.report("forty")
    assert unread.rate is not None and unread.rate.said.startswith("no case is read: ")
    assert not any("taken to be like" in one for one in unread.remarks)
    refunds = [case.case_id for case in wei.sampling.cases("forty", "eight") if case.case_id[0] == "R"]
    wei.tag("forty", refunds[:1], "test-set")
    told = wei.reviewing.report("forty")
    assert told.rate is not None and told.rate.said.startswith("no read case counts: ")
    assert any(one.endswith("in 2 strata of which none that was read counts") for one in told.remarks)
    wei.tag("forty", refunds[1:], "not-a-failure")
    later = wei.reviewing.report("forty").remarks
    assert any(one.endswith("in 1 stratum of which none was read") for one in later)
    assert not any("taken to be like" in one for one in later)


def test_a_filtered_sample_reports_on_what_the_whole_run_must_have(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 9, by=(), text="topic:shipping"), "shipping")
    read(wei, "shipping", 9, lambda case: "not-a-failure")
    report = wei.reviewing.report("forty")
    assert [(one.rule, one.cases, len(one.missing)) for one in report.must] == [("is:high-risk", 10, 10)]
    assert not report.must_satisfied
    assert report.raw["hit"].denominator == 40 and report.text == "topic:shipping"


def test_what_must_be_read_is_read_as_it_is_now(reader: Reader, make: Any, forty: Path) -> None:
    wei, ana = reader("wei"), reader("ana")
    for who in (wei, ana):
        who.tag("forty", [f"R{n:02}" for n in range(10)], "not-a-failure")
    assert [one.satisfied for one in wei.reviewing.must_review(Scope("forty"))] == [True]
    cases = [make.case(f"R{n:02}", topic="refund", answer="Ten days.[S1]") for n in range(3)]
    wei.ingest([make.file(forty, [*cases, make.case("R03", topic="refund")], {"id": "forty"})])
    wei.tag("forty", ["R02"], "refusal")
    (told,) = wei.reviewing.must_review(Scope("forty"))
    assert (told.cases, told.missing, told.stale, told.few) == (4, ("R00", "R01"), 2, 1)
    assert not told.satisfied and "2 judged before the record changed" in rule_said(told)
    wei.queue.arbitrate("forty", "R00", "refusal", "read again")
    assert wei.reviewing.must_review(Scope("forty"))[0].missing == ("R01",)


def test_a_case_that_was_mended_is_back_in_the_corrected_metrics(
    reader: Reader, make: Any, forty: Path
) -> None:
    wei = reader("wei")
    wei.tag("forty", ["R01", "R02", "R03"], "test-set")
    cases = [
        make.case("R01", topic="refund", query="asked otherwise"),
        make.case("R02", topic="refund", answer="Ten days.[S1]"),
        make.case("R03", topic="refund"),
    ]
    wei.ingest([make.file(forty, cases, {"id": "forty"})])
    found = wei.reviewing.corrected(Scope("forty"))
    assert found is not None and found.left_out == 2 and found.metrics["hit"].denominator == 1
    wei.tag("forty", ["R02", "R03"], "not-a-failure")
    assert wei.reviewing.corrected(Scope("forty")) is None


def test_new_labels_and_sub_reasons_are_told_in_reading_order(reader: Reader) -> None:
    wei = reader("wei")
    wei.sampling.draw("forty", SampleRule("s", 40, by=("topic",)), "kinds")
    wei.tag("forty", ["S05"], "other", labels=["routing"])
    wei.tag("forty", ["R00"], "retrieval", labels=["stale-doc", "routing"])
    wei.tag("forty", ["S06"], "not-a-failure")
    (window,) = wei.reviewing.report("forty").saturation.windows
    assert window.labels == ("routing", "stale-doc") and window.ids == ("S05", "R00")
    assert window.reasons == ("other (no rule suggested it)", "expected_missing_from_topk")
