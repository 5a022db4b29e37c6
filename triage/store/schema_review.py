"""The steps of the schema that hold samples, their readings, and the codebook; see `schema`."""

from __future__ import annotations

REVIEW = (
    "ALTER TABLE events ADD COLUMN sample TEXT",
    "ALTER TABLE events ADD COLUMN reason TEXT",
    "ALTER TABLE events ADD COLUMN seconds REAL",
    "ALTER TABLE reviews_now ADD COLUMN arbitrated INTEGER NOT NULL DEFAULT 0",
    """CREATE TABLE samples (
        pk INTEGER PRIMARY KEY AUTOINCREMENT,
        run_id TEXT NOT NULL,
        name TEXT NOT NULL,
        revision INTEGER NOT NULL,
        dataset TEXT,
        rule TEXT NOT NULL,         -- JSON: how it was drawn, its seed among it
        drawn TEXT NOT NULL,        -- JSON: strata, what was left out, what it can claim
        readings INTEGER NOT NULL,  -- readings that each case is to have
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL,
        UNIQUE (run_id, name)
    )""",
    """CREATE TABLE sample_cases (
        sample INTEGER NOT NULL,
        case_id TEXT NOT NULL,
        place INTEGER NOT NULL,     -- 0-based, shuffled by the seed
        stratum INTEGER NOT NULL,
        must INTEGER NOT NULL,
        readings INTEGER NOT NULL,
        PRIMARY KEY (sample, case_id)
    ) WITHOUT ROWID""",
    # A slot is one reading of a case: its reader has it in hand, or has given the verdict of `batch`.
    """CREATE TABLE slots (
        sample INTEGER NOT NULL,
        case_id TEXT NOT NULL,
        slot INTEGER NOT NULL,      -- 1 to the readings that the case is to have
        reviewer TEXT NOT NULL,
        sitting TEXT NOT NULL,
        at TEXT NOT NULL,
        batch TEXT,                 -- NULL: in hand
        PRIMARY KEY (sample, case_id, slot),
        UNIQUE (sample, case_id, reviewer)
    ) WITHOUT ROWID""",
    """CREATE TRIGGER slots_are_counted BEFORE INSERT ON slots
        WHEN NEW.slot < 1 OR NEW.slot > coalesce((SELECT readings FROM sample_cases
            WHERE sample = NEW.sample AND case_id = NEW.case_id), 0)
        BEGIN SELECT RAISE(ABORT, 'a case has no more readings than its sample gives it'); END""",
    """CREATE TABLE codes (
        name TEXT PRIMARY KEY,
        definition TEXT NOT NULL,
        examples TEXT NOT NULL,     -- JSON list of [run id, case id]
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL
    ) WITHOUT ROWID""",
    """CREATE TABLE code_changes (
        id INTEGER PRIMARY KEY AUTOINCREMENT,
        kind TEXT NOT NULL,         -- define, rename, merge, split, forget
        names TEXT NOT NULL,        -- JSON list: labels before
        into_names TEXT NOT NULL,   -- JSON list: labels after
        detail TEXT NOT NULL,       -- JSON object: definitions, cases that were relabelled
        reviewer TEXT NOT NULL,
        at TEXT NOT NULL
    )""",
    """CREATE TRIGGER code_changes_only_grow BEFORE UPDATE ON code_changes
        BEGIN SELECT RAISE(ABORT, 'the history of labels is append-only'); END""",
)

# The number of readings, and what was drawn, hold against whatever is written, not only against a new row.
READINGS_KEPT = (
    """CREATE TRIGGER slots_stay_counted BEFORE UPDATE ON slots
        WHEN NEW.slot < 1 OR NEW.slot > coalesce((SELECT readings FROM sample_cases
            WHERE sample = NEW.sample AND case_id = NEW.case_id), 0)
        BEGIN SELECT RAISE(ABORT, 'a case has no more readings than its sample gives it'); END""",
    """CREATE TRIGGER sample_cases_stay BEFORE UPDATE ON sample_cases
        BEGIN SELECT RAISE(ABORT, 'the cases of a sample stay as they were drawn'); END""",
    """CREATE TRIGGER samples_stay BEFORE UPDATE ON samples
        BEGIN SELECT RAISE(ABORT, 'a sample stays as it was drawn'); END""",
)
