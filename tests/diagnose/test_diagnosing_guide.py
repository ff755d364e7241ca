"""The commands that the guide to diagnosing shows work as they are shown."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rooftop.cli.app import main

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "diagnosing.md").read_text(encoding="utf-8")
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("./rooftop ")]


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "chunk_cache.py" in line:
        pytest.importorskip("h5py")
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(ROOT)
    assert main(shlex.split(line)[1:]) == 0


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 2
