"""h5py's read into an array that is there, by one thread: the HDF5 library that h5py brings along, in its own wheel.

It reads what other rungs have written: a case whose file is not there is skipped.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.driver.peer import SkipCaseError, Verdict, drive

try:
    import h5py
except ImportError as error:
    MISSING: str | None = f"{error.name} is not installed (pip install h5py)"
else:
    MISSING = None


def file_of(parameters: dict[str, Any]) -> Path:
    """Return the file of a case, as problem.cpp names it."""
    folder = os.environ.get("ROOFTOP_HDF5_IO_FOLDER")
    name = f"{parameters['rows']}x{parameters['columns']}"
    if parameters["chunk_rows"]:
        name += f"-in-{parameters['chunk_rows']}x{parameters['chunk_columns']}-{parameters['filter']}"
    return (Path(folder) if folder else Path(tempfile.gettempdir()) / "rooftop-hdf5-io") / f"{name}.h5"


def values(index: NDArray[np.uint64]) -> NDArray[np.float32]:
    """Return the array's elements with these numbers, as problem.hpp has them."""
    noise = index * np.uint64(0x9E3779B97F4A7C15)
    noise ^= noise >> np.uint64(32)
    bits = (index & np.uint64(0xFFFF)) << np.uint64(8) | (noise & np.uint64(0xFF))
    return bits.astype(np.float32)


class Reading:
    """One case; `run` is what is timed."""

    def __init__(self, parameters: dict[str, Any], path: Path) -> None:
        """Open the file and allocate the array."""
        self.parameters, self.path = parameters, path
        self.dataset = h5py.File(path, "r")["x"]
        rows, columns, block, stride = (parameters[name] for name in ("rows", "columns", "block", "stride"))
        self.blocks = (columns - block) // stride + 1
        self.selection: Any = np.s_[:, : self.blocks * block]
        if stride > block:
            # h5py's slices take single elements; blocks at a stride are a hyperslab of HDF5's.
            chosen = h5py.MultiBlockSlice(start=0, stride=stride, count=self.blocks, block=block)
            self.selection = (slice(None), chosen)
        self.out = np.empty((rows, self.blocks * block), np.float32)
        if parameters["cold"]:
            self.reset = self._drop

    def run(self) -> None:
        """Read."""
        self.dataset.read_direct(self.out, self.selection)

    def poison(self) -> None:
        """Overwrite the array."""
        self.out.fill(np.nan)

    def work(self) -> dict[str, Any]:
        """Return the copy out of the system's cache, and what a device has to give."""
        read = float(self.out.nbytes)
        memory = {"memory_bytes": 2 * read, "working_set_bytes": 2 * read}
        file_bytes = float(self.path.stat().st_size)
        device = {"device_bytes": min(read, file_bytes), "device_extent_bytes": file_bytes}
        return {"fma_flops": 0.0, "add_flops": 0.0, "algorithm": "exact", **memory, **device}

    def verdict(self) -> Verdict:
        """Hold every value against its formula, some rows or parts of a row at a time."""
        p = self.parameters
        first = np.arange(self.blocks, dtype=np.uint64)[:, None] * np.uint64(p["stride"])
        columns = (first + np.arange(p["block"], dtype=np.uint64)).ravel()
        for row in range(p["rows"]):
            for part in range(0, columns.size, 1 << 22):
                chosen = slice(part, part + (1 << 22))
                wanted = values(np.uint64(row * p["columns"]) + columns[chosen])
                wrong = np.flatnonzero(self.out[row, chosen] != wanted)
                if wrong.size:
                    place = part + int(wrong[0])
                    found = self.out[row, place]
                    return Verdict(None, 0.0, f"value {place} of row {row} is {found}, expected {wanted[wrong[0]]}")
        return Verdict(0.0, 0.0)

    def _drop(self) -> None:
        file = os.open(self.path, os.O_RDONLY)
        os.fdatasync(file)
        os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
        os.close(file)


def make(parameters: dict[str, Any], _seed: int, _threads: int) -> Reading:
    """Set up a case. Raises SkipCaseError."""
    path = file_of(parameters)
    if not path.exists():
        raise SkipCaseError(f"there is no {path}, which the other rungs write")
    return Reading(parameters, path)


if __name__ == "__main__":
    raise SystemExit(drive("hdf5_io", __file__, sys.argv[1:], make, MISSING))
