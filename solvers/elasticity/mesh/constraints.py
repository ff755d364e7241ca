"""Linear equations between displacements, and their elimination to dependent displacements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.library import ElasticityArgumentError
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.solvers.elasticity.mesh.dependences import Dependences

_LOST = 1e-12  # of the largest factor: smaller factors are the rounding error of factors that cancel
_AGREES = 1e-9  # of the largest summand: tolerance of an equation that is already satisfied
_LARGE_ENOUGH = 0.1  # of the largest factor: the first displacement is the dependent one if its factor is larger


@dataclass
class _Dependent:
    """A dependent displacement: factors by the number of the independent displacement, and a constant.

    size  the largest summand of the constant, of which its rounding error is a part
    """

    factors: dict[int, float]
    constant: float
    size: float


@dataclass
class Constraints:
    """Linear equations: in each, the sum of factors times displacements equals a value.

    The number of a displacement is 3 * node + component. `where` names the origin of each equation for messages.
    `rotations` are the numbers that stand for rotations, whose factors have another unit.
    """

    rows: list[dict[int, float]] = field(default_factory=list)
    values: list[float] = field(default_factory=list)
    where: list[str] = field(default_factory=list)
    rotations: set[int] = field(default_factory=set)

    def __len__(self) -> int:
        return len(self.rows)

    def add(self, numbers: Sequence[int], factors: Sequence[float], value: float = 0.0, where: str = "") -> None:
        """Add an equation. Its first displacement becomes the dependent one, unless other equations prevent that."""
        row: dict[int, float] = {}
        for number, factor in zip(numbers, factors, strict=True):
            row[int(number)] = row.get(int(number), 0.0) + float(factor)
        self.rows.append(row)
        self.values.append(float(value))
        self.where.append(where)

    def numbers(self) -> NDArray[np.int64]:
        """Return the numbers of all displacements with a factor other than 0, each once."""
        found = {number for row in self.rows for number, factor in row.items() if factor != 0}
        return np.array(sorted(found), np.int64)

    def error(self, displacement: Array) -> float:
        """Return the largest error of the equations for a displacement (nodes, 3), relative to its largest component.

        The error of an equation is how much the component with its largest factor would have to change.
        """
        flat = displacement.ravel()
        of = np.repeat(np.arange(len(self.rows)), [len(row) for row in self.rows])
        numbers = np.fromiter((number for row in self.rows for number in row), np.int64, len(of))
        factors = np.fromiter((factor for row in self.rows for factor in row.values()), np.float64, len(of))
        largest = np.zeros(len(self.rows))
        np.maximum.at(largest, of, np.abs(factors))
        largest[largest == 0] = 1.0
        values = np.array(self.values) / largest
        summands = factors / largest[of] * flat[numbers]
        off = np.abs(np.bincount(of, summands, len(self.rows)) - values).max(initial=0.0)
        most = max(np.abs(flat[numbers]).max(initial=0.0), np.abs(values).max(initial=0.0))
        return float(off / most) if off > 0 else 0.0

    def with_alike_units(self) -> tuple[Constraints, dict[int, float]]:
        """Return equations whose rotations are multiplied by a length, and the length of each rotation by its number.

        The factors of rotations are lever arms; the lengths give them the magnitude of other factors. Lengths are
        powers of two, so that the scaling is exact.
        """
        lengths: dict[int, float] = {}
        for row in self.rows:
            others = max((abs(factor) for number, factor in row.items() if number not in self.rotations), default=0.0)
            for number, factor in row.items():
                if number in self.rotations and factor != 0 and others > 0:
                    lengths[number] = max(lengths.get(number, 0.0), abs(factor) / others)
        lengths = {number: float(2.0 ** np.round(np.log2(length))) for number, length in lengths.items()}
        rows = [{number: factor / lengths.get(number, 1.0) for number, factor in row.items()} for row in self.rows]
        return Constraints(rows, self.values, self.where), lengths

    def dependences(self, held: NDArray[np.bool_], prescribed: Array | None = None) -> Dependences:
        """Return the dependent displacements, by Gauss-Jordan elimination.

        held        where displacements are prescribed, (nodes, 3)
        prescribed  their values, (nodes, 3); None: zero

        Redundant equations are left out. Raises ElasticityArgumentError for equations that contradict each other or
        the prescribed displacements.
        """
        flat = np.asarray(held, dtype=np.bool_).ravel()
        known = np.zeros(flat.size) if prescribed is None else prescribed.ravel()
        found: dict[int, _Dependent] = {}
        users: dict[int, set[int]] = {}
        for row, value, where in zip(self.rows, self.values, self.where, strict=True):
            left, rest, size = _reduced(row, value, flat, known, found)
            if not left:
                if abs(rest) > _AGREES * size:
                    raise ElasticityArgumentError(
                        f"{where or 'an equation'}: it contradicts other equations, or displacements that are held, by "
                        f"{rest:.3g}; expected equations that can all be satisfied"
                    )
                continue
            _determine(_pivot(row, left, self.rotations), left, rest, size, found, users)
        return _as_arrays(found)


def _reduced(
    row: dict[int, float],
    value: float,
    held: NDArray[np.bool_],
    known: Array,
    found: dict[int, _Dependent],
) -> tuple[dict[int, float], float, float]:
    """Return an equation in free, independent displacements: factors, value, and the size of its largest summand."""
    left: dict[int, float] = {}
    size, largest = abs(value), 0.0
    for number, factor in row.items():
        if factor == 0:
            continue
        largest = max(largest, abs(factor))
        if held[number]:
            value -= factor * known[number]
            size = max(size, abs(factor * known[number]))
        elif number in found:
            of = found[number]
            value -= factor * of.constant
            size = max(size, abs(factor * of.size))
            for other, theirs in of.factors.items():
                left[other] = left.get(other, 0.0) + factor * theirs
                largest = max(largest, abs(factor * theirs))
        else:
            left[number] = left.get(number, 0.0) + factor
    return {number: factor for number, factor in left.items() if abs(factor) > _LOST * largest}, value, size


def _pivot(row: dict[int, float], left: dict[int, float], rotations: set[int]) -> int:
    """Return the displacement that an equation determines: its first one, unless that has a small factor."""
    first = next(iter(row))
    alike = [number for number in left if number not in rotations] or list(left)
    largest = max(alike, key=lambda number: abs(left[number]))
    return first if first in alike and abs(left[first]) >= _LARGE_ENOUGH * abs(left[largest]) else largest


def _determine(
    pivot: int,
    left: dict[int, float],
    value: float,
    size: float,
    found: dict[int, _Dependent],
    users: dict[int, set[int]],
) -> None:
    """Record what a displacement depends on, and replace it in the displacements that depended on it."""
    divisor = left.pop(pivot)
    factors = {number: -factor / divisor for number, factor in left.items()}
    new = _Dependent(factors, value / divisor, size / abs(divisor))
    found[pivot] = new
    for number in new.factors:
        users.setdefault(number, set()).add(pivot)
    for user in users.pop(pivot, set()):
        of = found[user]
        factor = of.factors.pop(pivot)
        of.constant += factor * new.constant
        of.size = max(of.size, abs(factor * new.size))
        for number, theirs in new.factors.items():
            of.factors[number] = of.factors.get(number, 0.0) + factor * theirs
            users[number].add(user)


def _as_arrays(found: dict[int, _Dependent]) -> Dependences:
    factors = [of.factors for of in found.values()]
    start = np.zeros(len(found) + 1, np.int64)
    np.cumsum([len(of) for of in factors], out=start[1:])
    return Dependences(
        np.fromiter(found, np.int64, len(found)),
        start,
        np.array([number for of in factors for number in of], np.int64),
        np.array([factor for of in factors for factor in of.values()], np.float64),
        np.array([of.constant for of in found.values()], np.float64),
    )
