"""A bug of ours leaves a report in a file, so that the screen or a command can say where it is.

The report holds no values of variables, only where in the program it happened and with what message.
"""

from __future__ import annotations

import contextlib
import os
import sys
import traceback
from datetime import UTC, datetime
from pathlib import Path

from triage import __version__, paths
from triage.plain import plain

EXIT_CODE = 70
"""Exit code of a program that ended by a bug of its own (`EX_SOFTWARE` of sysexits.h)."""
MOST_REPORTS = 20
_LONGEST_MESSAGE = 300


def logged(error: BaseException) -> str:
    """Write a report and return its path; "" where it can't be written.

    The same bug has one file, however often it shows.
    """
    # Imported here because it loads OpenSSL, which a start would wait for.
    from hashlib import sha256

    frames = traceback.extract_tb(error.__traceback__)
    where = "".join(f"{Path(frame.filename).name}:{frame.lineno} " for frame in frames)
    name = sha256(f"{type(error).__name__} {where}".encode("utf-8", "replace")).hexdigest()[:8]
    path = paths.log_dir() / f"triage-bug-{name}.txt"
    with contextlib.suppress(OSError):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(report(error), encoding="utf-8", errors="backslashreplace")
        _thin(path.parent)
        return str(path)
    return ""


def _thin(folder: Path) -> None:
    found = sorted(folder.glob("triage-bug-*.txt"), key=lambda path: path.stat().st_mtime)
    for path in found[:-MOST_REPORTS]:
        path.unlink()


def report(error: BaseException) -> str:
    """What helps to find a bug: versions, platform, terminal, traceback; control characters as marks."""
    # Imported here because a start needs neither.
    import platform
    from importlib.metadata import PackageNotFoundError, version

    versions = [f"triage {__version__}", f"Python {platform.python_version()}"]
    for package in ("textual", "rich"):
        with contextlib.suppress(PackageNotFoundError):
            versions.append(f"{package.capitalize()} {version(package)}")
    terminal = [
        f"{name}={os.environ[name]}"
        for name in ("TERM", "COLORTERM", "TERM_PROGRAM", "LANG", "LC_ALL", "NO_COLOR")
        if name in os.environ
    ]
    terminal += [word for name, word in (("TMUX", "in tmux"), ("SSH_TTY", "over ssh")) if name in os.environ]
    with contextlib.suppress(OSError, AttributeError, ValueError):
        size = os.get_terminal_size(sys.__stderr__.fileno() if sys.__stderr__ is not None else 2)
        terminal.append(f"{size.columns}x{size.lines}")
    lines = [
        "A bug in triage. Please report it with this file.",
        "It holds no values of variables; the message of an error may quote a few words of the data.",
        "",
        f"when      {datetime.now(UTC).isoformat(timespec='seconds')}",
        f"versions  {', '.join(versions)}",
        f"platform  {platform.platform()}",
        f"terminal  {' '.join(terminal) or 'unknown'}",
        "",
        *_trace(error),
    ]
    return plain("\n".join(lines)) + "\n"


def _trace(error: BaseException) -> list[str]:
    lines: list[str] = []
    shown = traceback.TracebackException.from_exception(error, capture_locals=False)
    for line in shown.format():
        for part in line.rstrip("\n").split("\n"):
            lines.append(part if len(part) <= _LONGEST_MESSAGE else part[:_LONGEST_MESSAGE] + " ...")
    return lines


def sentence(error: BaseException | None) -> str:
    """What a person is told after the app ended by a bug."""
    path = logged(error) if error is not None else ""
    where = f"; the report is {path}" if path else ""
    return f"triage: bug in triage, it had to end{where}. What you tagged is in the database."
