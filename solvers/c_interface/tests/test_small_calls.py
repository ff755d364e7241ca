"""Calls of ordinary arrays take a short way to the C function: with the results and the refusals of the long way."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import Stop, conv, fft
from rooftop.solvers.c_interface import calls_in_progress
from rooftop.solvers.c_interface.array_addresses import address, aligned, overlap
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.fft.planned import PlannedTransform
from rooftop.solvers.network import library as network_library
from rooftop.solvers.routing import Problem
from rooftop.solvers.routing import library as routing_library

Copied = Callable[[np.ndarray[Any, Any]], np.ndarray[Any, Any]]


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Skips all where a solver is not built."""
    try:
        for one in (conv_library, fft_library, network_library, routing_library):
            one.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def read_only(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    copy = array.copy()
    copy.flags.writeable = False
    return copy


def unaligned(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    memory = np.empty(array.nbytes + 1, np.uint8)
    odd: np.ndarray[Any, Any] = memory[1:].view(array.dtype).reshape(array.shape)
    odd[...] = array
    return odd


def strided(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return np.repeat(array, 2, axis=-1)[..., ::2]


class Subclass(np.ndarray[Any, Any]):
    """An array of another class."""


PLACED: list[Copied] = [
    np.copy,
    read_only,
    unaligned,
    strided,
    np.asfortranarray,
    lambda array: array.view(Subclass),
    lambda array: array.astype(array.dtype.newbyteorder()),
]


def the_long_way(monkeypatch: pytest.MonkeyPatch) -> None:
    fft.forget_brief_calls()
    for plan in (fft.FourierPlan, conv.ConvPlan):
        monkeypatch.setattr(plan, "run_at_once", lambda *_: None)
    monkeypatch.setattr(conv.ConvPlan, "run_of_shape", lambda *_: None)


def test_addresses_are_those_of_ctypes() -> None:
    values = np.arange(6.0)
    for array in (values, values[2:], read_only(values), np.empty((0, 3)), np.array(1.0), np.array(["2020"], "M8[D]")):
        assert address(array) == array.ctypes.data
    for count in range(1, 20):
        array, at = aligned((count,), count, np.dtype(np.float32))
        assert (array.shape, at, at % 64) == ((count,), array.ctypes.data, 0)
    assert aligned((2, 3), 6, np.dtype(np.complex128))[0].shape == (2, 3)


@pytest.mark.parametrize(("second", "expected"), [(84, False), (85, True), (100, True), (115, True), (116, False)])
def test_overlap_of_16_bytes_at_100(second: int, expected: bool) -> None:
    assert overlap(100, 16, second, 16) is overlap(second, 16, 100, 16) is expected


@pytest.mark.parametrize("dtype", [np.complex128, np.complex64, np.float64, np.float32, np.int16])
@pytest.mark.parametrize("placed", PLACED)
def test_transforms_are_those_of_the_long_way(placed: Copied, dtype: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    a = placed((100 * np.random.default_rng(1).random((3, 4, 5))).astype(dtype))
    kept = a.copy()
    options: list[dict[str, Any]] = [
        *({"norm": norm} for norm in (None, "backward", "ortho", "forward")),
        *({"axes": axes} for axes in (None, 2, -1, (-1,), (-2, -1), (-3, -2, -1), (1, 2), [-1], (0,), 0, (0, 1))),
        {"threads": 1},
        {"threads": -1},
        {"workers": 1},
        {"s": (3, 4, 6)},
    ]

    def results() -> list[tuple[Any, ...]]:
        found = [transform(a, **option) for transform in (fft.fftn, fft.ifftn) for option in options]
        if np.can_cast(a.dtype, np.complex128):
            plan = fft.FourierPlan(a.shape, norm="ortho")
            found += [plan.forward(a), plan.backward(a), plan.forward(a, out=np.empty(a.shape, complex))]
        return [(one.dtype, one.shape, one.flags.c_contiguous, one.tobytes()) for one in found]

    short = results()
    the_long_way(monkeypatch)
    assert results() == short
    assert np.array_equal(a, kept)


def test_ordinary_arrays_take_the_short_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(fft.FourierPlan, "_run")
    monkeypatch.delattr(fft.RealFourierPlan, "_transformed")
    monkeypatch.delattr(PlannedTransform, "_run_long")
    a, out = np.ones((4, 8), complex), np.empty((4, 8), complex)
    for array in (a, a.real, a.astype(np.complex64), a[:, ::-1], read_only(a)):
        fft.fftn(array)
        fft.ifftn(array, axes=-1, norm="ortho", threads=1)
    for array in (a.real.copy(), a.real.astype(np.float32)):
        fft.rfftn(array)
        fft.rfftn(array, axes=-1, norm="ortho", threads=1)
    assert fft.fftn(a, out=out) is out
    assert fft.fftn(a, overwrite_x=True) is a
    assert fft.FourierPlan((4, 8)).backward(a, out=a) is a
    x, w = np.ones((1, 2, 6, 6), np.float32), np.ones((3, 2, 3, 3), np.float32)
    plan = conv.ConvPlan(1, 2, 6, 6, 3)
    transformed = plan.transform_filter(w)
    monkeypatch.setattr("rooftop.solvers.conv.plan.check_array", None)
    y = conv.conv2d(x, w, np.ones(3, np.float32), padding=1)
    assert conv.conv2d(x, w, padding=1, out=y) is y
    assert conv.conv2d(x, w, np.ones(3, np.float32), padding=1, out=y) is y
    plan.run(x, transformed)


@pytest.mark.case("solvers.D3.options")
def test_options_equal_to_those_of_a_kept_plan_are_refused() -> None:
    a, x, w = np.ones((1, 8)), np.ones((1, 1, 4, 4), np.float32), np.ones((1, 1, 3, 3), np.float32)
    right: list[dict[str, Any]] = [{"threads": 1}, {"axes": 1}, {"axes": (-1,)}, {"axes": (-2, -1)}]
    wrong: list[dict[str, Any]] = [
        *({"threads": value} for value in (True, 1.0, np.True_)),
        *({"axes": value} for value in (True, 1.0, (-1.0,), (-2, -1.0))),
    ]
    for options in right:
        fft.fftn(a, **options)
    for options in wrong:
        with pytest.raises(Misuse, match="whole number"):
            fft.fftn(a, **options)
    for options in ({"norm": 1}, {"norm": []}, {"overwrite_x": 0}, {"overwrite_x": "no"}):
        with pytest.raises(Misuse, match=r"norm is|overwrite_x is"):
            fft.fftn(a, **options)
    convolved: Any = conv.conv2d
    for name in ("stride", "padding", "dilation", "groups", "threads"):
        convolved(x, w, **{name: 1})
        for value in (True, 1.0, np.True_):
            with pytest.raises(Misuse, match=f"{name} is"):
                convolved(x, w, **{name: value})
    for options in ({"accuracy": ["strict"]}, {"algorithm": None}, {"layout": np.array(["nchw", "nchw"])}):
        with pytest.raises((Misuse, ValueError)):
            convolved(x, w, **options)


def test_results_do_not_go_into_arrays_that_they_overlap() -> None:
    memory = np.ones(24, complex)
    with pytest.raises(Misuse, match="partly overlaps"):
        fft.fftn(memory[:16], out=memory[1:17])
    assert fft.fftn(memory[:8], out=memory[8:16])[0] == 8
    with pytest.raises(Misuse, match="read-only"):
        fft.fftn(memory, out=read_only(memory))
    floats = np.ones(200, np.float32)
    x, w = floats[:64].reshape(1, 1, 8, 8), floats[64:73].reshape(1, 1, 3, 3)
    for first in (0, 30, 63, 72):
        with pytest.raises(Misuse, match="out overlaps an input"):
            conv.conv2d(x, w, out=floats[first : first + 36].reshape(1, 1, 6, 6))
    out, bias = floats[73:109].reshape(1, 1, 6, 6), floats[100:101]
    assert np.allclose(conv.conv2d(x, w, out=out), 9)
    with pytest.raises(Misuse, match="out overlaps bias"):
        conv.conv2d(x, w, bias, out=out)


@pytest.mark.parametrize("placed", PLACED[:-1])
def test_convolutions_are_those_of_the_long_way(placed: Copied, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(1)
    x, w = placed(rng.random((2, 5, 9, 7), np.float32)), placed(rng.random((4, 5, 3, 3), np.float32))
    bias = rng.random(4, np.float32)
    options: list[dict[str, Any]] = [
        {},
        {"bias": bias},
        {"bias": read_only(bias), "threads": 2},
        {"bias": np.repeat(bias, 2)[::2], "padding": 1},
        {"bias": bias, "out": np.empty((2, 4, 7, 5), np.float32)},
        {"bias": bias, "accuracy": "strict", "padding": 2},
        {"padding": 1},
        {"padding": 2},
        {"padding": "same"},
        {"accuracy": "strict"},
        {"algorithm": "direct", "threads": 1},
        {"out": np.empty((2, 4, 7, 5), np.float32)},
    ]
    short = [conv.conv2d(x, w, **option).copy() for option in options]
    the_long_way(monkeypatch)
    for seen, option in zip(short, options, strict=True):
        assert np.array_equal(seen, conv.conv2d(x, w, **option))


def in_a_thread(work: Callable[[], object]) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_calls_of_threads_are_registered_while_they_run() -> None:
    seen: list[int] = []

    def function(*arguments: int) -> int:
        seen.append(len(calls_in_progress._calls) + sum(arguments))
        return 7

    def failing() -> None:
        raise ValueError("inside")

    def fail() -> None:
        with pytest.raises(ValueError, match="inside"):
            calls_in_progress.noted(failing)()

    before = len(calls_in_progress._calls)
    call = calls_in_progress.noted(function)
    assert (call(100), call(200)) == (7, 7)
    in_a_thread(lambda: call(300))
    assert (seen, len(calls_in_progress._calls)) == ([before + 100, before + 200, before + 301], before)
    in_a_thread(fail)
    assert len(calls_in_progress._calls) == before


def test_no_thread_but_the_main_one_starts_calls_as_the_interpreter_exits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calls_in_progress, "_closed", True)
    called: list[str] = []
    call = calls_in_progress.noted(called.append)

    def work() -> None:
        with pytest.raises(SystemExit):
            call("another")

    in_a_thread(work)
    call("main")
    assert called == ["main"]


def test_a_tour_is_checked_whatever_its_type() -> None:
    problem = Problem.in_plane(np.random.default_rng(1).uniform(0, 1000, (6, 2)))
    right = [3, 1, 0, 5, 2, 4]
    expected = problem.length(right)
    for array in (np.array(right, np.int32), np.array(right), read_only(np.array(right, np.int32))):
        assert problem.length(array) == expected
    for wrong in ([3, 1, 0, 5, 2, 2], [3, 1, 0, 5, 2, 6], [3, 1, 0, 5, 2, -1], right[1:], [right]):
        with pytest.raises(Misuse, match=r"city numbers go beyond|does not visit each of 6 cities once"):
            problem.length(np.array(wrong, np.int32))


def test_a_stop_that_was_requested_ends_a_brief_call_at_once() -> None:
    stop = Stop()
    stop.request()
    call = LongCall(stop)
    assert call.run_briefly(lambda: call.flag.is_set)
    assert LongCall().run_briefly(lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        LongCall(Stop()).run_briefly(lambda: 1 // 0)
