"""`python -m triage` is the `triage` command."""

from triage.cli import main

if __name__ == "__main__":
    main()
