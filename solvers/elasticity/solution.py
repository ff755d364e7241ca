"""Types of the solver's options, progress and result."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

Preconditioner = Literal["none", "bjacobi", "cheby", "multigrid"]
PRECONDITIONERS: tuple[Preconditioner, ...] = get_args(Preconditioner)
Parts = tuple[int, int, int]  # of a box in each direction, one for each rank
Division = Parts | NDArray[np.int32] | None  # of a body among ranks; of a mesh, the rank of each node, (nodes,)
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
    """A displacement, and how it was found.

    displacement  of a box (nz, ny, nx, 3), of a mesh (nodes, 3)
    residuals     norms relative to the load's, as the iteration saw them: before the first iteration and after each
    residual      the true one, of the displacement; infinite where a limit or a stop came before the first
    iterations    of conjugate gradients
    outcome       why they ended; "stagnated": rounding keeps the true residual above the tolerance
    setup_s       seconds for the matrices and the preconditioner
    seconds       for all
    bytes         of memory for matrices and vectors
    rounding      where the residual stayed above the tolerance: what rounding of such a displacement makes of it by
                  itself, so that no other one in double precision has a much smaller one; 0 elsewhere
    stretched     whether the body is so thin, or its elements so much longer than wide, that multigrid smoothed columns
                  of nodes together, in double precision; of a box, that is a mesh's instead of a box's
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
