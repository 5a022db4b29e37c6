"""From words to an exit code: what goes wrong becomes one line on standard error."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import sys

from triage.cli.output import say
from triage.errors import TriageError

INTERRUPTED = 130
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


def _prepare(stream: object) -> None:
    """JSON and exports are UTF-8 wherever they go; a terminal keeps its own encoding."""
    if isinstance(stream, io.TextIOWrapper):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def run(argv: list[str]) -> int:
    """Run the command that `argv` names and return its exit code (cli.md, "Exit codes")."""
    _prepare(sys.stdout)
    _prepare(sys.stderr)
    try:
        code = _run(argv)
        sys.stdout.flush()
    except TriageError as error:
        _notices()
        say(f"error: {error}")
        return error.exit_code
    except KeyboardInterrupt:
        return _interrupted()
    except BrokenPipeError:
        return _broken_pipe()
    except OSError as error:
        # Only what is written to a stream has no file's name.
        return _no_room(error) if error.filename is None and error.errno in _NO_ROOM else _bug(error)
    except Exception as error:  # noqa: BLE001
        return _bug(error)
    _notices()
    return code


def _notices() -> None:
    """What opening the database told, a migration with its backup's name for one."""
    module = sys.modules.get("triage.cli.session")
    session = module.Session.current if module is not None else None
    for notice in session.workspace.upkeep.notices() if session is not None else ():
        say(notice)


def _broken_pipe() -> int:
    # The reader has gone; what Python flushes at exit must not complain a second time.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return 1


def _no_room(error: OSError) -> int:
    _broken_pipe()
    say(f"error: can't write the output ({error.strerror})")
    return 1


def _bug(error: Exception) -> int:
    # Python's own words would print whatever the error quotes, terminal controls of a record too.
    from triage.cli.session import Session
    from triage.ui.work import bugs

    told = Session.current.workspace.upkeep.in_words(error) if Session.current is not None else None
    if told is not None:
        say(f"error: {told}")
        return told.exit_code

    print(bugs.sentence(error), file=sys.stderr)
    return bugs.EXIT_CODE


def _run(argv: list[str]) -> int:
    # Imported here so that what goes wrong meanwhile, an interruption too, is told in one line.
    from triage.cli.opening import bare_paths, looked_for, open_paths
    from triage.cli.session import Session

    words = bare_paths(argv)
    if words is None:
        return _command(argv)
    files = looked_for(words)
    return open_paths(Session({}, outer={}, lenient=True), files)


def _command(argv: list[str]) -> int:
    """Everything but the bare app goes through click, which is imported for it alone."""
    import click

    from triage.cli.group import APP, group

    try:
        code = group.main(argv, prog_name="triage", standalone_mode=False)
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        text = " ".join(error.format_message().split())
        context = getattr(error, "ctx", None)
        path = context.command_path.removesuffix(APP).strip() if context else "triage"
        say(f"error: {text.rstrip('.')} (see: {path} --help)")
        return error.exit_code
    except click.Abort:
        return _interrupted()
    return code if isinstance(code, int) else 0


def _interrupted() -> int:
    with contextlib.suppress(OSError):
        say("interrupted; nothing is half done")
    return INTERRUPTED
