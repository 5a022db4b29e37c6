"""The command group: a command if the first word is one, else the app on all words as paths."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import click

from triage import __version__
from triage.cli.names import COMMANDS
from triage.cli.options import shared_options

APP = "<app>"
"""Name of the command that opens the app; no word can be it."""
LITERAL = "triage.literal"
"""Set in the context's `meta` where the words came after `--`: they are paths, whatever they say."""


class TriageGroup(click.Group):
    """Group options first, then a command if the word is one, else the app with all words as paths."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, imported now."""
        module = "app" if cmd_name == APP else COMMANDS.get(cmd_name)
        if module is None:
            return None
        name = "open_app" if cmd_name == APP else f"{cmd_name}_command"
        command: click.Command = getattr(import_module(f"triage.cli.{module}"), name)
        return command

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Put the app's name before words that name no command."""
        words = list(args)
        _, rest, _ = self.make_parser(ctx).parse_args(list(args))
        options = words[: len(words) - len(rest)]
        literal = bool(options) and options[-1] == "--"
        if literal:
            ctx.meta[LITERAL] = True
            words = [*options[:-1], APP, "--", *rest]
        elif not rest or rest[0] not in COMMANDS:
            words = [*options, APP, *rest]
        return super().parse_args(ctx, words)

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """The two ways to call."""
        formatter.write_usage("triage", "[OPTIONS] [PATH...]")
        formatter.write_usage("triage", "[OPTIONS] COMMAND [ARGS...]", prefix="       ")


@click.command(
    cls=TriageGroup,
    context_settings={"help_option_names": ["--help"], "max_content_width": 100},
    epilog="Example: triage results/kb42.jsonl",
)
@shared_options
@click.version_option(__version__, prog_name="triage")
@click.pass_context
def group(ctx: click.Context, /, **given: Any) -> None:
    """See why the cases of a RAG evaluation run failed, tag them, and take the list away.

    Without a command: opens the app on PATH (files and folders), or on the database that is found. Where
    standard output is no terminal it prints the report instead.
    """
    ctx.obj = given
