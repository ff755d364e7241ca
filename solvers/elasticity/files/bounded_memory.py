"""A bound of the memory for reading a file: a short one may say that it is huge, or hold compressed zeros."""

from __future__ import annotations

import resource
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LEAST = 2 << 30  # bytes
_TIMES = 64  # the size of the file: meshio takes some 20 times that for texts
_ONE_AT_A_TIME = threading.RLock()  # the limit is the process's: of two threads the second would restore the first's


def needed_bytes(path: Path) -> int:
    """Return how much memory the reader of a file can need. Raises OSError."""
    return max(_LEAST, _TIMES * path.stat().st_size)


@contextmanager
def bounded_memory(path: Path) -> Iterator[None]:
    """Let allocations fail (MemoryError) that go beyond what a file of this size can need. Raises OSError."""
    with _ONE_AT_A_TIME:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
        bound = pages * resource.getpagesize() + needed_bytes(path)
        before, hard = resource.getrlimit(resource.RLIMIT_AS)
        if before == resource.RLIM_INFINITY or bound < before:
            resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
        try:
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_AS, (before, hard))
