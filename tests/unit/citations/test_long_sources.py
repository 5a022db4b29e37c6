"""A sentence against a long source: a word elsewhere in it neither bears it out nor stands against it."""

from __future__ import annotations

import pytest

from tests.unit.citations.labelled import judged

FILLER = (
    "Every customer must sign the form. All rooms are cleaned each day. Staff never enter at night. "
    "The desk is always open. Keys are not copied. Guests without a card can't use the lift. "
    "There are 16 lockers and 2 saunas. Breakfast is not served in the hall. Towels are free of charge. "
)


@pytest.mark.parametrize(
    ("evidence", "sentence", "kind"),
    [
        (
            "Encrypted images aren't scanned by the advisor service.",
            "The advisor service does scan encrypted images.",
            "negation",
        ),
        (
            "The county court awards costs to the party that wins an appeal.",
            "The county court does not award costs to the party that wins an appeal.",
            "negation",
        ),
        (
            "Rugby league is the most similar sport to American football.",
            "Rugby league is not considered the most similar sport to American football.",
            "negation",
        ),
        (
            "The appeal court usually awards costs to the winner.",
            "The appeal court always awards costs to the winner.",
            "modality",
        ),
        (
            "A broker may ask for a form to register the shares.",
            "A broker will definitely ask for a form to register the shares.",
            "modality",
        ),
        ("The show ended after season 9 by choice.", "The show ended after season 14 by choice.", "number"),
        ("The league comprises 32 teams in total.", "The league comprises 18 teams in total.", "number"),
    ],
)
def test_what_the_one_sentence_that_speaks_of_it_says_counts(evidence: str, sentence: str, kind: str) -> None:
    long = f"{FILLER}{evidence} {FILLER}"
    assert kind in judged({"evidence": long, "sentence": sentence}).mismatches
    assert judged({"evidence": long, "sentence": evidence}).clashes == ()


@pytest.mark.parametrize(
    ("evidence", "sentence"),
    [
        # Said of another thing, or of both sides.
        (
            "Images are scanned by the advisor service. Encrypted images are not scanned by the service.",
            "Encrypted images are not scanned by the advisor service.",
        ),
        # It bids to look; it doesn't say that they match.
        (
            "Verify that the country of the number matches the country of the account.",
            "The country of the number doesn't match the country of the account.",
        ),
        ("The league always awards costs to the winner.", "The league always awards costs to the winner."),
        ("The guide covers version 3 and version 4.", "Version 3 and version 4 are covered by the guide."),
    ],
)
def test_what_is_borne_out_or_only_asked_is_no_clash(evidence: str, sentence: str) -> None:
    assert judged({"evidence": f"{FILLER}{evidence} {FILLER}", "sentence": sentence}).clashes == ()
