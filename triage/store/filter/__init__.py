"""The filter language of product.md: what is typed after `/` or `--filter`, as one SQL condition.

The table of names is in `fields`, the help in `guide`, the SQL functions in `functions`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from triage.store.filter.where import FilterContext, Where

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


def compile_filter(text: str, context: FilterContext, *, literal: bool = False) -> Where:
    """The condition that a filter text stands for (product.md, "Filter language").

    Args:
        text: as typed; blank = every case.
        context: what its words refer to.
        literal: search `text` as it is, without syntax.

    Raises:
        FilterError: it does not parse but names a known field, or a field can't take its value; `column` is
            the 1-based character.
    """
    if not text.strip():
        return Where()
    # Imported here because the first paint of an unfiltered list needs none of it.
    from triage.store.filter.compile import compile_text

    return compile_text(text, context, literal)
