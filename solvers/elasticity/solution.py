"""Types of the solver's options, progress and result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Preconditioner = Literal["none", "bjacobi", "cheby", "multigrid"]
PRECONDITIONERS: tuple[Preconditioner, ...] = get_args(Preconditioner)
Parts = tuple[int, int, int]  # number of parts of a box along x, y and z; each rank has one part
Division = Parts | NDArray[np.int32] | None  # a box: its parts; a mesh: the rank of each node, (nodes,)
Outcome = Literal["converged", "iteration limit", "time limit", "stopped", "stagnated"]
OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Standing:
    """Progress of the iteration: seconds since the call, iterations so far, and the residual relative to the load."""

    seconds: float
    iterations: int
    residual: float


@dataclass(frozen=True)
class Solution:
    """Result of the solver.

    displacement  (nz, ny, nx, 3) for a box, (nodes, 3) for a mesh
    residuals     relative residual as the iteration computes it: before the first iteration and after each one
    residual      true residual of the displacement, relative to the load; infinite if the first iteration was not
                  reached
    iterations    number of iterations
    outcome       why the iteration ended; "stagnated": rounding keeps the true residual above the tolerance
    setup_s       seconds to set up the matrices and the preconditioner
    seconds       seconds in total
    bytes         memory of the matrices and vectors
    rounding      if the residual is above the tolerance: the residual caused by rounding the displacement to double
                  precision, which is about the smallest that can be reached; otherwise 0
    stretched     whether the body is so thin, or its elements so elongated, that multigrid smoothed whole columns of
                  nodes together, in double precision; a box is then solved as a mesh
    replaced      whether the preconditioner failed and block Jacobi was used instead
    """

    displacement: NDArray[np.float64]
    residuals: NDArray[np.float64]
    residual: float
    iterations: int
    outcome: Outcome
    setup_s: float
    seconds: float
    bytes: float
    rounding: float = 0.0
    stretched: bool = False
    replaced: bool = False


Watcher = Callable[[Standing], bool | None]
