"""What happens beside the queue: records that change, runs and samples that go, readers who differ."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError
from triage.models.query import Scope
from triage.models.reading import Handed
from triage.store import Store
from triage.store import events as store_events
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


def test_a_record_that_changed_is_not_judged_unseen_and_is_read_again(
    wei: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    first = read(wei, "one", "ranking")
    held = take(wei, "one")
    changed = {first: {"answer": "Nine days.[S1]"}, held.case_id: {"answer": "Ten days.[S1]"}}
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, **changed)])
    with pytest.raises(TriageError, match="the record has changed"):
        wei.queue.give("r", "one", held.case_id, "other", seen=held.seen)
    assert held.case_id not in wei.queue.readings("r", [held.case_id])
    anew = take(wei, "one")
    assert anew.case_id == held.case_id
    wei.queue.give("r", "one", anew.case_id, "other", seen=anew.seen)
    for _ in range(N - 2):
        assert read(wei, "one") != first
    progress = wei.queue.progress("r", "one")
    assert (progress.mine, progress.open, progress.stale) == (N - 1, 1, 1)
    back = take(wei, "one")
    assert back.case_id == first
    assert back.mine is not None and (back.mine.verdict, back.mine.stale) == ("ranking", True)
    wei.queue.give("r", "one", first, "retrieval")
    assert wei.queue.next("r", "one") == "done"


def test_a_reading_of_a_changed_record_is_read_anew_by_whoever_comes_first(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    first = read(wei, "one", "ranking")
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, **{first: {"answer": "Nine days.[S1]"}})])
    assert wei.queue.progress("r", "one").readings == 0
    assert read(ada, "one", "other") == first
    progress = wei.queue.progress("r", "one")
    assert (progress.readings, progress.open, progress.stale) == (1, N - 1, 0)
    given = {one.reviewer: one.stale for one in wei.queue.readings("r", [first])[first]}
    assert given == {"wei": True, "ada": False}
    assert take(wei, "one").case_id != first


def test_cases_that_left_the_run_are_left_out_and_a_removed_run_comes_back_as_it_was(
    wei: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    order = in_order(wei, "one")
    read(wei, "one", "ranking")
    wei.remove(["r"])
    with pytest.raises(TriageError, match="no"):
        wei.queue.next("r", "one")
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, leave=(order[1],))])
    progress = wei.queue.progress("r", "one")
    assert (progress.cases, progress.mine, progress.readings, progress.wanted) == (N - 1, 1, 1, N - 1)
    assert take(wei, "one").case_id == order[2]
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, leave=tuple(order))])
    wei.remove(["r"], with_reviews=True)
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make)])
    with pytest.raises(TriageError, match="no such sample"):
        wei.queue.next("r", "one")


def test_a_verdict_outlives_the_sample_it_was_given_in(wei: Workspace, ada: Workspace) -> None:
    case_id = take(wei, "one").case_id
    ada.sampling.remove("r", "one")
    said = wei.queue.give("r", "one", case_id, "ranking").said
    assert said == f"{case_id} read: ranking; the sample one was removed, the verdict is kept"
    assert wei.queue.readings("r", [case_id])[case_id][0].verdict == "ranking"
    assert wei.queue.let_go("r", "one") == 0
    with pytest.raises(TriageError, match="no such sample"):
        wei.queue.next("r", "one")


def test_readers_who_differ_are_a_dispute_until_somebody_decides_with_a_reason(
    wei: Workspace, ada: Workspace, enter: Callable[[str], Workspace]
) -> None:
    first = read(wei, verdict="ranking", note="rank 2", labels=["order"])
    read(wei, verdict="other")
    read(ada, verdict="retrieval", note="not there", labels=["stale doc"])
    read(ada, verdict="other")
    (found,) = wei.queue.disputes("r")
    assert found.case_id == first and found.arbitration is None
    assert [(one.reviewer, one.verdict, one.note) for one in found.readings] == [
        ("wei", "ranking", "rank 2"),
        ("ada", "retrieval", "not there"),
    ]
    assert wei.queue.disputes("r", "two") == [found] == wei.queue.disputes("r", "one")
    lead = enter("lead")
    with pytest.raises(TriageError, match="wants a reason"):
        lead.queue.arbitrate("r", first, "ranking", "  ")
    lead.queue.arbitrate("r", first, "ranking", "KB-1 stands at rank 2")
    assert wei.queue.disputes("r") == []
    (settled,) = wei.queue.disputes("r", decided=True)
    assert settled.readings == found.readings
    assert settled.arbitration is not None
    assert (settled.arbitration.reviewer, settled.arbitration.reason) == ("lead", "KB-1 stands at rank 2")
    assert lead.queue.arbitrations("r", [first, "c0"]).keys() == {first}
    assert lead.queue.progress("r", "two").disputed == 0
    lead.undo("r")
    assert [one.case_id for one in wei.queue.disputes("r")] == [first]


def test_a_reading_s_labels_go_by_the_names_that_they_have_now(wei: Workspace, ada: Workspace) -> None:
    first = read(wei, labels=["stale", "order"])
    read(ada, labels=["stale doc"])
    wei.tag("r", ["c0" if first != "c0" else "c1"], "other", labels=["order"])
    elsewhere = "c0" if first != "c0" else "c1"

    def labels(case_id: str) -> dict[str, tuple[str, ...]]:
        return {one.reviewer: one.labels for one in ada.queue.readings("r", [case_id])[case_id]}

    wei.coding.rename("order", "ranking order")
    assert labels(elsewhere) == {"wei": ("ranking order",)}
    wei.coding.merge(["stale", "stale doc"], "stale document")
    assert labels(first) == {"wei": ("stale document", "ranking order"), "ada": ("stale document",)}
    wei.coding.split("stale document", {("r", first): ["old page", "old price"]})
    assert labels(first)["ada"] == ("old page", "old price")
    wei.coding.undo()
    wei.coding.undo()
    assert labels(first) == {"wei": ("stale", "ranking order"), "ada": ("stale doc",)}


def test_looking_after_the_database_finds_readings_without_their_verdict(wei: Workspace) -> None:
    first, second = read(wei, "one"), read(wei, "one")
    assert wei.upkeep.check().faults == ()
    with Store(wei.database) as store, store.write() as sql:
        sql.execute("UPDATE slots SET batch = 'gone' WHERE case_id = ?", (first,))
        sql.execute("INSERT INTO sample_cases VALUES (99, 'x', 0, 0, 0, 1)")
        sql.execute("INSERT INTO slots VALUES (99, 'x', 1, 'wei', 's', '2026-01-01T00:00:00Z', NULL)")
        sql.execute("DELETE FROM sample_cases WHERE sample = 99")
    found = wei.upkeep.check()
    assert [fault.kind for fault in found.faults] == ["readings", "orphans"]
    assert found.faults[0].says == "1 reading of samples without their verdict"
    assert wei.upkeep.check(repair=True).faults == ()
    assert wei.queue.progress("r", "one").readings == 2
    assert take(wei, "one").case_id not in (first, second)


def test_removing_a_run_names_everybody_who_has_read_it(wei: Workspace, ada: Workspace) -> None:
    read(wei)
    read(ada)
    assert wei.run_list.removal("r").reviewers == ("ada", "wei")


def test_a_case_that_its_reader_reads_anew_is_nobody_elses_until_he_lets_go(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    first = read(wei, "one", "ranking")
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, **{first: {"answer": "Nine days.[S1]"}})])
    for _ in range(N - 1):
        read(wei, "one")
    assert take(wei, "one").case_id == first
    assert ada.queue.next("r", "one") == "others"
    assert wei.queue.let_go("r", "one") == 0
    assert take(ada, "one").case_id == first
    assert wei.queue.next("r", "one") == "others"


def test_a_clock_that_was_set_back_holds_no_case_for_ever(wei: Workspace, ada: Workspace, watch: Any) -> None:
    watch.time += timedelta(days=400)
    for _ in range(N - 1):
        read(wei, "one")
    last = take(wei, "one").case_id
    watch.time -= timedelta(days=400)
    assert take(ada, "one").case_id == last


def test_what_was_read_elsewhere_is_in_nobodys_hand_when_its_record_changes(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    first, *_ = in_order(wei, "one")
    wei.tag("r", [first], "ranking")
    assert take(wei, "one").case_id != first
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, **{first: {"answer": "Nine days.[S1]"}})])
    assert take(ada, "one").case_id == first


def test_records_that_are_replaced_in_the_midst_of_a_call_lose_neither_the_next_case_nor_a_verdict(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    run_of, loads, last = wei.queue._run_of, iter(range(100)), in_order(wei, "one")[-1]
    due: list[int] = []

    def then_replaced(run: str) -> Any:
        found = run_of(run)
        if due:
            due.pop()
            changed = {last: {"answer": f"Answer {next(loads)}.[S1]"}}
            ada.ingest([eight_cases(tmp_path / "r.jsonl", make, **changed)])
        return found

    monkeypatch.setattr(wei.queue, "_run_of", then_replaced)
    due.append(1)
    first = take(wei, "one")
    due.append(1)
    assert wei.queue.progress("r", "one").cases == N
    due.append(1)
    said = wei.queue.give("r", "one", first.case_id, "retrieval", seen=first.seen).said
    assert said == f"{first.case_id} read: retrieval"
    second = take(wei, "one").case_id
    due.append(1)
    wei.queue.defer("r", "one", second, "later")
    due.append(1)
    mine = wei.queue.open("r", "one", first.case_id).mine
    assert mine is not None and mine.verdict == "retrieval"
    assert wei.queue.progress("r", "one").deferred == 1
    due.append(1)
    assert wei.queue.arbitrate("r", second, "other", "why").case_ids == (second,)
    due.append(1)
    with pytest.raises(TriageError, match="no such case"):
        wei.queue.give("r", "one", "nowhere", "retrieval")


@pytest.mark.parametrize("act", ["tag", "accept", "note", "set_labels", "clear", "defer", "change_labels"])
def test_what_is_done_to_many_cases_outlasts_their_records_too(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path],
    monkeypatch: pytest.MonkeyPatch, act: str,
) -> None:  # fmt: skip
    wei.tag("r", ["c1"], "ranking")
    events, path = store_events.add_events, tmp_path / "r.jsonl"
    due = [1]

    def late(connection: Any, run: Any, acts: Any, who: Any) -> Any:
        if due and who.reviewer == "wei":
            due.pop()
            ada.ingest([eight_cases(path, make, c7={"answer": "Nine days.[S1]"})])
        return events(connection, run, acts, who)

    monkeypatch.setattr(store_events, "add_events", late)
    done = {
        "tag": lambda: wei.tag("r", ["c1", "c2"], "other"),
        "accept": lambda: wei.accept(Scope("r"), ["c1", "c2"]),
        "note": lambda: wei.note("r", "c1", "why"),
        "set_labels": lambda: wei.set_labels("r", ["c1", "c2"], ["x"]),
        "clear": lambda: wei.clear("r", ["c1"]),
        "defer": lambda: wei.bulk.defer("r", ["c2", "c3"]),
        "change_labels": lambda: wei.bulk.change_labels("r", ["c1", "c2"], ["x"], []),
    }[act]()
    assert due == [] and len(done.case_ids) == (1 if act in ("note", "clear") else 2)


def test_a_label_that_is_taken_back_puts_no_case_into_a_hand(wei: Workspace, ada: Workspace) -> None:
    first = read(wei, "one")
    wei.queue.undo("r")
    assert wei.queue.let_go("r", "one") == 1
    wei.set_labels("r", [first], ["x"])
    wei.undo("r")
    wei.redo("r")
    assert take(ada, "one").case_id == first


def test_a_case_that_is_put_off_when_it_is_to_be_read_anew_comes_last_and_others_may_read_it(
    wei: Workspace, ada: Workspace, tmp_path: Path, make: Any, eight_cases: Callable[..., Path]
) -> None:
    read_by = [read(wei, "one", "ranking") for _ in range(N)]
    changed = {case_id: {"answer": "Nine days.[S1]"} for case_id in read_by[:2]}
    wei.ingest([eight_cases(tmp_path / "r.jsonl", make, **changed)])
    first = take(wei, "one").case_id
    wei.queue.defer("r", "one", first, "ask the shop")
    second = take(wei, "one").case_id
    assert {first, second} == set(read_by[:2])
    assert wei.queue.progress("r", "one").deferred == 1
    assert take(ada, "one").case_id == first
    assert ada.queue.let_go("r", "one") == 1
    wei.queue.give("r", "one", second, "other")
    back = take(wei, "one")
    assert (back.case_id, back.why_deferred) == (first, "ask the shop")
    assert wei.queue.readings("r", [first])[first][0].verdict == "ranking"


def test_labels_that_are_set_before_the_verdict_outlast_a_pause_and_go_with_the_verdict(
    wei: Workspace, enter: Callable[[str], Workspace], ada: Workspace
) -> None:
    first = take(wei, "one").case_id
    wei.queue.set_beside("r", first, ["order", "stale "])
    again = enter("wei")
    assert again.queue.beside("r", first) == ("order", "stale")
    assert ada.queue.beside("r", first) == ()
    again.queue.set_beside("r", first, ["order"])
    again.queue.give("r", "one", first, "ranking", labels=again.queue.beside("r", first))
    assert wei.queue.beside("r", first) == ()
    second = take(wei, "one").case_id
    wei.queue.set_beside("r", second, ["x"])
    wei.queue.set_beside("r", second, [])
    wei.queue.set_beside("r", first, ["y"])
    with Store(wei.database) as store:
        assert store.beside.of("r", "wei", second) == ()
        wei.remove(["r"], with_reviews=True)
        assert store.beside.of("r", "wei", first) == ()
