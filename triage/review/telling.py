"""A review report in words: as JSON (cli.md's manner: numbers unrounded, null = unknown) and as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from triage.metrics.registry import BY_KEY, METRICS
from triage.models.measure import MetricValue
from triage.models.review_report import (
    Corrected,
    Mistake,
    Rate,
    Read,
    ReviewReport,
    RuleRead,
    Saturation,
    TopicRate,
)
from triage.plain import markdown_table
from triage.review.estimate import share

NAMED = 20
"""Cases that are named one by one; more are counted."""
NO_TOPIC = "(not recorded)"


# JSON


def as_json(report: ReviewReport) -> dict[str, Any]:
    """The report with the keys that README lists."""
    return {
        "run": report.run,
        "k": report.k,
        "cases": report.cases,
        "sample": None
        if report.sample is None
        else {
            "name": report.sample,
            "seed": report.seed,
            "population": report.population,
            "filter": report.text,
            "claim": report.claim,
        },
        "other_samples": list(report.others),
        "read": _read_json(report.read),
        "rate": None if report.rate is None else rate_json(report.rate),
        "why_no_rate": report.why_none or None,
        "remarks": list(report.remarks),
        "by_topic": [
            {
                "topic": one.topic,
                "high_risk": one.high_risk,
                "cases": one.drawn,
                "read": one.read,
                "failing": one.failing,
                "rate": None if one.rate is None else rate_json(one.rate),
            }
            for one in report.topics
        ],
        "strata": [
            {
                "title": one.title,
                "must": one.must,
                "size": one.size,
                "drawn": one.drawn,
                "read": one.read,
                "failing": one.failing,
                "test_set": one.test_set,
                "unsettled": one.unsettled,
            }
            for one in report.strata
        ],
        "verdicts": {verdict: len(ids) for verdict, ids in report.verdicts.items()},
        "unsettled": list(report.unsettled),
        "gone": report.gone,
        "must_review": must_json(report.must),
        "saturation": _saturation_json(report.saturation),
        "test_set_mistakes": [_mistake_json(one) for one in report.mistakes],
        "metrics": values_json(report.raw),
        "corrected": None
        if report.corrected is None
        else {"left_out": report.corrected.left_out, "metrics": values_json(report.corrected.metrics)},
    }


def _read_json(read: Read) -> dict[str, Any]:
    return {
        "cases": read.cases,
        "wanted": read.wanted,
        "readings": read.readings,
        "readings_wanted": read.readings_wanted,
        "extra_readings": read.extra,
        "reviewers": dict(read.reviewers),
        "median_seconds": read.seconds,
        "disputed": read.disputed,
        "arbitrated": read.arbitrated,
        "stale": read.stale,
        "deferred": read.deferred,
    }


def _mistake_json(one: Mistake) -> dict[str, Any]:
    return {
        "id": one.case_id,
        "query": one.query,
        "topic": one.topic,
        "reason": one.reason,
        "labels": list(one.labels),
        "note": one.note,
        "reviewer": one.reviewer,
        "at": one.at,
    }


def rate_json(rate: Rate) -> dict[str, Any]:
    """A rate with the sentence that may be said of it."""
    return {
        "value": rate.value,
        "interval": None if rate.interval is None else list(rate.interval),
        "confidence": rate.confidence,
        "failing": rate.failing,
        "read": rate.read,
        "population": rate.population,
        "uncovered": rate.uncovered,
        "method": rate.method,
        "said": rate.said,
    }


def must_json(rules: Sequence[RuleRead]) -> dict[str, Any]:
    """Whether what must be reviewed was, and what is missing."""
    return {
        "satisfied": all(rule.satisfied for rule in rules),
        "rules": [
            {
                "rule": rule.rule,
                "cases": rule.cases,
                "reviewed": rule.cases - len(rule.missing),
                "missing": list(rule.missing),
                "judged_before_a_change": rule.stale,
                "read_by_too_few": rule.few,
                "left_out_by_cap": rule.left_out,
            }
            for rule in rules
        ],
    }


def _saturation_json(found: Saturation) -> dict[str, Any]:
    return {
        "every": found.every,
        "read": found.read,
        "since_new": found.since,
        "kinds": found.kinds,
        "chance_of_new": found.unseen,
        "said": found.said,
        "windows": [
            {
                "first": one.first,
                "last": one.last,
                "new_labels": list(one.labels),
                "new_sub_reasons": list(one.reasons),
            }
            for one in found.windows
        ],
    }


def values_json(metrics: Mapping[str, MetricValue]) -> dict[str, Any]:
    """Metrics by key, without their words."""
    return {
        key: {
            "value": one.value,
            "numerator": one.numerator,
            "denominator": one.denominator,
            "missing": one.missing,
            "interval": None if one.interval is None else list(one.interval),
        }
        for key, one in metrics.items()
    }


# sentences, shared by every form


def spoken_for(rate: Rate, population: int) -> str:
    """Of how many cases a rate speaks; "" where it is all of them."""
    if rate.value is None or rate.population == population:
        return ""
    return f"it speaks for {rate.population} of {population} cases"


def read_said(report: ReviewReport) -> str:
    """How much was read, in a sentence."""
    read = report.read
    cases = f"{read.cases} of {read.wanted} cases read"
    if read.readings_wanted is not None and (read.readings_wanted != read.wanted or read.extra):
        cases += f", {read.readings} of {read.readings_wanted} readings"
    return f"{cases} and {read.extra} further" if read.extra else cases


def rule_said(rule: RuleRead) -> str:
    """Whether a must-review rule is satisfied; what is missing is named."""
    done = rule.cases - len(rule.missing)
    if rule.satisfied:
        said = f"{rule.rule}: all {rule.cases} have a verdict" if rule.cases else f"{rule.rule}: no cases"
    else:
        said = f"{rule.rule}: {done} of {rule.cases} have a verdict, missing {named(rule.missing)}"
        if rule.stale:
            said += f" ({rule.stale} judged before the record changed)"
    if rule.few:
        said += f"; {rule.few} {'has' if rule.few == 1 else 'have'} fewer readers than wanted"
    if rule.left_out:
        said += f"; the cap left {rule.left_out} out of the sample"
    return said


def named(ids: Sequence[str], most: int = NAMED) -> str:
    """Case ids on a line; more than `most` are counted."""
    more = f" and {len(ids) - most} more" if len(ids) > most else ""
    return ", ".join(ids[:most]) + more


def short_rate(rate: Rate | None) -> str:
    """A rate in a table: never 0 % of cases that nobody read."""
    if rate is None or rate.value is None or rate.interval is None:
        return "n/a" if rate is None or not rate.uncovered else f"none read of {rate.uncovered}"
    if rate.method == "none failed":
        return f"at most {share(rate.interval[1], up=True)}"
    if rate.method == "all failed":
        return f"at least {share(rate.interval[0])}"
    if rate.method == "all read":
        return f"{share(rate.value)}, all read" if rate.failing else "none, all read"
    low, high = (share(end).removesuffix(" %") for end in rate.interval)
    return f"{share(rate.value)} [{low}, {high}]"


def read_of(topic: TopicRate) -> str:
    """How many of a topic's cases are read, of those drawn; "" where none was drawn."""
    if topic.rate is None:
        return str(topic.read)
    return f"{topic.read} of {topic.drawn}" if topic.drawn else ""


def changed(
    raw: Mapping[str, MetricValue], corrected: Corrected
) -> list[tuple[str, MetricValue, MetricValue]]:
    """The metrics that have a value, by key in the registry's order, raw and corrected."""
    return [
        (metric.key, raw[metric.key], corrected.metrics[metric.key])
        for metric in METRICS
        if raw[metric.key].value is not None
    ]


# Markdown


def as_markdown(report: ReviewReport, escape: Callable[[str], str]) -> Iterator[str]:
    """Lines of a Markdown page; `escape` makes text of the record stay text."""
    yield f"# Review of {escape(report.run)}"
    yield ""
    if report.sample is not None:
        under = f", filter {escape(report.text)}" if report.text else ""
        yield (
            f"Sample {escape(report.sample)} (seed {escape(report.seed)}), "
            f"drawn from {report.population} of {report.cases} cases{under}."
        )
        yield ""
    yield f"- {escape(read_said(report))}" + _by(report, escape)
    if report.rate is not None:
        further = spoken_for(report.rate, report.population)
        yield f"- **{escape(report.rate.said)}**" + (f"; {further}" if further else "")
    else:
        yield f"- no failure rate: {escape(report.why_none)}"
    for remark in report.remarks:
        yield f"- {escape(remark)}"
    yield from _section("Must be reviewed", (f"- {escape(rule_said(rule))}" for rule in report.must))
    yield from _section(
        "Verdicts", (f"- {escape(name)}: {len(ids)}" for name, ids in report.verdicts.items())
    )
    yield from _topics(report, escape)
    yield from _saturation(report.saturation, escape)
    yield from _mistakes(report, escape)
    if report.corrected is not None:
        yield from _table(
            f"Metrics, raw and without {report.corrected.left_out} of the test set's mistakes",
            ("metric", "raw", "corrected"),
            [
                (escape(BY_KEY[key].titled(report.k)), _number(raw), _number(corrected))
                for key, raw, corrected in changed(report.raw, report.corrected)
            ],
        )


def _topics(report: ReviewReport, escape: Callable[[str], str]) -> Iterator[str]:
    yield from _table(
        "By topic",
        ("topic", "read", "failing", "failure rate"),
        [
            (
                escape(one.topic or NO_TOPIC) + (" (high risk)" if one.high_risk else ""),
                read_of(one) or "none drawn",
                str(one.failing),
                escape(short_rate(one.rate)),
            )
            for one in report.topics
        ],
    )


def _saturation(found: Saturation, escape: Callable[[str], str]) -> Iterator[str]:
    if found.read:
        yield from _section("Saturation", [f"{escape(found.said)}."])
    yield from _table(
        "",
        ("read", "new labels", "new sub-reasons"),
        [
            (
                f"{one.first} to {one.last}",
                escape(", ".join(one.labels)) or "none",
                escape(", ".join(one.reasons)) or "none",
            )
            for one in found.windows
        ],
    )


def _mistakes(report: ReviewReport, escape: Callable[[str], str]) -> Iterator[str]:
    yield from _section(
        f"Mistakes of the test set: {len(report.mistakes)}",
        (
            f"- **{escape(one.case_id)}** {escape(one.query)}"
            + (f" ({escape(', '.join(one.labels))})" if one.labels else "")
            + (f": {escape(one.note)}" if one.note else "")
            for one in report.mistakes
        ),
    )


def _by(report: ReviewReport, escape: Callable[[str], str]) -> str:
    readers = ", ".join(f"{escape(name)} {count}" for name, count in report.read.reviewers.items())
    return f", by {readers}" if readers else ""


def _number(value: MetricValue) -> str:
    return "n/a" if value.value is None else f"{value.value:.4f}"


def _section(title: str, lines: Iterable[str]) -> Iterator[str]:
    lines = list(lines)
    if lines:
        yield from ("", f"## {title}", "", *lines)


def _table(title: str, heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    if not rows:
        return
    if title:
        yield from ("", f"## {title}")
    yield ""
    yield from markdown_table(heads, rows)
