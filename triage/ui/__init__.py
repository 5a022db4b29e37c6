"""The terminal app: the only part that knows Textual."""
