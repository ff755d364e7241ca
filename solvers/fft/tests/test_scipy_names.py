"""Transforms by the names and meanings of scipy.fft, held against it."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
import scipy.fft
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import fft
from rooftop.solvers.fft import FourierArgumentError, FourierPlan
from rooftop.solvers.fft import library as fft_library


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skips all where the solver is not built."""
    try:
        fft_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def values(shape: list[int], kind: str) -> Any:
    random = np.random.default_rng(1)
    real = random.uniform(-1, 1, shape)
    return (real + 1j * random.uniform(-1, 1, shape)).astype(kind) if "complex" in kind else real.astype(kind)


def agrees(seen: Any, expected: Any) -> None:
    assert (seen.shape, seen.dtype) == (expected.shape, expected.dtype)
    tolerance = 1e-13 if seen.dtype in (np.float64, np.complex128) else 1e-5
    assert np.abs(seen - expected).max(initial=0) <= tolerance * max(np.abs(expected).max(initial=0), 1)


@pytest.mark.case("solvers.E1", "solvers.E1.axes")
@settings(max_examples=150, deadline=None)
@given(shape=st.lists(st.integers(1, 6), min_size=1, max_size=5), data=st.data())
def test_agrees_with_scipy(shape: list[int], data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(["fftn", "ifftn", "rfftn", "irfftn"]))
    kinds = ["float64", "float32"] if name == "rfftn" else ["float64", "float32", "complex64", "complex128"]
    a = values(shape, data.draw(st.sampled_from(kinds)))
    axes = data.draw(st.permutations(range(-len(shape), 0)))[: data.draw(st.integers(1, len(shape)))]
    s = data.draw(st.lists(st.integers(1, 8), min_size=len(axes), max_size=len(axes)))
    options: dict[str, Any] = {"norm": data.draw(st.sampled_from([None, "backward", "ortho", "forward"]))}
    if name == "irfftn" or data.draw(st.booleans()):
        options["s"] = s
    if data.draw(st.booleans()):
        options["axes"] = axes
    kept = a.copy()
    if name == "irfftn" and "axes" not in options:
        options["s"] = s
    agrees(getattr(fft, name)(a, **options), getattr(scipy.fft, name)(a, **options))
    assert np.array_equal(a, kept)


@pytest.mark.case("solvers.E1.axes")
def test_four_dimensions_and_an_axis_alone() -> None:
    a = values([3, 4, 5, 6], "complex128")
    agrees(fft.fftn(a), scipy.fft.fftn(a))
    agrees(fft.ifftn(a, axes=1), scipy.fft.ifftn(a, axes=1))
    out = np.empty_like(a)
    assert fft.fftn(a, axes=(0, 2), out=out) is out
    agrees(out, scipy.fft.fftn(a, axes=(0, 2)))
    agrees(fft.irfftn(fft.rfftn(a.real)), a.real)


@pytest.mark.case("solvers.E1.workers")
@pytest.mark.parametrize("options", [{"workers": 2}, {"workers": -1}, {"threads": -1}, {"overwrite_x": True}])
def test_options_of_scipy_are_taken(options: Any) -> None:
    a = values([6, 7], "complex128")
    expected = scipy.fft.fftn(a)
    agrees(fft.fftn(a, **options), expected)
    if "threads" in options:
        plan = FourierPlan((6, 7), **options)
        agrees(pickle.loads(pickle.dumps(plan)).forward(values([6, 7], "complex128")), expected)


@pytest.mark.case("solvers.E1")
def test_complex_values_are_no_real_ones() -> None:
    with pytest.raises(FourierArgumentError, match="a has dtype complex128; expected real numbers, or fftn"):
        fft.rfftn(values([4], "complex128"))
    with pytest.raises(FourierArgumentError, match="expected s with one or more"):
        fft.irfftn(values([1], "complex128"))


@pytest.mark.case("solvers.E1.long")
@pytest.mark.parametrize("length", [8388617, 1 << 25])
def test_lines_that_are_too_long_say_where_to_go(length: int) -> None:
    with pytest.raises(FourierArgumentError, match=rf"is {length}, expected .*; scipy\.fft transforms longer lines"):
        fft.fftn(np.broadcast_to(np.float32(0), (length,)))
