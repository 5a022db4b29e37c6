"""The filter language of product.md: what is typed after `/` or `--filter`, as one SQL condition.

The table of names is in `fields`, the help in `guide`, the SQL functions in `functions`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from triage.store.filter.where import FilterContext, Where, compile_filter

if TYPE_CHECKING:
    from triage.store.filter.fields import FIELDS, STATES, Field, metric_fields
    from triage.store.filter.functions import register_functions
    from triage.store.filter.guide import describe

_LATE = {
    "FIELDS": "fields",
    "STATES": "fields",
    "Field": "fields",
    "metric_fields": "fields",
    "register_functions": "functions",
    "describe": "guide",
}

__all__ = [
    "FIELDS",
    "STATES",
    "Field",
    "FilterContext",
    "Where",
    "compile_filter",
    "describe",
    "metric_fields",
    "register_functions",
]


def __getattr__(name: str) -> Any:
    # Loaded when first asked for: the start of the app asks for none of these.
    if name in _LATE:
        return getattr(import_module(f"{__name__}.{_LATE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
