"""Samples of real runs: strata as on the Slices screen, kept by name, gone with the run's reviews."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from triage.errors import TriageError, UsageError
from triage.models.query import Scope
from triage.models.run import LoadOptions
from triage.models.sample import Drawn, SampleRule
from triage.settings import Settings
from triage.workspace import Workspace
from triage.workspace.sampling import MOST_STRATA

RULE = SampleRule("42", 10)


def case(number: int, **more: Any) -> dict[str, Any]:
    made = {
        "id": f"案{number:02d}", "query": "怎么退款" if number % 2 else "where is it",
        "topic": ("退款", "refund", "shipping")[number % 3], "answerable": True, "expected_ids": ["K1"],
        "retrieved": [{"id": "K1", "text": "seven days"}, {"id": "K2"}], "answer": "seven days [S1]",
        "citations": ["S1"], "predicted_answerable": True,
    }  # fmt: skip
    return made | more


def write(path: Path, cases: list[dict[str, Any]], **header: Any) -> Path:
    lines: list[Any] = [{"run": {"id": path.stem, **header}}, *cases]
    path.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in lines), encoding="utf-8")
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    made = Workspace(tmp_path / "t.db", Settings(), reviewer="wei")
    yield made
    made.close()


def load(workspace: Workspace, path: Path, **options: Any) -> None:
    (report,) = workspace.ingest([path], LoadOptions(**options))
    assert report.status in ("loaded", "updated"), report


@pytest.fixture
def run(workspace: Workspace, tmp_path: Path) -> Path:
    """Thirty cases; every fifth ranks second, cases have tags and costs."""
    swapped = [{"id": "K2"}, {"id": "K1"}]
    path = write(
        tmp_path / "thirty.jsonl",
        [
            case(n, tags=["a", "b"] if n % 2 else ["a"], cost=n / 10)
            | ({"retrieved": swapped} if n % 5 == 0 else {})
            for n in range(30)
        ],
    )
    load(workspace, path)
    return path


def ids(drawn: Drawn) -> list[str]:
    return sorted(case_id for stratum in drawn.strata for case_id in stratum.ids)


@pytest.mark.parametrize("name", ["topic", "suggestion", "reason", "answerable", "cost"])
def test_strata_are_the_slices_of_their_dimension(workspace: Workspace, run: Path, name: str) -> None:
    drawn = workspace.sampling.preview("thirty", SampleRule("1", 5, by=(name,)))
    table = workspace.slicing.table(Scope("thirty"), name)
    assert {stratum.key[name]: stratum.size for stratum in drawn.strata} == {
        row.value: row.cases for row in table.rows
    }


def test_class_is_the_suggested_class(workspace: Workspace, run: Path) -> None:
    drawn = workspace.sampling.preview("thirty", SampleRule("1", 5, by=("class",)))
    table = workspace.slicing.table(Scope("thirty"), "suggestion")
    assert {stratum.key["class"]: stratum.size for stratum in drawn.strata} == {
        row.value: row.cases for row in table.rows
    }


def test_a_case_with_several_values_is_in_one_stratum(workspace: Workspace, run: Path) -> None:
    drawn = workspace.sampling.preview("thirty", SampleRule("1", 5, by=("tags",)))
    assert {stratum.key["tags"]: stratum.size for stratum in drawn.strata} == {"a": 15, "a, b": 15}


def test_topics_go_by_all_their_names(workspace: Workspace, run: Path) -> None:
    workspace.settings = Settings(topic_aliases={"退款": "refund"})
    drawn = workspace.sampling.preview("thirty", SampleRule("1", 9, by=(), topics=("REFUND", "none")))
    assert drawn.population == 20
    assert drawn.shortages == ("no case has the topic none",)


def test_what_was_read_of_the_run_is_not_kept_beyond_it(
    workspace: Workspace, run: Path, tmp_path: Path
) -> None:
    assert workspace.sampling.preview("thirty", RULE).population == 30
    write(run, [case(n) for n in range(31)])
    load(workspace, run)
    assert workspace.sampling.preview("thirty", RULE).population == 31
    workspace.tag("thirty", ["案01"], "retrieval")
    reviewed = SampleRule("42", 10, text="is:reviewed")
    assert workspace.sampling.preview("thirty", reviewed).population == 1
    workspace.tag("thirty", ["案02"], "ranking")
    assert workspace.sampling.preview("thirty", reviewed).population == 2


def test_a_sample_is_kept_whole_in_a_shuffled_order(workspace: Workspace, run: Path) -> None:
    rule = SampleRule("42", 12, must=("rank:2",), must_readings=3, readings=1)
    sample = workspace.sampling.draw("thirty", rule, " 周\n48 ")
    assert sample.name == "周 48" and sample.reviewer == "wei" and sample.readings == 1
    assert workspace.sampling.samples("thirty") == [sample]
    assert workspace.sampling.sample("thirty", "周 48") == sample
    cases = workspace.sampling.cases("thirty", "周 48")
    assert [one.place for one in cases] == list(range(12))
    assert sorted(one.case_id for one in cases) == ids(sample.drawn)
    assert Counter(one.readings for one in cases if one.must) == {3: 6}
    assert Counter(one.readings for one in cases if not one.must) == {1: 6}
    places = {case_id: place for place, case_id in enumerate(ids(sample.drawn))}
    assert [places[one.case_id] for one in cases] != list(range(12))


def test_names_are_free_one_after_the_other(workspace: Workspace, run: Path) -> None:
    names = [workspace.sampling.draw("thirty", RULE).name for _ in range(3)]
    assert names == ["sample-1", "sample-2", "sample-3"]
    workspace.sampling.remove("thirty", "sample-2")
    assert workspace.sampling.draw("thirty", RULE).name == "sample-2"


def test_two_who_draw_at_once_get_two_names(workspace: Workspace, run: Path, tmp_path: Path) -> None:
    names: list[str] = []

    def draw(seed: str) -> None:
        other = Workspace(tmp_path / "t.db", Settings(), reviewer=seed)
        for number in range(4):
            names.append(other.sampling.draw("thirty", SampleRule(f"{seed}{number}", 5)).name)
        other.close()

    threads = [threading.Thread(target=draw, args=(seed,)) for seed in ("a", "b")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(names) == [f"sample-{number}" for number in range(1, 9)]
    assert sorted(one.name for one in workspace.sampling.samples("thirty")) == sorted(names)


def test_a_name_stands_for_one_rule_and_its_cases(workspace: Workspace, run: Path, tmp_path: Path) -> None:
    first = workspace.sampling.draw("thirty", RULE, "one")
    assert workspace.sampling.draw("thirty", RULE, "one") == first
    with closing(sqlite3.connect(tmp_path / "t.db")) as sql, sql:
        # A program that words the claim otherwise has drawn it.
        sql.execute("DROP TRIGGER samples_stay")
        sql.execute("UPDATE samples SET drawn = json_set(drawn, '$.claim', 'worded otherwise')")
    assert workspace.sampling.draw("thirty", RULE, "one").pk == first.pk
    with pytest.raises(TriageError, match="there is a sample of this name"):
        workspace.sampling.draw("thirty", SampleRule("43", 10), "one")
    assert len(workspace.sampling.samples("thirty")) == 1


def test_a_removed_sample_leaves_nothing_behind(workspace: Workspace, run: Path, tmp_path: Path) -> None:
    workspace.sampling.draw("thirty", RULE, "one")
    workspace.sampling.draw("thirty", RULE, "two")
    assert workspace.sampling.remove("thirty", "one") == 10
    assert left(workspace, "thirty") == (1, 10)
    with pytest.raises(TriageError, match=r"no such sample: one in thirty \(there are two\)"):
        workspace.sampling.sample("thirty", "one")


def left(workspace: Workspace, run: str) -> tuple[int, int]:
    """Samples and their cases in the database, whatever runs are loaded."""
    store = workspace._stores.reading()
    assert store is not None
    with store.write() as sql:
        samples = sql.execute("SELECT count(*) FROM samples WHERE run_id = ?", (run,)).fetchone()[0]
        return samples, sql.execute("SELECT count(*) FROM sample_cases").fetchone()[0]


def test_samples_stay_with_a_run_that_comes_back(workspace: Workspace, run: Path) -> None:
    sample = workspace.sampling.draw("thirty", RULE, "one")
    workspace.remove(["thirty"])
    assert left(workspace, "thirty") == (1, 10)
    load(workspace, run)
    assert workspace.sampling.samples("thirty") == [sample]


def test_samples_go_with_the_reviews_of_their_run(workspace: Workspace, run: Path, tmp_path: Path) -> None:
    load(workspace, write(tmp_path / "other.jsonl", [case(n) for n in range(4)]))
    workspace.sampling.draw("thirty", RULE, "one")
    workspace.sampling.draw("other", RULE, "one")
    workspace.remove(["thirty"], with_reviews=True)
    assert left(workspace, "thirty") == (0, 4)
    assert left(workspace, "other") == (1, 4)
    load(workspace, run)
    assert workspace.sampling.samples("thirty") == []


def test_a_k_of_its_own_has_its_own_measures(workspace: Workspace, run: Path) -> None:
    sizes = [
        {stratum.key["hit"]: stratum.size for stratum in workspace.sampling.preview("thirty", rule).strata}
        for rule in (SampleRule("1", 5, by=("hit",)), SampleRule("1", 5, by=("hit",), k=1))
    ]
    assert sizes == [{"1": 30}, {"0": 6, "1": 24}]


def test_too_many_strata_are_refused(workspace: Workspace, tmp_path: Path) -> None:
    load(workspace, write(tmp_path / "long.jsonl", [case(n) for n in range(MOST_STRATA + 1)]))
    with pytest.raises(UsageError, match="too many strata"):
        workspace.sampling.preview("long", SampleRule("1", 5, by=("id",)))


def test_a_lone_surrogate_in_a_seed_or_a_filter_can_be_kept(workspace: Workspace, run: Path) -> None:
    sample = workspace.sampling.draw("thirty", SampleRule("\udcff", 5), "one")
    assert sample.drawn.rule.seed == "\\udcff"
    assert not workspace.sampling.again("thirty", "one").gone


# judges that are at odds


def judged(number: int, one: dict[str, Any], other: dict[str, Any], key: str = "judges") -> dict[str, Any]:
    return case(number, **{key: [{"judge": "a", "scores": one}, {"judge": "b", "scores": other}]})


def found(workspace: Workspace, run: str, text: str = "is:uncertain") -> list[str]:
    scope = Scope(run, text=text)
    return [row.id for row in workspace.case_rows(scope, workspace.case_keys(scope))]


ODD = [
    judged(0, {"clarity": 5}, {"clarity": 5}),
    judged(1, {"clarity": 4}, {"clarity": 3}),
    judged(2, {"completeness": 3}, {"completeness": 1}),
    judged(3, {"completeness": 3}, {"clarity": 5}),
    case(4),
]


def test_judges_at_odds_make_a_case_uncertain(workspace: Workspace, tmp_path: Path) -> None:
    load(workspace, write(tmp_path / "odd.jsonl", ODD))
    assert found(workspace, "odd") == ["案01", "案02"]
    write(tmp_path / "odd.jsonl", [*ODD, judged(5, {"clarity": 5}, {"clarity": 1})])
    load(workspace, tmp_path / "odd.jsonl")
    assert found(workspace, "odd") == ["案01", "案02", "案05"]


def test_judges_of_0_to_1_are_mapped(workspace: Workspace, tmp_path: Path) -> None:
    cases = [judged(0, {"clarity": 0.8}, {"clarity": 0.7}), judged(1, {"clarity": 0.2}, {"clarity": 0.1})]
    load(workspace, write(tmp_path / "shares.jsonl", cases, score_scale="0-1"))
    assert found(workspace, "shares") == ["案00"]


def test_judges_that_sit_elsewhere_are_found_by_the_mapping(workspace: Workspace, tmp_path: Path) -> None:
    cases = [case(n, review={"panel": one.get("judges")}) | {"judges": None} for n, one in enumerate(ODD[:3])]
    load(workspace, write(tmp_path / "mapped.jsonl", cases), mapping={"judges": "review.panel"})
    assert found(workspace, "mapped") == ["案01", "案02"]


def test_uncertain_cases_are_taken_first_under_a_cap(workspace: Workspace, tmp_path: Path) -> None:
    load(workspace, write(tmp_path / "odd.jsonl", ODD))
    rule = SampleRule("1", 3, by=(), must=("id:*",), must_cap=3)
    drawn = workspace.sampling.preview("odd", rule)
    assert {"案01", "案02"} < set(ids(drawn)) and drawn.n == 3
    assert drawn.must[0].left_out == 2


def test_judges_of_a_record_that_strict_parsers_refuse_are_read(workspace: Workspace, tmp_path: Path) -> None:
    cases = [
        judged(0, {"clarity": 5}, {"clarity": 1}) | {"own": float("nan")},
        judged(1, {"clarity": 5}, {"clarity": 1}) | {"own": "\ud800"},
        judged(2, {"clarity": float("nan")}, {"clarity": 1}),
    ]
    path = tmp_path / "odd.jsonl"
    path.write_text("".join(json.dumps(one) + "\n" for one in cases), encoding="utf-8")
    load(workspace, path)
    (run,) = workspace.runs()
    assert found(workspace, run.id) == ["案00", "案01"]
