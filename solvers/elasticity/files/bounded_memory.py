"""A bound of the memory for reading a file: a short one may say that it is huge, or hold compressed zeros."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_LEAST = 2 << 30  # bytes
_TIMES = 64  # the size of the file: meshio takes some 20 times that for texts


@contextmanager
def bounded_memory(path: Path) -> Iterator[None]:
    """Let allocations fail (MemoryError) that go beyond what a file of this size can need. Raises OSError."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    bound = pages * resource.getpagesize() + max(_LEAST, _TIMES * path.stat().st_size)
    before, hard = resource.getrlimit(resource.RLIMIT_AS)
    if before == resource.RLIM_INFINITY or bound < before:
        resource.setrlimit(resource.RLIMIT_AS, (bound, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, (before, hard))
