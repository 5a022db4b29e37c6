"""The one facade that screens and commands use: plain calls that block, safe from any thread."""

from triage.workspace.cases import MeasuredCase, Outside
from triage.workspace.facade import Workspace

__all__ = ["MeasuredCase", "Outside", "Workspace"]
