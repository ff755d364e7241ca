"""Check of randomly sampled outputs against a direct convolution in double precision."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

SAMPLES = 512

# max |difference| / max |reference| on data uniform in [-1, 1). Looser than what an algorithm reaches on a whole large
# output, since the largest of a few sampled outputs is smaller than that of all.
TOLERANCES = {"direct": 4e-6, "F(2)": 4e-6, "F(4)": 8e-6, "F(6)": 5e-5}


@dataclass(frozen=True)
class Check:
    """The error of `outputs` places; infinite for a NaN or an infinity anywhere in the output."""

    error: float
    outputs: int
    message: str = ""


def sampled_check(
    x: NDArray[np.float32], w: NDArray[np.float32], y: NDArray[np.float32], padding: int, seed: int = 1
) -> Check:
    """Compare y (N,K,H',W') with x (N,C,H,W) convolved with w (K,C,3,3), at most SAMPLES outputs and all four corners.

    The denominator is at least sqrt(C), the outputs' standard deviation, because the largest of few may be small by
    cancellation.
    """
    # One bad number anywhere makes the sum bad too, and the sum needs no memory.
    if not math.isfinite(float(y.sum(dtype=np.float64))):
        bad = int(np.flatnonzero(~np.isfinite(y.reshape(-1)))[0])
        place = tuple(int(i) for i in np.unravel_index(bad, y.shape))
        return Check(math.inf, y.size, f"output {place} is {y[place]}: not written, or not finite")

    places = _places(y.shape, seed)
    n, k, row, column = np.unravel_index(places, y.shape)
    h, width = x.shape[2:]
    reference = np.zeros(places.size)
    for r in range(3):
        for s in range(3):
            i, j = row + r - padding, column + s - padding
            inside = (i >= 0) & (i < h) & (j >= 0) & (j < width)
            pixels = x[n, :, np.clip(i, 0, h - 1), np.clip(j, 0, width - 1)].astype(np.float64)
            reference += inside * np.einsum("pc,pc->p", pixels, w[k, :, r, s].astype(np.float64))
    difference = np.abs(y.reshape(-1)[places] - reference)
    error = float(difference.max() / max(np.abs(reference).max(), math.sqrt(x.shape[1])))
    worst = int(difference.argmax())
    place = (int(n[worst]), int(k[worst]), int(row[worst]), int(column[worst]))
    return Check(error, places.size, f"output {place} is {float(y[place]):.9g}, expected {float(reference[worst]):.9g}")


def _places(shape: tuple[int, ...], seed: int) -> NDArray[np.int64]:
    size = math.prod(shape)
    if size <= SAMPLES:
        return np.arange(size)
    last = [extent - 1 for extent in shape]
    corners = [
        int(np.ravel_multi_index((n, k, i, j), shape))
        for n in (0, last[0])
        for k in (0, last[1])
        for i in (0, last[2])
        for j in (0, last[3])
    ]
    drawn = np.random.default_rng(seed).integers(0, size, SAMPLES - len(corners))
    return np.unique(np.concatenate([drawn, corners])).astype(np.int64)
