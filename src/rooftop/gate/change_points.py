"""Find the points at which a chain of measured ratios changes its level for good.

PELT (Killick, Fearnhead and Eckley, J. Am. Stat. Assoc. 107 (2012) 1590-1598) with the absolute deviation from each
segment's median as its cost, as implemented by ruptures; one odd measurement moves no median. What a change must gain
to be named is found by simulation: chains of noise only, linked as this one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from rooftop.interrupts import uninterrupted

FEWEST = 8  # points that are analysed
_LASTS = 3  # points on each side of a change: fewer may be an odd day
_SIMULATED = 400
_LEVEL = 0.02  # of the simulated chains may gain more by one change; several changes at once add to it
_LEAST = 1e-3  # no measurement here is sharper than this

Floats = NDArray[np.float64]


def linked(links: Floats, parents: Sequence[int | None]) -> Floats:
    """Return the levels, in the last axis, that a chain's own ratios add up to.

    parents  the place of the point that each one is measured from; None: the chain's first base
    """
    levels = np.array(links, dtype=float)
    for place, parent in enumerate(parents):
        if parent is not None:
            levels[..., place] += levels[..., parent]
    return levels


def _gain(levels: Floats) -> Floats:
    """Return by how much one change at the best place lowers the cost, beside the usual step from point to point."""

    def cost(part: Floats) -> Floats:
        return np.asarray(np.abs(part - np.median(part, axis=-1, keepdims=True)).sum(axis=-1))

    places = range(_LASTS, levels.shape[-1] - _LASTS + 1)
    split = np.min([cost(levels[..., :place]) + cost(levels[..., place:]) for place in places], axis=0)
    return np.asarray((cost(levels) - split) / _step(levels))


def _step(levels: Floats) -> Floats:
    """Return the median step from point to point, which few changes do not move."""
    return np.asarray(np.median(np.abs(np.diff(levels, axis=-1)), axis=-1))


@cache
def _needed_gain(parents: tuple[int | None, ...]) -> float:
    """Return the gain that hardly any chain of noise reaches which is linked so."""
    noise = np.random.default_rng(0).normal(size=(_SIMULATED, len(parents)))
    return float(np.quantile(_gain(linked(noise, parents)), 1 - _LEVEL))


def change_points(links: Sequence[float], parents: Sequence[int | None]) -> list[int]:
    """Return the places of the first points after each change of level; none for fewer than FEWEST points.

    links    log-ratio of each point to its parent
    """
    count = len(links)
    if count < FEWEST:
        return []
    with uninterrupted():
        import ruptures

    levels = linked(np.asarray(links, dtype=float), parents)
    penalty = _needed_gain(tuple(parents)) * max(float(_step(levels)), _LEAST)
    found = ruptures.Pelt(model="l1", min_size=_LASTS, jump=1).fit(levels).predict(pen=penalty)
    return [int(place) for place in found[:-1]]
