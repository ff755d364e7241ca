"""Healthy: NumPy on arrays that fit the cache, its work divided evenly among a process for each core.

It does four times the work of the other programs: NumPy is imported by one process, which is to be a small part.

Usage: processes.py [SCALE]
"""

from __future__ import annotations

import multiprocessing
import os
import sys

import numpy as np

SHARES = 4  # for each process


def computed(first: int, times: int) -> float:
    """Return the sum of a polynomial, evaluated in place."""
    x = (np.arange(16384, dtype=float) + first) % 64 / 64
    y = np.zeros_like(x)
    for _ in range(times):
        np.multiply(y, x, out=y)
        np.add(y, 0.5, out=y)
    return float(y.sum())


def main() -> None:
    """Compute all shares, and print the sum."""
    scale = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    cores = len(os.sched_getaffinity(0))
    times = int(160e3 * scale) + 1
    with multiprocessing.get_context("fork").Pool(cores) as pool:
        sums = pool.starmap(computed, [(share, times) for share in range(SHARES * cores)], chunksize=SHARES)
    print(f"checksum {sum(sums):.17g}")


if __name__ == "__main__":
    main()
