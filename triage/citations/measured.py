"""How right the rule check was against people, each figure measured before its texts were learnt from.

Precision: of the sentences that the check calls unsupported, the share that people call so too; recall: of
those that people call so, the share that the check finds.
"""

from __future__ import annotations

from typing import NamedTuple


class Measured(NamedTuple):
    """`right` of `found` were right; `precision` is their share, 0..1."""

    right: int
    found: int

    @property
    def precision(self) -> float:
        """The share of what was found that was right."""
        return self.right / self.found


SHORT = Measured(128, 139)
"""Flags on short policies, three quarters Chinese: five lists of 260 pairs at the first look at each."""

SHORT_CAUGHT = Measured(128, 139)
"""Of the unsupported sentences of the same lists, those that were flagged."""

LONG = Measured(16, 58)
"""Flagged answers of `mtrag_answers` that readers found unfaithful (flagging all of them: .15).

Its sources are long web pages, and most of what its readers object to is said by no source at all.
`tests/benchmarks/support.py` measures it again.
"""


def flags_were_right() -> str:
    """How far to trust a flag, in a line."""
    short, long = (f"{share.precision:.2f}".removeprefix("0") for share in (SHORT, LONG))
    return f"flags right: {short} on short sources, {long} on long"
