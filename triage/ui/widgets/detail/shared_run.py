"""Where an answer came from: the longest run of characters that it shares with a document."""

from __future__ import annotations

LEAST = 6
"""Characters that a shared run has at least."""
READ = 8000
"""Characters of either text that are looked at."""
_PLACES = 8
_EDGE = " \t\r\n,.;:，。；：、"


def places(text: str) -> dict[str, list[int]]:
    """Where each run of six characters of `text` begins; of one that repeats, the first few places."""
    found: dict[str, list[int]] = {}
    for at in range(min(len(text), READ) - LEAST + 1):
        starts = found.setdefault(text[at : at + LEAST], [])
        if len(starts) < _PLACES:
            starts.append(at)
    return found


def longest(answer: str, known: dict[str, list[int]], text: str) -> tuple[int, int] | None:
    """The longest run of `text` that `answer` has too, as (start, end) in `text`; of equal ones the first.

    Args:
        answer: the answer.
        known: `places(answer)`.
        text: the document's text.

    Blanks and stops at its ends don't count; None where no run has six characters left.
    """
    best: tuple[int, int] | None = None
    size = LEAST - 1
    end = min(len(text), READ)
    for at in range(end - LEAST + 1):
        for start in known.get(text[at : at + LEAST], ()):
            far = at + size
            # Only a run that goes on past the length of the best one is of interest.
            if far >= end or start + size >= len(answer) or text[far] != answer[start + size]:
                continue
            if text[at:far] != answer[start : start + size]:
                continue
            stop = far + 1
            while stop < end and stop - at + start < len(answer) and answer[stop - at + start] == text[stop]:
                stop += 1
            run = text[at:stop]
            bare = len(run.strip(_EDGE))
            if bare > size:
                first = at + len(run) - len(run.lstrip(_EDGE))
                best, size = (first, first + bare), bare
    return best
