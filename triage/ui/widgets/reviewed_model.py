"""A review report as the rows of a list: sections, what stands in each, and the cases behind every row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec import Struct

from triage.metrics.registry import BY_KEY
from triage.models.review_report import Rate, ReviewReport
from triage.plain import one_line, preview
from triage.review.telling import NO_TOPIC, changed, named, read_of, rule_said, short_rate, spoken_for
from triage.ui.palette import LAYER_WORDS
from triage.ui.widgets.labelled import labelled, wrapped
from triage.ui.widgets.line import Words
from triage.ui.widgets.runs_model import when
from triage.ui.work.words import number_of


class Door(Struct, frozen=True):
    """The cases behind a row: what they are in a few words, and their ids."""

    named: str
    ids: tuple[str, ...]


class Row(Struct, frozen=True):
    """A line of the list.

    Args:
        key: names it within the report; "" = a heading, on which the cursor never stands.
        name: at the left; `sign` (`!`) stands beside it.
        counts: two numbers or words at the right of the name.
        said: what follows, as words with roles.
        rate: drawn as an interval at the end of the row, where there is room.
        tint: a verdict, on whose tint the name stands.
        quiet: nothing is asked of the reader here.
        narrow: the name is short, and what is said follows it.
        door: the cases behind it; None where there are none.
        told: what the strip says of it, each with a label.
    """

    name: str
    key: str = ""
    sign: str = ""
    counts: tuple[str, str] = ("", "")
    said: Words = ()
    rate: Rate | None = None
    tint: str = ""
    quiet: bool = False
    narrow: bool = False
    door: Door | None = None
    told: tuple[tuple[str, str], ...] = ()


def rows_of(report: ReviewReport, text: str = "") -> list[Row]:
    """The rows of a report; with a text those that hold it, under their headings."""
    wanted = text.strip().casefold()
    out: list[Row] = []
    for section in (_rates, _must, _verdicts, _mistakes, _saturation, _corrected, _strata):
        head, *rows = section(report) or [Row("")]
        if wanted:
            rows = [row for row in rows if wanted in _text(row)]
        if rows:
            out += [*([Row("")] if out else []), head, *rows]
    return out


def _text(row: Row) -> str:
    said = "".join(text for text, _ in row.said)
    return " ".join((row.name, *row.counts, said, *(text for _, text in row.told))).casefold()


def _door(words: str, ids: tuple[str, ...]) -> Door | None:
    return Door(words, ids) if ids else None


def _rates(report: ReviewReport) -> list[Row]:
    rows = [Row("failure rate by topic", counts=("read", "failing"))]
    whole = report.rate
    if whole is not None and report.sample is not None:
        rows.append(
            Row(
                "all topics",
                "rate",
                counts=(
                    f"{report.read.cases} of {report.read.wanted}",
                    str(whole.failing) if whole.read else "",
                ),
                said=[(short_rate(whole), "text bold")],
                rate=whole,
                door=_door("the sample", tuple(i for one in report.strata for i in one.ids)),
                told=_about(whole, report),
            )
        )
    elif report.topics:
        rows.append(
            Row(
                "all topics",
                "rate",
                counts=(str(report.read.cases), str(sum(one.failing for one in report.topics))),
                said=[("counted, not estimated" if whole is None else short_rate(whole), "text bold")],
                told=(("why", report.why_none or (whole.said if whole is not None else "")),),
            )
        )
    for one in report.topics:
        name = preview(one.topic) if one.topic is not None else NO_TOPIC
        said = short_rate(one.rate) if one.rate is not None else ""
        rows.append(
            Row(
                name,
                f"topic {one.topic}",
                "!" if one.high_risk else "",
                (read_of(one), str(one.failing) if one.read else ""),
                [(said, "text" if one.read else "faint")],
                one.rate,
                quiet=not one.read,
                door=_door(f"topic {name}", one.ids),
                told=(("rate", one.rate.said),) if one.rate is not None else (),
            )
        )
    return rows


def _about(rate: Rate, report: ReviewReport) -> tuple[tuple[str, str], ...]:
    told = [("rate", rate.said)]
    if further := spoken_for(rate, report.population):
        told.append(("", further))
    told += [("" if at else "mind", remark) for at, remark in enumerate(report.remarks)]
    if report.claim:
        told.append(("drawn for", report.claim))
    return tuple(told)


def _must(report: ReviewReport) -> list[Row]:
    rows = [Row("must be reviewed", counts=("read", "missing"))]
    for rule in report.must:
        missing = len(rule.missing)
        words: list[tuple[str, str]] = []
        if missing:
            words.append((one_line(named(rule.missing, 6)), "bad"))
        else:
            words.append(
                ("satisfied" if rule.cases else "selects no case", "good" if rule.cases else "faint")
            )
        if rule.stale:
            words.append((f"   {rule.stale} judged before the record changed", "muted"))
        if rule.few:
            words.append((f"   {rule.few} by too few readers", "muted"))
        if rule.left_out:
            words.append((f"   the cap left {rule.left_out} out", "muted"))
        rows.append(
            Row(
                preview(rule.rule),
                f"rule {rule.rule}",
                counts=(f"{rule.cases - missing} of {rule.cases}", str(missing or "")),
                said=words,
                quiet=not missing,
                door=_door("must be reviewed, no verdict", rule.missing),
                told=(
                    ("rule", rule_said(rule)),
                    *((("missing", named(rule.missing, 200)),) if missing else ()),
                ),
            )
        )
    return rows


def _verdicts(report: ReviewReport) -> list[Row]:
    rows = [Row("verdicts", counts=("cases", ""))]
    for verdict, ids in report.verdicts.items():
        rows.append(
            Row(
                LAYER_WORDS.get(verdict, verdict),
                f"verdict {verdict}",
                counts=(str(len(ids)), ""),
                tint=verdict,
                door=_door(f"verdict {verdict}", ids),
                told=(("cases", named(ids, 200)),),
            )
        )
    if report.unsettled:
        rows.append(
            Row(
                "not settled",
                "unsettled",
                counts=(str(len(report.unsettled)), ""),
                said=[("readers differ, or the record has changed", "muted")],
                door=_door("not settled", report.unsettled),
                told=(("cases", named(report.unsettled, 200)),),
            )
        )
    return rows


def _mistakes(report: ReviewReport) -> list[Row]:
    rows = [Row(f"mistakes of the test set: {len(report.mistakes)}")]
    for one in report.mistakes:
        labels = ", ".join(map(preview, one.labels))
        rows.append(
            Row(
                preview(one.case_id),
                f"mistake {one.case_id}",
                narrow=True,
                said=[
                    *([(f"{labels}  ", "text")] if labels else []),
                    (preview(one.note or one.query), "muted"),
                ],
                door=_door(f"test set, {one_line(one.case_id)}", (one.case_id,)),
                told=(
                    ("asked", one.query),
                    *((("labels", ", ".join(one.labels)),) if one.labels else ()),
                    *((("note", one.note),) if one.note else ()),
                    ("by", f"{one.reviewer}, {when(one.at, with_year=False)}"),
                    ("rule", one.reason),
                ),
            )
        )
    return rows


def _saturation(report: ReviewReport) -> list[Row]:
    found = report.saturation
    rows = [Row("new kinds of failure", counts=("labels", "reasons"), said=[(found.said, "muted")])]
    for one in found.windows:
        news = ", ".join((*map(preview, one.labels), *map(preview, one.reasons)))
        rows.append(
            Row(
                f"read {one.first} to {one.last}",
                f"window {one.first}",
                counts=(str(len(one.labels) or "-"), str(len(one.reasons) or "-")),
                said=[(news or "nothing new", "text" if news else "faint")],
                quiet=not news,
                door=_door(f"something new, read {one.first} to {one.last}", one.ids),
                told=(
                    ("labels", ", ".join(one.labels) or "no new one"),
                    ("reasons", ", ".join(one.reasons) or "no new one"),
                    ("so far", found.said),
                    *(
                        (("next", f"about {found.unseen:.0%} of the kinds met next are new ones"),)
                        if found.unseen is not None
                        else ()
                    ),
                ),
            )
        )
    return rows


def _corrected(report: ReviewReport) -> list[Row]:
    if report.corrected is None:
        return []
    left_out = number_of(report.corrected.left_out, "mistake")
    rows = [
        Row("metrics without them", counts=("raw", "corrected"), said=[(f"{left_out} left out", "muted")])
    ]
    mistakes = tuple(one.case_id for one in report.mistakes)
    same = 0
    for key, raw, fixed in changed(report.raw, report.corrected):
        if raw.value is None or raw.value == fixed.value:
            same += 1
            continue
        metric = BY_KEY[key]
        change = "" if fixed.value is None else f"{fixed.value - raw.value:+.4f}"
        rows.append(
            Row(
                metric.titled(report.k),
                f"metric {key}",
                counts=(_number(raw.value), _number(fixed.value)),
                said=[(change, "muted")],
                door=_door("mistakes of the test set", mistakes),
                told=(("tells", metric.tells), ("not", metric.does_not_tell)),
            )
        )
    if same:
        rows.append(Row(f"{number_of(same, 'other metric')} unchanged", "same", quiet=True))
    return rows


def _number(value: float | None) -> str:
    return "n/a" if value is None else f"{value:.4f}"


def _strata(report: ReviewReport) -> list[Row]:
    drawn = [one for one in report.strata if one.drawn]
    rest = [one for one in report.strata if one.size and not one.drawn]
    rows = [Row("strata", counts=("read", "failing"))]
    for at, one in enumerate(drawn):
        read = one.read + one.test_set + one.unsettled
        words = [(f"drawn {one.drawn} of {one.size}", "muted")]
        if one.must:
            words.append(("   must be reviewed", "faint"))
        if one.test_set:
            words.append((f"   test set {one.test_set}", "muted"))
        if one.unsettled:
            words.append((f"   not settled {one.unsettled}", "muted"))
        rows.append(
            Row(
                preview(one.title),
                f"stratum {at}",
                counts=(f"{read} of {one.drawn}", str(one.failing) if one.read else ""),
                said=words,
                quiet=not read,
                door=_door(one_line(one.title), one.ids),
                told=(("stratum", one.title), ("", "".join(text for text, _ in words))),
            )
        )
    if rest:
        cases = number_of(sum(one.size for one in rest), "case")
        rows.append(
            Row(
                f"{len(rest)} strat{'um' if len(rest) == 1 else 'a'} of which none was drawn",
                "not drawn",
                said=[(f"{cases}, of which nothing is said", "faint")],
                quiet=True,
                told=(("strata", ", ".join(one.title for one in rest)),),
            )
        )
    return rows


def told_lines(row: Row, cells: int, keys: Mapping[str, str]) -> Iterator[Words]:
    """What the strip says of a row, in lines of at most `cells` cells."""
    for label, text in row.told:
        yield from wrapped(label, text, "text", cells)
    if row.door is not None:
        count = number_of(len(row.door.ids), "case")
        which = "it" if len(row.door.ids) == 1 else f"the {count}"
        opens: Words = [(keys["reviewed.open"], "focus bold"), (f" opens {which} in the case list", "muted")]
        yield labelled("", opens)


def summary(report: ReviewReport) -> tuple[Words, Words]:
    """The two lines over the list: what may be claimed, and how much was read."""
    first: list[tuple[str, str]]
    if report.rate is not None:
        first = [(report.rate.said, "text bold")]
        if further := spoken_for(report.rate, report.population):
            first.append((f"   {further}", "muted"))
    else:
        first = [(f"no failure rate: {report.why_none}", "text")]
    read = report.read
    second: list[tuple[str, str]] = [(f"{read.cases} of {number_of(read.wanted, 'case')} read", "text")]
    if read.readings_wanted is not None and read.readings_wanted != read.wanted:
        second.append((f"   {read.readings} of {read.readings_wanted} readings", "muted"))
    missing = len({case for rule in report.must for case in rule.missing})
    if missing:
        second.append((f"   {missing} that must be reviewed not read", "bad bold"))
    elif any(rule.cases for rule in report.must):
        second.append(("   all that must be reviewed is read", "good"))
    if report.unsettled:
        second.append((f"   {len(report.unsettled)} not settled", "muted"))
    readers = ", ".join(f"{preview(name)} {count}" for name, count in read.reviewers.items())
    if readers:
        second.append((f"   by {readers}", "faint"))
    if read.seconds is not None:
        second.append((f"   median {read.seconds:.0f} s", "faint"))
    return first, second
