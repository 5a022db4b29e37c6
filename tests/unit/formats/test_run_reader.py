"""Whole files: any shape of JSON, what is rejected and where, in flat memory."""

from __future__ import annotations

import gzip
import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from triage.errors import TriageError, UsageError
from triage.formats import RawRecord, RunReader, load_options, read_run
from triage.formats import window as windows
from triage.models.run import LoadOptions
from triage.settings import Settings

GOOD = [{"id": "a", "query": "one"}, {"id": "b", "query": "退货"}]
Shared = Callable[[str], Path]


def write(path: Path, content: str | bytes) -> Path:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


def read(
    path: Path, options: LoadOptions | None = None, settings: Settings | None = None
) -> tuple[RunReader, list[RawRecord]]:
    with read_run(path, options or LoadOptions(), settings or Settings()) as reader:
        return reader, list(reader)


def ids(records: list[RawRecord]) -> list[str]:
    return [record.data.id for record in records if record.data is not None]


def reasons(records: list[RawRecord]) -> list[tuple[int | None, str | None, str]]:
    return [
        (one.line, one.case, one.reason)
        for record in records
        for one in record.problems
        if one.level == "record"
    ]


LINES = "\n".join(json.dumps(record, ensure_ascii=False) for record in GOOD)
PRETTY = json.dumps(GOOD, indent=2, ensure_ascii=False)


@pytest.mark.parametrize(
    ("name", "content", "format"),
    [
        ("a.jsonl", LINES, "jsonl"),
        ("a.json", LINES, "jsonl"),
        ("a.jsonl", PRETTY, "json"),
        ("a.json", json.dumps(GOOD), "json"),
        ("a.txt", json.dumps({"cases": GOOD}), "json"),
        ("a.jsonl", json.dumps({"cases": GOOD}, indent=1), "json"),
        ("a.json", '{"cases": [\n' + ",\n".join(LINES.split("\n")) + "\n]}", "json"),
        ("a.jsonl", "\n".join(json.dumps(record, indent=4) for record in GOOD), "json"),
        ("a.jsonl", "".join(json.dumps(record) for record in GOOD), "json"),
        ("a.jsonl", f"[{json.dumps(GOOD[0])}]\n[{json.dumps(GOOD[1])}]\n", "json"),
        ("a.jsonl", "\ufeff" + LINES, "jsonl"),
        ("a.json", "\ufeff" + PRETTY, "json"),
        ("a.jsonl", "\r\n\r\n" + LINES.replace("\n", "\r\n") + "\r\n \r\n", "jsonl"),
    ],
)
@pytest.mark.parametrize("zipped", [False, True])
def test_content_decides_not_the_name(
    tmp_path: Path, name: str, content: str, format: str, zipped: bool
) -> None:
    data = gzip.compress(content.encode()) if zipped else content.encode()
    reader, records = read(write(tmp_path / name, data))
    assert ids(records) == ["a", "b"]
    assert (reader.records, reader.rejected, reader.format) == (2, 0, format)
    assert [json.loads(record.raw) for record in records] == GOOD
    assert reader.done_bytes == reader.total_bytes == len(data)


@pytest.mark.parametrize("key", ["results", "records", "data"])
def test_a_list_under_another_key_is_taken_and_named(tmp_path: Path, key: str) -> None:
    content = {"version": 3, "tags": ["x"], "meta": {"cases": 2}, key: GOOD, "run": {"id": "r9"}}
    reader, records = read(write(tmp_path / "a.json", json.dumps(content, indent=1)))
    assert ids(records) == ["a", "b"]
    assert reader.warnings == [f"no `cases`: the records are read from `{key}`"]
    assert reader.header.id == "r9"


def test_several_lists_that_could_be_meant_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="results, records"):
        read(write(tmp_path / "a.json", json.dumps({"results": GOOD, "records": GOOD})))


def test_an_object_without_records_is_read_as_one(tmp_path: Path) -> None:
    _, records = read(write(tmp_path / "a.json", json.dumps({"version": 1, "names": ["x"]})))
    assert reasons(records) == [(1, None, "no usable id: it is absent")]


def test_a_single_pretty_record_is_one(tmp_path: Path) -> None:
    record = {**GOOD[0], "retrieved": [{"id": "A"}], "labels": [{"x": 1}]}
    _, records = read(write(tmp_path / "a.json", json.dumps(record, indent=2)))
    assert ids(records) == ["a"]


@pytest.mark.parametrize("order", [("run", "cases"), ("cases", "run")])
def test_the_header_may_stand_before_or_behind(tmp_path: Path, order: tuple[str, str]) -> None:
    content = {"run": {"id": "r1", "k": 5}, "cases": GOOD}
    path = write(tmp_path / "a.json", json.dumps({key: content[key] for key in order}, indent=1))
    with read_run(path, LoadOptions(), Settings()) as reader:
        known = [reader.header_known for _ in reader]
        assert known == [order[0] == "run"] * 2
        assert (reader.header.id, reader.header.k) == ("r1", 5)
        assert reader.header_known


def test_the_first_line_may_be_a_header(tmp_path: Path) -> None:
    reader, records = read(write(tmp_path / "a.jsonl", '{"run": {"id": "r1", "who": "me"}}\n' + LINES))
    assert ids(records) == ["a", "b"]
    assert [record.line for record in records] == [2, 3]
    assert reader.header.id == "r1"
    assert reader.header.extra == {"who": "me"}


def test_a_record_may_have_a_key_called_run(tmp_path: Path) -> None:
    _, records = read(write(tmp_path / "a.jsonl", '{"run": {"id": "r1"}, "id": "a", "query": "q"}'))
    assert ids(records) == ["a"]


def test_a_second_header_is_rejected_with_its_line(tmp_path: Path) -> None:
    _, records = read(write(tmp_path / "a.jsonl", LINES + '\n{"run": {"id": "r1"}}'))
    assert reasons(records) == [(3, None, "a run header stands here, but only the first line can be one")]


def test_only_the_listed_faults_reject_and_lines_are_physical(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "query": "one"}', "", "{broken}", "[1, 2]", "7", '{"query": "no id"}', '{"id": "c"}',
        '{"id": "a", "query": "again"}', '{"id": "d", "query": "fine", "scores": "odd"}',
    ]  # fmt: skip
    reader, records = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    assert ids(records) == ["a", "d"]
    assert (reader.records, reader.rejected) == (2, 6)
    assert [(line, case) for line, case, _ in reasons(records)] == [
        (3, None), (4, None), (5, None), (6, None), (7, "c"), (8, "a"),
    ]  # fmt: skip
    said = [reason for _, _, reason in reasons(records)]
    assert said[0].startswith("broken JSON: ")
    assert said[1] == "the record is no object but a list of 2"
    assert said[5] == "id 'a' was seen before, in line 1: line 8 is left out"


def test_numbers_and_texts_that_are_the_same_id_collide(tmp_path: Path) -> None:
    lines = [f'{{"id": {given_id}, "query": "q"}}' for given_id in ("1", "1.0", '"1"', '"1.0"')]
    _, records = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    assert ids(records) == ["1", "1.0"]
    assert len(reasons(records)) == 2


def test_a_broken_record_in_a_list_takes_only_itself_along(tmp_path: Path) -> None:
    text = '[{"id": "a", "query": "q"},\n {"id": "b", "query": },\n {"id": "c", "query": "say "hi" now"},\n'
    text += ' {"id": "d", "query": "odd " quote"},\n 5, {"id": "e", "query": "q"}]'
    reader, records = read(write(tmp_path / "a.json", text))
    assert ids(records) == ["a", "e"]
    assert [line for line, _, _ in reasons(records)] == [2, 3, 4, 5]
    assert reader.records + reader.rejected == 6


@pytest.mark.parametrize(
    "text", ['[{"id": "a", "query": "q"}, {"id": "b", "qu', '{"cases": [{"id": "a", "query": "q"}, {"id']
)
def test_a_list_that_is_cut_off_keeps_what_is_whole(tmp_path: Path, text: str) -> None:
    _, records = read(write(tmp_path / "a.json", text))
    assert ids(records) == ["a"]
    assert reasons(records) == [(2, None, "the file ends in the middle of this record")]


def test_a_list_without_its_end_is_told(tmp_path: Path) -> None:
    reader, records = read(write(tmp_path / "a.json", '[{"id": "a", "query": "q"},\n'))
    assert ids(records) == ["a"]
    assert reader.warnings == ["the list of records is not closed: the file may be cut off"]


def test_bytes_that_are_not_utf8_are_told_for_their_line_alone(tmp_path: Path) -> None:
    lines = b'{"id": "a", "query": "q"}\n{"id": "b", "query": "\xff\xfe"}\n{"id": "c", "query": "q"}\n'
    _, records = read(write(tmp_path / "a.jsonl", lines))
    assert ids(records) == ["a", "c"]
    assert reasons(records) == [(2, None, "not UTF-8: byte 0xff at byte 23 of the line")]
    _, records = read(write(tmp_path / "a.json", b"[" + lines.strip().replace(b"\n", b",") + b"]"))
    assert ids(records) == ["a", "c"]
    assert reasons(records) == [(2, None, "not UTF-8: byte 0xff at character 23")]


def test_utf16_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(TriageError, match="not UTF-8"):
        read(write(tmp_path / "a.jsonl", LINES.encode("utf-16")))


def test_a_line_cut_inside_a_character_is_told(shared: Shared) -> None:
    _, records = read(shared("bugfiles/042_truncated.jsonl"))
    assert ids(records) == ["ok-1", "ok-2"]
    assert reasons(records) == [(3, None, "broken JSON: cut off inside a character")]


def test_lone_surrogates_load_and_stay_in_the_raw_text(tmp_path: Path) -> None:
    line = '{"id": "a\\ud800", "query": "\\udfff", "meta": {"\\ud801": 1}}'
    _, records = read(write(tmp_path / "a.jsonl", line))
    record = records[0].data
    assert record is not None
    assert (record.id, record.query, record.extra) == ("a\\ud800", "\\udfff", {"meta": {"\\ud801": 1}})
    assert records[0].raw == line


def test_nesting_and_numbers_beyond_reason_reject_their_record(tmp_path: Path) -> None:
    lines = [
        '{"id": "a", "query": "q", "x": ' + "[" * 9000 + "]" * 9000 + "}",
        LINES,
        '{"id": ' + "9" * 5000 + "}",
    ]
    _, records = read(write(tmp_path / "a.jsonl", "\n".join(lines)))
    assert ids(records)[-2:] == ["a", "b"]


def test_no_number_is_counted_in_a_warning(shared: Shared) -> None:
    reader, records = read(shared("bugfiles/040_nan.jsonl"))
    assert ids(records) == ["n1", "n2", "n3", "n4"]
    assert reader.warnings == ["score: 2 values are no finite number and not recorded"]
    assert [record.data.extra["score"] for record in records if record.data] == [None, None, 0.5, None]


@pytest.mark.parametrize("name", ["053_empty.jsonl", "053_blank_only.jsonl", "053_empty_array.json"])
def test_files_without_records(shared: Shared, name: str) -> None:
    reader, records = read(shared(f"bugfiles/{name}"))
    assert records == []
    assert (reader.records, reader.rejected, reader.warnings) == (0, 0, [])


@pytest.mark.parametrize(
    ("name", "count"),
    [
        ("038_bom.jsonl", 2), ("043_no_final_newline.jsonl", 2), ("045_crlf_blank.jsonl", 3),
        ("047_array_in.jsonl", 2),
        ("047_lines_in.json", 2), ("047_wrapper.json", 2), ("054_run.jsonl.gz", 2), ("057_extras.jsonl", 1),
        ("069_int_doc_ids.jsonl", 2), ("001_markup_crash.jsonl", 4), ("007_ansi_osc.jsonl", 2),
    ],
)  # fmt: skip
def test_others_trouble_files_load(shared: Shared, name: str, count: int) -> None:
    reader, records = read(shared(f"bugfiles/{name}"))
    assert (len(ids(records)), reader.rejected) == (count, 0)


def test_truth_values_in_all_their_forms(shared: Shared) -> None:
    _, records = read(shared("bugfiles/070_bool_forms.jsonl"))
    read_as = {record.data.id: record.data.answerable for record in records if record.data}
    assert read_as == {
        "b1": False,
        "b2": False,
        "b3": False,
        "b4": True,
        "b5": True,
        "b6": False,
        "b7": None,
        "b8": None,
    }
    told = [(one.line, one.case, one.field) for record in records for one in record.problems]
    assert told == [(7, "b7", "answerable"), (8, "b8", "answerable"), (8, "b8", "predicted_answerable")]


def test_the_text_of_a_record_is_kept_as_it_came(shared: Shared) -> None:
    path = shared("bugfiles/007_ansi_osc.jsonl")
    _, records = read(path)
    assert [record.raw for record in records] == path.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize(
    "folder", ["expertqa", "mtrag_answers", "mtrag_retrieval", "nomiracl_zh", "tau_airline", "mtragun_judged"]
)
def test_real_runs_load_whole_and_without_a_problem(shared: Shared, folder: str) -> None:
    expected = json.loads((shared(f"realdata/{folder}") / "expected_values.json").read_text(encoding="utf-8"))
    for name, values in expected["runs"].items():
        reader, records = read(shared(f"realdata/{folder}") / f"{name}.jsonl")
        assert (reader.records, reader.rejected, reader.warnings) == (values["records"], 0, [])
        read_as = [record.data.answerable for record in records if record.data]
        assert read_as.count(True) == values["answerable"]["true"]
        assert read_as.count(None) == values["answerable"]["none"]
        messages = sum(len(record.data.history or ()) for record in records if record.data)
        assert messages == values["turn_messages"]
        assert not any(record.problems for record in records)


def test_our_own_export_is_read_back(tmp_path: Path) -> None:
    lines = [
        {"run": "r1", "case_id": "a", "record": GOOD[0], "suggestion": {}, "verdict": None, "history": []},
        {
            "run": "r1",
            "case_id": "m",
            "record": {"query": "mapped"},
            "suggestion": {},
            "verdict": None,
            "history": [],
        },
    ]
    reader, records = read(write(tmp_path / "a.jsonl", "\n".join(map(json.dumps, lines))))
    assert ids(records) == ["a", "m"]
    assert json.loads(records[0].raw) == GOOD[0]
    assert reader.warnings == ["an export of triage: the records inside it are read"]


def test_a_mapping_reaches_fields_that_sit_elsewhere(tmp_path: Path) -> None:
    record = {
        "meta": {"case": 7}, "input": {"text": "q"}, "labels": {"pass": "fail", "a.b": 3}, "refused": True,
        "docs": [{"doc": {"id": "A"}}, {"doc": {"id": "B"}}], "scores": {"RL_F": 0.5}, "picked": False,
        "outs": ["x", "y"],
    }  # fmt: skip
    options = load_options(
        ["id=meta.case", "query=input.text", "passed=labels.pass", "scores.faithfulness=scores.RL_F",
         "retrieved=docs.doc.id",
         "predicted_answerable=picked", "latency_ms=labels.a.b", "answer=outs.1", "topic=nowhere.to.be.seen"]
    )  # fmt: skip
    reader, records = read(write(tmp_path / "a.jsonl", json.dumps(record)), options)
    data = records[0].data
    assert data is not None
    assert (data.id, data.query, data.passed, data.latency_ms, data.answer) == ("7", "q", False, 3, "y")
    assert data.retrieved_ids == ["A", "B"]
    assert data.predicted_answerable is False
    assert data.scores == {"RL_F": 0.5, "faithfulness": 0.5}
    assert data.extra["labels"] == {"pass": "fail", "a.b": 3}
    assert reader.warnings == ["no record has nowhere.to.be.seen, which is to be read as topic"]


def test_the_settings_mapping_lies_below_the_options(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", '{"id": "a", "q1": "one", "q2": "two", "t": "x"}')
    settings = Settings(mapping={"query": "q1", "topic": "t"})
    data = read(path, load_options(["query=q2"]), settings)[1][0].data
    assert data is not None
    assert (data.query, data.topic) == ("two", "x")


def test_the_header_has_settings_below_it_and_set_above(tmp_path: Path) -> None:
    header = {
        "run": {"model": "m1", "k": 5, "retrieval": {"top_k": 3, "reranker": None}, "dataset": {"name": "d"}}
    }
    path = write(tmp_path / "a.jsonl", json.dumps(header) + "\n" + LINES)
    settings = Settings(header={"model": "m0", "kb_version": "kb1", "retrieval": {"embedding": "bge"}})
    options = load_options(sets=["k=7", "retrieval.top_k=9", "dataset.version=3", "score_scale=0-1"])
    built = read(path, options, settings)[0].header
    assert (built.model, built.kb_version, built.k, built.score_scale) == ("m1", "kb1", 7, "0-1")
    assert built.retrieval == {"embedding": "bge", "top_k": 9, "reranker": None}
    assert (built.dataset.name, built.dataset.version) == ("d", "3")


def test_a_header_field_that_cannot_be_read_is_told(tmp_path: Path) -> None:
    header = {"run": {"k": 0, "score_scale": "1-10", "created_at": "yesterday", "model": "m"}}
    reader, _ = read(write(tmp_path / "a.jsonl", json.dumps(header) + "\n" + LINES))
    assert [(problem.level, problem.line, problem.field) for problem in reader.problems] == [
        ("field", 1, "run.k"), ("field", 1, "run.score_scale"), ("field", 1, "run.created_at"),
    ]  # fmt: skip
    assert (reader.header.k, reader.header.score_scale, reader.header.created_at) == (3, "1-5", None)


@pytest.mark.parametrize(
    ("maps", "sets", "said"),
    [
        (["passd=x"], [], "did you mean passed?"),
        (["query.text=x"], [], "query has no parts"),
        (["passed"], [], "write --map FIELD=PATH"),
        ([], ["datset.name=x"], "did you mean dataset?"),
        ([], ["k=0"], 'k: "0" is no whole number from 1 on'),
        ([], ["k=two"], 'k: "two" is no whole number'),
        ([], ["score_scale=1-10"], "neither 1-5 nor 0-1"),
        ([], ["dataset.nam=x"], "a dataset has a name and a version"),
        ([], ["created_at=soon"], "no ISO 8601 time"),
        ([], ["k"], "write --set KEY=VALUE"),
    ],
)
def test_options_that_mean_nothing_are_refused(maps: list[str], sets: list[str], said: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_options(maps, sets)
    assert said in str(caught.value)


def test_set_values_have_the_type_their_key_wants() -> None:
    words = ["id=2026", "kb_version=42", "k=5", "retrieval.top_k=3", "retrieval.rerank=false",
             "retrieval.name=bge=m3",
             "kb_ids=KB-1, KB-2", "dataset=support", "created_at=2026-11-28T10:00:00+08:00"]  # fmt: skip
    assert load_options(sets=words).header == {
        "id": "2026", "kb_version": "42", "k": 5, "retrieval.top_k": 3, "retrieval.rerank": False,
        "retrieval.name": "bge=m3", "kb_ids": ["KB-1", "KB-2"], "dataset": {"name": "support"},
        "created_at": "2026-11-28T02:00:00+00:00",
    }  # fmt: skip


@pytest.mark.parametrize("missing", ["no such file", "a folder", "no permission"])
def test_files_that_cannot_be_opened_say_what_to_do(
    tmp_path: Path, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "a.jsonl"
    if missing == "a folder":
        path.mkdir()
    elif missing == "no permission":
        write(path, LINES)

        def refuse(*_: Any, **__: Any) -> None:
            raise PermissionError(13, "Permission denied")

        monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(TriageError) as caught:
        read(path)
    assert missing in str(caught.value)
    assert str(path) in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("content", [LINES, PRETTY])
def test_zipped_data_that_is_cut_off_keeps_what_came(tmp_path: Path, content: str) -> None:
    many = content.replace("one", "one" + "".join(str(number * number) for number in range(9000)))
    data = gzip.compress(many.encode())
    reader, records = read(write(tmp_path / "a.gz", data[: len(data) - 20]))
    told = reasons(records)
    assert told[-1][2].startswith("the zipped data is cut off or spoilt")
    assert reader.records + reader.rejected == len(records) <= 2


@pytest.mark.parametrize("wrap", ["lines", "list", "object"])
def test_memory_stays_flat(tmp_path: Path, wrap: str) -> None:
    texts = [
        json.dumps({"id": str(number), "query": "q", "answer": "x" * 2000}, indent=1)
        for number in range(6000)
    ]
    if wrap == "lines":
        content = "\n".join(text.replace("\n", "") for text in texts)
    else:
        content = "[" + ",\n".join(texts) + "]"
        content = f'{{"other": [1], "cases": {content}}}' if wrap == "object" else content
    path = write(tmp_path / "a.json", content)
    tracemalloc.start()
    with read_run(path, LoadOptions(), Settings()) as reader:
        assert sum(record.data is not None for record in reader) == 6000
        peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < path.stat().st_size / 2


def test_a_header_longer_than_the_first_look_is_still_a_header(tmp_path: Path) -> None:
    header = json.dumps({"run": {"id": "r1", "kb_ids": [f"KB-{number}" for number in range(60_000)]}})
    reader, records = read(write(tmp_path / "a.jsonl", header + "\n" + LINES))
    assert ids(records) == ["a", "b"]
    assert reader.header.kb_ids is not None
    assert len(reader.header.kb_ids) == 60_000


TEXT = st.text(st.characters(codec="utf-8"), max_size=20)
RECORD = st.fixed_dictionaries(
    {"query": TEXT}, optional={"answer": TEXT, "meta": st.lists(TEXT | st.floats(allow_nan=False))}
)


@examples(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(RECORD, min_size=1, max_size=6), st.sampled_from([None, 0, 3]), st.booleans(), st.integers(5, 70)
)
def test_every_shape_gives_the_same_records(
    tmp_path: Path, records: list[dict[str, Any]], indent: int | None, ascii_only: bool, chunk: int
) -> None:
    records = [{"id": str(number), **record} for number, record in enumerate(records)]
    lines = "\n".join(json.dumps(record, ensure_ascii=ascii_only) for record in records)
    as_list = json.dumps(records, indent=indent, ensure_ascii=ascii_only)
    as_object = json.dumps(
        {"a": [{"x": "[{"}], "cases": records, "run": {}}, indent=indent, ensure_ascii=ascii_only
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(windows, "CHUNK", chunk)
        read_as = []
        for content in (lines, as_list, as_object):
            reader, found = read(write(tmp_path / "x", content))
            assert reader.rejected == 0
            read_as.append(
                [(record.data.model_dump(), json.loads(record.raw)) for record in found if record.data]
            )
    assert read_as[0] == read_as[1] == read_as[2]
    assert [raw for _, raw in read_as[0]] == records
