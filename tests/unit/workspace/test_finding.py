"""What the filter bar offers is true of the run; similar cases; cases by a part of their id."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from triage.models.offer import Named
from triage.models.query import Drill, Scope
from triage.models.run import LoadOptions
from triage.models.sample import SampleRule
from triage.settings import Settings
from triage.workspace import Workspace

HOSTILE = [
    "refund", "Refund", "物流", "会员 积分", "a:b", "a：b", "-x", "(y)", '"q"', "back\\slash", "[b]bold[/b]",
    "esc\x1b[2J", "two\nlines", "AND", "*", "w*d", "“wide”", "", " ", "security", "account_security", "!bang",
]  # fmt: skip


def record(number: int, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"C{number:03}",
        "query": f"question {number}",
        "topic": "shipping",
        "answerable": True,
        "expected_ids": ["KB-1"],
        "retrieved": [{"id": "KB-1", "text": "seven days"}, {"id": f"KB {number % 3}"}],
        "answer": "seven days [S1]",
        "citations": ["S1"],
        "meta": {"lang": "zh" if number % 3 else "en", "ok": bool(number % 2), "tags": ["x", "x", "y:z"]},
    } | fields


Load = Callable[..., Scope]


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    filters = {"ours": "topic:refund OR topic:物流"}
    made = Workspace(tmp_path / "triage.db", Settings(filters=filters), reviewer="wei")
    yield made
    made.close()


@pytest.fixture
def load(workspace: Workspace, tmp_path: Path) -> Load:
    def loaded(records: list[dict[str, Any]]) -> Scope:
        lines = [json.dumps({"run": {"id": "run", "dataset": {"name": "set"}}})]
        lines += [json.dumps(one, ensure_ascii=False) for one in records]
        path = tmp_path / "run.jsonl"
        path.write_text("\n".join(lines) + "\n", "utf-8")
        workspace.ingest([path], LoadOptions())
        return Scope("run")

    return loaded


def ids(workspace: Workspace, text: str) -> set[str]:
    scope = Scope("run", text=text)
    return {row.id for row in workspace.case_rows(scope, list(workspace.case_keys(scope)))}


def test_each_offered_topic_finds_as_many_cases_as_it_says(workspace: Workspace, load: Load) -> None:
    records = [record(n, topic=topic) for n, topic in enumerate(HOSTILE * 2)]
    scope = load(records)
    offers = workspace.finding.offers(scope, "is:failing -topic:", 18)
    offers = [offer for offer in offers if offer.count is not None]
    folded = {topic.casefold() for topic in HOSTILE} - {"security"}
    assert len(offers) == len(folded)
    for offer in offers:
        assert offer.text.startswith("is:failing -topic:") and offer.caret == len(offer.text)
        text = offer.text.removeprefix("is:failing -")
        mine = {one["id"] for one in records if one["topic"].casefold() == offer.says.casefold()}
        if offer.says.strip():
            assert mine <= ids(workspace, text)
        if "*" not in text and "?" not in text:
            assert len(ids(workspace, text)) == offer.count, offer


@pytest.mark.parametrize(
    ("typed", "says", "count"),
    [
        ("meta.lang:", "zh", 8), ("meta.ok:", "true", 6), ("meta.tags:", "y:z", 12),
        ("retrieved:", "KB 1", 4), ("expected:kb", "KB-1", 12), ("cited:", "S1", 12),
        ("answerable:", "true", 12), ("answerable:f", None, 0), ("suggestion:ret", "retrieval", 0),
        ("is:unrev", "unreviewed", 12), ("record.topic:", "shipping", 12), ("id:c01", "C010", None),
        ("rank:", "1", 12), ("hit:", "1", 12), ("missing:faith", "faithfulness", 12),
    ],
)  # fmt: skip
def test_values_of_every_kind_of_field_are_counted(
    workspace: Workspace, load: Load, typed: str, says: str | None, count: int | None
) -> None:
    scope = load([record(n) for n in range(12)])
    found = {offer.says: offer for offer in workspace.finding.offers(scope, typed, len(typed))}
    if says is None:
        assert not found
        return
    assert found[says].count == count
    if count:
        assert len(ids(workspace, found[says].text)) == count


def test_verdicts_labels_and_reviewers_are_offered_once_they_are_given(
    workspace: Workspace, load: Load
) -> None:
    scope = load([record(n) for n in range(4)])

    def offered(typed: str) -> dict[str, int | None]:
        return {one.says: one.count for one in workspace.finding.offers(scope, typed, len(typed))}

    assert offered("verdict:")["ranking"] == 0 and "wei" not in offered("reviewer:")
    workspace.tag("run", ["C001", "C002"], "ranking", labels=["stale-doc"])
    assert offered("verdict:")["ranking"] == 2
    assert offered("label:")["stale-doc"] == 2
    assert offered("reviewer:")["wei"] == 2 and "@me" in offered("reviewer:")
    assert offered("is:tag")["tagged"] == 2


def test_samples_are_offered_while_they_are_there(workspace: Workspace, load: Load) -> None:
    scope = load([record(n) for n in range(12)])

    def offered(typed: str) -> dict[str, tuple[int | None, str]]:
        return {one.says: (one.count, one.text) for one in workspace.finding.offers(scope, typed, len(typed))}

    assert set(offered("sample:")) == {"*"}
    workspace.sampling.draw("run", SampleRule("1", 5), "周 48")
    workspace.sampling.draw("run", SampleRule("1", 3), "b")
    assert list(offered("sample:")) == ["周 48", "b", "*"]
    assert offered("sample:")["周 48"] == (5, 'sample:"周 48"')
    assert len(ids(workspace, 'sample:"周 48"')) == 5
    assert workspace.finding.count(scope, "sample:b") == 3
    workspace.sampling.remove("run", "b")
    assert "b" not in offered("sample:")
    workspace.sampling.draw("run", SampleRule("1", 4), "b")
    assert workspace.finding.count(scope, "sample:b") == 4
    assert {"arbitrated", "uncertain"} <= set(offered("is:"))


def test_a_bare_word_finds_the_values_that_hold_it_with_their_field(workspace: Workspace, load: Load) -> None:
    scope = load([record(n, topic="refund" if n < 3 else "shipping") for n in range(6)])
    for typed in ("refu", "-refu", "is:failing OR (refu"):
        offers = workspace.finding.offers(scope, typed, len(typed))
        offer = next(one for one in offers if one.says == "topic:refund")
        assert offer.count == 3 and offer.text == typed.removesuffix("refu") + "topic:refund"
    assert any(one.says == "is:failing" for one in workspace.finding.offers(scope, "fail", 4))


def test_names_are_offered_with_what_they_are_and_the_runs_own_keys(workspace: Workspace, load: Load) -> None:
    scope = load([record(n, topic_id="t", verdict="x") for n in range(3)])
    said = {one.says: one for one in workspace.finding.offers(scope, "verd", 4)}
    assert (
        said["verdict:"].means == "a person's verdict" and said["record.verdict:"].text == "record.verdict:"
    )
    assert [one.says for one in workspace.finding.offers(scope, "meta.la", 7)] == ["meta.lang:"]
    assert workspace.finding.offers(scope, "is:failing", 10) == []


def test_an_empty_bar_offers_filters_that_find_something(workspace: Workspace, load: Load) -> None:
    missed = {"retrieved": [{"id": "KB-9"}], "topic": "refund"}
    scope = load([record(n, **(missed if n < 4 else {})) for n in range(9)])
    offers = workspace.finding.offers(scope, "", 0)
    assert offers[0].text == "topic:refund is:failing" and offers[0].count == 4
    for offer in offers:
        assert offer.count and len(ids(workspace, offer.text)) == offer.count


def test_a_filter_by_name_stands_for_its_text_in_a_group_beside_others(
    workspace: Workspace, load: Load
) -> None:
    scope = load([record(1)])
    own = [Named("mine (物流)", "is:failing", "own")]
    (alone,) = workspace.finding.offers(scope, "@our", 4, own)
    assert alone.says == "@ours" and alone.text == "topic:refund OR topic:物流"
    (beside,) = workspace.finding.offers(scope, "is:failing @物", 13, own)
    assert beside.text == "is:failing (is:failing)"
    kinds = {one.name: one.kind for one in workspace.finding.named(own)}
    assert (kinds["ours"], kinds["mine (物流)"], kinds["put off"]) == ("project", "own", "ready")


def test_a_text_that_is_no_filter_has_no_count(workspace: Workspace, load: Load) -> None:
    scope = load([record(n) for n in range(3)])
    assert workspace.finding.count(scope, "topic:shipping") == 3
    assert workspace.finding.count(scope, "topic:(") is None


def test_cases_are_found_by_id_begun_then_held_and_wildcards_are_letters(
    workspace: Workspace, load: Load
) -> None:
    names = ["E1", "e10", "XE1", "a%b", "a_b", "中文-1", "E2"]
    scope = load([record(n, id=name) for n, name in enumerate(names)])
    found = workspace.finding.cases_like

    assert [one.id for one in found(scope, "e1", 8)] == ["E1", "e10", "XE1"]
    assert found(scope, "e10", 8)[0].id == "e10"
    assert [one.id for one in found(scope, "%", 8)] == ["a%b"]
    assert [one.id for one in found(scope, "_", 8)] == ["a_b"]
    assert [one.id for one in found(scope, "文", 8)] == ["中文-1"]
    assert len(found(scope, "e", 2)) == 2 and found(scope, "", 8) == [] and found(scope, "zz", 8) == []


QUERIES = [
    "退款多久能到账", "退款多久可以到账呢", "多久能退款到账", "账号被盗了怎么办",
    "How do I change my address?", "how can I change the address", "where is my parcel", "???",
    "退款多久能到账",
]  # fmt: skip


def test_similar_cases_come_best_first_with_the_case_itself_at_the_head(
    workspace: Workspace, load: Load
) -> None:
    load([record(n, query=query) for n, query in enumerate(QUERIES)])
    scope = Scope("run", drill=Drill(similar="C000"))
    rows = workspace.case_rows(scope, list(workspace.case_keys(scope)))
    assert [row.id for row in rows[:4]] == ["C000", "C008", "C002", "C001"]
    scores = [row.likeness or 0.0 for row in rows]
    assert scores[:2] == [1.0, 1.0] and scores == sorted(scores, reverse=True) and scores[3] > 0.45

    english = workspace.finding.similar(Scope("run"), "C004")
    assert english is not None and len(english.keys) == 2 and english.least > 0.45
    nothing = workspace.finding.similar(Scope("run"), "C007")
    assert nothing is not None and len(nothing.keys) == 1


def test_a_filter_narrows_similar_cases_and_panels_do_not_follow_them(
    workspace: Workspace, load: Load
) -> None:
    load([record(n, query=query, topic="even" if n % 2 == 0 else "odd") for n, query in enumerate(QUERIES)])
    drill = Drill(similar="C000")
    scope = Scope("run", text="topic:odd", drill=drill, sort="id")
    assert [row.id for row in workspace.case_rows(scope, list(workspace.case_keys(scope)))] == ["C001"]
    assert workspace.run_view(Scope("run", drill=drill)).matching == len(QUERIES)
    outside = workspace.count_outside(Scope("run", drill=drill))
    assert outside.view == len(QUERIES) - len(workspace.case_keys(Scope("run", drill=drill)))


def test_the_search_for_similar_cases_stops_when_told_and_a_case_that_is_gone_has_none(
    workspace: Workspace, load: Load
) -> None:
    load([record(n, query=query) for n, query in enumerate(QUERIES)])
    assert workspace.finding.similar(Scope("run"), "C000", lambda: True) is None
    assert len(workspace.case_keys(Scope("run", drill=Drill(similar="gone")))) == 0
