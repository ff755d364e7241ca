"""Files that the HDF5 library cannot close, mostly on a full disk.

HDF5 1.10 and 2.0 try again when the process exits, and crash. The process is therefore ended without exit handlers.
"""

from __future__ import annotations

import atexit
import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Protocol

from rooftop.errors import INTERRUPTED, MISUSE
from rooftop.interrupts import interrupt_came
from rooftop.solvers.h5io.library import H5FileError
from rooftop.solvers.h5io.repack.failures import FAILURES, told_of

# Files that failed to close are kept, since h5py would close them again when they are collected.
_kept: list[Any] = []

_OF_DISK = re.compile(r"errno = (5|27|28|122)\b|No space left|too large|quota exceeded|Input/output error")


class _Closes(Protocol):
    def close(self) -> None: ...


def _end() -> None:
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            stream.flush()
    os._exit(INTERRUPTED if interrupt_came() else MISUSE)


def _keep(*unclosed: Any) -> None:
    if not _kept:
        atexit.register(_end)
    _kept.extend(unclosed)


@contextmanager
def closing_in_the_end(path: str, file: _Closes) -> Iterator[None]:
    """Close a file after the ``with`` block. Raises H5FileError if that fails, unless the block itself failed."""
    try:
        yield
    except BaseException as error:
        closed = False
        with suppress(*FAILURES):
            file.close()
            closed = True
        if not closed or _OF_DISK.search(str(error)):
            _keep(file, error)
        raise
    try:
        with told_of(f"{path}: cannot be closed"):
            file.close()
    except H5FileError as error:
        _keep(file, error)
        raise
