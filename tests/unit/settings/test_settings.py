"""Settings: which file wins, and what is said of a wrong one."""

from __future__ import annotations

from pathlib import Path

import pytest

from triage import paths
from triage.errors import UsageError
from triage.settings import FALLBACK_PHRASES, SettingError, Settings, load_settings


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    settings = load_settings(tmp_path)
    assert settings.failing_confidence == 0.4
    assert settings.advance
    assert settings.sources == ()


def test_the_project_lies_over_the_user_key_by_key(tmp_path: Path) -> None:
    own = 'reviewer = "wei"\ntheme = "x"\n[keys]\na = "1"\nb = "2"\n[run]\nmodel = "m1"\n'
    write(paths.config_file(), own)
    write(tmp_path / "triage.toml", 'theme = "y"\n[keys]\nb = "3"\n"c.d" = "4"\n[run]\nkb_version = "kb42"\n')
    settings = load_settings(tmp_path)
    assert (settings.reviewer, settings.theme) == ("wei", "y")
    assert settings.keys == {"a": "1", "b": "3", "c.d": "4"}
    assert settings.header == {"model": "m1", "kb_version": "kb42"}
    assert len(settings.sources) == 2


def test_references_are_changed_one_by_one(tmp_path: Path) -> None:
    write(tmp_path / "triage.toml", "[reference]\nhit = 0.9\nrelevancy = 3\n")
    reference = load_settings(tmp_path).reference
    assert (reference["hit"], reference["relevancy"]) == (0.9, 3.0)
    assert {**Settings().reference, "hit": 0.9, "relevancy": 3.0} == reference


def test_dotted_map_targets_keep_their_dots(tmp_path: Path) -> None:
    write(tmp_path / "triage.toml", '[map]\nscores.faithfulness = "scores.RL_F"\n"passed" = "labels.pass"\n')
    assert load_settings(tmp_path).mapping == {"scores.faithfulness": "scores.RL_F", "passed": "labels.pass"}


def test_the_nearest_file_is_found_upward_to_the_repository(tmp_path: Path) -> None:
    write(tmp_path / "triage.toml", 'theme = "outside"\n')
    repository = tmp_path / "repo"
    (repository / ".git").mkdir(parents=True)
    deep = repository / "a" / "b"
    deep.mkdir(parents=True)
    assert load_settings(deep).theme is None
    write(repository / "pyproject.toml", '[tool.triage]\ntheme = "inside"\n')
    assert load_settings(deep).theme == "inside"


def test_a_broken_project_file_that_does_not_speak_of_us_is_let_alone(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "[project\nname=")
    assert load_settings(tmp_path) == Settings()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("advance = maybe", "line 1"),
        ('them = "x"', "did you mean theme?"),
        ('advance = "no"', "line 1: advance: true or false"),
        ("failing_confidence = 4", "failing_confidence: a number from 0 to 1"),
        ('labels = "a"', "labels: a list of texts"),
        ("[topic_words]\nrefund = [1]", "line 2: topic_words.refund: a list of texts"),
        ("[map]\npassed = 3", "line 2: map.passed: a text"),
        ("reference = 1", "line 1: reference: a table of numbers"),
        ("[reference]\nhit = 1.2", "line 2: reference.hit: a number from 0 to 1"),
        ("[reference]\nfaithfulness = 0.8", "line 2: reference.faithfulness: a number from 1 to 5"),
        ("[reference]\nhits = 1", "line 2: reference.hits: one of data_problems, hit,"),
        ("[reference]\nhit = true", "line 2: reference.hit: a number from 0 to 1"),
        ("[tool.triage]\nadvance = true", "line 1: tool (here the settings stand without [tool.triage])"),
        ("\npoll_seconds = " + "9" * 400, "line 2: poll_seconds: a number above 0"),
        ("failing_confidence = " + "9" * 400, "failing_confidence: a number from 0 to 1"),
        ("# \u2028 \x85\nadvance = 1", "line 2: advance"),
        ("\n[run]\nk = " + "9" * 5000, "line 3: a number has too many digits"),
        ("x = " + "[" * 3000, "is nested too deeply"),
        ("x = " + "{a=" * 3000 + "1" + "}" * 3000, "is nested too deeply"),
    ],
)
def test_a_wrong_setting_names_file_place_and_reason(tmp_path: Path, text: str, said: str) -> None:
    path = write(tmp_path / "triage.toml", text)
    with pytest.raises(UsageError) as caught:
        load_settings(tmp_path)
    assert str(path) in str(caught.value)
    assert said in str(caught.value)
    assert caught.value.exit_code == 2


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[tool]\ntriage = {advance = 3}\n", "line 2: advance: true or false"),
        ('["tool"."triage"]\nadvance = 3\n', "line 2: advance: true or false"),
        ("tool.triage.advance = 3\n", "line 1: advance: true or false"),
        ("[tool]\ntriage = 3\n", "line 2: tool.triage: a table is wanted"),
        ("[[tool.triage]]\nadvance = true\n", "line 1: tool.triage: a table is wanted"),
    ],
)
def test_our_table_of_a_project_is_found_however_it_is_written(tmp_path: Path, text: str, said: str) -> None:
    write(tmp_path / "pyproject.toml", text)
    with pytest.raises(UsageError) as caught:
        load_settings(tmp_path)
    assert said in str(caught.value)


@pytest.mark.parametrize(
    "text", ["tool = 3\n# triage\n", '[project]\ndependencies = ["triage"\n', "triage = 3"]
)
def test_a_project_that_names_us_elsewhere_is_let_alone(tmp_path: Path, text: str) -> None:
    write(tmp_path / "pyproject.toml", text)
    assert load_settings(tmp_path).sources == ()


def test_settings_that_are_not_utf8_are_told(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_bytes(b'theme = "\xff"')
    with pytest.raises(UsageError, match="UTF-8"):
        load_settings(tmp_path)


def test_own_fallback_phrases_stand_beside_ours_or_alone(tmp_path: Path) -> None:
    write(tmp_path / "triage.toml", 'fallback_phrases = ["请稍后再试"]\n')
    assert load_settings(tmp_path).fallback_phrases == (*FALLBACK_PHRASES, "请稍后再试")
    write(tmp_path / "triage.toml", 'builtin_fallbacks = false\nfallback_phrases = ["请稍后再试"]\n')
    assert load_settings(tmp_path).fallback_phrases == ("请稍后再试",)


@pytest.mark.parametrize("topic", ["refund", "Privacy", "account_security", "security", "转人工", "handoff"])
def test_high_risk_topics_and_their_aliases(topic: str) -> None:
    assert Settings().is_high_risk(topic)


@pytest.mark.parametrize("topic", [None, "", "shipping", "refunds"])
def test_other_topics_are_not_high_risk(topic: str | None) -> None:
    assert not Settings().is_high_risk(topic)


@pytest.mark.parametrize(
    ("query", "topic"),
    [
        ("钱什么时候退回来啊", "refund"),
        ("给我转人工，现在还有人吗", "human_handoff"),
        ("退款还没到，给我转人工", "human_handoff"),
        ("How do I reset my PASSWORD?", "account_security"),
        ("where is my parcel", "shipping"),
        ("parcels", None),
        ("今天天气怎么样", None),
        ("", None),
    ],
)
def test_the_words_of_a_query_tell_its_topic(query: str, topic: str | None) -> None:
    assert Settings().topic_of(query) == topic


def test_no_topic_words_tell_no_topic() -> None:
    assert Settings(topic_words={}).topic_of("退款") is None


def test_what_cannot_be_used_is_left_out_and_listed_where_the_app_starts(tmp_path: Path) -> None:
    text = 'advence = false\nadvance = false\nfailing_confidence = 7\n[keys]\nundo = "z"\nredo = 3\n'
    path = write(tmp_path / "triage.toml", text)
    settings = load_settings(tmp_path, lenient=True)
    assert (settings.advance, settings.failing_confidence) == (False, 0.4)
    assert settings.keys == {"undo": "z"}
    told = [(error.path, error.line, error.key, error.reason) for error in settings.problems]
    assert told == [
        (path, 1, "advence", ""),
        (path, 3, "failing_confidence", "a number from 0 to 1 is wanted"),
        (path, 6, "keys.redo", "a text or a list of texts is wanted"),
    ]
    assert settings.problems[0].hint == "did you mean advance?"


def test_a_file_that_does_not_parse_leaves_the_others_in_force(tmp_path: Path) -> None:
    write(paths.config_file(), "advance = false\n")
    path = write(tmp_path / "triage.toml", 'theme = "x"\n\nkeys = {\n')
    settings = load_settings(tmp_path, lenient=True)
    assert (settings.advance, settings.theme) == (False, None)
    assert [(error.path, error.line) for error in settings.problems] == [(path, 3)]
    with pytest.raises(SettingError, match="line 3"):
        load_settings(tmp_path)


def test_it_is_known_which_file_set_what(tmp_path: Path) -> None:
    own = write(paths.config_file(), 'theme = "a"\nkeys.undo = "z"\n')
    project = write(tmp_path / "pyproject.toml", '[tool.triage]\ntheme = "b"\nkeys.redo = ["Z", ","]\n')
    settings = load_settings(tmp_path)
    assert settings.origins == {"theme": (project,), "keys": (own, project)}
    assert settings.keys == {"undo": "z", "redo": "Z,comma"}
    write(project, "[tool.triage]\n[tool.triage.topic_words]\nrefund = 1\n")
    with pytest.raises(SettingError, match=r"line 3: topic_words\.refund"):
        load_settings(tmp_path)
