"""What finds cases on the Triage screen: completion, going to a case, filters by name, similar ones."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from threading import Event
from typing import TYPE_CHECKING, Protocol, TypeVar, cast

from msgspec.structs import replace
from textual.worker import get_current_worker

from triage.errors import TriageError
from triage.models.offer import Found, Named
from triage.models.query import Drill, Scope
from triage.plain import cut, one_line
from triage.ui.messages import Offered
from triage.ui.work import words

if TYPE_CHECKING:
    from triage.ui.app import TriageApp
    from triage.ui.screens.triage import TriageScreen

Result = TypeVar("Result")
TOLD_FROM = 20_000
"""Cases from which on a search among them is told while it goes on."""
MATCHES = 8
"""Most cases that the prompt lists."""


class Off(Protocol):
    """Makes one workspace call off the event loop; what the user did wrong is told, None comes back."""

    def __call__(self, call: Callable[[], Result], doing: str) -> Awaitable[Result | None]:
        """What the call gives; `doing` says what was done where it fails."""


def _saved(screen: TriageScreen) -> list[Named]:
    memory = cast("TriageApp", screen.app).memory
    return [Named(name, text, "own") for name, text in memory.filters.items()]


def complete(screen: TriageScreen, text: str, caret: int) -> None:
    """Ask what may be typed at the caret; the answer comes as a message, a newer question takes its place."""
    scope = screen.selection.scope
    if scope is None:
        return
    own = _saved(screen)

    def work() -> None:
        worker = get_current_worker()
        try:
            found = screen.workspace.finding.offers(scope, text, caret, own)
        except TriageError:
            # The list tells what is wrong with the run or the database; here is only nothing to offer.
            found = []
        if not worker.is_cancelled:
            screen.post_message(Offered(text, found))

    screen.run_worker(work, group="offers", thread=True, exclusive=True, exit_on_error=False)


async def goto(screen: TriageScreen, off: Off, scope: Scope) -> None:
    """Ask for a case by its id or its number in the list, and go there; it is shown where it was not."""
    # The dialogs come when they are asked for: completion, which is in this file too, does without.
    from triage.ui.screens.goto import GotoDialog, Row

    keys = screen.cases.keys
    places = {pk: at for at, pk in enumerate(keys)} if len(keys) <= TOLD_FROM else None

    def place_of(pk: int) -> int | None:
        if places is not None:
            return places.get(pk)
        try:
            return keys.index(pk)
        except ValueError:
            return None

    def look(typed: str) -> list[Row]:
        found = screen.workspace.finding.cases_like(scope, typed, MATCHES)
        rows = [Row(one, place_of(one.pk)) for one in found]
        if typed.isascii() and typed.isdigit() and 1 <= int(typed[:12]) <= len(keys):
            at = int(typed[:12]) - 1
            case = screen.workspace.case_rows(scope, [keys[at]])
            exact = 1 if rows and rows[0].case.id == typed else 0
            there = [Row(Found(one.pk, one.id, one.query), at, by_number=True) for one in case]
            rows = [*rows[:exact], *there, *(row for row in rows[exact:] if row.place != at)]
        return rows

    view = screen.view
    k = view.k if view is not None else 3
    here = (
        f"{words.selection(scope, k)}, {cut(one_line(scope.text), 30)}"
        if scope.text
        else words.selection(scope, k)
    )
    dialog = GotoDialog(lambda typed: off(partial(look, typed), "looking for the case"), len(keys), here)
    row = await screen.app.push_screen_wait(dialog)
    if row is None or screen.selection.scope is None or screen.selection.scope.run != scope.run:
        return
    screen.stage.dismissed = True
    if row.case.pk in screen.cases.keys:
        screen.cases.go_to(row.case.pk)
        screen.stage.settle()
    else:
        screen.bar.set_text("")
        wide = replace(screen.selection.scope, view="all", text="", drill=None)
        screen.selection.ask(wide, keep_id=row.case.id)
        screen.stage.dismissed = True


async def filters(screen: TriageScreen, off: Off, scope: Scope) -> None:
    """Choose one of the filters by name, or save the present one."""
    from triage.ui.screens.filters import FiltersDialog

    memory = cast("TriageApp", screen.app).memory
    finding = screen.workspace.finding

    def count(texts: list[str]) -> dict[str, int | None]:
        return {text: finding.count(scope, text) for text in texts}

    dialog = FiltersDialog(
        lambda: finding.named(_saved(screen)),
        screen.bar.text.strip() or scope.text,
        lambda texts: off(partial(count, texts), "counting"),
        memory.keep_filter,
    )
    text = await screen.app.push_screen_wait(dialog)
    if text is not None:
        screen.bar.set_text(text)
        screen.bar.error("")
        screen.selection.change(text=text.strip(), drill=None)
        screen.cases.focus()


async def similar(screen: TriageScreen, off: Off, scope: Scope) -> None:
    """Show the cases whose queries are like that of the case under the cursor; again leads out."""
    row = screen.cases.row
    if row is None or screen.looking is not None:
        return
    if scope.drill is not None and scope.drill.similar == row.id:
        screen.selection.change(drill=None)
        return
    cancel = Event()
    screen.looking = cancel
    if screen.run_shown is not None and screen.run_shown.records >= TOLD_FROM:
        esc = screen.shown_keys["back"]
        screen.speech.say(f"comparing {screen.run_shown.records} queries   {esc} leaves it")
    try:
        look = partial(screen.workspace.finding.similar, scope, row.id, cancel.is_set)
        found = await off(look, "looking for similar cases")
    finally:
        screen.looking = None
    if found is None or cancel.is_set():
        screen.speech.say("left" if cancel.is_set() else "nothing found")
    elif screen.selection.scope != scope:
        return
    elif len(found.keys) < 2:
        screen.speech.say(f"no other query of the run is like that of {row.id}")
    else:
        screen.selection.change(drill=Drill(similar=row.id, least=found.least))
        least = f"{found.least:.2f}".removeprefix("0")
        screen.speech.say(f"{len(found.keys) - 1} similar to {row.id}, at least {least}")
