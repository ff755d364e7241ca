"""Transforms of real values from Python, against SciPy's."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import fft
from rooftop.solvers.fft import FourierArgumentError, RealFourierPlan
from rooftop.solvers.fft import library as fft_library


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skips all where the solver is not built."""
    try:
        fft_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def values(shape: Any, dtype: str = "float64") -> Any:
    return np.random.default_rng(1).uniform(-1, 1, shape).astype(dtype)


def agrees(seen: Any, expected: Any) -> None:
    assert (seen.shape, seen.dtype) == (expected.shape, expected.dtype)
    tolerance = 1e-13 if seen.dtype in (np.float64, np.complex128) else 1e-5
    assert np.abs(seen - expected).max(initial=0) <= tolerance * max(np.abs(expected).max(initial=0), 1)


@settings(max_examples=60, deadline=None)
@given(
    shape=st.lists(st.integers(1, 40), min_size=1, max_size=3),
    dtype=st.sampled_from(["float64", "float32"]),
    norm=st.sampled_from(["backward", "ortho", "forward"]),
    threads=st.integers(1, 3),
    data=st.data(),
)
def test_a_plan_agrees_with_scipy(shape: list[int], dtype: str, norm: Any, threads: int, data: st.DataObject) -> None:
    count = data.draw(st.integers(1, len(shape)))
    axes = tuple(range(-count, 0))
    plan = RealFourierPlan(shape, axes=axes, norm=norm, threads=threads, dtype=dtype)
    a = values(shape, dtype)
    kept = a.copy()
    modes = plan.forward(a)
    agrees(modes, scipy.fft.rfftn(a, axes=axes, norm=norm))
    assert plan.modes_shape == modes.shape
    before = modes.copy()
    agrees(plan.backward(modes), a)
    assert np.array_equal(a, kept)
    assert np.array_equal(modes, before)
    out = np.empty_like(modes)
    assert plan.forward(a, out=out) is out
    assert np.array_equal(out, modes)


@pytest.mark.parametrize("shape", [(2, 3, 4, 5, 6), (3, 1, 8), (0, 4), (0, 3, 4, 6), (7, 1009), (3, 8192), (65536,)])
def test_batches_and_long_lines(shape: tuple[int, ...]) -> None:
    a = values(shape)
    for count in range(1, min(len(shape) - (0 in shape), 3) + 1):
        axes = tuple(range(-count, 0))
        modes = fft.rfftn(a, axes=axes)
        agrees(modes, np.fft.rfftn(a, axes=axes))
        agrees(fft.irfftn(modes, s=shape[-count:], axes=axes), a)


def read_only(array: Any) -> Any:
    array.flags.writeable = False
    return array


def unaligned(array: Any) -> Any:
    odd = np.empty(array.nbytes + 1, np.uint8)[1:].view(array.dtype).reshape(array.shape)
    odd[...] = array
    return odd


@pytest.mark.parametrize("placed", [read_only, unaligned, np.asfortranarray, np.ndarray.tolist, lambda a: a[:, ::-1]])
def test_arrays_that_lie_otherwise_are_copied(placed: Callable[[Any], Any]) -> None:
    a = placed(values((6, 10)))
    agrees(RealFourierPlan((6, 10)).forward(a), scipy.fft.rfftn(np.asarray(a)))
    agrees(fft.rfftn(a), scipy.fft.rfftn(np.asarray(a)))


def test_whole_numbers_are_real_values() -> None:
    a = np.arange(12).reshape(3, 4) % 5
    agrees(fft.rfftn(a), scipy.fft.rfftn(a))
    agrees(RealFourierPlan((3, 4)).forward(a), scipy.fft.rfftn(a))


def test_an_axis_that_is_not_the_last_one() -> None:
    a = values((4, 5, 6))
    for axes in [(0,), (2, 0), (0, 1), (1, 2, 0), (2, 1)]:
        modes = fft.rfftn(a, axes=axes)
        agrees(modes, np.fft.rfftn(a, axes=axes))
        agrees(fft.irfftn(modes, s=[a.shape[axis] for axis in axes], axes=axes), a)


def test_a_pickled_plan_is_planned_again() -> None:
    plan = pickle.loads(pickle.dumps(RealFourierPlan((6, 9), norm="ortho", dtype="float32", threads=2)))
    a = values((6, 9), "float32")
    agrees(plan.forward(a), scipy.fft.rfftn(a, norm="ortho"))
    assert repr(plan).startswith("RealFourierPlan((6, 9), axes=(0, 1), norm='ortho', dtype=float32")


@pytest.mark.parametrize(
    ("out", "message"),
    [
        (np.empty((4, 4), complex), r"out has shape \(4, 4\); expected \(4, 5\)"),
        (np.empty((4, 5)), "out has dtype float64; expected a NumPy array of complex128"),
        (read_only(np.empty((4, 5), complex)), "out is read-only"),
        (np.empty((5, 4), complex).T, "out has strides"),
        ([0.0], "out is a list"),
    ],
)
def test_results_that_do_not_fit_are_named(out: Any, message: str) -> None:
    with pytest.raises(FourierArgumentError, match=message):
        RealFourierPlan((4, 8)).forward(values((4, 8)), out=out)


def test_a_result_that_overlaps_is_refused() -> None:
    memory = np.zeros(100)
    with pytest.raises(FourierArgumentError, match="out overlaps a; expected a separate array"):
        RealFourierPlan((8,)).forward(memory[:8], out=memory[4:14].view(complex))


@pytest.mark.parametrize("dtype", ["complex128", "int64", "no such"])
def test_a_plan_is_of_real_numbers(dtype: str) -> None:
    with pytest.raises(FourierArgumentError, match=f"dtype is '{dtype}'; expected float64 or float32"):
        RealFourierPlan((8,), dtype=dtype)


def test_values_that_do_not_fit_are_named() -> None:
    plan = RealFourierPlan((4, 8))
    with pytest.raises(FourierArgumentError, match=r"a has shape \(8,\); expected \(4, 8\)"):
        plan.forward(values(8))
    with pytest.raises(FourierArgumentError, match=r"modes has shape \(4, 8\); expected \(4, 5\)"):
        plan.backward(values((4, 8)))
    with pytest.raises(FourierArgumentError, match="a has dtype complex128; expected"):
        plan.forward(values((4, 8)) * 1j)
