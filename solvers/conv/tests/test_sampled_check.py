"""The sampled check passes what is right and catches what the contest's own check does not."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from uniform_arrays import uniform

from rooftop.solvers.conv.sampled_check import SAMPLES, sampled_check

from .conftest import direct

Array = NDArray[np.float32]


@pytest.mark.parametrize("shape", [(1, 1, 3, 3, 1), (2, 5, 7, 8, 3), (3, 16, 30, 31, 20)])
@pytest.mark.parametrize("padding", [0, 1])
def test_the_right_result_passes(shape: tuple[int, ...], padding: int) -> None:
    n, c, h, w, k = shape
    x, filters = uniform(n, c, h, w), uniform(k, c, 3, 3, seed=2)
    y = direct(x, filters, padding).astype(np.float32)
    found = sampled_check(x, filters, y, padding)
    assert found.error < 1e-6
    assert min(y.size, SAMPLES // 2) < found.outputs + 1 <= SAMPLES + 1


@pytest.mark.parametrize(
    "spoil",
    [
        lambda x, w: direct(x, w[:, :, ::-1]),
        lambda x, w: direct(x, w[:, :, :, ::-1]),
        lambda x, w: direct(x, w.transpose(0, 1, 3, 2)),
        lambda x, w: direct(x[:, ::-1], w),
        lambda x, w: direct(x, w)[:, ::-1],
        lambda x, w: direct(x, w) * 1.001,
        lambda x, w: direct(x[:, :, ::-1], w),
        lambda x, w: np.zeros_like(direct(x, w)),
    ],
)
def test_wrong_results_are_caught(spoil: Callable[[Array, Array], NDArray[np.float64]]) -> None:
    x, w = uniform(2, 8, 20, 20), uniform(16, 8, 3, 3, seed=2)
    assert sampled_check(x, w, spoil(x, w).astype(np.float32), 0).error > 1e-4


def test_a_single_output_left_untouched_is_caught_wherever_it_is() -> None:
    x, w = uniform(2, 4, 40, 40), uniform(16, 4, 3, 3)
    y = direct(x, w).astype(np.float32)
    y[1, 7, 12, 33] = np.nan
    found = sampled_check(x, w, y, 0)
    assert math.isinf(found.error)
    assert "(1, 7, 12, 33)" in found.message


def test_corners_are_always_among_the_samples() -> None:
    x, w = uniform(2, 2, 50, 50), uniform(8, 2, 3, 3)
    for place in [(0, 0, 0, 0), (1, 7, 47, 47), (0, 7, 0, 47), (1, 0, 47, 0)]:
        y = direct(x, w).astype(np.float32)
        y[place] += 1
        assert sampled_check(x, w, y, 0).error > 1e-2
