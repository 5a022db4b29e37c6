"""The sentences of a long source: which of them speak of the same as a sentence of an answer."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from triage.citations.pairing import Pair
from triage.citations.wording import Grams, Wording, contained, grams

LONG = 8
"""From so many clauses on, a text speaks of several things: a word in it need not be said of this one."""

_SENTENCE = re.compile(r"[^\n。！？]+?(?:[.!?;](?=\s|\Z)|(?=[\n。！？])|\Z)")


class Passage(NamedTuple):
    """A sentence of a text: where it is, how it reads, and what it is about."""

    start: int
    end: int
    text: str
    about: Grams


def passages(wording: Wording) -> list[Passage]:
    """The sentences of a text that are about something; read once."""
    kept: list[Passage] | None = wording.kept.get("passages")
    if kept is None:
        found = [(*match.span(), match.group()) for match in _SENTENCE.finditer(wording.text)]
        kept = [Passage(*each, about) for each in found if (about := grams(each[2])).size]
        wording.kept["passages"] = kept
    return kept


def related(pair: Pair, about: Grams, least: float) -> Iterator[str]:
    """What the cited texts say of the same: sentences with `least` of `about`; a short text as a whole."""
    for each in pair.texts:
        if len(each.wording.clauses) <= LONG:
            yield each.wording.text
        else:
            for passage in passages(each.wording):
                if contained(about, passage.about) >= least:
                    yield passage.text
