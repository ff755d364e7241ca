"""Dependent displacements, and the transformation of displacements and forces to the independent ones."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole


@dataclass(frozen=True)
class Dependences:
    """Each dependent displacement is a constant plus a sum of factors times independent displacements.

    The number of a displacement is 3 * node + component.

    dependent    numbers of the dependent displacements, (dependent,), each once
    start        the factors of displacement i are start[i] up to, not including, start[i + 1], (dependent + 1,)
    independent  number of the independent displacement of each factor, (factors,)
    factor       (factors,)
    constant     (dependent,), in the unit of the displacement
    """

    dependent: Whole
    start: Whole
    independent: Whole
    factor: Array
    constant: Array

    def checked(self, nodes: int) -> Dependences:
        """Return checked, contiguous arrays. Raises ElasticityArgumentError."""
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
        """Index of the dependent displacement that each factor belongs to."""
        return np.repeat(np.arange(len(self.dependent)), np.diff(self.start))

    def mask(self, nodes: int) -> NDArray[np.bool_]:
        """Return the mask of the dependent displacements, (nodes, 3)."""
        result = np.zeros(3 * nodes, dtype=np.bool_)
        result[self.dependent] = True
        return result.reshape(nodes, 3)

    def expanded(self, displacement: Array) -> Array:
        """Return a displacement (nodes, 3) with its dependent components computed from the independent ones."""
        flat = displacement.ravel().copy()
        sums = np.bincount(self._of, self.factor * flat[self.independent], len(self.dependent))
        flat[self.dependent] = sums + self.constant
        return flat.reshape(displacement.shape)

    def collected(self, forces: Array) -> Array:
        """Return the forces (nodes, 3) on the independent displacements, with those of the dependent ones added."""
        flat = forces.ravel().copy()
        moved = self.factor * flat[self.dependent][self._of]
        flat[self.dependent] = 0.0
        flat += np.bincount(self.independent, moved, flat.size)
        return flat.reshape(forces.shape)

    def collected_sizes(self, sizes: Array) -> Array:
        """Return the bounds of cancelling summands, (nodes,), as `collected` adds forces."""
        result = sizes.copy()
        np.maximum.at(result, self.independent // 3, np.abs(self.factor) * sizes[self.dependent // 3][self._of])
        return result


def _whole(name: str, values: Whole, most: int) -> Whole:
    found = whole_numbers(f"dependences.{name}", values, ElasticityArgumentError, 0, most)
    return np.ascontiguousarray(found, dtype=np.int64).reshape(-1)


def _real(name: str, values: Array) -> Array:
    return np.ascontiguousarray(real_numbers(f"dependences.{name}", values, ElasticityArgumentError)).reshape(-1)
