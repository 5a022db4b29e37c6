"""What a screen or a command asks for: which cases, in which order."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

LARGEST_K = 2**31 - 1
"""Greatest K: no list is longer, and a database's numbers end somewhere."""

View = Literal["failing", "all", "unreviewed", "passing"]
VIEWS: tuple[View, ...] = ("failing", "all", "unreviewed", "passing")

DrillPart = Literal["worse", "scope", "missing"]
DRILL_PARTS: tuple[DrillPart, ...] = ("worse", "scope", "missing")


class SlicePart(Struct, frozen=True):
    """What one dimension says of a slice's cases.

    Args:
        dimension: its name.
        value: as shown.
        query: a filter text that selects exactly these cases of the run; None where no text can say it.
        without: only of a folded tail: the values, as shown, that are not in it.
        runs: only of a run header's dimension: the ids of the runs with this value, newest first.
    """

    dimension: str
    value: str
    query: str | None = None
    without: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()


class Drill(Struct, frozen=True):
    """The cases behind a number: a metric's worse, scoped or missing ones, or a suggested class's failing
    ones; or those whose queries are like that of one case; or those of a slice; or those that are named.

    Exactly one of `metric`, `failure_class`, `similar` (a case id), `slice` and `named` is set: `named` says
    in a few words what the cases `ids` are. `least` is the
    smallest similarity among the similar ones, for those who read; `keys` are the similar ones' keys in
    their order, or the sliced ones', which the workspace finds. Cases of a slice have each of its parts.
    """

    metric: str | None = None
    part: DrillPart = "worse"
    failure_class: str | None = None
    similar: str | None = None
    least: float = 0.0
    keys: tuple[int, ...] | None = None
    slice: tuple[SlicePart, ...] = ()
    named: str = ""
    ids: tuple[str, ...] = ()


class Scope(Struct, frozen=True):
    """A selection of one run's cases.

    Args:
        run: a run id.
        k: the K of the view; None = the run's own.
        text: the filter text as typed; "" = all.
        literal: search `text` as it is, without syntax (`--text`).
        view: the app's view; commands use "all".
        drill: the number behind which to look; it replaces the view.
        sort: a field or metric key, "-" before it for descending; "" = the default order. For the app's
        default,
            failing cases come first in layer order, then file order; "file" = file order.
    """

    run: str
    k: int | None = None
    text: str = ""
    literal: bool = False
    view: View = "all"
    drill: Drill | None = None
    sort: str = "file"


class First(Struct, frozen=True):
    """The first `count` keys of a scope alone, in the list's own order or the file's; none in any other.

    None too where one of `keep` is a case of the scope and not among them.
    """

    count: int
    keep: tuple[int, ...] = ()
