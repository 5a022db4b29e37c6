"""What help says that no table knows. `{id}` is the key of an action, `{database}` where all is kept."""

from __future__ import annotations

from collections.abc import Mapping

TITLES: Mapping[str, str] = {
    "triage": "cases", "runs": "runs", "slices": "slices",
    "codes": "codebook", "groups": "groups", "agreement": "agreement", "judges": "judges", "review": "review",
    "disputes": "disputes", "reading": "reading a sample", "reviewed": "what the review says",
}  # fmt: skip
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
        ("judge alike failures at once", "{groups} proposes them as groups; a group opens with all its "
         "cases marked, and one digit judges them"),
        ("undo", "{undo}, again for the one before; {redo} redoes. Quitting ends what can be undone"),
        ("find my notes again", "they stand in the case under notes; {filter} `note:*` lists every case "
         "with one. They are kept in {database}"),
        ("read a fair sample", "{review}: draw one, read it case by case, alone or with others, settle "
         "where readers differ, see how often the run fails"),
        ("say what a label means", "{codes} is the codebook: define, rename, merge and split labels"),
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
    "codes": (
        ("say what a label means", "{codes.define}; whoever gives labels ({labels} on the cases) reads it "
         "beside the label, and {codes.examples} chooses cases that show it"),
        ("tidy up", "{codes.rename}, {codes.merge} and {codes.split} change the label on every case of every "
         "run; what was written stays in the history, and {codes.undo} takes the newest change back"),
        ("see where it stands", "each run has a column; {codes.open} lists the cases of the run shown"),
    ),
    "groups": (
        ("judge many at once", "{groups.open} lists the group's cases, all marked: one verdict key judges "
         "them, {labels} labels them, {mark} lets one go, one {undo} takes it back"),
        ("know why they are one group", "below the list: the rule, and the document, error or query that "
         "they share. A group is a proposal: nothing is judged before you do"),
        ("see less", "the filter of the cases holds here too; {groups.view} hides what is judged"),
    ),
    "review": (
        ("begin", "{review.new} draws a sample and says first what it will be able to tell; {review.open} "
         "reads it, a case at a time"),
        ("know what is drawn", "strata: each kind of case gives its share; must: what must be reviewed is "
         "read first, passing or not; readings: how many people read a case; another seed draws others"),
        ("read only some of it", "what the filter of the cases leaves out is not handed out: {review.back}, "
         "{filter}, and {review} again; an empty filter gives the whole sample"),
        ("read with others", "each opens this on the same database under an own name: a case goes to one "
         "reader at a time, and nobody sees another's verdict before giving his own"),
        ("stop and go on later", "{back} while reading: it goes on where it was, another day, elsewhere"),
        ("settle a dispute", "{review.disputes} shows what every reader said; a digit decides, and asks why"),
        ("know what came of it", "{review.report} estimates how much fails; {review.agreement} tells how far "
         "readers agree"),
    ),
    "reading": (
        ("give a verdict", "its digit: it is written with the labels and the note, and the next case comes; "
         "{accept} takes what the rules suggest"),
        ("say more", "{labels} and {note} before the verdict; they are yours alone until it is given"),
        ("judge without a hint", "{reading.blind} hides trail, reasons, scores and states of sentences; "
         "other readers' verdicts are never shown before yours"),
        ("be unsure", "{defer} puts the case off with a reason: it comes back at the end; {undo} takes the "
         "last verdict back and brings its case"),
        ("change an earlier verdict", "{undo} goes back to when you started; before that: {reading.pause}, "
         "on the cases {goto} and its id, and another digit"),
        ("stop", "{reading.pause}: what is read is kept, what is in hand others may read; it goes on at any "
         "time, on any terminal. More than five minutes without a key do not count as time"),
    ),
    "disputes": (
        ("see why they differ", "the readings stand side by side over the case: verdict, labels, note, time"),
        ("decide", "a verdict's digit, then the reason; every reading stays as it was given"),
        ("take a decision back", "{undo}: it is a dispute again; {disputes.view} shows what is settled, and "
         "a digit there decides anew"),
    ),
    "reviewed": (
        ("know how often the run fails", "the first line: estimated from the sample, each stratum by its "
         "size; what nobody read is never called 0 %"),
        ("see what is still to be read", "under must be reviewed: {reviewed.open} opens what is missing"),
        ("know when to stop reading", "under new kinds: where the last windows hold no new label or "
         "sub-reason, further reading seldom finds any"),
        ("mend the test set", "its mistakes are listed; metrics without them stand beside the raw ones"),
        ("hand it on", "{reviewed.copy} copies it as Markdown; `triage review --report` prints it"),
    ),
    "judges": (
        ("know what a score is worth", "at the threshold in use and at the one that fits best: kappa, bad "
         "answers it misses, good ones it calls bad; {judges.open}, {judges.missed}, {judges.alarms} open "
         "them"),
        ("see where it fails", "{judges.part} to where it fails: kinds of cases that it gets wrong more "
         "often than the rest"),
        ("hold it against ratings", "{judges.people} takes a number of the records in place of "
         "verdicts, {judges.ratings} each person's own: how well people agree is the measure for a judge"),
        ("find where judges differ", "{judges.part} to judges: {judges.open} opens the cases that a "
         "person must settle"),
    ),
    "agreement": (
        ("see where two readers differ", "the pair's table stands below: {agreement.pane} goes into it, the "
         "arrows to a cell, {agreement.open} opens its cases"),
        ("know which class is unclear", "{agreement.part} to classes: how often both say so where one does, "
         "and what the other says instead; mend its definition in the guide"),
        ("know what a rule's word is worth", "{agreement.part} to suggestions: the share that people agree "
         "with and its interval; {agreement.open} opens where they say otherwise"),
        ("see only the sample, or all", "{agreement.whole} turns between them; the filter of the cases holds "
         "here too"),
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
