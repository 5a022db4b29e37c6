"""What a person did or gave that can't be used; anything else that is raised is a bug and shows as one."""

from __future__ import annotations

from collections.abc import Iterable


class TriageError(Exception):
    """An error the user can mend.

    Args:
        title: what is wrong, in a few words ("no such run").
        message: where: the file, line, field or id concerned.
        hint: what to do about it.
    """

    exit_code = 1

    def __init__(self, title: str, message: str = "", hint: str = "") -> None:
        super().__init__(title)
        self.title = title
        self.message = message
        self.hint = hint

    def __str__(self) -> str:
        """Title, place and remedy in one line."""
        return ": ".join(part for part in (self.title, self.message) if part) + (
            f" ({self.hint})" if self.hint else ""
        )


class UsageError(TriageError):
    """Words on the command line or in a setting that mean nothing (exit code 2)."""

    exit_code = 2


class FilterError(UsageError):
    """A filter text that does not parse; `column` is the 1-based character it stopped at."""

    def __init__(self, title: str, message: str = "", hint: str = "", column: int = 1) -> None:
        super().__init__(title, message, hint)
        self.column = column


class Busy(TriageError):
    """Another process held the database for longer than we wait; what was to be written is still in hand."""


class DatabaseProblem(TriageError):
    """The database can't be used until somebody mends it: it is gone, too new, not ours, not writable.

    What was to be written is still in hand.
    """


class Stopped(TriageError):
    """A question was called off while it was being answered, most often by a newer one."""

    def __init__(self) -> None:
        super().__init__("stopped", "the question was called off")


def did_you_mean(word: str, known: Iterable[str], otherwise: str, *, likeness: float = 0.6) -> str:
    """A hint that names the known word nearest to a mistyped one, or `otherwise` where none is near.

    Args:
        word: as typed.
        known: the words that there are.
        otherwise: the hint where no known word has at least `likeness` (0..1, as `difflib` measures it).
    """
    # Imported here because only a mistake needs it.
    from difflib import get_close_matches

    near = get_close_matches(word, list(known), n=1, cutoff=likeness)
    return f"did you mean {near[0]}?" if near else otherwise
