"""Hooke's law of elements: isotropic or anisotropic.

Independent of the solver's C++ code, to verify its results. Stresses and strains have six values, xx, yy, zz, xy, xz
and yz; shear strains are twice the tensor's. A stiffness has 21: the upper triangle of its matrix, column by column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np

from rooftop.solvers.elasticity.box.hexahedron import lame, stress_of
from rooftop.solvers.elasticity.mesh.arguments import Array, Mesh, Whole
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference

VALUES = 21  # number of values of a stiffness
FIRST, SECOND = (0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)  # indices in the tensor of the six values
_COLUMN, _ROW = np.tril_indices(6)


class Law(Protocol):
    """The relation of stresses to strains in some elements of one kind."""

    def stress(self, gradient: Array) -> Array:
        """Return the stresses of displacement gradients, both (points, 3, 3, elements)."""

    def largest(self) -> Array:
        """Return the largest stiffness of each element, (elements,)."""


@dataclass(frozen=True)
class Isotropic:
    """Lamé's constants, (elements,) each."""

    first: Array
    second: Array

    @classmethod
    def of(cls, young: Array, poisson: Array) -> Isotropic:
        """Return the law for Young's moduli and Poisson's ratios, (elements,)."""
        return cls(*lame(young, poisson))

    def stress(self, gradient: Array) -> Array:
        """Return the stresses of displacements' gradients."""
        return stress_of(gradient, self.first, self.second)

    def largest(self) -> Array:
        """Return the stiffness against uniaxial strain, lambda + 2 mu."""
        return self.first + 2 * self.second


@dataclass(frozen=True)
class Directional:
    """Stiffness matrices of each point, or one per element: (points or 1, elements, 6, 6)."""

    matrix: Array

    def stress(self, gradient: Array) -> Array:
        """Return the stresses of displacements' gradients."""
        strain = (gradient[:, FIRST, SECOND] + gradient[:, SECOND, FIRST]) / np.where(np.arange(6) < 3, 2, 1)[:, None]
        found = np.matmul(self.matrix, strain.transpose(0, 2, 1)[..., None])[..., 0]
        return tensors(found.transpose(0, 2, 1))

    def largest(self) -> Array:
        """Return the largest diagonal entry of each element's matrices."""
        found: Array = np.diagonal(self.matrix, axis1=2, axis2=3).max(axis=(0, 2))
        return found


def tensors(values: Array) -> Array:
    """Return stresses given by six values, (points, 6, elements), as tensors, (points, 3, 3, elements)."""
    result = np.empty((len(values), 3, 3, values.shape[-1]))
    result[:, FIRST, SECOND] = result[:, SECOND, FIRST] = values
    return result


def matrices(stiffness: Array) -> Array:
    """Return the symmetric matrices (…, 6, 6) of stiffnesses given by 21 values (…, 21)."""
    result = np.empty((*stiffness.shape[:-1], 6, 6))
    result[..., _ROW, _COLUMN] = result[..., _COLUMN, _ROW] = stiffness
    return result


def upper(matrix: Array) -> Array:
    """Return the 21 values (…, 21) of symmetric matrices (…, 6, 6)."""
    result: Array = np.ascontiguousarray(matrix[..., _ROW, _COLUMN])
    return result


def isotropic_matrices(young: Array, poisson: Array) -> Array:
    """Return the stiffness matrices (…, 6, 6) for Young's moduli and Poisson's ratios (…)."""
    first, second = lame(young, poisson)
    result = np.zeros((*first.shape, 6, 6))
    result[..., :3, :3] = first[..., None, None]
    for value in range(6):
        result[..., value, value] += second * (2 if value < 3 else 1)
    return result


@dataclass(frozen=True)
class Stiffness:
    """An anisotropic stiffness, or one that varies within elements.

    at_points  one for all elements, one for each element, or one for each integration point, in the order of elements
               and of `Reference.points`: (…, 21)
    at_centre  one for all elements, or one at the centre of each element, where stresses are reported: (…, 21)
    """

    at_points: Array
    at_centre: Array


class Laws:
    """The laws of a mesh's elements.

    young, poisson  a single value, or one for each element
    stiffness       as `Stiffness.at_points`, instead of young and poisson; None: isotropic
    """

    def __init__(self, mesh: Mesh, young: Array, poisson: Array, stiffness: Array | None) -> None:
        self._young, self._poisson, self._stiffness = young, poisson, stiffness
        self._elements = mesh.elements_count
        self._first: dict[Kind, tuple[int, int]] = {}  # first element and integration point of each kind
        element = point = 0
        for kind, cells in mesh.elements.items():
            self._first[kind] = element, point
            element += len(cells)
            point += len(cells) * len(reference(kind).points)

    def of(self, kind: Kind, numbers: Whole) -> Law:
        """Return the law at the integration points of the elements with these numbers, all of one kind."""
        if self._stiffness is None:
            return Isotropic.of(_of(self._young, numbers), _of(self._poisson, numbers))
        if len(self._stiffness) in (1, self._elements):
            return Directional(matrices(_of(self._stiffness, numbers))[None])
        element, point = self._first[kind]
        points = len(reference(kind).points)
        chosen = point + points * (numbers - element) + np.arange(points)[:, None]
        return Directional(matrices(self._stiffness[chosen]))


def _of(values: Array, numbers: Whole) -> Array:
    """Return the values of some elements, from a single value or one for each element."""
    return np.broadcast_to(values, (len(numbers), *values.shape[1:])) if len(values) == 1 else values[numbers]
