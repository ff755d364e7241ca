"""A source distribution: what it holds, and that a wheel made of it holds what one of the checkout does."""

from __future__ import annotations

import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SDIST = "import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])"
WHEEL = """import sys
from scikit_build_core.build import build_wheel
build_wheel(sys.argv[1], {"wheel.cmake": "false", "build-dir": sys.argv[1] + "/build"})
"""
MOST_BYTES = 4 << 20  # it has 1.9 MB


def _by_backend(code: str, sources: Path, out: Path) -> Path:
    """Run a hook of the build backend in a folder of sources, and return the file that it makes."""
    out.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", code, str(out)], cwd=sources, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    (made,) = (file for file in out.iterdir() if file.is_file())
    return made


@pytest.fixture(scope="module", name="sdist")
def sdist_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("scikit_build_core", reason="scikit-build-core is not installed: packages/venv dev")
    return _by_backend(SDIST, ROOT, tmp_path_factory.mktemp("sources") / "sdist")


def _held(sdist: Path) -> set[str]:
    """Return the files, without the folder that holds them all."""
    with tarfile.open(sdist) as file:
        return {one.name.partition("/")[2] for one in file.getmembers() if one.isfile()}


def test_it_has_the_sources_once_and_neither_tests_nor_results(sdist: Path) -> None:
    held = _held(sdist)
    assert {"CMakeLists.txt", "LICENSE", "PKG-INFO", "src/rooftop/settings.py", "solvers/fft/src/plan.cpp"} <= held
    assert {"solvers/fft/library.py", "experiments/winograd/experiment.py", "docs/guide/installing.md"} <= held
    unwanted = (".", "benchmarks/", "build/", "docs/results/", "src/rooftop/solvers/", "tests/")
    assert not [name for name in held if name.startswith(unwanted) or name.endswith((".pyc", ".so", ".o"))]
    assert not [name for name in held if {"tests", "__pycache__"} & set(name.split("/"))]
    assert sdist.stat().st_size < MOST_BYTES


def test_a_wheel_of_it_is_a_wheel_of_the_checkout(sdist: Path, tmp_path: Path) -> None:
    with tarfile.open(sdist) as file:
        file.extractall(tmp_path, filter="data")
    (unpacked,) = (folder for folder in tmp_path.iterdir() if folder.is_dir())
    held = []
    for sources, out in ((ROOT, tmp_path / "of_checkout"), (unpacked, tmp_path / "of_sdist")):
        with zipfile.ZipFile(_by_backend(WHEEL, sources, out)) as file:
            held.append({one.filename: one.CRC for one in file.infolist() if one.filename.startswith("rooftop/")})
    assert held[0] == held[1]
    assert "rooftop/solvers/fft/library.py" in held[0]
