"""PyAMG's smoothed aggregation with the six rigid motions, and its conjugate gradients, on a matrix of 3 x 3 blocks.

PyAMG and the products of SciPy's matrices run on one thread, whatever is asked. NumPy assembles the matrix, a layer of
elements at once. Source: Bell, Olson, Schroder and Southworth, PyAMG: algebraic multigrid solvers in Python, 2023.
"""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import numpy as np
from box_in_numpy import CORNERS, POISSON, Doubles, Problem, check, of_corners, point_derivatives

from rooftop.driver.peer import SkipCaseError, Verdict, drive

try:
    import pyamg
    from pyamg.krylov import cg
    from scipy.sparse import bsr_array
except ImportError as error:
    MISSING: str | None = f"{error.name} is not installed (pip install pyamg)"
else:
    MISSING = None

_MOST_ITERATIONS = 100_000
#: With a threshold of 0 there are more iterations; the rigid motions need no improvement. Higher thresholds, energy's
#: smoothing of the prolongation, Chebyshev's iteration and sweeps in one direction were slower.
_OPTIONS = {"strength": ("symmetric", {"theta": 0.02}), "improve_candidates": None}


def stiffnesses(corners: Doubles, derivatives: Doubles) -> Doubles:
    """Return [element, corner, component, corner, component] of elements whose corners lie at [element, corner, xyz].

    Young's modulus is 1, all points of integration have the same weight. Hughes, The Finite Element Method, 2000,
    chapters 2 and 3.

    derivatives  [point, corner, direction]: of the shape functions
    """
    shear, lame = 1 / (2 * (1 + POISSON)), POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    place = np.einsum("ear,pad->epdr", corners, derivatives)
    # Rows of the inverse, times the determinant, are the products of two other columns.
    inverse = np.stack([np.cross(place[:, :, (d + 1) % 3], place[:, :, (d + 2) % 3]) for d in range(3)], axis=2)
    volume = np.sum(place[:, :, 0] * inverse[:, :, 0], axis=-1)
    gradient = derivatives @ (inverse / volume[..., None, None])
    flat = gradient.reshape(len(corners), len(derivatives), 24)
    both = (flat * volume[..., None] / len(derivatives)).swapaxes(1, 2) @ flat
    both = both.reshape(-1, 8, 3, 8, 3)
    result = lame * both + shear * both.swapaxes(2, 4)
    along = shear * np.einsum("eadbd->eab", both)
    for r in range(3):
        result[:, :, r, :, r] += along
    return result


def assemble(problem: Problem) -> Any:
    """Return the matrix. Of rows and columns of held displacements the diagonal is left."""
    nz, ny, nx = problem.nodes
    values = np.zeros((nz, ny, nx, 3, 3, 3, 3, 3))  # of a node, its neighbours one before to one behind, and a block
    derivatives = point_derivatives(problem)
    cube = stiffnesses(np.array(CORNERS, np.float64)[None, :, ::-1], derivatives) if problem.cubes else None
    for layer in range(problem.nz - 1):
        of_one = stiffnesses(of_corners(layer, problem.coordinates), derivatives) if cube is None else cube
        of_layer = of_one * problem.young[layer].reshape(-1, 1, 1, 1, 1)
        held = of_corners(layer, problem.held).reshape(-1, 24)
        some = held.any(axis=1)
        left = of_layer[some].reshape(-1, 24, 24)
        left *= ~(held[some][:, :, None] | held[some][:, None, :]) | np.eye(24, dtype=np.bool_)
        of_layer[some] = left.reshape(-1, 8, 3, 8, 3)
        shaped = of_layer.reshape(ny - 1, nx - 1, 8, 3, 8, 3)
        for a, (z, y, x) in enumerate(CORNERS):
            rows = values[layer + z, y : ny - 1 + y, x : nx - 1 + x]
            for b, (other_z, other_y, other_x) in enumerate(CORNERS):
                rows[:, :, other_z - z + 1, other_y - y + 1, other_x - x + 1] += shaped[:, :, a, :, b]
    away = np.arange(-1, 2)
    at = [np.arange(n)[:, None] + away for n in problem.nodes]
    inside = [(one >= 0) & (one < n) for one, n in zip(at, problem.nodes, strict=True)]

    def over(parts: list[Any]) -> list[Any]:
        """Return [z, 3] and so on as they lie in [z, y, x, 3, 3, 3]."""
        return [
            part.reshape([-1 if axis == d else 1 for axis in range(3)] + [3 if axis == d else 1 for axis in range(3)])
            for d, part in enumerate(parts)
        ]

    in_z, in_y, in_x = over(inside)
    z, y, x = over(at)
    there = in_z & in_y & in_x
    if problem.mesh == "tetrahedra":  # not all corners of an element share one
        there = there & values.any(axis=(-2, -1))
    columns = ((z * ny + y) * nx + x)[there].astype(np.int32)
    starts = np.concatenate([[0], np.cumsum(there.reshape(-1, 27).sum(axis=1))]).astype(np.int32)
    return bsr_array((values[there], columns, starts), shape=(problem.size, problem.size))


def rigid_motions(problem: Problem) -> Doubles:
    """Return [unknown, motion]: three shifts and three rotations about the middle, with held displacements at zero."""
    place = problem.coordinates - problem.coordinates.mean(axis=(0, 1, 2))
    result = np.zeros((*problem.nodes, 3, 6))
    for c in range(3):
        result[..., c, c] = 1
        result[..., (c + 1) % 3, 3 + c] = -place[..., (c + 2) % 3]
        result[..., (c + 2) % 3, 3 + c] = place[..., (c + 1) % 3]
    result[problem.held] = 0
    return result.reshape(problem.size, 6)


class Solution:
    """One case; `run` is what is timed: from the mesh to the displacement."""

    def __init__(self, problem: Problem) -> None:
        """Compute where nodes lie, the material and the load: they are given."""
        self.problem = problem
        self.displacement = np.full(problem.size, np.nan)
        self.figures: dict[str, int] = {}
        for given in ("coordinates", "young", "held", "load"):
            getattr(problem, given)

    def run(self) -> None:
        """Assemble, set up and iterate until the residual is small enough."""
        start_ns = time.perf_counter_ns()
        matrix = assemble(self.problem)
        levels = pyamg.smoothed_aggregation_solver(matrix, B=rigid_motions(self.problem), **_OPTIONS)
        setup_ns = time.perf_counter_ns() - start_ns
        residuals: list[float] = []
        self.displacement, failed = cg(
            matrix,
            self.problem.load.reshape(-1),
            tol=self.problem.tolerance,
            criteria="rr",
            maxiter=_MOST_ITERATIONS,
            M=levels.aspreconditioner(),
            residuals=residuals,
        )
        if failed:
            raise RuntimeError(f"no solution after {_MOST_ITERATIONS} iterations: PyAMG's cg returned {failed}")
        self.figures = {"iterations": len(residuals) - 1, "setup_ns": setup_ns}

    def poison(self) -> None:
        """Overwrite the result, so that one left untouched is caught."""
        self.displacement = np.full(self.problem.size, np.nan)
        self.figures = {}

    def verdict(self) -> Verdict:
        """Hold the displacement against the problem."""
        error, tolerance, wrong = check(self.problem, self.displacement)
        return Verdict(error, tolerance, wrong, [{"figures": self.figures}])

    def work(self) -> dict[str, Any]:
        """Return the algorithm only: like work.hpp, it states neither flops nor bytes, so that there is no roof."""
        return {"algorithm": "preconditioned conjugate gradients"}


def make(parameters: dict[str, Any], seed: int, threads: int) -> Solution:
    """Set up a case. Raises SkipCaseError where it is no box."""
    if parameters.get("mesh") == "listed":
        raise SkipCaseError("the body is no box, and NumPy assembles the matrix of a box alone")
    return Solution(Problem.from_parameters(parameters, seed))


if __name__ == "__main__":
    raise SystemExit(drive("elasticity_solution", __file__, sys.argv[1:], make, MISSING))
