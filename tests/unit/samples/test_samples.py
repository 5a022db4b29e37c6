"""The shipped sample runs, loaded as a user loads them: they show what the README says they show."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from triage.models.case import CaseRow
from triage.models.query import Scope
from triage.models.run import FileReport
from triage.settings import Settings
from triage.workspace import Workspace

SAMPLES = Path(__file__).resolve().parents[3] / "sample_runs"
HELPDESK = ("kb09-dense", "kb09-rerank", "kb10-rerank")
EVERY_REASON = {
    "label_conflict", "insufficient_record", "answered_though_unanswerable", "ok_refusal", "knowledge_gap",
    "fallback_nothing_retrieved", "answered_without_evidence", "expected_below_cutoff",
    "expected_missing_then_refused", "expected_missing_from_topk", "refused_though_evidence_retrieved",
    "refused_though_answerable", "citation_id_not_in_evidence", "distractor_first_and_cited", "no_citation",
    "partial_recall_incomplete", "low_faithfulness_good_evidence", "answer_off_topic",
    "answer_incorrect_good_evidence", "expected_below_rank1", "ok", "system_error", "runner_failed",
}  # fmt: skip
PARTS = (
    "history", "turns", "tools", "plan", "judges", "scores", "golden", "feedback", "conflict", "attempts",
    "tags", "seed_id", "extra",
)  # fmt: skip


class Loaded:
    """A workspace that holds every sample run, and what loading said."""

    def __init__(self, database: Path) -> None:
        self.workspace = Workspace(database, Settings(), reviewer="tester")
        self.reports: dict[str, FileReport] = {
            str(report.run): report for report in self.workspace.ingest([SAMPLES])
        }

    def rows(self, run: str) -> dict[str, CaseRow]:
        scope = Scope(run=run)
        keys = list(self.workspace.case_keys(scope))
        return {row.id: row for row in self.workspace.case_rows(scope, keys)}

    def failing(self, run: str) -> set[str]:
        return {case for case, row in self.rows(run).items() if row.failing}


@pytest.fixture(scope="module")
def loaded(tmp_path_factory: pytest.TempPathFactory) -> Loaded:
    return Loaded(tmp_path_factory.mktemp("samples") / "triage.db")


def test_every_file_loads_and_only_one_has_rejected_records(loaded: Loaded) -> None:
    found = {run: (report.status, report.records, report.rejected) for run, report in loaded.reports.items()}
    assert found == {
        "kb41": ("loaded", 10, 0),
        "kb42": ("loaded", 10, 0),
        "kb09-dense": ("loaded", 72, 0),
        "kb09-rerank": ("loaded", 70, 3),
        "kb10-rerank": ("loaded", 72, 0),
        "r7-router": ("loaded", 36, 0),
    }


def test_rejected_records_are_a_cut_line_a_repeated_id_and_a_lost_id(loaded: Loaded) -> None:
    problems = loaded.reports["kb09-rerank"].problems
    rejected = sorted((problem.line, problem.case) for problem in problems if problem.level == "record")
    assert [line for line, _ in rejected] == [32, 52, 74]
    assert rejected[-1][1] == "H59"
    fields = [problem for problem in problems if problem.level == "field"]
    names = {(problem.case, str(problem.field).split(".")[0]) for problem in fields}
    assert names == {("H09", "latency_ms"), ("H14", "scores")}


def test_published_figures_of_the_ten_cases(loaded: Loaded) -> None:
    metrics = loaded.workspace.run_view(Scope(run="kb42")).metrics
    keys = ("hit", "mrr", "refusal_accuracy", "citation_coverage", "citation_id_validity")
    assert [f"{metrics[key].value:.4f}" for key in keys] == ["0.8750", "0.8125", "0.9000", "0.8750", "1.0000"]


def test_exactly_three_of_the_ten_cases_fail(loaded: Loaded) -> None:
    found = {
        case: (row.failure_class, row.reason) for case, row in loaded.rows("kb42").items() if row.failing
    }
    assert found == {
        "E06": ("ranking", "expected_below_rank1"),
        "E08": ("retrieval", "expected_missing_from_topk"),
        "E10": ("refusal", "answered_though_unanswerable"),
    }


def test_ten_cases_have_ranks_and_decisions_of_the_published_fixture(loaded: Loaded, shared) -> None:
    import json

    fixture = json.loads(shared("vectors/fixture_ten_cases.json").read_text(encoding="utf-8"))
    for case in fixture["cases"]:
        record = loaded.workspace.case_detail(Scope(run="kb42"), case["id"]).record
        same = (record.answerable, record.expected_ids, record.retrieved_ids, record.predicted_answerable,
                record.citations)  # fmt: skip
        assert same == tuple(
            case[key] for key in
            ("answerable", "expected_ids", "retrieved_ids", "predicted_answerable", "citations")
        )  # fmt: skip
        # The words are ours: no query, answer or document is taken over.
        assert record.query != case["query"]
        assert not {document.text for document in record.retrieved or []} & set(fixture["kb"].values())


def test_every_reason_and_every_class_is_shown(loaded: Loaded) -> None:
    rows = [row for run in loaded.reports for row in loaded.rows(run).values()]
    assert {row.reason for row in rows} >= EVERY_REASON
    newest = {row.failure_class for row in loaded.rows("kb10-rerank").values() if row.failing}
    assert {"retrieval", "ranking", "refusal", "citation-semantic"} <= newest


def test_demo_opens_on_the_newest_run_against_the_run_before(loaded: Loaded) -> None:
    newest = loaded.workspace.find_run(None)
    assert (newest.id, newest.baseline) == ("kb10-rerank", "kb09-rerank")
    assert loaded.workspace.find_run("kb42").baseline == "kb41"


def test_three_runs_of_one_test_set_over_two_knowledge_bases(loaded: Loaded) -> None:
    runs = {run.id: run for run in loaded.workspace.runs() if run.dataset == "helpdesk"}
    assert set(runs) == set(HELPDESK)
    assert {run.kb_version for run in runs.values()} == {"kb09", "kb10"}
    assert len({str(run.retrieval) for run in runs.values()}) == 3
    assert sorted(runs.values(), key=lambda run: run.created_at) == [runs[name] for name in HELPDESK]
    assert all(run.notes for run in runs.values())


@pytest.mark.parametrize("base, run", [("kb41", "kb42"), HELPDESK[:2], HELPDESK[1:]])
def test_each_run_fixes_some_cases_and_breaks_others(loaded: Loaded, base: str, run: str) -> None:
    before, after = loaded.failing(base), loaded.failing(run)
    both = set(loaded.rows(base)) & set(loaded.rows(run))
    assert (before - after) & both
    assert (after - before) & both


@pytest.mark.parametrize("run", HELPDESK)
def test_share_of_unanswerable_questions_is_as_recommended(loaded: Loaded, run: str) -> None:
    details = [loaded.workspace.case_detail(Scope(run=run), case).record for case in loaded.rows(run)]
    known = [record for record in details if record.answerable is not None]
    assert 0.15 <= sum(not record.answerable for record in known) / len(known) <= 0.20


def test_newest_run_shows_what_a_case_can_hold(loaded: Loaded) -> None:
    rows = loaded.rows("kb10-rerank")
    details = [loaded.workspace.case_detail(Scope(run="kb10-rerank"), case) for case in rows]
    records = [detail.record for detail in details]
    has = {name: sum(bool(getattr(record, name)) for record in records) for name in PARTS}
    assert all(has.values()), has
    judged = [[judge.scores["faithfulness"] for judge in record.judges or ()] for record in records]
    assert any(scores and max(scores) - min(scores) >= 2 for scores in judged)
    high_risk = Counter(row.topic for row in rows.values() if row.high_risk)
    assert set(high_risk) == {"refund", "privacy", "account_security", "human_handoff"}
    assert [row.id for row in rows.values() if row.topic_inferred] == ["H30"]
    inferred = {detail.row.id for detail in details if "predicted_answerable" in detail.inferred}
    assert inferred == {"H24", "H29", "H62", "H63", "H64", "H69"}


def test_both_languages_take_part(loaded: Loaded) -> None:
    records = [loaded.workspace.case_detail(Scope(run="kb10-rerank"), case).record
               for case in loaded.rows("kb10-rerank")]  # fmt: skip
    languages = Counter(record.extra["lang"] for record in records)
    assert min(languages["zh"], languages["en"]) >= 25


def test_files_are_readable_lines_in_their_own_script() -> None:
    for path in sorted(SAMPLES.iterdir()):
        text = path.read_text(encoding="utf-8")
        assert path.suffix == ".jsonl" and text.endswith("\n")
        assert "\\u" not in text


def test_newest_run_shows_what_the_sentence_check_says(loaded: Loaded) -> None:
    kinds: set[str] = set()
    reasons: Counter[str] = Counter()
    for case in loaded.workspace.measured_cases(Scope(run="kb10-rerank")):
        reasons[case.row.reason] += 1
        if case.row.reason == "cited_text_mismatch":
            kinds.update(case.diagnosis.suggestion.evidence["kinds"])
            # The runner's people found them wrong as well.
            record = loaded.workspace.case_detail(Scope(run="kb10-rerank"), case.row.id).record
            assert record.passed is False, case.row.id
    assert kinds >= {"modality", "duration", "amount", "date", "negation", "scope"}
    assert reasons["uncited_sentence"] == 1


def test_run_of_an_agent_shows_every_measure_good_and_bad(loaded: Loaded) -> None:
    metrics = loaded.workspace.run_view(Scope(run="r7-router")).metrics
    keys = (
        "hit", "mrr", "refusal_accuracy", "under_refusal", "citation_coverage", "citation_support",
        "sentence_citation_coverage", "factual_correctness", "completeness", "groundedness",
        "golden_coverage", "satisfaction", "runner_pass_rate", "routing_accuracy", "plan_efficiency",
        "tool_success", "trajectory",
        "conflict_resolution", "slot_accuracy", "conversation_pass", "pass_at_k", "pass_hat_k", "final_pass",
    )  # fmt: skip
    for key in keys:
        value = metrics[key].value
        low = 1 if key in ("factual_correctness", "completeness", "groundedness") else 0
        assert value is not None and low < value and value not in (1.0, 5.0), (key, value)
    records = [
        loaded.workspace.case_detail(Scope(run="r7-router"), case).record for case in loaded.rows("r7-router")
    ]
    assert Counter(record.extra["lang"] for record in records).most_common()[-1][1] >= 17
    assert 0.15 <= sum(record.answerable is False for record in records) / len(records) <= 0.20
    assert any(len(record.judges or ()) == 2 for record in records)


def test_stale_slot_is_shown(loaded: Loaded) -> None:
    from triage.metrics.slots import conversation_slots

    turns = loaded.workspace.case_detail(Scope(run="r7-router"), "T31").record.turns
    assert [turn.stale for turn in conversation_slots(turns or ())] == [(), (), ("region",)]
