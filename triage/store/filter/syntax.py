"""What a filter text says, once read: words, ranges and their combinations. Plain values, no SQL."""

from __future__ import annotations

from typing import TypeAlias

from msgspec import Struct


class Word(Struct, frozen=True):
    """A word or phrase as meant, escapes resolved. `column` is its 1-based place in the typed text.

    `pattern` is None, or the word cut at its wildcards: in the odd places stand `"*"` (any text) and `"?"`
    (one character), between them the texts.
    """

    text: str
    column: int
    pattern: tuple[str, ...] | None = None

    @property
    def is_star(self) -> bool:
        """True for a lone `*`: whatever is recorded."""
        return self.text == "*" and self.pattern is not None


class Span(Struct, frozen=True):
    """`[low TO high]`, `{low TO high}` or a comparison; None = open on that side."""

    low: Word | None
    high: Word | None
    include_low: bool
    include_high: bool
    column: int


Value: TypeAlias = Word | Span


class Term(Struct, frozen=True):
    """`name:value`; `name` None = a bare word."""

    name: str | None
    value: Value


class Both(Struct, frozen=True):
    """Every item holds (AND, a space)."""

    items: tuple[Node, ...]


class Either(Struct, frozen=True):
    """Some item holds (OR)."""

    items: tuple[Node, ...]


class Not(Struct, frozen=True):
    """The complement: every other case, those without the field too."""

    item: Node


Node: TypeAlias = Term | Both | Either | Not
