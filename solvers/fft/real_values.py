"""Transforms of real values along one axis, by complex ones: the half of the result that tells all of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def half(modes: NDArray[Any], axis: int) -> NDArray[Any]:
    """Return modes 0 to n // 2 of n along an axis; those behind them are conjugates of these."""
    return np.moveaxis(np.moveaxis(modes, axis, -1)[..., : modes.shape[axis] // 2 + 1], -1, axis)


def whole_of(half_modes: NDArray[Any], axis: int, length: int) -> NDArray[Any]:
    """Return all `length` modes of real values from the first ``length // 2 + 1`` of them.

    The imaginary part of mode 0, and of mode n/2 where the length is even, is left out, as scipy.fft does.
    """
    given = np.moveaxis(half_modes, axis, -1)
    modes = np.empty((*given.shape[:-1], length), given.dtype)
    modes[..., : length // 2 + 1] = given
    modes[..., length // 2 + 1 :] = given[..., 1 : (length + 1) // 2][..., ::-1].conj()
    modes[..., 0].imag = 0
    if length % 2 == 0:
        modes[..., length // 2].imag = 0
    return np.moveaxis(modes, -1, axis)
