"""Libraries that are loaded before a program's own: all that want to be, in one variable."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

VARIABLE = "LD_PRELOAD"
_LONGEST_FOLDER = 3071  # FOLDER_BYTES of native/preload/processes.c
_BETWEEN = re.compile(r"[:\s]+")  # as ld.so(8) has it


def preloaded(libraries: Iterable[str | os.PathLike[str]], environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variable that loads these libraries before those that the environment loads already.

    An allocator replaces one that is loaded after it. A library that observes calls should be given first, too.
    """
    wanted = [os.fspath(one) for one in libraries]
    before = [one for one in _BETWEEN.split(environment.get(VARIABLE, "")) if one]
    return {VARIABLE: ":".join(dict.fromkeys([*wanted, *before]))}


def telling(library: Path, named_by: str, folder: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables with which each process writes a file: see native/preload.

    named_by  the variable by which the library knows the folder
    folder    that of the files; it exists
    """
    place = str(folder.resolve())
    if (length := len(os.fsencode(place))) > _LONGEST_FOLDER:
        raise ValueError(f"a folder for observations has a path of {length} bytes, expected at most {_LONGEST_FOLDER}")
    return {**preloaded([library], environment), named_by: place}
