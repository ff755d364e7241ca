"""The experiment's data and verification for peers that are driven from Python: problem.cpp and verify*.cpp in NumPy.

Arrays are [nz, ny, nx], complex128. References come from U0 by direct sums, never from a fast transform.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Complexes = NDArray[np.complex128]
Doubles = NDArray[np.float64]

TOLERANCE = 1e-12  # NPB's own, for its checksums
ALPHA = 1e-6
CHECKSUM_POINTS = 1024
BLOCK = 1 << 15  # values that are at hand at once: 512 KiB

_SEED, _FACTOR, _MASK = 314159265, 5**13, (1 << 46) - 1
_LONGEST, _MOST_POINTS = 1 << 16, 1 << 40
_AFFORDABLE, _MOST_CHECKSUMS = 4e9, 64


def _leaps(count: int) -> NDArray[np.uint64]:
    """Return factor^1 … factor^count mod 2^46: by what a draw differs from each that follows it."""
    leaps = np.array([_FACTOR], dtype=np.uint64)
    while leaps.size < count:
        leaps = np.concatenate([leaps, (leaps * leaps[-1]) & np.uint64(_MASK)])
    return leaps[:count]


_LEAPS = _leaps(2 * BLOCK)


def draw_initial(first: int, values: Complexes) -> None:
    """Fill contiguous `values` with U0 from place `first` on: initial.hpp, in blocks instead of in turn."""
    flat = values.reshape(-1)
    for begin in range(0, flat.size, BLOCK):
        block = flat[begin : begin + BLOCK].view(np.float64)
        start = pow(_FACTOR, 2 * (first + begin), _MASK + 1) * _SEED & _MASK
        # Products wrap around at 2^64, a multiple of 2^46.
        draws = _LEAPS[: block.size] * np.uint64(start)
        draws &= np.uint64(_MASK)
        np.multiply(draws.view(np.int64), 2.0**-46, out=block)


def wave_numbers(n: int) -> Doubles:
    """Return the signed wave numbers 0, 1, …, n/2 - 1, -n/2, …, -1."""
    i = np.arange(n)
    return np.where(i < (n + 1) // 2, i, i - n).astype(np.float64)


def decay_along(n: int, t: int) -> Doubles:
    """Return the part of the decay that one axis has after t iterations: a mode's is the product of three of these."""
    return np.exp(-4 * ALPHA * np.pi**2 * wave_numbers(n) ** 2 * t)


@dataclass(frozen=True)
class Problem:
    """A case's sizes; no iterations: the forward transform alone, of U0 in place and not divided."""

    nx: int
    ny: int
    nz: int
    iterations: int

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any]) -> Problem:
        """Read a case. Raises ValueError that names the parameter, its value and what is expected."""
        bounds = dict.fromkeys(("nx", "ny", "nz"), (1, _LONGEST)) | {"iterations": (0, 1_000_000)}
        for name, (least, most) in bounds.items():
            value = parameters.get(name)
            if not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
                raise ValueError(f"parameter '{name}' is {value!r}, expected a whole number from {least} to {most}")
        problem = cls(*(parameters[name] for name in bounds))
        if problem.size > _MOST_POINTS:
            raise ValueError(f"the grid has {problem.size} points, expected at most {_MOST_POINTS}")
        return problem

    @property
    def shape(self) -> tuple[int, int, int]:
        """Return an array's shape, z first."""
        return self.nz, self.ny, self.nx

    @property
    def size(self) -> int:
        """Return the number of points."""
        return self.nx * self.ny * self.nz

    @property
    def transform_only(self) -> bool:
        """Return whether the forward transform is all there is."""
        return self.iterations == 0

    @cached_property
    def points(self) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """Return z, y and x of what a checksum sums, for j = 1 … 1024."""
        j = np.arange(1, CHECKSUM_POINTS + 1)
        return 5 * j % self.nz, 3 * j % self.ny, j % self.nx

    def checksum(self, field: Complexes) -> complex:
        """Sum the field's points, over the number of all values."""
        return complex(field[self.points].sum() / self.size)

    def blocks_of_planes(self) -> Iterator[slice]:
        """Return ranges of z of about BLOCK values each."""
        step = max(1, BLOCK // (self.nx * self.ny))
        return (slice(z, min(z + step, self.nz)) for z in range(0, self.nz, step))

    def initial_planes(self) -> Iterator[tuple[slice, Complexes]]:
        """Draw U0 a few planes at a time: their z, and [z, ny, nx]."""
        for planes in self.blocks_of_planes():
            values = np.empty((planes.stop - planes.start, self.ny, self.nx), np.complex128)
            draw_initial(planes.start * self.ny * self.nx, values)
            yield planes, values


def published_checksums(problem: Problem) -> list[complex]:
    """Return NPB's checksums where the size is a class's, from the table that the C++ verifier has; otherwise none."""
    text = (Path(__file__).parent / "npb_classes.cpp").read_text(encoding="utf-8")
    size = f"{problem.nx}, {problem.ny}, {problem.nz}, {problem.iterations}"
    if not (found := re.search(rf"\{{'.', {size}, (\w+)\}}", text)):
        return []
    table = re.search(rf"{found[1]}\{{\{{(.*?)\}}\}};", text, re.DOTALL)
    pairs = re.findall(r"\{([\d.]+), ([\d.]+)\}", table[1] if table else "")
    if len(pairs) != problem.iterations:
        raise ValueError(f"npb_classes.cpp has {len(pairs)} checksums for {size}, expected {problem.iterations}")
    return [complex(float(re_part), float(im_part)) for re_part, im_part in pairs]


def _torus_kernel(n: int, t: int) -> Doubles:
    """Return [d, x]: what U0 at x contributes to U_t at d along one axis, g[(d - x) mod n] as in reference.cpp."""
    i = np.arange(n)
    cosines = np.cos(2 * np.pi * i / n)
    kernel: Doubles = np.array([cosines[i * d % n] @ decay_along(n, t) for d in range(n)]) / n
    between: Doubles = kernel[(i[:, None] - i) % n]
    return between


def _roots(n: int) -> Complexes:
    """Return [k, x]: exp(-2 pi i k x / n), rounded once."""
    i = np.arange(n)
    angle = 8 * np.arctan(np.longdouble(1)) * i / n
    roots = np.cos(angle).astype(np.float64) - 1j * np.sin(angle).astype(np.float64)
    products: Complexes = roots[i[:, None] * i % n]
    return products


class Reference:
    """What is expected of one case: a few values, one weighed sum of all, and checksums or the sum of squares."""

    def __init__(self, problem: Problem) -> None:
        """Sum over U0, a few planes at a time. Time: N times the samples along x, and N min(nx, 1024) a checksum."""
        self.problem = p = problem
        random = np.random.default_rng(1)
        axes = p.shape
        self.places = [sorted({0, n // 2, int(random.integers(n)), n - 1}) for n in axes]
        self.weights = [random.uniform(0.5, 1, n) * random.choice([-1.0, 1.0], n) for n in axes]
        along = [_roots(n) if p.transform_only else _torus_kernel(n, p.iterations) for n in axes]
        # U0 is weighed by these: a row for each sample of the result, and the last one for its weighed sum.
        rows = [
            np.vstack([table[places], weights @ table])
            for table, places, weights in zip(along, self.places, self.weights, strict=True)
        ]
        # The mean stays out of the sums, and is put back as what it transforms to (direct_modes.cpp says why).
        mean = 0.5 + 0.5j if p.transform_only else 0
        expected = np.zeros([len(row) for row in rows], np.complex128)
        self.squares = 0.0
        for planes, values in p.initial_planes():
            self.squares += float(np.vdot(values, values).real)
            along_y = np.tensordot(rows[1], (values - mean) @ rows[2].T, (1, 1))
            expected += np.tensordot(rows[0][:, planes], along_y, (1, 1))
        if p.transform_only:
            of_mean = [
                np.append(np.equal(places, 0), weights[0])
                for places, weights in zip(self.places, self.weights, strict=True)
            ]
            expected += mean * p.size * np.einsum("a,b,c->abc", *of_mean)
        self.samples = expected[:-1, :-1, :-1]
        self.weighed = complex(expected[-1, -1, -1])
        self.checksums = self._checksums()

    def _checksums(self) -> dict[int, complex]:
        """Return the checksums of the iterations that are compared: all that NPB publishes, or as many as are cheap."""
        p = self.problem
        if published := published_checksums(p):
            return dict(enumerate(published, 1))
        columns = min(p.nx, CHECKSUM_POINTS)
        count = min(p.iterations, _MOST_CHECKSUMS, int(_AFFORDABLE / (p.size * columns)))
        chosen = sorted({round(t) for t in np.linspace(p.iterations, 1, count)})
        return {t: self._checksum(t, columns) for t in chosen}

    def _checksum(self, t: int, columns: int) -> complex:
        p = self.problem
        # Points come back to the same x after nx of them: those that share it are summed along y and z first.
        z, y, x = (_torus_kernel(n, t)[points] for n, points in zip(p.shape, p.points, strict=True))
        total = 0j
        for planes, values in p.initial_planes():
            along_x = values @ x[:columns].T
            for place, plane in zip(range(planes.start, planes.stop), along_x, strict=True):
                weights = np.zeros((columns * -(-CHECKSUM_POINTS // columns), p.ny))
                weights[:CHECKSUM_POINTS] = y * z[:, place, None]
                total += complex(np.sum(weights.reshape(-1, columns, p.ny).sum(axis=0).T * plane))
        return total

    def check(self, field: Complexes, checksums: Complexes) -> tuple[float | None, str]:
        """Compare a result: (largest error without a dimension, what is wrong or "")."""
        for name, values in (("checksum", checksums), ("field", field)):
            if not np.isfinite(values).all():
                place = tuple(int(i) for i in np.argwhere(~np.isfinite(values))[0])
                return None, f"{name} is not finite at {place}"
        findings = self._of_transform(field) if self.problem.transform_only else self._of_diffusion(field, checksums)
        wrong = [f"{what}: error {error:.3g}" for error, what in findings if not error <= TOLERANCE]
        return max(error for error, _ in findings), wrong[0] if wrong else ""

    def _sampled(self, field: Complexes) -> Complexes:
        return field[np.ix_(*self.places)]

    def _weighed(self, field: Complexes) -> complex:
        of_rows = field @ self.weights[2]
        return complex(self.weights[0] @ of_rows @ self.weights[1])

    def _of_transform(self, field: Complexes) -> list[tuple[float, str]]:
        """Compare modes, a sum of them all, and Parseval's sum |F|^2 = N sum |U0|^2."""
        size = self.problem.size
        root_mean_square = np.sqrt(self.squares)
        samples = np.abs(self._sampled(field) - self.samples) / np.maximum(np.abs(self.samples), root_mean_square)
        whole = abs(self._weighed(field) - self.weighed) / (np.sqrt(size) * root_mean_square)
        flat = field.reshape(-1)
        energy = abs(float(np.vdot(flat, flat).real) / (size * self.squares) - 1)
        return [
            (float(samples.max()), "a sampled mode is off"),
            (float(whole), "a weighed sum over the field is off"),
            (energy, "the field's sum of squares is off"),
        ]

    def _of_diffusion(self, field: Complexes, checksums: Complexes) -> list[tuple[float, str]]:
        """Compare checksums, the field's own last one, values, and a weighed sum; transforms are not divided by N."""
        p = self.problem
        sums = [(t, checksums[t - 1], value) for t, value in self.checksums.items()]
        if p.iterations in self.checksums:
            sums.append((p.iterations, p.checksum(field), self.checksums[p.iterations]))
        findings = [
            (float(abs(seen - value) / abs(value)), f"checksum {t} is {seen:.13g}, expected {value:.13g}")
            for t, seen, value in sums
        ]
        largest = float(np.abs(self.samples).max())
        samples = np.abs(self._sampled(field) / p.size - self.samples) / largest
        whole = abs(self._weighed(field) / p.size - self.weighed) / (8 * np.sqrt(p.size) * largest)
        return [
            *findings,
            (float(samples.max()), "a sampled value is off"),
            (float(whole), "a weighed sum over the field is off"),
        ]
