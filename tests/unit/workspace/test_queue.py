"""The queue of a sample: what is handed out and why, what a verdict does, progress, undo, disputes."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from triage.errors import FilterError, TriageError, UsageError
from triage.models.query import Drill, Scope
from triage.models.reading import Handed
from triage.models.sample import SampleRule
from triage.workspace import Workspace

N = 8


def take(work: Workspace, sample: str = "two", text: str = "") -> Handed:
    """The next case, which there is."""
    found = work.queue.next("r", sample, text)
    assert isinstance(found, Handed), found
    return found


def read(work: Workspace, sample: str = "two", verdict: Any = "retrieval", **more: Any) -> str:
    """Read the next case; its id."""
    case_id = take(work, sample).case_id
    work.queue.give("r", sample, case_id, verdict, **more)
    return case_id


def in_order(work: Workspace, sample: str) -> list[str]:
    return [case.case_id for case in work.sampling.cases("r", sample)]


def test_cases_come_in_the_sample_s_order_and_a_reading_is_one_event(wei: Workspace) -> None:
    order = in_order(wei, "two")
    first = take(wei)
    assert (first.case_id, first.reading, first.readings, first.mine) == (order[0], 1, 2, None)
    outcome = wei.queue.give(
        "r", "two", first.case_id, "ranking", labels=["stale doc"], note="rank 2", seconds=7.5
    )
    assert outcome.said == f"{order[0]} read: ranking"
    (given,) = wei.queue.readings("r", [order[0]])[order[0]]
    assert (given.reviewer, given.verdict, given.labels, given.note) == (
        "wei",
        "ranking",
        ("stale doc",),
        "rank 2",
    )
    assert (given.sample, given.seconds, given.stale) == ("two", 7.5, False)
    assert [read(wei) for _ in order[1:]] == order[1:]
    assert wei.queue.next("r", "two") == "done"


def test_whoever_comes_back_gets_what_was_in_hand_elsewhere_too(
    wei: Workspace, enter: Callable[[str], Workspace]
) -> None:
    held = take(wei).case_id
    assert take(wei).case_id == held
    assert take(enter("wei")).case_id == held


def test_one_reading_is_handed_to_one_reader_until_it_is_let_go(wei: Workspace, ada: Workspace) -> None:
    order = in_order(wei, "one")
    assert (take(wei, "one").case_id, take(ada, "one").case_id) == (order[0], order[1])
    assert ada.queue.progress("r", "one").others == 1
    assert wei.queue.let_go("r", "one") == 1
    assert wei.queue.let_go("r", "one") == 0
    read(ada, "one")
    assert ada.queue.let_go("r", "one") == 0
    progress = wei.queue.progress("r", "one")
    assert (progress.readings, progress.others, progress.open) == (1, 0, N - 1)
    assert take(ada, "one").case_id == order[0]
    assert take(wei, "one").case_id == order[2]


def test_the_last_case_in_another_s_hand_is_told_and_taken_over_after_a_while(
    wei: Workspace, ada: Workspace, watch: Any
) -> None:
    held = take(wei, "one").case_id
    for _ in range(N - 1):
        read(ada, "one")
    assert ada.queue.next("r", "one") == "others"
    watch.time += timedelta(minutes=59)
    assert ada.queue.next("r", "one") == "others"
    watch.time += timedelta(minutes=2)
    assert take(ada, "one").case_id == held
    assert wei.queue.next("r", "one") == "others"
    said = wei.queue.give("r", "one", held, "ranking").said
    assert said == f"{held} read: ranking; an extra reading, no reading of it was left"
    assert wei.queue.next("r", "one") == "done"
    assert read(ada, "one") == held
    assert {given.reviewer for given in ada.queue.readings("r", [held])[held]} == {"wei", "ada"}
    assert ada.queue.progress("r", "one").readings == N


def test_a_verdict_given_elsewhere_is_a_reading_and_nobody_is_asked_twice(
    wei: Workspace, ada: Workspace
) -> None:
    order = in_order(wei, "one")
    wei.tag("r", [order[0]], "other", note="in passing")
    wei.set_labels("r", [order[0]], ["routing"])
    before = wei.queue.progress("r", "one")
    assert (before.mine, before.readings) == (1, 1), "before he enters the queue too"
    assert take(wei, "one").case_id == order[1]
    assert take(ada, "one").case_id == order[2]
    (given,) = wei.queue.readings("r", [order[0]])[order[0]]
    assert (given.verdict, given.labels, given.note, given.sample) == (
        "other",
        ("routing",),
        "in passing",
        None,
    )
    assert wei.queue.progress("r", "one").readings == 1
    wei.clear("r", [order[0]])
    assert take(wei, "one").case_id == order[0]


def test_a_deferred_case_goes_to_others_and_comes_last(wei: Workspace, ada: Workspace) -> None:
    order = in_order(wei, "one")
    case_id = take(wei, "one").case_id
    assert wei.queue.defer("r", "one", case_id, " ask billing ").said == f"{case_id} deferred"
    assert take(wei, "one").case_id == order[1]
    progress = wei.queue.progress("r", "one")
    assert (progress.open, progress.deferred, progress.mine) == (N, 1, 0)
    assert take(ada, "one").case_id == order[0]
    ada.queue.let_go("r", "one")
    for _ in range(N - 1):
        read(wei, "one")
    last = take(wei, "one")
    assert (last.case_id, last.why_deferred) == (order[0], "ask billing")
    wei.queue.give("r", "one", last.case_id, "other")
    assert wei.queue.next("r", "one") == "done"


def test_of_two_deferred_the_older_comes_first_and_deferring_goes_round(wei: Workspace) -> None:
    order = in_order(wei, "one")
    for case_id in order[:2]:
        assert take(wei, "one").case_id == case_id
        wei.queue.defer("r", "one", case_id, "later")
    for _ in order[2:]:
        read(wei, "one")
    for case_id in (*order[:2], *order[:2]):
        assert take(wei, "one").case_id == case_id
        wei.queue.defer("r", "one", case_id, "still later")


def test_undone_a_reading_is_in_hand_again_and_redone_it_is_given(wei: Workspace, ada: Workspace) -> None:
    case_id = read(wei, "one")
    after = take(wei, "one").case_id
    assert wei.queue.undo("r").said == f"{case_id} yours to read again"
    assert take(wei, "one").case_id == case_id
    assert wei.queue.progress("r", "one").readings == 0
    assert case_id not in {take(ada, "one").case_id}
    wei.redo("r")
    assert take(wei, "one").case_id == after
    assert wei.queue.progress("r", "one").readings == 1


def test_undoing_a_deferral_takes_the_case_back(wei: Workspace) -> None:
    case_id = take(wei, "one").case_id
    wei.queue.defer("r", "one", case_id, "later")
    take(wei, "one")
    wei.queue.undo("r")
    found = take(wei, "one")
    assert (found.case_id, found.why_deferred) == (case_id, None)


def test_another_s_reading_stands_in_nobody_s_way_and_is_not_told(wei: Workspace, ada: Workspace) -> None:
    case_id = read(wei, verdict="ranking")
    assert read(ada, verdict="retrieval") == case_id
    said = wei.queue.undo("r").said
    assert said == f"{case_id} yours to read again"
    assert {given.reviewer for given in wei.queue.readings("r", [case_id])[case_id]} == {"ada"}
    assert take(wei).case_id == case_id
    wei.queue.give("r", "two", case_id, "ranking")
    ada.queue.arbitrate("r", case_id, "ranking", "rank 2")
    with pytest.raises(TriageError, match="changed by ada"):
        wei.queue.undo("r")


def test_undone_after_a_second_thought_the_first_verdict_fills_the_slot(wei: Workspace) -> None:
    case_id = read(wei, "one", "ranking")
    again = wei.queue.open("r", "one", case_id)
    assert again.mine is not None and again.mine.verdict == "ranking"
    wei.queue.give("r", "one", case_id, "other")
    wei.queue.undo("r")
    (given,) = wei.queue.readings("r", [case_id])[case_id]
    assert given.verdict == "ranking"
    assert wei.queue.progress("r", "one").readings == 1


def test_a_case_of_others_is_not_opened(wei: Workspace, ada: Workspace) -> None:
    case_id = take(wei, "one").case_id
    with pytest.raises(TriageError, match="others read it"):
        ada.queue.open("r", "one", case_id)
    with pytest.raises(TriageError, match="no such case"):
        ada.queue.open("r", "one", "c99")


def test_the_queue_keeps_to_the_filter_and_says_what_it_leaves_out(wei: Workspace) -> None:
    """bugs.md K 114: a filter of some cases, a filter of none."""
    text = "topic:refund -id:c1"
    within = {"c3", "c5", "c7"}
    progress = wei.queue.progress("r", "one", text)
    assert (progress.cases, progress.outside, progress.open) == (3, N - 3, 3)
    got = set()
    for _ in range(3):
        case_id = take(wei, "one", text).case_id
        got.add(case_id)
        wei.queue.give("r", "one", case_id, "other")
    assert got == within
    ended = wei.queue.next("r", "one", text)
    assert ended == "done" and text in wei.queue.ended_words(ended, "one", text)
    assert take(wei, "one").case_id not in within
    nothing = wei.queue.next("r", "one", "topic:nowhere")
    assert nothing == "filtered"
    assert (
        wei.queue.ended_words(nothing, "one", "topic:nowhere")
        == "no case of one passes the filter: topic:nowhere"
    )
    with pytest.raises(FilterError):
        wei.queue.next("r", "one", "rank:abc")


def test_what_was_in_hand_outside_of_the_filter_waits(wei: Workspace) -> None:
    held = take(wei, "one").case_id
    other = take(wei, "one", f"-id:{held}").case_id
    assert other != held
    assert take(wei, "one", f"id:{held}").case_id == held


def test_under_a_filter_on_verdicts_what_was_read_in_the_queue_counts_on(wei: Workspace) -> None:
    for _ in range(3):
        take(wei, "one", "is:unreviewed")
        read(wei, "one")
    progress = wei.queue.progress("r", "one", "is:unreviewed")
    assert (progress.cases, progress.mine, progress.open) == (N, 3, N - 3)


def test_marked_cases_are_a_filter_too(wei: Workspace) -> None:
    pk = wei.case_key(Scope("r"), "c4")
    assert pk is not None
    found = wei.queue.next("r", "one", "is:marked", marked=frozenset({pk}))
    assert isinstance(found, Handed) and found.case_id == "c4"


def test_time_a_case_is_the_median_of_the_last_and_tells_what_is_left(wei: Workspace) -> None:
    read(wei, seconds=100.0)
    read(wei, seconds=4.0)
    assert wei.queue.progress("r", "two").seconds is None
    read(wei, seconds=6.0)
    read(wei)
    progress = wei.queue.progress("r", "two")
    assert (progress.seconds, progress.left) == (6.0, 6.0 * (N - 4))
    assert (progress.readings, progress.wanted) == (4, 2 * N)


def test_cases_sort_by_how_many_people_have_read_them(wei: Workspace, ada: Workspace) -> None:
    once, twice = read(wei), read(wei)
    assert ada.queue.open("r", "two", twice).case_id == twice
    ada.queue.give("r", "two", twice, "other")
    ada.tag("r", ["c0" if "c0" not in (once, twice) else "c7"], "other")
    keys = wei.case_keys(Scope("r", sort="-readings", view="all"))
    ids = wei.bulk.ids_of("r", keys)
    assert ids[:2] == [twice, once] and len(ids) == N
    ids = wei.bulk.ids_of("r", wei.case_keys(Scope("r", sort="readings", view="all")))
    assert ids[:2] == [once, twice]


def test_a_label_or_name_that_can_t_be_used_writes_nothing(wei: Workspace) -> None:
    case_id = take(wei).case_id
    with pytest.raises(UsageError):
        wei.queue.give("r", "two", case_id, "other", labels=["a|b"])
    with pytest.raises(TriageError, match="too long"):
        wei.queue.give("r", "two", case_id, "other", note="长" * 30_000)
    with pytest.raises(TriageError, match="no such sample"):
        wei.queue.next("r", "two'; DROP TABLE slots; --")
    assert wei.queue.readings("r", [case_id]) == {}
    assert take(wei).case_id == case_id


def test_hostile_names_of_cases_and_readers_are_read_as_they_are(
    enter: Callable[[str], Workspace], tmp_path: Path, make: Any
) -> None:
    names = ["[b]%s' OR 1=1", "案\u202e1", "a\nb", "a\0b", "\0"]
    odd = enter("wei\ud800'")
    odd.ingest([make.file(tmp_path / "odd.jsonl", [make.case(name) for name in names], {"id": "r"})])
    odd.sampling.draw("r", SampleRule(seed="\ud800", n=9, by=("class",)), "样本 一")
    assert odd.queue.progress("r", "样本 一", "topic:shipping").cases == len(names)
    drill = Drill(named="all", ids=tuple(names))
    assert len(odd.case_keys(Scope("r", drill=drill))) == len(names)
    got = {read(odd, "样本 一", "other", note="\ud800", labels=["\ud800"]) for _ in names}
    assert len(got) == len(names) and odd.queue.next("r", "样本 一") == "done"
    assert odd.queue.progress("r", "样本 一").readings == len(names)
