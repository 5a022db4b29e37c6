"""A "not" that an English sentence has and its source has not, or the other way round, word by word.

Part of "negation" (metrics.md section 6). Long sources have many clauses near a sentence; here a sentence of
the source counts that holds the very word which is denied, and most of the words around it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from triage.citations.pairing import Found, Pair, Place
from triage.citations.passages import passages
from triage.citations.wording import Clause, Wording, grams

_NOT = re.compile(r"\b(?:not|never|cannot|cant|wont)\b(?! only\b)|n[’']t\b|\bno (?!\S*\d)|\bnor\b")
# What may say no without a "not", or turns a sentence round in a way that counting can't follow.
_SOFT = re.compile(
    _NOT.pattern
    + r"|\b(?:no|none|nothing|nobody|neither|without|unable|unless|except|only|until|rather|instead|hardly"
    r"|rarely|seldom|fail\w*|lack\w*|avoid\w*|prevent\w*|prohibit\w*|forbid\w*|exclud\w*|refus\w*"
    r"|den(?:y|ied|ies)|impossible|unlikely|unavailable|false)\b"
)
_BEFORE = re.compile(r"\b(?:if|whether|though|who|what|which|why|how|only|ensure|sure)\b")
_TURNS = re.compile(r"\b(?:unless|until|except|without|rather)\b|\?|\bonly if\b")
_ASKED = re.compile(
    r"\s*(?:[*\d.)-]+\s*)?(?:verify|check|ensure|make sure|confirm|see|find out|determine|ask)\b(?!-)"
)
_LIGHT = frozenset(grams("considered viewed seen regarded called known used going able mean").long)
_HOW = re.compile(r"[a-z]+ly\Z")
_WORD = re.compile(r"[a-z]+(?:['’][a-z]+)?|[0-9]+")
_REACH = 60
_MOST = 0.55
_SLACK = 0.2
_LEAST = 3


class _Said(NamedTuple):
    """A sentence of a text: where it is, what it is about, what it denies.

    `soft`: it may say no in some way; `asked`: it bids to look whether it is so.
    """

    start: int
    end: int
    about: frozenset[str]
    denied: tuple[tuple[str, int, int], ...]
    soft: bool
    asked: bool


def turned(pair: Pair) -> Iterator[Found]:
    """Words that the sentence denies and the cited texts state, or that it states and they deny."""
    for clause in pair.sentence.clauses:
        text = clause.text
        if not text.isascii() and sum(map(str.isascii, text)) < 0.8 * len(text):
            continue
        about = clause.grams.long
        if len(about) < _LEAST:
            about = pair.sentence.grams.long
        if len(about) < _LEAST or _TURNS.search(text):
            continue
        denied = _denied(text)
        if _BEFORE.search(text, 0, denied[0][1] if denied else len(text)):
            continue
        if len(denied) == 1 and pair.sentence.text.count('"', 0, clause.start + denied[0][1]) % 2 == 0:
            word, low, high = denied[0]
            places = _stated(pair, word, about)
            if places:
                yield Found(clause.start + low, clause.start + high, places)
        if not denied and not _SOFT.search(text):
            places = _refused(pair, clause, about)
            if places:
                yield Found(clause.start, clause.end, places)


def _denied(text: str) -> tuple[tuple[str, int, int], ...]:
    """The first word of weight behind each "not", and where the "not" stands."""
    found = []
    for match in _NOT.finditer(text):
        for word in _WORD.finditer(text, match.end(), match.end() + _REACH):
            stems = grams(word.group()).long
            if stems and stems.isdisjoint(_LIGHT) and not _HOW.match(word.group()):
                found.append((next(iter(stems)), *match.span()))
                break
    return tuple(found)


def _said(wording: Wording) -> list[_Said]:
    """The sentences of a text; read once."""
    kept: list[_Said] | None = wording.kept.get("said")
    if kept is None:
        kept = []
        for each in passages(wording):
            soft = _SOFT.search(each.text) is not None
            kept.append(
                _Said(
                    each.start,
                    each.end,
                    each.about.long,
                    _denied(each.text) if soft else (),
                    soft,
                    asks(each.text),
                )
            )
        wording.kept["said"] = kept
    return kept


def asks(text: str) -> bool:
    """Whether a sentence asks for something rather than states it: Verify that the names match."""
    return text.endswith("?") or _ASKED.match(text) is not None


def _share(about: frozenset[str], said: _Said) -> float:
    return len(about & said.about) / len(about)


def _stated(pair: Pair, word: str, about: frozenset[str]) -> tuple[Place, ...]:
    """Where the texts state what the sentence denies; () where one of them may deny it too."""
    found: list[tuple[float, Place]] = []
    soft = 0.0
    for number, each in enumerate(pair.texts):
        for said in _said(each.wording):
            share = _share(about, said)
            if said.soft:
                soft = max(soft, share + (_SLACK if word in said.about else 0))
            elif word in said.about and share >= _MOST and not said.asked:
                found.append((share, Place(number, said.start, said.end)))
    if not found:
        return ()
    share, place = max(found)
    return (place,) if soft < share else ()


def _refused(pair: Pair, clause: Clause, about: frozenset[str]) -> tuple[Place, ...]:
    """Where the texts deny what the sentence states; () where one of them states it too."""
    found: list[tuple[float, Place]] = []
    stated = 0.0
    for number, each in enumerate(pair.texts):
        for said in _said(each.wording):
            share = _share(about, said)
            words = {word for word, _, _ in said.denied} & clause.grams.long
            if words and len(said.denied) == 1 and share >= _MOST:
                _, low, high = said.denied[0]
                found.append((share, Place(number, said.start + low, said.start + high)))
            elif not said.denied:
                stated = max(stated, share)
    if not found:
        return ()
    share, place = max(found)
    return (place,) if share > stated else ()
