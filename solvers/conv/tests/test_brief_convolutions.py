"""Brief convolutions by a function of Python's own: the same outputs, and nothing that does not fit as it is."""

from __future__ import annotations

import copy
import gc
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers import conv
from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.python_functions import left_out, left_to_others
from rooftop.solvers.conv import library

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)
if python_functions.beside(library.load(), library.NAME) is None:
    pytest.skip("built without Python's headers", allow_module_level=True)

PLAN = (2, 3, 6, 5, 4)  # n, c, h, w, k


@given(st.data())
@settings(deadline=None, max_examples=100)
def test_a_brief_convolution_is_that_of_the_long_way(data: st.DataObject) -> None:
    n, c, h, w, k = (data.draw(st.integers(low, 9)) for low in (1, 1, 3, 3, 1))
    rng = np.random.default_rng(1)
    x, filters = rng.random((n, c, h, w), np.float32) - 0.5, rng.random((k, c, 3, 3), np.float32) - 0.5
    bias = data.draw(st.sampled_from((None, rng.random(k, np.float32), np.full(k, np.float32(3e38)))))
    if data.draw(st.booleans()):
        x[0, 0, 1, 1] = data.draw(st.sampled_from((np.inf, np.nan, 3e38)))
    words: dict[str, Any] = {
        "padding": data.draw(st.integers(0, 1)),
        "accuracy": data.draw(st.sampled_from(("strict", "balanced", "relaxed"))),
        "threads": data.draw(st.integers(1, 2)),
    }
    kept = x.copy()
    brief = conv.conv2d(x, filters, bias, **words)
    with left_out():
        expected = conv.conv2d(x, filters, bias, **words)
        without = conv.conv2d(x, filters, **words)
    np.testing.assert_array_equal(brief, expected)
    with np.errstate(all="ignore"):
        added = without if bias is None else without + bias[:, None, None]
    np.testing.assert_array_equal(brief, added)
    out = np.empty_like(expected)
    assert conv.conv2d(x, filters, bias, **words, out=out) is out
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(x, kept)


@pytest.mark.parametrize("layout", ["nchw", "blocked"])
def test_a_bias_of_any_layout_and_size_is_that_of_numpy(layout: Any) -> None:
    rng = np.random.default_rng(2)
    x, w = rng.random((2, 20, 40, 37), np.float32), rng.random((21, 20, 3, 3), np.float32)
    bias = rng.random(21, np.float32)
    x[0, 3, 5, 5] = np.inf
    image = conv.to_blocked(x) if layout == "blocked" else x
    for accuracy in ("strict", "balanced"):
        words: dict[str, Any] = {"layout": layout, "threads": 2, "padding": 1, "accuracy": accuracy}
        with_bias, without = conv.conv2d(image, w, bias, **words), conv.conv2d(image, w, **words)
        if layout == "blocked":
            assert not with_bias.reshape(2, 2, 40, 37, 16)[:, 1, :, :, 5:].any()
            with_bias, without = conv.from_blocked(with_bias, 21), conv.from_blocked(without, 21)
        np.testing.assert_array_equal(with_bias, without + bias[:, None, None])


def test_a_plan_leaves_what_does_not_fit_to_others() -> None:
    plan = conv.ConvPlan(*PLAN, threads=1)
    n, c, h, w, k = PLAN
    x, out = np.ones((n, c, h, w), np.float32), np.empty((n, k, h - 2, w - 2), np.float32)
    filters, bias = plan.transform_filter(np.ones((k, c, 3, 3), np.float32)), np.ones(k, np.float32)
    right: list[Any] = [x, filters, bias, out]
    run: Any = plan.brief.run
    assert run(*right) is out
    assert run(x, filters, None, None) is not None
    read_only = out.copy()
    read_only.flags.writeable = False
    many = np.ones(400 + filters.size, np.float32)
    for place, values in {
        0: (x[:1], x[..., ::-1], x.astype(float), x.tolist(), np.ma.array(x), x.view(np.int32), None),
        1: (filters[:-1], filters[:, None], many[1 : filters.size + 1], None),
        2: (bias[:-1], bias[:, None], bias.astype(float), np.repeat(bias, 2)[::2], 1.0),
        3: (read_only, out[:1], np.asfortranarray(out), out.astype(float), x, 1),
    }.items():
        for value in values:
            assert run(*right[:place], value, *right[place + 1 :]) is None
    memory = np.ones(2 * x.size, np.float32)
    for first in (0, 10, x.size - 1):
        place_of_out = memory[first : first + out.size].reshape(out.shape)
        assert run(memory[: x.size].reshape(x.shape), filters, None, place_of_out) is None
    assert run(x, filters, memory[:k], memory[: out.size].reshape(out.shape)) is None
    assert run(x, filters, None) is None


def test_plans_that_are_not_brief_are_left_to_others() -> None:
    for plan in (conv.ConvPlan(1, 16, 30, 30, 16), conv.ConvPlan(1, 1, 9, 9, 1, layout="blocked")):
        assert plan.brief.run is left_to_others
    plan = conv.ConvPlan(*PLAN, layout=("blocked", "nchw"))
    x = conv.to_blocked(np.ones(PLAN[:4], np.float32))
    filters = plan.transform_filter(np.ones((4, 3, 3, 3), np.float32))
    np.testing.assert_array_equal(plan.brief.run(x, filters, None, None), np.full((2, 4, 4, 3), 27))
    run, twin = plan.brief.run, copy.deepcopy(plan)
    del plan
    gc.collect()
    np.testing.assert_array_equal(run(x, filters, None, None), twin.run(x, filters))
