"""What peers that are driven from Python share: the benchmark around a library's transform.

Random numbers, decay and checksums are NumPy's, in blocks that stay in the caches and on as many threads as the
transform has: NumPy lets go of the interpreter meanwhile.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy_reference import TOLERANCE, Complexes, Problem, Reference, decay_along, draw_initial

from rooftop.driver.peer import Make, Verdict, drive

#: Transforms values [nz, ny, nx] along all axes, undivided, by so many threads: (values, forward, threads). What it
#: returns is the result; that may be `values` itself, which are no longer needed.
Transform = Callable[[Complexes, bool, int], Complexes]


class Benchmark:
    """One case: NPB's FT, or the forward transform alone; `run` is what is timed."""

    def __init__(self, problem: Problem, threads: int, transform: Transform) -> None:
        """Allocate a case's arrays."""
        self.problem = problem
        self.threads = threads
        self.transform = transform
        self.field = np.empty(problem.shape, np.complex128)
        self.modes = np.empty(0 if problem.transform_only else problem.shape, np.complex128)
        self.checksums = np.empty(problem.iterations, np.complex128)
        self.pool = ThreadPoolExecutor(threads)
        self.reference: Reference | None = None

    def run(self) -> None:
        """Run the case once, from the first random number to the last checksum; or transform what the field holds."""
        p = self.problem
        if p.transform_only:
            self.field = self.transform(self.field, True, self.threads)
            return
        self._draw(self.modes)
        self.modes = self.transform(self.modes, True, self.threads)
        for t in range(1, p.iterations + 1):
            self._decay(t)
            self.field = self.transform(self.field, False, self.threads)
            self.checksums[t - 1] = p.checksum(self.field)

    def poison(self) -> None:
        """Overwrite the result, so that one left untouched is caught: with NaN, or with what is to be transformed."""
        if self.problem.transform_only:
            self._draw(self.field)
        else:
            self.field[...] = np.nan
            self.checksums[...] = np.nan

    def verdict(self) -> Verdict:
        """Hold the result against the reference."""
        self.reference = self.reference or Reference(self.problem)
        error, wrong = self.reference.check(self.field, self.checksums)
        return Verdict(error, TOLERANCE, wrong)

    def work(self) -> dict[str, Any]:
        """Return the work of one run: the operations by which FFTs are rated, and each sweep, as in peers/fftw.cpp."""
        p, n = self.problem, self.problem.size
        return {
            "fma_flops": 0.0,
            "add_flops": (p.iterations + 1) * 5 * n * math.log2(n) + 3.0 * n * p.iterations,
            "memory_bytes": (0.0 if p.transform_only else 16.0 * n) + 64.0 * n + 96.0 * n * p.iterations,
            "working_set_bytes": (16.0 if p.transform_only else 32.0) * n,
            "algorithm": "fft",
        }

    def _on_blocks(self, work: Callable[[slice], None]) -> None:
        blocks = list(self.problem.blocks_of_planes())
        if self.threads == 1 or len(blocks) == 1:
            for planes in blocks:
                work(planes)
        else:
            list(self.pool.map(work, blocks))

    def _draw(self, values: Complexes) -> None:
        plane = self.problem.nx * self.problem.ny
        self._on_blocks(lambda planes: draw_initial(planes.start * plane, values[planes]))

    def _decay(self, t: int) -> None:
        """Write modes after t iterations into the field, where they are transformed back."""
        z, y, x = (decay_along(n, t) for n in self.problem.shape)
        rows = y[:, None] * x

        def work(planes: slice) -> None:
            for place in range(planes.start, planes.stop):
                np.multiply(self.modes[place], rows * z[place], out=self.field[place])

        self._on_blocks(work)


def maker(transform: Transform) -> Make:
    """Return what sets up cases around a transform."""

    def make(parameters: dict[str, Any], _seed: int, threads: int) -> Benchmark:
        return Benchmark(Problem.from_parameters(parameters), threads, transform)

    return make


def main(file: str, words: list[str], transform: Transform, missing: str | None) -> int:
    """Drive a peer whose transform it is."""
    return drive("ft", file, words, maker(transform), missing)
