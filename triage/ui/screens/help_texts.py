"""What help says that no table knows. `{id}` is the key of an action, `{database}` where all is kept."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {"triage": "cases", "runs": "runs", "slices": "slices"}
"""A screen as its help calls it."""

TASKS: Mapping[str, tuple[tuple[str, str], ...]] = {
    "triage": (
        ("see only refund failures", "{filter} then `topic:refund` and {filter.leave}; {view} turns to "
         "failing, all, unreviewed, passing; {back} clears it"),
        ("know what a number means", "{pane} to the numbers and the arrows to one: beside them stands "
         "what it tells and what it can't; {panels.choose} opens the cases behind it"),
        ("know what to fix first", "{advice} goes down the layers: what falls short, what to try and what to "
         "watch; {open} there opens the cases behind it"),
        ("see where a number is low", "{slices} tells any metric by topic or whatever is recorded, the "
         "costliest first; {slices.open} there opens the cases"),
        ("know why a case failed", "{open} reads it: the first block names the layer, `why` the reason; "
         "{accept} agrees, a digit decides otherwise"),
        ("check an answer", "{flag.next} and {flag.previous} walk the sentences that clash "
         "with what they cite or cite nothing; {document} shows the cited text, and goes back"),
        ("undo", "{undo}, again for the one before; {redo} redoes. Quitting ends what can be undone"),
        ("find my notes again", "they stand in the case under notes; {filter} `note:*` lists every case "
         "with one. They are kept in {database}"),
        ("give this to my team", "{export} writes what is tagged as CSV, a workbook, Markdown or JSONL; "
         "{copy} copies one case"),
    ),
    "runs": (
        ("open a run", "{runs.open} shows its cases; {runs.back} goes back to those of before"),
        ("compare two runs", "{runs.against} compares the run shown with the one under the cursor"),
        ("know what was not read", "{runs.problems} lists each record with its line and the reason"),
    ),
    "slices": (
        ("see where a metric is low", "{slices.dimension} chooses by what, {slices.metric} the metric; the "
         "slice that costs the whole most stands first"),
        ("see its cases", "{slices.open} shows exactly these; {slices} comes back here, {back} shows all"),
        ("find two causes at once", "{slices.cross} crosses with a second dimension: the deeper the worse"),
        ("see every metric", "{slices.all} shows all of them, side by side"),
    ),
}  # fmt: skip
"""Screen -> what a newcomer wants to do there, and how."""

FILE = """A run file is one evaluation run. The simplest is a record a line:

{"id": "E02", "query": "Can I still change the address?",
 "answerable": true, "expected_ids": ["KB-ADDRESS"],
 "retrieved": [{"id": "KB-ADDRESS", "text": "...", "score": 0.83}],
 "answer": "Yes, once, until it is sent. [S1]", "citations": ["S1"]}

Only `id` and `query` are required. What is not recorded is left out of
the metrics that need it, and never counts as zero. The first line may
be a header:

{"run": {"id": "kb42", "dataset": {"name": "support"}, "k": 3}}

A JSON list of records, or {"run": {...}, "cases": [...]}, is read as
well, also gzipped. `--map FIELD=PATH` reads fields of other names."""

FILTER = """words                 in query, answer and notes; "two words" as a phrase
topic:refund          a field; several with a space between: all of them
-topic:refund         or NOT: every other case, missing ones too
rank:>3 cost:[1 TO 5] numbers and dates compare, ranges in brackets
a OR b, (a b) -c      either; groups
faithfulness:<=2      any metric's key; missing:KEY where not recorded
field:*               recorded at all; * in a word stands for anything
What is no field and no key of the run is searched as text; the row
then says `text: ...`."""
