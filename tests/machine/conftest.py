"""Recorded /proc and /sys trees."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from rooftop.machine.system_files import SystemFiles

# Tests check correctness, never the clock.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

Plant = Callable[[dict[str, str]], SystemFiles]


@pytest.fixture
def plant(tmp_path: Path) -> Plant:
    """Return what writes files below a root of their own: {"/proc/stat": "…"}."""

    def write(content: dict[str, str]) -> SystemFiles:
        for name, text in content.items():
            path = tmp_path / name.lstrip("/")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return SystemFiles(tmp_path)

    return write
