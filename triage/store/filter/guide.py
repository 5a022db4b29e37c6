"""The filter language in a few lines, for the help screen and `--help`."""

from __future__ import annotations

from triage.store.filter.fields import FIELDS, STATES

_WIDTH = 76


def describe() -> list[str]:
    """Short help of the language: ASCII lines of at most 76 cells, an empty one between its parts."""
    return [
        'is:failing topic:refund -verdict:retrieval faithfulness:<=2 "free of charge"',
        "",
        "a b           both; AND, && as well      a OR b, a || b   either",
        "-a, NOT a     all other cases            (a OR b) c       groups",
        '"a b"         a phrase                   name:(a OR b)    one field',
        "name:*        recorded                   missing:METRIC   not recorded",
        "name:>=2      also > < <=                name:[1 TO 3]    {1 TO 3}: between",
        "name:ref*     any ending                 \\: \\* \\(        the mark itself",
        "",
        "Bare words are looked for in query, answer and notes as they stand.",
        "Texts contain, other fields equal; capitals count for nothing. Lists: any",
        "element. A name that is no field and no key of the run is text.",
        "",
        *_wrapped("is:", list(STATES)),
        *_wrapped("fields:", [field.name for field in FIELDS if field.kind not in ("state", "missing")]),
        "and every metric's key, and every key of the run: meta.lang, record.verdict",
    ]


def _wrapped(head: str, words: list[str]) -> list[str]:
    lines = [head]
    for word in words:
        if len(lines[-1]) + 1 + len(word) > _WIDTH:
            lines.append(" " * len(head))
        lines[-1] += f" {word}"
    return lines
