"""Did a case go down an accepted route (metrics.md section 4)?"""

from __future__ import annotations

from collections.abc import Sequence


def parts_of(route: str) -> frozenset[str]:
    """The parts of a hybrid route: `sql+vector` and `vector+sql` are one."""
    return frozenset(part.strip() for part in route.split("+"))


def route_match(expected: Sequence[str] | None, actual: str | None) -> bool | None:
    """Is the route one of those accepted, case-sensitive? None where either is not recorded, or none is
    accepted. "none" is a route like any other.
    """
    if not expected or actual is None:
        return None
    return any(parts_of(route) == parts_of(actual) for route in expected)
