"""fp32 3x3 convolution with stride 1 on NumPy arrays: the Python interface of ``solvers/conv``.

``conv2d`` convolves with a filter as it is, with the names and meanings of ``torch.nn.functional.conv2d``; ``ConvPlan``
plans once and runs many times, with the filter transformed beforehand::

    y = conv.conv2d(x, w, bias, padding="same")  # x: (N, C, H, W), w: (K, C, 3, 3), bias: (K,), y: (N, K, H, W)

    plan = conv.ConvPlan(n=1, c=64, h=56, w=56, k=64, padding=1)
    transformed = plan.transform_filter(w)
    plan.run(x, transformed, out=y)

As in every deep-learning library the filter is not flipped: y[n,k,i,j] = sum of x[n,c,i+r-p,j+s-p] w[k,c,r,s].
Arrays are float32. A C-contiguous NCHW array is used where it lies, as is a blocked array on a 64-byte boundary (what
``empty`` and ``to_blocked`` give); anything else is copied first. The GIL is released while the solver runs, but for
convolutions of some tens of microseconds.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, SupportsIndex, get_args

import numpy as np

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.conv.arrays import (
    FLOAT,
    Floats,
    Layout,
    alignment_of,
    array_shape,
    check_array,
    check_writable,
    empty,
    from_blocked,
    placed,
    to_blocked,
)
from rooftop.solvers.conv.library import ConvArgumentError
from rooftop.solvers.conv.plan import Accuracy, Algorithm, ConvPlan, FilterForm, choice, kept_plan
from rooftop.solvers.conv.pytorch_options import Padding, check_filters, padded, require_one, rows_and_columns

__all__ = [
    "Accuracy",
    "Algorithm",
    "ConvArgumentError",
    "ConvPlan",
    "FilterForm",
    "Floats",
    "Layout",
    "Padding",
    "conv2d",
    "empty",
    "from_blocked",
    "to_blocked",
]


_ZERO, _ONE = 0, 1  # Python has one object for each small number, and other ones for True, 1.0 and NumPy's numbers


def _fits(bias: Any, k: int) -> bool:
    return type(bias) is np.ndarray and bias.dtype is FLOAT and bias.shape == (k,)


def conv2d(
    x: Floats,
    w: Floats,
    bias: Floats | None = None,
    stride: int | Sequence[int] = 1,
    padding: Padding = 0,
    dilation: int | Sequence[int] = 1,
    groups: SupportsIndex = 1,
    *,
    accuracy: Accuracy = "balanced",
    algorithm: Algorithm = "automatic",
    layout: Layout = "nchw",
    threads: int = 0,
    out: Floats | None = None,
) -> Floats:
    """Convolve `x` with 3x3 filters `w` of shape (K, C, 3, 3), like torch.nn.functional.conv2d with stride 1.

    x          (N, C, H, W), where N may be 0, or (C, H, W) for one image. The result is (N, K, H+2p-2, W+2q-2), or the
               same without N. With layout "blocked" they are (N, C/16, H, W, 16) and (N, K/16, …, 16), with channels
               zero-padded to a multiple of 16. All arrays are float32
    bias       (K,): added to the outputs of each filter
    padding    zeros on each side: p for rows and columns, or a pair (p, q); "valid" is 0, "same" is 1, which keeps H
               and W. For values above 1 and unequal pairs, `x` is copied
    stride, dilation, groups   must be 1
    accuracy   "strict" (direct or F(2)), "balanced" (up to F(4)) or "relaxed" (up to F(6))
    algorithm  "direct", "F(2)", "F(4)" or "F(6)" overrides `accuracy`
    threads    0: OpenMP's default
    out        array for the result (default: a new array)

    Winograd's F(m) computes m x m outputs together from (m + 2) x (m + 2) pixels. Errors are proportional to the
    largest of these pixels in any channel, and a non-finite pixel may make all m x m outputs NaN: next to a pixel of
    1e6, F(4) has errors of about 1 in outputs that do not depend on it. "strict" recomputes non-finite outputs by the
    definition. With "direct", each output depends on its own pixels only. Plans are cached by sizes and options.

    Raises ConvArgumentError, a ValueError, for invalid arrays and options.
    """
    # Ordinary arrays with ordinary options need no further checks. What these exclude may be right all the same.
    if (
        type(x) is type(w) is np.ndarray
        and stride is dilation is groups is _ONE
        and (padding is _ZERO or padding is _ONE)
        and type(threads) is int
        and isinstance(layout, str)
        and layout == "nchw"
    ):
        image, filters = x.shape, w.shape
        if (
            len(image) == len(filters) == 4
            and image[1] == filters[1]
            and filters[2] == filters[3] == 3
            and (bias is None or _fits(bias, filters[0]))
        ):
            try:
                plan = kept_plan((*image, filters[0]), padding, accuracy, algorithm, layout, threads)
            except (ConvArgumentError, TypeError):  # whose message the checks below improve; TypeError: of no choice
                pass
            else:
                done: Floats | None = plan.brief.run(x, w, bias, out)
                if done is None:
                    done = plan.run_of_shape(x, w, out, bias)
                if done is not None:
                    return done
    choice("layout", layout, get_args(Layout))
    choice("accuracy", accuracy, get_args(Accuracy))
    choice("algorithm", algorithm, get_args(Algorithm))
    require_one(stride, dilation, groups)
    check_filters(w)
    k, c = w.shape[:2]
    if bias is not None:
        check_array("bias", bias, (k,))
    batch_shape = array_shape(layout, -1, c, -1, -1)
    is_batch = layout == "blocked" or not isinstance(x, np.ndarray) or x.ndim != 3
    check_array("x", x, batch_shape if is_batch else batch_shape[1:])
    images = x if is_batch else x[np.newaxis]
    n, h, wide = images.shape[0], images.shape[2], images.shape[3]
    if min(h, wide) < 1:
        raise ConvArgumentError(f"x has shape {x.shape}; expected a row and a column or more")

    rows, columns = rows_and_columns(padding, h, wide)
    by_solver = min(rows, columns, 1)
    rows, columns = rows - by_solver, columns - by_solver
    sizes = (max(n, 1), c, h + 2 * rows, wide + 2 * columns, k)  # one image, to refuse with none what it would
    plan = kept_plan(sizes, by_solver, accuracy, algorithm, layout, whole("threads", threads, ConvArgumentError, 32))

    results = None
    if out is not None:
        shape = (n, *plan.output_shape[1:])
        check_writable("out", out, shape if is_batch else shape[1:], alignment_of(layout))
        if bias is not None and np.may_share_memory(out, bias):
            raise ConvArgumentError("out overlaps bias; expected an array of its own")
        results = out if is_batch else out[np.newaxis]
    if n > 0:
        numbers = None if bias is None else placed(bias, 4)
        results = plan.convolved(padded(images, rows, columns), w, numbers, results)
    elif results is None:
        results = empty((0, *plan.output_shape[1:]))
    if out is not None:
        return out
    return results if is_batch else results[0]
