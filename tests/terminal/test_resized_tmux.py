"""A pane of tmux that was made narrow and wide again: every sign of the app stands in it."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from driver import ROOT
from shells import HAS_TMUX, TRIAGE, Tmux, tmux

pytestmark = pytest.mark.skipif(not HAS_TMUX, reason="tmux is not here")


def rested(server: Tmux) -> str:
    """The pane's text once it stands still."""
    text, before = server.text, ""
    while text != before:
        time.sleep(0.5)
        text, before = server.text, text
    return text


def test_a_wide_sign_cut_by_a_narrower_pane_takes_no_other_along(tmp_path: Path) -> None:
    for path in (ROOT / "sample_runs").glob("*.jsonl"):
        shutil.copy(path, tmp_path)
    with tmux(tmp_path, f"{TRIAGE} .") as server:
        server.wait("failing 23 of 72", 30.0)
        server.wait("asked")
        # The detail has wide signs across column 80; tmux keeps the half that is out of sight.
        rested(server)
        server.call("resize-window", "-t", "0", "-x", "80", "-y", "24")
        rested(server)
        server.press("R")
        server.wait("failing  ")
        server.call("resize-window", "-t", "0", "-x", "120", "-y", "40")
        server.wait("under ")
        text = rested(server)
        figures = [line for line in text.splitlines() if "nDCG@3" in line or "labelled" in line]
        assert "nDCG@3    .912" in text and "under     .167" in text and "labelled  .949" in text, figures
        server.press("C-q")
