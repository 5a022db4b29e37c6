"""Whether reading on still finds new kinds of failures: labels and sub-reasons that no case before had."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from msgspec import Struct

from triage.models.review_report import Saturation, Window


class Met(Struct, frozen=True):
    """What people found at a case: its labels, and the sub-reasons for which it fails (none if not)."""

    case_id: str = ""
    labels: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()


def window(read: int) -> int:
    """How many cases read one after the other are looked at together, of so many."""
    return 10 if read < 60 else 20 if read < 200 else 50


def saturation(cases: Sequence[Met], every: int | None = None) -> Saturation:
    """New kinds along the cases, in the order in which they were read.

    Args:
        cases: what was found at each, in the order of their first reading.
        every: cases of a window, >= 1; default: `window` of their number.
    """
    every = every or window(len(cases))
    seen: Counter[tuple[str, str]] = Counter()
    since = 0
    news: list[tuple[list[str], list[str]]] = []
    for met in cases:
        labels = [one for one in dict.fromkeys(met.labels) if ("label", one) not in seen]
        reasons = [one for one in dict.fromkeys(met.reasons) if ("reason", one) not in seen]
        seen.update(("label", one) for one in set(met.labels))
        seen.update(("reason", one) for one in set(met.reasons))
        since = 0 if labels or reasons else since + 1
        news.append((labels, reasons))
    windows = tuple(
        Window(
            first=start + 1,
            last=min(start + every, len(news)),
            labels=tuple(one for labels, _ in news[start : start + every] for one in labels),
            reasons=tuple(one for _, reasons in news[start : start + every] for one in reasons),
            ids=tuple(
                met.case_id
                for met, (labels, reasons) in zip(
                    cases[start : start + every], news[start : start + every], strict=True
                )
                if labels or reasons
            ),
        )
        for start in range(0, len(news), every)
    )
    met_in_all = sum(seen.values())
    once = sum(1 for count in seen.values() if count == 1)
    return Saturation(
        every=every,
        read=len(news),
        windows=windows,
        since=since,
        kinds=len(seen),
        unseen=once / met_in_all if met_in_all else None,
        said=_said(len(news), every, since, len(seen), news),
    )


def _said(read: int, every: int, since: int, kinds: int, news: Sequence[tuple[list[str], list[str]]]) -> str:
    if not read:
        return "nothing is read"
    if not kinds:
        return f"{read} read, none of them with a label or a failure"
    if read < 2 * every:
        return f"{read} read, too few to tell: reading on may find new kinds"
    if since >= every:
        return f"no new label or sub-reason in the last {since} read: further reading seldom finds new kinds"
    last = news[-every:]
    labels = len({one for found, _ in last for one in found})
    reasons = len({one for _, found in last for one in found})
    counted = [
        f"{count} new {word}{'' if count == 1 else 's'}"
        for count, word in ((labels, "label"), (reasons, "sub-reason"))
        if count
    ]
    return f"{' and '.join(counted)} in the last {every} read: reading on still finds new kinds"
