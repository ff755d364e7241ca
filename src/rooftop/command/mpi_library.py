"""Which MPI library a program is built with, and whether the launcher that starts it is that library's.

Under the launcher of another library each process is rank 0 of 1, and does all of the work by itself.
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
    """Return the MPI library that a program's file is linked with, as launchers name it; None: none that is known."""
    found = shutil.which(program)
    if found is None:
        return None
    file = Path(found).resolve()
    named = _named_in(file, file.stat().st_mtime_ns)
    libraries = {one.mpi[0] for one in launchers() if named & set(one.libraries)}
    return libraries.pop() if len(libraries) == 1 else None


def library_among(words: Sequence[str]) -> str | None:
    """Return the library of the first of these words that names an MPI program; None where none does."""
    return next((library for word in words if (library := library_of(word)) is not None), None)


def _launched(words: Sequence[str]) -> tuple[Launcher, Sequence[str]] | None:
    """Return the launcher in a command, and the words behind it; None where there is none."""
    for place, word in enumerate(words):
        launcher = launcher_of(word)
        if launcher is not None and shutil.which(word) is not None:
            return launcher, words[place + 1 :]
    return None


def of_another_library(words: Sequence[str]) -> str | None:
    """Return the sentence that tells that a command's launcher is not its program's; None where nothing is wrong."""
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
    return f"{program} is built with {other.title}, and {words[-len(behind) - 1]} is of {launcher.title}"
