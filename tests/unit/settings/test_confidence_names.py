"""`confidence` takes the rules' reasons, and says which one may be meant."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage.settings import SettingError, load_settings


def test_the_rules_reasons_are_taken(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text("[confidence]\nno_citation = 0.72\nok = 1\n", "utf-8")
    settings = load_settings(tmp_path)
    assert settings.confidence == {"no_citation": 0.72, "ok": 1.0}
    assert settings.sureness.rules == (("no_citation", 0.72), ("ok", 1.0))


def test_an_unknown_reason_is_a_problem_that_names_the_nearest(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text("[confidence]\nno_citaton = 0.72\nno_citation = 0.5\n", "utf-8")
    with pytest.raises(SettingError, match=r"line 2: confidence\.no_citaton: no rule has this reason"):
        load_settings(tmp_path)
    lenient = load_settings(tmp_path, lenient=True)
    assert lenient.confidence == {"no_citation": 0.5}
    assert "did you mean no_citation?" in str(lenient.problems[0])


def test_a_number_beyond_one_is_a_problem(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text("confidence.no_citation = 72\n", "utf-8")
    with pytest.raises(SettingError, match="a number from 0 to 1"):
        load_settings(tmp_path)
