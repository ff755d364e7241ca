"""The MPI library that a program is built with, and whether its launcher belongs to the same library.

Under the launcher of another library every process is rank 0 of 1 and does all of the work.
"""

from __future__ import annotations

import mmap
import re
import shlex
import shutil
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from rooftop.command.line import by_shell
from rooftop.launchers import launcher_of, launchers
from rooftop.launchers.launcher import Launcher

_NAMED = re.compile(rb"\0(lib(?:mpi|mpich)\w*\.so\.\d+)(?=\0)")  # as the dynamic section's strings have it


@lru_cache(maxsize=256)
def _named_in(file: Path, _changed_ns: int) -> frozenset[str]:
    try:
        with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as content:
            if content[:4] != b"\x7fELF":
                return frozenset()
            return frozenset(found[1].decode() for found in _NAMED.finditer(content))
    except (OSError, ValueError):  # a folder, or empty
        return frozenset()


def library_of(program: str) -> str | None:
    """Return the MPI library that a program is linked with, as launchers name it; None if unknown."""
    found = shutil.which(program)
    if found is None:
        return None
    file = Path(found).resolve()
    named = _named_in(file, file.stat().st_mtime_ns)
    libraries = {one.mpi[0] for one in launchers() if named & set(one.libraries)}
    return libraries.pop() if len(libraries) == 1 else None


def library_among(words: Sequence[str]) -> str | None:
    """Return the MPI library of the first word that names an MPI program; None without one."""
    return next((library for word in words if (library := library_of(word)) is not None), None)


def _launched(words: Sequence[str]) -> tuple[Launcher, Sequence[str]] | None:
    """Return the launcher in a command and the words after it; None without a launcher."""
    for place, word in enumerate(words):
        launcher = launcher_of(word)
        if launcher is not None and shutil.which(word) is not None:
            return launcher, words[place + 1 :]
    return None


def of_another_library(words: Sequence[str]) -> str | None:
    """Return a sentence if the launcher and the program use different MPI libraries, else None."""
    if by_shell(tuple(words)):
        try:
            words = shlex.split(words[-1])
        except ValueError:
            return None
    launched = _launched(words)
    if launched is None:
        return None
    launcher, behind = launched
    program = next((word for word in behind if library_of(word) is not None), None)
    library = library_of(program) if program is not None else None
    if library is None or library in launcher.mpi:
        return None
    other = next(one for one in launchers() if one.mpi[0] == library)
    return f"{program} is built with {other.title}, but {words[-len(behind) - 1]} belongs to {launcher.title}"
