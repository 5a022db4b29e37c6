"""Every key of the screens over the Triage screen does something: its action is there."""

from __future__ import annotations

import inspect
from importlib import import_module

import pytest
from textual.actions import parse
from textual.binding import Binding

from triage.ui.screens.over import OverScreen

SCREENS = {
    "agreement": "AgreementScreen", "codes": "CodesScreen", "disputes": "DisputesScreen",
    "groups": "GroupsScreen", "judges": "JudgesScreen", "reading": "ReadingScreen",
    "review": "ReviewScreen", "reviewed": "ReviewedScreen", "runs": "RunsScreen",
    "slices": "SlicesScreen",
}  # fmt: skip


def screen(module: str, name: str) -> type[OverScreen]:
    """The screen's class."""
    found = getattr(import_module(f"triage.ui.screens.{module}"), name)
    assert issubclass(found, OverScreen)
    return found


@pytest.mark.parametrize(("module", "name"), SCREENS.items())
def test_every_binding_has_its_action(module: str, name: str) -> None:
    made = screen(module, name)
    runs = {binding.action for binding in made.BINDINGS if isinstance(binding, Binding)}
    assert len(runs) > 2
    for run in runs:
        place, action, parameters = parse(run)
        assert place in ("", "screen"), run
        method = getattr(made, f"action_{action}", None)
        assert method is not None, f"{run} of {name}"
        inspect.signature(method).bind(None, *parameters)


@pytest.mark.parametrize(("module", "name"), SCREENS.items())
def test_where_nothing_can_be_shown_leaving_is_a_key_still(module: str, name: str) -> None:
    made = screen(module, name)
    runs = {binding.key: binding.action for binding in made.BINDINGS if isinstance(binding, Binding)}
    assert parse(runs["escape"])[1] == made.LEAVES


def test_no_screen_over_the_cases_is_left_out() -> None:
    known = {screen(module, name) for module, name in SCREENS.items()}
    every, waiting = set[type[OverScreen]](), [OverScreen]
    while waiting:
        waiting += (below := waiting.pop().__subclasses__())
        every |= {one for one in below if one.BINDINGS is not OverScreen.BINDINGS and "KEYS" in vars(one)}
    assert every == known
