"""The real program with settings and themes that can't be used, or that change under it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from driver import ROOT, Terminal

RUN = str(min((ROOT / "sample_runs").rglob("*.jsonl")))


def leave(terminal: Terminal) -> None:
    terminal.press("q")
    assert terminal.end() == 0


def test_it_starts_whatever_the_settings_say_and_follows_them(tmp_path: Path) -> None:
    (tmp_path / ".git").mkdir()
    settings = tmp_path / "triage.toml"
    settings.write_text('advance = "no"\n[keys]\nundo = "n"\nfoo = [', "utf-8")
    with Terminal([RUN], tmp_path) as terminal:
        terminal.wait(lambda text: "triage.toml, line 4" in text.replace("\n", " "))
        terminal.wait("u undo")
        terminal.wait("live")
        # Following looks every half second, and from its first look on.
        terminal.rest(1.2)
        settings.write_text('[keys]\nundo = "w"\nhelp = "n"\n', "utf-8")
        terminal.wait(lambda text: "w undo" in text and "n help" in text)
        leave(terminal)


@pytest.mark.parametrize("name", ["029_theme_bad_colour.toml", "029_theme_broken.yaml"])
def test_a_bad_theme_file_leaves_the_default(
    tmp_path: Path, shared: Callable[[str], Path], name: str
) -> None:
    with Terminal(["--theme", str(shared(f"bugfiles/{name}")), RUN], tmp_path) as terminal:
        terminal.wait(lambda text: name in text and "undo" in text)
        leave(terminal)


def test_an_unknown_theme_of_the_command_line_is_wrong_usage(tmp_path: Path) -> None:
    with Terminal(["--theme", "triage-drak", RUN], tmp_path) as terminal:
        terminal.wait("did you mean triage-dark?")
        assert terminal.end() == 2
