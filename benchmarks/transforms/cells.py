"""Which transforms are measured."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["complex", "from real", "to real"]

KINDS: tuple[Kind, ...] = ("complex", "from real", "to real")
# Shapes, and how many of their last axes are transformed: powers, mixed lengths, a prime, batches of lines and planes.
SHAPES: tuple[tuple[tuple[int, ...], int], ...] = (
    ((64,), 1),
    ((256,), 1),
    ((1000,), 1),
    ((1024,), 1),
    ((1009,), 1),
    ((4096,), 1),
    ((30030,), 1),
    ((65536,), 1),
    ((1 << 20,), 1),
    ((1024, 64), 1),
    ((128, 1000), 1),
    ((100, 100), 2),
    ((512, 512), 2),
    ((64, 64, 64), 2),
    ((32, 32, 32), 3),
    ((64, 64, 64), 3),
    ((100, 100, 100), 3),
    ((96, 120, 128), 3),
    ((128, 128, 128), 3),
)


@dataclass(frozen=True)
class Cell:
    """One transform.

    shape    of the complex values, or of the real ones
    axes     how many of the last axes are transformed
    single   in single precision
    threads  that may be used
    """

    kind: Kind
    shape: tuple[int, ...]
    axes: int
    single: bool
    threads: int

    @property
    def name(self) -> str:
        """What it is called in the table."""
        lengths = "x".join(str(n) for n in self.shape[-self.axes :])
        before = math.prod(self.shape[: -self.axes])
        return lengths if before == 1 else f"{before} of {lengths}"

    @property
    def complex_dtype(self) -> np.dtype[Any]:
        return np.dtype(np.complex64 if self.single else np.complex128)

    @property
    def real_dtype(self) -> np.dtype[Any]:
        return np.dtype(np.float32 if self.single else np.float64)

    @property
    def modes_shape(self) -> tuple[int, ...]:
        """The shape of the half spectrum of real values."""
        return (*self.shape[:-1], self.shape[-1] // 2 + 1)

    def arrays(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return values that go in, and an array for what comes out, as NumPy places them."""
        random = np.random.default_rng(1)
        real = random.uniform(-1, 1, self.shape)
        if self.kind == "complex":
            values = (real + 1j * random.uniform(-1, 1, self.shape)).astype(self.complex_dtype)
            return values, np.empty_like(values)
        if self.kind == "from real":
            return real.astype(self.real_dtype), np.empty(self.modes_shape, self.complex_dtype)
        modes = np.fft.rfftn(real, axes=tuple(range(-self.axes, 0))).astype(self.complex_dtype)
        return modes, np.empty(self.shape, self.real_dtype)


def cells(threads: tuple[int, ...]) -> Iterator[Cell]:
    """Yield all cells, on so many threads each."""
    for kind in KINDS:
        for single in (False, True):
            for shape, axes in SHAPES:
                for count in threads:
                    yield Cell(kind, shape, axes, single, count)
