"""Interactive failure triage of RAG evaluation runs."""

__version__ = "0.1.0"
