"""Types of the fixtures in conftest.py."""

from collections.abc import Callable
from pathlib import Path

Write = Callable[..., Path]
