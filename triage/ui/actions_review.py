"""The actions of the screens of a review, and what their footers show."""

from __future__ import annotations

from collections.abc import Mapping

from triage.ui.actions import Action

REVIEW: tuple[Action, ...] = ()
FEET: Mapping[str, tuple[str, ...]] = {}
"""Place -> ids of the actions in its footer, the first ones where there is little room."""
