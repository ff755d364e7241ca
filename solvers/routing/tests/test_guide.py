"""The commands that the guide to short tours shows work as they are shown."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers.routing import library as routing_library
from rooftop.solvers.routing import run as tsp_run

ROOT = Path(__file__).parents[3]
GUIDE = (ROOT / "docs" / "guide" / "solving-a-tsp.md").read_text(encoding="utf-8")
SHOWN = [line for line in GUIDE.splitlines() if line.startswith("./rooftop ")]


def test_shown_commands_work_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    try:
        routing_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    monkeypatch.setattr(tsp_run, "elapsed_s", lambda: 0.1)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "solvers").symlink_to(ROOT / "solvers")
    for line in SHOWN:
        assert main(shlex.split(line)[1:]) == 0, line
    assert (tmp_path / "tour.html").is_file()


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 2
