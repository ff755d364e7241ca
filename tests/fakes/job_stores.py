"""What jobs have measured so far, from their stores, which are written meanwhile."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

FoundT = TypeVar("FoundT")
_LIMIT_S = 300.0  # none of the tests is about how long a job takes


def until(came: Callable[[], FoundT]) -> FoundT:
    """Wait until a function returns something that is true; return that."""
    end = time.monotonic() + _LIMIT_S
    while not (found := came()):
        assert time.monotonic() < end
        time.sleep(0.05)
    return found


def samples(file: Path) -> list[tuple[int, int]]:
    """Return the arm and the time of each sample; none where there is no store yet."""
    if not file.is_file():
        return []
    try:
        connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
        try:
            return connection.execute("SELECT arm_id, taken_ns FROM sample").fetchall()
        finally:
            connection.close()
    except sqlite3.Error:
        return []
