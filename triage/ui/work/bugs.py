"""A bug of ours leaves a report in a file, so that the screen or a command can say where it is.

The report holds no values of variables, only where in the program it happened and with what message, less
what that quotes.
"""

from __future__ import annotations

import contextlib
import os
import re
import sys
import traceback
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from triage import __version__, paths
from triage.plain import plain

EXIT_CODE = 70
"""Exit code of a program that ended by a bug of its own (`EX_SOFTWARE` of sysexits.h)."""
MOST_REPORTS = 20
_LONGEST_MESSAGE = 200
# What may be of the data: text in quotes, and all that is no ASCII.
_QUOTED = re.compile(r"'[^']*'?|\"[^\"]*\"?|[^\x20-\x7e]+")
_NAME = re.compile(r"(['\"])[A-Za-z_][\w.]{0,39}\1", re.ASCII)
"""A name in quotes, as of an attribute or a key."""


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


def in_words(error: BaseException, doing: str) -> str:
    """What a person is told of a bug that showed while something was being done, and where its report is."""
    log = logged(error)
    return f"bug in triage while {doing}" + (f", the report is {log}" if log else "")


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
        "It holds no values of variables, and of the messages of errors not what they quote.",
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
    return list(_lines(traceback.TracebackException.from_exception(error, capture_locals=False)))


def _lines(shown: traceback.TracebackException) -> Iterator[str]:
    """An error's lines, what led to it before it; of its message the first line, without what it quotes."""
    before = shown.__cause__ or (None if shown.__suppress_context__ else shown.__context__)
    if before is not None:
        yield from _lines(before)
        yield "which led to:" if shown.__cause__ is not None else "and while that was dealt with:"
    if shown.stack:
        yield "Traceback (most recent call last):"
        yield from "".join(shown.stack.format()).rstrip("\n").split("\n")
    message = next(shown.format_exception_only(), "").split("\n")[0]
    message = _QUOTED.sub(_unquoted, message)
    yield message if len(message) <= _LONGEST_MESSAGE else message[:_LONGEST_MESSAGE] + " ..."
    for one in shown.exceptions or ():
        yield from _lines(one)


def _unquoted(quoted: re.Match[str]) -> str:
    return quoted[0] if _NAME.fullmatch(quoted[0]) else "..."


def sentence(error: BaseException | None) -> str:
    """What a person is told after the app ended by a bug."""
    path = logged(error) if error is not None else ""
    where = f"; the report is {path}" if path else ""
    return f"triage: bug in triage, it had to end{where}. What you tagged is in the database."
