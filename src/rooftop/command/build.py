"""Builds of commands. Each is built once; if it fails, it fails for every configuration that shares it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rooftop.command import check as checks
from rooftop.command.check import Check
from rooftop.command.environment import own_environment
from rooftop.command.files import files_of
from rooftop.command.line import CommandLine, from_text, substituted
from rooftop.command.not_started import not_started
from rooftop.command.process import Limits, run
from rooftop.driver.executor import DriverFailed
from rooftop.errors import Misuse

PLACEHOLDER = "{build}"
_MOST_COPIED_BYTES = 1 << 30
_LEFT_OUT = (".git", ".hg", ".svn", ".rooftop")
_NO_SOURCES = (".log", "nohup.out")  # and what the bench prints to is none: see `measured_files.py`
_MARK = ".built"  # beside a build's folder, when it is done
_NAMED = re.compile(r"\$\{?([A-Za-z_]\w*)")
_READ_BY_BUILDS = (
    *("PATH", "CC", "CXX", "CPP", "FC", "F77", "F90", "LD", "AR", "AS", "NM", "RANLIB", "CUDACXX", "MPICC", "MPICXX"),
    *("CFLAGS", "CXXFLAGS", "CPPFLAGS", "FFLAGS", "FCFLAGS", "LDFLAGS", "LDLIBS", "LIBS", "ARFLAGS", "MAKEFLAGS"),
    *("CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "DESTDIR"),
    *("MFLAGS", "NINJAFLAGS", "RUSTFLAGS", "GOFLAGS", "SOURCE_DATE_EPOCH"),
)
_READ_BY_BUILDS_PREFIXES = ("CMAKE_", "CARGO_", "OMPI_", "MPICH_", "CCACHE_", "MESON_")


@dataclass
class Build:
    """A build in a folder of its own.

    command  the build command
    folder   replaces {build} in the commands; with `source`, the copy in which the build and the command run
    source   folder to copy there first; None if the commands name the build folder themselves
    home     the bench's own folder, which is not copied
    """

    command: CommandLine
    folder: Path
    source: Path | None = None
    home: Path | None = None
    left: tuple[str, ...] = field(default=(), init=False)  # names of processes that it left at work
    _failure: DriverFailed | None = field(default=None, init=False)

    @property
    def working_folder(self) -> Path | None:
        """Folder in which the build and the built command run; None for the current folder."""
        return self.folder if self.source is not None else None

    def _left_out(self, folder: str, names: list[str]) -> list[str]:
        here, own = Path(folder), (self.folder.parent, self.home)
        return [name for name in names if name in _LEFT_OUT or here / name in own or _special(here / name)]

    def sources(self) -> list[Path]:
        """Return the source files: those that are copied, or that the command names. Log files do not count."""
        if self.source is None:
            return files_of(self.command.words)
        found: list[Path] = []
        for folder, inner, files in os.walk(self.source):
            out = set(self._left_out(folder, [*inner, *files]))
            inner[:] = [name for name in inner if name not in out]
            found += [Path(folder) / name for name in files if name not in out and not name.endswith(_NO_SOURCES)]
        return found

    def ensure(self, limits: Limits) -> None:
        """Build unless already built. Raises DriverFailed, the same error on every call."""
        if self._failure is not None:
            raise self._failure
        mark = self.folder.with_suffix(_MARK)
        if mark.is_file():
            return
        try:
            self._build(limits)
        except DriverFailed as failure:
            self._failure = failure
            raise
        mark.touch()

    def _build(self, limits: Limits) -> None:
        try:
            shutil.rmtree(self.folder, ignore_errors=True)
            if self.source is None:
                self.folder.mkdir(parents=True)
            else:
                # Its times are kept, so that make does not build what was built.
                shutil.copytree(self.source, self.folder, symlinks=True, ignore=self._left_out)
        except shutil.Error as error:  # of one file or several: each as its source, its copy and the reason
            source, _, reason = error.args[0][0]
            more = f", and {len(error.args[0]) - 1} more" if len(error.args[0]) > 1 else ""
            raise DriverFailed("build", f"{source} cannot be copied: {reason}{more}") from error
        except OSError as error:
            raise DriverFailed("build", f"the build folder {self.folder} cannot be created: {error}") from error
        try:
            finished = run(self.command.words, limits, folder=self.working_folder)
        except OSError as error:
            raise DriverFailed("build", not_started(self.command.words, error, self.working_folder)) from error
        self.left = finished.left
        if reason := checks.failure(finished, Check(), limits):
            raise DriverFailed("build", f"{self.command.text!r} {reason}")


def _special(path: Path) -> bool:
    """Return whether a path is a pipe, a socket or a device, which cannot be copied."""
    mode = path.lstat().st_mode
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode) or stat.S_ISLNK(mode))


class Builds:
    """The builds of one campaign, each in its own subfolder. Equal texts share a build."""

    def __init__(self, folder: Path, source: Path, home: Path | None = None) -> None:
        """Set the folder of the builds, the folder that is built, and the bench's own folder, which is left out."""
        self._folder, self._home = folder, home
        self._source = source
        self._known: dict[str, Build] = {}

    def clear(self) -> None:
        """Remove the builds of earlier campaigns: their sources may have differed."""
        shutil.rmtree(self._folder, ignore_errors=True)

    def build(self, text: str, values: Mapping[str, object] | None = None) -> Build:
        """Return the build of a command text after replacing {name} by its value. Raises Misuse."""
        parts = substituted(text.split(PLACEHOLDER), values or {})
        told = "\0".join(parts)  # which no text has: a value that spells {build} is no place for a folder
        if told not in self._known:
            variables = json.dumps(build_variables(told))
            digest = hashlib.sha256(f"{self._source}\0{told}\0{variables}".encode()).hexdigest()[:16]
            folder = self._folder / digest
            command = from_text(shlex.quote(str(folder)).join(parts))
            self._known[told] = Build(command, folder, None if len(parts) > 1 else self._source, self._home)
        return self._known[told]

    def check(self, text: str) -> None:
        """Raise Misuse if the text is not a command, or if the current folder is too large to copy."""
        from_text(text)
        if PLACEHOLDER in text:
            return
        total = 0
        for folder, inner, files in os.walk(self._source):
            inner[:] = [name for name in inner if name not in _LEFT_OUT]
            total += sum((Path(folder) / name).lstat().st_size for name in files)
            if total > _MOST_COPIED_BYTES:
                raise Misuse(
                    f"--build copies {self._source} for each build, and this folder holds more than "
                    f"{_MOST_COPIED_BYTES >> 20} MiB: use {PLACEHOLDER} in the command as the build folder, "
                    "or start in a smaller folder"
                )


def named_in(text: str) -> list[str]:
    """Return the variables that a shell's text names."""
    return list(dict.fromkeys(_NAMED.findall(text)))


def build_variables(text: str, environment: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the variables that a build reads: those named in its text, and those of compilers and build tools.

    Variables that other files read, such as $(OPT) in a Makefile, are not known. Unset variables are left out.
    """
    variables = own_environment() if environment is None else environment
    named = {*named_in(text), *_READ_BY_BUILDS}
    return {
        name: value
        for name, value in sorted(variables.items())
        if name in named or name.startswith(_READ_BY_BUILDS_PREFIXES)
    }
