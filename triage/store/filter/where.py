"""What a filter is compiled to, and from what. Light: an unfiltered list needs no more of this package."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from triage.store.search_tokens import Search


class Where(Struct, frozen=True):
    """A condition over the aliases c, p, m, r and its `?` parameters; it is 0 or 1, never NULL.

    `needs_payload` and `needs_reviews` tell which joins it uses. `on_results`: the filter speaks of results.
    `said` is "text: ..." where the text was searched literally, else "".
    """

    sql: str = "1"
    params: tuple[object, ...] = ()
    needs_payload: bool = False
    needs_reviews: bool = False
    on_results: bool = False
    said: str = ""


def _no_keys() -> Collection[str]:
    return ()


def _none() -> Collection[int]:
    return ()


class FilterContext(Struct, frozen=True):
    """What the words of a filter refer to.

    Args:
        reviewer: who filters; `reviewer:@me`.
        marked: keys of the marked cases (`is:marked`).
        known_keys: gives the record's own keys seen in the run, dotted; called only where a name is no field.
        topic_aliases: other words for a topic, to the topic; `topic:` finds all words for the same one.
        search: the index of the run's texts, None where it is not built.
        run: key of the run's revision and the run's id; what few cases have is then looked up from its side.
        at_odds: gives the keys of the cases whose judges need an arbitration; called for `is:uncertain`.
        score_scale: of the run's judges, "1-5" or "0-1".
        metric_bits: metric keys that have a column `m_<key>`, with their bit in `measures.missing`.
    """

    reviewer: str | None = None
    marked: frozenset[int] = frozenset()
    known_keys: Callable[[], Collection[str]] = _no_keys
    topic_aliases: Mapping[str, str] = field(default_factory=dict)
    metric_bits: Mapping[str, int] = field(default_factory=dict)
    search: Search | None = None
    run: tuple[int, str] | None = None
    at_odds: Callable[[], Collection[int]] = _none
    score_scale: str = "1-5"
