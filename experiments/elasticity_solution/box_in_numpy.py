"""The experiment's body and its verification for peers that are driven from Python: body.cpp and verify.cpp in NumPy.

Nodes are [nz, ny, nx] and elements [nz - 1, ny - 1, nx - 1], a node's components last. Corner a of an element lies at
x = a & 1, y = a >> 1 & 1, z = a >> 2.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Flags = NDArray[np.bool_]

POISSON = 0.3
MESHES = ("uniform", "graded", "distorted", "jump", "plate", "tetrahedra")
CORNERS = [(a >> 2, a >> 1 & 1, a & 1) for a in range(8)]  # z, y, x
#: The corners of the six tetrahedra of an element.
TETRAHEDRA = np.array([(0, 1, 3, 7), (0, 2, 6, 7), (0, 4, 5, 7), (0, 5, 1, 7), (0, 3, 2, 7), (0, 6, 4, 7)])
#: Derivatives of a tetrahedron's shape functions along its edges from the first corner: [corner, edge].
ALONG_EDGES = np.concatenate([-np.ones((1, 3)), np.eye(3)])

_GROWTH, _MOVED, _STIFFNESS, _FLATNESS = 10.0, 0.2, 1000.0, 4.0
_LONGEST, _MOST_NODES = 4096, 1 << 28
_CONSISTENT, _ROUNDING = 27.0, 1e-12
_GOLDEN, _MASK = 0x9E3779B97F4A7C15, (1 << 64) - 1


def _mix(z: NDArray[np.uint64]) -> NDArray[np.uint64]:
    z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return z ^ (z >> np.uint64(31))


def uniform(count: int, seed: int) -> Doubles:
    """Return the first values of the stream `seed`, in [-1, 1): rooftop::RandomStream::uniform_double."""
    start = _mix(np.array([(seed + _GOLDEN) & _MASK], np.uint64))
    bits = _mix(start + np.arange(1, count + 1, dtype=np.uint64) * np.uint64(_GOLDEN))
    return ((bits >> np.uint64(11)).astype(np.int64) - (1 << 52)) * 2.0**-52


def shape_derivatives() -> Doubles:
    """Return [point, corner, direction]: derivatives on the unit cube at 2 x 2 x 2 points of Gauss."""
    near = (1 - 1 / np.sqrt(3)) / 2
    result = np.empty((8, 8, 3))
    for point, corner, d in product(range(8), range(8), range(3)):
        value = 1.0 if corner >> d & 1 else -1.0
        for other in {0, 1, 2} - {d}:
            value *= 1 - near if corner >> other & 1 == point >> other & 1 else near
        result[point, corner, d] = value
    return result


@dataclass(frozen=True)
class Problem:
    """A body under tension.

    tolerance  of the residual's norm, relative to the load's
    seed       decides where nodes of a distorted mesh lie
    """

    nx: int
    ny: int
    nz: int
    mesh: str = "uniform"
    tolerance: float = 1e-8
    seed: int = 1

    @classmethod
    def from_parameters(cls, parameters: dict[str, Any], seed: int) -> Problem:
        """Read a case. Raises ValueError that names the parameter, its value and what is expected."""
        for name in ("nx", "ny", "nz"):
            value = parameters.get(name)
            if not isinstance(value, int) or isinstance(value, bool) or not 2 <= value <= _LONGEST:
                raise ValueError(f"parameter '{name}' is {value!r}, expected a whole number from 2 to {_LONGEST}")
        mesh, tolerance = parameters.get("mesh", "uniform"), parameters.get("tolerance", 1e-8)
        if mesh not in MESHES:
            raise ValueError(f"parameter 'mesh' is {mesh!r}, expected {', '.join(MESHES[:-1])} or {MESHES[-1]}")
        if not isinstance(tolerance, int | float) or isinstance(tolerance, bool) or not 1e-10 <= tolerance <= 0.1:
            raise ValueError(f"parameter 'tolerance' is {tolerance!r}, expected a number from 1e-10 to 0.1")
        problem = cls(*(parameters[name] for name in ("nx", "ny", "nz")), mesh, float(tolerance), seed)
        if problem.nx * problem.ny * problem.nz > _MOST_NODES:
            raise ValueError(f"the mesh has too many nodes, expected at most {_MOST_NODES}")
        return problem

    @property
    def nodes(self) -> tuple[int, int, int]:
        """Return the number of nodes in each direction, z first."""
        return self.nz, self.ny, self.nx

    @property
    def size(self) -> int:
        """Return the number of unknowns, held ones included."""
        return 3 * self.nx * self.ny * self.nz

    @property
    def cubes(self) -> bool:
        """Return whether every element is a cube with edges of 1."""
        return self.mesh in ("uniform", "jump")

    @property
    def linear(self) -> bool:
        """Return whether the exact displacement is known, which is linear."""
        return self.mesh not in ("jump", "plate")

    @cached_property
    def coordinates(self) -> Doubles:
        """Return x, y and z of each node."""
        along = [_positions(n, graded=self.mesh == "graded") for n in self.nodes]
        z, y, x = np.meshgrid(*along, indexing="ij")
        result = np.stack([x, y, z], axis=-1)
        if self.mesh == "plate":
            result[..., :2] *= _FLATNESS
        if self.mesh in ("distorted", "tetrahedra"):
            by = uniform(self.size, self.seed).reshape(result.shape)
            by *= _MOVED / np.maximum(1, np.sqrt(np.sum(by**2, axis=-1, keepdims=True)))
            inner = (slice(1, -1),) * 3
            result[inner] += by[inner]
        return result

    @cached_property
    def young(self) -> Doubles:
        """Return Young's modulus of each element."""
        result = np.ones([n - 1 for n in self.nodes])
        if self.mesh == "jump":
            result[tuple(slice((n - 1) // 4, (n - 1) * 3 // 4) for n in self.nodes)] = _STIFFNESS
        return result

    @cached_property
    def held(self) -> Flags:
        """Return where a displacement is held at zero: u_x at x = 0 and so on; all of a plate's at x = 0."""
        result = np.zeros((*self.nodes, 3), np.bool_)
        if self.mesh == "plate":
            result[:, :, 0] = True
        else:
            result[:, :, 0, 0] = result[:, 0, :, 1] = result[0, :, :, 2] = True
        return result

    @cached_property
    def load(self) -> Doubles:
        """Return the forces of a traction of 1 along z on the faces of the last plane, or on two triangles of each."""
        result = np.zeros((*self.nodes, 3))
        top = self.coordinates[-1]
        area = (top[1:, 1:, 0] - top[:-1, :-1, 0]) * (top[1:, 1:, 1] - top[:-1, :-1, 1])
        for dy, dx in product(range(2), range(2)):
            share = (1 / 3 if dx == dy else 1 / 6) if self.mesh == "tetrahedra" else 1 / 4
            result[-1, dy : self.ny - 1 + dy, dx : self.nx - 1 + dx, 2] += share * area
        result[self.held] = 0
        return result


def _positions(n: int, *, graded: bool) -> Doubles:
    edges = n - 1
    along = np.arange(edges) / max(edges - 1, 1)
    at = np.concatenate([[0], np.cumsum(_GROWTH**along if graded else np.ones(edges))])
    return at * (edges / at[-1])


def of_corners(layer: int, values: Doubles) -> Doubles:
    """Return [element, corner, component] of a layer of elements, from values at the nodes."""
    _, ny, nx, components = values.shape
    parts = [values[layer + z, y : ny - 1 + y, x : nx - 1 + x] for z, y, x in CORNERS]
    return np.stack(parts, axis=2).reshape(-1, 8, components)


def add_of_corners(layer: int, values: Doubles, total: Doubles) -> None:
    """Add [element, corner, component] of a layer of elements to values at the nodes."""
    _, ny, nx, components = total.shape
    shaped = values.reshape(ny - 1, nx - 1, 8, components)
    for a, (z, y, x) in enumerate(CORNERS):
        total[layer + z, y : ny - 1 + y, x : nx - 1 + x] += shaped[:, :, a]


def point_derivatives(problem: Problem) -> Doubles:
    """Return [point, corner, direction] of an element, or of its tetrahedra, which have a point each."""
    if problem.mesh != "tetrahedra":
        return shape_derivatives()
    result = np.zeros((len(TETRAHEDRA), 8, 3))
    for one, corner in zip(result, TETRAHEDRA, strict=True):
        one[corner] = ALONG_EDGES
    return result


def shares(problem: Problem) -> Doubles:
    """Return [point, corner]: which part of a point's volume is a corner's."""
    if problem.mesh != "tetrahedra":
        return np.full((8, 8), 1 / 8)
    result = np.zeros((len(TETRAHEDRA), 8))
    np.put_along_axis(result, TETRAHEDRA, 1 / 4, axis=1)
    return result


def forces_and_volumes(problem: Problem, displacement: Doubles) -> tuple[Doubles, Doubles]:
    """Return the forces at the nodes, from stresses, without a stiffness matrix, and each node's volume."""
    derivatives = point_derivatives(problem)
    force, volume = np.zeros_like(displacement), np.zeros((*problem.nodes, 1))
    for layer in range(problem.nz - 1):
        place = np.einsum("ear,pad->eprd", of_corners(layer, problem.coordinates), derivatives)
        along = np.einsum("ear,pad->eprd", of_corners(layer, displacement), derivatives)
        inverse, share = np.linalg.inv(place), np.linalg.det(place) / len(derivatives)
        change = along @ inverse
        young = problem.young[layer].reshape(-1, 1)
        pressure = young * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)) * np.trace(change, axis1=2, axis2=3)
        tension = (young / (2 * (1 + POISSON)))[..., None, None] * (change + change.swapaxes(2, 3))
        tension += pressure[..., None, None] * np.eye(3)
        flux = (tension * share[..., None, None]) @ inverse.swapaxes(2, 3)
        add_of_corners(layer, np.einsum("eprd,pad->ear", flux, derivatives), force)
        add_of_corners(layer, share @ shares(problem), volume)
    return force, volume


def check(problem: Problem, displacement: Doubles) -> tuple[float | None, float, str]:
    """Compare a result: (error, what it may be at most, what is wrong or ""). The README explains each."""
    residual_bound = 1.1 * problem.tolerance
    if not np.isfinite(displacement).all():
        return None, residual_bound, "a displacement is not a finite number"
    u = displacement.reshape((*problem.nodes, 3)).copy()
    largest, largest_held = float(np.abs(u).max()), float(np.abs(u[problem.held]).max())
    u[problem.held] = 0
    force, mass = forces_and_volumes(problem, u)
    rest = np.where(problem.held, 0, problem.load - force)
    residual = float(np.linalg.norm(rest) / np.linalg.norm(problem.load))
    if not residual <= residual_bound:
        return (
            residual,
            residual_bound,
            f"the residual is {residual:.3g} of the load, expected at most {residual_bound:.3g}",
        )
    if largest_held > problem.tolerance * largest:
        held = largest_held / largest
        return held, problem.tolerance, f"a held displacement is {held:.3g} of the largest one, expected 0"
    if not problem.linear:
        return residual, residual_bound, ""
    exact = problem.coordinates * [-POISSON, -POISSON, 1]
    whole = np.sqrt(np.sum(mass * exact**2))
    error = float(np.sqrt(np.sum(mass * (u - exact) ** 2)) / whole)
    slowest = 1 / float(problem.coordinates[-1, -1, -1].max()) ** 2
    bound = float(_CONSISTENT * np.sqrt(np.sum(rest**2 / mass)) / slowest / whole) + _ROUNDING
    if error > bound:
        return error, bound, f"the displacement is off by {error:.3g} of the exact one, expected at most {bound:.3g}"
    return residual, residual_bound, ""
