"""What counts as a citation marker in an answer, and what only looks like one."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triage.citations import forms
from triage.citations.markers import RANGE_LIMIT, cited_ids, find_markers

Shared = Callable[[str], Path]


def test_pinned_answers_cite_what_they_cite(shared: Shared) -> None:
    held = 0
    for case in json.loads(shared("vectors/citation_markers.json").read_text("utf-8"))["cases"]:
        # A marker without a sentence of its own is dropped with it, once sentences are read.
        if not case["sentences"]:
            continue
        right = dict.fromkeys(name for sentence in case["sentences"] for name in sentence["citations"])
        assert cited_ids(case["text"]) == list(right), case["text"]
        held += 1
    assert held == 34


@pytest.mark.parametrize("case", range(6))
def test_common_styles(case: int, shared: Shared) -> None:
    line = shared("bugfiles/098_styles_basic.jsonl").read_text("utf-8").splitlines()[case]
    assert cited_ids(json.loads(line)["answer"]) == ["S1", "S2"]


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("a [S1, S2; 3]", ["S1", "S2", "3"]),
        ("a [S1-S3]", ["S1", "S2", "S3"]),
        ("a [S1-3]", ["S1", "S2", "S3"]),
        ("a [1–3, 5]", ["1", "2", "3", "5"]),
        ("到账［Ｓ１；Ｓ３］", ["S1", "S3"]),
        ("到账【１～３】", ["1", "2", "3"]),
        ("到账[S1；S3]", ["S1", "S3"]),
        ("a [ S1 ]", ["S1"]),
        ("a [KB-REFUND-TIME, KB-X]", ["KB-REFUND-TIME", "KB-X"]),
        ("a [chunk_12][doc-7][FAQ3]", ["chunk_12", "doc-7", "FAQ3"]),
        ("a [S9]", ["S9"]),
        ("the neonate[3][4].", ["3", "4"]),
        ("Vitamin days[1]", ["1"]),
        ("in 2024[1]", ["1"]),
        ("Straße[3]", ["3"]),
        ("补充维生素C[3]。", ["3"]),
        ("It is so.[2]", ["2"]),
        ("到账[1]（仅限国内）", ["1"]),
        ("paid [1] (see below)", ["1"]),
        ("paid [1](note: in 3.5 days)", ["1"]),
        ("[S1]", ["S1"]),
        ("a [citation:3][citation: 4]", ["3", "4"]),
        ("到账[资料1]，见[来源：KB-X]", ["1", "KB-X"]),
        ("[ref: KB-REFUND] [KB-REFUND]", ["KB-REFUND"]),
        ("a [Source 2]", ["2"]),
        ("到账【3†source】【4:0†a.md】", ["3", "4:0"]),
        ("到账〔1〕", ["1"]),
        ("a [[1]](https://a.com/x_(y)) and [[2]](#n)", ["1", "2"]),
        ("a [^1] and ^[2]^", ["1", "2"]),
        ("fees<sup>1</sup><sup>[2]</sup><sup>3,4</sup>", ["1", "2", "3", "4"]),
        ("到账（来源：KB-X；KB-Y）(source: 2)（见资料3）", ["KB-X", "KB-Y", "2"]),
        ("到账（S1、S2）(S1-S3)", ["S1", "S2", "S3"]),
        ("到账①。取消②③，完成④\n", ["1", "2", "3", "4"]),
    ],
)
def test_markers(text: str, ids: list[str]) -> None:
    assert cited_ids(text) == ids


@pytest.mark.parametrize(
    "text",
    [
        "see [the help](https://a.com) and [1](https://a.com/x) and ![2](./a.png)",
        "- [ ] open\n- [x] done\n- [X] done",
        "read a[1], rows_2[3], obj.list[0], x2[4], m[1][2]",
        "use `items[1]` and\n```\nfirst = values[2]\n```",
        "```scratch\nset [Score v] to [0]\n```",
        "the list `[1, 2]` holds two",
        "open 9:00-21:00",
        "【温馨提示】[图片] [OK] [sic] [e.g.] [A-Z] [well-known] [Jean-Pierre] [2024-01-01] [2024]",
        "arr[i-1]",
        "[1, see above]",
        "[S3-S1] [1-S3] [1-100]",
        "[] [,] [1,] [\n1]",
        "",
        "①先申请；②再寄回。③ 完成",
        "(1) one (2) two (COVID-19) (FAQ7) (1、2)",
        "m<sup>2</sup> and 10<sup>3</sup>",
        "[^1]: https://a.com/x",
        "[参考资料] [来源] [see above]",
    ],
)
def test_not_markers(text: str) -> None:
    assert find_markers(text) == []


def test_an_id_of_any_shape_is_a_marker_where_it_is_known() -> None:
    text = "未发货可改[退货-流程]，见[refund policy]［ＫＢ－１］[10482]。[x]"
    assert cited_ids(text) == ["KB-1"]
    known = {"退货-流程", "refund policy", "ＫＢ－１", "10482", "x"}
    assert cited_ids(text, known) == ["退货-流程", "refund policy", "ＫＢ－１", "10482"]


def test_offsets_are_those_of_the_original_text() -> None:
    text = "退款到账［Ｓ１］，快【2】。"
    markers = find_markers(text)
    assert [(marker.text, marker.ids) for marker in markers] == [("［Ｓ１］", ("S1",)), ("【2】", ("2",))]
    assert all(text[marker.start : marker.end] == marker.text for marker in markers)


def test_a_range_longer_than_the_limit_is_an_interval() -> None:
    assert len(cited_ids(f"[1-{RANGE_LIMIT}]")) == RANGE_LIMIT
    assert cited_ids(f"[1-{RANGE_LIMIT + 1}]") == []


@given(st.text(alphabet="[]［］【】(),;、-–S1２3KBx` a._\n退\x1b(http://", max_size=60))
def test_markers_never_overlap_and_always_name_something(text: str) -> None:
    end = 0
    for marker in find_markers(text):
        assert marker.start >= end
        assert marker.ids
        assert text[marker.start : marker.end] == marker.text
        end = marker.end


@given(st.lists(st.integers(1, 99), min_size=1, max_size=6), st.sampled_from([", ", "、", "；", ","]))
def test_a_list_gives_its_numbers_once_in_order(numbers: list[int], separator: str) -> None:
    inner = separator.join(map(str, numbers))
    assert cited_ids(f"好的[{inner}]。") == [str(number) for number in dict.fromkeys(numbers)]


def test_a_family_of_markers_is_one_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "curly.py").write_text(
        "import re\nPLACE = 90\nOPENERS = '{'\nHINT = '{'\n"
        "def find(page):\n"
        "    for match in re.finditer(r'{([0-9]+)}', page.text):\n"
        "        yield match.start(), match.end(), (match.group(1),)\n",
        "utf-8",
    )
    monkeypatch.setattr(forms, "__path__", [*forms.__path__, str(tmp_path)])
    forms.forms.cache_clear()
    forms.openers.cache_clear()
    try:
        assert cited_ids("到账{7}。[S1]") == ["7", "S1"]
    finally:
        monkeypatch.undo()
        forms.forms.cache_clear()
        forms.openers.cache_clear()
    assert cited_ids("到账{7}。[S1]") == ["S1"]
