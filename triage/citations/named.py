"""Numbers by the word beside them: version 4, room 102, 32 teams. Part of "number" (metrics.md section 6).

They are no measures, so what tells that one is wrong is the same word with another number in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from triage.citations.numerals import ENGLISH
from triage.citations.pairing import Found, Pair, Place
from triage.citations.units import UNITS
from triage.citations.wording import Wording, grams

_LABELS = (
    r"version|season|episode|room|window|chapter|section|article|level|phase|stage|tier|class|grade|mach|iso"
    r"|page|line|volume|form|schedule|title|rule|platform|gate|floor|unit|zone|round|week|model"
)


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    labelled = re.compile(rf"\b(?P<name>{_LABELS})s? (?P<n>[0-9]+(?:\.[0-9]+)*)(?![0-9%:/-]|[.,][0-9])")
    counted = re.compile(
        r"(?<![0-9a-z.,:/$£€#-])(?P<n>[0-9]{1,3}(?:,[0-9]{3})+|[0-9]{1,6}) (?P<name>[a-z]{4,})\b"
    )
    number = re.compile(r"[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)*|\b(?:" + "|".join(ENGLISH) + r")\b")
    return labelled, counted, number


def other_number(pair: Pair) -> Iterator[Found]:
    """Numbers that the cited texts don't have, beside a word that they have with another number."""
    if not any(map(str.isdigit, pair.sentence.text)):
        return
    labelled, counted, _ = _patterns()
    asked = _numbers(pair.question)
    for pattern, strict in ((labelled, False), (counted, True)):
        for match in pattern.finditer(pair.sentence.text):
            value, name = _plain(match.group("n")), _name(match.group("name"))
            if name is None or value in asked or _named(pair.sentence, strict).get(name, {}).keys() - {value}:
                continue
            if strict and any(value in _numbers(each.wording) for each in pair.texts):
                continue
            found = [(at, _named(each.wording, strict).get(name, {})) for at, each in enumerate(pair.texts)]
            if any(value in theirs for _, theirs in found):
                continue
            places = [Place(at, *span) for at, theirs in found for span in theirs.values()]
            if places:
                yield Found(*match.span(), tuple(places[:3]))


def _name(word: str) -> str | None:
    """What is counted, None where it is a unit (which is compared as a value) or a small word."""
    stems = grams(word).long
    return next(iter(stems)) if stems and word not in UNITS else None


def _plain(written: str) -> str:
    return written.replace(",", "")


def _named(wording: Wording, counted: bool) -> dict[str, dict[str, tuple[int, int]]]:
    """By the word, the numbers that stand beside it in a text and where; read once."""
    key = "counted" if counted else "labelled"
    kept: dict[str, dict[str, tuple[int, int]]] | None = wording.kept.get(key)
    if kept is None:
        kept = {}
        for match in _patterns()[counted].finditer(wording.text):
            name = _name(match.group("name"))
            if name is not None:
                kept.setdefault(name, {}).setdefault(_plain(match.group("n")), match.span())
        wording.kept[key] = kept
    return kept


def _numbers(wording: Wording) -> frozenset[str]:
    """The numbers of a text as digits; read once."""
    kept: frozenset[str] | None = wording.kept.get("numbers")
    if kept is None:
        found = _patterns()[2].findall(wording.text)
        kept = frozenset(f"{ENGLISH[each]:g}" if each in ENGLISH else _plain(each) for each in found)
        wording.kept["numbers"] = kept
    return kept
