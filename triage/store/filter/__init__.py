"""The filter language of product.md: what is typed after `/` or `--filter`, as one SQL condition."""

from triage.store.filter.compile import Where, compile_filter
from triage.store.filter.fields import FIELDS, STATES, Field, metric_fields
from triage.store.filter.functions import register_functions
from triage.store.filter.guide import describe
from triage.store.filter.names import FilterContext

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
