"""Compiler wrappers by their full names or, as a cluster's modules bring them, by plain ones that are asked."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MACROS = {"openmpi": "OPEN_MPI", "mpich": "MPICH_VERSION"}

pytestmark = pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is missing")


def put(folder: Path, name: str, mpi: str | None) -> None:
    """Write a wrapper whose mpi.h is of an MPI; None: it has none."""
    told = f"echo '#define {MACROS[mpi]} 1'" if mpi else "exit 1"
    (folder / name).write_text(f"#!/bin/sh\n{told}\n", encoding="utf-8")
    (folder / name).chmod(0o755)


def found(folder: Path, mpi: str, given: str = "") -> str:
    """Return the name of the wrapper that is found; nothing where there is none."""
    script = folder / "find.cmake"
    # A name that no system has: CMake looks into the system's folders, too.
    script.write_text(
        f"{given}\ninclude({ROOT}/cmake/mpi_wrappers.cmake)\n"
        f"rooftop_find_mpi_wrapper(FOUND mpicc_here {mpi})\nmessage(NOTICE ${{FOUND}})\n",
        encoding="utf-8",
    )
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["cmake", "-P", script], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    answer = done.stderr.strip()
    return "" if answer.endswith("-NOTFOUND") else answer.removeprefix(f"{folder}/")


@pytest.mark.parametrize(("mpi", "other"), [("openmpi", "mpich"), ("mpich", "openmpi")])
def test_a_plain_name_is_of_the_mpi_that_its_header_says(tmp_path: Path, mpi: str, other: str) -> None:
    put(tmp_path, "mpicc_here", mpi)
    assert found(tmp_path, mpi) == "mpicc_here"
    assert not found(tmp_path, other)


@pytest.mark.parametrize("mpi", MACROS)
def test_a_full_name_comes_first_unless_its_header_is_missing(tmp_path: Path, mpi: str) -> None:
    put(tmp_path, "mpicc_here", mpi)
    put(tmp_path, f"mpicc_here.{mpi}", mpi)
    assert found(tmp_path, mpi) == f"mpicc_here.{mpi}"
    put(tmp_path, f"mpicc_here.{mpi}", None)
    assert found(tmp_path, mpi) == "mpicc_here"
    put(tmp_path, "mpicc_here", None)
    assert not found(tmp_path, mpi)


@pytest.mark.parametrize(("given", "kept"), [("OFF", True), ("/opt/mpicc", True), ("FOUND-NOTFOUND", False)])
def test_what_was_chosen_stays(tmp_path: Path, given: str, kept: bool) -> None:
    put(tmp_path, "mpicc_here", "openmpi")
    answer = found(tmp_path, "openmpi", f'set(FOUND {given} CACHE STRING "")')
    assert answer == (given if kept else "mpicc_here")
