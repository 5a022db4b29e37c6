"""What a filter text says, once read: words, ranges and their combinations. Plain values, no SQL."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Word:
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


@dataclass(frozen=True, slots=True)
class Span:
    """`[low TO high]`, `{low TO high}` or a comparison; None = open on that side."""

    low: Word | None
    high: Word | None
    include_low: bool
    include_high: bool
    column: int


Value: TypeAlias = Word | Span


@dataclass(frozen=True, slots=True)
class Term:
    """`name:value`; `name` None = a bare word."""

    name: str | None
    value: Value


@dataclass(frozen=True, slots=True)
class Both:
    """Every item holds (AND, a space)."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Either:
    """Some item holds (OR)."""

    items: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not:
    """The complement: every other case, those without the field too."""

    item: Node


Node: TypeAlias = Term | Both | Either | Not
