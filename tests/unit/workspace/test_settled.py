"""Cases that an arbitration has settled: what readers, and the arbiter who is one of them, do afterwards."""

from __future__ import annotations

from collections.abc import Callable

from triage.models.query import Scope
from triage.models.reading import Handed
from triage.models.verdict import Review, Verdict
from triage.workspace import Workspace


def read(work: Workspace, case_id: str, verdict: Verdict) -> None:
    assert isinstance(work.queue.open("r", "two", case_id), Handed)
    work.queue.give("r", "two", case_id, verdict)


def review(work: Workspace, case_id: str) -> Review:
    row = work.case_rows(Scope("r"), [work.case_key(Scope("r"), case_id) or 0])[0]
    assert row.review is not None
    return row.review


def readers(work: Workspace, case_id: str) -> dict[str, Verdict]:
    return {one.reviewer: one.verdict for one in work.queue.readings("r", [case_id]).get(case_id, ())}


def test_who_settled_a_case_that_he_has_read_takes_back_the_one_and_then_the_other(
    wei: Workspace, ada: Workspace
) -> None:
    read(wei, "c0", "ranking")
    read(ada, "c0", "retrieval")
    wei.queue.arbitrate("r", "c0", "refusal", "neither")
    before = wei.queue.progress("r", "two")
    assert wei.clear("r", ["c0"]).said == "c0 cleared"
    assert readers(ada, "c0") == {"wei": "ranking", "ada": "retrieval"}
    assert review(wei, "c0").disputed and not review(wei, "c0").arbitrated
    assert wei.queue.progress("r", "two").readings == before.readings == 2
    wei.clear("r", ["c0"])
    assert readers(ada, "c0") == {"ada": "retrieval"}
    assert wei.queue.progress("r", "two").readings == 1
    assert wei.clear("r", ["c0"]).said == "c0: no verdict of yours to clear"
    wei.undo("r")
    wei.undo("r")
    assert review(wei, "c0").arbitrated and readers(ada, "c0").keys() == {"wei", "ada"}
    assert wei.upkeep.check().faults == ()


def test_a_later_arbiter_leaves_the_earlier_one_his_own_reading_to_clear(
    wei: Workspace, ada: Workspace, enter: Callable[[str], Workspace]
) -> None:
    read(wei, "c0", "ranking")
    read(ada, "c0", "retrieval")
    wei.queue.arbitrate("r", "c0", "refusal", "neither")
    enter("lead").queue.arbitrate("r", "c0", "other", "it is the form")
    wei.clear("r", ["c0"])
    assert readers(ada, "c0") == {"ada": "retrieval"}
    assert (review(wei, "c0").verdict, review(wei, "c0").reviewer) == ("other", "lead")
    assert wei.upkeep.check().faults == ()


def test_a_verdict_on_a_settled_case_is_kept_and_told_not_to_decide(wei: Workspace, ada: Workspace) -> None:
    read(wei, "c0", "ranking")
    read(ada, "c0", "retrieval")
    ada.queue.arbitrate("r", "c0", "refusal", "neither")
    assert wei.tag("r", ["c0"], "other").said == "c0 tagged other; it is settled as refusal: that stands"
    assert wei.tag("r", ["c0", "c1"], "other").said == "2 cases tagged other; 1 case settled: that stands"
    assert wei.clear("r", ["c0"]).said == "c0 cleared; it is settled as refusal: that stands"
    assert review(wei, "c0").verdict == "refusal"
    assert "settled" not in wei.note("r", "c0", "a note").said
