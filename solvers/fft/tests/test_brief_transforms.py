"""Short transforms that are remembered: the same results, and nothing that is not the same call."""

from __future__ import annotations

import gc
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import fft
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
    dtype = data.draw(st.sampled_from(("f", "d") if name == "rfftn" else ("F", "D")))
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
    fft.fftn(uniform((6,), "d"))

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
