"""Which sources `cmake/python_package.cmake` puts into a package, wherever the checkout lies."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """cmake_minimum_required(VERSION 3.25)
project(x LANGUAGES NONE)
file(WRITE ${CMAKE_BINARY_DIR}/build.json "{}")
function(rooftop_targets_below folder out)
  set(${out} "" PARENT_SCOPE)
endfunction()
include(cmake/python_package.cmake)
"""
PACKAGED = {
    "CMakeLists.txt",
    "CMakePresets.json",
    "cmake/python_package.cmake",
    "experiments/ft/experiment.py",
    "experiments/ft/peers/numpy.py",
    "native/src/clock.cpp",
    "probes/timer.cpp",
    "solvers/fft/CMakeLists.txt",
    "solvers/fft/src/plan.cpp",
}
LEFT_OUT = {
    "experiments/ft/tests/ft_test.cpp",
    "experiments/ft/__pycache__/experiment.pyc",
    "experiments/ft/build/CMakeCache.txt",
    "experiments/.hidden",
    "solvers/fft/__init__.py",
    "solvers/fft/tests/test_fft.py",
}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is missing")
@pytest.mark.parametrize("place", ["solvers", "tests", "build", ".hidden"])
def test_the_name_of_a_folder_above_makes_no_difference(place: str, tmp_path: Path) -> None:
    tree = tmp_path / place / "rooftop"
    for name in PACKAGED | LEFT_OUT:
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).touch()
    (tree / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")
    shutil.copy(ROOT / "cmake" / "python_package.cmake", tree / "cmake")
    out, site = tmp_path / "out", tmp_path / "site"
    for words in (
        ["-S", str(tree), "-B", str(out)],
        ["--install", str(out), "--component", "package", "--prefix", str(site)],
    ):
        done = subprocess.run(["cmake", *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
    held = {file.relative_to(site / "rooftop").as_posix() for file in site.rglob("*") if file.is_file()}
    assert held == {"built/build.json"} | {f"tree/{name}" for name in PACKAGED}
