"""Choosing a label's example cases."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from triage.models.codes import EXAMPLES, Bearer
from triage.plain import cut, one_line
from triage.ui.screens.toggles import Toggles


class ExamplesDialog(Toggles[tuple[tuple[str, str], ...]]):
    """The cases that bear a label; those taken are its examples."""

    def __init__(self, label: str, cases: Sequence[Bearer], taken: Sequence[tuple[str, str]]) -> None:
        super().__init__(f"examples of {cut(one_line(label), 28)}")
        self._cases = {f"{one.run}\n{one.case_id}": one for one in cases}
        self._taken = [f"{run}\n{case}" for run, case in taken]

    def names(self) -> Sequence[str]:
        """Those taken first."""
        return list(dict.fromkeys([*(name for name in self._taken if name in self._cases), *self._cases]))

    def words(self, name: str) -> str:
        """The run, the case and its query."""
        one = self._cases[name]
        return f"{one.run} {one.case_id} {one.query}"

    def turn(self, name: str) -> None:
        """Take it, or let go of it."""
        if name in self._taken:
            self._taken.remove(name)
        elif len(self._taken) < EXAMPLES:
            self._taken.append(name)

    def row(self, name: str) -> Content:
        """Sign, case, query."""
        one, on = self._cases[name], name in self._taken
        where = cut(f"{one_line(one.run)} {one_line(one.case_id)}", 26)
        return Content.assemble(
            (f"{'[x]' if on else '[ ]'} ", "$text"),
            (f"{where}  ", "$text" if on else "$muted"),
            (one_line(one.query), "$text" if on else "$muted"),
        )

    def says(self, name: str | None, typed: str) -> str:
        """What the keys do now."""
        if name is not None and name not in self._taken and len(self._taken) >= EXAMPLES:
            return (
                f"{EXAMPLES} examples are enough: space on one of them lets go of it   enter saves   esc back"
            )
        return "space takes it or lets go of it   enter saves   esc leaves it as it was"

    def result(self) -> tuple[tuple[str, str], ...]:
        """The cases taken, as (run id, case id)."""
        return tuple((run, case) for run, _, case in (name.partition("\n") for name in self._taken))
