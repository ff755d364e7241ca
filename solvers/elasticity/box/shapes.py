"""Node coordinates of uniform, graded and distorted boxes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers
from rooftop.solvers.c_interface.checked_numbers import real, whole
from rooftop.solvers.elasticity.box.arguments import checked_nodes
from rooftop.solvers.elasticity.library import ElasticityArgumentError

DISTORTION_BELOW = 0.5  # of an edge: two neighbours that move this far can meet


def _three(name: str, values: Any) -> NDArray[np.float64]:
    array = real_numbers(name, values, ElasticityArgumentError)
    if array.shape != (3,) or not np.isfinite(array).all() or array.min() <= 0:
        raise ElasticityArgumentError(f"{name} is {values!r}; expected three numbers above 0, for x, y and z")
    return array


def _axis(count: int, length: float, ratio: float) -> NDArray[np.float64]:
    """Return the coordinates of nodes from 0 to `length`; the last edge is `ratio` times as long as the first."""
    edges = ratio ** (np.arange(count - 1) / max(1, count - 2))
    places = np.concatenate(([0.0], np.cumsum(edges)))
    if ratio == 1:
        places = np.arange(count, dtype=np.float64)
    places *= length / places[-1]
    places[-1] = length
    return places


def _room(axis: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the shorter of each node's two edges along an axis; 0 for the first and last node, which do not move."""
    edges = np.diff(axis)
    return np.concatenate(([0.0], np.minimum(edges[:-1], edges[1:]), [0.0]))


def box(
    nodes: Sequence[int],
    lengths: Sequence[float] | None = None,
    grading: Sequence[float] = (1, 1, 1),
    distortion: float = 0.0,
    seed: int = 1,
) -> NDArray[np.float64]:
    """Return the coordinates, (nz, ny, nx, 3), of a box's nodes.

    nodes       number of nodes in each direction: (nx, ny, nz)
    lengths     lengths of the box along x, y and z; None: elements have edges of length 1
    grading     ratio of the last edge to the first in each direction; edges grow by a constant factor
    distortion  how far each node is moved at random, as a fraction of its shorter edge in each direction: from 0 to
                below 0.5. Nodes of a face stay in it. From about 0.3 on the solver may reject inverted elements
    seed        seed of the random numbers

    Raises ElasticityArgumentError.
    """
    counts = checked_nodes(nodes)
    sizes = _three("lengths", [count - 1 for count in counts] if lengths is None else lengths)
    ratios = _three("grading", grading)
    most = real(distortion)
    if most is None or not 0 <= most < DISTORTION_BELOW:
        raise ElasticityArgumentError(f"distortion is {distortion!r}; expected 0 or more, and below {DISTORTION_BELOW}")
    start = whole("seed", seed, ElasticityArgumentError)
    axes = [_axis(*one) for one in zip(counts, sizes, ratios, strict=True)]
    grids = np.meshgrid(*axes[::-1], indexing="ij", copy=False)[::-1]
    coordinates = np.stack(grids, axis=-1)
    if most > 0:
        shifts = np.random.default_rng(start & (1 << 64) - 1).uniform(-most, most, coordinates.shape)
        for direction, axis in enumerate(axes):
            room = _room(axis).reshape([-1 if 2 - direction == place else 1 for place in range(3)])
            coordinates[..., direction] += shifts[..., direction] * room
    return coordinates
