"""Every setting, once: its kind, what it is for, when a change holds. The rest is drawn from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from triage.models.reasons import REASONS
from triage.settings import kinds
from triage.settings.kinds import Kind
from triage.settings.model import REFERENCE, WATCH, Settings

Holds = Literal["at once", "the next load", "the next start"]
"""From when on a change holds in an app that is open."""


class Setting(NamedTuple):
    """One setting.

    Args:
        name: as it is written in a file.
        kind: what is wanted, how it is read and written.
        says: what it is for, in whole sentences.
        example: a line of TOML for what has no default, or an empty one.
        holds: from when on a change holds in an app that is open.
        field: the attribute of `Settings`, "" = the name.
    """

    name: str
    kind: Kind
    says: str
    example: str = ""
    holds: Holds = "at once"
    field: str = ""

    @property
    def attribute(self) -> str:
        """The attribute of `Settings` that holds it."""
        return self.field or self.name

    @property
    def default(self) -> Any:
        """Its default; None = found by the program."""
        return getattr(Settings(), self.attribute)

    def of(self, settings: Settings) -> Any:
        """Its value in `settings`."""
        return getattr(settings, self.attribute)


_JUDGED = ("faithfulness", "relevancy")
"""References that are stated on the judges' 1-5; the others are shares."""
_BOUNDS = {name: (1.0, 5.0) if name in _JUDGED else (0.0, 1.0) for name in REFERENCE}

SETTINGS: tuple[Setting, ...] = (
    Setting("reviewer", kinds.TEXT, "Your name under verdicts and notes. Unset: $TRIAGE_REVIEWER, git's user "
            "name, or the login.", 'reviewer = "wei"', "the next start"),
    Setting("theme", kinds.TEXT, "The colour theme, by name or as a path to a theme file; `triage themes` "
            "lists the names. Unset: the one chosen last, else triage-dark.", 'theme = "triage-light"'),
    Setting("title", kinds.FLAG, "Set the terminal's title.", holds="the next start"),
    Setting("mouse", kinds.FLAG, "Take the mouse; without it the terminal's own selection of text works.",
            holds="the next start"),
    Setting("advance", kinds.FLAG, "A verdict key moves on to the next case without a verdict."),
    Setting("columns", kinds.TEXTS, "Fields and metrics that the case list shows as columns. Empty: chosen "
            "by the room there is.", 'columns = ["topic", "faithfulness"]', "the next start"),
    Setting("sort", kinds.TEXT, "What the case list is sorted by: a field or a metric, with - before it for "
            "falling. Unset: the order chosen last.", 'sort = "-faithfulness"', "the next start"),
    Setting("labels", kinds.TEXTS, "Labels offered beside a verdict, before those already in use."),
    Setting("watch", kinds.one_of(*WATCH), "How folders are followed: auto takes the system's events, and "
            "looks by itself where none arrive; poll always looks by itself; off reads again only when asked "
            "to."),
    Setting("poll_seconds", kinds.SECONDS, "Seconds between two looks where folders are polled."),
    Setting("failing_confidence", kinds.SHARE, "The least confidence, 0 to 1, at which a suggestion makes a "
            "case failing."),
    Setting("reference", kinds.numbers(_BOUNDS), "What `report` and the app's advice hold a run against, "
            "as a reference and not a pass mark: shares, 0 to 1; faithfulness and relevancy of 1 to 5; "
            "mrr_share of Hit@K; below_first, the share of hits below rank 1; incomplete, the share of hits "
            "that miss another expected document; fallback_low and fallback_high, for runs without labels.",
            "reference.hit = 0.9"),
    Setting("high_risk_topics", kinds.TEXTS, "Topics that a person reads whatever the scores say.",
            holds="the next load"),
    Setting("must_review", kinds.TEXTS, "Which cases a person must read, passing ones too: filter texts, "
            "such as topic:billing, faithfulness:<=2, check:unsupported, is:uncertain; a case that any of "
            "them selects is taken into a sample with --must-review."),
    Setting("must_review_cap", kinds.COUNT, "Most cases that must-review takes into one sample, the "
            "uncertain ones first; what it left out is told. 0: all."),
    Setting("readings", kinds.ONE_OR_MORE, "How many people read a sampled case."),
    Setting("must_readings", kinds.ONE_OR_MORE, "How many people read a case that must be reviewed."),
    Setting("hold_minutes", kinds.SECONDS, "Minutes after which a case that a reader took from the queue and "
            "left can be handed to another."),
    Setting("confidence", kinds.shares(REASONS), "Confidence of rules, 0 to 1, by their reason, in place "
            "of the fixed ones; `triage reweigh` proposes them from people's verdicts.",
            "confidence.refused_though_evidence_retrieved = 0.72"),
    Setting("fallback_phrases", kinds.TEXTS, "Phrases that make an answer a refusal where the record does "
            "not say; they stand beside those known already.", holds="the next load"),
    Setting("builtin_fallbacks", kinds.FLAG, "Also use the phrases that are known already.",
            holds="the next load"),
    Setting("topic_words", kinds.WORDS, "Words of a query that tell its topic where the record has none; of "
            "several the topic that stands first.", holds="the next load"),
    Setting("topic_aliases", kinds.NAMES, "Other names of a topic.", holds="the next load"),
    Setting("filters", kinds.NAMES, "Filters by name, shared by all who use this file; the filter language "
            "is in the app's help.", 'filters."refunds that fail" = "is:failing topic:refund"'),
    Setting("run", kinds.TABLE, "Defaults for the keys of a run header, for files that do not say them; "
            "--set stands above.", 'run.kb_version = "kb42"', "the next load", "header"),
    Setting("map", kinds.DOTTED, "Fields that the records of this project keep elsewhere, as --map takes "
            "them.",
            'map.answer = "output.text"', "the next load", "mapping"),
    Setting("keys", kinds.KEYS, 'Keys of an action by its id: one, or several with commas between (a comma '
            'is written comma, a space is space); "" takes its key away.', 'keys.undo = "u, ctrl+u"'),
)  # fmt: skip
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


def settings_table() -> str:
    """README's table of settings, as Markdown."""
    lines = ["| setting | is | default | for |", "| --- | --- | --- | --- |"]
    for setting in SETTINGS:
        default = "" if setting.default in (None, (), {}) else f"`{_short(setting)}`"
        lines.append(f"| `{setting.name}` | {setting.kind.wants} | {default} | {setting.says} |")
    return "\n".join(lines)


def _short(setting: Setting) -> str:
    """A default short enough for a table's cell."""
    default = setting.default
    if isinstance(default, Mapping):
        return f"{len(default)} entries"
    if isinstance(default, tuple) and len(default) > 4:
        return kinds.toml(default[:3])[:-1] + ", ...]"
    return kinds.toml(default)
