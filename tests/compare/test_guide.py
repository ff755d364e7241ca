"""The commands that the guides to comparing and tuning show work as they are shown."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

import pytest

from rooftop.cli.app import main

ROOT = Path(__file__).parents[2]
GUIDES = [
    (ROOT / "docs" / "guide" / name).read_text(encoding="utf-8") for name in ("comparing-commands.md", "tuning.md")
]
SHOWN = [line for guide in GUIDES for line in guide.splitlines() if line.startswith("./rooftop ")]


FAKE = ROOT / "tests" / "fakes" / "fake_google_benchmark.py"
RESULTS = '{"benchmarks": [{"name": "BM_a", "real_time": 1.0, "cpu_time": 1.0}]}'


@pytest.mark.parametrize("line", SHOWN)
def test_a_shown_command_works(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(ROOT)
    recorded = tmp_path / "recorded"
    recorded.write_text(RESULTS, encoding="utf-8")
    for program, scale in (("./old_bench", 1.0), ("./new_bench", 0.9)):
        line = line.replace(program, f"{sys.executable} {FAKE} {recorded} {scale}")
    assert main(shlex.split(line)[1:]) == 0


def test_the_guide_shows_commands() -> None:
    assert len(SHOWN) >= 6
