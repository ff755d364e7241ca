"""The file whose datasets are read: written by h5py, the same each time."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

SEED = 42
ROWS, WIDTH = 2000, 1024  # a row of four-byte values takes 4 KiB
COMPRESSED: dict[str, Any] = {"compression": "gzip", "compression_opts": 4, "shuffle": True}


def smooth(shape: tuple[int, ...], dtype: str) -> NDArray[Any]:
    """Return values that change slowly, with noise in their last digits, as measured fields have."""
    random = np.random.default_rng(SEED)
    values: NDArray[Any] = np.zeros(shape)
    for axis, extent in enumerate(shape):
        along = np.sin(np.linspace(0, 6 + axis, extent))
        values = values + along.reshape([-1 if other == axis else 1 for other in range(len(shape))])
    return (np.round(values * 512) / 512 + random.integers(0, 4, shape) / 4096).astype(dtype)


def write_sample(path: Path) -> None:
    """Write the file. Raises OSError, and ImportError without h5py."""
    import h5py

    table = smooth((ROWS, WIDTH), "<f4")
    field = smooth((384, 1024), "<f4")  # 1.5 MiB
    cube = smooth((64, 64, 64), "<f8")
    series = smooth((20_000,), "<f8")
    records = np.zeros(5000, [("id", "<i4"), ("x", "<f8"), ("y", "<f8")])
    records["id"], records["x"], records["y"] = np.arange(5000), series[:5000], series[5000:10_000]
    words = [f"station {number % 97} of {number % 13}" for number in range(1000)]
    with h5py.File(path, "w") as file:
        file.create_dataset("table/contiguous", data=table)
        file.create_dataset("table/chunked", data=table, chunks=(100, 128))
        file.create_dataset("table/compressed", data=table, chunks=(100, 128), **COMPRESSED)
        file.create_dataset("field/contiguous", data=np.resize(field, (1024, 1024)))  # 4 MiB
        file.create_dataset("field/chunked", data=field, chunks=(96, 256))
        file.create_dataset("field/compressed", data=field, chunks=(96, 256), **COMPRESSED)
        file.create_dataset("long/compressed", data=smooth((4096, 1024), "<f4"), chunks=(64, 1024), **COMPRESSED)
        file.create_dataset("cube/contiguous", data=cube)
        file.create_dataset("cube/compressed", data=cube, chunks=(16, 16, 16), **COMPRESSED)
        file.create_dataset("series/contiguous", data=series)
        file.create_dataset("series/chunked", data=series, chunks=(1000,))
        file.create_dataset("series/compressed", data=series, chunks=(1000,), **COMPRESSED)
        file.create_dataset("other/compressed", data=series[::-1], chunks=(1000,), **COMPRESSED)
        file.create_dataset("big endian", data=series[:1000].astype(">f8"))
        file.create_dataset("records", data=records)
        file.create_dataset("words/fixed", data=np.array(words, "S24"))
        file.create_dataset("words/variable", data=words[:100], dtype=h5py.string_dtype())
        file["scalar"] = 2.5
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        space, kind = h5py.h5s.create_simple((10, 10)), h5py.h5t.py_create(np.dtype("<f8"))
        made = h5py.Dataset(h5py.h5d.create(file.id, b"compact", kind, space, compact))
        made[...] = smooth((10, 10), "<f8")
