"""Entries put into a settings file whose other bytes stay."""

from __future__ import annotations

import tomllib

import pytest

from triage.settings.mending import Unmendable, with_entries

TABLE = ("confidence",)


def test_an_empty_file_gets_the_table() -> None:
    assert with_entries("", TABLE, {"no_citation": 0.72}) == "[confidence]\nno_citation = 0.72\n"


@pytest.mark.parametrize("text", ["advance = false\n", "advance = false", "# only a comment\n", "\n\n"])
def test_a_file_without_the_table_gets_it_at_its_end(text: str) -> None:
    found = with_entries(text, TABLE, {"ok": 0.5, "no_citation": 0.25})
    assert found.startswith(text)
    assert tomllib.loads(found)["confidence"] == {"ok": 0.5, "no_citation": 0.25}


def test_an_entry_is_changed_where_it_stands_with_its_comment() -> None:
    text = "[confidence] # ours\n  no_citation   = .5  # why\nok = 0.8\n\n[keys]\nundo = 'z'\n"
    text = text.replace(".5", "0.5")
    found = with_entries(text, TABLE, {"no_citation": 0.72})
    assert found == text.replace("0.5", "0.72")


def test_a_new_entry_goes_to_the_end_of_its_table_before_the_next_one() -> None:
    text = "[confidence]\nok = 0.8\n\n# about keys\n[keys]\nundo = 'z'\n"
    found = with_entries(text, TABLE, {"no_citation": 0.72})
    assert tomllib.loads(found) == {"confidence": {"ok": 0.8, "no_citation": 0.72}, "keys": {"undo": "z"}}
    assert [line for line in found.split("\n") if line != "no_citation = 0.72"] == text.split("\n")


def test_lines_of_windows_stay_so() -> None:
    text = "[confidence]\r\nok = 0.8\r\n[keys]\r\nundo = 'z'\r\n"
    found = with_entries(text, TABLE, {"ok": 0.7, "no_citation": 0.5})
    assert found == "[confidence]\r\nok = 0.7\r\nno_citation = 0.5\r\n[keys]\r\nundo = 'z'\r\n"
    assert with_entries("advance = true\r\n", TABLE, {"ok": 0.5}).count("\r\n") == 4


def test_a_table_without_a_last_line_end() -> None:
    found = with_entries("[confidence]\nok = 0.8", TABLE, {"no_citation": 0.5})
    assert found == "[confidence]\nok = 0.8\nno_citation = 0.5\n"


def test_dotted_names_and_a_project_file() -> None:
    found = with_entries("confidence.ok = 0.8\nadvance = true\n", TABLE, {"no_citation": 0.5, "ok": 0.6})
    assert found == "confidence.no_citation = 0.5\nconfidence.ok = 0.6\nadvance = true\n"
    text = "[project]\nname = 'x'\n\n[tool.triage]\nadvance = true\n"
    found = with_entries(text, ("tool", "triage", "confidence"), {"ok": 0.5})
    assert found == text + "\n[tool.triage.confidence]\nok = 0.5\n"
    again = with_entries(found, ("tool", "triage", "confidence"), {"ok": 0.4})
    assert again == found.replace("0.5", "0.4")


@pytest.mark.parametrize(
    "text",
    ["confidence = { ok = 0.8 }\n", "confidence = 3\n", "[confidence]\nok = = 1\n", "confidence = [\n]\n"],
)
def test_what_can_not_be_changed_safely_is_refused(text: str) -> None:
    with pytest.raises(Unmendable):
        with_entries(text, TABLE, {"no_citation": 0.5})
