"""Options that commands share, each defined once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from triage.errors import UsageError
from triage.models.query import LARGEST_K

Decorated = TypeVar("Decorated", bound=Callable[..., Any])


def stack(*decorators: Callable[[Any], Any]) -> Callable[[Decorated], Decorated]:
    """Several options as one decorator, shown in the order given."""

    def apply(function: Decorated) -> Decorated:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return apply


db_option = click.option(
    "--db",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="The database. Default: $TRIAGE_DB, else the nearest .triage/triage.db upward.",
)
load_options = stack(
    click.option(
        "--map",
        "mapping",
        multiple=True,
        metavar="FIELD=PATH",
        help="Read a field from elsewhere in the record.",
    ),
    click.option("--set", "header", multiple=True, metavar="KEY=VALUE", help="Set a key of the run header."),
    click.option("--dedup-docs", is_flag=True, help="Collapse repeated documents before the cut at K."),
)
reviewer_option = click.option(
    "--reviewer", metavar="NAME", help="Default: $TRIAGE_REVIEWER, git's user name, login."
)
theme_option = click.option(
    "--theme", metavar="NAME", help="Colour theme of the app; a path is a theme file."
)


def _k(word: str) -> int:
    try:
        number = int(word)
    except ValueError:
        number = 0
    if not 1 <= number <= LARGEST_K:
        raise UsageError("--k takes a whole number from 1 on", word)
    return number


def _one_text(ctx: click.Context, option: click.Parameter, word: str | None) -> str | None:
    """The word as it is, unless the other of --filter and --text is given too: one would go unheard."""
    ours = ctx.meta.setdefault("triage.selection", {})
    if word != option.get_default(ctx):
        ours[option.name] = word
    if len(ours) > 1:
        raise UsageError("--filter or --text", "both select cases", "give one of them")
    return word


k_option = click.option("--k", type=_k, metavar="N", help="K of the @K metrics. Default: the run's own.")
filter_options = stack(
    click.option(
        "--filter",
        "query",
        default="",
        metavar="QUERY",
        callback=_one_text,
        help="Only cases that match, as in the app.",
    ),
    click.option(
        "--text",
        default=None,
        metavar="TEXT",
        callback=_one_text,
        help="Only cases that hold this text, taken literally.",
    ),
)
mouse_option = click.option(
    "--no-mouse", is_flag=True, help="Leave the mouse to the terminal, which then selects text."
)
shared_options = stack(db_option, reviewer_option, theme_option, mouse_option, load_options)
"""What the app takes; given before a command they hold for it too."""


def format_option(*choices: str) -> Callable[[Decorated], Decorated]:
    """`--format`, the first choice being the default."""
    return click.option(
        "--format", "format", type=click.Choice(choices), default=choices[0], show_default=True
    )  # fmt: skip
