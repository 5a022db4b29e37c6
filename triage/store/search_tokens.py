"""Texts as the search index holds them, and a searched text as a question to it.

A folded text is cut into runs. A run of Chinese, Japanese or Korean characters is held as its pairs and its
last character alone (`abc`: ab bc c), so that a stretch of it is a phrase and one character a prefix, and no
phrase leads from one run into the next. A run of other letters and digits is held as one word; what is
inside words is found by way of the list of words. Everything else only separates.
"""

from __future__ import annotations

import re
import unicodedata
from operator import add
from typing import ClassVar

from msgspec import Struct

VERSION = f"1/{unicodedata.unidata_version}"
"""Texts held by another version of these rules, or of Unicode's, are not asked."""

_PAIRED = (
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u30ff\u3105-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
_RUNS = re.compile(f"([{_PAIRED}]+)|([^\\W_{_PAIRED}]+)")
_LONGEST = 64
"""Letters of a word that is held as it is; a longer one is held in stretches that overlap by half."""
_SURE = _LONGEST // 2
"""Characters of a searched run up to which the index answers for sure."""
_LEAST = 2
"""Letters from which on the list of words is gone through: one letter is in nearly all of them."""


def stored(text: str | None, words: set[str]) -> str:
    """A text's tokens with spaces between; its words, as they are held, are added to `words`."""
    if not text:
        return ""
    out: list[str] = []
    for found in _RUNS.finditer(text.casefold()):
        run = found[1]
        if run is not None:
            out += map(add, run, run[1:])
            out.append(run[-1])
        else:
            held = _held(found[2])
            out += held
            words.update(held)
    return " ".join(out)


def _held(word: str) -> list[str]:
    if len(word) <= _LONGEST:
        return [word]
    return [word[at : at + _LONGEST] for at in range(0, len(word) - _SURE, _SURE)]


class Search(Struct, frozen=True):
    """Where a revision's index lies."""

    rev: int
    run_id: str
    columns: ClassVar[tuple[str, ...]] = ("query", "answer")

    @property
    def table(self) -> str:
        """The FTS5 table of its cases, `rowid` their keys, with the columns `query` and `answer`."""
        return f"search_{self.rev}"


class Question(Struct, frozen=True):
    """What the index is asked for a searched text.

    Args:
        phrases: an FTS5 expression of tokens that a text with it has; "" where there are none.
        inside: letters that one of its words contains, asked only where there are no phrases.
        sure: what the index finds contains the text; else each is to be looked at.
    """

    phrases: str
    inside: str
    sure: bool


def question(text: str) -> Question | None:
    """What to ask for the cases that contain `text`; None where only looking at all of them tells."""
    folded = text.encode("utf-8", "backslashreplace").decode("utf-8").casefold()
    runs = list(_RUNS.finditer(folded))
    phrases: list[str] = []
    inside = ""
    for found in runs:
        left, right = found.start() > 0, found.end() < len(folded)
        if found[1] is not None:
            phrases.append(_phrase(found[1][:_SURE], ends=right and len(found[1]) <= _SURE))
            continue
        word = found[2]
        if left and len(word) <= _LONGEST:
            if right or len(word) >= _LEAST:
                phrases.append(f'"{word}"' if right else f'"{word}" *')
        elif len(word) > len(inside):
            inside = word[:_SURE]
    sure = len(runs) == 1 and runs[0].span() == (0, len(folded)) and len(folded) <= _SURE
    if not phrases and len(inside) < _LEAST:
        return None
    return Question(" AND ".join(dict.fromkeys(phrases)), inside, sure)


def _phrase(run: str, *, ends: bool) -> str:
    """A stretch of a paired run; `ends`: nothing of the run follows it."""
    tokens = [*map(add, run, run[1:]), *([run[-1]] if ends else ())]
    return f'"{" ".join(tokens)}"' if tokens else f'"{run}" *'
