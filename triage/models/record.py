"""A record and a run header as `triage` understands them, after reading (run-format: "Record", "Run header").

`None` always means "not recorded"; an empty list is recorded and empty.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Json = Any


class Model(BaseModel):
    """Base of all record parts: unknown keys are kept elsewhere, not here."""

    model_config = ConfigDict(extra="ignore", strict=False, allow_inf_nan=False)


class Document(Model):
    """A retrieved document or an evidence text; `score` is the retriever's, on its own scale."""

    id: str
    text: str | None = None
    score: float | None = None
    title: str | None = None
    version: str | None = None


class Fact(Model):
    """A golden fact; `hit` None = not judged. For `exclude` facts True means violated."""

    fact: str
    hit: bool | None = None


class Golden(Model):
    """Golden facts: must appear, both sides of a comparison, must not appear."""

    must: list[Fact] | None = None
    compare: list[Fact] | None = None
    exclude: list[Fact] | None = None


class PlanStep(Model):
    """One retrieval step with the document ids it brought."""

    step: str
    ids: list[str] | None = None


class ToolCall(Model):
    """A tool call. `ok` is True where the runner did not say; `empty` marks a result without content."""

    name: str
    params: dict[str, Json] = Field(default_factory=dict)
    ok: bool = True
    empty: bool = False
    result: Json = None
    strict: bool = False


class Conflict(Model):
    """Conflicting sources: did the answer name the version difference."""

    expected: str | None = None
    resolved: bool | None = None
    correct: bool | None = None


class Judge(Model):
    """One judge's scores (on the run's scale) and its reason."""

    judge: str
    scores: dict[str, float] = Field(default_factory=dict)
    reason: str | None = None


class Attempt(Model):
    """A repeated sample of the same case."""

    answer: str | None = None
    passed: bool | None = None


class Message(Model):
    """A chat message around the query."""

    role: str
    content: str | None = None
    name: str | None = None
    tool_calls: Json = None


class Feedback(Model):
    """What the user did or said afterwards."""

    thumb: Literal["up", "down"] | None = None
    repeated: bool | None = None
    no_follow_up: bool | None = None
    handed_off: bool | None = None


class Record(Model):
    """One case's row in a run file.

    Ids are exact strings. `citations` holds the citations as written (`S2`, `1`, `KB-X`), from the field or,
    where reading took them from the answer, from its markers; `citation_field` and `citation_text` keep both
    sources (None = absent). `inferred` names the fields that reading filled in ("predicted_answerable",
    "citations", "topic"); `extra` holds the keys that the format does not know.
    """

    id: str
    query: str | None = None
    raw_query: str | None = None
    answerable: bool | None = None
    expected_ids: list[str] | None = None
    retrieved: list[Document] | None = None
    evidence: list[Document] | None = None
    answer: str | None = None
    predicted_answerable: bool | None = None
    refusal_reason: str | None = None
    citations: list[str] | None = None
    reference_answer: str | None = None
    golden: Golden | None = None
    query_type: str | None = None
    topic: str | None = None
    tags: list[str] | None = None
    domain: str | None = None
    difficulty: str | None = None
    dependency: str | None = None
    seed_id: str | None = None
    rewrite: str | None = None
    source: str | None = None
    expected_route: list[str] | None = None
    route: str | None = None
    expected_plan: list[PlanStep | list[PlanStep]] | None = None
    plan: list[PlanStep | list[PlanStep]] | None = None
    expected_tools: list[ToolCall | list[ToolCall]] | None = None
    tools: list[ToolCall | list[ToolCall]] | None = None
    conflict: Conflict | None = None
    scores: dict[str, float] | None = None
    judges: list[Judge] | None = None
    attempts: list[Attempt] | None = None
    passed: bool | None = None
    failure_reason: str | None = None
    history: list[Message] | None = None
    turns: list[dict[str, Json]] | None = None
    feedback: Feedback | None = None
    error: str | None = None
    latency_ms: float | None = None
    tokens: float | None = None
    cost: float | None = None
    kb_version: str | None = None
    dataset_version: str | None = None

    extra: dict[str, Json] = Field(default_factory=dict)
    inferred: list[str] = Field(default_factory=list)
    citation_field: list[str] | None = None
    citation_text: list[str] | None = None

    @property
    def decision_recorded(self) -> bool:
        """Does the file speak of `predicted_answerable`, by whatever name, null and unreadable included?"""
        return "predicted_answerable" in self.model_fields_set

    @property
    def retrieved_ids(self) -> list[str] | None:
        """Ids of `retrieved`, best first; None where it is not recorded."""
        return None if self.retrieved is None else [document.id for document in self.retrieved]


class Dataset(Model):
    """Name and version of the test set."""

    name: str | None = None
    version: str | None = None


class RunHeader(Model):
    """The header of a run file, after `--set` and settings were laid over it.

    `extra` keeps unknown header keys.
    """

    id: str | None = None
    created_at: str | None = None
    dataset: Dataset = Field(default_factory=Dataset)
    kb_version: str | None = None
    kb_ids: list[str] | None = None
    retrieval: dict[str, Json] | None = None
    model: str | None = None
    prompt_version: str | None = None
    router_version: str | None = None
    k: int = 3
    pass_k: int | None = None
    score_scale: Literal["1-5", "0-1"] = "1-5"
    baseline: str | None = None
    notes: str | None = None
    extra: dict[str, Json] = Field(default_factory=dict)
