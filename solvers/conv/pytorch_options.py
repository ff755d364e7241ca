"""Options named as in torch.nn.functional.conv2d: those that are implemented here, and those that are rejected."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rooftop.solvers.c_interface.checked_numbers import whole
from rooftop.solvers.conv.arrays import Floats, check_array, empty
from rooftop.solvers.conv.library import SIZE_MAX, ConvArgumentError

Padding = int | tuple[int, int] | Literal["valid", "same"]

_NAMED_PADDING = {"valid": (0, 0), "same": (1, 1)}
_ELSEWHERE = "torch.nn.functional.conv2d and oneDNN take others"


def _numbers(name: str, value: Any) -> tuple[int, int]:
    """Return two whole numbers, for rows and columns; one, alone or in a sequence, counts for both."""
    if isinstance(value, list | tuple) and len(value) in (1, 2):
        return whole(name, value[0], ConvArgumentError), whole(name, value[-1], ConvArgumentError)
    number = whole(name, value, ConvArgumentError)
    return number, number


def require_one(stride: Any, dilation: Any, groups: Any) -> None:
    """Raise ConvArgumentError, with the reason, for a stride, a dilation or groups other than 1."""
    for name, values, why in (
        ("stride", _numbers("stride", stride), "neighbouring outputs are computed together"),
        ("dilation", _numbers("dilation", dilation), "filters are applied to neighbouring pixels"),
        ("groups", (whole("groups", groups, ConvArgumentError),), "each filter reads all channels"),
    ):
        for value in values:
            if value != 1:
                raise ConvArgumentError(f"{name} is {value}; expected 1, because {why}; {_ELSEWHERE}")


def check_filters(w: Any) -> Floats:
    """Return the filters. Raises ConvArgumentError for any but 3x3 ones, with where to go."""
    if isinstance(w, np.ndarray) and w.ndim == 4 and w.shape[2:] != (3, 3):
        raise ConvArgumentError(f"w has shape {w.shape}; expected (any, any, 3, 3); {_ELSEWHERE}")
    return check_array("w", w, (-1, -1, 3, 3))


def rows_and_columns(padding: Any, h: int, w: int) -> tuple[int, int]:
    """Return how many rows and columns of zeros lie on each side of an image of h rows and w columns.

    Raises ConvArgumentError for anything but whole numbers from 0 on, one or two of them, "valid" and "same", and
    where the image would have more than SIZE_MAX rows or columns.
    """
    if isinstance(padding, str) and padding in _NAMED_PADDING:
        return _NAMED_PADDING[padding]
    try:
        rows, columns = _numbers("padding", padding)
    except ConvArgumentError:
        rows, columns = -1, -1
    if min(rows, columns) < 0:
        raise ConvArgumentError(
            f"padding is {padding!r}; expected a whole number from 0 to {SIZE_MAX // 2}, "
            "a pair of them, 'same' or 'valid'"
        )
    if max(h + 2 * rows, w + 2 * columns) > SIZE_MAX:
        raise ConvArgumentError(
            f"padding is {padding!r}, for an image of {h} x {w}; expected at most {SIZE_MAX} rows and columns with it"
        )
    return rows, columns


def padded(x: Floats, rows: int, columns: int) -> Floats:
    """Return images of either layout with zeros on each side, in a copy; themselves where there are none to add."""
    if rows == columns == 0:
        return x
    n, blocks, h, w, *rest = x.shape
    copy = empty((n, blocks, h + 2 * rows, w + 2 * columns, *rest))
    copy[...] = 0
    copy[:, :, rows : rows + h, columns : columns + w] = x
    return copy
