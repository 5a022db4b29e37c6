"""What holds for every filter text, whatever is typed."""

from __future__ import annotations

import re
import sqlite3
import subprocess
import sys
import threading
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from triage.errors import FilterError
from triage.store.filter import FilterContext, compile_filter, register_functions
from triage.store.filter.conditions import is_caseless
from triage.store.filter.match import wildcard

MARKS = [
    *"()[]{}<>=!+-~^*?:/\\\"'&|@#%_;,. \t\n\0", "（", "）", "：", "“", "”", "\u3000", "AND", "OR", "NOT",
    "TO", "&&", "||", "..", "\ud800", "É", "ß", "İ", "退货", "is:", "failing", "topic:", "rank:", "hit:",
    "reviewed_at:", "missing:", "note:", "answerable:", "true", "expected:", "meta.lang:", "record.verdict:",
    "a.b:", "1", "-2", "1e999", "nan", "2026-11-28", "x", "query:", "confidence:", "label:", "--", '"a b"',
    "'; DROP TABLE cases; --", "[1 TO 3]", "{* TO x}", "9" * 30,
]  # fmt: skip
LEAVES = [
    "is:failing", "topic:refund", "退货", "rank:>1", "hit:*", "missing:hit", "meta.lang:zh", "note:look",
    "label:routing", "verdict:*", "answerable:true", "expected:KB*", "error:*", "confidence:[.5 TO .9]",
    "turns:3", "evidence:charge", '"7 days"', "topic:(refund OR privacy)", "inferred:*", "reviewed_at:>2026",
    "cost:<1", "is:tagged", "sky:blue", "kb_version:>kb1", "answer:?a*", "is:stale", "passed:false",
    "record.verdict:bad", "expected:KB-1", "answer:days",
]  # fmt: skip
RELAXED = settings(
    max_examples=400,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
TEXTS = st.one_of(st.text(max_size=40), st.lists(st.sampled_from(MARKS), max_size=14).map("".join),
                  st.lists(st.sampled_from([*MARKS, *LEAVES]), max_size=9).map(" ".join))  # fmt: skip


@given(text=TEXTS)
@RELAXED
def test_any_text_runs_or_is_told_to_be_wrong(run: Any, text: str) -> None:
    try:
        where = run.where(text)
    except FilterError as error:
        assert 1 <= error.column <= len(text) + 1
        return
    found = run.run(where)
    others = run.run(replace(where, sql=f"NOT ({where.sql})"))
    assert sorted(found + others) == run.ids
    assert run.find("") == " ".join(run.ids)


@given(text=st.text(max_size=30))
@RELAXED
def test_literal_text_always_runs(run: Any, text: str) -> None:
    where = run.where(text, literal=True)
    assert where.said == (f"text: {text}" if text.strip() else "")
    run.run(where)


@given(
    words=st.lists(st.sampled_from(LEAVES), min_size=1, max_size=4), typed=st.text(min_size=3, max_size=12)
)
@RELAXED
def test_what_is_typed_never_stands_in_the_sql(run: Any, words: list[str], typed: str) -> None:
    quoted = typed.replace("\\", "\\\\").replace('"', '\\"')
    fields = ("topic", "query", "expected", "id", "meta.lang", "reviewer")
    text = " ".join([*words, *(f'{name}:"zq{quoted}zq"' for name in fields), f'"zq{quoted}zq"'])
    where = run.where(text)
    assert "zq" not in where.sql
    assert any("zq" in str(param) for param in where.params)
    assert set(re.sub(r"'[^']*'", "", where.sql)) <= set(
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.,?()<>=&| "
    )


Tree = tuple[str, Any]
TREES: st.SearchStrategy[Tree] = st.recursive(
    st.tuples(st.just("leaf"), st.sampled_from(LEAVES)),
    lambda inner: st.one_of(
        st.tuples(st.just("not"), inner),
        st.tuples(st.sampled_from(["and", "or"]), st.lists(inner, min_size=2, max_size=3)),
    ),
    max_leaves=8,
)
LEVEL = {"or": 0, "and": 1, "not": 2, "leaf": 3}


def typed(tree: Tree, choose: Any) -> str:
    """A tree as someone types it, with no more parentheses than AND before OR asks for."""
    kind, inside = tree
    if kind == "leaf":
        return str(inside)
    if kind == "not":
        text = typed(inside, choose)
        return choose(["NOT {}", "-{}", "!{}"]).format(f"({text})" if LEVEL[inside[0]] < 3 else text)
    parts = [
        f"({typed(item, choose)})" if LEVEL[item[0]] <= LEVEL[kind] else typed(item, choose)
        for item in inside
    ]
    return choose([" OR ", " || "] if kind == "or" else [" AND ", " && ", " "]).join(parts)


def meant(tree: Tree, leaves: dict[str, set[str]], every: set[str]) -> set[str]:
    kind, inside = tree
    if kind == "leaf":
        return leaves[inside]
    if kind == "not":
        return every - meant(inside, leaves, every)
    sets = [meant(item, leaves, every) for item in inside]
    return set.intersection(*sets) if kind == "and" else set.union(*sets)


@given(tree=TREES, data=st.data())
@RELAXED
def test_and_or_and_not_are_set_algebra(run: Any, tree: Tree, data: st.DataObject) -> None:
    if not run.leaves:
        run.leaves = {leaf: set(run.find(f"{leaf} OR {leaf}").split()) for leaf in LEAVES}
    text = typed(tree, lambda options: data.draw(st.sampled_from(options)))
    if tree[0] == "leaf" or (tree[0] == "not" and " " not in text):
        text = f"({text}) AND ({text})"
    assert set(run.find(text).split()) == meant(tree, run.leaves, set(run.ids))


@pytest.mark.parametrize("depth", [1, 10, 40, 500, 6000])
def test_deep_nesting_never_breaks_anything(run: Any, depth: int) -> None:
    for text in (
        "(" * depth + "is:failing" + ")" * depth,
        "id:a1 OR (is:failing AND NOT " * depth + "退货" + ")" * depth,
        "NOT " * depth + "is:failing",
        "is:failing " + "!" * depth + "退货",
        "is:failing " + "退货 OR " * depth + "x",
        "a b " + "(x OR " * depth + "退货" + ")" * depth,
    ):
        try:
            run.run(run.where(text))
        except FilterError as error:
            assert depth >= 10
            assert error.hint or error.title


def test_a_double_not_is_none(run: Any) -> None:
    assert run.find("NOT " * 30 + "is:failing") == "a2 a4 a5"
    assert run.find("NOT " * 31 + "is:failing") == "a1 a3"


@given(
    text=st.text(alphabet="abA.\n退", max_size=8),
    parts=st.lists(st.sampled_from(["a", "b", ".", "退", "*", "?", "\n"]), max_size=7),
)
@settings(max_examples=1500, deadline=None)
def test_wildcards_match_as_a_regular_expression_would(text: str, parts: list[str]) -> None:
    cuts = [""]
    for part in parts:
        if part in "*?":
            cuts += [part, ""]
        else:
            cuts[-1] += part
    pattern = "".join({"*": ".*", "?": "."}.get(part, re.escape(part)) for part in parts)
    folded = text.casefold()
    assert wildcard(cuts, False)(folded) == (re.fullmatch(pattern, folded, re.DOTALL) is not None)
    assert wildcard(cuts, True)(folded) == (re.search(pattern, folded, re.DOTALL) is not None)


def test_many_wildcards_stay_quick(table: Any) -> None:
    table.add("w1", query="a" * 20_000, answer="x")
    assert table.find("query:" + "*a" * 60 + "*b") == ""


def test_no_caseless_character_comes_out_of_another_ones_folding() -> None:
    every = [chr(code) for code in range(0x110000)]
    folded = {part for character in every if (fold := character.casefold()) != character for part in fold}
    assert not [character for character in folded if is_caseless(character)]
    assert is_caseless("退货政策 2026-11, KB".replace("KB", ""))


def test_threads_parse_at_the_same_time(run: Any) -> None:
    text = 'is:failing (topic:refund OR rank:>1) -"7 days"'
    expected = run.where(text)
    wrong: list[object] = []

    def work() -> None:
        for index in range(60):
            try:
                if index % 3 == 0:
                    with pytest.raises(FilterError):
                        run_where("is:failing AND")
                elif run_where(text) != expected:
                    wrong.append(index)
            except Exception as error:
                wrong.append(error)
                raise

    bits = run.store.metric_bits()

    def run_where(text: str) -> Any:
        return compile_filter(text, FilterContext(metric_bits=bits))

    threads = [threading.Thread(target=work) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize(
    ("text", "names"), [("", ("luqum", "ply", "triage.store.filter.compile")), ("退货", ("luqum", "ply"))]
)
def test_a_blank_filter_loads_nothing_and_a_single_word_no_parser(text: str, names: tuple[str, ...]) -> None:
    code = (
        "import sys; from triage.store.filter import FilterContext, compile_filter;"
        f"compile_filter({text!r}, FilterContext());"
        f"print([name for name in {names!r} if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_loading_the_parser_says_nothing_and_writes_nothing() -> None:
    code = "from triage.store.filter import *; compile_filter('is:failing a', FilterContext())"
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], capture_output=True, text=True, check=True
    )
    assert done.stdout + done.stderr == ""


def test_sql_functions_answer_whatever_they_are_given() -> None:
    sql = sqlite3.connect(":memory:")
    register_functions(sql)
    calls = (
        "triage_fold(?)", "triage_has(?, 'a')", "triage_test(?, '[\"is\", \"a\"]')",
        "triage_list(?, '[\"any\"]')", "triage_key(?, 'a.b', '[\"any\"]')",
    )  # fmt: skip
    for value in (None, 1, 1.5, b"\xff", "", "{", "[" * 100_000, "null", '{"a": NaN}'):
        for call in calls:
            assert sql.execute(f"SELECT {call}", (value,)).fetchone() is not None
    sql.close()


PLAIN = st.lists(
    st.tuples(
        st.sampled_from(["", "-", "NOT "]),
        st.sampled_from(["topic:", "rank:", "hit:", "is:", ""]),
        st.sampled_from(["", ">", "<=", "<", ">="]),
        st.sampled_from(["1", "0.5", "*", "a?b", '"two words"', "退货", "failing"]),
    ).map("".join),
    min_size=1,
    max_size=5,
).map(" ".join)


@given(text=st.one_of(PLAIN, TEXTS))
@RELAXED
def test_what_is_read_without_the_parser_is_what_the_parser_reads(text: str) -> None:
    from luqum.thread import parse

    from triage.store.filter import parse as ours
    from triage.store.filter.scan import scan

    scanned = scan(text, lambda name: name.isascii())
    plain = None if scanned.fault else ours._plain(scanned)
    if plain is not None:
        assert plain == ours._Reader(scanned).node(parse(scanned.query), None)


@pytest.mark.parametrize("text", ["hit:1 all_hit:0", "mrr:>0 -topic:refund", "退货 is:failing"])
def test_the_usual_filters_need_no_parser(text: str) -> None:
    from triage.store.filter import parse as ours
    from triage.store.filter.scan import scan

    assert ours._plain(scan(text, lambda name: True)) is not None
