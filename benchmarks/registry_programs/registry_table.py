"""Programs of the package registries with a fault that is known: the table, and how they are built and started."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

from benchmarks.diagnose.fault_programs import Program, rows_of

FOLDER = Path(__file__).parent
TABLE = FOLDER / "programs.toml"
_CHECK_S = 60.0


def _flags(option: str, libraries: Sequence[str]) -> list[str]:
    """Return what pkg-config says of libraries."""
    if not libraries:
        return []
    words = ["pkg-config", option, *libraries]
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout.split()


class RegistryProgram(Program):
    """A row of programs.toml, where its fields are explained."""

    sources: ClassVar[Path] = FOLDER / "programs"

    what: str
    known: str
    packages: tuple[str, ...]
    check: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    own_words: str | None = None

    @property
    def missing(self) -> str | None:
        """Why it cannot be run here; None if it can."""
        words = [sys.executable if word == "$python" else word for word in self.check]
        try:
            done = subprocess.run(words, capture_output=True, check=False, timeout=_CHECK_S)
        except (OSError, subprocess.TimeoutExpired) as reason:
            return f"{reason}; install {' '.join(self.packages)}"
        return f"not installed: {' '.join(self.packages)}" if done.returncode else None

    def build(self, folder: Path, *more: str) -> tuple[str, ...]:
        """See Program. Raises NotBuilt, and CalledProcessError where pkg-config does not know a library."""
        found = (*_flags("--cflags", self.libraries), *_flags("--libs", self.libraries))
        return super().build(folder, *more, *found)


def registry_programs(table: Path = TABLE) -> list[RegistryProgram]:
    """Read the table. Raises ValueError."""
    return rows_of(table, RegistryProgram)
