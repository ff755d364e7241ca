"""Convolutions by the names and meanings of torch.nn.functional.conv2d, held against the definition by SciPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.signal import correlate
from uniform_arrays import uniform

from rooftop.solvers import conv
from rooftop.solvers.conv import ConvArgumentError, from_blocked, to_blocked

pytestmark = pytest.mark.usefixtures("library")

X, W, BIAS = uniform(2, 3, 5, 6), uniform(4, 3, 3, 3, seed=2), uniform(4, seed=3)
NONE = np.zeros((0, 3, 5, 6), np.float32)


def definition(x: Any, w: Any, bias: Any, rows: int, columns: int) -> Any:
    """Return the convolution of a batch in double precision, image by image and filter by filter."""
    images = np.pad(x.astype(np.float64), ((0, 0), (0, 0), (rows, rows), (columns, columns)))
    outputs = [
        [correlate(image, one, mode="valid", method="direct")[0] for one in w.astype(np.float64)] for image in images
    ]
    return np.array(outputs) + (0 if bias is None else bias.astype(np.float64)[:, np.newaxis, np.newaxis])


def agrees(seen: Any, expected: Any, channels: int = 3) -> None:
    assert (seen.shape, seen.dtype) == (expected.shape, np.float32)
    assert np.abs(seen - expected).max() <= 4e-5 * max(np.abs(expected).max(), np.sqrt(channels))


@pytest.mark.case("solvers.E2", "solvers.E2.padding", "solvers.E2.unbatched")
@settings(deadline=None, max_examples=120)
@given(
    n=st.integers(1, 3),
    c=st.integers(1, 20),
    h=st.integers(1, 15),
    w=st.integers(1, 15),
    k=st.integers(1, 20),
    padding=st.tuples(st.integers(0, 5), st.integers(0, 5)),
    data=st.data(),
)
def test_agrees_with_the_definition(
    n: int, c: int, h: int, w: int, k: int, padding: tuple[int, int], data: st.DataObject
) -> None:
    rows, columns = max(padding[0], int(h < 3)), max(padding[1], int(w < 3))
    x, filters = uniform(n, c, h, w), uniform(k, c, 3, 3, seed=2)
    bias = uniform(k, seed=3) if data.draw(st.booleans()) else None
    accuracy = data.draw(st.sampled_from(["strict", "balanced", "relaxed"]))
    expected = definition(x, filters, bias, rows, columns)
    options: dict[str, Any] = {"padding": (rows, columns), "accuracy": accuracy}
    kept = x.copy(), filters.copy()
    agrees(conv.conv2d(x, filters, bias, **options), expected, c)
    agrees(conv.conv2d(x[-1], filters, bias, **options), expected[-1], c)
    blocked = conv.conv2d(to_blocked(x), filters, bias, layout="blocked", **options)
    agrees(from_blocked(blocked, k), expected, c)
    assert not blocked[:, -1, :, :, k - 16 * (blocked.shape[1] - 1) :].any()
    assert np.array_equal(x, kept[0])
    assert np.array_equal(filters, kept[1])


@pytest.mark.case("solvers.E2.padding")
@pytest.mark.parametrize(
    ("padding", "rows", "columns"),
    [
        ("valid", 0, 0),
        ("same", 1, 1),
        (3, 3, 3),
        (np.int8(2), 2, 2),
        ((2,), 2, 2),
        ((0, 1), 0, 1),
        ([1, 0], 1, 0),
        ((np.int64(1), 4), 1, 4),
    ],
)
def test_padding_of_every_kind(padding: Any, rows: int, columns: int) -> None:
    expected = definition(X, W, BIAS, rows, columns)
    agrees(conv.conv2d(X, W, BIAS, 1, padding), expected)
    agrees(conv.conv2d(X[0], W, BIAS, padding=padding), expected[0])


@pytest.mark.case("solvers.E2.padding")
def test_same_keeps_the_size_of_an_image() -> None:
    for h, w in ((1, 1), (2, 7), (9, 4)):
        assert conv.conv2d(uniform(1, 3, h, w), W, padding="same").shape == (1, 4, h, w)


@pytest.mark.case("solvers.E2")
def test_arguments_stand_in_the_order_of_pytorch() -> None:
    agrees(conv.conv2d(X, W, BIAS, 1, 0, 1, 1), definition(X, W, BIAS, 0, 0))
    agrees(conv.conv2d(X, W, None, (1, 1), (0, 0), [1, 1], np.int64(1)), definition(X, W, None, 0, 0))


@pytest.mark.case("solvers.E2")
def test_a_bias_that_is_not_finite_spoils_its_own_filter() -> None:
    bias = np.array([0, np.inf, 0, np.nan], np.float32)
    y = conv.conv2d(X, W, bias)
    agrees(y[:, [0, 2]], definition(X, W, None, 0, 0)[:, [0, 2]])
    assert np.isposinf(y[:, 1]).all()
    assert np.isnan(y[:, 3]).all()
    agrees(conv.conv2d(X, W, BIAS[::-1]), definition(X, W, BIAS[::-1], 0, 0))  # strided


@pytest.mark.case("solvers.E2.none")
@pytest.mark.parametrize(("padding", "shape"), [(0, (0, 4, 3, 4)), ("same", (0, 4, 5, 6)), ((0, 3), (0, 4, 3, 10))])
def test_a_batch_of_none_gives_none(padding: Any, shape: tuple[int, ...]) -> None:
    y = conv.conv2d(NONE, W, BIAS, padding=padding)
    assert y.shape == shape
    assert y.dtype == np.float32
    out = np.empty(shape, np.float32)
    assert conv.conv2d(NONE, W, BIAS, padding=padding, out=out) is out
    blocked = conv.conv2d(to_blocked(NONE), W, BIAS, padding=padding, layout="blocked")
    assert from_blocked(blocked, 4).shape == shape


@pytest.mark.case("solvers.E2.unbatched")
def test_one_image_goes_into_out() -> None:
    out = np.empty((4, 5, 6), np.float32)
    assert conv.conv2d(X[1], W, BIAS, padding=1, out=out) is out
    agrees(out, definition(X, W, BIAS, 1, 1)[1])


PLANTED: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "rows and columns exchanged": ("rows_and_columns", lambda found: lambda *given: found(*given)[::-1]),
    "zeros on one side": ("padded", lambda found: lambda x, rows, _: np.roll(found(x, rows, _), 1, 2)),
    "a ring of ones": (
        "padded",
        lambda found: lambda *given: np.where(found(*given) == 0, np.float32(1), found(*given)),
    ),
    "the bias of another filter": ("placed", lambda _: lambda bias, _: np.roll(bias, 1)),
    "no bias": ("placed", lambda _: lambda bias, _: np.zeros_like(bias)),
}


@pytest.mark.case("solvers.E2", "solvers.E2.padding")
@pytest.mark.parametrize("planted", PLANTED)
def test_planted_errors_are_seen(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, spoil = PLANTED[planted]
    monkeypatch.setattr(conv, name, spoil(getattr(conv, name)))
    y = conv.conv2d(X, W, BIAS, padding=(3, 2))
    with pytest.raises(AssertionError):
        agrees(y, definition(X, W, BIAS, 3, 2))


OVERLAPPING = np.zeros(100, np.float32)


@pytest.mark.case("solvers.E2.refused")
@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"stride": 2}, "stride is 2; expected 1, because neighbouring outputs are computed together; "),
        ({"stride": (1, 2), "padding": "same"}, "stride is 2; expected 1, "),
        ({"dilation": [2, 2]}, "dilation is 2; expected 1, because filters are applied to neighbouring pixels; "),
        ({"groups": 3}, "groups is 3; expected 1, because each filter reads all channels; "),
        ({"w": uniform(4, 3, 5, 5)}, "w has shape (4, 3, 5, 5); expected (any, any, 3, 3); "),
    ],
)
def test_what_the_solver_has_not_is_refused_with_the_reason(options: Any, message: str) -> None:
    with pytest.raises(ConvArgumentError) as caught:
        conv.conv2d(X, **{"w": W} | options)
    assert str(caught.value).startswith(message)
    assert str(caught.value).endswith("torch.nn.functional.conv2d and oneDNN take others")


@pytest.mark.case("solvers.E2", "solvers.E2.padding", "solvers.E2.none", "solvers.E2.unbatched")
@pytest.mark.parametrize(
    ("x", "options", "parts"),
    [
        (X, {"bias": BIAS[:3]}, ["bias has shape (3,)", "expected (4)"]),
        (X, {"bias": BIAS.astype(float)}, ["bias has dtype float64", "expected float32"]),
        (X, {"bias": 0.5}, ["bias is a float", "NumPy array"]),
        (X, {"bias": OVERLAPPING[:4], "out": OVERLAPPING[:96].reshape(2, 4, 3, 4)}, ["out overlaps bias"]),
        (X, {"stride": 1.0}, ["stride is 1.0", "whole number"]),
        (X, {"groups": True}, ["groups is True", "whole number"]),
        (X, {"padding": -1}, ["padding is -1", "from 0 to 8388608", "'same' or 'valid'"]),
        (X, {"padding": (1, 2, 1, 2)}, ["padding is (1, 2, 1, 2)", "a pair"]),
        (X, {"padding": (True, 1)}, ["padding is (True, 1)", "a pair"]),
        (X, {"padding": "full"}, ["padding is 'full'", "'same' or 'valid'"]),
        (X, {"padding": None}, ["padding is None", "whole number"]),
        (X, {"padding": 1 << 24}, ["padding is 16777216", "an image of 5 x 6", "at most 16777216"]),
        (X, {"padding": (0, 1 << 80)}, [f"(0, {1 << 80})", "from 0 to 8388608"]),
        (X[:, :, :0], {"padding": 3}, ["x has shape (2, 3, 0, 6)", "a row"]),
        (X[0, :2], {}, ["x has shape (2, 5, 6)", "expected (3, any, any)"]),
        (X[0], {"out": np.zeros((1, 4, 3, 4), np.float32)}, ["out has shape (1, 4, 3, 4)", "expected (4, 3, 4)"]),
        (X[0], {"layout": "blocked"}, ["x has shape (3, 5, 6)", "expected (any, 1, any, any, 16)"]),
        (np.zeros((1, 5, 6, 16), np.float32), {"layout": "blocked"}, ["expected (any, 1, any, any, 16)"]),
        (NONE, {"out": np.zeros((1, 4, 3, 4), np.float32)}, ["out has shape (1, 4, 3, 4)", "expected (0, 4, 3, 4)"]),
        (NONE, {"threads": -1}, ["threads is -1"]),
        (NONE[:, :, :2], {}, ["h is 2"]),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(x: Any, options: Any, parts: list[str]) -> None:
    with pytest.raises(ConvArgumentError) as caught:
        conv.conv2d(x, W, **options)
    message = str(caught.value)
    assert all(part in message for part in parts), message
    assert "\n" not in message
