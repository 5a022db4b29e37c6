"""What an answer says against what the texts it cites say (metrics.md section 6)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from triage.diagnosis.rule import Evidence, Rule
from triage.diagnosis.words import LAST_CELLS, fitting, listed, short
from triage.metrics.facts import Facts

if TYPE_CHECKING:
    from triage.models.record import Record
    from triage.models.sentences import Clash, Sentence

QUOTED = 60
"""Most characters of a text that a sentence quotes."""
POLARITY = "negation"
"""The kind that rules judge worst: it asks to be looked at."""
_CLAUSE = re.compile(r"[。！？；!?;\n]|\.\s")


def checked(facts: Facts) -> tuple[Sentence, ...]:
    """The answer's sentences, looked at again: a case keeps of them no more than their numbers."""
    # Imported here because most cases have nothing to show of it.
    from triage.citations.check import check

    return check(facts.record)


def _texts(record: Record) -> dict[str, str]:
    """The documents' texts by id; the evidence's own where both lists have one, as the check reads them."""
    documents = (*(record.retrieved or ()), *(record.evidence or ()))
    return {each.id: each.text for each in documents if each.text}


def _clash(record: Record, clash: Clash) -> Evidence:
    texts = _texts(record)
    found = [{"id": name, "text": texts.get(name, "")[start:end]} for name, (start, end) in clash.found]
    start, end = clash.said
    return {"kind": clash.kind, "said": (record.answer or "")[start:end], "found": found}


def _shows_clashes(facts: Facts) -> Evidence:
    flagged = [each for each in checked(facts) if each.supported is False]
    sentences = [
        {
            "text": each.text,
            "kinds": list(each.mismatches),
            "citations": list(each.sources),
            "clashes": [_clash(facts.record, clash) for clash in each.clashes],
        }
        for each in flagged
    ]
    kinds = facts.sentences.mismatches if facts.sentences is not None else ()
    return {"kinds": list(kinds), "sentences": sentences}


def _clashes(shown: Evidence) -> list[dict[str, Any]]:
    return [clash for sentence in shown["sentences"] for clash in sentence["clashes"]]


def _nearest(record: Record, citations: Sequence[str], said: str) -> str:
    """The clause of the cited texts that is most like what was said, "" = there is none."""
    # Imported here because most cases have nothing to say of it.
    from triage.citations.resolve import Sources

    sources, texts = Sources.of(record), _texts(record)
    targets = [target[0] for name in citations if (target := sources.find(name))]
    clauses = [clause for name in targets for clause in _CLAUSE.split(texts.get(name, "")) if clause.strip()]
    pairs = {said[at : at + 2] for at in range(len(said) - 1)}
    return max(clauses, key=lambda clause: sum(pair in clause for pair in pairs), default="")


def _against(record: Record, sentence: Evidence, clash: Evidence) -> str:
    """What the cited text says instead: of a negation the clause, since `not` alone says little."""
    found = next((each["text"] for each in clash["found"] if each["text"].strip()), "")
    if found and clash["kind"] != POLARITY:
        return short(found, QUOTED)
    return short(_nearest(record, sentence["citations"] or record.citations or (), sentence["text"]), QUOTED)


def _says_clashes(shown: Evidence, record: Record) -> str:
    told = [(sentence, clash) for sentence in shown["sentences"] for clash in sentence["clashes"]]
    if not told:
        return f"The cited text says something else: {', '.join(shown['kinds'])}."
    told.sort(key=lambda each: (each[1]["kind"] == POLARITY, not each[1]["found"]))
    (sentence, clash), *others = told
    against = _against(record, sentence, clash)
    lead = "Check polarity: the" if clash["kind"] == POLARITY else "The"
    cited = f"the cited text says {against}" if against else "the cited text has nothing like it"
    more = listed([f"{each['kind']} {short(each['said'], QUOTED // 3)}" for _, each in others])
    return f"{lead} answer says {short(clash['said'], QUOTED)}; {cited}{f' (also {more})' if more else ''}."


def _clash_word(facts: Facts, shown: Evidence) -> str:
    kinds = shown.get("kinds") or ["text"]
    if kinds == [POLARITY]:
        return "check polarity"
    if len(kinds) > 1:
        return f"{len(kinds)} kinds clash"
    other = f"{kinds[0]} clash"
    clashes = _clashes(shown) if "sentences" in shown else []
    if len(clashes) != 1 or not clashes[0]["found"]:
        return fitting(other, "text clash", LAST_CELLS)
    said, found = clashes[0]["said"].strip(), clashes[0]["found"][0]["text"].strip()
    return fitting(f"{said}, not {found}", other, LAST_CELLS)


def _differs(facts: Facts) -> bool:
    return facts.has_answer and facts.sentences is not None and facts.sentences.unsupported > 0


def _only_far(facts: Facts) -> bool:
    found = facts.sentences
    return facts.has_answer and found is not None and found.low > 0 and not found.unsupported


def _shows_far(facts: Facts) -> Evidence:
    # Imported here because most cases have nothing to show of it.
    from triage.citations.check import LOW_OVERLAP

    far = [
        {"text": each.text, "citations": list(each.sources), "overlap": round(each.overlap, 4)}
        for each in checked(facts)
        if each.supported and each.overlap is not None and each.overlap < LOW_OVERLAP
    ]
    return {"sentences": far}


def _says_far(shown: Evidence, record: Record) -> str:
    far = shown["sentences"]
    many = "A cited sentence shares" if len(far) == 1 else f"{len(far)} cited sentences share"
    quoted = f": {short(far[0]['text'], QUOTED)}" if far else ""
    return f"{many} few words with the text cited, which alone proves nothing{quoted}"


RULES = (
    Rule(
        reason="cited_text_mismatch",
        number="15",
        failure_class="citation-semantic",
        confidence=0.7,
        meaning="a sentence says something else than the text it cites",
        fires=_differs,
        asks="labels",
        alone=True,
        evidence=_shows_clashes,
        says=_says_clashes,
        needs=("kinds", "sentences"),
        word=_clash_word,
    ),
    Rule(
        reason="cited_text_low_overlap",
        number="22",
        failure_class="citation-semantic",
        confidence=0.35,
        meaning="a cited sentence shares few words with the text it cites",
        fires=_only_far,
        asks="labels",
        evidence=_shows_far,
        says=_says_far,
        needs=("sentences",),
        listed=True,
    ),
)
