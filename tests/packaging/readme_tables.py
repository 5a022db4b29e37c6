"""README's generated tables; `python tests/packaging/readme_tables.py --write` refreshes them."""

from __future__ import annotations

import re
import sys
from pathlib import Path

README = Path(__file__).resolve().parents[2] / "README.md"


def keys() -> str:
    """Every key of the app."""
    from triage.ui.keys import key_table

    return key_table().strip()


def metrics() -> str:
    """Every metric of the registry, in panel order."""
    from triage.metrics.registry import METRICS

    lines = ["| metric | panel | tells | does not tell |", "| --- | --- | --- | --- |"]
    for metric in METRICS:
        better = "" if metric.higher_is_better else "; lower is better"
        name = f"`{metric.key}` {metric.title}"
        lines.append(f"| {name} | {metric.panel} | {metric.tells}{better} | {metric.does_not_tell} |")
    return "\n".join(lines)


def reasons() -> str:
    """Every reason of a suggestion, in order of precedence."""
    from triage.diagnosis import REASONS

    lines = ["| reason | class | sure | means |", "| --- | --- | --- | --- |"]
    for info in REASONS.values():
        sure = f"{info.confidence:.2f}".removeprefix("0")
        lines.append(f"| `{info.reason}` | {info.failure_class or ''} | {sure} | {info.meaning} |")
    return "\n".join(lines)


def settings() -> str:
    """Every setting with its default."""
    from triage.settings.table import settings_table

    return settings_table().strip()


TABLES = {"keys": keys, "metrics": metrics, "reasons": reasons, "settings": settings}


def block(name: str) -> re.Pattern[str]:
    """What stands between the markers of a table, markers included."""
    return re.compile(rf"<!-- {name} -->\n(.*?)<!-- /{name} -->", re.DOTALL)


def refreshed(text: str) -> str:
    """README's text with every table as the program has it now."""
    for name, table in TABLES.items():
        new = f"<!-- {name} -->\n{table()}\n<!-- /{name} -->"
        text, count = block(name).subn(lambda match, new=new: new, text)
        if count != 1:
            raise SystemExit(f"README.md has {count} places for the table of {name}, not one")
    return text


if __name__ == "__main__":
    sys.path.insert(0, str(README.parent))
    before = README.read_text(encoding="utf-8")
    after = refreshed(before)
    if "--write" in sys.argv[1:]:
        README.write_text(after, encoding="utf-8")
    print("README.md is up to date" if before == after else "README.md differs")
