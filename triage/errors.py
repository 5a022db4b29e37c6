"""What a person did or gave that can't be used; anything else that is raised is a bug and shows as one."""

from __future__ import annotations


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
