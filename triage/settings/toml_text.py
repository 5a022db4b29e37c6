"""TOML parsed, and what is wrong with it in words and by its line, whatever the file holds."""

from __future__ import annotations

import re
import tomllib
from typing import Any

_PLACE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")
_DIGITS = re.compile(r"[\d_]{4300}")
"""More digits than Python makes a number of."""


class NotToml(ValueError):
    """A text that is no TOML, or none that can be held: the 1-based line, None = unknown, and why."""

    def __init__(self, line: int | None, reason: str) -> None:
        super().__init__(reason)
        self.line, self.reason = line, reason


def parsed(text: str) -> dict[str, Any]:
    """The table that a TOML text says.

    Raises:
        NotToml: it does not parse.
    """
    try:
        return tomllib.loads(text)
    except RecursionError:
        raise NotToml(None, "is nested too deeply") from None
    except tomllib.TOMLDecodeError as error:
        place = _PLACE.search(str(error))
        line = int(place[1]) if place and place[1] else text.count("\n") + 1
        raise NotToml(line, _PLACE.sub("", str(error))) from error
    except ValueError:
        found = _DIGITS.search(text)
        where = text.count("\n", 0, found.start()) + 1 if found is not None else None
        raise NotToml(where, "a number has too many digits") from None
