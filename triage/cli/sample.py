"""`triage sample`: a stratified sample for people to read, kept by its name."""

from __future__ import annotations

import re
from shlex import quote
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource
from msgspec.structs import asdict, replace

from triage.cli.options import (
    db_option,
    filter_options,
    format_option,
    k_option,
    load_options,
    reviewer_option,
)
from triage.cli.output import emit, emit_json, say, sentence, table
from triage.cli.session import Session
from triage.cli.words import when
from triage.errors import UsageError
from triage.models.sample import DEFAULT_BY, DEFAULT_SEED, DEFAULT_SIZE, Drawn, Sample, SampleRule
from triage.models.slices import NOT_RECORDED
from triage.workspace.reviews import counted
from triage.workspace.sampling import clean_name

if TYPE_CHECKING:
    from triage.models.run import RunSummary
    from triage.workspace.sampling import Again

NAMED = 20
"""Cases that are named where a sample is drawn again to others."""
_DRAWING = (
    "n", "by", "per_topic", "topics", "must_review", "seed", "name", "readings", "dry_run", "k",
    "query", "text",
)  # fmt: skip
"""Options that say what is to be drawn."""
_TOPIC = re.compile(r'\s*(?:"((?:[^"]|"")*)"\s*|([^",][^,]*|))(?:,|$)')
"""A topic of several, in quotes or not, and the comma behind it."""
NO_CLASS = "no class"
"""How a table shows the cases for which no class is suggested."""


@click.command(
    "sample",
    short_help="Draw a sample for people to read.",
    epilog="Example: triage sample kb42 --n 59 --must-review --seed 42 --name first",
)
@click.argument("run", required=False)
@click.option("--n", type=click.IntRange(1), metavar="N", help=f"Cases in all. Default: {DEFAULT_SIZE}.")
@click.option(
    "--by",
    "by",
    default=",".join(DEFAULT_BY),
    show_default=True,
    metavar="DIM[,DIM]",
    help="Strata: class (the suggested one) and any dimension of report --by; none: one stratum.",
)
@click.option(
    "--per-topic",
    type=click.IntRange(1),
    metavar="N",
    help="So many of each topic; --n is then the most in all.",
)
@click.option(
    "--topics",
    metavar="T,...",
    help="Cases of these topics alone; one with a comma stands in quotes of its own.",
)
@click.option(
    "--must-review",
    is_flag=True,
    help="First take every case that the setting must_review selects (up to must_review_cap), passing ones "
    "too.",
)
@click.option("--seed", default=DEFAULT_SEED, show_default=True, metavar="S", help="Any text.")
@click.option("--name", metavar="NAME", help="Default: sample-1, sample-2, ...")
@click.option("--readings", type=click.IntRange(1), metavar="N", help="How many people read a case.")
@click.option("--dry-run", is_flag=True, help="Say what would be drawn, and keep nothing.")
@click.option("--list", "listed", is_flag=True, help="List the samples of RUN.")
@click.option("--again", metavar="NAME", help="Draw a kept sample again, and say what differs.")
@click.option("--remove", metavar="NAME", help="Let go of a sample; verdicts given in it stay.")
@k_option
@filter_options
@reviewer_option
@db_option
@load_options
@format_option("table", "json")
@click.pass_context
def sample_command(
    ctx: click.Context,
    /,
    run: str | None,
    listed: bool,
    again: str | None,
    remove: str | None,
    dry_run: bool,
    name: str | None,
    format: str,
    **given: Any,
) -> int:
    """Draw a stratified sample of RUN's cases (default: the latest), and say what it can claim.

    The same seed, rule and cases give the same sample on every machine. It is kept by its name, for
    `triage review --sample NAME` and the filter sample:NAME.
    """
    asked = [word for word, is_asked in (("--list", listed), ("--again", again is not None),
                                         ("--remove", remove is not None)) if is_asked]  # fmt: skip
    if len(asked) > 1:
        raise UsageError("one of --list, --again and --remove", "they do different things")
    if asked and (unheard := _drawing_words(ctx)):
        raise UsageError(f"{asked[0]} draws by no rule of yours", ", ".join(unheard), "leave that out")
    if name is not None:
        name = clean_name(name)
    session = Session(given)
    chosen = session.run(run)
    if listed:
        _print_list(chosen, session.workspace.sampling.samples(chosen.id), format)
    elif remove is not None:
        cases = session.workspace.sampling.remove(chosen.id, remove)
        say(f"sample {remove} of {chosen.id} is gone, {counted(cases)}; verdicts given in it stay")
    elif again is not None:
        session.check(chosen)
        _print_again(chosen, session.workspace.sampling.again(chosen.id, again), format)
    else:
        session.check(chosen)
        _draw(session, chosen, _rule(session, given), name or "", dry_run, format)
    return session.exit_code


def _drawing_words(ctx: click.Context) -> list[str]:
    """The options of a drawing that were given on the command line."""
    return [
        option.opts[0]
        for option in ctx.command.params
        if option.name in _DRAWING and ctx.get_parameter_source(option.name) is ParameterSource.COMMANDLINE
    ]


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.strip() for word in (text or "").split(",") if word.strip()))


def _topics(text: str | None) -> tuple[str, ...]:
    """Topics with commas between them; one that has a comma of its own stands in quotes."""
    found: list[str] = []
    at, end = 0, -1 if text is None else len(text)
    while at <= end:
        one = _TOPIC.match(text or "", at)
        if one is None:
            raise UsageError("--topics can't be read", repr(text), "put a topic with a comma in quotes")
        quoted, plain = one.groups()
        found.append(plain.strip() if quoted is None else quoted.replace('""', '"'))
        at = one.end() if one[0].endswith(",") else end + 1
    if text is not None and not any(found):
        raise UsageError("--topics names none", repr(text), "leave it out for all topics")
    return tuple(dict.fromkeys(filter(None, found)))


def _rule(session: Session, given: dict[str, Any]) -> SampleRule:
    """The rule that the options name, with the settings' numbers."""
    settings = session.settings
    if given["must_review"] and not settings.must_review:
        say("the setting must_review is empty: no case is taken because it must be reviewed")
    by = _words(given["by"])
    if not by:
        raise UsageError("--by names no dimension", repr(given["by"]), "--by none draws from one stratum")
    text = given["text"]
    return SampleRule(
        seed=given["seed"],
        n=given["n"] or DEFAULT_SIZE,
        by=() if by == ("none",) else by,
        per_topic=given["per_topic"],
        topics=_topics(given["topics"]),
        must=tuple(dict.fromkeys(settings.must_review)) if given["must_review"] else (),
        must_cap=settings.must_review_cap,
        text=text if text is not None else given["query"],
        literal=text is not None,
        k=given["k"],
        readings=given["readings"] or settings.readings,
        must_readings=settings.must_readings,
        most=given["n"] if given["per_topic"] is not None else None,
    )


def _draw(session: Session, run: RunSummary, rule: SampleRule, name: str, dry_run: bool, format: str) -> None:
    sampling = session.workspace.sampling
    if dry_run:
        drawn, kept = sampling.preview(run.id, rule), None
    else:
        before = {one.pk for one in sampling.samples(run.id)} if name else set()
        kept = sampling.draw(run.id, rule, name)
        drawn = kept.drawn
        if kept.pk in before:
            say(f"{kept.name} was kept before, with the same cases")
    if format == "json":
        emit_json(sample_json(run, drawn, kept))
        return
    for line in sample_lines(run, drawn, kept):
        emit(line)
    if kept is None:
        say("nothing is kept: --dry-run")


# JSON


def sample_json(run: RunSummary, drawn: Drawn, kept: Sample | None) -> dict[str, Any]:
    """A sample as cli.md fixes it, with what more is known of it; `kept` None: it is not kept."""
    rule = asdict(drawn.rule)
    rule.pop("seed")
    return {
        "name": None if kept is None else kept.name,
        "run": run.id,
        "seed": drawn.rule.seed,
        "rule": rule,
        "n": drawn.n,
        "population": drawn.population,
        "strata": [asdict(stratum) for stratum in drawn.strata],
        "claim": drawn.claim,
        "further": list(drawn.further),
        "must_review": [asdict(one) for one in drawn.must],
        "shortages": list(drawn.shortages),
        "revision": run.revision if kept is None else kept.revision,
        "reviewer": None if kept is None else kept.reviewer,
        "at": None if kept is None else kept.at,
    }


# for people


def sample_lines(run: RunSummary, drawn: Drawn, kept: Sample | None) -> list[str]:
    """A sample's head, what it can claim, what is short, and its strata."""
    rule = drawn.rule
    selected = f"under {'text ' if rule.literal else ''}{rule.text}" if rule.text.strip() else ""
    topics = f"of topics {', '.join(rule.topics)}" if rule.topics else ""
    lines = [
        sentence(
            kept.name if kept is not None else "a sample",
            run.id,
            f"{drawn.n} of {drawn.population} cases",
            selected,
            topics,
            f"seed {rule.seed}",
        ),
        drawn.claim,
    ]
    lines += [f"  {text}" for text in drawn.further]
    for one in drawn.must:
        left = f", {one.left_out} left out by the cap of {rule.must_cap}" if one.left_out else ""
        lines.append(sentence(f"must be reviewed: {one.rule}, {one.cases} case{_s(one.cases)}{left}"))
    lines += [sentence(f"short: {text}") for text in drawn.shortages]
    lines += ["", *_strata(drawn)]
    if kept is not None:
        lines += ["", sentence(f"triage review {quote(run.id)} --sample {quote(kept.name)} reads it")]
    return lines


def _s(count: int) -> str:
    return "" if count == 1 else "s"


def _strata(drawn: Drawn) -> list[str]:
    names = list(dict.fromkeys(name for stratum in drawn.strata for name in stratum.key))
    rows = []
    for stratum in drawn.strata:
        values = [_shown(name, stratum.key.get(name, "")) for name in names]
        rows.append([str(stratum.allocated), str(stratum.size), "must" if stratum.must else "", *values])
    right = frozenset((0, 1))
    return table(["drawn", "cases", "", *names], rows, right=right, indent="  ")


def _shown(name: str, value: str) -> str:
    return NO_CLASS if name == "class" and value == NOT_RECORDED else value


def _print_list(run: RunSummary, samples: list[Sample], format: str) -> None:
    if format == "json":
        found = [sample_json(run, one.drawn, one) for one in samples]
        for one in found:
            for stratum in one["strata"]:
                del stratum["ids"]
        emit_json({"run": run.id, "samples": found})
        return
    rows = [
        [
            one.name, f"{one.drawn.n} of {one.drawn.population}", one.drawn.rule.seed, when(one.at),
            one.reviewer, one.drawn.claim,
        ]
        for one in samples
    ]  # fmt: skip
    if not rows:
        say(f"no samples of {run.id} yet: triage sample {run.id}")
        return
    for line in table(["sample", "cases", "seed", "drawn", "by", "claim"], rows, spare=(4, 2), whole=True):
        emit(line)


def _print_again(run: RunSummary, found: Again, format: str) -> None:
    same = not (found.gone or found.new)
    if format == "json":
        body = sample_json(run, found.drawn, replace(found.sample, drawn=found.drawn))
        emit_json(body | {"again": {"same": same, "gone": list(found.gone), "new": list(found.new)}})
        return
    for line in sample_lines(run, found.drawn, found.sample):
        emit(line)
    if same:
        say(f"drawn again: the same {counted(found.drawn.n)}")
        return
    say(f"drawn again: {counted(len(found.gone))} not any more, {len(found.new)} new")
    for word, ids in (("not any more", found.gone), ("new", found.new)):
        if ids:
            more = f", and {len(ids) - NAMED} more" if len(ids) > NAMED else ""
            say(f"{word}: {', '.join(ids[:NAMED])}{more}")
