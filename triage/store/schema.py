"""The tables, as named steps that only ever grow. An existing step is never edited: a change is a new step.

`cases` and `measures` are narrow, texts stand apart, and the record as it came stands apart from the
texts: what is scanned for a number or a search never drags the payload along. A case's key is `revision <<
32 | position`, so a revision's keys are one range of the primary key, in file order.
"""

from __future__ import annotations

import sqlite3
from functools import partial
from typing import TYPE_CHECKING

from triage.store.schema_review import READINGS_KEPT, REVIEW

if TYPE_CHECKING:
    from sqlite_utils import Database

APPLICATION_ID = 0x54524147
"""Marks a database file as ours ("TRAG")."""

POSITION_BITS = 32
"""A case's primary key holds its position in the file in its low bits, its revision above."""

_HIGHEST_POSITION = (1 << POSITION_BITS) - 1


def key_bounds(rev: int) -> tuple[int, int]:
    """Lowest and highest primary key that a case of the revision can have."""
    return rev << POSITION_BITS, (rev << POSITION_BITS) | _HIGHEST_POSITION


def position_of(pk: int) -> int:
    """The 0-based position in its file of the case with this primary key."""
    return pk & _HIGHEST_POSITION


_RUNS_AND_CASES = (
    """CREATE TABLE runs (
        pk INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL UNIQUE,
        path TEXT NOT NULL,
        format TEXT NOT NULL,
        named INTEGER NOT NULL,     -- 1: by its header, 0: by its path
        numbered INTEGER NOT NULL,  -- the last revision number given out
        newest INTEGER              -- pk of the newest finished revision; NULL: removed, its reviews stay
    )""",
    """CREATE TABLE revisions (
        pk INTEGER PRIMARY KEY AUTOINCREMENT,
        run_pk INTEGER,
        number INTEGER,
        path TEXT NOT NULL,
        format TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        created_at TEXT,
        loaded_at TEXT,
        done INTEGER NOT NULL DEFAULT 0,  -- 0 being written, 1 finished, 2 its records are going, 3 gone
        dataset TEXT,
        k INTEGER,
        records INTEGER NOT NULL DEFAULT 0,
        rejected INTEGER NOT NULL DEFAULT 0,
        field_problems INTEGER NOT NULL DEFAULT 0,
        run_cites INTEGER NOT NULL DEFAULT 0,
        options TEXT NOT NULL,
        warnings TEXT NOT NULL DEFAULT '[]',
        header TEXT NOT NULL DEFAULT '{}',
        kb_ids TEXT
    )""",
    "CREATE INDEX revisions_run ON revisions(run_pk, number)",
    "CREATE INDEX revisions_sha ON revisions(sha256)",
    """CREATE TABLE cases (
        pk INTEGER PRIMARY KEY,
        rev INTEGER NOT NULL,
        pos INTEGER NOT NULL,
        line INTEGER NOT NULL,
        case_id TEXT NOT NULL,
        topic TEXT,
        topic_inferred INTEGER NOT NULL,
        high_risk INTEGER NOT NULL,
        query_type TEXT,
        domain TEXT,
        difficulty TEXT,
        source TEXT,
        kb_version TEXT,
        dataset_version TEXT,
        answerable INTEGER,
        predicted INTEGER,
        refused INTEGER,
        route TEXT,
        has_error INTEGER NOT NULL,
        passed INTEGER,
        turns INTEGER,
        latency_ms REAL,
        cost REAL,
        tokens REAL,
        inferred TEXT NOT NULL,     -- JSON list of field names
        hash_case TEXT NOT NULL,
        hash_answer TEXT NOT NULL,
        hash_retrieved TEXT NOT NULL,
        query TEXT NOT NULL         -- cut; the whole stands in the payload
    )""",
    "CREATE UNIQUE INDEX cases_id ON cases(rev, case_id)",
    """CREATE TABLE texts (
        case_pk INTEGER PRIMARY KEY,
        query TEXT,
        raw_query TEXT,
        answer TEXT,
        refusal_reason TEXT,
        error TEXT,
        expected TEXT,              -- JSON list of ids, NULL = not recorded; so the next two
        retrieved TEXT,
        cited TEXT,
        extra TEXT NOT NULL         -- JSON object: the keys that have no column, NaN as null
    )""",
    "CREATE TABLE records (case_pk INTEGER PRIMARY KEY, evidence TEXT, raw TEXT NOT NULL)",
    # A query that asks for neither evidence nor raw never reads `records`: SQLite drops an unused LEFT JOIN.
    """CREATE VIEW payloads AS
        SELECT t.case_pk, t.query, t.raw_query, t.answer, t.refusal_reason, t.error, t.expected,
            t.retrieved, t.cited, t.extra, d.evidence, d.raw
        FROM texts t LEFT JOIN records d ON d.case_pk = t.case_pk""",
    """CREATE TABLE extra_keys (
        rev INTEGER NOT NULL, key TEXT NOT NULL, PRIMARY KEY (rev, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE problems (
        rev INTEGER NOT NULL,
        level TEXT NOT NULL,
        line INTEGER,
        case_id TEXT,
        field TEXT,
        reason TEXT NOT NULL
    )""",
    "CREATE INDEX problems_rev ON problems(rev, case_id)",
    # How many case ids two revisions share, for runs that name no test set.
    """CREATE TABLE overlaps (
        rev INTEGER NOT NULL, other INTEGER NOT NULL, shared INTEGER NOT NULL, PRIMARY KEY (rev, other)
    ) WITHOUT ROWID""",
    """CREATE TABLE baselines (run_id TEXT PRIMARY KEY, baseline TEXT NOT NULL) WITHOUT ROWID""",
    """CREATE TABLE pins (run_id TEXT PRIMARY KEY, at TEXT NOT NULL) WITHOUT ROWID""",
)

_MEASURES = (
    "CREATE TABLE metric_columns (key TEXT PRIMARY KEY, bit INTEGER NOT NULL UNIQUE) WITHOUT ROWID",
    """CREATE TABLE views (
        pk INTEGER PRIMARY KEY AUTOINCREMENT,
        rev INTEGER NOT NULL,
        k INTEGER,
        version TEXT NOT NULL,
        done INTEGER NOT NULL DEFAULT 0   -- as in `revisions`
    )""",
    "CREATE INDEX views_rev ON views(rev, k)",
    # What many cases have in common, each combination once: counting a hundred thousand cases is counting one
    # small number, and a hundred bits are looked at once a combination.
    """CREATE TABLE patterns (
        pk INTEGER PRIMARY KEY,
        missing INTEGER NOT NULL,   -- bits of metric_columns, so the next four
        inferred INTEGER NOT NULL,
        worse INTEGER NOT NULL,
        have INTEGER NOT NULL,
        ones INTEGER NOT NULL,
        layers TEXT NOT NULL,       -- four characters: '.' fine, its digit fails, ' ' out of scope
        lead INTEGER NOT NULL,      -- failing: first failing layer's digit, 5 without one; 9 not failing
        class TEXT NOT NULL,        -- '' = none
        UNIQUE (missing, inferred, worse, have, ones, layers, lead, class)
    )""",
    # One column m_<key> a metric follows, added when the metric is first measured (columns.py).
    """CREATE TABLE measures (
        view INTEGER NOT NULL,
        case_pk INTEGER NOT NULL,
        pattern INTEGER NOT NULL,
        missing INTEGER NOT NULL,
        failing INTEGER NOT NULL,
        lead INTEGER NOT NULL,
        class TEXT,
        first_rank INTEGER,
        confidence REAL NOT NULL,
        reason TEXT NOT NULL,
        PRIMARY KEY (view, case_pk)
    ) WITHOUT ROWID""",
    # Failing cases alone: they are few, and loading a passing one costs nothing here.
    "CREATE INDEX measures_failing ON measures(view, lead, class) WHERE lead < 9",
    # What a finished view adds up to over all its cases: panels without a filter read nothing else.
    """CREATE TABLE view_patterns (
        view INTEGER NOT NULL, pattern INTEGER NOT NULL, cases INTEGER NOT NULL, PRIMARY KEY (view, pattern)
    ) WITHOUT ROWID""",
    """CREATE TABLE view_sums (
        view INTEGER NOT NULL, key TEXT NOT NULL, total REAL NOT NULL, weight REAL NOT NULL,
        PRIMARY KEY (view, key)
    ) WITHOUT ROWID""",
    """CREATE TABLE findings (
        view INTEGER NOT NULL,
        case_pk INTEGER NOT NULL,
        evidence TEXT,              -- JSON object of the suggestion
        secondary TEXT,             -- JSON list of {class, reason, confidence, evidence}
        PRIMARY KEY (view, case_pk)
    ) WITHOUT ROWID""",
)

_REVIEWS = (
    """CREATE TABLE batches (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        batch TEXT NOT NULL UNIQUE,
        sitting TEXT NOT NULL,
        run_id TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        target TEXT
    )""",
    "CREATE INDEX batches_sitting ON batches(sitting, run_id)",
    "CREATE INDEX batches_target ON batches(target) WHERE target IS NOT NULL",
    """CREATE TABLE events (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        batch TEXT NOT NULL,
        sitting TEXT NOT NULL,
        dataset TEXT,
        case_id TEXT NOT NULL,
        run_id TEXT NOT NULL,
        revision INTEGER NOT NULL,
        hash_case TEXT NOT NULL,
        hash_answer TEXT NOT NULL,
        hash_retrieved TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL,
        kind TEXT NOT NULL,
        verdict TEXT,
        labels TEXT,
        note TEXT,
        target TEXT
    )""",
    "CREATE INDEX events_case ON events(run_id, case_id)",
    "CREATE INDEX events_batch ON events(batch)",
    """CREATE TRIGGER events_only_grow BEFORE UPDATE ON events
        BEGIN SELECT RAISE(ABORT, 'review events are append-only'); END""",
    """CREATE TABLE reviews_now (
        run_id TEXT NOT NULL,
        case_id TEXT NOT NULL,
        verdict TEXT,
        labels TEXT NOT NULL,       -- JSON list
        note TEXT NOT NULL,
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL,
        disputed INTEGER NOT NULL,
        hash_case TEXT NOT NULL,
        hash_answer TEXT NOT NULL,
        hash_retrieved TEXT NOT NULL,
        PRIMARY KEY (run_id, case_id)
    ) WITHOUT ROWID""",
    "CREATE INDEX reviews_case ON reviews_now(case_id)",
    """CREATE TABLE drafts (
        reviewer TEXT NOT NULL, run_id TEXT NOT NULL, case_id TEXT NOT NULL, text TEXT NOT NULL,
        at TEXT NOT NULL, PRIMARY KEY (reviewer, run_id, case_id)
    ) WITHOUT ROWID""",
    "CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID",
)

_DEFERRED = ("ALTER TABLE reviews_now ADD COLUMN deferred INTEGER NOT NULL DEFAULT 0",)

# An index itself is a table `search_<rev>` that is made and dropped with it (search.py).
_SEARCH = (
    """CREATE TABLE searches (
        rev INTEGER PRIMARY KEY,
        version TEXT NOT NULL,      -- of the rules by which texts became tokens
        upto INTEGER NOT NULL       -- key of the last case in the index
    )""",
    """CREATE TABLE search_words (
        rev INTEGER NOT NULL, word TEXT NOT NULL, PRIMARY KEY (rev, word)
    ) WITHOUT ROWID""",
)

# In the order of the list, so that its first rows come without the others.
_ORDER = (
    "DROP INDEX measures_failing",
    "CREATE INDEX measures_failing ON measures(view, lead, case_pk, class) WHERE lead < 9",
)

_CHECKS = (
    """CREATE TABLE checks (
        case_pk INTEGER PRIMARY KEY,
        state TEXT NOT NULL,        -- the case in one word
        factual INTEGER NOT NULL,   -- sentences, so the next four
        cited INTEGER NOT NULL,
        judged INTEGER NOT NULL,
        unsupported INTEGER NOT NULL,
        low INTEGER NOT NULL,
        mismatches TEXT NOT NULL    -- JSON list of kinds
    )""",
    """CREATE TABLE checkings (
        rev INTEGER PRIMARY KEY,
        version TEXT NOT NULL,      -- of the rules by which sentences were checked
        upto INTEGER NOT NULL       -- key of the last case in `checks`
    )""",
    # The version of the rules whose results the measures hold; NULL: none.
    "ALTER TABLE views ADD COLUMN checked TEXT",
)

# The smallest number of attempts at a case, 0 where there are none; NULL: nobody looked.
_ATTEMPTS = ("ALTER TABLE revisions ADD COLUMN fewest_attempts INTEGER",)

STEPS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("runs_and_cases", _RUNS_AND_CASES),
    ("measures", _MEASURES),
    ("reviews", _REVIEWS),
    ("deferred", _DEFERRED),
    ("search", _SEARCH),
    ("order", _ORDER),
    ("checks", _CHECKS),
    ("attempts", _ATTEMPTS),
    ("review", REVIEW),
    ("readings_kept", READINGS_KEPT),
)
"""Name and statements of every step, oldest first."""

SCHEMA_VERSION = len(STEPS)
"""The `user_version` of a database that this program writes."""


def _run(statements: tuple[str, ...], database: Database) -> None:
    for statement in statements:
        database.execute(statement)


def migrate(connection: sqlite3.Connection, upto: int = SCHEMA_VERSION) -> None:
    """Apply the steps that are still missing, up to and with number `upto`. Call inside a write transaction.

    Raises:
        sqlite3.Error: a step failed; the caller's transaction is to be rolled back.
    """
    # Imported here because a current database needs none of it, and a start must be quick.
    from sqlite_utils import Database, Migrations

    from triage.store.standing import resettle

    migrations = Migrations("triage")
    for name, statements in STEPS[:upto]:
        step = partial(_run, statements)
        migrations(name=name)(step)  # type: ignore[type-var]
    migrations.apply(Database(connection, execute_plugins=False))
    if upto == SCHEMA_VERSION:
        # An older program may have called a case disputed on which most reviewers agree.
        resettle(connection)
    connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {upto}")
