"""How alike two queries are."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from triage.similar import FEW, LEAST, MOST, Search, grams, normal, similarity

TEXTS = st.text(alphabet="退款多久到账ab c1,。？Ａ\0", max_size=14)


def test_case_width_and_marks_count_for_nothing() -> None:
    assert similarity("Refund, when?", "ｒｅｆｕｎｄ when") == 1.0
    assert similarity("退款，多久到账？", "退款多久到账") > 0.7
    assert similarity("", "退款") == 0.0 and similarity("?!", "?!") == 0.0


def test_other_words_of_the_same_letters_are_less_alike_than_the_same_words_in_another_order() -> None:
    query = "when will my refund arrive"
    assert (
        similarity(query, "my refund, when will it arrive")
        > 0.8
        > 0.4
        > similarity(query, "where is the farm")
    )
    assert similarity("钱什么时候退回来啊", "退款什么时候能退回来") > LEAST


@given(TEXTS, TEXTS)
def test_similarity_is_mutual_and_between_none_and_whole(one: str, other: str) -> None:
    value = similarity(one, other)
    assert value == similarity(other, one) and 0 <= value <= 1
    assert similarity(one, one) == (1.0 if grams(normal([one])[0]) else 0.0)


@given(st.lists(TEXTS, min_size=1, max_size=30), st.integers(1, 7))
def test_a_search_in_portions_finds_what_comparing_each_finds(texts: list[str], portion: int) -> None:
    search = Search(texts[0])
    for start in range(0, len(texts), portion):
        search.look(normal(texts[start : start + portion]))
    found = search.found()
    scores = {place: similarity(texts[0], text) for place, text in enumerate(texts)}
    best = sorted(scores, key=lambda place: (-scores[place], place))
    similar = [place for place in best if scores[place] >= LEAST]
    assert [one.place for one in found if one.score >= LEAST] == similar[:MOST]
    assert [one.place for one in found] == best[: len(found)] and len(found) >= min(len(similar), FEW)
    assert all(one.score == scores[one.place] for one in found)


def test_at_most_so_many_are_told_and_they_are_the_best() -> None:
    texts = ["退款多久到账", *(f"退款多久到账{'啊' * (n % 5)}呢" for n in range(3 * MOST))]
    search = Search(texts[0])
    search.look(normal(texts))
    found = search.found()
    assert len(found) == MOST and found[0].place == 0
    least = min(one.score for one in found)
    better = [place for place, text in enumerate(texts) if similarity(texts[0], text) > least]
    assert set(better) <= {one.place for one in found}
