"""The suggestion names the layer of a fault that was put into a good case, as often as it has to."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

BENCHMARKS = str(Path(__file__).resolve().parents[2] / "benchmarks")


@pytest.fixture(scope="module")
def injection() -> Iterator[ModuleType]:
    """The test bench as a module."""
    sys.path.insert(0, BENCHMARKS)
    try:
        import injection

        yield injection
    finally:
        sys.path.remove(BENCHMARKS)


def told(bench: object, injection: ModuleType) -> str:
    return injection.laid_out(injection.by_fault(bench), markdown=False)


def test_faults_in_the_sample_runs_are_laid_at_the_right_layer(injection: ModuleType, tmp_path: Path) -> None:
    bench = injection.run_bench(tmp_path)
    done = Counter(trial.fault.name for trial in bench.trials)
    assert set(done) == {fault.name for fault in injection.FAULTS}
    assert bench.share(sentence=False) >= injection.STRUCTURAL_FLOOR, told(bench, injection)
    assert bench.share(sentence=True) >= injection.SENTENCE_FLOOR, told(bench, injection)
    # Each layer is told apart from the others, not one named for all.
    for layer in injection.LAYERS:
        mine = [trial.right for trial in bench.trials if trial.fault.layer == layer]
        assert sum(mine) >= 0.8 * len(mine), layer


def test_structural_faults_in_answers_of_real_models_are_laid_at_the_right_layer(
    injection: ModuleType, tmp_path: Path, shared: Callable[[str], Path]
) -> None:
    faults = [fault for fault in injection.FAULTS if not fault.sentence]
    source = shared(injection.MTRAG)
    bench = injection.run_bench(tmp_path, samples=False, mtrag=source, limit=4, faults=faults)
    assert bench.share(sentence=False) >= injection.STRUCTURAL_FLOOR, told(bench, injection)


def test_sentence_faults_in_answers_of_real_models_are_laid_at_the_right_layer(
    injection: ModuleType, tmp_path: Path, shared: Callable[[str], Path]
) -> None:
    faults = [fault for fault in injection.FAULTS if fault.sentence]
    source = shared(injection.MTRAG)
    bench = injection.run_bench(tmp_path, samples=False, mtrag=source, limit=20, faults=faults)
    assert len(bench.trials) >= 40
    assert bench.share(sentence=True) >= injection.SENTENCE_FLOOR, told(bench, injection)
    # Nor is everything spoken of: most good answers stay silent.
    assert bench.spoken.total() <= 0.25 * (bench.spoken.total() + bench.good.total())


def test_a_negation_is_turned_only_where_that_contradicts_the_cited_text(injection: ModuleType) -> None:
    import random

    from changes import CHANGES

    def turned(sentence: str, cited: str) -> str | None:
        return CHANGES["negation"](sentence, cited, random.Random(1))

    said = "The monthly payments are higher with a short loan."
    assert turned(said, said) == "The monthly payments are not higher with a short loan."
    # The cited sentence has not the word that is denied, or denies it itself; or nothing is stated.
    assert turned(said, "The monthly payments with a short loan depend on the bank.") is None
    assert turned(said, "The monthly payments are not higher with a short loan.") is None
    assert turned(f"Ask whether {said[4:]}", said) is None
    assert turned("The scanned images are not encrypted.", "The scanned images are encrypted.") is None


def test_a_change_is_made_only_where_the_cited_text_says_the_same(injection: ModuleType) -> None:
    import random

    from changes import CHANGES

    def change(kind: str, sentence: str, cited: str) -> str | None:
        return CHANGES[kind](sentence, cited, random.Random(1))

    assert change("duration", "7 天内到账。[S1]", "3 天内到账。") is None
    changed = change("duration", "7 天内到账。[S1]", "7 天内到账。")
    assert changed not in (None, "7 天内到账。[S1]") and changed.endswith("内到账。[S1]")
    assert change("amount", "It costs $12 [12].", "The fee is 8 dollars.") is None
    assert change("modality", "It usually takes a day.", "It takes a day.") is None
    assert change("modality", "一般三天到。", "一般三天到。") != "一般三天到。"
    assert change("negation", "出库后不能取消。", "出库后不能取消。") == "出库后可以取消。"
    assert change("negation", "It can't be changed.", "It can't be changed.") == "It can be changed."
    assert change("scope", "商品可以退。", "商品可以退。") is None
    assert change("date", "Open since 1998.", "Founded in 1998.") == "Open since 2001."
