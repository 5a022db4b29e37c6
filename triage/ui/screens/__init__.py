"""One file and one stylesheet a screen."""
