"""Find the points at which a chain of measured ratios changes its level for good.

PELT (Killick, Fearnhead and Eckley, J. Am. Stat. Assoc. 107 (2012) 1590-1598) with the absolute deviation from each
segment's median as its cost, as implemented by ruptures; one odd measurement moves no median. What a change must gain
to be named is found by simulation: chains of noise only, linked as this one is.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from rooftop.interrupts import uninterrupted

FEWEST = 8  # points that are analysed
_LASTS = 3  # points on each side of a change: fewer may be an odd day
_SIMULATED = 400
_TRIED = 200  # places: of a longer chain some are left out
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


def _cost(part: Floats) -> Floats:
    """Return the absolute deviation from the median: what the upper half adds up to, less the lower half."""
    count = part.shape[-1]
    half = count // 2
    parted = np.partition(part, half, axis=-1)  # an eighth of the time that np.median and a second pass take
    return np.asarray(parted[..., count - half :].sum(axis=-1) - parted[..., :half].sum(axis=-1))


def _split(levels: Floats, place: int) -> Floats:
    """Return the cost with a change at a place."""
    return np.asarray(_cost(levels[..., :place]) + _cost(levels[..., place:]))


def _places(count: int) -> list[int]:
    """Return the places at which one change of a chain is tried: all, or of a long one those that differ in effect.

    The gains of two places are alike where the odds of the parts' lengths are, so the odds are spaced evenly.
    """
    places = range(_LASTS, count - _LASTS + 1)
    if len(places) <= _TRIED:
        return list(places)
    last = np.log((count - _LASTS) / _LASTS)
    odds = np.exp(np.linspace(-last, last, _TRIED))
    return sorted({round(float(place)) for place in count * odds / (1 + odds)})


def _gain(levels: Floats) -> Floats:
    """Return by how much one change at the best place lowers the cost, beside the usual step from point to point."""
    split = np.min([_split(levels, place) for place in _places(levels.shape[-1])], axis=0)
    return np.asarray((_cost(levels) - split) / _step(levels))


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
    jump = 1 + 2 * (count - 1) // _TRIED if count > _TRIED else 1  # PELT's time grows with the square of the places
    search = ruptures.Pelt(model="l1", min_size=_LASTS, jump=jump).fit(levels)
    found = [int(place) for place in search.predict(pen=penalty)]
    return found[:-1] if jump == 1 else _moved(levels, found, jump)


def _moved(levels: Floats, found: Sequence[int], jump: int) -> list[int]:
    """Return changes that were found at each `jump`-th place only, each at the best place about it."""
    moved = [0]
    for place, end in pairwise(found):
        part = levels[moved[-1] : end]
        about = range(max(place - jump, moved[-1] + _LASTS), min(place + jump, end - _LASTS) + 1)
        moved.append(min(about, key=lambda one: float(_split(part, one - moved[-1]))))
    return moved[1:]
