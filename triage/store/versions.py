"""By what stored numbers were worked out: metrics, rules, markers. Where that has changed they are old.

Metrics go by their keys, everything else by its files, since that is how each is added; nothing is loaded
for it.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from pkgutil import iter_modules

import triage
from triage.models.sentences import CHECK_VERSION

try:
    # `hashlib` takes it from there, but loads OpenSSL as well, which a start would wait for.
    from _blake2 import blake2b
except ImportError:
    from hashlib import blake2b

RULES = "diagnosis/rules"
FORMS = "citations/forms"
REASONS = "citations/support"


@lru_cache(maxsize=8)
def files(folder: str) -> tuple[str, ...]:
    """The modules of a folder of the package, by name."""
    paths = [str(Path(path) / folder) for path in triage.__path__]
    return tuple(sorted(f"{folder}/{module.name}" for module in iter_modules(paths)))


def _short(names: tuple[str, ...]) -> str:
    return blake2b(",".join(names).encode(), digest_size=4).hexdigest()


def measured() -> str:
    """A short name of the metrics, rules and markers there are; a view of others is measured anew."""
    # Imported here because metrics are defined above no store.
    from triage.metrics.registry import METRICS

    metrics = tuple(metric.key for metric in METRICS if not metric.derived)
    return _short((*metrics, *files(RULES), *files(FORMS)))


def checked() -> str:
    """A short name of the rules by which sentences are checked; what others said is checked anew."""
    return f"{CHECK_VERSION}/{_short((*files(FORMS), *files(REASONS)))}"
