"""The bench pointed at a scratch folder, on a machine that never changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from still_machine import StillMachine

from rooftop.probe import surroundings
from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]


@pytest.fixture(autouse=True)
def scratch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep the tree and its build, and everything else in a scratch folder, which is the user's home too."""
    build = Settings().build_folder
    monkeypatch.setenv("ROOFTOP_ROOT", str(ROOT))
    monkeypatch.setenv("ROOFTOP_BUILD", str(build))
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "store"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("ROOFTOP_PROGRAM", raising=False)
    monkeypatch.setattr(surroundings, "ThisMachine", StillMachine)
    monkeypatch.chdir(tmp_path)
