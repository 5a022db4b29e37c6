"""The field of the filter row."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from textual.binding import BindingType

from triage.ui.keys import bindings
from triage.ui.messages import Told
from triage.ui.widgets.fields import Field

if TYPE_CHECKING:
    from triage.models.offer import Offer
    from triage.ui.widgets.completion import Completion


class FilterInput(Field):
    """What is typed. Its keys first do what they do to what is offered; else they lead to the list."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("filter")]

    offers: Completion | None = None
    """What is offered, once anything was."""
    asks = False
    """An answer to what may be typed is still to come."""
    wants: Literal["", "take", "choose"] = ""
    """What a key asked for before that answer was there."""
    taken: str | None = None
    """The text as it came to be by taking an offer."""

    class Leave(Told):
        """The list is to have the keys again."""

    class Closed(Told):
        """Nothing is offered any more."""

    @property
    def offering(self) -> bool:
        """Does a list of offers stand under the field?"""
        return self._open is not None

    @property
    def _open(self) -> Completion | None:
        return self.offers if self.offers is not None and self.offers.open else None

    def action_leave(self) -> None:
        """Take what was chosen; else give the keys back to the list, the text stays."""
        chosen = self._open.chosen if self._open is not None else None
        if chosen is not None:
            self.put(chosen)
            return
        # At once, so that the next key is not taken for text.
        self.screen.set_focus(None)
        self.post_message(self.Leave())

    def action_close(self) -> None:
        """Offer nothing more; where nothing is offered, or nothing was typed, back to the list."""
        if self._open is not None and self.value:
            self.close_offers()
        else:
            self.close_offers()
            self.action_leave()

    def close_offers(self) -> None:
        """Offer nothing, whatever is still to come."""
        self.asks, self.wants = False, ""
        if self._open is not None:
            self._open.close()
            self.post_message(self.Closed())

    def put(self, offer: Offer) -> None:
        """Put what was taken in its place."""
        self.close_offers()
        self.taken = offer.text
        self.value = offer.text
        self.cursor_position = offer.caret

    def action_choose(self, step: int) -> None:
        """The next of what is offered, or the one before; down leads to the list where nothing is."""
        if self._open is not None:
            self._open.choose(step)
        elif self.asks:
            self.wants = "choose"
        elif step > 0:
            self.action_leave()

    async def action_take(self) -> None:
        """Take what was chosen, else the first; the next pane where nothing is offered."""
        if self._open is not None:
            offer = self._open.take()
            if offer is not None:
                self.put(offer)
        elif self.asks:
            self.wants = "take"
        else:
            await self.run_action("screen.pane(1)")
