"""Warning for cities so close together that rounding distorts their distances."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

CHANGED_MAX = 0.1  # relative change of the distances to the nearest cities by rounding
_SAMPLE = 64  # number of cities checked: with a million cities this takes half a second
_WANTED = (
    100  # mean distance to the nearest cities that is aimed at: rounding then changes it by at most half a percent
)
_LARGEST = 5e8  # largest coordinate that the solver accepts


class RoundedDistances(UserWarning):
    """Rounding to integers, as in TSPLIB, changes the distances between neighbouring cities by more than a tenth."""


def _nearest(places: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the distances of a sample of cities to their two nearest cities, which bound the edges of any tour."""
    x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
    found = []
    for city in np.unique(np.linspace(0, len(places) - 1, _SAMPLE).astype(np.int64)):
        square = np.square(x - x[city]) + np.square(y - y[city])
        found.append(np.partition(square, 2)[1:3].copy())  # without itself; a view would keep all of it
    near: NDArray[np.float64] = np.sqrt(np.concatenate(found))
    return near


def rounding_remark(places: NDArray[np.float64], unit: float = 1.0) -> str | None:
    """Return a warning if rounding distorts the distances of cities at [n][2] coordinates, else None.

    unit  distance that corresponds to a difference of 1 in coordinates
    """
    near = _nearest(places) * unit
    sum_of_near = float(near.sum())
    if not 0 < sum_of_near < math.inf:  # all cities at the same point
        return None
    changed = float(np.abs(np.floor(near + 0.5) - near).sum()) / sum_of_near
    if changed <= CHANGED_MAX:
        return None
    factor = 10 ** max(1, math.ceil(math.log10(_WANTED * len(near) / sum_of_near)))
    advice = "multiply the coordinates"
    if factor * float(np.abs(places).max()) <= _LARGEST:
        advice += f" by {factor}, and tours are {factor} times as long"
    return (
        f"distances are rounded to whole numbers, which changes those to the nearest cities by {changed:.0%}: {advice}"
    )
