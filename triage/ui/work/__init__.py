"""What the Triage screen has done for it off the event loop, one responsibility a file."""
