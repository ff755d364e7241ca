"""Checks, each declared in a file of ``checks/``, and the commands that install what is missing."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rooftop.doctor.surroundings import Surroundings


@dataclass(frozen=True)
class Remedy:
    """Debian packages, PyPI packages, a command, or a remark where no command helps; the first that is set counts."""

    debian: tuple[str, ...] = ()
    pypi: tuple[str, ...] = ()
    command: str = ""
    root: bool = False  # whether ``command`` needs root; packages of the system always do
    remark: str = ""

    @property
    def needs_root(self) -> bool:
        """Return whether an ordinary user cannot do it."""
        return bool(self.debian) or (bool(self.command) and not self.pypi and self.root)

    def text(self, here: Surroundings) -> str | None:
        """Return the command line, with sudo where it is needed and the user is not root."""
        if self.debian:
            packages = " ".join(self.debian)
            if here.which("apt-get") is None:
                return f"install with this system's package manager what Debian calls: {packages}"
            return self._as_root(f"apt-get install {packages}", here)
        if self.pypi:
            return f"{shlex.quote(here.python)} -m pip install {' '.join(self.pypi)}"
        if self.command:
            return self._as_root(self.command, here) if self.root else self.command
        return None

    def _as_root(self, command: str, here: Surroundings) -> str:
        if here.is_root:
            return command
        return f"sudo sh -c {shlex.quote(command)}" if ">" in command or "|" in command else f"sudo {command}"


Status = Literal["ok", "limited", "missing"]
Group = Literal["build", "parallel", "peers", "measuring", "machine", "report"]
GROUPS: tuple[Group, ...] = ("build", "parallel", "peers", "measuring", "machine", "report")


@dataclass(frozen=True)
class Found:
    """What a check saw: "ok", "limited" (here, but not as it should be) or "missing", and the evidence.

    remedy  in the place of the check's own, where what was seen needs another
    """

    status: Status
    evidence: str
    remedy: Remedy | None = None


Look = Callable[[Surroundings], Found]


@dataclass(frozen=True)
class Check:
    """One thing that the bench can use.

    costs     what the user goes without where it is missing or limited: which results are skipped or doubtful
    look      finds out; whatever it raises becomes "missing" with the error as evidence
    required  without it nothing can be built or measured at all
    """

    name: str
    group: Group
    costs: str
    look: Look
    remedy: Remedy
    required: bool = False


def check(name: str, group: Group, costs: str, remedy: Remedy, *, required: bool = False) -> Callable[[Look], Check]:
    """Declare the check that a function makes."""
    return lambda look: Check(name, group, costs, look, remedy, required)


def ok(evidence: str) -> Found:
    """Return the finding that all is well."""
    return Found("ok", evidence)


def limited(evidence: str, remedy: Remedy | None = None) -> Found:
    """Return the finding that it is here but not as it should be."""
    return Found("limited", evidence, remedy)


def missing(evidence: str, remedy: Remedy | None = None) -> Found:
    """Return the finding that it is not here."""
    return Found("missing", evidence, remedy)


def newest(*programs: str, oldest: tuple[int, ...] = ()) -> Look:
    """Look for the first of these programs whose version is at least `oldest`."""
    wanted = ".".join(map(str, oldest))

    def look(here: Surroundings) -> Found:
        seen = []
        for program in programs:
            line = here.first_line(program, "--version")
            version = re.search(r"\d+(\.\d+)+", line or "")
            if line and (not oldest or (version and tuple(map(int, version[0].split("."))) >= oldest)):
                return ok(line if program in line.casefold() else f"{program}: {line}")
            seen += [f"{program} is version {version[0]}"] if version else []
        expected = f"; expected version {wanted} or newer" if oldest else ""
        return missing((", ".join(seen) or f"no {programs[0]} found") + expected)

    return look


def header(name: str) -> Look:
    """Look for a header where compilers do."""

    def look(here: Surroundings) -> Found:
        found = here.header(name)
        return ok(found) if found else missing(f"no {name} where compilers look for headers")

    return look


def library(stem: str, *headers: str) -> Look:
    """Look for a shared library to run with, and for one of these headers to build with."""

    def look(here: Surroundings) -> Found:
        found = here.library(stem)
        if found and any(map(here.header, headers)):
            return ok(found)
        if found:
            return limited(f"{found} is here, but no {headers[0]} to build with")
        return missing(f"no {stem} and no {headers[0]}")

    return look


def package(name: str) -> Look:
    """Look for a Python package."""

    def look(here: Surroundings) -> Found:
        version = here.python_package(name)
        return ok(f"{name} {version} in {here.python}") if version else missing(f"no {name} in {here.python}")

    return look
