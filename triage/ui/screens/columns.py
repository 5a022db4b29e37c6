"""The columns of the case list: which, and in which order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from textual.content import Content

from triage.plain import cut, fit, one_line
from triage.ui.screens.toggles import Toggles


@dataclass(frozen=True, slots=True)
class Chosen:
    """The answer: the columns in their order; None = the default."""

    keys: tuple[str, ...] | None


class ColumnsDialog(Toggles[Chosen]):
    """Those chosen stand first, in their order.

    Args:
        choices: key, its name, what it is.
        chosen: the keys that are shown now.
        fits: how many of such a choice fit the list as wide as it is.
    """

    def __init__(
        self,
        choices: Sequence[tuple[str, str, str]],
        chosen: Sequence[str],
        fits: Callable[[Sequence[str]], int],
    ) -> None:
        super().__init__("columns of the list")
        self._choices = {key: (name, means) for key, name, means in choices}
        self._chosen = [key for key in chosen if key in self._choices]
        self._fits = fits

    def names(self) -> Sequence[str]:
        """Those chosen, then the others."""
        return [*self._chosen, *(key for key in self._choices if key not in self._chosen)]

    def words(self, name: str) -> str:
        """Name and meaning."""
        return " ".join(self._choices[name])

    def row(self, name: str) -> Content:
        """Its place among those chosen, its name, what it is."""
        at = self._chosen.index(name) + 1 if name in self._chosen else 0
        label, means = self._choices[name]
        beyond = at > self._fits(self._chosen)
        return Content.assemble(
            (f"{at:>2} " if at else "   ", "$focus bold"),
            (fit(one_line(label), 24), "$text bold" if at else "$muted"),
            ("  no room for it here", "$bad") if beyond else (f"  {cut(one_line(means), 40)}", "$muted"),
        )

    def turn(self, name: str) -> None:
        """Put it last, or take it out."""
        if name in self._chosen:
            self._chosen.remove(name)
        else:
            self._chosen.append(name)

    def shift(self, direction: int) -> None:
        """Move the highlighted column left or right."""
        name = self.at
        if name not in self._chosen:
            return
        at = self._chosen.index(name)
        to = min(max(at + direction, 0), len(self._chosen) - 1)
        self._chosen.insert(to, self._chosen.pop(at))
        self.fill(keep=name)

    def reset(self) -> None:
        """As the settings or the width have it."""
        self.dismiss(Chosen(None))

    def says(self, name: str | None, typed: str) -> str:
        """What the keys do now."""
        if typed:
            takes = f"enter or space takes {name}" if name is not None else "no such column"
            return f"{takes}   esc clears what is typed"
        if name in self._chosen:
            return "left and right move it   space drops it   enter shows   esc back"
        return "space takes it   enter shows   backspace the default   esc back"

    def result(self) -> Chosen:
        """What was chosen."""
        return Chosen(tuple(self._chosen))
