"""Dependent displacements, and the mapping of displacements and forces to the independent ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole


@dataclass(frozen=True)
class Dependences:
    """Each dependent displacement is a sum of factors times others, and a constant.

    A displacement's number is three times its node's, and its component.

    dependent    numbers (dependent,), each once
    start        which of the factors each has: start[i] to before start[i + 1], (dependent + 1,)
    independent  numbers (factors,), of which none is dependent
    factor       (factors,)
    constant     (dependent,), in the unit of the displacement
    """

    dependent: Whole
    start: Whole
    independent: Whole
    factor: Array
    constant: Array

    def checked(self, nodes: int) -> Dependences:
        """Return arrays that the solver can take. Raises ElasticityArgumentError."""
        most = 3 * nodes - 1
        result = Dependences(
            _whole("dependent", self.dependent, most),
            _whole("start", self.start, 2**62),
            _whole("independent", self.independent, most),
            _real("factor", self.factor),
            _real("constant", self.constant),
        )
        count = len(result.dependent)
        for name, array, size in (
            ("start", result.start, count + 1),
            ("constant", result.constant, count),
            ("independent", result.independent, result.start[-1] if len(result.start) else 0),
            ("factor", result.factor, len(result.independent)),
        ):
            if len(array) != size:
                raise ElasticityArgumentError(f"dependences.{name} has {len(array)} values; expected {size}")
        return result

    @property
    def _of(self) -> Whole:
        """Which of the dependent displacements each factor belongs to."""
        return np.repeat(np.arange(len(self.dependent)), np.diff(self.start))

    def mask(self, nodes: int) -> NDArray[np.bool_]:
        """Return which displacements depend on others, (nodes, 3)."""
        result = np.zeros(3 * nodes, dtype=np.bool_)
        result[self.dependent] = True
        return result.reshape(nodes, 3)

    def expanded(self, displacement: Array) -> Array:
        """Return a displacement (nodes, 3) whose dependent components are what the others make them."""
        flat = displacement.ravel().copy()
        sums = np.bincount(self._of, self.factor * flat[self.independent], len(self.dependent))
        flat[self.dependent] = sums + self.constant
        return flat.reshape(displacement.shape)

    def collected(self, forces: Array) -> Array:
        """Return the forces (nodes, 3) on what is independent, which those on dependent displacements add to."""
        flat = forces.ravel().copy()
        moved = self.factor * flat[self.dependent][self._of]
        flat[self.dependent] = 0.0
        flat += np.bincount(self.independent, moved, flat.size)
        return flat.reshape(forces.shape)

    def collected_sizes(self, sizes: Array) -> Array:
        """Return the size of what cancels in forces, (nodes,), that dependent ones add to."""
        result = sizes.copy()
        np.maximum.at(result, self.independent // 3, np.abs(self.factor) * sizes[self.dependent // 3][self._of])
        return result


def _whole(name: str, values: Whole, most: int) -> Whole:
    found = whole_numbers(f"dependences.{name}", values, ElasticityArgumentError, 0, most)
    return np.ascontiguousarray(found, dtype=np.int64).reshape(-1)


def _real(name: str, values: Array) -> Array:
    return np.ascontiguousarray(real_numbers(f"dependences.{name}", values, ElasticityArgumentError)).reshape(-1)
