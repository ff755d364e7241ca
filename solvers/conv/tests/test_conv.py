"""The solver on NumPy arrays: right, without needless copies, and plain about what it cannot take."""

from __future__ import annotations

import ctypes
import gc
import re
import threading
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from uniform_arrays import uniform

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import conv
from rooftop.solvers.c_interface import array_addresses
from rooftop.solvers.conv import ConvArgumentError, ConvPlan, arrays, empty, from_blocked, to_blocked
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.conv import plan as plan_module

from .conftest import direct

pytestmark = pytest.mark.usefixtures("library")
HEADER = Path(__file__).parents[1] / "include" / "rooftop" / "conv.h"


def error(y: Any, reference: Any, c: int) -> float:
    return float(np.abs(y - reference).max() / max(np.abs(reference).max(), np.sqrt(c)))


@settings(deadline=None, max_examples=60)
@given(
    n=st.integers(1, 3),
    c=st.integers(1, 40),
    h=st.integers(3, 20),
    w=st.integers(3, 20),
    k=st.integers(1, 40),
    padding=st.integers(0, 1),
    accuracy=st.sampled_from(["strict", "balanced", "relaxed"]),
    threads=st.integers(0, 3),
)
def test_conv2d_agrees_with_double_precision(
    n: int, c: int, h: int, w: int, k: int, padding: int, accuracy: Any, threads: int
) -> None:
    x, filters = uniform(n, c, h, w), uniform(k, c, 3, 3, seed=2)
    reference = direct(x, filters, padding)
    y = conv.conv2d(x, filters, padding=padding, accuracy=accuracy, threads=threads)
    assert y.dtype == np.float32
    assert y.shape == reference.shape
    assert error(y, reference, c) < 4e-5
    blocked = conv.conv2d(to_blocked(x), filters, padding=padding, accuracy=accuracy, layout="blocked")
    assert error(from_blocked(blocked, k), reference, c) < 4e-5


def test_plan_says_what_it_does() -> None:
    plan = ConvPlan(2, 20, 12, 14, 33, padding=1, layout=("nchw", "blocked"), algorithm="F(2)", threads=1)
    assert (plan.image_shape, plan.output_shape) == ((2, 20, 12, 14), (2, 3, 12, 14, 16))
    assert plan.algorithm == "F(2)"
    assert plan.direct_flops == 18 * 2 * 33 * 20 * 12 * 14
    assert plan.instruction_set in repr(plan)
    assert plan.filter_bytes >= 16 * 20 * 33 * 4
    assert plan.multiply_add_flops > 0
    assert plan.transform_flops >= 0
    # What the library reports is what Python computes on its own: the structures agree.
    sizes = plan._sizes
    assert sizes.image_floats == np.prod(plan.image_shape)
    assert sizes.output_floats == np.prod(plan.output_shape)
    x, w = uniform(2, 20, 12, 14), uniform(33, 20, 3, 3)
    assert error(from_blocked(plan(x, w), 33), direct(x, w, 1), 20) < 1e-5


def test_a_transformed_filter_serves_many_images() -> None:
    plan = ConvPlan(1, 8, 10, 10, 8)
    w = uniform(8, 8, 3, 3)
    transformed = plan.transform_filter(w)
    for seed in range(3):
        x = uniform(1, 8, 10, 10, seed=seed)
        assert error(plan.run(x, transformed), direct(x, w), 8) < 1e-5


def test_a_plain_filter_is_taken_as_it_is() -> None:
    plan = ConvPlan(1, 8, 10, 10, 8, filter_form="plain")
    x, w = uniform(1, 8, 10, 10), uniform(8, 8, 3, 3)
    assert plan.filter_bytes == w.nbytes
    assert error(plan.run(x, w), direct(x, w), 8) < 1e-5
    assert np.array_equal(plan(x, w), conv.conv2d(x, w))
    with pytest.raises(ConvArgumentError, match="plain"):
        plan.transform_filter(w, out=empty((w.size,)))
    with pytest.raises(ConvArgumentError, match=r"filters has shape .* expected \(8, 8, 3, 3\)"):
        plan.run(x, w.reshape(-1))
    with pytest.raises(ConvArgumentError, match="expected one of transformed, plain"):
        ConvPlan(1, 8, 10, 10, 8, filter_form="raw")  # type: ignore[arg-type]


def test_out_is_used_and_nothing_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    x, w = uniform(1, 4, 9, 9), uniform(5, 4, 3, 3)
    out = np.full((1, 5, 7, 7), np.nan, dtype=np.float32)
    plan = ConvPlan(1, 4, 9, 9, 5)
    transformed = plan.transform_filter(w)
    plan.scratch()
    for module in (arrays, plan_module):
        monkeypatch.setattr(module, "empty", lambda shape: pytest.fail(f"allocated {shape}"))
    assert plan.run(x, transformed, out=out) is out
    monkeypatch.undo()
    assert error(out, direct(x, w), 4) < 1e-5
    assert conv.conv2d(x, w, out=out) is out


def test_arrays_of_any_stride_and_alignment() -> None:
    x, w = uniform(2, 6, 11, 10), uniform(7, 6, 3, 3)
    reference = direct(x, w)
    channels_last = np.ascontiguousarray(x.transpose(0, 2, 3, 1)).transpose(0, 3, 1, 2)
    memory = np.empty(x.nbytes + 64, dtype=np.uint8)
    odd = memory[2 : 2 + x.nbytes].view(np.float32).reshape(x.shape)
    odd[...] = x
    for image in (channels_last, odd, np.flip(np.flip(x, 3).copy(), 3), x[:, ::-1][:, ::-1]):
        assert error(conv.conv2d(image, w), reference, 6) < 1e-5
    transposed = np.ascontiguousarray(w.transpose(2, 3, 1, 0)).transpose(3, 2, 0, 1)
    assert error(conv.conv2d(x, transposed), reference, 6) < 1e-5
    # An unaligned blocked image is copied to where the solver can read it.
    blocked = to_blocked(x)
    shifted = empty((blocked.size + 1,))[1:].reshape(blocked.shape)
    shifted[...] = blocked
    assert error(from_blocked(conv.conv2d(shifted, w, layout="blocked"), 7), reference, 6) < 1e-5


def test_blocked_layout_is_as_documented() -> None:
    x = uniform(2, 19, 3, 4)
    blocked = to_blocked(x)
    assert blocked.shape == (2, 2, 3, 4, 16)
    assert blocked.ctypes.data % 64 == 0
    assert blocked[1, 1, 2, 3, 2] == x[1, 18, 2, 3]
    assert not blocked[:, 1, :, :, 3:].any()
    assert np.array_equal(from_blocked(blocked, 19), x)


def test_many_threads_share_a_plan() -> None:
    plan = ConvPlan(1, 16, 20, 20, 24, threads=1)
    x, w = uniform(1, 16, 20, 20), uniform(24, 16, 3, 3)
    transformed, expected = plan.transform_filter(w), plan(x, w)
    wrong: list[int] = []

    def work(number: int) -> None:
        wrong.extend(number for _ in range(20) if not np.array_equal(plan.run(x, transformed), expected))

    callers = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


def test_plans_are_kept_and_given_back(monkeypatch: pytest.MonkeyPatch) -> None:
    plan_module.kept_plan.cache_clear()
    x, w = uniform(1, 2, 5, 5), uniform(2, 2, 3, 3)
    conv.conv2d(x, w)
    conv.conv2d(x, w)
    assert plan_module.kept_plan.cache_info().hits == 1
    freed: list[Any] = []
    destroy = conv_library.load().rooftop_conv_plan_destroy
    library = conv_library.load()
    monkeypatch.setattr(library, "rooftop_conv_plan_destroy", lambda handle: freed.append(destroy(handle)))
    plan = ConvPlan(1, 1, 3, 3, 1)
    del plan
    gc.collect()
    assert len(freed) == 1


X, W = uniform(1, 2, 5, 6), uniform(3, 2, 3, 3)
READ_ONLY = np.zeros((1, 3, 3, 4), dtype=np.float32)
READ_ONLY.flags.writeable = False


@pytest.mark.parametrize(
    ("arguments", "options", "parts"),
    [
        ((X.astype(np.float64), W), {}, ["x", "float64", "expected float32"]),
        ((X, W.astype(np.float16)), {}, ["w", "float16", "expected float32"]),
        ((X.astype(">f4"), W), {}, ["x", ">f4", "expected float32"]),
        ((X.tolist(), W), {}, ["x", "list", "expected a NumPy array"]),
        ((X[0, 0], W), {}, ["x", "(5, 6)", "expected (any, 2, any, any)"]),
        ((X[:, :1], W), {}, ["x", "(1, 1, 5, 6)", "expected (any, 2, any, any)"]),
        ((X, W[:, :, :2]), {}, ["w", "(3, 2, 2, 3)", "expected (any, any, 3, 3)"]),
        ((X, W), {"layout": "blocked"}, ["x", "expected (any, 1, any, any, 16)"]),
        ((X, W), {"layout": "nhwc"}, ["layout", "'nhwc'", "nchw, blocked"]),
        ((X, W), {"accuracy": "exact"}, ["accuracy", "'exact'", "strict, balanced, relaxed"]),
        ((X, W), {"padding": 0.5}, ["padding", "0.5", "whole number"]),
        ((X, W), {"padding": 1 << 64}, ["padding", str(1 << 64)]),
        ((X, W), {"threads": -1}, ["threads", "-1"]),
        ((X, W), {"threads": 1 << 32}, ["threads", str(1 << 32)]),
        ((X[:, :, :2], W), {}, ["2"]),
        ((X, W[:0]), {}, ["0"]),
        ((X, W), {"out": np.zeros((1, 3, 3, 5), np.float32)}, ["out", "(1, 3, 3, 5)", "expected (1, 3, 3, 4)"]),
        ((X, W), {"out": np.zeros((1, 3, 3, 4))}, ["out", "float64"]),
        ((X, W), {"out": np.zeros((1, 3, 4, 3), np.float32).swapaxes(2, 3)}, ["out", "C-contiguous"]),
        ((X, W), {"out": READ_ONLY}, ["out", "read-only"]),
        ((X, W), {"out": X.reshape(-1)[:36].reshape(1, 3, 3, 4)}, ["out", "overlaps"]),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(arguments: Any, options: Any, parts: list[str]) -> None:
    with pytest.raises(ConvArgumentError) as caught:
        conv.conv2d(*arguments, **options)
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, Misuse)


@pytest.mark.parametrize(
    "sizes", [(0, 1, 3, 3, 1), (1, -1, 3, 3, 1), (1, 1, 3, 3, 2**62), (2**20, 2**20, 2**20, 2**20, 1), (1, 1, 2, 3, 1)]
)
def test_sizes_that_cannot_be(sizes: tuple[int, ...]) -> None:
    with pytest.raises(ConvArgumentError):
        ConvPlan(*sizes)


def test_the_interface_is_the_headers() -> None:
    header = HEADER.read_text(encoding="utf-8")
    constants = dict(re.findall(r"#define ROOFTOP_CONV_(\w+) (\d+)", header))
    assert int(constants["ABI_VERSION"]) == conv_library.ABI_VERSION
    assert int(constants["ALIGNMENT"]) == array_addresses.ALIGNMENT
    assert int(constants["CHANNEL_BLOCK"]) == conv_library.CHANNEL_BLOCK
    cmake = (HEADER.parents[2] / "CMakeLists.txt").read_text(encoding="utf-8")
    assert f"SOVERSION {conv_library.ABI_VERSION})" in cmake


def test_a_file_that_is_not_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    load = conv_library.load.__wrapped__
    (tmp_path / "not.so").write_text("no library")
    monkeypatch.setenv("ROOFTOP_CONV_LIBRARY", str(tmp_path / "not.so"))
    with pytest.raises(NotBuilt, match="cannot be loaded"):
        load()
    monkeypatch.setenv("ROOFTOP_CONV_LIBRARY", str(ctypes.util.find_library("m")))
    with pytest.raises(NotBuilt, match="cannot be loaded"):
        load()
    monkeypatch.delenv("ROOFTOP_CONV_LIBRARY")
    monkeypatch.setenv("ROOFTOP_BUILD", str(tmp_path))
    monkeypatch.setattr(ctypes.util, "find_library", lambda name: None)
    with pytest.raises(NotBuilt, match="is not built"):
        load()


@pytest.mark.case("solvers.C1.direct")
def test_conv2d_takes_an_algorithm() -> None:
    x, filters = uniform(1, 16, 20, 20), uniform(16, 16, 3, 3, seed=2)
    before = conv.conv2d(x, filters, algorithm="direct")
    x[0, 3, 10, 10] = np.inf
    beside = conv.conv2d(x, filters, algorithm="direct")
    reached = np.zeros(before.shape, bool)
    reached[..., 8:11, 8:11] = True
    assert np.isinf(beside[reached]).all()
    assert np.array_equal(beside[~reached], before[~reached])
    with pytest.raises(ConvArgumentError, match=r"algorithm is 'fast'; expected one of automatic, direct"):
        conv.conv2d(x, filters, algorithm=cast(Any, "fast"))
