"""What checks may look at: programs, libraries, headers, Python packages and the system's files."""

from __future__ import annotations

import importlib.metadata
import os
import shutil
import subprocess
import sys
import sysconfig
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from rooftop.machine.system_files import SystemFiles
from rooftop.settings import Settings

_LIMIT_S = 10.0


@dataclass
class Surroundings:
    """The real system. Tests replace what a check asks for by a subclass or a recorded tree."""

    files: SystemFiles = field(default_factory=SystemFiles)
    settings: Settings = field(default_factory=Settings)

    @property
    def is_root(self) -> bool:
        """Return whether the user may install for the system."""
        return os.geteuid() == 0

    @property
    def python(self) -> str:
        """The interpreter that runs the bench."""
        return sys.executable

    def which(self, program: str) -> str | None:
        """Return the path of a program, None where there is none; sbin is searched too."""
        path = os.pathsep.join([os.environ.get("PATH", os.defpath), "/usr/sbin", "/sbin"])
        return shutil.which(program, path=path)

    def first_line(self, *command: str) -> str | None:
        """Run a program and give the first line that it prints; None where it cannot be run or fails."""
        program = self.which(command[0])
        if program is None:
            return None
        try:
            done = subprocess.run(
                [program, *command[1:]],
                capture_output=True,
                text=True,
                timeout=_LIMIT_S,
                check=False,
                errors="replace",
                stdin=subprocess.DEVNULL,
                env={**os.environ, "LC_ALL": "C"},
            )
        except (OSError, subprocess.TimeoutExpired):
            return None
        lines = (done.stdout.strip() or done.stderr.strip()).splitlines()
        return lines[0].strip() if lines and done.returncode == 0 else None

    @cached_property
    def _loader_libraries(self) -> dict[str, str]:
        program = self.which("ldconfig")
        if program is None:
            return {}
        try:
            done = subprocess.run(
                [program, "-p"], capture_output=True, text=True, timeout=_LIMIT_S, check=False, errors="replace"
            )
        except (OSError, subprocess.TimeoutExpired):
            return {}
        pairs = (line.strip().split(" => ") for line in done.stdout.splitlines() if " => " in line)
        return {pair[0].split(" ", 1)[0]: pair[1] for pair in pairs}

    def library(self, stem: str) -> str | None:
        """Return the path of a shared library that the loader knows, such as "libopenblas.so"; any version will do."""
        found = self._loader_libraries
        return next((found[name] for name in sorted(found) if name == stem or name.startswith(f"{stem}.")), None)

    def header(self, name: str) -> str | None:
        """Return the path of a header where compilers look for it."""
        multiarch = sysconfig.get_config_var("MULTIARCH") or "x86_64-linux-gnu"
        extra = [folder for folder in os.environ.get("CPATH", "").split(os.pathsep) if folder]
        for folder in (*extra, "/usr/local/include", "/usr/include", f"/usr/include/{multiarch}"):
            path = self.files.path(folder) / name
            if path.is_file():
                return str(path)
        return None

    def python_package(self, name: str) -> str | None:
        """Return the version of an installed Python package."""
        try:
            return importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            return None

    def writable(self, folder: Path) -> bool:
        """Return whether files can be made in the folder, or in the nearest one above it that exists."""
        while not folder.exists() and folder != folder.parent:
            folder = folder.parent
        return os.access(folder, os.W_OK | os.X_OK)
