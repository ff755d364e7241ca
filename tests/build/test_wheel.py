"""A wheel of the bench, installed by itself, measures commands and keeps what it finds in the user's state folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = {
    "compare": ["--max-pairs", "6", "--budget", "60s", "sleep 0.002", "sleep 0.003"],
    "tune": ["--budget", "60s", "--max-pairs", "6", "--param", "N=0.001,0.002", "--", "sleep", "{N}"],
    "scale": ["--budget", "60s", "--max-pairs", "6", "--threads", "1,2", "--", "sleep", "0.002"],
    "gate": ["--budget", "60s", "--max-pairs", "6", "--threshold", "90%", "--", "sleep 0.002", ":::", "sleep 0.002"],
    "pin": ["--no-cost", "--", "sleep", "0.05"],
}
Run = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(scope="module", name="installed")
def installed_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that holds what the wheel holds, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    done = subprocess.run(build, cwd=ROOT, capture_output=True, text=True, check=False)
    if "No module named hatchling" in done.stderr:
        pytest.skip("hatchling is not installed")
    assert done.returncode == 0, done.stderr
    (wheel,) = folder.glob("*.whl")
    words = [
        sys.executable,
        "-m",
        "pip",
        "install",
        "--quiet",
        "--no-deps",
        "--target",
        str(folder / "site"),
        str(wheel),
    ]
    subprocess.run(words, check=True)
    return folder / "site"


@pytest.fixture(name="rooftop")
def rooftop_fixture(installed: Path, tmp_path: Path) -> Run:
    """Run the installed command line in an empty folder, and return its exit code and its document."""

    def run(*words: str) -> tuple[int, dict[str, Any]]:
        environment = {
            key: value for key, value in os.environ.items() if not key.startswith("ROOFTOP_") or key == "ROOFTOP_LOCKS"
        }
        environment |= {"PYTHONPATH": str(installed), "XDG_STATE_HOME": str(tmp_path / "state")}
        (tmp_path / "work").mkdir(exist_ok=True)
        done = subprocess.run(
            [sys.executable, "-P", "-m", "rooftop", words[0], "--json", *words[1:]],
            cwd=tmp_path / "work",
            env=environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
        assert done.stdout, done.stderr
        return done.returncode, json.loads(done.stdout)

    return run


def _files(folder: Path) -> set[Path]:
    return {file for file in folder.rglob("*") if file.is_file() and "__pycache__" not in file.parts}


def test_of_a_solver_a_wheel_has_the_python_package(installed: Path) -> None:
    held = {
        file.relative_to(installed / "rooftop" / "solvers").as_posix()
        for file in _files(installed / "rooftop" / "solvers")
    }
    faces = {file.relative_to(ROOT / "solvers").as_posix() for file in (ROOT / "solvers").glob("*/*.py")}
    assert faces <= held
    assert not [
        file for file in held if "/tests/" in file or file.endswith((".cpp", ".hpp", ".h", ".cmake", "Lists.txt"))
    ]


@pytest.mark.parametrize("name", COMMANDS)
def test_an_installed_wheel_measures_commands(name: str, rooftop: Run, installed: Path, tmp_path: Path) -> None:
    before = _files(installed)
    code, document = rooftop(name, *COMMANDS[name])
    assert code in (0, 7)  # a gate need not be resolved in so short a time
    assert document["schema"].startswith(f"rooftop/{name}/")
    assert _files(installed) == before
    assert not _files(tmp_path / "work")
    if name != "pin":  # which keeps comparisons only
        assert (tmp_path / "state" / "rooftop" / "store.sqlite").is_file()
