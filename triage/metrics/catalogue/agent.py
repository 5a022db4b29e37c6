"""The places of the agent metrics in the contract (metrics.md section 4); they have no values as yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triage.metrics.metric import Metric, share
from triage.models.measure import Measure

if TYPE_CHECKING:
    from triage.metrics.facts import Facts

PLACE = 80
ASKS = "labels"
METRICS: tuple[Metric, ...] = (
    share(
        "routing_accuracy", "Routing accuracy", "routing", "generation", "5",
        "share of cases sent down an accepted route", "whether the answer is right", built=False,
    ),
    Metric(
        "plan_efficiency", "Plan efficiency", "plan", "generation", "5",
        "expected steps over the steps taken, at most 1", "whether they were the right steps", built=False,
    ),
    Metric(
        "tool_success", "Tool success", "tools", "generation", "5",
        "share of the expected tool calls that were made, with their parameters, and worked",
        "whether further calls did harm", built=False,
    ),
    Metric(
        "trajectory", "Trajectory", "path", "generation", "5",
        "how near the tool calls are to the expected sequence", "whether another way is as good", built=False,
    ),
    share(
        "conflict_resolution", "Conflict resolution", "conflict", "generation", "5",
        "share of cases with conflicting sources whose answer names the difference",
        "whether the answer is right", built=False,
    ),
    Metric(
        "slot_accuracy", "Slot accuracy", "slots", "generation", "5",
        "share of turns whose slots are all right", "which slot is wrong", built=False,
    ),
    share(
        "conversation_pass", "Conversation pass", "convers.", "generation", "5",
        "share of conversations with every turn right", "which turn broke", built=False,
    ),
    Metric(
        "pass_at_k", "pass@k", "pass@k", "generation", "5",
        "chance that one of k attempts passes", "whether it passes every time", built=False,
    ),
    Metric(
        "pass_hat_k", "pass^k", "pass^k", "generation", "5",
        "chance that all of k attempts pass", "whether it can pass at all", built=False,
    ),
    share(
        "final_pass", "Final pass", "final", "generation", "5",
        "share of cases right in route, tools, facts and judged scores", "which of them failed", built=False,
    ),
)  # fmt: skip


def measure(facts: Facts) -> dict[str, Measure]:
    """Nothing as yet."""
    return {}
