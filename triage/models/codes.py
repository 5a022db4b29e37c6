"""The codebook: second-level labels with what they mean, where they stand, how they came to be."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct, field

DEFINITION_LIMIT = 2000
"""Longest definition of a label, in characters."""
EXAMPLES = 5
"""Most example cases of a label."""

ChangeKind = Literal["define", "rename", "merge", "split", "forget", "undo"]

_DID = {"rename": "renamed to", "merge": "merged into", "split": "split into"}


class Bearer(Struct, frozen=True):
    """A case on which a label stands, or that is an example of it.

    `query` is "" where the run is no longer loaded; `verdict` None = commented alone.
    """

    run: str
    case_id: str
    query: str = ""
    verdict: str | None = None


class Code(Struct, frozen=True):
    """A label of the codebook.

    Args:
        name: as it stands on cases.
        definition: when it is given, in the words of those who use it; "" = none yet.
        examples: cases that show it, at most `EXAMPLES`.
        uses: run id -> cases of it that bear the label, 1 or more each; also runs that are not loaded.
        offered: the settings offer it.
        reviewer, at: who defined it last and when (UTC, ISO 8601); "" = nobody.
    """

    name: str
    definition: str = ""
    examples: tuple[Bearer, ...] = ()
    uses: dict[str, int] = field(default_factory=dict)
    offered: bool = False
    reviewer: str = ""
    at: str = ""

    @property
    def total(self) -> int:
        """Cases that bear it, over all runs."""
        return sum(self.uses.values())

    @property
    def only_offered(self) -> bool:
        """Nothing but the settings know it: it can be defined and given, not renamed, merged or forgotten."""
        return self.offered and not (self.uses or self.definition or self.examples)


class CodeChange(Struct, frozen=True):
    """A change to the codebook. `names` are the labels before, `into` those after, `cases` how many were
    relabelled; `undone` tells that it was taken back. A "define" has the `definition` then and the one
    `before`.
    """

    id: int
    kind: ChangeKind
    names: tuple[str, ...]
    into: tuple[str, ...]
    cases: int
    reviewer: str
    at: str
    definition: str = ""
    undone: bool = False
    before: str = ""

    @property
    def said(self) -> str:
        """What was done: `stale-doc renamed to old-page`. Labels stand in it as they are."""
        names, into = ", ".join(self.names), ", ".join(self.into)
        if self.kind == "undo":
            if self.names == self.into:
                return f"what {into} means as before"
            return f"{names} became {into} again" if names else f"{into} is back"
        if self.kind == "define":
            if self.definition == self.before:
                return f"{names}: examples chosen"
            return f"{names} defined: {self.definition}" if self.definition else f"{names} without definition"
        if self.kind == "forget":
            return f"{names} forgotten"
        return f"{names} {_DID[self.kind]} {into}"


class Codebook(Struct, frozen=True):
    """Every label that is used, defined or offered, the most used first; `runs` are the ids of runs with
    labels, newest first, those that are not loaded last.
    """

    codes: tuple[Code, ...]
    runs: tuple[str, ...]

    def named(self, name: str) -> Code | None:
        """The label of that name."""
        return next((code for code in self.codes if code.name == name), None)
