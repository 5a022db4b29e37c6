"""How fit a test set is: size, unanswerable share, dependence, routes, seeds (metrics.md section 4)."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from triage.metrics.health import Member, health
from triage.models.health import Health

NUMBERS = count()


def some(cases: int, **fields: Any) -> Member:
    """`cases` cases alike in `fields`."""
    plain: dict[str, Any] = {
        "answerable": True, "failing": False, "dependency": None, "seed_id": None, "rewrite": None,
        "routes": (),
    }  # fmt: skip
    ids = fields.pop("ids", tuple(f"c{next(NUMBERS)}" for _ in range(cases)))
    return Member(**{**plain, **fields}, ids=ids)


def of(*members: Member) -> Health:
    return health(members)


@pytest.mark.parametrize(
    ("cases", "stage"),
    [(0, "too few"), (49, "too few"), (50, "to start"), (199, "to start"), (200, "to compare"),
     (299, "to compare"), (300, "mature")],
)  # fmt: skip
def test_size(cases: int, stage: str) -> None:
    assert (of(some(cases)).stage, of(some(cases)).cases) == (stage, cases)


@pytest.mark.parametrize(
    ("yes", "no", "fits"), [(86, 14, False), (85, 15, True), (80, 20, True), (79, 21, False), (5, 0, False)]
)
def test_the_unanswerable_share_is_of_labelled_cases(yes: int, no: int, fits: bool) -> None:
    found = of(some(yes), some(no, answerable=False), some(50, answerable=None))
    assert (found.unanswerable, found.labelled, found.share_fits) == (no, yes + no, fits)
    assert found.unanswerable_share == pytest.approx(no / (yes + no))


def test_without_labels_there_is_no_share() -> None:
    found = of(some(5, answerable=None))
    assert (found.share_fits, found.unanswerable_share) == (None, None)


@pytest.mark.parametrize(
    ("mix", "off", "few"),
    [
        ((9, 15, 6), (), False),
        ((8, 15, 6), (), True),
        ((20, 50, 30), (), False),
        ((19, 50, 31), ("weak", "strong"), False),
        ((0, 30, 0), ("weak", "medium", "strong"), False),
    ],
)
def test_dependence_is_held_against_three_five_two(
    mix: tuple[int, int, int], off: tuple[str, ...], few: bool
) -> None:
    parts = [some(n, dependency=name) for n, name in zip(mix, ("weak", "medium", "strong"), strict=True)]
    found = of(*parts, some(7, dependency="whatever")).dependence
    assert found is not None
    assert (found.off, found.few, found.total) == (off, few, sum(mix))
    assert of(some(3)).dependence is None


def test_a_route_has_twenty_cases_or_is_thin() -> None:
    found = of(some(19, routes=("b+a",)), some(1, routes=("a+b",)), some(19, routes=("sql",)), some(4))
    assert (found.routes, found.thin_routes) == ({"a+b": 20, "sql": 19}, ("sql",))


def test_the_first_level_at_which_a_seed_fails() -> None:
    def level(seed: str, rewrite: str | None, failing: bool = False) -> Member:
        return some(1, seed_id=seed, rewrite=rewrite, failing=failing)

    found = of(
        level("s1", "base"), level("s1", "implicit", True), level("s1", "reverse", True),
        level("s2", "extended"),
        some(1, ids=("s3",), failing=True), level("s3", "extended", True),
        level("s4", None, True),
        level("s5", "sideways", True),
        some(2, rewrite="reverse", ids=("x", "y"), failing=True),
    ).seeds  # fmt: skip
    assert found is not None
    assert found.first_failing == {"base": 2, "implicit": 1, "sideways": 1}
    assert (found.seeds, found.holding, found.orphans) == (5, 1, ("x", "y"))
    assert of(some(3)).seeds is None
