"""What lies under the palette or a dialog comes back whole as that shrinks, wide signs too."""

from __future__ import annotations

import shutil
from pathlib import Path

from driver import ROOT, Terminal


def test_what_a_shrinking_box_uncovers_is_whole(tmp_path: Path) -> None:
    shutil.copy(ROOT / "sample_runs" / "support-zh-kb42.jsonl", tmp_path)
    with Terminal(["support-zh-kb42.jsonl"], tmp_path) as terminal:
        terminal.wait("verdicts none yet")
        terminal.rest()
        whole = terminal.lines[26:38]
        assert any("\u4e00" <= sign <= "\u9fff" for line in whole for sign in line)
        for opens, asks, typed, first in (
            ("ctrl+p", "what do you want", "theme", "choose a theme"),
            ("s", "type to narrow", "the file", "as in the file"),
        ):
            terminal.press(opens)
            assert asks in terminal.text and terminal.lines[26:38] != whole
            terminal.press(*typed)
            assert first in terminal.text and terminal.lines[26:38] == whole
            terminal.press("esc")
            terminal.rest()
