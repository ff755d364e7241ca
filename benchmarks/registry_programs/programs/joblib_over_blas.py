"""Jobs of joblib in processes, each with a threaded BLAS: joblib_over_blas.py SCALE.

Of joblib's ways to start processes, only loky limits the threads of the BLAS in them.
"""

import sys

import joblib
import numpy

TASKS, SIZE, PRODUCTS, WORKERS = 16, 100, 500, 4


def product(seed: int) -> float:
    """Return one number of a product of many small matrices."""
    matrix = numpy.random.default_rng(seed).random((SIZE, SIZE))
    for _ in range(PRODUCTS):
        matrix = matrix @ matrix / (SIZE * matrix.mean())
    return float(matrix.mean())


if __name__ == "__main__":
    tasks = max(WORKERS, int(TASKS * float(sys.argv[1])))
    jobs = (joblib.delayed(product)(seed) for seed in range(tasks))
    print(f"{sum(joblib.Parallel(n_jobs=WORKERS, backend='multiprocessing')(jobs)):.6g}")
