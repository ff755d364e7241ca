"""What is read and written: files, and how each run begins."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers import h5io

COLUMNS = 1024
STEPS = 16
MIB = 1 << 20
DROP_CACHES = Path("/proc/sys/vm/drop_caches")


@dataclass(frozen=True)
class Case:
    """A dataset of so many MiB of floats in rows of `COLUMNS`, read or written in `STEPS` steps.

    chunk    rows of a chunk; 0: the array lies in one piece
    threads  of the I/O, alone and beside the computing
    """

    name: str
    mib: int
    threads: int = 1
    chunk: int = 0
    filters: tuple[str, ...] = ()
    cold: bool = False
    writes: bool = False

    def rows(self, scale: float) -> int:
        """Return the rows of the dataset, so many for each step."""
        return max(1, int(self.mib * MIB * scale / (4 * COLUMNS * STEPS))) * STEPS

    def file(self, folder: Path) -> Path:
        """Return where it lies. Cases that differ in threads alone share it."""
        kind = "-".join((*self.filters, str(self.mib))).replace(":", "")
        return folder / f"{'written' if self.writes else 'read'}-{kind}.h5"

    def layout(self) -> dict[str, Any]:
        """Return what a new dataset takes."""
        return {"chunks": (self.chunk, COLUMNS), "filters": self.filters} if self.chunk else {}


_DEFLATE = partial(Case, mib=48, chunk=64, filters=("shuffle", "deflate:4"))
_BITSHUFFLE = partial(Case, mib=192, chunk=64, filters=("bitshuffle",))
CASES = (
    Case("contiguous, cold", 192, cold=True),
    Case("contiguous, cached", 512),
    _DEFLATE("deflate"),
    _DEFLATE("deflate, 2 threads", threads=2),
    _BITSHUFFLE("bitshuffle and LZ4"),
    _BITSHUFFLE("bitshuffle and LZ4, 2 threads", threads=2),
    Case("contiguous, written", 192, writes=True),
)
#: Where programs are compared with other shares of computing: its I/O is the processor's, and takes as long each time.
QUESTIONED = "deflate"
SHARES = (0.1, 0.5)


def values(rows: int) -> NDArray[np.float32]:
    """Return the array: a wave with some noise, in steps of an eighth, as an instrument has it."""
    count = rows * COLUMNS
    wave = 1000 * np.sin(np.arange(count, dtype=np.float32) * np.float32(1e-3))
    noise = np.random.default_rng(1).integers(0, 16, count, dtype=np.int8)
    eighths: NDArray[np.float32] = (np.round(8 * wave) + noise).astype(np.float32)
    return (eighths / np.float32(8)).reshape(rows, COLUMNS)


def missing(case: Case, folder: Path, scale: float = 1.0) -> str | None:
    """Write the case's file, if it is one that is read. Return why it cannot be, or None."""
    path = case.file(folder)
    return None if case.writes or path.exists() else written(case, path, case.rows(scale))


def written(case: Case, path: Path, rows: int) -> str | None:
    """Write a file and bring it to the device. Return why that cannot be, or None."""
    try:
        with h5io.OutputFile(path, replace=True) as file:
            file.dataset("x", (rows, COLUMNS), "<f4", **case.layout()).write(values(rows))
    except h5io.H5ArgumentError as error:
        path.unlink(missing_ok=True)
        return str(error)
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
    return None


def can_drop_caches() -> bool:
    """Return whether this process may drop the system's caches."""
    return os.access(DROP_CACHES, os.W_OK) and os.geteuid() == 0


def begin(case: Case, path: Path) -> None:
    """Bring the file into the state in which a run finds it: out of the cache, in it, or not there."""
    if case.writes:
        path.unlink(missing_ok=True)
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if not case.cold:
            while os.read(descriptor, MIB):
                pass
            return
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
    finally:
        os.close(descriptor)
    if can_drop_caches():
        DROP_CACHES.write_text("1", encoding="ascii")
