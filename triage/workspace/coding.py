"""The codebook as screens and commands use it: what labels mean, where they stand, what became of them."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from triage.errors import TriageError, UsageError, did_you_mean
from triage.models.codes import DEFINITION_LIMIT, EXAMPLES, Bearer, Code, Codebook, CodeChange
from triage.models.query import Scope
from triage.workspace.reviews import clean_labels, counted

if TYPE_CHECKING:
    from triage.settings import Settings
    from triage.store import Store, Who
    from triage.store.codes import Entry
    from triage.workspace.cases import Place
    from triage.workspace.stores import Stores

CaseName = tuple[str, str]
"""A case of any run: run id and case id."""
Book = Mapping[str, "Entry | None"]


class Coded(Struct, frozen=True):
    """What a change to the codebook did: a sentence, and run id -> cases that were relabelled."""

    said: str
    runs: dict[str, int]

    @property
    def cases(self) -> int:
        """Cases that were relabelled, over all runs."""
        return sum(self.runs.values())


class Coding:
    """Questions and changes; blocking, from any thread. Changes reach every run, also one that is not loaded.

    Args:
        stores: a store of the calling thread.
        place: finds a scope in it.
        settings: the user's settings as they are now.
        who: who acts, and when.
    """

    def __init__(
        self,
        stores: Stores,
        place: Callable[[Scope], Place],
        settings: Callable[[], Settings],
        who: Callable[[], Who],
    ) -> None:
        self._stores, self._place, self._settings, self._who = stores, place, settings, who

    def _store(self) -> Store:
        store = self._stores.reading()
        if store is None:
            raise TriageError("no runs", "nothing is loaded", "load one: triage ingest FILE")
        return store

    def _writer(self) -> Who:
        # A sitting of its own: the undo of verdicts leaves the codebook alone, which has one of its own.
        return replace(self._who(), sitting=os.urandom(8).hex())

    # reading

    def book(self) -> Codebook:
        """Every label that is used, defined or offered by the settings, the most used first."""
        store = self._stores.reading()
        offered = dict.fromkeys(self._settings().labels)
        if store is None:
            return Codebook(tuple(Code(name, offered=True) for name in offered), ())
        entries, uses = store.codes.entries(), store.codes.uses()
        names = sorted({*entries, *uses}, key=lambda name: (-sum(uses.get(name, {}).values()), name))
        codes = [
            self._code(store, name, entries.get(name), uses.get(name, {}), name in offered)
            for name in dict.fromkeys((*names, *offered))
        ]
        loaded = [run.id for run in store.runs()]
        seen = {run for counts in uses.values() for run in counts}
        return Codebook(
            tuple(codes), (*(run for run in loaded if run in seen), *sorted(seen.difference(loaded)))
        )

    def _code(
        self, store: Store, name: str, entry: Entry | None, uses: dict[str, int], offered: bool
    ) -> Code:
        if entry is None:
            return Code(name, uses=uses, offered=offered)
        examples = tuple(self._bearers(store, [(run, case, None) for run, case in entry.examples]))
        return Code(name, entry.definition, examples, uses, offered, entry.reviewer, entry.at)

    def definitions(self) -> dict[str, str]:
        """What each label means, by name; those without a definition are left out."""
        store = self._stores.reading()
        return {} if store is None else store.codes.definitions()

    def bearers(self, name: str, most: int, run: str | None = None) -> list[Bearer]:
        """At most `most` cases on which a label stands, in one run or (None) in all."""
        store = self._store()
        return self._bearers(store, store.codes.bearers(name, most, run))

    def _bearers(self, store: Store, found: Sequence[tuple[str, str, str | None]]) -> list[Bearer]:
        by_run: dict[str, list[str]] = {}
        for run_id, case_id, _ in found:
            by_run.setdefault(run_id, []).append(case_id)
        queries: dict[CaseName, str] = {}
        for run_id, case_ids in by_run.items():
            run = store.run(run_id)
            if run is not None:
                told = store.codes.queries(run.pk, case_ids)
                queries.update({(run_id, case_id): query for case_id, query in told.items()})
        return [Bearer(name, case, queries.get((name, case), ""), verdict) for name, case, verdict in found]

    def history(self, name: str | None = None) -> list[CodeChange]:
        """Every change, or those that a label had a part in, newest first."""
        store = self._stores.reading()
        found = [] if store is None else store.codes.history()
        if name is None:
            return found
        return [one for one in found if name in one.names or name in one.into]

    # writing

    def define(
        self, name: str, definition: str | None = None, examples: Sequence[CaseName] | None = None
    ) -> Coded:
        """Write what a label means, also one that nothing bears yet; None leaves a part as it is.

        Raises:
            UsageError: the name is no label, the definition is too long, there are too many examples.
            TriageError: an example is no case of its run.
        """
        (name,) = clean_labels([name])
        store = self._store()
        text = None if definition is None else definition.strip()
        if text is not None and len(text) > DEFINITION_LIMIT:
            raise UsageError("the definition is too long", f"{len(text)} of {DEFINITION_LIMIT} characters")
        if examples is not None and len(set(examples)) > EXAMPLES:
            raise UsageError("too many examples", f"{len(set(examples))}, at most {EXAMPLES}")
        for run_id, case_id in examples or ():
            run = store.run(run_id)
            if run is not None and store.pk_of(run.pk, case_id) is None:
                raise TriageError(
                    "no such case", f"{case_id} in {run_id}", f"triage cases {run_id} lists them"
                )
        kept = None if examples is None else tuple(dict.fromkeys(examples))
        done = store.codes.define(name, text, kept, self._writer())
        return Coded(f"{name} defined" if done else f"{name}: stands so already", {})

    def forget(self, name: str) -> Coded:
        """Take a label that nothing bears out of the book.

        Raises:
            TriageError: it stands on cases, there is no such label, or the settings alone offer it.
        """
        store = self._store()
        self._changeable([name], {*store.codes.entries(), *store.codes.uses()})
        store.codes.forget(name, self._writer())
        offered = name in self._settings().labels
        return Coded(f"{name} forgotten" + ("; the settings still offer it" if offered else ""), {})

    def _changeable(self, names: Sequence[str], there: Collection[str]) -> None:
        """Raise where one of the labels is not there, that is: used or defined."""
        offered = self._settings().labels
        for name in names:
            if name in there:
                continue
            if name in offered:
                raise TriageError("only the settings offer the label", name, "change labels in triage.toml")
            hint = did_you_mean(name, sorted({*there, *offered}), "triage codes lists them")
            raise TriageError("no such label", name, hint)

    def rename(self, old: str, new: str) -> Coded:
        """Give a label another name on every case of every run; its definition and examples go with it.

        Raises:
            UsageError: the new name is no label, or the old one.
            TriageError: no such label, or the new name is another label's: then merge them.
            Busy: another process held the database for too long; nothing was written.
        """
        (new,) = clean_labels([new])
        store = self._store()
        if new == old:
            raise UsageError("the label has that name", new)

        def refuse(names: frozenset[str]) -> None:
            self._changeable([old], names)
            if new in names:
                words = shlex.join(["triage", "codes", "merge", old, new])
                raise TriageError("there is such a label", new, f"merge them: {words}")

        def book(entries: Mapping[str, Entry], stays: bool) -> Book:
            return {old: None, new: entries.get(old)}

        runs = store.codes.relabel("rename", [old], [new], _instead({old: new}), book, self._writer(), refuse)
        return self._told(f"{old} is {new} now", [old], runs)

    def merge(self, names: Sequence[str], into: str) -> Coded:
        """Make one label of several, on every case of every run.

        The definition is that of `into`, else the first that one of `names` has; examples come together.

        Raises:
            UsageError: `into` is no label, or there is nothing to merge.
            TriageError: no such label.
            Busy: another process held the database for too long; nothing was written.
        """
        (into,) = clean_labels([into])
        store = self._store()
        gone = [name for name in dict.fromkeys(names) if name != into]
        if not gone:
            raise UsageError("nothing to merge", into, "name another label")

        def book(entries: Mapping[str, Entry], stays: bool) -> Book:
            found = [entries[name] for name in (into, *gone) if name in entries]
            if not found:
                return {}
            definition = next((one.definition for one in found if one.definition), "")
            examples = tuple(dict.fromkeys(example for one in found for example in one.examples))[:EXAMPLES]
            merged = replace(found[0], definition=definition, examples=examples)
            return {**dict.fromkeys(gone), into: merged}

        runs = store.codes.relabel(
            "merge", gone, [into], _instead(dict.fromkeys(gone, into)), book, self._writer(),
            lambda names: self._changeable(gone, names),
        )  # fmt: skip
        return self._told(f"{', '.join(gone)} merged into {into}", gone, runs)

    def split(self, name: str, gets: Mapping[CaseName, Sequence[str]], rest: str | None = None) -> Coded:
        """Give cases that bear a label others in its place.

        Args:
            gets: of a case the labels that it gets, one or more.
            rest: what the label's other cases get; None = they keep it.

        Raises:
            UsageError: a name is no label, or nothing would change.
            TriageError: no such label.
            Busy: another process held the database for too long; nothing was written.
        """
        store = self._store()
        self._changeable([name], {*store.codes.entries(), *store.codes.uses(), *self._settings().labels})
        wanted = {case: clean_labels(labels) for case, labels in gets.items() if labels}
        others = (name,) if rest is None else clean_labels([rest])
        into = list(dict.fromkeys(label for labels in (*wanted.values(), others) for label in labels))
        if into == [name]:
            raise UsageError("nothing to split", name, "say which cases get which label")

        def labels(run_id: str, case_id: str, before: tuple[str, ...]) -> tuple[str, ...]:
            new = wanted.get((run_id, case_id), others)
            return tuple(one for label in before for one in (new if label == name else (label,)))

        def book(entries: Mapping[str, Entry], stays: bool) -> Book:
            return {} if stays or name not in entries else {name: None}

        runs = store.codes.relabel("split", [name], into, labels, book, self._writer())
        fresh = ", ".join(label for label in into if label != name)
        return self._told(f"{name} split into {fresh}", [name] if name not in into else [], runs)

    def split_by(self, name: str, filters: Mapping[str, str], rest: str | None = None) -> Coded:
        """Split a label by filters: a case gets every label whose filter text selects it.

        Cases of runs that are not loaded are none of a filter's. Raises as `split`, FilterError, and
        TriageError where no case bears it, or no filter selects any that does.
        """
        store = self._store()
        self._changeable([name], {*store.codes.entries(), *store.codes.uses(), *self._settings().labels})
        gets: dict[CaseName, list[str]] = {}
        for run_id in store.codes.uses().get(name, {}):
            run = store.run(run_id)
            if run is None:
                continue
            bearing = {case for _, case, _ in store.codes.bearers(name, run.records, run_id)}
            for label, text in filters.items():
                found = self._place(Scope(run_id, text=text))
                keys = found.store.keys(found.run, found.view, found.scope, found.where)
                for case_id in found.store.ids_of(keys).values():
                    if case_id in bearing:
                        gets.setdefault((run_id, case_id), []).append(label)
        given = {label for labels in gets.values() for label in labels}
        idle = [label for label in filters if label not in given]
        if not store.codes.uses().get(name):
            raise TriageError(
                "nothing to split", f"no case bears the label {name}", "triage codes lists them"
            )
        if filters and not gets and rest in (None, name):
            raise TriageError("nothing to split", f"no case with the label {name} matches {_named(filters)}")
        done = self.split(name, gets, rest)
        return replace(done, said=f"{done.said}; no case matches {_named(filters, idle)}") if idle else done

    def undo(self) -> Coded:
        """Take back the newest change to the codebook, whoever made it, on all its cases.

        Raises:
            TriageError: there is none, or labels of one of its cases were changed since.
        """
        change = self._store().codes.undo(self._writer())
        cases = f" on {counted(change.cases)}" if change.cases else ""
        return Coded(f"taken back: {change.said}{cases}", {})

    def _told(self, did: str, gone: Sequence[str], runs: dict[str, int]) -> Coded:
        cases = sum(runs.values())
        where = f" in {len(runs)} runs" if len(runs) > 1 else ""
        offered = [name for name in gone if name in self._settings().labels]
        still = f"; the settings still offer {', '.join(offered)}" if offered else ""
        return Coded(f"{did}: {counted(cases)}{where}{still}", runs)


def _named(filters: Mapping[str, str], labels: Iterable[str] | None = None) -> str:
    """Some labels of a split, default: all, with their filters."""
    return ", ".join(f"{label}={filters[label]}" for label in (filters if labels is None else labels))


def _instead(names: Mapping[str, str]) -> Callable[[str, str, tuple[str, ...]], tuple[str, ...]]:
    """The labels of a case with others in place of some."""

    def labels(run_id: str, case_id: str, before: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(names.get(label, label) for label in before)

    return labels
