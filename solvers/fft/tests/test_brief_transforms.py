"""Short transforms that are remembered: the same results, and nothing that is not the same call."""

from __future__ import annotations

import copy
import gc
import pickle
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import fft
from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.fft import _BRIEF, brief_transforms, library
from rooftop.solvers.fft import plan as plan_module

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)
if brief_transforms._functions() is None:
    pytest.skip("built without Python's headers", allow_module_level=True)

FUNCTIONS: dict[str, Callable[..., Any]] = {name: getattr(fft, name) for name in _BRIEF}


@pytest.fixture(autouse=True)
def nothing_known() -> Iterator[None]:
    fft.forget_brief_calls()
    yield
    fft.forget_brief_calls()


def uniform(shape: tuple[int, ...], dtype: str) -> np.ndarray[Any, Any]:
    random = np.random.default_rng(1)
    values = random.uniform(-1, 1, shape)
    return (values + 1j * random.uniform(-1, 1, shape)).astype(dtype) if dtype[0] in "FD" else values.astype(dtype)


def known(name: str, a: Any, s: Any = None, axes: Any = None, norm: Any = None, threads: Any = 0) -> Any:
    return _BRIEF[name].run(a, s, axes, norm, threads)


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_a_known_call_gives_what_the_first_one_gave(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(sorted(FUNCTIONS)))
    shape = tuple(data.draw(st.lists(st.integers(2, 12), min_size=1, max_size=3)))
    types = {"rfftn": ("f", "d"), "irfftn": ("F", "D")}
    dtype = data.draw(st.sampled_from(types.get(name, ("f", "d", "F", "D"))))
    count = data.draw(st.integers(1, len(shape)))
    words = {
        "axes": data.draw(st.sampled_from((None, tuple(range(-count, 0))))),
        "norm": data.draw(st.sampled_from((None, "backward", "ortho", "forward"))),
        "threads": data.draw(st.integers(0, 2)),
    }
    a = uniform(shape, dtype)
    kept = a.copy()
    first = FUNCTIONS[name](a, **words)
    again = known(name, a, **words)
    assert again is not None
    assert (again.dtype, again.shape) == (first.dtype, first.shape)
    np.testing.assert_array_equal(again, first)
    np.testing.assert_array_equal(a, kept)
    other = a[::-1].copy()
    np.testing.assert_array_equal(FUNCTIONS[name](other, **words), known(name, other, **words))


def test_lengths_of_the_result_are_part_of_the_call() -> None:
    modes = uniform((5, 6), "D")
    for length in (10, 11):
        fft.irfftn(modes, s=(5, length))
        found = known("irfftn", modes, (5, length))
        np.testing.assert_allclose(found, np.fft.irfftn(modes, s=(5, length), axes=(0, 1)), atol=1e-14)
    assert known("irfftn", modes, (5, True)) is None
    assert known("irfftn", modes) is None


@pytest.mark.parametrize(
    "change",
    [
        {"axes": (-2,)},
        {"axes": (-1.0,)},
        {"axes": (True,)},
        {"axes": [-1]},
        {"norm": "ortho"},
        {"threads": 3},
        {"threads": -1},
        {"threads": True},
        {"threads": 2.0},
        {"s": (6,)},
    ],
)
def test_another_call_is_not_known(change: dict[str, Any]) -> None:
    a = uniform((4, 6), "D")
    words = {"s": None, "axes": (-1,), "norm": None, "threads": 2}
    fft.fftn(a, **words)  # type: ignore[arg-type]
    assert known("fftn", a, **words) is not None
    assert known("fftn", a, **(words | change)) is None


def test_another_array_is_not_known() -> None:
    a = uniform((4, 6), "D")
    fft.fftn(a)
    fft.fftn(uniform((7,), "d"))

    class Own(np.ndarray[Any, Any]):
        pass

    masked: Any = np.ma.masked_array(a)
    for other in (
        a[:3],
        a.T,
        a[:, ::2],
        a.astype("F"),
        a.astype(">c16"),
        a.real.copy(),
        uniform((6,), "d"),
        a.view(Own),
        masked,
        a.tolist(),
        None,
        np.frombuffer(b"\0" + a.tobytes(), np.uint8)[1:].view("D").reshape(a.shape),
    ):
        assert known("fftn", other) is None
    a.flags.writeable = False
    np.testing.assert_array_equal(known("fftn", a), fft.fftn(a))


def test_large_arrays_and_places_for_results_are_left_to_others() -> None:
    large = uniform((8192,), "D")
    fft.fftn(large)
    assert known("fftn", large) is None
    a = uniform((8,), "D")
    out = np.empty_like(a)
    fft.fftn(a, out=out)
    fft.fftn(a.copy(), overwrite_x=True)
    assert known("fftn", a) is None
    fft.fftn(a)
    assert fft.fftn(a, out=out) is out
    assert fft.fftn(a, overwrite_x=True) is a


def test_many_calls_push_out_the_oldest() -> None:
    arrays = [uniform((n,), "D") for n in range(2, 40)]
    for _ in range(2):
        for a in arrays:
            np.testing.assert_allclose(fft.fftn(a), np.fft.fft(a), atol=1e-13)
    assert sum(known("fftn", a) is not None for a in arrays) == 16


def test_wrong_calls_are_refused_as_before() -> None:
    a = uniform((8,), "D")
    fft.fftn(a)
    for words in ({"norm": "orthogonal"}, {"axes": (3,)}, {"threads": 1.5}, {"overwrite_x": 1}, {"workers": 0}):
        with pytest.raises((fft.FourierArgumentError, TypeError)):
            fft.fftn(a, **words)


def test_plans_are_given_back() -> None:
    plan_module.kept_plan.cache_clear()
    a = uniform((7, 9), "D")
    fft.fftn(a)
    plan_module.kept_plan.cache_clear()
    gc.collect()
    np.testing.assert_allclose(known("fftn", a), np.fft.fft2(a), atol=1e-13)
    _BRIEF["fftn"].forget()
    assert known("fftn", a) is None


def test_threads_take_turns() -> None:
    arrays = [uniform((n,), "D") for n in (16, 30, 1000)]
    expected = [fft.fftn(a) for a in arrays]
    wrong: list[int] = []

    def work(seed: int) -> None:
        for _ in range(300):
            wrong.extend(seed for a, one in zip(arrays, expected, strict=True) if not np.array_equal(fft.fftn(a), one))

    callers = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong


PLANS: list[Callable[..., Any]] = [fft.FourierPlan, fft.RealFourierPlan]


@given(st.data())
@settings(deadline=None, max_examples=150)
def test_a_plan_gives_what_it_gives_the_long_way(data: st.DataObject) -> None:
    make = data.draw(st.sampled_from(PLANS))
    shape = tuple(data.draw(st.lists(st.integers(1, 9), min_size=1, max_size=4)))
    count = data.draw(st.integers(1, min(3, len(shape))))
    real = make is fft.RealFourierPlan
    dtype = data.draw(st.sampled_from(("f", "d") if real else ("F", "D")))
    norm = data.draw(st.sampled_from((None, "ortho", "forward")))
    options: dict[str, Any] = {"axes": range(-count, 0), "norm": norm, "dtype": dtype, "threads": 1}
    plan = make(shape, **options)
    with python_functions.left_out():
        other = make(shape, **options)
    forward = data.draw(st.booleans())
    given_type = (dtype if forward else dtype.upper()) if real else data.draw(st.sampled_from((dtype, dtype.lower())))
    a = uniform(plan.modes_shape if real and not forward else shape, given_type)
    kept = a.copy()
    way = "forward" if forward else "backward"
    expected = getattr(other, way)(a)
    found = getattr(plan, way)(a)
    assert (found.dtype, found.shape) == (expected.dtype, expected.shape)
    np.testing.assert_array_equal(found, expected)
    out = np.empty_like(expected)
    assert getattr(plan, way)(a, out) is out
    np.testing.assert_array_equal(out, getattr(other, way)(a, np.empty_like(expected)))
    np.testing.assert_array_equal(a, kept)
    if not real and given_type == dtype:
        assert getattr(plan, way)(a, a) is a
        np.testing.assert_array_equal(a, expected)


def test_a_plan_leaves_what_does_not_fit_to_others() -> None:
    plan = fft.FourierPlan((8,), threads=1)
    a = uniform((8,), "D")
    memory = np.empty(16, complex)
    assert plan.brief.run(0, a, None) is not None
    assert plan.brief.run(0, a, memory[4:12]) is not None
    read_only = memory[:8].copy()
    read_only.flags.writeable = False
    for words in (
        (0, uniform((9,), "D"), None),
        (0, uniform((8,), "F"), None),
        (0, uniform((8,), "f"), None),
        (0, uniform((2, 4), "D"), None),
        (0, a.tolist(), None),
        (0, np.ma.masked_array(a), None),
        (0, uniform((16,), "D")[::2], None),
        (0, a, memory[::2]),
        (0, a, memory[:7]),
        (0, a, read_only),
        (0, a, memory[:8].astype("F")),
        (0, memory[:8], memory[1:9]),
        (0, uniform((8,), "d"), memory[:8]),
        (2, a, None),
        (True, a, None),
        (0, a),
    ):
        assert plan.brief.run(*words) is None
    of_reals = fft.RealFourierPlan((8,), threads=1)
    values = memory.view(float)[:8]
    assert of_reals.brief.run(0, values, memory[8:13]) is not None
    assert of_reals.brief.run(0, values, memory[:5]) is None
    assert of_reals.brief.run(0, a, None) is None


def test_large_plans_and_loops_over_grids_are_left_to_others() -> None:
    for plan in (fft.FourierPlan((1024,)), fft.FourierPlan((2, 3, 3, 3), axes=(1, 2, 3)), fft.RealFourierPlan((4096,))):
        assert plan.brief.run is python_functions.left_to_others


def test_copies_and_pickled_plans_are_brief_too() -> None:
    a = uniform((8,), "D")
    plan = fft.FourierPlan((8,), norm="ortho")
    for twin in (copy.copy(plan), copy.deepcopy(plan), pickle.loads(pickle.dumps(plan))):
        np.testing.assert_array_equal(twin.brief.run(0, a, None), plan.forward(a))
    run, expected = plan.brief.run, plan.forward(a)
    del plan, twin
    gc.collect()
    np.testing.assert_array_equal(run(0, a, None), expected)


@pytest.mark.parametrize("dtype", ["F", "D"])
def test_a_type_that_is_equal_and_another_object_is_no_type_of_reals(dtype: str) -> None:
    a = uniform((4, 6), dtype)
    unpickled = pickle.loads(pickle.dumps(a))
    unpickled.dtype = np.dtype(dtype, metadata={"unit": "m"})
    assert unpickled.dtype is not a.dtype
    expected = np.fft.fftn(a)
    for values in (unpickled, a, a):
        np.testing.assert_allclose(fft.fftn(values), expected, rtol=1e-5, atol=1e-5)
