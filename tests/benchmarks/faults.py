"""One known fault put into a good case: what is changed in its record, and which layer is then to blame."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from changes import CHANGES, chinese

from triage.citations.check import check
from triage.citations.resolve import Sources
from triage.models.record import Record

Raw = dict[str, Any]
"""A record as a run file holds it."""

MARKER = re.compile(r" ?[\[【（(](?:S?\d+|KB-[\w-]+|TC-[\w-]+|tool:[\w/-]+)[\]】）)]")


@dataclass
class Case:
    """A good case and what the faults need beside it.

    `others` are documents of other cases in its language, whose ids it does not expect.
    """

    record: Record
    k: int
    others: list[Raw]
    chooser: random.Random = field(default_factory=random.Random)

    def raw(self) -> Raw:
        """The record to be changed: as read, without what reading filled in."""
        raw: Raw = self.record.model_dump(
            mode="json", exclude_none=True,
            exclude={"extra", "inferred", "citation_field", "citation_text", "turns", "history"},
        )  # fmt: skip
        for name in ("query_type", "failure_reason"):
            raw.pop(name, None)
        if "predicted_answerable" in self.record.inferred:
            raw.pop("predicted_answerable", None)
        return raw

    @property
    def expected(self) -> list[str]:
        """Ids of the documents that support the answer."""
        return self.record.expected_ids or []

    def cited_texts(self, citations: Sequence[str]) -> str:
        """Texts of the documents that the citations stand for, joined."""
        sources = Sources.of(self.record)
        texts = {
            each.id: each.text or ""
            for each in (*(self.record.retrieved or ()), *(self.record.evidence or ()))
        }
        found = [target[0] for citation in citations if (target := sources.find(citation))]
        return "\n".join(texts.get(id, "") for id in dict.fromkeys(found))

    def distractors(self, count: int) -> list[Raw] | None:
        """Documents that it does not expect: its own first, then other cases'."""
        raw = self.raw()
        texts = {each["id"]: each for each in raw.get("evidence") or ()}
        own = [
            {**texts.get(each["id"], {}), **each}
            for each in raw["retrieved"]
            if each["id"] not in self.expected
        ]
        known = {each["id"] for each in own}
        more = [each for each in self.others if each["id"] not in known]
        short = max(0, count - len(own))
        return own + self.chooser.sample(more, short) if short <= len(more) else None


def _documents(raw: Raw, documents: list[Raw]) -> None:
    raw["retrieved"] = documents
    raw.pop("evidence", None)


def _with_texts(raw: Raw) -> list[Raw]:
    texts = {each["id"]: each for each in raw.get("evidence") or ()}
    return [{**texts.get(each["id"], {}), **each} for each in raw["retrieved"]]


def _cite(raw: Raw, names: list[str]) -> None:
    """Cite these and no others: behind the answer where its text has markers, in the field anyway."""
    marked = MARKER.search(raw["answer"])
    bare = MARKER.sub("", raw["answer"])
    raw["answer"] = bare + "".join(f"[{name}]" for name in names) if marked and names else bare
    raw["citations"] = names


def dropped(case: Case) -> Raw | None:
    """The expected documents are not retrieved; what is left is cited in their place."""
    raw = case.raw()
    rest = [each for each in _with_texts(raw) if each["id"] not in case.expected] or case.distractors(3)
    if not rest:
        return None
    _documents(raw, rest)
    _cite(raw, [rest[0]["id"]])
    return raw


def swapped(case: Case) -> Raw | None:
    """Another case's document stands where the expected one stood, and is cited."""
    raw = case.raw()
    mine = {each["id"] for each in raw["retrieved"]}
    others = iter(case.chooser.sample(case.others, min(len(case.others), 20)))
    new: list[Raw] = []
    for each in _with_texts(raw):
        stranger = each if each["id"] not in case.expected else next(
            (other for other in others if other["id"] not in mine), None)  # fmt: skip
        if stranger is None:
            return None
        new.append(stranger)
    first = next(at for at, each in enumerate(raw["retrieved"]) if each["id"] in case.expected)
    _documents(raw, new)
    _cite(raw, [new[first]["id"]])
    return raw


def below_cutoff(case: Case) -> Raw | None:
    """The expected documents come after K others; what stands first is cited."""
    raw = case.raw()
    above = case.distractors(case.k)
    if above is None:
        return None
    good = [each for each in _with_texts(raw) if each["id"] in case.expected]
    _documents(raw, above[: case.k] + good + above[case.k :])
    _cite(raw, [above[0]["id"]])
    return raw


def second(case: Case) -> Raw | None:
    """The first expected document comes on rank 2; the answer still cites it."""
    raw = case.raw()
    above = case.distractors(1)
    if above is None:
        return None
    cited = [
        target
        for citation in case.record.citations or ()
        if (target := Sources.of(case.record).find(citation))
    ]
    rest = [each for each in _with_texts(raw) if each["id"] != above[0]["id"]]
    rest.sort(key=lambda each: each["id"] not in case.expected)
    _documents(raw, [above[0], *rest])
    _cite(raw, list(dict.fromkeys(name for name, _ in cited)))
    return raw


def distractor_first(case: Case) -> Raw | None:
    """A distractor comes first and is cited in place of the expected document, which comes second."""
    raw = second(case)
    if raw is not None:
        _cite(raw, [raw["retrieved"][0]["id"]])
    return raw


def nothing_retrieved(case: Case) -> Raw | None:
    """Nothing is retrieved, and it answers all the same."""
    raw = case.raw()
    _documents(raw, [])
    _cite(raw, [])
    return raw


def refused(case: Case) -> Raw | None:
    """It refuses with the evidence at hand."""
    raw = case.raw()
    zh = (
        "抱歉，知识库里没有找到相关内容。",
        "很抱歉，我暂时无法回答这个问题。",
        "没有找到相关资料，建议联系人工客服。",
    )
    en = (
        "Sorry, I couldn't find this in our help pages.",
        "I'm sorry, but I don't have enough information to answer.",
    )
    raw["answer"] = case.chooser.choice(zh if chinese(case.record.query or "") else en)
    raw["citations"] = []
    if "predicted_answerable" in raw:
        raw["predicted_answerable"] = False
    return raw


def answered(case: Case) -> Raw | None:
    """It answers what the knowledge base can't answer, with the words of what it found."""
    raw = case.raw()
    documents = _with_texts(raw) if raw.get("retrieved") else case.others[:1]
    text = next((each["text"] for each in documents if each.get("text")), None)
    if text is None:
        return None
    raw.pop("refusal_reason", None)
    raw["answer"] = re.split(r"(?<=[。！？])|(?<=[.!?])\s", text)[0].strip()
    raw["citations"] = ["S1"] if raw.get("retrieved") else []
    if "predicted_answerable" in raw:
        raw["predicted_answerable"] = True
    return raw


def broken_citation(case: Case) -> Raw | None:
    """A citation names a document that is not there."""
    raw = case.raw()
    wrong = case.chooser.choice(("S9", "KB-NOWHERE", "S0", "27"))
    old = case.chooser.choice(raw["citations"])
    raw["citations"] = [wrong if name == old else name for name in raw["citations"]]
    raw["answer"] = raw["answer"].replace(f"[{old}]", f"[{wrong}]")
    return raw


def no_citation(case: Case) -> Raw | None:
    """It cites nothing any more."""
    raw = case.raw()
    _cite(raw, [])
    return raw


def reworded(kind: str) -> Callable[[Case], Raw | None]:
    """A cited sentence is changed so that its text contradicts it."""

    def apply(case: Case) -> Raw | None:
        raw = case.raw()
        answer = raw["answer"]
        sentences = [each for each in check(case.record) if each.factual and each.supported]
        for each in case.chooser.sample(sentences, len(sentences)):
            start, end = each.span
            cited = case.cited_texts(each.citations or case.record.citations or ())
            new = CHANGES[kind](answer[start:end], cited, case.chooser)
            if new is not None and new != answer[start:end]:
                raw["answer"] = answer[:start] + new + answer[end:]
                return raw
        return None

    return apply


@dataclass(frozen=True)
class Fault:
    """A fault: what it is called, whose it is, and how it is put in.

    `base` says which good cases it is for: those that answer, or those that rightly refuse.
    """

    name: str
    layer: str
    apply: Callable[[Case], Raw | None]
    sentence: str | None = None
    base: str = "ok"


FAULTS: tuple[Fault, ...] = (
    Fault("expected document dropped", "retrieval", dropped),
    Fault("distractor in its place, cited", "retrieval", swapped),
    Fault("nothing retrieved", "retrieval", nothing_retrieved),
    Fault("demoted below K", "ranking", below_cutoff),
    Fault("demoted to rank 2", "ranking", second),
    Fault("distractor first, cited", "ranking", distractor_first),
    Fault("refused", "refusal", refused),
    Fault("unanswerable answered", "refusal", answered, base="ok_refusal"),
    Fault("citation id broken", "citation-semantic", broken_citation),
    Fault("citations removed", "citation-semantic", no_citation),
    *(Fault(f"{kind} changed", "citation-semantic", reworded(kind), kind) for kind in CHANGES),
)
