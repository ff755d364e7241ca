"""The example project of docs/guide/example against an installed tree, and what find_package says of that."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "docs" / "guide" / "example"
STRICT = ("-DCMAKE_C_FLAGS=-Wall -Wextra -Werror", "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Werror")
# In one project: what is found without names, with one that is not there, and where HDF5 is missing.
QUESTIONS = """
cmake_minimum_required(VERSION 3.22)
project(questions LANGUAGES C CXX)
function(ask title)
  find_package(rooftop 0.3 QUIET ${ARGN})
  get_property(targets DIRECTORY PROPERTY IMPORTED_TARGETS)
  list(FILTER targets INCLUDE REGEX "^rooftop::")
  list(REMOVE_ITEM targets rooftop::highway rooftop::hdf5)
  list(SORT targets)
  message(STATUS "${title}: ${rooftop_FOUND} ${targets}")
  message(STATUS "${title} says: ${rooftop_NOT_FOUND_MESSAGE}")
endfunction()
ask(${QUESTION} ${ASKED})
"""


def run(words: Sequence[str | Path]) -> str:
    done = subprocess.run(list(words), capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module", name="prefix")
def prefix_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All that the release build installs."""
    build = Settings().build_folder
    if not (build / "solvers" / "fft" / "librooftop_fft.a").is_file():
        pytest.skip("the solver fft is not built")
    if shutil.which("cmake") is None or shutil.which("cc") is None:
        pytest.skip("there is no cmake, or no C compiler")
    prefix = tmp_path_factory.mktemp("prefix")
    run(["cmake", "--install", build, "--prefix", prefix])
    return prefix


def installed(prefix: Path) -> list[str]:
    """Return the solvers that are installed, and those for ranks."""
    return sorted(file.name.split("-")[1] for file in prefix.rglob("rooftop-*-cxx.cmake"))


def answer(prefix: Path, folder: Path, *asked: str, options: Sequence[str] = ()) -> tuple[bool, list[str], str]:
    """Return whether the package is found, its targets, and what it says otherwise."""
    (folder / "CMakeLists.txt").write_text(QUESTIONS, encoding="utf-8")
    words = [f"-Drooftop_ROOT={prefix}", f"-DASKED={';'.join(asked)}", "-DQUESTION=it", *options]
    told = run(["cmake", "-S", folder, "-B", folder / "build", *words])
    found, targets = re.search(r"^-- it: (\S+) (.*)$", told, re.MULTILINE).groups()  # type: ignore[union-attr]
    said = re.findall(r"^-- it says: (.*)$", told, re.MULTILINE)
    return found in ("1", "TRUE"), targets.split(";"), said[0]


def test_the_example_is_built_and_runs(prefix: Path, tmp_path: Path) -> None:
    run(["cmake", "-S", EXAMPLE, "-B", tmp_path, f"-Drooftop_ROOT={prefix}", *STRICT])
    run(["cmake", "--build", tmp_path])
    survey = subprocess.run([tmp_path / "survey"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert survey.stdout == "round trip of 64 stations: 640\nwaves: 5\n"
    assert run([tmp_path / "tone"]) == "amplitude: 1.00\n"
    with_h5io = "h5io" in installed(prefix)
    assert (b"survey.h5" in (tmp_path / "survey").read_bytes()) is with_h5io


def test_without_names_all_that_is_installed_is_found(prefix: Path, tmp_path: Path) -> None:
    found, targets, said = answer(prefix, tmp_path)
    solvers = [name for name in installed(prefix) if not name.endswith("_mpi")]
    assert found, said
    assert {"conv", "elasticity", "fft", "network", "routing"} <= set(solvers)
    assert targets == sorted(f"rooftop::{name}{kind}" for name in solvers for kind in ("", "_c"))


def test_what_cannot_be_linked_here_is_left_out_unless_it_is_asked_for(prefix: Path, tmp_path: Path) -> None:
    if "h5io" not in installed(prefix):
        pytest.skip("the solver h5io is not built")
    without_hdf5 = ["-Dhdf5_ROOT=/nonexistent"]
    found, targets, _ = answer(prefix, tmp_path, options=without_hdf5)
    assert found
    assert "rooftop::fft" in targets
    assert "rooftop::h5io" not in targets
    found, _, said = answer(prefix, tmp_path, "COMPONENTS", "fft", "h5io", options=without_hdf5)
    assert not found
    assert said.startswith("solver 'h5io' cannot be linked: hdf5_ROOT is /nonexistent")


def test_a_name_that_is_not_there_is_told_on_one_line(prefix: Path, tmp_path: Path) -> None:
    found, _, said = answer(prefix, tmp_path, "COMPONENTS", "fft", "colours")
    assert not found
    there = ", ".join(installed(prefix))
    assert said.strip() == f"solver 'colours' is not installed in {prefix}; there are: {there}."
