"""Elements of any kind in NumPy: forces, stresses and volumes of many elements at once.

Independent of the solver's C++ code, to verify its results. Elements are the last index of every array, as in
``box/hexahedron.py``.
"""

from __future__ import annotations

import numpy as np

from rooftop.solvers.elasticity.box.hexahedron import Array, cofactors, largest
from rooftop.solvers.elasticity.mesh.arguments import Whole
from rooftop.solvers.elasticity.mesh.elastic_law import Law
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import Reference, reference

ELEMENTS_AT_ONCE = 2048  # so that intermediate results stay in the cache


def at_nodes(values: Array, cells: Whole) -> Array:
    """Return nodal values, (nodes, 3), at the nodes of elements of one kind: (nodes per element, 3, elements)."""
    return np.ascontiguousarray(values[cells.T].transpose(0, 2, 1))


def _derivatives(slopes: Array, values: Array) -> Array:
    """Return the derivatives, (points, 3, components, elements), of nodal values, (nodes, components, elements)."""
    count = values.shape[0]
    result: Array = (slopes.reshape(-1, count) @ values.reshape(count, -1)).reshape(len(slopes), 3, *values.shape[1:])
    return result


def volumes(kind: Kind, places: Array) -> Array:
    """Return the Jacobian determinants at the integration points, (points, elements)."""
    of = reference(kind)
    return cofactors(_derivatives(of.derivatives(of.points), places))[1]


def _mode_slopes(of: Reference, places: Array) -> Array:
    """Return the derivatives of incompatible modes along x, y and z: (points, 3, modes, elements)."""
    cofactor, determinant = cofactors(_derivatives(of.derivatives(of.centre), places))
    result: Array = np.einsum("ade,gam->gdme", cofactor[0] / determinant[0], of.mode_derivatives())
    return result


def _modes(slopes: Array, volume: Array, stress: Array, law: Law) -> Array:
    """Return the displacements of incompatible modes that balance a stress, (modes, 3, elements).

    slopes   derivatives of the modes, (points, 3, modes, elements)
    volume   volume of the integration points, (points, elements)
    stress   stress of the nodal displacements, (points, 3, 3, elements)
    """
    modes = slopes.shape[2]

    def pull(stress: Array) -> Array:
        found: Array = np.einsum("gdme,gdce,ge->emc", slopes, stress, volume).reshape(-1, 3 * modes, 1)
        return found

    columns = []
    for mode in range(modes):
        for component in range(3):
            gradient = np.zeros_like(stress)
            gradient[:, :, component] = slopes[:, :, mode]
            columns.append(pull(law.stress(gradient)))
    found: Array = np.linalg.solve(np.concatenate(columns, axis=2), -pull(stress)).astype(np.float64)
    result: Array = found.reshape(-1, modes, 3).transpose(1, 2, 0)
    return result


def forces(kind: Kind, places: Array, moved: Array, law: Law, initial: Array | None = None) -> tuple[Array, Array]:
    """Return the nodal forces (nodes, 3, elements), and a bound of the summands that cancel in them (elements,).

    places   coordinates of the elements' nodes, (nodes, 3, elements)
    moved    displacements of these nodes, (nodes, 3, elements)
    initial  stress of the undeformed body at integration points, (points, 3, 3, elements); None: zero
    """
    of = reference(kind)
    slopes = of.derivatives(of.points)
    cofactor, determinant = cofactors(_derivatives(slopes, places))
    weights = of.weights[:, None]
    gradient = np.einsum("gade,gace->gdce", cofactor, _derivatives(slopes, moved)) / determinant[:, None, None]
    stress = law.stress(gradient)
    if initial is not None:
        stress += initial
    if len(of.modes):
        modes = _mode_slopes(of, places)
        moved_modes = _modes(modes, weights * determinant, stress, law)
        stress += law.stress(np.einsum("gdme,mce->gdce", modes, moved_modes))
    flow = np.einsum("gade,gdce->gace", cofactor, stress) * weights[:, None, None]
    result: Array = (slopes.reshape(-1, slopes.shape[2]).T @ flow.reshape(-1, flow[0, 0].size)).reshape(moved.shape)
    stiffness = (weights * np.einsum("gace,gace->ge", cofactor, cofactor) / np.abs(determinant)).sum(axis=0)
    return result, stiffness * law.largest() * largest(moved)


def centre_stresses(kind: Kind, places: Array, moved: Array, law: Law) -> Array:
    """Return the stresses (3, 3, elements) at the elements' centres, for the law there; arguments as for `forces`."""
    of = reference(kind)
    slopes = of.derivatives(of.centre)
    cofactor, determinant = cofactors(_derivatives(slopes, places))
    gradient = np.einsum("gade,gace->gdce", cofactor, _derivatives(slopes, moved)) / determinant[:, None, None]
    stress: Array = law.stress(gradient)[0]
    return stress
