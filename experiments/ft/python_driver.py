"""What peers that are driven from Python share: the benchmark around a library's transform, and the protocol.

Random numbers, decay and checksums are NumPy's, in blocks that stay in the caches and on as many threads as the
transform has: NumPy lets go of the interpreter meanwhile.
"""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy_reference import TOLERANCE, Complexes, Problem, Reference, decay_along, draw_initial

PROTOCOL = 1

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


class Driver:
    """Answers the requests of decision 0001, one at a time."""

    def __init__(self, transform: Transform) -> None:
        """Start without a case."""
        self.transform = transform
        self.benchmark: Benchmark | None = None
        self.reference: Reference | None = None

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request; what cannot be understood is an error reply."""
        operation = request.get("op")
        if operation == "case":
            return self._case(request)
        if self.benchmark is None:
            return {"event": "error", "message": f"'op' is {operation!r} before a case was set up: expected 'case'"}
        if operation == "calibrate":
            return self._calibrate(int(request.get("min_ns", 1_000_000)))
        if operation == "sample":
            self.benchmark.run()
            iterations = int(request["iterations"])
            elapsed_ns = self._time(iterations)
            return {"event": "sample", "iterations": iterations, "elapsed_ns": elapsed_ns, "ranks_ns": [elapsed_ns]}
        if operation == "verify":
            return {"event": "verify", "first_run_ns": self._run_poisoned(), **self._verdict()}
        return {"event": "error", "message": f"'op' is {operation!r}: expected case, calibrate, sample or verify"}

    def _case(self, request: dict[str, Any]) -> dict[str, Any]:
        reply: dict[str, Any] = {"event": "case", "outcome": "failed", "reason": None, "binding": None}
        self.benchmark = self.reference = None
        stage = "set_up"
        try:
            problem = Problem.from_parameters(request["case"])
            self.benchmark = Benchmark(problem, int(request.get("threads", 1)), self.transform)
            stage = "run"
            reply["first_run_ns"] = self._run_poisoned()
            stage = "verify"
            return {**reply, "work": self.benchmark.work(), **self._verdict()}
        except Exception as error:
            self.benchmark = None
            message = " ".join(str(error).split()) or type(error).__name__
            return {**reply, "stage": stage, "reason": message}

    def _run_poisoned(self) -> int:
        assert self.benchmark is not None
        self.benchmark.poison()
        return self._time(1)

    def _verdict(self) -> dict[str, Any]:
        assert self.benchmark is not None
        self.reference = self.reference or Reference(self.benchmark.problem)
        error, wrong = self.reference.check(self.benchmark.field, self.benchmark.checksums)
        return {"outcome": "wrong" if wrong else "ok", "reason": wrong or None, "error": error, "tolerance": TOLERANCE}

    def _calibrate(self, least_ns: int) -> dict[str, Any]:
        iterations = 1
        while (elapsed_ns := self._time(iterations)) < least_ns:
            iterations *= 2
        return {"event": "calibrate", "iterations": iterations, "elapsed_ns": elapsed_ns}

    def _time(self, iterations: int) -> int:
        assert self.benchmark is not None
        run = self.benchmark.run
        start = time.perf_counter_ns()
        for _ in range(iterations):
            run()
        return time.perf_counter_ns() - start


def main(file: str, words: list[str], transform: Transform, missing: str | None) -> int:
    """Run `describe` or `run` for a peer; whatever a library prints goes to standard error."""
    peer = Path(file)
    if not words or words[0] not in ("describe", "run"):
        print(f"usage: {peer.name} describe|run [--module FILE]", file=sys.stderr)
        return 2
    replies = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)

    def send(reply: dict[str, Any]) -> None:
        replies.write(json.dumps({"protocol": PROTOCOL, **reply}) + "\n")
        replies.flush()

    if words[0] == "describe":
        names = {"experiment": "ft", "module": peer.stem}
        send({**names, "isa": None, "supported": missing is None, "reason": missing})
        return 0
    driver = Driver(transform)
    for line in sys.stdin:
        if not line.strip():
            continue
        try:
            request = json.loads(line)
            if missing is None:
                reply = driver.answer(request)
            else:
                reply = {"event": "case", "outcome": "skipped", "reason": missing}
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            reply = {"event": "error", "message": f"not a request: {error}"}
        send(reply)
    return 0
