"""The rules of metrics.md section 5: each file of this folder holds one, or a few of a kind, in `RULES`.

A rule is registered by its file being here; its number is its place in the order.
"""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pkgutil import iter_modules

from triage.diagnosis.rule import Rule


def _registered() -> tuple[Rule, ...]:
    found: list[Rule] = []
    for module in sorted(each.name for each in iter_modules(__path__)):
        found += import_module(f"{__name__}.{module}").RULES
    taken = Counter(name for rule in found for name in (rule.reason, rule.number))
    twice = [name for name, times in taken.items() if times > 1]
    if twice:
        raise ValueError(f"two rules are called {', '.join(twice)}")
    return tuple(sorted(found, key=lambda rule: rule.place))


RULES: tuple[Rule, ...] = _registered()
"""In order of precedence: the first that fires is the suggestion, the others are shown beside it."""
