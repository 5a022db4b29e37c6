"""The codebook: what labels mean, and what becomes of them on every case of every run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError, UsageError
from triage.models.query import Scope
from triage.settings import Settings
from triage.store import Store, Who
from triage.workspace import Workspace

HOSTILE = "[/] \x1b[2J ‮ {0} '"


@pytest.fixture
def two(workspace: Workspace, make: Any, tmp_path: Path) -> Workspace:
    """A second run of the same cases, `kb43`, and labels in both."""
    workspace.ingest([make.file(tmp_path / "coded.jsonl", make.cases, {"id": "kb43"})])
    workspace.set_labels("kb42", ["miss", "rank"], ["out-of-date", "路由"])
    workspace.set_labels("kb43", ["miss"], ["out-of-date"])
    workspace.tag("kb43", ["rank"], "ranking", labels=["old-doc"])
    return workspace


def labels(workspace: Workspace, run: str, case: str) -> tuple[str, ...]:
    row = workspace.case_rows(Scope(run), [workspace.case_key(Scope(run), case) or 0])[0]
    return row.review.labels if row.review is not None else ()


def test_the_book_counts_labels_over_the_runs_and_knows_those_that_are_offered(
    two: Workspace,
) -> None:
    book = two.coding.book()
    stale = book.named("out-of-date")
    assert stale is not None
    assert (stale.uses, stale.total, stale.definition) == ({"kb42": 2, "kb43": 1}, 3, "")
    assert book.codes[0] is stale and set(book.runs) == {"kb42", "kb43"}


def test_a_label_is_defined_before_and_after_it_is_used(two: Workspace) -> None:
    assert two.coding.define("旧文档", " 引用的文档已过期 ").said == "旧文档 defined"
    assert two.coding.define("旧文档", "引用的文档已过期").said == "旧文档: stands so already"
    two.coding.define("out-of-date", "the document is out of date", [("kb42", "miss"), ("kb43", "miss")])
    two.coding.define("out-of-date", "the document that is cited is out of date")
    code = two.coding.book().named("out-of-date")
    assert code is not None and code.definition == "the document that is cited is out of date"
    assert [(one.run, one.case_id, one.query) for one in code.examples] == [
        ("kb42", "miss", "query of miss"), ("kb43", "miss", "query of miss"),
    ]  # fmt: skip
    assert two.coding.definitions() == {
        "旧文档": "引用的文档已过期", "out-of-date": "the document that is cited is out of date",
    }  # fmt: skip
    with pytest.raises(TriageError, match="no such case"):
        two.coding.define("out-of-date", examples=[("kb42", "nowhere")])
    with pytest.raises(UsageError, match="too long"):
        two.coding.define("out-of-date", "x" * 2001)
    with pytest.raises(UsageError):
        two.coding.define("a|b", "no")


def test_a_renamed_label_is_renamed_everywhere_and_nothing_that_was_written_changes(two: Workspace) -> None:
    two.coding.define("out-of-date", "out of date", [("kb42", "miss")])
    before = two.case_detail(Scope("kb42"), "miss").events
    done = two.coding.rename("out-of-date", "过期文档")
    assert (done.said, done.cases) == ("out-of-date is 过期文档 now: 3 cases in 2 runs", 3)
    assert labels(two, "kb42", "miss") == ("过期文档", "路由") and labels(two, "kb43", "miss") == (
        "过期文档",
    )
    after = two.case_detail(Scope("kb42"), "miss").events
    assert after[: len(before)] == before
    assert (after[-1].kind, after[-1].labels, after[-1].reviewer) == ("labels", ("过期文档", "路由"), "wei")
    book = two.coding.book()
    code = book.named("过期文档")
    assert code is not None and (code.definition, code.examples[0].case_id) == ("out of date", "miss")
    assert book.named("out-of-date") is None
    kinds = [(one.kind, one.names, one.into, one.cases) for one in two.coding.history("过期文档")]
    assert kinds == [("rename", ("out-of-date",), ("过期文档",), 3)]
    with pytest.raises(TriageError, match="there is such a label"):
        two.coding.rename("过期文档", "路由")
    with pytest.raises(TriageError, match="no such label"):
        two.coding.rename("out-of-date", "else")


def test_a_rename_reaches_runs_that_are_not_loaded_and_comes_back_with_them(
    two: Workspace, make: Any, tmp_path: Path
) -> None:
    two.remove(["kb43"])
    assert two.coding.rename("out-of-date", "stale").runs == {"kb42": 2, "kb43": 1}
    assert two.coding.book().runs == ("kb42", "kb43")
    two.ingest([make.file(tmp_path / "coded.jsonl", make.cases, {"id": "kb43"})])
    assert labels(two, "kb43", "miss") == ("stale",)


def test_merged_labels_are_one_and_a_case_that_bore_both_bears_it_once(two: Workspace) -> None:
    two.set_labels("kb42", ["gold"], ["old-doc", "x", "out-of-date"])
    two.coding.define("old-doc", "older")
    assert two.coding.merge(["old-doc", "路由"], "out-of-date").cases == 4
    assert labels(two, "kb42", "gold") == ("out-of-date", "x")
    assert labels(two, "kb42", "miss") == ("out-of-date",)
    assert labels(two, "kb43", "rank") == ("out-of-date",)
    row = two.case_rows(Scope("kb43"), [two.case_key(Scope("kb43"), "rank") or 0])[0]
    assert row.review is not None and row.review.verdict == "ranking" and not row.review.stale
    code = two.coding.book().named("out-of-date")
    assert code is not None and code.definition == "older"
    with pytest.raises(UsageError, match="nothing to merge"):
        two.coding.merge(["out-of-date"], "out-of-date")


def test_a_split_gives_each_case_what_it_is_told_and_the_rest_stays(two: Workspace) -> None:
    done = two.coding.split("out-of-date", {("kb42", "miss"): ["stale-price"], ("kb43", "miss"): ["a", "b"]})
    assert done.said == "out-of-date split into stale-price, a, b: 2 cases in 2 runs"
    assert labels(two, "kb42", "miss") == ("stale-price", "路由")
    assert labels(two, "kb43", "miss") == ("a", "b")
    assert labels(two, "kb42", "rank") == ("out-of-date", "路由")


def test_a_split_by_filters_and_a_rest_leaves_nothing_of_the_label(two: Workspace) -> None:
    two.coding.define("out-of-date", "out of date")
    two.coding.split_by("out-of-date", {"missed": "suggestion:retrieval"}, rest="other-doc")
    assert labels(two, "kb42", "miss") == ("missed", "路由")
    assert labels(two, "kb42", "rank") == ("other-doc", "路由")
    assert two.coding.book().named("out-of-date") is None
    with pytest.raises(UsageError, match="nothing to split"):
        two.coding.split("missed", {})


def test_the_newest_change_is_taken_back_whole_the_one_before_next(two: Workspace) -> None:
    two.coding.define("out-of-date", "out of date")
    two.coding.rename("out-of-date", "stale")
    two.coding.merge(["old-doc"], "stale")
    assert two.coding.undo().said == "taken back: old-doc merged into stale on 1 case"
    assert labels(two, "kb43", "rank") == ("old-doc",)
    assert two.coding.undo().said == "taken back: out-of-date renamed to stale on 3 cases"
    assert labels(two, "kb42", "miss") == ("out-of-date", "路由")
    assert two.coding.definitions() == {"out-of-date": "out of date"}
    assert [(one.kind, one.undone) for one in two.coding.history()][:3] == [
        ("undo", False), ("undo", False), ("merge", True),
    ]  # fmt: skip
    two.coding.undo()
    with pytest.raises(TriageError, match="nothing to take back"):
        two.coding.undo()


def test_what_was_relabelled_since_is_not_taken_back(two: Workspace) -> None:
    two.coding.rename("out-of-date", "stale")
    two.set_labels("kb42", ["miss"], ["stale", "more"])
    with pytest.raises(TriageError, match="miss in kb42"):
        two.coding.undo()
    assert labels(two, "kb43", "miss") == ("stale",)
    assert two.undo("kb42").said.startswith("undone")
    two.coding.undo()
    assert labels(two, "kb42", "miss") == ("out-of-date", "路由")


def test_a_change_is_taken_back_where_a_run_went_with_its_reviews(two: Workspace) -> None:
    two.coding.rename("out-of-date", "stale")
    two.remove(["kb43"], with_reviews=True)
    two.coding.undo()
    assert labels(two, "kb42", "miss") == ("out-of-date", "路由")
    assert two.coding.book().runs == ("kb42",)
    assert two.upkeep.check().faults == ()


def test_the_undo_of_verdicts_leaves_the_codebook_alone(two: Workspace) -> None:
    two.tag("kb42", ["gold"], "refusal")
    two.coding.rename("out-of-date", "stale")
    assert two.undo("kb42").said == "undone: gold is without a verdict"
    assert labels(two, "kb42", "miss") == ("stale", "路由")


def test_a_label_in_use_is_not_forgotten(two: Workspace) -> None:
    two.coding.define("spare", "nobody uses it")
    two.coding.forget("spare")
    assert two.coding.book().named("spare") is None
    with pytest.raises(TriageError, match="in use"):
        two.coding.forget("out-of-date")


def test_what_the_settings_alone_offer_is_no_label_to_change(make: Any, tmp_path: Path) -> None:
    work = Workspace(tmp_path / "triage.db", Settings(labels=("spare", "other")), reviewer="wei")
    work.ingest([make.file(tmp_path / "offered.jsonl", make.cases, {"id": "kb44"})])
    only = "only the settings offer the label: spare"
    with pytest.raises(TriageError, match=only):
        work.coding.rename("spare", "new")
    with pytest.raises(TriageError, match=only):
        work.coding.merge(["spare"], "other")
    with pytest.raises(TriageError, match=only):
        work.coding.forget("spare")
    with pytest.raises(TriageError, match="no case bears the label"):
        work.coding.split_by("spare", {"new": "is:failing"})
    assert work.coding.history() == []
    code = work.coding.book().named("spare")
    assert code is not None and code.only_offered
    work.coding.define("spare", "now it is one")
    assert (
        work.coding.rename("spare", "new").said == "spare is new now: 0 cases; the settings still offer spare"
    )
    new = work.coding.book().named("new")
    assert new is not None and new.definition == "now it is one"
    work.close()


def test_every_change_is_told_in_words_of_its_own(two: Workspace) -> None:
    two.coding.define("old-doc", "of last year")
    two.coding.define("old-doc", examples=[("kb43", "rank")])
    two.coding.define("old-doc", "")
    two.coding.undo()
    two.coding.rename("old-doc", "older doc")
    two.coding.undo()
    two.coding.define("spare", "none")
    two.coding.forget("spare")
    assert two.coding.undo().said == "taken back: spare forgotten"
    with pytest.raises(TriageError, match="triage codes merge old-doc 'out of date'"):
        two.coding.rename("out-of-date", "out of date")
        two.coding.rename("old-doc", "out of date")
    assert [one.said for one in reversed(two.coding.history())] == [
        "old-doc defined: of last year",
        "old-doc: examples chosen",
        "old-doc without definition",
        "what old-doc means as before",
        "old-doc renamed to older doc",
        "older doc became old-doc again",
        "spare defined: none",
        "spare forgotten",
        "spare is back",
        "out-of-date renamed to out of date",
    ]


def test_two_who_rename_at_once_do_not_lose_each_others_labels(two: Workspace, tmp_path: Path) -> None:
    other = Workspace(tmp_path / "triage.db", Settings(), reviewer="li")
    other.coding.book()
    two.coding.rename("out-of-date", "stale")
    with pytest.raises(TriageError, match="no such label"):
        other.coding.rename("out-of-date", "other")
    other.set_labels("kb42", ["ok"], ["out-of-date"])
    with pytest.raises(TriageError, match="there is such a label"):
        other.coding.rename("out-of-date", "stale")
    other.coding.merge(["out-of-date"], "stale")
    assert labels(two, "kb42", "ok") == ("stale",)
    other.close()


def test_examples_that_are_set_while_another_defines_the_label_leave_his_words(
    two: Workspace, open_workspace: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    two.coding.define("old-doc", "before")
    writer, other = two.coding._writer, open_workspace("ana")

    def late() -> Who:
        other.coding.define("old-doc", "ana's words")
        return writer()

    monkeypatch.setattr(two.coding, "_writer", late)
    two.coding.define("old-doc", examples=[("kb43", "rank")])
    code = other.coding.book().named("old-doc")
    assert code is not None and (code.definition, len(code.examples)) == ("ana's words", 1)


def test_hostile_labels_are_kept_to_the_letter(two: Workspace) -> None:
    two.set_labels("kb42", ["gold"], [HOSTILE])
    name = " ".join(HOSTILE.split())
    two.coding.define(name, HOSTILE)
    two.coding.rename(name, f"{name} 2")
    assert labels(two, "kb42", "gold") == (f"{name} 2",)
    assert two.coding.definitions()[f"{name} 2"] == HOSTILE.strip()


def test_labels_that_no_database_can_hold_are_written_out_wherever_they_come_from(two: Workspace) -> None:
    # An argument of the command line that is no UTF-8 comes with lone surrogates.
    two.set_labels("kb42", ["ok"], ["\udcff"])
    two.coding.rename("old-doc", "alt\udcff")
    two.coding.merge(["路由"], "weg\udcff")
    two.coding.split("out-of-date", {("kb42", "miss"): ["ur\udcff"]}, "neu\udcff")
    two.coding.define("alt\udcff", "d\udcff")
    assert {code.name for code in two.coding.book().codes if code.total} == {
        "\\udcff", "alt\\udcff", "weg\\udcff", "ur\\udcff", "neu\\udcff",
    }  # fmt: skip
    assert two.coding.definitions() == {"alt\\udcff": "d\\udcff"}
    for _ in range(4):
        two.coding.undo()
    assert {code.name for code in two.coding.book().codes if code.total} == {
        "\\udcff", "old-doc", "路由", "out-of-date",
    }  # fmt: skip


def test_the_history_only_grows(two: Workspace, tmp_path: Path) -> None:
    import sqlite3

    two.coding.rename("out-of-date", "stale")
    with (
        Store(tmp_path / "triage.db") as store,
        pytest.raises(sqlite3.IntegrityError, match="append-only"),
        store.write() as sql,
    ):
        sql.execute("UPDATE code_changes SET kind = 'define'")


def test_without_a_database_the_offered_labels_are_the_book(tmp_path: Path) -> None:
    made = Workspace(tmp_path / "none.db", Settings(labels=("routing",)))
    assert [(code.name, code.offered) for code in made.coding.book().codes] == [("routing", True)]
    assert not (tmp_path / "none.db").exists()
