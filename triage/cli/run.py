"""From words to an exit code: what goes wrong becomes one line on standard error."""

from __future__ import annotations

import contextlib
import io
import os
import sys

import click

from triage.cli.group import APP, group
from triage.cli.output import say
from triage.errors import TriageError

INTERRUPTED = 130


def _prepare(stream: object) -> None:
    """JSON and exports are UTF-8 wherever they go; a terminal keeps its own encoding."""
    if isinstance(stream, io.TextIOWrapper):
        if stream.isatty():
            stream.reconfigure(errors="backslashreplace")
        else:
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def _usage(error: click.ClickException) -> str:
    text = " ".join(error.format_message().split())
    context = getattr(error, "ctx", None)
    path = context.command_path.removesuffix(APP).strip() if context else "triage"
    return f"{text.rstrip('.')} (see: {path} --help)"


def run(argv: list[str]) -> int:
    """Run the command that `argv` names and return its exit code (cli.md, "Exit codes")."""
    _prepare(sys.stdout)
    _prepare(sys.stderr)
    try:
        code = group.main(argv, prog_name="triage", standalone_mode=False)
        sys.stdout.flush()
    except TriageError as error:
        say(f"error: {error}")
        return error.exit_code
    except click.exceptions.Exit as error:
        return error.exit_code
    except click.ClickException as error:
        say(f"error: {_usage(error)}")
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        with contextlib.suppress(OSError):
            say("interrupted; nothing is half done")
        return INTERRUPTED
    except BrokenPipeError:
        # The reader has gone; what Python flushes at exit must not complain a second time.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return code if isinstance(code, int) else 0
