"""The commands by name, and what is said of a word that is none. Free of click, as a start of the app is."""

from __future__ import annotations

from triage.errors import UsageError, did_you_mean

# Order of the help page; each is imported when it is called.
COMMANDS = {
    "demo": "app",
    "open": "app",
    "ingest": "ingest",
    "runs": "runs",
    "report": "report",
    "cases": "cases",
    "case": "cases",
    "tag": "verdicts",
    "note": "verdicts",
    "label": "verdicts",
    "codes": "codes",
    "groups": "groups",
    "sample": "sample",
    "review": "review",
    "export": "export",
    "agreement": "agreement",
    "reweigh": "reweigh",
    "baseline": "runs",
    "remove": "runs",
    "themes": "themes",
    "settings": "settings",
    "db": "db",
}


def no_such_word(word: str) -> UsageError:
    """The error for a word that is neither a command nor a path, with the nearest command."""
    hint = did_you_mean(word, COMMANDS, "triage --help lists the commands")
    return UsageError("no such command", f"{word}, and no such file or folder", hint)
