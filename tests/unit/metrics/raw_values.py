"""Values of raw JSON records as run-format.md and metrics.md read them, in plain Python without `triage`."""

from __future__ import annotations

from itertools import permutations
from typing import Any

Raw = dict[str, Any]


def truth(value: Any) -> bool | None:
    """true, false, their words, 0 and 1; anything else is not recorded."""
    words = {"true": True, "false": False, "是": True, "否": False, "yes": True, "no": False}
    if isinstance(value, str):
        return words.get(value.strip().lower())
    return bool(value) if isinstance(value, bool | int | float) and value in (0, 1) else None


def ids_of(value: Any) -> list[str] | None:
    """A list of ids as texts; a field that is no list of ids is not recorded."""
    if not isinstance(value, list):
        return None
    out = []
    for item in value:
        item = item.get("id") if isinstance(item, dict) else item
        if isinstance(item, bool) or not isinstance(item, str | int | float):
            return None
        out.append(item if isinstance(item, str) else str(int(item) if item == int(item) else item))
    return out


def score(case: Raw, name: str) -> float | None:
    """A judge score: the judges' mean, else the one in `scores`, else the one at the top."""
    alias = {"answer_relevancy": "relevancy", "answer_correctness": "correctness"}.get(name, name)

    def read(source: Any) -> float | None:
        for key in (name, alias):
            value = (source or {}).get(key)
            if isinstance(value, str):
                try:
                    value = float(value)
                except ValueError:
                    value = None
            if value is not None:
                return float(value)
        return None

    given = [found for judge in case.get("judges") or [] if (found := read(judge.get("scores"))) is not None]
    if given:
        return sum(given) / len(given)
    found = read(case.get("scores"))
    return found if found is not None else read(case)


def tries(case: Raw) -> list[bool | None]:
    """What became of each attempt."""
    given = case.get("attempts") or []
    return [truth(one if isinstance(one, bool) else one.get("passed")) for one in given]


def calls(value: Any) -> tuple[list[Raw], list[str]] | None:
    """Calls one by one, and their names in order with parallel groups sorted."""
    if not isinstance(value, list):
        return None
    flat: list[Raw] = []
    names: list[str] = []
    for item in value:
        group = [
            {"name": one} if isinstance(one, str) else one
            for one in (item if isinstance(item, list) else [item])
        ]
        flat += group
        names += sorted(one["name"] for one in group)
    return flat, names


def params(call: Raw) -> Raw:
    for key in ("params", "arguments", "args", "kwargs"):
        if call.get(key) is not None:
            found: Raw = call[key]
            return found
    return {}


def equal(want: Any, got: Any) -> bool:
    """Type-strict equality, any_of at any depth, texts stripped, lists ordered."""
    if isinstance(want, dict) and set(want) == {"any_of"}:
        return any(equal(one, got) for one in want["any_of"])
    if isinstance(want, bool) or isinstance(got, bool) or want is None or got is None:
        return want is got
    if isinstance(want, int | float) and isinstance(got, int | float):
        return want == got
    if type(want) is not type(got):
        return False
    if isinstance(want, str):
        return bool(want.strip() == got.strip())
    if isinstance(want, list):
        return len(want) == len(got) and all(map(equal, want, got))
    return set(want) == set(got) and all(equal(want[key], got[key]) for key in want)


def satisfied(want: Raw, got: Raw) -> bool:
    """Name, all expected parameters, ok, not empty; strict: no further parameters."""
    ok = got.get("ok") is None or truth(got["ok"])
    empty = bool(truth(got.get("empty"))) or ("result" in got and got["result"] in (None, "", [], {}))
    if "result" in got and got["result"] is False:
        empty = bool(truth(got.get("empty")))
    due, made = params(want), params(got)
    fits = all(key in made and equal(due[key], made[key]) for key in due)
    further = bool(truth(want.get("strict"))) and any(key not in due for key in made)
    return bool(want["name"] == got["name"] and ok and not empty and fits and not further)


def matched(want: list[Raw], got: list[Raw]) -> int:
    """The most pairs of all ways to pair them: tried one by one."""
    slots: list[Raw | None] = [*got, *[None] * len(want)]
    return max(
        (
            sum(two is not None and satisfied(one, two) for one, two in zip(want, order, strict=True))
            for order in permutations(slots, len(want))
        ),
        default=0,
    )


def lev(one: list[str], two: list[str]) -> int:
    """Edits between two sequences, by the definition."""
    if not one or not two:
        return len(one) + len(two)
    if one[-1] == two[-1]:
        return lev(one[:-1], two[:-1])
    return 1 + min(lev(one[:-1], two), lev(one, two[:-1]), lev(one[:-1], two[:-1]))


def exact(one: Any, two: Any) -> bool:
    """Slot values: type-strict, as written."""
    if isinstance(one, bool) or isinstance(two, bool) or one is None or two is None:
        return one is two
    if isinstance(one, int | float) and isinstance(two, int | float):
        return one == two
    if type(one) is not type(two):
        return False
    if isinstance(one, list):
        return len(one) == len(two) and all(map(exact, one, two))
    if isinstance(one, dict):
        return set(one) == set(two) and all(exact(one[key], two[key]) for key in one)
    return bool(one == two)


def steps(value: Any) -> int | None:
    if not isinstance(value, list):
        return None
    return sum(len(item) if isinstance(item, list) else 1 for item in value)
