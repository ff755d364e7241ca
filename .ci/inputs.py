"""What a step of the suite depends on: files of the tree, the installed packages, Python's environment."""

from __future__ import annotations

import hashlib
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
SYSTEM_PACKAGES = Path("/var/lib/dpkg/status")
CPP = (".cpp", ".hpp", ".h", ".c")
_MADE = {".git", ".venv", ".rooftop", "build", "__pycache__"}


@dataclass(frozen=True)
class Inputs:
    """Files that a step reads: those below `folders` with one of the `suffixes`, and `files` by their names.

    folders   paths from the root; "" is the whole tree
    suffixes  none: any
    but       suffixes, and names of folders, of files that are left out
    """

    folders: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    but: tuple[str, ...] = ()

    def have(self, file: Path) -> bool:
        """Return whether a file, named from the root, is one of them."""
        if file.as_posix() in self.files:
            return True
        below = any(not folder or file.is_relative_to(folder) for folder in self.folders)
        suits = not self.suffixes or file.suffix in self.suffixes
        return below and suits and not set(self.but) & {*file.parts[:-1], file.suffix}


@cache
def tracked() -> tuple[Path, ...]:
    """Return the files that git knows or would take, from the root; all but what is made, where there is no git."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    try:
        listed = subprocess.run(words, cwd=ROOT, capture_output=True, check=True).stdout.decode()
        names = [Path(name) for name in sorted(set(listed.split("\0"))) if name]
    except (OSError, subprocess.CalledProcessError):
        every = (file.relative_to(ROOT) for file in sorted(ROOT.rglob("*")))
        names = [file for file in every if not _MADE & set(file.parts)]
    return tuple(name for name in names if (ROOT / name).is_file())


def files_of(inputs: Inputs, files: Iterable[Path] | None = None) -> list[Path]:
    """Return the files of the tree that are a step's inputs, as absolute paths."""
    return [ROOT / file for file in (tracked() if files is None else files) if inputs.have(file)]


def fingerprint(inputs: Inputs) -> str:
    """Return a hash of all that a step depends on."""
    digest = hashlib.sha256()
    for file in files_of(inputs):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(ROOT)} {file.stat().st_mode} {len(content)}\n".encode())
        digest.update(content)
    for file in [SYSTEM_PACKAGES, *sorted((ROOT / ".venv").glob(".installed-*"))]:
        if file.is_file():
            digest.update(f"{file} {file.stat().st_mtime_ns}\n".encode())
    return digest.hexdigest()
