"""The rules' confidence weighed anew by people's verdicts: proposed, and written only where asked."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from triage.diagnosis import REASONS
from triage.errors import TriageError
from triage.export.whole import write_whole
from triage.metrics.interval import wilson
from triage.models.agreement import RuleAgreement, SuggestionAgreement
from triage.models.query import Scope
from triage.models.reweigh import Reweigh, Turned, Weight
from triage.review.calibration import weigh
from triage.settings import places
from triage.settings.mending import Unmendable, with_entries
from triage.settings.model import PROJECT
from triage.workspace import cases

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.workspace.agreeing import Agreeing
    from triage.workspace.cases import Place
    from triage.workspace.stores import Stores


class Reweighing:
    """What people's verdicts say of the rules' confidence; blocking, from any thread.

    Args:
        stores: the workspace's.
        place: finds a scope in the calling thread's store.
        agreeing: tells how often verdicts agree with suggestions.
        settings: gives the settings as they are now.
    """

    def __init__(
        self,
        stores: Stores,
        place: Callable[[Scope], Place],
        agreeing: Agreeing,
        settings: Callable[[], Settings],
    ) -> None:
        self._stores, self._place, self._agreeing = stores, place, agreeing
        self._settings = settings

    def proposal(self, runs: Sequence[str] = ()) -> Reweigh:
        """What is proposed by the verdicts of some runs, () = of all; nothing is changed.

        What it would turn is told of the same runs.

        Raises:
            TriageError: no such run.
        """
        store = self._stores.reading()
        every = [run.id for run in store.runs()] if store is not None else []
        for run in runs:
            cases.find_run(store, run)
        named = [run for run in every if not runs or run in runs]
        if not named:
            raise TriageError("no runs", "nothing is loaded", "load one: triage ingest FILE")
        settings = self._settings()
        found = [self._agreeing.suggestions(run) for run in named]
        fixed = {name: each.confidence for name, each in REASONS.items()}
        weights = weigh(_together(found), fixed, settings.confidence)
        left_out = {
            "disputed": sum(one.disputed for one in found),
            "stale": sum(one.stale for one in found),
            "silent": sum(one.silent for one in found),
        }
        turned = [self._turned(run, weights, settings) for run in named]
        return Reweigh(
            runs=tuple(named),
            weights=weights,
            left_out={why: count for why, count in left_out.items() if count},
            turned=tuple(one for one in turned if one.no_longer or one.newly),
            least=settings.failing_confidence,
        )

    def _turned(self, run: str, weights: Sequence[Weight], settings: Settings) -> Turned:
        no_longer = newly = 0
        for each in weights:
            rule, least = REASONS[each.reason], settings.failing_confidence
            if each.proposed is None or rule.failure_class is None or rule.listed:
                continue
            before, after = each.holds >= least, each.proposed >= least
            if before and not after:
                no_longer += self._by_rule_alone(run, each.reason, settings)
            elif after and not before:
                newly += len(self._keys(run, f"is:passing reason:{each.reason}"))
        return Turned(run, no_longer, newly)

    def _keys(self, run: str, text: str) -> Sequence[int]:
        place = self._place(Scope(run, text=text))
        return place.store.keys(place.run, place.view, place.scope, place.where)

    def _by_rule_alone(self, run: str, reason: str, settings: Settings) -> int:
        """Failing cases of a rule that neither an error nor the runner's own word makes failing."""
        place = self._place(Scope(run, text=f"is:failing reason:{reason}"))
        reader = cases.reader_of(place.store, place.run, settings)
        alone = 0
        keys = place.store.keys(place.run, place.view, place.scope, place.where)
        for page in cases.pages(keys):
            for raw in place.store.raws(page).values():
                record = reader.read(raw, both_sources=False)
                alone += record.passed is not False and not (record.error or "").strip()
        return alone


def _together(found: Sequence[SuggestionAgreement]) -> list[RuleAgreement]:
    """The rules of several runs as one: counts added, the interval of the whole."""
    counts: dict[str, list[RuleAgreement]] = {}
    for one in found:
        for rule in one.by_reason:
            counts.setdefault(rule.reason, []).append(rule)
    made = []
    for reason, rules in counts.items():
        n, agree = sum(rule.n for rule in rules), sum(rule.agree for rule in rules)
        interval = wilson(agree, n) or (0.0, 1.0)
        made.append(RuleAgreement(reason, rules[0].says, rules[0].confidence, n, agree, interval, {}))
    return made


def settings_file() -> Path:
    """The nearest settings file of the project: a `triage.toml`, or a `pyproject.toml` that speaks of us."""
    return places()[-1]


def table_in(path: Path) -> tuple[str, ...]:
    """The name of the table of confidences in a settings file, its parts in order."""
    return (*(PROJECT if path.name == "pyproject.toml" else ()), "confidence")


def in_effect(path: Path) -> bool:
    """Is a settings file one of those that hold here?"""
    return os.path.realpath(path) in {os.path.realpath(each) for each in places()}


def write(proposal: Reweigh, path: Path) -> None:
    """Put what is proposed into the `confidence` table of a settings file; its other bytes stay.

    The file is written whole or not at all, and made where there is none.

    Raises:
        TriageError: it can't be read or written, or its table can't be changed safely.
    """
    try:
        there = path.exists()
        if there and not path.stat().st_mode & 0o222:
            # Its folder would let it be replaced, but whoever took that right away meant something by it.
            raise TriageError("can't write the settings", f"{path} is read-only", "let it be written first")
        data = path.read_bytes() if there else b""
        mark = b"\xef\xbb\xbf" if data.startswith(b"\xef\xbb\xbf") else b""
        text = data.removeprefix(mark).decode("utf-8")
        text = with_entries(text, table_in(path), proposal.proposed)
    except Unmendable as error:
        hint = "put the lines in by hand: triage reweigh prints them"
        raise TriageError("can't change the settings", f"{path}: {error}", hint) from error
    except UnicodeDecodeError as error:
        raise TriageError("can't change the settings", f"{path} is not UTF-8", "save it as UTF-8") from error
    except OSError as error:
        raise TriageError("can't read the settings", str(path), error.strerror or str(error)) from error
    try:
        write_whole(path, [mark + text.encode("utf-8")])
    except TriageError as error:
        raise TriageError("can't write the settings", error.message, error.hint) from error
