"""The forms of citation markers, a family a file (metrics.md section 6, "Markers").

A family is registered by its file being here. A file has:

    PLACE: its place among the files; where two families claim the same text, the first has it.
    OPENERS: the characters that its markers may begin with; a text with none of any family is not looked at.
    HINT: a regular expression that finds something in every text that holds a marker of the family.
    find: Page -> (start, end, ids) of the markers, in order, as offsets in the page's text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from typing import NamedTuple

from triage.citations.page import Page

Found = tuple[int, int, tuple[str, ...]]
"""(start, end, ids): a marker's offsets and the ids it names."""


class Form(NamedTuple):
    """One family of markers."""

    place: int
    name: str
    openers: str
    hint: re.Pattern[str]
    find: Callable[[Page], Iterable[Found]]


@cache
def forms() -> tuple[Form, ...]:
    """The families, in their places. Read at the first call: importing this costs nothing."""
    found = []
    for name in sorted(module.name for module in iter_modules(__path__)):
        module = import_module(f"{__name__}.{name}")
        found.append(Form(module.PLACE, name, module.OPENERS, re.compile(module.HINT), module.find))
    return tuple(sorted(found, key=lambda form: (form.place, form.name)))


@cache
def openers() -> re.Pattern[str]:
    """Finds a character that a marker of any family may begin with."""
    return re.compile("[" + re.escape("".join(form.openers for form in forms())) + "]")
