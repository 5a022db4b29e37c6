"""`triage settings` and `triage themes`: what is in effect, where it is from, what is wrong."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest

from triage import paths
from triage.cli import main
from triage.settings import Settings, load_settings
from triage.settings.table import SETTINGS
from triage.ui.keymap import keyboard
from triage.ui.keys import ACTIONS


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test stands in a project of its own."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()
    monkeypatch.setenv("TERM", "xterm-256color")
    monkeypatch.setenv("COLORTERM", "truecolor")


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as caught:
        main(words)
    out, err = capsys.readouterr()
    return int(caught.value.code or 0), out, err


def test_every_setting_is_printed_with_where_it_is_from(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "triage.toml").write_text('theme = "triage-light"\n[keys]\nundo = "w"\n', "utf-8")
    code, out, _ = run(capsys, "settings")
    assert code == 0
    rows = {line.split()[0]: line for line in out.splitlines()}
    assert set(rows) == {setting.name for setting in SETTINGS} | {"setting"}
    assert "triage.toml" in rows["theme"] and '"triage-light"' in rows["theme"]
    assert "default" in rows["advance"] and "true" in rows["advance"]
    assert "$TRIAGE_REVIEWER" in rows["reviewer"]
    code, out, _ = run(capsys, "settings", "--format", "json")
    data = json.loads(out)
    assert data["settings"]["keys"]["value"] == {"undo": "w"}
    assert data["settings"]["keys"]["from"] == [str(tmp_path / "triage.toml")]
    assert data["settings"]["advance"] == {
        "value": True, "default": True, "from": ["default"], "holds": "at once"
    }  # fmt: skip
    assert (code, data["problems"]) == (0, [])


def test_what_is_wrong_is_told_with_its_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "triage.toml"
    path.write_text('advence = 1\n[keys]\nundo = "n"\n"verdict.rankin" = "x"\n', "utf-8")
    code, out, err = run(capsys, "settings", "--format", "json")
    assert code == 2
    problems = json.loads(out)["problems"]
    assert problems[0] == {
        "file": str(path), "line": 1, "key": "advence", "reason": "unknown setting",
        "hint": "did you mean advance?",
    }  # fmt: skip
    assert f"{path}, line 3: keys.undo: n is undo, so not note as well" in err
    assert f"{path}, line 4: keys.verdict.rankin: no such action (did you mean verdict.ranking?)" in err
    code, _, err = run(capsys, "runs")
    assert code == 2 and "line 1: advence" in err


def uncommented(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(line[1:] if line.startswith("#") and line[1:2] != "#" else line for line in lines)


def test_the_file_written_explains_everything_and_uncommented_is_the_default(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, _, err = run(capsys, "settings", "--write")
    own = paths.config_file()
    assert code == 0 and str(own) in err
    assert load_settings(tmp_path).origins == {}
    text = own.read_text("utf-8")
    assert all(f"#keys.{action.id} = " in text or f'#keys."{action.id}" = ' in text for action in ACTIONS)
    own.write_text(uncommented(text), "utf-8")
    settings = load_settings(tmp_path)
    assert tomllib.loads(uncommented(text))["keys"]["undo"] == "u"
    for setting in SETTINGS:
        if setting.name != "keys":
            assert setting.of(settings) == setting.of(Settings()), setting.name
    assert keyboard(settings.keys) == ({}, {}, [])
    code, _, err = run(capsys, "settings", "--write")
    assert code == 1 and "--force" in err
    assert own.read_text("utf-8") == uncommented(text)
    code, _, _ = run(capsys, "settings", "--write", "--path", str(tmp_path / "sub" / "triage.toml"))
    assert code == 0 and (tmp_path / "sub" / "triage.toml").read_text("utf-8") == text
    code, _, _ = run(capsys, "settings", "--write", "--force")
    assert code == 0 and own.read_text("utf-8") == text


def test_themes_are_listed_with_the_one_in_use_and_the_bad_files(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = paths.theme_dir()
    folder.mkdir(parents=True)
    (folder / "mine.toml").write_text('name = "mine"\ndark = false\n', "utf-8")
    (folder / "bad.toml").write_text('name = "bad"\n[roles]\nbg = "#12"\nbgg = "red"\n', "utf-8")
    (folder / "other.yaml").write_text("name: other\n", "utf-8")
    (tmp_path / "triage.toml").write_text('theme = "mine"\n', "utf-8")
    code, out, err = run(capsys, "themes")
    assert code == 1
    assert "bad.toml, line 3: roles.bg: '#12' is no colour" in err
    assert "bad.toml, line 4: roles.bgg: is not known" in err
    assert "mine is in use, as the settings say" in err
    rows = {line.split()[-3]: line for line in out.splitlines()[1:] if len(line.split()) >= 3}
    assert [line.split()[1] for line in out.splitlines() if line.startswith(">")] == ["mine"]
    assert "16 colours" in out and len(rows) >= 5
    code, out, _ = run(capsys, "themes", "--format", "json")
    data = json.loads(out)
    assert [theme["name"] for theme in data["themes"]] == [
        "mine", "triage-ansi", "triage-contrast", "triage-dark", "triage-light", "triage-okabe"
    ]  # fmt: skip
    assert [theme["name"] for theme in data["themes"] if theme["in_use"]] == ["mine"]
    assert data["themes"][0] == {
        "name": "mine", "kind": "light", "file": str(folder / "mine.toml"), "in_use": True
    }  # fmt: skip
    assert [(one["line"], one["key"]) for one in data["problems"]] == [
        (3, "roles.bg"), (4, "roles.bgg"), (1, "name")
    ]  # fmt: skip
    assert data["folder"] == str(folder)


def test_an_unknown_theme_of_the_settings_is_said(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text('theme = "gone"\n', "utf-8")
    code, _, err = run(capsys, "themes")
    assert code == 1
    assert "triage-dark is in use: the settings say gone, which is no theme" in err
