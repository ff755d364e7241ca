"""The experiment's data and verification for peers that are driven from Python: problem.cpp and verify.cpp in NumPy."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

_GOLDEN = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1
_LARGEST = {"c": 1 << 20, "h": 1 << 20, "w": 1 << 20, "k": 1 << 20, "n": 1 << 20, "padding": 1}


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform(count: int, seed: int) -> Floats:
    """Return `count` values uniform in [-1, 1): the same as the native library's RandomStream, bit by bit."""
    with np.errstate(over="ignore"):
        start = _mix(np.array([(seed + _GOLDEN) & _MASK], dtype=np.uint64))
        steps = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GOLDEN)
        bits = _mix(start + steps) >> np.uint64(40)
    return ((bits.astype(np.int64) - (1 << 23)) * 2.0**-23).astype(np.float32)


def structured(planes: int, height: int, width: int, seed: int) -> Floats:
    """Return planes of smooth ramps plus a signature of channel and place, [planes, height, width], within [-1, 1)."""
    draws = uniform(3 * planes, seed).reshape(planes, 3, 1, 1) * np.float32(0.3)
    y = np.arange(height).reshape(1, height, 1)
    x = np.arange(width).reshape(1, 1, width)
    p = np.arange(planes).reshape(planes, 1, 1)
    signature = np.float32(0.008) * ((3 * y + 5 * x + 7 * p) % 11)
    ramps = draws[:, 0] + draws[:, 1] * y / height + draws[:, 2] * x / width
    return (ramps + signature).astype(np.float32)


@dataclass(frozen=True)
class Problem:
    """One case: image [n, c, h, w], filter [k, c, 3, 3], both float32, and the terms that it is timed on."""

    image: Floats
    filter: Floats
    padding: int
    layout: str
    filter_terms: str
    instructions: str = "any"

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any], seed: int) -> Problem:
        """Make the data of a case. Raises ValueError that names the parameter, its value and what is expected."""
        sizes = {"padding": 0, **parameters}
        for name, most in _LARGEST.items():
            least = 0 if name == "padding" else 3 - 2 * int(sizes["padding"]) if name in "hw" else 1
            if not isinstance(sizes.get(name), int) or not least <= sizes[name] <= most:
                raise ValueError(
                    f"parameter '{name}' is {sizes.get(name)!r}, expected an integer from {least} to {most}"
                )
        n, c, h, w, k = (sizes[name] for name in "nchwk")
        if sizes.get("data", "random") == "structured":
            image = structured(n * c, h, w, 2 * seed)
            kernel = structured(k * c, 3, 3, 2 * seed + 1)
        else:
            image, kernel = uniform(n * c * h * w, 2 * seed), uniform(k * c * 9, 2 * seed + 1)
        return cls(
            image.reshape(n, c, h, w),
            kernel.reshape(k, c, 3, 3),
            sizes["padding"],
            sizes.get("layout", "nchw"),
            sizes.get("filter", "timed"),
            sizes.get("instructions", "any"),
        )

    @property
    def output_shape(self) -> tuple[int, int, int, int]:
        """Return (n, k, out_h, out_w)."""
        n, _, h, w = self.image.shape
        return n, self.filter.shape[0], h + 2 * self.padding - 2, w + 2 * self.padding - 2

    @property
    def direct_flops(self) -> float:
        """Return the direct method's flops, a multiply-add counted as 2."""
        n, k, out_h, out_w = self.output_shape
        return 18.0 * n * k * int(self.image.shape[1]) * out_h * out_w

    def padded(self, images: slice | list[int]) -> Doubles:
        """Return some images with their padding: [images, c, out_h + 2, out_w + 2]."""
        p = self.padding
        return np.pad(self.image[images].astype(np.float64), ((0, 0), (0, 0), (p, p), (p, p)))

    def shifted(self, images: slice | list[int], r: int, s: int) -> Doubles:
        """Return what lies under filter row r and column s of every output: [images, c, out_h, out_w]."""
        _, _, out_h, out_w = self.output_shape
        return self.padded(images)[:, :, r : r + out_h, s : s + out_w]


def tolerance(channels: int) -> float:
    """Return the direct method's tolerance, max |difference| / max |reference|: the formula of verify.cpp."""
    return math.ldexp(4 + math.sqrt(9.0 * channels), -24)


def check(problem: Problem, output: Floats) -> tuple[float | None, float, str]:
    """Compare with a double-precision direct convolution: (error, tolerance, what is wrong or "").

    Whole planes of the first, the last and some other images and filters are compared one by one; a weighted sum over
    every plane is held against one that is computed from image and filter alone.
    """
    n, k, out_h, out_w = problem.output_shape
    channels = problem.image.shape[1]
    allowed = tolerance(channels)
    if output.shape != problem.output_shape:
        return None, allowed, f"output has shape {output.shape}, expected {problem.output_shape}"
    if not np.isfinite(output).all():
        place = tuple(int(i) for i in np.argwhere(~np.isfinite(output))[0])
        return None, allowed, f"output is not finite at image, filter, row, column {place}"
    random = np.random.default_rng(3)
    images = sorted({0, n - 1, int(random.integers(n))})
    filters = sorted({0, k - 1, *(int(i) for i in random.integers(k, size=6))})
    reference = np.zeros((len(images), len(filters), out_h, out_w))
    squares = np.zeros_like(reference)
    weights_y = random.uniform(0.5, 1, out_h) * random.choice([-1, 1], out_h)
    weights_x = random.uniform(0.5, 1, out_w) * random.choice([-1, 1], out_w)
    functionals = np.zeros((n, k))
    for r in range(3):
        for s in range(3):
            taps = problem.filter[:, :, r, s].astype(np.float64)
            patch = problem.shifted(images, r, s)
            reference += np.einsum("kc,ncyx->nkyx", taps[filters], patch, optimize=True)
            squares += np.einsum("kc,ncyx->nkyx", taps[filters] ** 2, patch**2, optimize=True)
    for image in range(n):
        padded = problem.padded([image])[0]
        for s in range(3):
            row_sums = padded[:, :, s : s + out_w] @ weights_x
            for r in range(3):
                functionals[image] += problem.filter[:, :, r, s].astype(np.float64) @ (
                    row_sums[:, r : r + out_h] @ weights_y
                )
    largest = float(np.abs(reference).max()) or 1.0
    allowed *= max(1.0, float(np.sqrt(squares.max())) / largest)
    error = float(np.abs(output[np.ix_(images, filters)] - reference).max()) / largest
    if error > allowed:
        return error, allowed, f"error {error:.3g} exceeds {allowed:.3g}"
    sums = np.stack([plane.astype(np.float64) @ weights_x @ weights_y for plane in output])
    excess = np.abs(sums - functionals) / (8 * np.sqrt(out_h * out_w) * allowed * largest)
    if excess.max() > 1:
        place = divmod(int(excess.argmax()), k)
        return error, allowed, f"the weighted sum over image, filter {place} is wrong: an output that was not sampled"
    return error, allowed, ""
