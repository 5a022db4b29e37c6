"""In tmux with its default settings every key arrives, the title is the pane's, and the screen is whole."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from driver import ROOT
from shells import HAS_TMUX, TRIAGE, Tmux, tmux

from triage.ui.keys import ACTIONS

pytestmark = pytest.mark.skipif(not HAS_TMUX, reason="tmux is not here")
NAMES = {
    "escape": "Escape", "enter": "Enter", "space": "Space", "tab": "Tab", "shift+tab": "BTab",
    "backspace": "BSpace", "pagedown": "PageDown", "pageup": "PageUp", "home": "Home", "end": "End",
    "up": "Up", "down": "Down", "left": "Left", "right": "Right", "delete": "DC",
}  # fmt: skip
"""tmux's names of keys by Textual's."""
KEYS = sorted({key for action in ACTIONS for key in (*action.keys, *action.aliases) if key != "no_key"})
ECHO = """
from textual.app import App
from textual.widgets import Static
class Echo(App):
    def compose(self):
        yield Static("ready", markup=False)
        self.seen = []
    def on_key(self, event):
        event.prevent_default()
        self.seen.append(event.character if event.is_printable else event.key)
        self.query_one(Static).update(" ".join(self.seen[-3:]) + " #" + str(len(self.seen)))
    async def action_quit(self): pass
    def action_command_palette(self): pass
    BINDINGS = []
Echo.ENABLE_COMMAND_PALETTE = False
Echo().run()
"""


def sent(server: Tmux, key: str) -> str:
    """Press a key by Textual's name; returns what Textual is to call it."""
    if key == "ideographic_space":
        server.press("-l", "　")
        return key
    if len(key) == 1:
        server.press("-l", key)
    elif key.startswith("ctrl+") and len(key) == 6:
        server.press(f"C-{key[-1]}")
    else:
        server.press(NAMES[key])
    return " " if key == "space" else key


def test_every_key_is_one_that_every_terminal_sends() -> None:
    for key in KEYS:
        plain = len(key) == 1 or key in NAMES or key == "ideographic_space"
        assert plain or (key.startswith("ctrl+") and len(key) == 6 and key[-1].isalpha()), key


def test_every_key_of_the_table_arrives_in_tmux(tmp_path: Path) -> None:
    program = tmp_path / "echo.py"
    program.write_text(ECHO)
    # ctrl+q is bound to quit by Textual's own App; ours is tried in the app itself.
    keys = [key for key in KEYS if key not in ("ctrl+q", "ctrl+c")]
    with tmux(tmp_path, f"{sys.executable} {program}", columns=80, rows=10) as server:
        server.wait("ready")
        for number, key in enumerate(keys, 1):
            name = sent(server, key)
            text = server.wait(lambda text, number=number: f"#{number}" in text, 5.0)
            line = next(line for line in text.splitlines() if f"#{number}" in line)
            assert line.split("#")[0].rstrip(" ").endswith(name.rstrip(" ")), (key, line)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    """The app in tmux, whose TERM is screen-256color."""
    folder = tmp_path_factory.mktemp("tmux")
    for name in ("support-zh-kb41.jsonl", "support-zh-kb42.jsonl"):
        shutil.copy(ROOT / "sample_runs" / name, folder / name)
    with tmux(folder, f"{TRIAGE} .", term="screen-256color") as made:
        made.wait("3 failing", 30.0)
        made.wait("E08")
        yield made


def test_the_pane_has_the_runs_title(server: Tmux) -> None:
    end = time.monotonic() + 10
    while server.title != "triage kb42 3 failing" and time.monotonic() < end:
        time.sleep(0.1)
    assert server.title == "triage kb42 3 failing"


def test_resizing_in_a_storm_leaves_the_same_case_selected(server: Tmux) -> None:
    server.press("j")
    server.wait(lambda text: any(line.startswith(">") and "E06" in line for line in text.splitlines()))
    for size in ((10, 3), (200, 60), (80, 24), (10, 3), (59, 14), (120, 40)) * 2:
        server.call("resize-window", "-t", "0", "-x", str(size[0]), "-y", str(size[1]))
        time.sleep(0.02)
    text = server.wait(lambda text: "3 failing" in text and "E06" in text and "1 retrieval" in text)
    assert any(line.startswith(">") and "E06" in line for line in text.splitlines())


def test_verdicts_moves_and_views_work_and_none_ends_the_app(server: Tmux) -> None:
    # A dialog's key needs an esc after it, which tmux joins with what follows at once.
    quiet = ("verdict", "move")
    for action in ACTIONS:
        if action.group in quiet and action.where == "screen" and "ask(" not in action.run:
            for key in action.keys:
                if key != "escape":
                    sent(server, key)
    server.wait(lambda text: "of 3 triaged" in text and "bug in triage" not in text)
    server.press("-l", "?")
    server.wait("take the verdict back")
    server.press("Escape")
    server.wait(lambda text: "take the verdict back" not in text and "of 3 triaged" in text)


def test_ctrl_q_quits_and_leaves_the_pane_its_own(server: Tmux) -> None:
    server.press("C-q")
    server.wait(lambda text: "of 3 triaged" not in text)
    assert not server.title.startswith("triage")
