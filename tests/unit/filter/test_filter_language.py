"""What a typed filter selects."""

from __future__ import annotations

from typing import Any

import pytest

from triage.errors import FilterError

ALL = "a1 a2 a3 a4 a5"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("", ALL),
        ("   ", ALL),
        # words
        ("退货", "a2"),
        ("退", "a2"),
        ("货政", "a2"),
        ("退款", ""),
        ("POL-358", "a3"),
        ("pol-358", "a3"),
        ("REFUND", ""),
        ("STRASSE", "a4"),
        ("istanbul", ""),
        ("i̇stanbul", "a4"),
        ("days can", "a1"),
        ("days OR can't", "a1 a3"),
        ('"7 days"', "a1"),
        ("“7 days”", "a1"),
        ("reranker off_line", "a2"),
        ("100% off", "a2"),
        ("1__% off", ""),
        # fields
        ("id:A3", "a3"),
        ("topic:refund", "a2"),
        ("topic:REFUND", "a2"),
        ("topic:refun", ""),
        ("topic:re*", "a2"),
        ("topic:?efund", "a2"),
        ("topic:*", "a1 a2 a3 a4"),
        ("topic:(refund OR privacy)", "a2 a3"),
        ("topic:(re* AND *fund)", "a2"),
        ("topic:(NOT refund)", "a1 a3 a4 a5"),
        ("topic:!refund", "a1 a3 a4 a5"),
        ("query:address", ""),
        ("query:地址", "a1"),
        ("query:CAN*paying", "a1"),
        ("answer:*", ALL),
        ("answer:days", "a1"),
        ('note:"100% off_line"', "a2"),
        ("note:*", "a2 a5"),
        ("evidence:charge", "a1"),
        ("error:*", "a4"),
        ("error:TIMEOUT", "a4"),
        ("answerable:true", "a1 a2"),
        ("answerable:false", "a3"),
        ("answerable:否", "a3"),
        ("-answerable:true", "a3 a4 a5"),
        ("refused:true", "a3"),
        ("refused:*", "a1 a2 a3"),
        ("passed:false", "a2"),
        ("high_risk:true", "a2"),
        ("expected:KB-1", "a1 a5"),
        ("expected:kb-2", "a2"),
        ("expected:KB", ""),
        ("expected:KB-*", "a1 a2 a5"),
        ("expected:*", "a1 a2 a5"),
        ("retrieved:kb-1", "a1 a5"),
        ("retrieved:*", "a1 a2 a3 a5"),
        ("cited:S1", "a1"),
        ("cited:*", "a1 a2"),
        ("rank:2", "a5"),
        ("rank:>1", "a5"),
        ("rank:<=2", "a1 a5"),
        ("NOT rank:1", "a2 a3 a4 a5"),
        ("kb_version:kb42", "a1"),
        ("kb_version:>kb41", "a1"),
        ("suggestion:ranking", "a5"),
        ("-suggestion:*", "a1 a3 a4"),
        ("reason:system_error", "a4"),
        ("confidence:>=.95", "a2 a4"),
        ("verdict:retrieval", "a2"),
        ("verdict:*", "a2 a3"),
        ("label:routing", "a2"),
        ("label:*", "a2"),
        ("reviewer:lee", "a3"),
        ("inferred:predicted_answerable", "a3"),
        ("turns:>2", "a3"),
        ("latency_ms:>1000", "a2"),
        ("latency_ms:[900 TO 2100]", "a1 a2"),
        ("latency_ms:{900 TO 2100]", "a2"),
        ("latency_ms:[* TO 900]", "a1"),
        ("latency_ms:900..1000", "a1"),
        ("latency_ms:..1000", "a1"),
        ("cost:0.5", "a4"),
        ("cost:(<.1 OR >=.5)", "a1 a4"),
        # metrics
        ("hit:0", "a2"),
        ("hit:*", "a1 a2 a5"),
        ("missing:hit", "a3"),
        ("missing:*", "a3"),
        ("faithfulness:<=2", "a2"),
        ("-faithfulness:<=2", "a1 a3 a4 a5"),
        ("mrr:[.5 TO 1}", "a5"),
        ("sentence_citation_coverage:*", ""),
        ("-sentence_citation_coverage:*", ALL),
        # states
        ("is:failing", "a2 a4 a5"),
        ("is:PASSING", "a1 a3"),
        ("is:reviewed", "a2 a3"),
        ("is:unreviewed", "a1 a4 a5"),
        ("is:tagged", "a2"),
        ("is:inferred", "a3"),
        ("is:high-risk", "a2"),
        ("is:high_risk", "a2"),
        ("is:marked", ""),
        ("is:disputed", ""),
        ("is:stale", ""),
        # the record's own keys
        ("meta.lang:zh", "a2"),
        ("meta.lang:*", "a1 a2"),
        ("meta:*", "a1 a2"),
        ("meta.ok:true", "a1"),
        ("meta.n:>2", "a1"),
        ("meta.n:3", "a1"),
        ("meta.tags:X", "a2"),
        (r"a.b.c\ d:1.5", "a4"),
        ('"a.b.c d":>1', "a4"),
        ("record.verdict:bad", "a2"),
        ("record.meta.lang:zh", "a2"),
        ("record.topic:refund", "a2"),
        ("-record.verdict:bad", "a1 a3 a4 a5"),
        # how they combine
        ('is:failing topic:refund -verdict:ranking faithfulness:<=2 "七天"', "a2"),
        ("is:failing && topic:refund || id:a1", "a1 a2"),
        ("id:a1||id:a2&&is:failing", "a1 a2"),
        ("is:failing !topic:refund", "a4 a5"),
        ("is:failing AND NOT topic:refund", "a4 a5"),
        ("NOT is:failing", "a1 a3"),
        ("-(is:failing topic:refund)", "a1 a3 a4 a5"),
        ("+is:failing -topic:refund", "a4 a5"),
        # a space is an AND like the word: it binds tighter than OR, wherever it stands
        ("id:a1 OR id:a2 is:failing", "a1 a2"),
        ("is:failing id:a2 OR id:a1", "a1 a2"),
        ("id:a1 OR id:a2 -is:passing", "a1 a2"),
        ("(id:a1 OR id:a2) is:failing", "a2"),
        # full-width marks
        ("topic：refund", "a2"),
        ("topic：（refund OR privacy）", "a2 a3"),
        ("is:failing “七天”", "a2"),
        ("is:failing\u3000topic:refund", "a2"),
        # more than one colon: the first is the field's
        ("id:kb:1", ""),
        ("query:kb:1", "a5"),
        # wildcards in quotes and after a backslash are characters
        ('query:"*star*"', "a5"),
        (r"query:\*star\*", "a5"),
        ('topic:"*"', ""),
        ("topic: refund", "a2"),
    ],
)
def test_text_selects(run: Any, text: str, ids: str) -> None:
    assert run.find(text) == ids


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("POL-358", "a3"),
        ("kb:1", "a5"),
        ("can't", "a3"),
        ("AND", "a5"),
        ("*", "a5"),
        ("(", "a5"),
        ("-3", "a3"),
        ('say "hi', "a5"),
        ("(there", "a5"),
        ("[S1]", "a1"),
        ("applies?", "a3"),
        ("!", ""),
        ("a && ", ""),
        ("AND star", ""),
    ],
)
def test_what_is_no_query_is_searched_literally(run: Any, text: str, ids: str) -> None:
    where = run.where(text)
    assert where.said == f"text: {text.strip()}"
    assert " ".join(run.run(where)) == ids
    assert not where.on_results


def test_literal_takes_any_syntax_as_text(run: Any) -> None:
    assert run.find("is:failing", literal=True) == ""
    assert run.find("kb:1 and *star*", literal=True) == "a5"
    assert run.where("is:failing", literal=True).said == "text: is:failing"


def test_bare_words_among_others_are_literal_too(run: Any) -> None:
    assert run.find("is:failing kb:1") == "a5"
    assert run.find("is:failing *star*") == "a5"
    assert run.find("is:failing s*r") == ""
    assert run.find("is:passing [S1]") == "a1"
    assert run.find("kb:1 OR POL-358") == "a3 a5"
    assert run.find("http://x.org is:failing") == ""


def test_a_full_width_colon_after_no_field_stays_as_typed(table: Any) -> None:
    table.add("n1", query="问题：退货", answer="x")
    table.add("n2", query="问题:退货", answer="x")
    assert table.find("问题：退货") == "n1"
    assert table.find("问题：退货 x") == "n1"


@pytest.mark.parametrize(
    ("text", "column"),
    [
        ("is:failing AND", 15),
        ("is:failing AND (", 16),
        ("is:failing )", 12),
        ("OR is:failing", 1),
        ("is:failing AND OR topic:x", 16),
        ("is:wrong", 4),
        ("id:a1 is:wrong", 10),
        ("is:carried", 4),
        ("is:known", 4),
        ("is:", 4),
        ("topic: AND is:failing", 8),
        ("(topic:)", 8),
        ("rank:two", 6),
        ("rank:>two", 7),
        ("rank:nan", 6),
        ("faithfulness:high", 14),
        ("answerable:maybe", 12),
        ("answerable:>1", 13),
        ("reviewed_at:yesterday", 13),
        ("reviewed_at:2026-13-01", 13),
        ("missing:topic", 9),
        ("query:>a", 8),
        ("is:failing () ", 13),
        ('topic:refund "open', 14),
        ("topic:[a TO", 7),
        ("topic:[a]", 7),
        ('topic:"a b"~2', 12),
        ("topic：refund （", 14),
        ("rank:>", 7),
    ],
)
def test_a_fault_beside_a_known_field_is_told_with_its_column(run: Any, text: str, column: int) -> None:
    with pytest.raises(FilterError) as caught:
        run.where(text)
    assert caught.value.column == column
    assert caught.value.exit_code == 2
    assert f"column {column}" in str(caught.value)
    assert "\n" not in str(caught.value)


def test_states_of_later_versions_say_so(run: Any) -> None:
    with pytest.raises(FilterError, match="not here yet"):
        run.where("is:regressed")


def test_marked_comes_from_the_screen_and_deferred_from_what_was_written(run: Any) -> None:
    run.context = {"marked": frozenset({run.pk("a1"), run.pk("a4")})}
    assert run.find("is:marked") == "a1 a4"
    assert run.find("is:deferred") == ""
    with run.store.write() as sql:
        sql.execute("UPDATE reviews_now SET deferred = 1 WHERE case_id = 'a2'")
    assert run.find("-is:marked is:deferred") == "a2"
    assert "a2" not in run.find("-is:deferred")


def test_many_marked_cases_are_no_problem(run: Any) -> None:
    run.context = {"marked": frozenset(range(300_000)) | {run.pk("a3")}}
    assert run.find("is:marked") == "a3"


def test_a_topic_is_found_by_its_other_words(run: Any) -> None:
    run.context = {"topic_aliases": {"account": "account_security", "security": "account_security"}}
    assert run.find("topic:security") == "a4"
    assert run.find("topic:account_security") == "a4"
    assert run.find("topic:refund") == "a2"


def test_at_me_is_the_one_who_filters(run: Any) -> None:
    run.context = {"reviewer": "Wei"}
    assert run.find("reviewer:@me") == "a2 a5"


def test_a_changed_record_makes_its_verdict_stale(table: Any) -> None:
    table.add("s1", query="x", review={"verdict": "ranking", "hash": "other"})
    table.add("s2", query="x", review={"verdict": "ranking"})
    table.add("s3", query="x", review={"note": "n", "hash": "other"})
    assert table.find("is:stale") == "s1"


def test_ours_win_bare_and_the_records_key_has_a_name_of_its_own(run: Any) -> None:
    assert run.find("verdict:bad") == ""
    assert run.find("record.verdict:bad") == "a2"


def test_a_key_inside_a_list_of_objects_counts_by_each_of_them(run: Any) -> None:
    run.more_keys.add("meta.tags.deep")
    assert run.find("meta.tags.deep:y") == "a2"


def test_empty_lists_are_recorded_and_empty(run: Any) -> None:
    assert run.find("retrieved:* -retrieved:KB*") == "a3"
    assert run.find("cited:* -cited:?*") == "a2"


def test_a_text_with_a_nul_or_beyond_ascii_is_searched_to_its_end(table: Any) -> None:
    table.add("z1", query="before\0after", answer="x")
    table.add("z2", query="50 \u212a", answer="x")
    table.add("z3", query="ΣΊΣΥΦΟΣ", answer="Größe")
    assert table.find("AFTER") == "z1"
    assert table.find("before\0AF") == "z1"
    assert table.find("50 k", literal=True) == "z2"
    assert table.find("σίσυφος") == "z3"
    assert table.find("GRÖSSE") == "z3"


def test_a_conversation_without_a_query_is_found_by_its_last_turn(table: Any) -> None:
    table.add("t1", turns=[{"user": "first"}, {"user": "怎么退货 Now"}])
    assert table.find("退货") == "t1"
    assert table.find("query:NOW") == "t1"


def test_a_long_text_is_one_literal_needle(table: Any) -> None:
    text = "long answer " * 4000
    table.add("l1", query="x", answer=text)
    assert table.find(text.strip()) == "l1"
    assert table.find("x" * 60_000) == ""


def test_lone_surrogates_do_no_harm(table: Any) -> None:
    table.add("u1", query="bad \ud83d end", answer="x")
    assert table.find("bad \ud83d", literal=True) == "u1"
    assert table.find("\udcff") == ""


@pytest.mark.parametrize(
    ("text", "on_results"),
    [
        ("topic:refund 退货", False),
        ("-topic:refund", False),
        ("is:failing", True),
        ("topic:refund OR -suggestion:ranking", True),
        ("reason:ok", True),
        ("confidence:>0", True),
        ("verdict:*", True),
        ("label:x", True),
        ("reviewer:x", True),
        ("hit:0", True),
        ("missing:hit", True),
        ("latency_ms:>1", False),
        ("meta.lang:zh", False),
    ],
)
def test_a_filter_tells_whether_it_speaks_of_results(run: Any, text: str, on_results: bool) -> None:
    assert run.where(text).on_results is on_results
