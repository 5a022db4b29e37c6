"""Test files are imported by path, so the module of helpers beside them has to be made findable."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
