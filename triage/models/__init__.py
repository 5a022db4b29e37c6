"""The words of the house as types. `record` is pydantic; the rest is plain, so that a start stays quick."""
