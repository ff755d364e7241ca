"""Stresses of a deformed box."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.arguments import (
    Nodes,
    checked_nodes,
    element_shape,
    element_values,
)
from rooftop.solvers.elasticity.box.hexahedron import CORNERS, centre_stresses, lame
from rooftop.solvers.elasticity.box.layers import corner_values, layers, materials
from rooftop.solvers.elasticity.node_arguments import node_values

_CUBE = CORNERS[..., None].astype(np.float64)


def _by_layers(
    nodes: Nodes, displacement: Any, coordinates: Any, young: Any, poisson: Any
) -> Iterator[tuple[slice, NDArray[np.float64]]]:
    """Yield ranges of element layers, and the stresses (elements, 3, 3) at the centres of their elements."""
    moved = node_values("displacement", displacement, nodes)
    places = None if coordinates is None else node_values("coordinates", coordinates, nodes)
    moduli, ratios = element_values("young", young, nodes), element_values("poisson", poisson, nodes)
    for part in layers(nodes):
        corners = _CUBE if places is None else corner_values(places, part)
        constants = lame(*materials(moduli, ratios, nodes, part))
        yield part, centre_stresses(corners, corner_values(moved, part), *constants).transpose(2, 0, 1)


def stresses(
    nodes: Sequence[int], displacement: Any, *, coordinates: Any = None, young: Any = 1.0, poisson: Any = 0.3
) -> NDArray[np.float64]:
    """Return the stress at the centre of each element: (nz-1, ny-1, nx-1, 3, 3), in the unit of `young`.

    Arguments as for `solve`. Raises ElasticityArgumentError.
    """
    counts = checked_nodes(nodes)
    result = np.empty((*element_shape(counts), 3, 3))
    for part, stress in _by_layers(counts, displacement, coordinates, young, poisson):
        there = result[part]
        there[...] = stress.reshape(there.shape)
    return result


def von_mises(stress: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the von Mises stress (…) of stress tensors (…, 3, 3)."""
    deviator = stress - np.einsum("...aa->...", stress)[..., None, None] / 3 * np.eye(3)
    result: NDArray[np.float64] = np.sqrt(1.5 * np.einsum("...ac,...ac->...", deviator, deviator))
    return result


def equivalent_stresses(
    nodes: Nodes,
    displacement: Any,
    coordinates: Any,
    young: Any,
    poisson: Any,
    initial: NDArray[np.float64] | None = None,
) -> NDArray[np.float64]:
    """Return the von Mises stress at the centre of each element, (nz-1, ny-1, nx-1), without storing the tensors.

    initial  stress of the undeformed body there, (elements, 3, 3); None: zero
    """
    shape = element_shape(nodes)
    result = np.empty(shape)
    before = None if initial is None else initial.reshape(*shape, 3, 3)
    for part, stress in _by_layers(nodes, displacement, coordinates, young, poisson):
        there = result[part]
        whole = stress if before is None else stress + before[part].reshape(stress.shape)
        there[...] = von_mises(whole).reshape(there.shape)
    return result
