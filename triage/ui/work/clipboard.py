"""Ways to a clipboard, and what is known of each: only a program that took the text is told as a success."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from typing import NamedTuple

OSC_LIMIT = 74_000
"""Most bytes that terminals take at once as a clipboard text."""
_SECONDS = 3.0
_DEAF = ("linux", "dumb", "vt100", "vt220", "cons25")
"""Terminals by TERM that have no clipboard."""


class Way(NamedTuple):
    """A program that takes a text on its standard input; `says` is where the text then is."""

    command: Sequence[str]
    says: str
    encoding: str = "utf-8"


def ways(env: Mapping[str, str]) -> list[Way]:
    """The programs that may have a clipboard here, the nearest to the user first.

    Over ssh only tmux: every other clipboard would be that of the machine far away.
    """
    found: list[Way] = []
    if env.get("TMUX"):
        # -w hands the text on to the terminal outside, where tmux knows how.
        found += [
            Way(("tmux", "load-buffer", "-w", "-"), "in tmux's buffer"),
            Way(("tmux", "load-buffer", "-"), "in tmux's buffer"),
        ]
    if not (env.get("SSH_CONNECTION") or env.get("SSH_TTY")):
        local = []
        if sys.platform == "darwin":
            local.append(Way(("pbcopy",), "on the clipboard"))
        if env.get("WAYLAND_DISPLAY"):
            local.append(Way(("wl-copy",), "on the clipboard"))
        if env.get("DISPLAY"):
            local.append(Way(("xclip", "-selection", "clipboard"), "on the clipboard"))
            local.append(Way(("xsel", "--clipboard", "--input"), "on the clipboard"))
        if env.get("WSL_DISTRO_NAME") or sys.platform == "win32":
            local.append(Way(("clip.exe",), "on the clipboard", "utf-16-le"))
        found = [*local, *found]
    return [way for way in found if shutil.which(way.command[0], path=env.get("PATH"))]


def put(text: str, env: Mapping[str, str]) -> str:
    """Give a text to the first program that takes it; returns where it now is, "" = nowhere."""
    for way in ways(env):
        try:
            done = subprocess.run(
                way.command,
                input=text.encode(way.encoding, "replace"),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=_SECONDS,
                env=dict(env),
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired):
            continue
        if done.returncode == 0:
            return way.says
    return ""


def terminal_may_take(env: Mapping[str, str]) -> bool:
    """May the terminal have a clipboard that OSC 52 reaches? No terminal ever answers whether it did."""
    if env.get("TERM", "").split("-")[0] in _DEAF or env.get("TERM_PROGRAM") == "Apple_Terminal":
        return False
    # GNU screen hands nothing on, and tmux hands it on only from its own buffer.
    return not env.get("STY") and not env.get("TMUX")
