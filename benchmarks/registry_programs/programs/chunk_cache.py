"""Rows of a dataset whose chunks are larger than the chunk cache of HDF5; with `cured` they fit it.

chunk_cache.py SCALE [cured]. A chunk that does not fit is decompressed again for each row.
"""

import sys
import tempfile
from pathlib import Path

import h5py
import numpy

ROWS, COLUMNS, CHUNK, READ = 512, 4096, (256, 1024), 100  # float64: a chunk has 2 MiB, and four of them make a row

with tempfile.TemporaryDirectory() as folder:
    file = Path(folder) / "matrix.h5"
    values = numpy.arange(ROWS * COLUMNS, dtype="f8").reshape(ROWS, COLUMNS) % 1000
    with h5py.File(file, "w") as written:
        written.create_dataset("matrix", data=values, chunks=CHUNK, compression="gzip", compression_opts=1)
    cache = {"rdcc_nbytes": 64 << 20} if "cured" in sys.argv else {"rdcc_nbytes": 1 << 20}  # 1 MiB: HDF5's default
    total = 0.0
    with h5py.File(file, "r", **cache) as opened:
        matrix = opened["matrix"]
        for row in range(int(READ * float(sys.argv[1]))):
            total += matrix[row % ROWS].sum()
    print(f"{total:.6g}")
