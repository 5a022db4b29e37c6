"""Agreement of real readings in a real database, and the cases behind each number."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError
from triage.models.agreement import Agreement, Door
from triage.models.query import Drill, Scope
from triage.models.sample import SampleRule
from triage.models.verdict import Verdict
from triage.settings import Settings
from triage.workspace import Workspace

Open = Callable[..., Workspace]
RUN = "kb42"


@pytest.fixture
def readers(workspace: Workspace, open_workspace: Open) -> Iterator[dict[str, Workspace]]:
    """wei, lena and max on one database; lena's name is that of another process."""
    yield {"wei": workspace, "lena": open_workspace("lena"), "max": open_workspace("max")}


def read(readers: dict[str, Workspace], **said: dict[str, Verdict]) -> None:
    for name, verdicts in said.items():
        for case, verdict in verdicts.items():
            readers[name].tag(RUN, [case], verdict)


def of(readers: dict[str, Workspace], **more: Any) -> Agreement:
    return readers["wei"].agreeing.of(RUN, **more)


def behind(readers: dict[str, Workspace], door: Door) -> tuple[str, ...]:
    return readers["wei"].agreeing.behind(RUN, door)


def test_a_run_that_nobody_has_read(workspace: Workspace) -> None:
    found = workspace.agreeing.of(RUN)
    assert (found.readings, found.reviewers, found.pairs, found.disputes) == (0, (), (), ())
    assert (found.agreement, found.alpha, found.suggestions.n) == (None, None, 0)


def test_two_readers_of_a_run(readers: dict[str, Workspace]) -> None:
    read(
        readers,
        wei={"rank": "ranking", "miss": "retrieval", "ok": "not-a-failure", "bare": "other"},
        lena={"rank": "ranking", "miss": "ranking", "ok": "not-a-failure"},
    )
    found = of(readers)
    assert (found.reviewers, found.readings, found.cases, found.read_twice) == (("lena", "wei"), 7, 4, 3)
    (pair,) = found.pairs
    assert (pair.a, pair.b, pair.n, pair.agree) == ("lena", "wei", 3, 2)
    (dispute,) = found.disputes
    assert dispute.verdicts == (("wei", "retrieval"), ("lena", "ranking"))
    assert found.suggestions.disputed == 1
    # `bare` has too little recorded for any rule to suggest anything.
    assert found.suggestions.silent == 1
    rules = {one.reason: (one.n, one.agree) for one in found.suggestions.by_reason}
    assert rules == {"expected_below_rank1": (1, 1), "ok": (1, 1)}


def test_a_verdict_taken_back_is_no_reading_any_more(readers: dict[str, Workspace]) -> None:
    read(readers, wei={"rank": "ranking"}, lena={"rank": "retrieval"})
    readers["lena"].undo(RUN)
    assert of(readers).disputes == ()
    readers["lena"].redo(RUN)
    assert [one.case_id for one in of(readers).disputes] == ["rank"]
    readers["wei"].clear(RUN, ["rank"])
    found = of(readers)
    assert (found.readings, found.reviewers) == (1, ("lena",))


def test_who_says_something_else_later_is_read_as_he_says_now(readers: dict[str, Workspace]) -> None:
    read(readers, wei={"rank": "ranking"}, lena={"rank": "retrieval"})
    read(readers, lena={"rank": "ranking"})
    found = of(readers)
    assert (found.readings, found.agreement, found.disputes) == (2, 1.0, ())


def test_a_reading_of_a_record_that_has_changed_is_left_out(
    readers: dict[str, Workspace], make: Any, tmp_path: Path
) -> None:
    read(readers, wei={"rank": "ranking", "ok": "not-a-failure"}, lena={"ok": "not-a-failure"})
    changed = [{**one, "answer": "Eight.[S2]"} if one["id"] == "rank" else one for one in make.cases]
    header = {"id": RUN, "dataset": "support-zh", "k": 3}
    readers["wei"].ingest([make.file(tmp_path / "kb42.jsonl", changed, header)])
    read(readers, lena={"rank": "retrieval"})
    found = of(readers)
    assert (found.stale, found.disputes, found.read_twice) == (1, (), 1)


def test_every_number_opens_exactly_the_cases_behind_it(readers: dict[str, Workspace]) -> None:
    read(
        readers,
        wei={"rank": "ranking", "miss": "retrieval", "ok": "not-a-failure", "gold": "refusal"},
        lena={"rank": "ranking", "miss": "ranking", "ok": "not-a-failure", "gold": "other"},
        max={"rank": "other", "gold": "refusal"},
    )
    found = of(readers)
    for pair in found.pairs:
        assert len(behind(readers, Door("pair", pair.a, pair.b))) == pair.n
        differ = behind(readers, Door("pair", pair.a, pair.b, differ=True))
        assert len(differ) == pair.n - pair.agree
        for row, columns in pair.confusion.items():
            for column, count in columns.items():
                cell = Door("pair", pair.a, pair.b, row=row, column=column)
                assert len(behind(readers, cell)) == count
    assert behind(readers, Door("disputes")) == ("miss",)
    assert behind(readers, Door("outvoted")) == ("rank", "gold")
    assert behind(readers, Door("twice")) == ("ok", "rank", "miss", "gold")
    assert behind(readers, Door("class", row="refusal")) == ("gold",)
    assert behind(readers, Door("class", row="not-a-failure", differ=True)) == ()
    assert behind(readers, Door("reader", a="max", differ=True)) == ("rank", "gold")
    # A cell of what one reader, or any, says against another: lena says ranking where wei or max does not.
    assert behind(readers, Door("met", "lena", row="ranking", column="other")) == ("rank",)
    assert behind(readers, Door("met", "lena", row="other", column="ranking")) == ()
    assert behind(readers, Door("met", row="other", column="ranking")) == ("rank",)
    assert behind(readers, Door("met", "wei", row="ranking", column="ranking")) == ("rank",)
    assert behind(readers, Door("met", row="retrieval", column="retrieval")) == ()
    for rule in found.suggestions.by_reason:
        assert len(behind(readers, Door("rule", reason=rule.reason))) == rule.n
        wrong = behind(readers, Door("rule", reason=rule.reason, differ=True))
        assert len(wrong) == rule.n - rule.agree
    for row, columns in found.suggestions.confusion.items():
        for column, count in columns.items():
            assert len(behind(readers, Door("suggested", row=row, column=column))) == count


def test_a_door_opens_in_the_case_list(readers: dict[str, Workspace]) -> None:
    read(readers, wei={"miss": "retrieval", "ok": "other"}, lena={"miss": "ranking", "ok": "not-a-failure"})
    wei = readers["wei"]
    scope = wei.agreeing.opened(RUN, Door("disputes"), "disputed")
    rows = wei.case_rows(scope, wei.case_keys(scope))
    assert [row.id for row in rows] == ["ok", "miss"]
    within = Scope(RUN, text="id:miss", drill=scope.drill)
    assert len(wei.case_keys(within)) == 1
    nothing = Scope(RUN, drill=Drill(named="nothing"))
    assert len(wei.case_keys(nothing)) == 0


def test_a_filter_text_narrows_what_is_compared(readers: dict[str, Workspace]) -> None:
    read(readers, wei={"rank": "ranking", "gold": "refusal"}, lena={"rank": "ranking", "gold": "other"})
    found = of(readers, text="topic:refund")
    assert (found.read_twice, found.agreement) == (1, 0.0)


def test_all_runs_together(readers: dict[str, Workspace], make: Any, tmp_path: Path) -> None:
    readers["wei"].ingest([make.file(tmp_path / "kb43.jsonl", make.cases, {"id": "kb43"})])
    read(readers, wei={"rank": "ranking"}, lena={"rank": "ranking"})
    for name, verdict in (("wei", "retrieval"), ("lena", "ranking")):
        readers[name].tag("kb43", ["rank"], verdict)  # type: ignore[arg-type]
    found = readers["wei"].agreeing.of(None)
    assert (found.read_twice, found.agree, sorted(found.runs)) == (2, 1, ["kb42", "kb43"])
    assert [(one.run, one.case_id) for one in found.disputes] == [("kb43", "rank")]
    assert readers["wei"].agreeing.suggestions().n == 1


def test_without_a_database_there_is_nothing_to_compare(tmp_path: Path) -> None:
    empty = Workspace(tmp_path / "none.db", Settings())
    assert empty.agreeing.of(None).readings == 0
    assert not (tmp_path / "none.db").exists()


def test_a_sample_that_is_not_there_is_named_with_those_that_are(workspace: Workspace) -> None:
    with pytest.raises(TriageError) as caught:
        workspace.agreeing.of(RUN, sample="tuesday")
    assert "tuesday in kb42" in str(caught.value)


def test_a_sample_alone_is_compared(readers: dict[str, Workspace]) -> None:
    wei = readers["wei"]
    drawn = wei.sampling.draw(RUN, SampleRule(seed="1", n=2, text="id:(rank OR gold)"), "two")
    assert drawn.drawn.n == 2
    said: dict[str, Verdict] = {"rank": "ranking", "gold": "refusal", "ok": "other"}
    read(readers, wei=said, lena=said)
    assert of(readers).read_twice == 3
    found = of(readers, sample="two")
    assert (found.read_twice, found.sample, found.suggestions.n) == (2, "two", 2)
    assert wei.agreeing.behind(RUN, Door("twice"), "two") == ("rank", "gold")


def test_an_arbitration_ends_the_dispute_and_decides_what_suggestions_are_held_against(
    readers: dict[str, Workspace],
) -> None:
    read(readers, wei={"rank": "ranking"}, lena={"rank": "retrieval"})
    assert of(readers).suggestions.n == 0
    readers["max"].queue.arbitrate(RUN, "rank", "ranking", "it was found, at rank 2")
    found = of(readers)
    assert (found.disputes, found.reviewers, found.agreement) == ((), ("lena", "wei"), 0.0)
    assert [one.case_id for one in found.arbitrated] == ["rank"]
    assert (found.suggestions.n, found.suggestions.agree) == (1, 1)
    assert behind(readers, Door("arbitrated")) == ("rank",)


def test_a_sample_is_held_against_the_suggestions_of_its_own_k(readers: dict[str, Workspace]) -> None:
    wei = readers["wei"]
    wei.sampling.draw(RUN, SampleRule(seed="1", n=1, text="id:rank", k=1), "first")
    read(readers, wei={"rank": "ranking"})
    (run,) = of(readers).suggestions.by_reason
    (own,) = of(readers, sample="first").suggestions.by_reason
    (shown,) = wei.case_rows(Scope(RUN, k=1), wei.case_keys(Scope(RUN, k=1, text="id:rank")))
    assert own.reason == shown.reason != run.reason
    assert wei.agreeing.behind(RUN, Door("rule", reason=own.reason), "first") == ("rank",)
    assert wei.agreeing.suggestions(RUN, "first").by_reason == (own,)
