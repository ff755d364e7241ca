"""Fake probes: small scripts in the place of the built executables."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Tests check correctness, never the clock.
settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")

MakeProbe = Callable[[str, str], Path]
GOOD = """
import json, sys
print(json.dumps({"protocol": 1, "probe": "fma_peak", "metric": "fma", "value": 3e11, "unit": "flop/s", "threads": 2,
                  "isa": "avx512", "precision": "fp32", "options": " ".join(sys.argv[1:])}))
"""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a root with a build folder and a home of its own, which the settings point to."""
    monkeypatch.setenv("ROOFTOP_BUILD", str(tmp_path / "build"))
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path / "home"))
    (tmp_path / "build" / "probes").mkdir(parents=True)
    return tmp_path


@pytest.fixture
def make_probe(place: Path) -> MakeProbe:
    """Return what writes an executable probe with this Python program; each run is noted in a file NAME.runs."""

    def make(name: str, program: str) -> Path:
        path = place / "build" / "probes" / name
        note = f"import sys\nopen({str(place / (name + '.runs'))!r}, 'a').write(' '.join(sys.argv[1:]) + '\\n')\n"
        path.write_text(f"#!{sys.executable} -I\n{note}{program}", encoding="utf-8")
        path.chmod(0o755)
        return path

    return make


@pytest.fixture
def runs(place: Path) -> Callable[[str], list[str]]:
    """Return the options of each run of a fake probe."""

    def read(name: str) -> list[str]:
        note = place / f"{name}.runs"
        return note.read_text(encoding="utf-8").splitlines() if note.is_file() else []

    return read


@pytest.fixture
def good() -> str:
    """A probe's program that prints one figure."""
    return GOOD
