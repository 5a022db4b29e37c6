"""What is looked up to find cases: a field's values with their counts, ids by a part of them, queries."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import TYPE_CHECKING

from triage.models.offer import Found
from triage.store.columns import columns
from triage.store.filter.fields import BY_NAME, RECORDED, STATES
from triage.store.text import safe

if TYPE_CHECKING:
    from triage.models.run import RunSummary

MOST = 20_000
"""Most different values of a field that are told, the most frequent first."""
_LONGEST = 200
"""Characters of a value beyond which it is a text that nobody picks from a list."""
_FEW = 12
"""A number with more different values than these is not told by its values."""
_REVIEWED = """FROM reviews_now r CROSS JOIN cases c ON c.rev = :rev AND c.case_id = r.case_id
    CROSS JOIN measures m ON m.view = :view AND m.case_pk = c.pk"""


class Lookups:
    """Questions about one run; each reads the whole run at most once."""

    def __init__(self, sql: sqlite3.Connection) -> None:
        self._sql = sql

    def values(self, run: RunSummary, view: int, name: str) -> list[tuple[str, int]]:
        """The values of a field, a metric or a key of the run with the number of cases, most frequent first.

        A truth value reads `true` or `false`. Nothing where values are texts, times or too many numbers.
        """
        places = {"rev": run.pk, "view": view, "run": run.id}
        own = BY_NAME.get(name)
        metric = next((one for one in columns(self._sql) if one.key == name), None)
        if own is None and metric is not None:
            return self._numbers(f"m.{metric.name}", places)
        rest = name.removeprefix("record.")
        if own is None and rest != name and rest in RECORDED:
            own = BY_NAME[rest]
        if own is None:
            return self._of_key(rest if rest != name else name, run)
        if own.name == "sample":
            return self._samples(run)
        if own.kind == "number":
            return self._numbers(own.column, places)
        if own.kind == "truth":
            found = self._grouped(f"CASE {own.column} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END", places)
        elif own.kind == "word":
            found = self._grouped(own.column, places)
        elif own.kind == "list":
            found = self._elements(own.column, places)
        else:
            found = []
        return found

    def _samples(self, run: RunSummary) -> list[tuple[str, int]]:
        """The run's samples with the number of their cases that it has, newest first."""
        return self._sql.execute(
            """SELECT s.name, (SELECT count(*) FROM sample_cases x
                    JOIN cases c ON c.rev = :rev AND c.case_id = x.case_id WHERE x.sample = s.pk)
                FROM samples s WHERE s.run_id = :run ORDER BY s.pk DESC""",
            {"rev": run.pk, "run": run.id},
        ).fetchall()

    def _grouped(self, column: str, places: dict[str, object]) -> list[tuple[str, int]]:
        source = {
            "r": f"{_REVIEWED} WHERE r.run_id = :run",
            "m": "FROM measures m WHERE m.view = :view",
        }.get(next((alias for alias in "rm" if f"{alias}." in column), ""), "FROM cases c WHERE c.rev = :rev")
        return self._sql.execute(
            f"""SELECT value, n FROM (SELECT {column} AS value, count(*) AS n {source} GROUP BY 1)
                WHERE value IS NOT NULL AND length(value) <= {_LONGEST}
                ORDER BY n DESC, value LIMIT {MOST}""",
            places,
        ).fetchall()

    def _elements(self, column: str, places: dict[str, object]) -> list[tuple[str, int]]:
        each = f"json_each({column}) j"
        source = {
            "(": f"FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk, {each} WHERE m.view = :view",
            "r": f"{_REVIEWED}, {each} WHERE r.run_id = :run",
            "p": f"FROM cases c CROSS JOIN texts p ON p.case_pk = c.pk, {each} WHERE c.rev = :rev",
            "c": f"FROM cases c, {each} WHERE c.rev = :rev",
        }[column[0]]
        return self._sql.execute(
            f"""SELECT value, count(*) AS n
                FROM (SELECT DISTINCT c.pk AS pk, CAST(j.value AS TEXT) AS value {source})
                WHERE value IS NOT NULL AND length(value) <= {_LONGEST}
                GROUP BY 1 ORDER BY n DESC, value LIMIT {MOST}""",
            places,
        ).fetchall()

    def _numbers(self, column: str, places: dict[str, object]) -> list[tuple[str, int]]:
        source = (
            "FROM measures m WHERE m.view = :view" if column[0] == "m" else "FROM cases c WHERE c.rev = :rev"
        )
        found = self._sql.execute(
            f"""SELECT {column} AS value, count(*) {source} AND value IS NOT NULL
                GROUP BY 1 ORDER BY 1 LIMIT {_FEW + 1}""",
            places,
        ).fetchall()
        return [(_written(value), count) for value, count in found] if len(found) <= _FEW else []

    def _of_key(self, name: str, run: RunSummary) -> list[tuple[str, int]]:
        path = "$" + "".join(f'."{part}"' for part in name.split("."))
        if '"' in name:
            return []
        return self._sql.execute(
            f"""SELECT value, count(*) AS n FROM (
                SELECT DISTINCT c.pk, CASE j.type WHEN 'true' THEN 'true' WHEN 'false' THEN 'false'
                    ELSE CAST(j.value AS TEXT) END AS value
                FROM cases c CROSS JOIN texts p ON p.case_pk = c.pk, json_each(p.extra, :path) j
                WHERE c.rev = :rev AND j.type NOT IN ('object', 'array', 'null'))
                WHERE length(value) <= {_LONGEST} GROUP BY 1 ORDER BY n DESC, value LIMIT {MOST}""",
            {"rev": run.pk, "path": path},
        ).fetchall()

    def stamp(self) -> tuple[int, str]:
        """What changes with every review and every sample: while it stays, so does what speaks of them."""
        events, samples = self._sql.execute(
            "SELECT (SELECT COALESCE(max(id), 0) FROM events), (SELECT group_concat(pk) FROM samples)"
        ).fetchone()
        return int(events), samples or ""

    def failing_topic(self, view: int) -> str | None:
        """The topic with the most failing cases; None where none has one."""
        found = self._sql.execute(
            """SELECT c.topic FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk
                WHERE m.view = ? AND m.failing = 1 AND c.topic <> ''
                GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1""",
            (view,),
        ).fetchone()
        return None if found is None else str(found[0])

    def states(self, run: RunSummary, view: int) -> dict[str, int]:
        """How many cases are in each state that the store knows of."""
        names = [name for name, (condition, _) in STATES.items() if condition]
        sums = ", ".join(f"total(COALESCE({STATES[name][0]}, 0))" for name in names)
        found = self._sql.execute(
            f"""SELECT {sums} FROM measures m CROSS JOIN cases c ON c.pk = m.case_pk
                LEFT JOIN reviews_now r ON r.run_id = ? AND r.case_id = c.case_id WHERE m.view = ?""",
            (run.id, view),
        ).fetchone()
        return {name: int(count) for name, count in zip(names, found, strict=True)}

    def missing(self, view: int) -> dict[str, int]:
        """How many cases lack each metric that is in their scope; metrics that none lacks are left out."""
        metrics = columns(self._sql)
        out: dict[str, int] = {}
        for bits, cases in self._sql.execute(
            """SELECT t.missing, v.cases FROM view_patterns v JOIN patterns t ON t.pk = v.pattern
                WHERE v.view = ? AND t.missing <> 0""",
            (view,),
        ):
            for metric in metrics:
                if bits & metric.mask:
                    out[metric.key] = out.get(metric.key, 0) + cases
        return out

    def measured(self, view: int) -> frozenset[str]:
        """The metrics that have a value on some case."""
        seen = 0
        for (bits,) in self._sql.execute(
            "SELECT t.have FROM view_patterns v JOIN patterns t ON t.pk = v.pattern WHERE v.view = ?", (view,)
        ):
            seen |= bits
        return frozenset(metric.key for metric in columns(self._sql) if metric.mask & seen)

    def ids(self, rev: int, part: str, limit: int) -> list[Found]:
        """Cases whose id is, begins with, else holds `part` (ASCII letters of either case), in this order."""
        escaped = "".join(f"\\{sign}" if sign in "%_\\" else sign for sign in safe(part))
        found = self._sql.execute(
            """SELECT c.pk, c.case_id, c.query FROM cases c JOIN (
                    SELECT pk, 0 AS how FROM cases WHERE rev = :rev AND case_id = :part
                    UNION ALL SELECT * FROM (SELECT pk, 1 FROM cases
                        WHERE rev = :rev AND case_id LIKE :begins ESCAPE '\\' ORDER BY case_id LIMIT :limit)
                    UNION ALL SELECT * FROM (SELECT pk, 2 FROM cases
                        WHERE rev = :rev AND case_id LIKE :holds ESCAPE '\\' ORDER BY case_id LIMIT :most)
                ) f ON f.pk = c.pk GROUP BY c.pk ORDER BY min(f.how), c.case_id LIMIT :limit""",
            {"rev": rev, "part": safe(part), "begins": f"{escaped}%", "holds": f"%{escaped}%",
             "limit": limit, "most": 2 * limit},
        ).fetchall()  # fmt: skip
        return [Found(*row) for row in found]

    def queries(self, rev: int, size: int = 10_000) -> Iterator[list[tuple[int, str]]]:
        """(key, query as the list has it) of a revision's cases in file order, `size` at a time."""
        cursor = self._sql.execute("SELECT pk, query FROM cases WHERE rev = ? ORDER BY pk", (rev,))
        while rows := cursor.fetchmany(size):
            yield rows


def _written(value: float) -> str:
    """A number as short as it can be without becoming another."""
    short = f"{value:g}"
    return short if float(short) == value else repr(value)
