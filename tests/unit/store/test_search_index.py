"""The search index finds what looking through every text finds, and is never in anybody's way."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from triage.models.query import Scope
from triage.store import Store, search
from triage.store.filter import FilterContext, compile_filter, register_functions
from triage.store.filter.conditions import anywhere, on_field
from triage.store.filter.fields import BY_NAME
from triage.store.filter.syntax import Word
from triage.store.search_tokens import Search, question, stored

PARTS = [
    *"退货款政策のアー한글aAbB0１ｚＺßſİıéÉΣσς_-%\"'*（)。， \n\0", "e\u0301", "\u0345", "ŉ", "ﬁ", "𠮷", "😀",
    "👩‍👩‍👧",
    "\ud800", "refund", "REFUND", "退货政策", "a" * 70, "退" * 40, "[S1]", "kb-1", "\u200b", "々", "〇",
]  # fmt: skip
TEXTS = st.one_of(st.lists(st.sampled_from(PARTS), max_size=9).map("".join), st.text(max_size=12))
ROWS = st.lists(st.tuples(st.none() | TEXTS, TEXTS, st.none() | TEXTS, TEXTS), min_size=1, max_size=5)
ALIASES = """measures m CROSS JOIN cases c ON c.pk = m.case_pk CROSS JOIN payloads p ON p.case_pk = c.pk
    LEFT JOIN reviews_now r ON r.run_id = 'run' AND r.case_id = c.case_id"""


def safe(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "backslashreplace").decode("utf-8")


@contextmanager
def corpus(rows: list[tuple[str | None, str, str | None, str]]) -> Iterator[sqlite3.Connection]:
    """Tables with the columns that a text condition reads: (query, cut query, answer, note) a case."""
    sql = sqlite3.connect(":memory:")
    sql.executescript(
        """CREATE TABLE measures (case_pk); CREATE TABLE cases (pk INTEGER PRIMARY KEY, rev, case_id, query);
        CREATE TABLE payloads (case_pk INTEGER PRIMARY KEY, query, answer);
        CREATE TABLE reviews_now (run_id, case_id, note); CREATE TABLE search_words (rev, word);
        CREATE VIRTUAL TABLE search_1 USING fts5(query, answer, content='', columnsize=0, tokenize='ascii')"""
    )
    register_functions(sql)
    words: set[str] = set()
    for pk, row in enumerate(rows, 1):
        query, cut, answer, note = map(safe, row)
        sql.execute("INSERT INTO measures VALUES (?)", (pk,))
        sql.execute("INSERT INTO cases VALUES (?, 1, ?, ?)", (pk, f"c{pk}", cut))
        sql.execute("INSERT INTO payloads VALUES (?, ?, ?)", (pk, query, answer))
        if note:
            sql.execute("INSERT INTO reviews_now VALUES ('run', ?, ?)", (f"c{pk}", note))
        held = (stored(cut if query is None else query, words), stored(answer, words))
        sql.execute("INSERT INTO search_1 (rowid, query, answer) VALUES (?, ?, ?)", (pk, *held))
    sql.executemany("INSERT INTO search_words VALUES (1, ?)", [(word,) for word in words])
    yield sql
    sql.close()


def found(sql: sqlite3.Connection, clause: Any) -> list[int]:
    params = [safe(one) if isinstance(one, str) else one for one in clause.params]
    text = f"SELECT m.case_pk FROM {ALIASES} WHERE {clause.sql} ORDER BY 1"
    return [row[0] for row in sql.execute(text, params)]


def check(sql: sqlite3.Connection, needle: str) -> None:
    index = Search(1, "run")
    assert found(sql, anywhere(needle, index)) == found(sql, anywhere(needle)), needle
    for name in ("query", "answer"):
        plain = on_field(BY_NAME[name], Word(needle, 1))
        assert found(sql, on_field(BY_NAME[name], Word(needle, 1), index)) == found(sql, plain), (
            name,
            needle,
        )


@given(rows=ROWS, needle=TEXTS)
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_text_is_found_as_without_an_index(rows: Any, needle: str) -> None:
    with corpus(rows) as sql:
        check(sql, needle)


@given(rows=ROWS, data=st.data())
@settings(max_examples=500, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_every_stretch_of_a_text_is_found_as_without_an_index(rows: Any, data: st.DataObject) -> None:
    text = data.draw(st.sampled_from([part for row in rows for part in row if part] or ["退货"]))
    start = data.draw(st.integers(0, len(text) - 1))
    needle = text[start : data.draw(st.integers(start + 1, len(text)))]
    turned: Any = data.draw(st.sampled_from([str, str.upper, str.lower, str.casefold]))
    with corpus(rows) as sql:
        check(sql, turned(needle))


@pytest.mark.parametrize(
    ("needle", "sure"),
    [("退货", True), ("退", True), ("政策规定", True), ("efun", True), ("x", None), ("。", None), ("", None),
     ("退货。", False), ("no refund", False), ("退" * 33, False), ("a" * 33, False)],
)  # fmt: skip
def test_what_the_index_can_tell(needle: str, sure: bool | None) -> None:
    asked = question(needle)
    assert (None if asked is None else asked.sure) is sure


def test_what_went_wrong_in_other_tools_is_found_as_text() -> None:
    rows: list[tuple[str | None, str, str | None, str]] = [
        ("POL-358 applies?", "", "don't use kb:1", ""), ("A AND B *star*", "", 'say "hi (there)', ""),
        ("-x flag", "", "Seven days.", ""), ("退货政策规定七天内可退", "", "是", ""),
        ("gen-itgc后50条引用", "", "itgc", ""),
    ]  # fmt: skip
    wanted = {
        "POL-358": [1], "kb:1": [1], "don't": [1], "AND": [2], "*": [2], "(": [2], "-x": [3], "a'b": [],
        'say "hi': [2], "退货": [4], "退": [4], "货政": [4], "政策规定": [4], "退款": [], "ITGC后50": [5],
        '"': [2], "NEAR": [], "query:": [], "{a}": [], "^": [],
    }  # fmt: skip
    with corpus(rows) as sql:
        for needle, cases in wanted.items():
            check(sql, needle)
            assert found(sql, anywhere(needle, Search(1, "run"))) == cases, needle


# on disk


def texts(kit: SimpleNamespace, count: int) -> list[Any]:
    words = ["退货", "政策", "发票", "refund", "POL-358", "İstanbul"]
    return [
        kit.record(f"c{n}", query=f"第{n}条{words[n % 6]}规定", answer=f"{words[n % 5]} 答复 {n}。")
        for n in range(count)
    ]


def build(store: Store, rev: int, stop_after: int | None = None) -> bool:
    told: list[int] = []
    return store.index.build(rev, told.append, lambda: stop_after is not None and len(told) >= stop_after)


def finds(store: Store, loaded: Any, text: str) -> list[str]:
    context = FilterContext(search=store.index.of(loaded.run.pk, "run"))
    keys = store.keys(loaded.run, loaded.view, Scope("run", sort="file"), compile_filter(text, context))
    return [store.ids_of([pk])[pk] for pk in keys]


def tables(store: Store) -> list[str]:
    with store.write() as sql:
        return [
            row[0]
            for row in sql.execute("SELECT name FROM sqlite_master WHERE name LIKE 'search~_%' ESCAPE '~'")
        ]


def test_a_run_is_searched_by_its_index_once_that_is_whole(store: Store, kit: SimpleNamespace) -> None:
    loaded = kit.load(store, texts(kit, 600))
    without = {
        text: finds(store, loaded, text) for text in ("退货", "id:* -退货", "退", "efun", "pol-35", "stanbul")
    }
    assert store.index.of(loaded.run.pk, "run") is None
    assert store.index.waiting(600) == [(loaded.run.pk, "run")]
    assert store.index.waiting(601) == []
    assert build(store, loaded.run.pk)
    assert store.index.of(loaded.run.pk, "run") == Search(loaded.run.pk, "run")
    assert store.index.waiting(1) == []
    assert {text: finds(store, loaded, text) for text in without} == without
    assert all(without.values())


def test_a_note_is_found_beside_the_index(store: Store, kit: SimpleNamespace) -> None:
    from triage.store import Act

    loaded = kit.load(store, texts(kit, 30))
    assert build(store, loaded.run.pk)
    store.add_events(loaded.run, [Act("c9", "note", note="问了物流同事")], kit.who())
    assert finds(store, loaded, "物流") == ["c9"]
    assert finds(store, loaded, "-物流 id:c9") == []


def test_a_build_that_was_stopped_goes_on_where_it_was(store: Store, kit: SimpleNamespace) -> None:
    loaded = kit.load(store, texts(kit, 600))
    assert not build(store, loaded.run.pk, stop_after=1)
    assert store.index.of(loaded.run.pk, "run") is None
    told: list[int] = []
    assert store.index.build(loaded.run.pk, told.append, lambda: False)
    assert sum(told) == 600 - search.BATCH
    assert len(finds(store, loaded, "规定")) == 600


def test_two_builders_do_not_get_in_each_others_way(
    store: Store, another: Callable[[], Store], kit: SimpleNamespace
) -> None:
    loaded = kit.load(store, texts(kit, 600))
    other, asked = another(), []

    def meanwhile(_: int) -> None:
        asked.append(other.index.build(loaded.run.pk, lambda _: None, lambda: False))

    assert store.index.build(loaded.run.pk, meanwhile, lambda: False)
    assert asked and not any(asked)


def test_a_verdict_is_written_in_the_midst_of_a_build(
    store: Store, another: Callable[[], Store], kit: SimpleNamespace
) -> None:
    from triage.store import Act

    loaded = kit.load(store, texts(kit, 600))
    tagger = another()

    def tag(_: int) -> None:
        tagger.add_events(loaded.run, [Act("c1", "verdict", verdict="ranking")], kit.who())

    assert store.index.build(loaded.run.pk, tag, lambda: False)
    assert len(store.history("run", "c1")) >= 1


def test_an_index_goes_with_its_run(store: Store, kit: SimpleNamespace) -> None:
    loaded = kit.load(store, texts(kit, 60))
    assert build(store, loaded.run.pk)
    assert f"search_{loaded.run.pk}" in tables(store)
    store.remove(["run"])
    assert tables(store) == ["search_words"]
    with store.write() as sql:
        assert sql.execute(
            "SELECT (SELECT count(*) FROM search_words), (SELECT count(*) FROM searches)"
        ).fetchone() == (0, 0)


def test_the_index_of_an_older_revision_is_swept(store: Store, kit: SimpleNamespace) -> None:
    old = kit.load(store, texts(kit, 60))
    assert build(store, old.run.pk)
    new = kit.load(store, texts(kit, 61), sha256="1")
    assert build(store, new.run.pk)
    store.cleanup()
    assert [name for name in tables(store) if name.count("_") == 1] == [
        "search_words",
        f"search_{new.run.pk}",
    ]
    assert len(finds(store, new, "规定")) == 61


def test_a_run_that_is_removed_in_the_midst_of_a_build_leaves_nothing(
    store: Store, another: Callable[[], Store], kit: SimpleNamespace
) -> None:
    loaded = kit.load(store, texts(kit, 600))
    other = another()
    assert not store.index.build(loaded.run.pk, lambda _: other.remove(["run"]), lambda: False)
    assert tables(store) == ["search_words"]
    assert not build(store, loaded.run.pk)
    assert tables(store) == ["search_words"]


def test_texts_held_by_other_rules_are_not_asked_and_held_anew(
    store: Store, kit: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = kit.load(store, texts(kit, 60))
    assert build(store, loaded.run.pk)
    monkeypatch.setattr(search, "VERSION", "other")
    assert store.index.of(loaded.run.pk, "run") is None
    assert build(store, loaded.run.pk)
    assert len(finds(store, loaded, "规定")) == 60


def test_without_fts5_texts_are_looked_through(
    store: Store, kit: SimpleNamespace, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded = kit.load(store, texts(kit, 60))
    assert build(store, loaded.run.pk)
    monkeypatch.setattr(search, "available", lambda _: False)
    assert store.index.of(loaded.run.pk, "run") is None
    assert store.index.waiting(1) == []
    assert len(finds(store, loaded, "规定")) == 60
    store.remove(["run"])
    monkeypatch.undo()
    store.cleanup()
    assert tables(store) == ["search_words"]
