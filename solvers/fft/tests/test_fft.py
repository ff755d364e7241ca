"""Transforms of NumPy arrays: what numpy.fft gives, without needless copies, and plain about what cannot be taken."""

from __future__ import annotations

import copy
import ctypes.util
import gc
import pickle
import re
import subprocess
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import fft
from rooftop.solvers.c_interface import array_addresses, solver_library
from rooftop.solvers.fft import FourierArgumentError, FourierPlan, Values, planned
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.fft import plan as plan_module

HEADER = Path(__file__).parents[1] / "include" / "rooftop" / "fft.h"
TOLERANCE, SINGLE_TOLERANCE = 1e-14, 2e-6
NORMS = ("backward", "ortho", "forward")


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skips all where the solver is not built."""
    try:
        fft_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def uniform(*shape: int, seed: int = 1) -> Values:
    parts = np.random.default_rng(seed).uniform(-1, 1, (*shape, 2))
    return parts.view(np.complex128)[..., 0].copy()


def error(seen: Any, expected: Any, dtype: Any = np.complex128) -> float:
    """Return the largest difference in units of the largest value."""
    assert seen.dtype == np.dtype(dtype)
    assert seen.shape == expected.shape
    return float(np.abs(seen - expected).max(initial=0) / max(np.abs(expected).max(initial=0), 1e-300))


lengths = st.one_of(st.integers(1, 40), st.sampled_from([1, 11, 13, 17, 64, 97, 127]))


@settings(max_examples=80)
@given(
    shape=st.lists(lengths, min_size=1, max_size=3),
    norm=st.sampled_from([None, *NORMS]),
    threads=st.integers(0, 3),
    kind=st.sampled_from(["complex128", "complex64", "float64", "float32", "float16", "int16", "bool", ">c16", ">c8"]),
)
def test_agrees_with_numpy(shape: list[int], norm: Any, threads: int, kind: str) -> None:
    a = (8 * uniform(*shape)).view(np.float64)[..., ::2].astype(kind) if kind != "complex128" else uniform(*shape)
    forward, backward = np.fft.fftn(a.astype(complex), norm=norm), np.fft.ifftn(a.astype(complex), norm=norm)
    single = kind in ("complex64", "float32", ">c8")
    tolerance, dtype = (SINGLE_TOLERANCE, np.complex64) if single else (TOLERANCE, np.complex128)
    assert error(fft.fftn(a, norm=norm, threads=threads), forward, dtype) < tolerance
    assert error(fft.ifftn(a, norm=norm, threads=threads), backward, dtype) < tolerance


@settings(max_examples=80)
@given(shape=st.lists(st.integers(1, 9), min_size=1, max_size=5), data=st.data())
def test_last_axes_agree_with_numpy(shape: list[int], data: st.DataObject) -> None:
    dimensions = len(shape)
    count = data.draw(st.integers(1, min(3, dimensions)))
    axes = data.draw(st.permutations(range(dimensions - count, dimensions)))
    axes = [axis - dimensions if data.draw(st.booleans()) else axis for axis in axes]
    norm: Any = data.draw(st.sampled_from(NORMS))
    a = uniform(*shape)
    assert error(fft.fftn(a, axes=axes, norm=norm), np.fft.fftn(a, axes=axes, norm=norm)) < TOLERANCE
    assert error(fft.ifftn(a, axes=axes, norm=norm), np.fft.ifftn(a, axes=axes, norm=norm)) < TOLERANCE


def test_no_transforms_give_no_values() -> None:
    assert fft.fftn(np.zeros((0, 4, 5)), axes=(1, 2)).shape == (0, 4, 5)
    assert fft.fftn(np.zeros((3, 0, 4, 5, 6)), axes=(-3, -2, -1)).shape == (3, 0, 4, 5, 6)


def test_out_is_used_and_may_be_the_input() -> None:
    a = uniform(9, 11, 8)
    expected, kept = np.fft.fftn(a), a.copy()
    out = np.full(a.shape, np.nan + 0j)
    assert fft.fftn(a, out=out) is out
    assert error(out, expected) < TOLERANCE
    assert np.array_equal(a, kept)
    assert fft.fftn(a, out=a) is a
    assert error(a, expected) < TOLERANCE
    assert fft.ifftn(a, out=a) is a
    assert error(a, kept) < TOLERANCE
    batch = uniform(3, 4, 5, 6, 7)
    expected = np.fft.fftn(batch, axes=(2, 3, 4))
    assert error(fft.fftn(batch, axes=(2, 3, 4), out=batch), expected) < TOLERANCE


def test_arrays_of_any_stride_alignment_and_kind() -> None:
    a = uniform(6, 10, 8)
    expected = np.fft.fftn(a)
    memory = np.empty(a.nbytes + 16, dtype=np.uint8)
    odd = memory[3 : 3 + a.nbytes].view(np.complex128).reshape(a.shape)
    odd[...] = a
    read_only = a.copy()
    read_only.flags.writeable = False
    for same in (np.asfortranarray(a), odd, a[::-1].copy()[::-1], np.repeat(a, 2, axis=1)[:, ::2], read_only):
        kept = same.copy()
        assert error(fft.fftn(same), expected) < TOLERANCE
        assert np.array_equal(same, kept)
    assert error(fft.fftn(a.tolist()), expected) < TOLERANCE
    # What is written over may be what the input, copied first, was read from.
    assert error(fft.fftn(a[::-1], out=a), np.fft.fftn(uniform(6, 10, 8)[::-1])) < TOLERANCE


def test_an_input_that_is_copied_is_transformed_in_its_copy() -> None:
    real = uniform(8, 8).real.copy()
    seen = fft.fftn(real)
    assert error(seen, np.fft.fftn(real)) < TOLERANCE
    assert not np.may_share_memory(seen, real)
    a = uniform(8, 8)
    assert not np.may_share_memory(fft.fftn(a), a)


@pytest.mark.parametrize("shape", [(5000,), (6, 11), (13, 30, 17), (3, 8, 9, 10)])
def test_complex64_stays_complex64(shape: tuple[int, ...]) -> None:
    axes = range(-min(3, len(shape)), 0)
    a = uniform(*shape).astype(np.complex64)
    modes, kept = np.fft.fftn(a.astype(complex), axes=axes), a.copy()
    out = np.empty_like(a)
    assert fft.fftn(a, axes=axes, out=out) is out
    assert error(out, modes, np.complex64) < SINGLE_TOLERANCE
    assert np.array_equal(a, kept)
    assert fft.ifftn(out, axes=axes, out=out) is out
    assert error(out, kept, np.complex64) < SINGLE_TOLERANCE
    real = np.ascontiguousarray(a.real)
    assert error(fft.fftn(real, axes=axes), np.fft.fftn(real.astype(float), axes=axes), np.complex64) < 2e-6


def test_a_plan_converts_to_its_dtype() -> None:
    a = uniform(7, 9, 12)
    expected = np.fft.fftn(a)
    single, double = FourierPlan(a.shape, dtype="complex64"), FourierPlan(a.shape)
    assert single.dtype == np.complex64
    assert double.dtype == np.complex128
    assert "complex64" in repr(single)
    for same in (a, a.astype(np.complex64), a[::-1].copy()[::-1]):
        assert error(single.forward(same), expected, np.complex64) < SINGLE_TOLERANCE
        assert error(double.forward(same), expected) < SINGLE_TOLERANCE
    assert single.lone_flops == double.lone_flops
    factors = [np.linspace(-1, 2, length) for length in a.shape]
    filtered = np.fft.ifftn(a * factors[0][:, None, None] * factors[1][:, None] * factors[2])
    assert error(single.backward(a, factors=factors), filtered, np.complex64) < SINGLE_TOLERANCE
    for wrong in (np.float32, "complex256", int, "no such type"):
        with pytest.raises(FourierArgumentError, match="expected complex128 or complex64"):
            FourierPlan(a.shape, dtype=wrong)
    with pytest.raises(FourierArgumentError, match="a has dtype <U1"):
        single.forward(np.full(a.shape, "a"))


def test_plan_transforms_many_arrays() -> None:
    plan = FourierPlan((12, 22, 15), norm="ortho", threads=2)
    for seed in range(3):
        a = uniform(12, 22, 15, seed=seed)
        modes = plan.forward(a)
        assert error(modes, np.fft.fftn(a, norm="ortho")) < TOLERANCE
        assert plan.backward(modes, out=modes) is modes
        assert error(modes, a) < TOLERANCE
    assert (plan.shape, plan.axes, plan.norm) == ((12, 22, 15), (0, 1, 2), "ortho")
    assert plan.instruction_set in repr(plan)
    assert plan.scratch_bytes > 0
    with pytest.raises(FourierArgumentError, match=r"a has shape \(12, 22\); expected \(12, 22, 15\)"):
        plan.forward(np.zeros((12, 22)))


def test_plan_says_what_it_does() -> None:
    cube, batch = FourierPlan((64, 64, 64)), FourierPlan((5, 64, 64, 64), axes=(1, 2, 3))
    flops = cube.multiply_add_flops + cube.lone_flops
    assert 0.5 < flops / (5 * 18 * 64**3) < 1
    assert batch.multiply_add_flops + batch.lone_flops == 5 * flops
    planes = FourierPlan((5, 64, 64), axes=(1, 2))
    assert planes.lone_flops == 5 * FourierPlan((64, 64)).lone_flops
    # What the library reports is what Python computes on its own: the structures agree.
    assert cube._sizes.values == 64**3
    assert planes._sizes.values == 5 * 64**2


@pytest.mark.parametrize("shape", [(7,), (6, 11), (4, 5, 6)])
def test_factors_are_a_filter(shape: tuple[int, ...]) -> None:
    plan = FourierPlan(shape)
    a = uniform(*shape)
    factors = [np.linspace(-1, 2, length) for length in shape]
    filtered = a.copy()
    for axis, factor in enumerate(factors):
        filtered *= factor.reshape([-1 if axis == other else 1 for other in range(len(shape))])
    assert error(plan.backward(a, factors=factors), np.fft.ifftn(filtered)) < TOLERANCE
    assert error(plan.backward(a, factors=[f[::-1].copy()[::-1] for f in factors]), np.fft.ifftn(filtered)) < TOLERANCE
    for wrong in (factors[1:], [*factors[:-1], factors[-1][1:]], [*factors[:-1], factors[-1] * 1j]):
        with pytest.raises(FourierArgumentError, match="factors"):
            plan.backward(a, factors=wrong)
    with pytest.raises(FourierArgumentError, match="a plan of all axes"):
        FourierPlan((2, *shape), axes=range(1, len(shape) + 1)).backward([a, a], factors=factors)


def test_many_threads_share_a_plan() -> None:
    plan = FourierPlan((16, 20, 22), threads=1)
    a = uniform(16, 20, 22)
    expected = plan.forward(a)
    wrong: list[int] = []

    def work(number: int) -> None:
        wrong.extend(number for _ in range(20) if not np.array_equal(plan.forward(a), expected))

    callers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def test_plans_are_kept_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_module.kept_plan.cache_clear()
    a = uniform(4, 6)
    fft.fftn(a)
    fft.ifftn(a, axes=(0, 1))
    assert plan_module.kept_plan.cache_info().hits == 1
    freed: list[Any] = []
    library = fft_library.load()
    destroy = library.rooftop_fft_plan_destroy
    monkeypatch.setattr(library, "rooftop_fft_plan_destroy", lambda handle: freed.append(destroy(handle)))
    plan = FourierPlan((3,))
    del plan
    gc.collect()
    assert len(freed) == 1


def test_scratch_is_kept_unless_it_is_large(monkeypatch: pytest.MonkeyPatch) -> None:
    plan = FourierPlan((30, 20))
    assert plan._scratch_memory() is plan._scratch_memory()
    monkeypatch.setattr(planned, "SCRATCH_BYTES_KEPT", 100)
    plan = FourierPlan((30, 20))
    assert plan._scratch_memory() is not plan._scratch_memory()


A = uniform(3, 4, 5)
READ_ONLY = np.zeros_like(A)
READ_ONLY.flags.writeable = False
MEMORY = uniform(2 * A.size)


@pytest.mark.parametrize(
    ("a", "options", "parts"),
    [
        (np.array(["x"]), {}, ["a has dtype <U1", "expected a numeric dtype"]),
        (np.array([None]), {}, ["a has dtype object", "expected a numeric dtype"]),
        (1.5, {}, ["0 dimensions", "expected one or more"]),
        (A, {"axes": (-1, 2)}, ["axes is (-1, 2)", "repeated axis"]),
        (A, {"axes": (3,)}, ["axes is [3]", "3 dimensions"]),
        (A, {"axes": ()}, ["axes is []"]),
        (A, {"axes": "x"}, ["axes is 'x'", "whole number"]),
        (A, {"s": (2, 3), "axes": (0,)}, ["s has 2 lengths for 1 axes"]),
        (A, {"s": (0,)}, ["s is (0,)", "above 0"]),
        (A, {"workers": 0}, ["workers is 0", "above 0"]),
        (A, {"workers": 2, "threads": 2}, ["workers is 2 and threads is 2"]),
        (A, {"overwrite_x": 1}, ["overwrite_x is 1", "True or False"]),
        (A, {"axes": (0.5,)}, ["axes is 0.5", "whole number"]),
        (A, {"norm": "unitary"}, ["norm is 'unitary'", "backward, ortho, forward"]),
        (A, {"threads": -10000}, ["threads is -10000", "processors"]),
        (A, {"threads": 1 << 32}, ["threads", str(1 << 32)]),
        (A, {"threads": 1.5}, ["threads is 1.5", "whole number"]),
        (np.zeros((3, 0, 2)), {}, ["shape is (3, 0, 2)", "at least one value along each transformed axis"]),
        (np.zeros((8388617, 0)), {"axes": (1,)}, ["shape is (8388617, 0)"]),
        (A, {"out": np.zeros((3, 4, 6), complex)}, ["out has shape (3, 4, 6)", "expected (3, 4, 5)"]),
        (A, {"out": np.zeros((3, 4, 5))}, ["out has dtype float64", "complex128"]),
        (A, {"out": [1]}, ["out is a list", "complex128"]),
        (A, {"out": np.zeros((3, 4, 5), np.complex64)}, ["out has dtype complex64", "NumPy array of complex128"]),
        (A.astype(np.complex64), {"out": A}, ["out has dtype complex128", "NumPy array of complex64"]),
        (A, {"out": np.zeros((5, 4, 3), complex).T}, ["out has strides", "C-contiguous"]),
        (A, {"out": READ_ONLY}, ["out is read-only"]),
        (
            MEMORY[: A.size].reshape(A.shape),
            {"out": MEMORY[1 : A.size + 1].reshape(A.shape)},
            ["out partly overlaps a"],
        ),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(a: Any, options: Any, parts: list[str]) -> None:
    for transform in (fft.fftn, fft.ifftn):
        with pytest.raises(FourierArgumentError) as caught:
            transform(a, **options)
        message = str(caught.value)
        assert all(part in message for part in parts), message
        assert "\n" not in message
        assert isinstance(caught.value, ValueError)
        assert isinstance(caught.value, Misuse)


@pytest.mark.parametrize(
    "shape", [(-1,), (8388617,), (1 << 25,), (1 << 70,), (1 << 20, 1 << 20, 1 << 20), (2.5,), 7, ()]
)
def test_shapes_that_cannot_be(shape: Any) -> None:
    with pytest.raises(FourierArgumentError):
        FourierPlan(shape)


def test_the_interface_is_the_headers() -> None:
    header = HEADER.read_text(encoding="utf-8")
    constants = dict(re.findall(r"#define ROOFTOP_FFT_(\w+) (\d+)", header))
    assert int(constants["ABI_VERSION"]) == fft_library.ABI_VERSION
    assert int(constants["ALIGNMENT"]) == array_addresses.ALIGNMENT
    cmake = (HEADER.parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"SOVERSION {fft_library.ABI_VERSION})" in cmake


def test_a_file_that_is_not_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = fft_library.load.__wrapped__
    monkeypatch.setenv("ROOFTOP_FFT_LIBRARY", str(ctypes.util.find_library("m")))
    with pytest.raises(NotBuilt, match="cannot be loaded"):
        load()
    monkeypatch.delenv("ROOFTOP_FFT_LIBRARY")
    with pytest.raises(NotBuilt, match="it has no rooftop_fft_no_such: build it again"):
        solver_library.load("fft", "Fourier transform", fft_library.ABI_VERSION, [("no_such", None, [])])
    monkeypatch.setenv("ROOFTOP_BUILD", str(tmp_path))
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    with pytest.raises(NotBuilt, match="the Fourier transform solver is not built"):
        load()


@pytest.mark.parametrize("name", ["conv", "fft"])
def test_a_library_exports_its_functions_and_nothing_else(name: str) -> None:
    from rooftop.settings import Settings

    library = Settings().build_folder / "solvers" / name / f"librooftop_{name}.so"
    words = ["nm", "-D", "--defined-only", str(library)]
    listed = subprocess.run(words, capture_output=True, text=True, check=False).stdout.splitlines()
    if not listed:
        pytest.skip(f"{library} is not there, or nm is missing")
    assert [line for line in listed if not line.split()[-1].startswith(f"rooftop_{name}_")] == []


@pytest.mark.parametrize("kind", [fft.FourierPlan, fft.RealFourierPlan])
def test_measured_plans_are_right(kind: type[fft.FourierPlan] | type[fft.RealFourierPlan]) -> None:
    plan = kind((40, 36), threads=2, measure=True)
    assert plan.measure
    a = np.random.default_rng(1).random((40, 36))
    right = np.fft.rfft2(a) if kind is fft.RealFourierPlan else np.fft.fft2(a)
    for one in (plan, pickle.loads(pickle.dumps(plan)), copy.copy(plan)):
        np.testing.assert_allclose(one.forward(a), right, rtol=1e-12, atol=1e-12)
        np.testing.assert_allclose(one.backward(right), a, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("axis", [-3, -2, 0, 1, 2, 3])
def test_a_plan_takes_any_single_axis(axis: int) -> None:
    a = np.random.default_rng(1).random((5, 6, 7, 8)) + 0j
    plan = fft.FourierPlan(a.shape, axes=(axis,), norm="ortho")
    assert plan.axes == (axis % 4,)
    np.testing.assert_allclose(plan.forward(a), np.fft.fft(a, axis=axis, norm="ortho"), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(plan.backward(a), np.fft.ifft(a, axis=axis, norm="ortho"), rtol=1e-12, atol=1e-12)
    empty = fft.FourierPlan((0, 3, 0), axes=(1,))
    assert empty.forward(np.zeros((0, 3, 0))).shape == (0, 3, 0)


def test_only_complex_values_have_any_single_axis() -> None:
    with pytest.raises(fft.FourierArgumentError, match=r"expected the last one, two or three of them$"):
        fft.RealFourierPlan((4, 5), axes=(0,))
    with pytest.raises(fft.FourierArgumentError, match=r"or a single one$"):
        fft.FourierPlan((4, 5, 6), axes=(0, 1))


def test_axes_that_are_not_the_last_ones_work_in_the_result() -> None:
    a = np.random.default_rng(1).random((4, 5, 6, 3, 2)) + 1j
    before = a.copy()
    for axes in ((0,), (0, 2), (1, 4), (0, 1, 2, 3, 4), (3, 1)):
        right = np.fft.fftn(before, axes=axes)
        np.testing.assert_allclose(fft.fftn(a, axes=axes), right, rtol=1e-12, atol=1e-12)
        np.testing.assert_array_equal(a, before)
        out = np.empty_like(a)
        assert fft.fftn(a, axes=axes, out=out) is out
        np.testing.assert_allclose(out, right, rtol=1e-12, atol=1e-12)
        own = a.copy()
        assert fft.fftn(own, axes=axes, out=own) is own
        np.testing.assert_allclose(own, right, rtol=1e-12, atol=1e-12)
