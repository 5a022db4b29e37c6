"""A sprint list in Markdown: a heading a verdict, a checkbox a case, and record text that stays text."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from triage.export.rows import ExportRow
from triage.models.codes import Codebook
from triage.models.verdict import VERDICTS
from triage.plain import markdown_table, one_line

UNREVIEWED = "not reviewed"
ORDER = (*VERDICTS, UNREVIEWED)
"""The order of the headings."""
_MARKS = re.compile(r"([\\`*_\[\]<>|&~$#@^{}])")
# Bare addresses become links in most renderings; a stroke inside them keeps them text.
_ADDRESS = re.compile(r"(?i)\b(https?|ftp|mailto|xmpp|www)([:.])")


def escape(text: str) -> str:
    """`text` as one line of Markdown that renders as exactly these characters.

    Line breaks become spaces, control characters visible marks; pipes, code, emphasis, HTML, links, images
    and bare addresses come out as text.
    """
    return _ADDRESS.sub(r"\1\\\2", _MARKS.sub(r"\\\1", one_line(text)))


def escaped_table(
    heads: Sequence[str], rows: Iterable[Sequence[str]], right: Collection[int] = ()
) -> list[str]:
    """Lines of a table whose texts are not Markdown yet; `right` are columns that stand at the right."""
    written = [tuple(map(escape, cells)) for cells in (heads, *rows)]
    return markdown_table(written[0], written[1:], right)


def _item(row: ExportRow) -> Iterator[str]:
    review = row.review
    risk = " (high risk)" if row.high_risk else ""
    query = f" {escape(row.query)}" if row.query.strip() else ""
    yield f"- [ ] **{escape(row.case_id)}**{risk}{query}\n"
    if row.answer.strip():
        yield f"  - answered: {escape(row.answer)}\n"
    suggestion = row.suggestion
    yield (
        f"  - suggested: {suggestion.failure_class or 'no class'}, {escape(suggestion.reason)}"
        f" ({suggestion.confidence:.2f})\n"
    )
    if row.expected_ids:
        yield f"  - expected: {escape(', '.join(row.expected_ids))}\n"
    if row.retrieved_ids:
        yield f"  - retrieved: {escape(', '.join(row.retrieved_ids))}\n"
    if row.citations:
        yield f"  - cited: {escape(', '.join(row.citations))}\n"
    if row.topic:
        yield f"  - topic: {escape(row.topic)}\n"
    if review and review.labels:
        yield f"  - labels: {escape(', '.join(review.labels))}\n"
    if review and review.note:
        yield f"  - note: {escape(review.note)}\n"
    if review and review.verdict:
        settled = ", disputed" if review.disputed else ", arbitrated" if review.arbitrated else ""
        stale = ", given on an earlier record" if review.stale else ""
        yield f"  - reviewed: {escape(review.reviewer)}, {escape(review.at)}{settled}{stale}\n"
    if row.settled is not None and row.settled.reason:
        yield f"  - reason: {escape(row.settled.reason)}\n"
    if len({one.verdict for one in row.readings}) > 1 or (row.settled is not None and row.readings):
        yield f"  - readings: {', '.join(f'{escape(one.reviewer)} {one.verdict}' for one in row.readings)}\n"


def codebook_lines(book: Codebook) -> Iterator[str]:
    """The codebook in Markdown: every label with what it means, its examples and where it stands."""
    yield "# Codebook\n"
    for code in book.codes:
        yield f"\n## {escape(code.name)}\n\n{escape(code.definition) or 'no definition yet'}\n"
        if code.uses:
            counts = ", ".join(f"{escape(run)} {code.uses[run]}" for run in book.runs if run in code.uses)
            yield f"\n{code.total} case{'s' * (code.total != 1)}: {counts}\n"
        if code.examples:
            yield "\n"
        for one in code.examples:
            query = f" {escape(one.query)}" if one.query.strip() else ""
            yield f"- {escape(one.run)} **{escape(one.case_id)}**{query}\n"


def _means(definitions: Mapping[str, str]) -> Iterator[str]:
    """What the labels of a list mean."""
    yield "\n## labels\n\n"
    for name in sorted(definitions):
        yield f"- **{escape(name)}**: {escape(definitions[name])}\n"


def markdown_lines(
    rows: Iterable[ExportRow],
    title: str,
    counts: Mapping[str, int] | None = None,
    definitions: Mapping[str, str] | None = None,
) -> Iterator[str]:
    """The sprint list of run `title`: headings in the order of the verdicts, cases in the order given.

    Args:
        rows: the cases.
        title: the run's id.
        counts: how many cases a heading has, where `rows` are not all; default: counted.
        definitions: what labels mean; those that a case of the list bears are told at its end.
    """
    groups: dict[str, list[ExportRow]] = {}
    for row in rows:
        verdict = (row.review.verdict if row.review else None) or UNREVIEWED
        groups.setdefault(verdict, []).append(row)
    if counts is None:
        counts = {verdict: len(group) for verdict, group in groups.items()}
    total = sum(counts.values())
    yield f"# Sprint list: {escape(title)}\n\n"
    yield f"{total} case{'s' * (total != 1)}"
    yield "".join(f", {verdict} {counts[verdict]}" for verdict in ORDER if counts.get(verdict)) + "\n"
    for verdict in ORDER:
        if verdict in groups:
            yield f"\n## {verdict}\n\n"
            for row in groups[verdict]:
                yield from _item(row)
    borne = {label for group in groups.values() for row in group if row.review for label in row.review.labels}
    if means := {name: text for name, text in (definitions or {}).items() if name in borne and text}:
        yield from _means(means)
