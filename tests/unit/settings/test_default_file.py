"""The commented default file says every setting, and means nothing until a line is uncommented."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

from triage.settings import Settings, load_settings
from triage.settings.lines import line_of
from triage.settings.table import SETTINGS, Setting, settings_table
from triage.settings.written import WIDTH, default_file

ACTIONS = [("note", "n", "write a note"), ("note.save", "ctrl+s", "save it"), ("palette.x", "", "none")]


def uncommented(text: str) -> str:
    lines = text.splitlines()
    return "\n".join(line[1:] if line.startswith("#") and line[1:2] != "#" else line for line in lines)


def test_as_written_it_sets_nothing(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text(default_file(ACTIONS), "utf-8")
    assert tomllib.loads(default_file(ACTIONS)) == {}
    settings = load_settings(tmp_path)
    assert settings.origins == {}
    assert all(setting.of(settings) == setting.default for setting in SETTINGS)


def test_uncommented_it_gives_the_defaults(tmp_path: Path) -> None:
    (tmp_path / "triage.toml").write_text(uncommented(default_file(ACTIONS)), "utf-8")
    settings = load_settings(tmp_path)
    assert settings.problems == ()
    for setting in SETTINGS:
        if setting.name != "keys":
            assert setting.of(settings) == setting.default, setting.name
    assert settings.keys == {"note": "n", "note.save": "ctrl+s", "palette.x": ""}
    spoken = {setting.name for setting in SETTINGS if setting.default not in (None, (), {})}
    assert set(settings.origins) == spoken | {"keys"}


def test_any_line_of_it_may_be_uncommented_alone(tmp_path: Path) -> None:
    lines = default_file(ACTIONS).splitlines()
    for at, line in enumerate(lines):
        if line.startswith("#") and line[1:2] not in "# ]" and not line.endswith("["):
            one = "\n".join([*lines[:at], line[1:], *lines[at + 1 :]])
            (tmp_path / "triage.toml").write_text(one, "utf-8")
            assert len(load_settings(tmp_path).origins) == 1, line


@pytest.mark.parametrize("setting", SETTINGS, ids=lambda setting: setting.name)
def test_every_example_can_be_read(setting: Setting, tmp_path: Path) -> None:
    if setting.example:
        (tmp_path / "triage.toml").write_text(setting.example, "utf-8")
        assert load_settings(tmp_path).origins.keys() == {setting.name}


def test_every_field_of_the_settings_is_in_the_table_and_the_file() -> None:
    own = {"sources", "origins", "problems"}
    assert {setting.attribute for setting in SETTINGS} == set(Settings.__struct_fields__) - own
    text = default_file()
    for setting in SETTINGS:
        assert f"\n## {setting.name}: {setting.kind.wants}" in text
        assert f"| `{setting.name}` |" in settings_table()
    assert max(len(line) for line in text.splitlines()) <= WIDTH


TEXT = """\
# theme = 1
theme = 'x' # =
"advance" = true
labels = [
  "a]", # ]
  "theme = 2",
]
doc = '''
theme = 3
late = 4
'''
topic_words."转人工" = []
[ keys ]
undo = "["
'note.save' = 'x'
late = 1
"""


@pytest.mark.parametrize(
    ("key", "line"),
    [
        (("theme",), 2),
        (("advance",), 3),
        (("labels",), 4),
        (("missing",), None),
        (("topic_words", "转人工"), 12),
        (("keys",), 13),
        (("keys", "undo"), 14),
        (("keys", "note.save"), 15),
        (("keys", "redo"), 13),
        (("keys", "late"), 16),
        (("late",), None),
    ],
)
def test_a_key_is_found_in_its_line(key: tuple[str, ...], line: int | None) -> None:
    assert line_of(TEXT, key) == line
