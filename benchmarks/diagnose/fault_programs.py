"""The programs with planted faults and the healthy ones: the table, how they are built, and how they are started."""

from __future__ import annotations

import importlib.util
import os
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import ClassVar, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, Field

from rooftop.launchers import launcher_of

FOLDER = Path(__file__).parent
SOURCES = FOLDER / "faults"
TABLE = FOLDER / "programs.toml"
PYTHON, MPI, NOTHING = "python", "mpicc", "none"
_FLAGS = ("-O2", "-g", "-Wall", "-Wextra")


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cured(_Row):
    """What is added to a program's start so that its fault is gone: arguments, or variables of the environment."""

    arguments: tuple[str, ...] = ()
    environment: dict[str, str] = Field(default_factory=dict)


class Program(_Row):
    """A row of programs.toml, where its fields are explained."""

    sources: ClassVar[Path] = SOURCES

    name: str
    source: str
    compiler: Literal["gcc", "g++", "gfortran", "mpicc", "musl-gcc", "python", "none"]
    flags: tuple[str, ...] = ()
    start: tuple[str, ...] = ("$program",)
    environment: dict[str, str] = Field(default_factory=dict)
    findings: tuple[str, ...] = ()
    cures: tuple[str, ...] = ()
    cured: Cured | None = None

    @property
    def healthy(self) -> bool:
        """Whether it has no fault."""
        return not self.findings

    @property
    def missing(self) -> str | None:
        """Why it cannot be built or started here; None if it can."""
        if self.compiler == PYTHON:
            return None if importlib.util.find_spec("numpy") else "NumPy is not installed"
        needed = (self.compiler, self.start[0]) if self.compiler == MPI else (self.compiler,)
        lacking = next((one for one in needed if shutil.which(one) is None), None)
        return f"{lacking} is not installed" if lacking else None

    def build(self, folder: Path, *more: str) -> tuple[str, ...]:
        """Compile it into a folder, with more flags, and return the words that start it. Raises NotBuilt."""
        source = self.sources / self.source
        if self.compiler == PYTHON:
            return (sys.executable, str(source))
        if self.compiler == NOTHING:
            return (str(source),)
        program = folder / source.stem
        every = [*_FLAGS, *more, *self.flags]
        libraries = [flag for flag in every if flag.startswith("-l")]
        flags = [flag for flag in every if flag not in libraries]
        words = [self.compiler, *flags, str(source), "-o", str(program), *libraries]
        found = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        if found.returncode:
            raise NotBuilt(f"{self.source}: {found.stderr.strip()}")
        return (str(program),)

    def words(self, program: Sequence[str], scale: float = 1.0, *, cured: bool = False) -> list[str]:
        """Return its command line. `program`: as `build` returned it."""
        more = self.cured.arguments if cured and self.cured is not None else ()
        start: list[str] = []
        for word in self.start:
            start += program if word == "$program" else [_filled(word)]
        return [*start, f"{scale:g}", *more]

    def variables(self, *, cured: bool = False) -> dict[str, str]:
        """Return the variables that it is started with beside those that are there."""
        more: Mapping[str, str] = self.cured.environment if cured and self.cured is not None else {}
        launcher = launcher_of(self.start[0])
        needed = launcher.environment({}) if launcher is not None else {}
        return {**needed, **{name: _filled(value) for name, value in {**self.environment, **more}.items()}}


_Kind = TypeVar("_Kind", bound=Program)


class NotBuilt(Exception):
    """A program does not compile; the text is what the compiler said."""


def _filled(text: str) -> str:
    cpus = sorted(os.sched_getaffinity(0))
    return Template(text).substitute(cpus=len(cpus), cpu=cpus[0], many=4 * len(cpus))


def programs(table: Path = TABLE) -> list[Program]:
    """Read the table. Raises ValueError."""
    return rows_of(table, Program)


def rows_of(table: Path, kind: type[_Kind]) -> list[_Kind]:
    """Read a table of programs of a kind. Raises ValueError."""
    rows = tomllib.loads(table.read_text(encoding="utf-8"))["program"]
    return [kind.model_validate(row) for row in rows]
