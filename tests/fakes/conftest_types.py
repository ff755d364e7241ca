"""Types of the fixtures in tests/conftest.py."""

from collections.abc import Callable
from pathlib import Path

Write = Callable[..., Path]
