"""Every slice is a door: what opens behind it are exactly the cases that it counts, whatever the value."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from triage.models.query import Scope
from triage.settings import Settings
from triage.workspace import Workspace

HOSTILE = [
    "refund", "Refund", "REFUND", "物流", "会员 积分", "a:b", "a：b", "-x", "(y)", "（y）", '"q"',
    "back\\slash", "\\", '\\"', "[b]bold[/b]", "esc\x1b[2J", "two\nlines", "tab\there", "AND", "OR",
    "NOT", "*", "?", "w*d", "“wide”", "”", "", " ", "  ", "!bang", "a||b", "[1 TO 3]", ">=2",
    "2..4", "７", "ＡＢＣ", "abc", "ß", "SS", "(not recorded)", "(empty)", "(object)", "null",
    "true", "TRUE", "yes", "7", "7.0", "2026-11-28", "2026-11-28T10:00", "2026", "@me", "é",
    "e\u0301", "\u200b", "x" * 600, "&&", "~", "a~2", "^", "'", "\u2028", "\ud800",
]  # fmt: skip
MORE = [True, False, 7, 7.5, 0, 1, 1e22, None, {"in": "side"}, [], ["refund", "a:b"], [7, "7"], [[]], [None]]
TEXT = st.one_of(
    st.sampled_from(HOSTILE),
    st.text('aA"\\():：*?\n-! 　“”7.真', max_size=6),
    st.text(max_size=4),
)
VALUE = st.one_of(
    TEXT, st.sampled_from(MORE), st.integers(-3, 3), st.floats(allow_nan=False, allow_infinity=False),
    st.lists(TEXT, max_size=3),
)  # fmt: skip


class Made:
    """A workspace into which runs of hostile values are loaded, one after the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        aliases = {"退款": "refund"}
        self.workspace = Workspace(folder / "triage.db", Settings(topic_aliases=aliases), reviewer="wei")
        self._numbers = itertools.count()

    def load(self, records: list[dict[str, Any]]) -> Scope:
        name = f"run{next(self._numbers)}"
        lines = [{"run": {"id": name, "dataset": {"name": name}}}]
        lines += [
            {"id": f"C{number}", "query": f"question {number}", **one} for number, one in enumerate(records)
        ]
        path = self.folder / f"{name}.jsonl"
        path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
        assert self.workspace.ingest([path])[0].status == "loaded"
        return Scope(name)

    def check(self, scope: Scope, name: str) -> None:
        """Each row opens as many cases as it counts, and each case is behind some row."""
        slicing = self.workspace.slicing
        table = slicing.table(scope, name)
        seen: set[int] = set()
        every = set(self.workspace.case_keys(scope))
        for row in (*table.rows, *((table.tail,) if table.tail is not None else ())):
            opened = slicing.opened(scope, row.part)
            keys = set(self.workspace.case_keys(opened))
            assert len(keys) == row.cases, (row.part, opened)
            # No text gives way to keys without need: what the row shows as its text is what opens.
            assert (opened.drill is None) == (row.query is not None), row.part
            by_keys = Scope(scope.run, text=scope.text, drill=drilled(row.part))
            assert keys == set(self.workspace.case_keys(by_keys)), row.part
            seen |= keys
        assert seen == every


def drilled(*parts: Any) -> Any:
    from triage.models.query import Drill

    return Drill(slice=parts)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    found = Made(tmp_path_factory.mktemp("cells"))
    yield found
    found.workspace.close()


def test_hostile_values_of_a_field_and_of_a_key(made: Made) -> None:
    records = [{"topic": text, "meta": {"lang": text}} for text in HOSTILE]
    records += [{"meta": {"lang": value}} for value in MORE] + [{"topic": "退款"}, {}]
    scope = made.load(records)
    for name in ("topic", "meta.lang", "id"):
        made.check(scope, name)
    said = [
        row for row in made.workspace.slicing.table(scope, "topic", most=99).rows if row.query is not None
    ]
    assert len(said) > 30


@given(
    st.lists(st.tuples(VALUE, TEXT), min_size=1, max_size=24),
    st.sampled_from(["", "id:*", "-id:C0", "meta.lang:*"]),
)
@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_the_values(made: Made, values: list[tuple[Any, str]], text: str) -> None:
    records: list[dict[str, Any]] = [{"meta": {"lang": value}, "query_type": word} for value, word in values]
    scope = made.load([*records, {"meta": {"lang": "真"}}, {"answer": "x"}])
    filtered = Scope(scope.run, text=text)
    for name in ("meta.lang", "query_type"):
        made.check(filtered, name)
    table = made.workspace.slicing.cross(filtered, "meta.lang", "query_type")
    for cells in table.cells:
        for cell in cells:
            if cell is not None:
                opened = made.workspace.slicing.opened(filtered, *cell.parts)
                assert len(made.workspace.case_keys(opened)) == cell.cases


def test_keys_whose_names_are_hostile_or_ours(made: Made) -> None:
    names = ["a b", "a.b", 'q"q', "(x)", "AND", "全角：", "verdict", "topic x", "x" * 300, "new\nline", "-y"]
    record = dict.fromkeys(names, "v") | {"a": {"b": "w", "c": [{"d": 1}, {"d": [2, 3]}]}}
    scope = made.load([record, {"a": {"b": "v"}}, {}])
    for one in made.workspace.slicing.dimensions(scope):
        if one.kind != "run":
            made.check(scope, one.name)
    found = {one.name for one in made.workspace.slicing.dimensions(scope)}
    assert {"a b", "a.b", "record.verdict", "new\nline"} <= found
    rows = made.workspace.slicing.table(scope, "a.b").rows
    assert {row.value: row.cases for row in rows} == {"v": 2, "w": 1, "(not recorded)": 1}


def test_ranges_open_what_they_count(made: Made) -> None:
    numbers = [
        0.1,
        0.2,
        0.30000000000000004,
        1e-9,
        1e22,
        -5,
        -0.5,
        3,
        3,
        3,
        7,
        8,
        9,
        10,
        11,
        12.125,
        2**53 + 1,
    ]
    scope = made.load([{"latency_ms": abs(one), "meta": {"n": one}} for one in numbers] + [{}])
    for name in ("latency_ms", "meta.n"):
        assert made.workspace.slicing.table(scope, name).dimension.binned
        made.check(scope, name)
    mixed = made.load([{"meta": {"n": one}} for one in (*numbers, "12", "abc", "2026-11-28", True)])
    made.check(mixed, "meta.n")


def test_what_people_said_is_opened_too(made: Made) -> None:
    scope = made.load([{"query": f"q{number}"} for number in range(6)])
    workspace = made.workspace
    workspace.tag(scope.run, ["C0", "C1"], "retrieval", labels=["stale-doc", "routing"])
    workspace.tag(scope.run, ["C2"], "other", note="look")
    for name in ("verdict", "label", "reviewer", "note"):
        made.check(scope, name)
    rows = workspace.slicing.table(scope, "label").rows
    assert {row.value: row.cases for row in rows} == {"stale-doc": 2, "routing": 2, "(not recorded)": 4}


def test_a_filter_taken_literally_is_kept(made: Made) -> None:
    scope = made.load([{"query": "a (b", "topic": "x"}, {"query": "a (b", "topic": "y"}, {"topic": "x"}])
    for literal in (Scope(scope.run, text="a (b", literal=True), Scope(scope.run, text="(b")):
        [row] = [row for row in made.workspace.slicing.table(literal, "topic").rows if row.value == "x"]
        opened = made.workspace.slicing.opened(literal, row.part)
        assert len(made.workspace.case_keys(opened)) == row.cases == 1


def test_a_slice_that_is_gone_has_no_cases(made: Made) -> None:
    scope = made.load([{"topic": "x"}])
    [row] = made.workspace.slicing.table(scope, "topic").rows
    other = made.load([{"topic": "y"}, {"meta": {"z": 1}}])
    gone = Scope(other.run, drill=drilled(row.part))
    assert list(made.workspace.case_keys(gone)) == []
    part = made.workspace.slicing.table(other, "meta.z").rows[0].part
    assert list(made.workspace.case_keys(Scope(scope.run, drill=drilled(part)))) == []


def test_the_cases_of_a_slice_are_sorted_as_asked(made: Made) -> None:
    scope = made.load([{"latency_ms": ms, "meta": {"n": "a\nb"}} for ms in (3, 1, 2)] + [{"query": "other"}])
    [row] = [row for row in made.workspace.slicing.table(scope, "meta.n").rows if row.query is None]
    opened = made.workspace.slicing.opened(scope, row.part)

    def ids(sort: str) -> list[str]:
        sorted_ = Scope(opened.run, drill=opened.drill, sort=sort)
        return [one.id for one in made.workspace.case_rows(sorted_, made.workspace.case_keys(sorted_))]

    assert ids("file") == ["C0", "C1", "C2"]
    assert (ids("latency_ms"), ids("-latency_ms")) == (["C1", "C2", "C0"], ["C0", "C2", "C1"])
