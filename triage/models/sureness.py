"""How sure the rules are, where settings say so: what decides which suggestions make a case failing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

FAILING = 0.4
"""The least confidence at which a suggestion makes a case failing, where nothing else is set."""


class Sureness(Struct, frozen=True):
    """What a run's `failing` was decided by.

    Args:
        failing: least confidence, 0..1, at which a suggestion makes a case failing.
        rules: (reason, confidence 0..1) of rules whose confidence is set, by reason.
    """

    failing: float = FAILING
    rules: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, failing: float, rules: Mapping[str, float]) -> Sureness:
        """From settings."""
        return cls(failing, tuple(sorted(rules.items())))

    def written(self) -> Any:
        """As JSON keeps it: the bare threshold where no rule's confidence is set."""
        return {"failing": self.failing, "rules": dict(self.rules)} if self.rules else self.failing

    @classmethod
    def read(cls, kept: Any) -> Sureness:
        """From what `written` gave."""
        if isinstance(kept, dict):
            return cls.of(float(kept["failing"]), kept["rules"])
        return cls(float(kept))
