"""Launchers of a cluster's modules: by plain names alone, which several MPIs share."""

from __future__ import annotations

from pathlib import Path

import pytest

from rooftop.launchers import chosen, named
from rooftop.launchers.team import Team

OPEN_MPI, MPICH = "mpirun (Open MPI) 5.0.3", "HYDRA build details:"


@pytest.fixture(name="module")
def module_fixture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of a module, the only one in PATH."""
    monkeypatch.setenv("PATH", str(tmp_path))
    return tmp_path


def put(folder: Path, name: str, says: str, code: int = 0) -> None:
    """Write a program that says something, whatever it is asked."""
    file = folder / name
    file.write_text(f"#!/bin/sh\necho '{says}'\necho 'and more'\nexit {code}\n", encoding="utf-8")
    file.chmod(0o755)


@pytest.mark.parametrize(("says", "mpi", "other"), [(OPEN_MPI, "openmpi", "mpich"), (MPICH, "mpich", "openmpi")])
def test_a_plain_name_is_the_launcher_that_it_says(module: Path, says: str, mpi: str, other: str) -> None:
    put(module, "mpirun", says)
    assert named(mpi).missing() is None
    assert named(other).missing() == f"needs {named(other).program}, which is not installed: see rooftop doctor"
    assert chosen(None, ranked=True) == mpi
    words = named(mpi).started(["./program"], {}, Team(ranks=2), None).words
    assert (words[0], words[-1]) == ("mpirun", "./program")


def test_each_is_found_by_the_name_that_is_its_own(module: Path) -> None:
    put(module, "mpirun", OPEN_MPI)
    put(module, "mpiexec.hydra", MPICH)
    for mpi, name in (("openmpi", "mpirun"), ("mpich", "mpiexec.hydra")):
        assert named(mpi).started(["./program"], {}, Team(ranks=2), None).words[0] == name


def test_the_name_that_says_which_it_is_comes_first_and_is_not_asked(module: Path) -> None:
    put(module, "mpirun", OPEN_MPI)
    put(module, "mpirun.openmpi", "nothing", code=1)
    assert named("openmpi").started(["./program"], {}, Team(ranks=2), None).words[0] == "mpirun.openmpi"


@pytest.mark.parametrize("says", ["Intel(R) MPI Library for Linux* OS, Version 2021.11", ""])
def test_a_program_that_says_something_else_is_none(module: Path, says: str) -> None:
    put(module, "mpirun", says)
    assert named("openmpi").missing()
    assert named("mpich").missing()
