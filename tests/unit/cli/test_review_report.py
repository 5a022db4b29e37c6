"""What a review says in the end, as a table, as Markdown, as JSON; text of records stays text in each."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.unit.cli.conftest import Call, record, write_run
from triage.cli.review_report import print_review_report
from triage.cli.session import Session
from triage.models.sample import SampleRule

Printed = Callable[[str, str | None], str]
HOSTILE = "[/INST] \x1b]0;owned\x07 | **bold** <b>`x`"


@pytest.fixture
def session(place: Path) -> Session:
    """Twelve cases, six of them of refund, one of these with a hostile query; a sample of all but two."""
    write_run(
        place / "r.jsonl",
        [record(f"R{n}", topic="refund", query=HOSTILE if n == 0 else "退款多久到账") for n in range(6)]
        + [record(f"S{n}") for n in range(6)],
        {"id": "r"},
    )
    made = Session({"db": place / "t.db", "reviewer": "wei"}, outer={})
    made.load([place / "r.jsonl"])
    return made


@pytest.fixture
def printed(session: Session, capfd: pytest.CaptureFixture[str]) -> Printed:
    """Prints the report of the run in a format, of a sample."""

    def printing(format: str, sample: str | None = None) -> str:
        capfd.readouterr()
        print_review_report(session, session.run("r"), sample, format)
        return capfd.readouterr().out

    return printing


def reviewed(session: Session) -> None:
    """R0 is a mistake of the test set, R1 fails, R2 to S2 are fine; the others nobody read."""
    work = session.workspace
    work.sampling.draw("r", SampleRule("seed", 12, by=("topic",), must=("is:high-risk",)), "first")
    work.tag("r", ["R0"], "test-set", labels=["bad-gold"], note=HOSTILE)
    work.tag("r", ["R1"], "retrieval", labels=["stale-doc"])
    work.tag("r", ["R2", "R3", "R4", "S0", "S1", "S2"], "not-a-failure")


def test_the_table_says_it_in_words(session: Session, printed: Printed) -> None:
    reviewed(session)
    said = printed("table", None)
    lines = said.splitlines()
    assert lines[0].startswith("r   sample first   drawn from 12 of 12 cases   seed seed")
    assert "8 of 12 cases read, 8 of 18 readings   by wei 8" in said
    assert "failure rate about " in said and " 0 %" not in said
    assert "is:high-risk: 5 of 6 have a verdict, missing R5; 5 have fewer readers than wanted" in said
    (shipping,) = [line for line in lines if line.startswith("shipping")]
    assert "3 of 6" in shipping and "at most " in shipping
    assert "mistakes of the test set: 1" in said and "bad-gold" in said
    assert "\x1b" not in said and "<ESC>" in said
    assert "without 1 of the test set's mistakes" in said


def test_json_has_every_part(session: Session, printed: Printed) -> None:
    reviewed(session)
    told = json.loads(printed("json", "first"))
    assert told["sample"]["name"] == "first" and told["rate"]["read"] == 7
    assert told["rate"]["interval"][0] <= told["rate"]["value"] <= told["rate"]["interval"][1]
    assert told["must_review"] == {
        "satisfied": False,
        "rules": [
            {
                "rule": "is:high-risk",
                "cases": 6,
                "reviewed": 5,
                "missing": ["R5"],
                "judged_before_a_change": 0,
                "read_by_too_few": 5,
                "left_out_by_cap": 0,
            }
        ],
    }
    assert [one["topic"] for one in told["by_topic"]] == ["refund", "shipping"]
    assert told["test_set_mistakes"][0]["note"] == HOSTILE, "JSON keeps what was written"
    assert told["corrected"]["left_out"] == 1
    assert told["saturation"]["windows"][0]["new_labels"] == ["bad-gold", "stale-doc"]


def test_markdown_keeps_text_as_text(session: Session, printed: Printed) -> None:
    reviewed(session)
    page = printed("markdown", None)
    assert page.startswith("# Review of r\n")
    assert "- **7 of" not in page and "- **1 of 7: failure rate about " in page
    assert "\\*\\*bold\\*\\*" in page and "\x1b" not in page and "\\<b\\>" in page
    tables = [line for line in page.splitlines() if line.startswith("|")]
    heads = {"| topic | read | failing | failure rate |", "| metric | raw | corrected |"}
    assert heads <= set(tables)
    assert "## Mistakes of the test set: 1" in page


def test_without_a_sample_no_rate_is_claimed(session: Session, printed: Printed) -> None:
    session.workspace.tag("r", ["S0"], "not-a-failure")
    for format in ("table", "markdown"):
        said = printed(format, None)
        assert "no failure rate: no sample was drawn: those who tagged the cases chose them" in said
        assert "%" not in said
    told: dict[str, Any] = json.loads(printed("json", None))
    assert told["sample"] is None and told["rate"] is None and "other 11" in told["why_no_rate"]
    assert told["by_topic"] == [
        {"topic": "shipping", "high_risk": False, "cases": 1, "read": 1, "failing": 0, "rate": None}
    ]


def test_review_prints_the_report_where_there_is_no_terminal(triage: Call, small: Path) -> None:
    triage("ingest", "kb42.jsonl")
    assert triage("sample", "--n", "4", "--name", "four").code == 0
    for case, verdict in (("a", "not-a-failure"), ("b", "ranking"), ("c", "retrieval"), ("d", "refusal")):
        triage("tag", case, verdict)
    told = triage("review", "--format", "json").json
    assert told["sample"]["name"] == "four" and told["rate"]["said"] == "3 of 4 failed, and all 4 were read"
    assert told["must_review"]["satisfied"] and told["corrected"] is None
    assert triage("review", "--report", "--sample", "four").out.startswith("kb42   sample four")
    assert triage("review", "--report", "--format", "markdown").out.startswith("# Review of kb42")
    assert triage("review", "--report", "--sample", "none").code == 1
