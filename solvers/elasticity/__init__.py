"""Linear elasticity on boxes of hexahedra: the Python face of ``solvers/elasticity``.

::

    from rooftop.solvers import elasticity

    nodes = (81, 81, 81)
    held = elasticity.symmetric(nodes, "x-min", "y-min", "z-min")
    load = elasticity.traction(nodes, "z-max", (0, 0, 1))
    solution = elasticity.solve(nodes, load=load, held=held)
    solution.displacement  # (nz, ny, nx, 3)

The GIL is free while the solver works.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface import checked_numbers
from rooftop.solvers.c_interface.answers import goes_on
from rooftop.solvers.c_interface.checked_numbers import real, whole, yes_or_no
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.solver_library import threads_of_caller
from rooftop.solvers.elasticity import library as c_library
from rooftop.solvers.elasticity.box import box
from rooftop.solvers.elasticity.checked_grid import (
    Nodes,
    checked_nodes,
    element_values,
    node_mask,
    node_shape,
    node_values,
)
from rooftop.solvers.elasticity.faces import FACES, Face, clamped, symmetric, traction
from rooftop.solvers.elasticity.library import ElasticityArgumentError, Options, Result, Watch, check
from rooftop.solvers.elasticity.stress import stresses, von_mises
from rooftop.solvers.running.stop import Stop

__all__ = [
    "FACES",
    "PRECONDITIONERS",
    "ElasticityArgumentError",
    "Face",
    "Outcome",
    "Preconditioner",
    "Solution",
    "Standing",
    "box",
    "clamped",
    "solve",
    "stresses",
    "symmetric",
    "traction",
    "von_mises",
]

Preconditioner = Literal["none", "bjacobi", "cheby", "multigrid"]
PRECONDITIONERS: tuple[Preconditioner, ...] = get_args(Preconditioner)
Outcome = Literal["converged", "iteration limit", "time limit", "stopped", "stagnated"]
_OUTCOMES: tuple[Outcome, ...] = get_args(Outcome)

ITERATIONS = 100_000  # at most, unless said otherwise
_RESIDUALS_MAX = 1_000_000  # that are kept


@dataclass(frozen=True)
class Standing:
    """How the iteration stands: seconds since the call, iterations so far, and the residual relative to the load."""

    seconds: float
    iterations: int
    residual: float


@dataclass(frozen=True)
class Solution:
    """A displacement, and how it was found.

    displacement  (nz, ny, nx, 3)
    residuals     norms relative to the load's, as the iteration saw them: before the first iteration and after each
    residual      the true one, of the displacement; infinite where a limit or a stop came before the first
    iterations    of conjugate gradients
    outcome       why they ended; "stagnated": rounding keeps the true residual above the tolerance
    setup_s       seconds for the matrices and the preconditioner
    seconds       for all
    bytes         of memory for matrices and vectors
    """

    displacement: NDArray[np.float64]
    residuals: NDArray[np.float64]
    residual: float
    iterations: int
    outcome: Outcome
    setup_s: float
    seconds: float
    bytes: float


Watcher = Callable[[Standing], bool | None]


class _Watcher:
    """A user's function as the solver calls it."""

    def __init__(self, call: LongCall, watch: Watcher) -> None:
        self._call, self._watch = call, watch
        self.function = Watch(self._called)

    def _called(self, progress: Any, _with: Any) -> int:
        now = progress.contents
        told = Standing(float(now.seconds), int(now.iterations), float(now.residual))
        return self._call.ask(lambda: int(goes_on(self._watch(told))))


@dataclass(frozen=True)
class _Body:
    """The arrays that the solver looks at, for as long as it does."""

    nodes: Nodes
    coordinates: NDArray[np.float64] | None
    young: NDArray[np.float64]
    poisson: NDArray[np.float64]
    load: NDArray[np.float64]
    held: NDArray[np.uint8]

    def as_c(self) -> c_library.Body:
        """Return them as the C interface has them."""
        return c_library.Body(
            (ctypes.c_int64 * 3)(*self.nodes),
            None if self.coordinates is None else self.coordinates.ctypes.data,
            self.young.size,
            self.young.ctypes.data,
            self.poisson.size,
            self.poisson.ctypes.data,
            self.load.ctypes.data,
            self.held.ctypes.data,
        )


def _tolerance(value: float) -> float:
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise ElasticityArgumentError(f"tolerance is {value!r}; expected a number above 0, such as 1e-8")
    return number


def solve(
    nodes: Sequence[int],
    *,
    coordinates: Any = None,
    young: Any = 1.0,
    poisson: Any = 0.3,
    load: Any,
    held: Any,
    displacement: Any = None,
    preconditioner: Preconditioner = "multigrid",
    tolerance: float = 1e-8,
    iterations: int = ITERATIONS,
    seconds: float | None = None,
    threads: int | None = None,
    single_values: bool = False,
    watch: Watcher | None = None,
    stop: Stop | None = None,
) -> Solution:
    """Return the displacement of a box of trilinear hexahedra under a load, by preconditioned conjugate gradients.

    nodes           in each direction: (nx, ny, nz), 2 or more
    coordinates     (nz, ny, nx, 3); None: elements are cubes with edges of 1
    young, poisson  a number, or one for each element, (nz-1, ny-1, nx-1)
    load            forces on nodes, (nz, ny, nx, 3)
    held            where a displacement is prescribed, bool, (nz, ny, nx, 3)
    displacement    (nz, ny, nx, 3): what is prescribed, elsewhere a first guess; None: zero. It is not changed
    preconditioner  "none", "bjacobi" (block Jacobi), "cheby" (Chebyshev) or "multigrid" (geometric)
    tolerance       of the norm of the residual, relative to that of the load
    iterations      maximum
    seconds         maximum; None: no limit
    threads         None or 0: as many as OpenMP would take
    single_values   whether products read an assembled matrix in single precision, which moves half the bytes; the
                    tolerance holds for the true residual all the same

    `watch` is told how the iteration stands now and then, and ends it by returning False, or whatever is false but
    None. `stop` ends it from another thread or a signal handler. The solver runs in a thread of its own, and `watch` in
    the one that called this. What it raises, and what signal handlers raise meanwhile, such as KeyboardInterrupt, ends
    the iteration and is raised here.

    Raises ElasticityArgumentError for what does not fit or makes no sense, for inverted elements and for a body that is
    free to move; MemoryError. The displacement of an iteration that a limit or a stop ended is not converged: see
    `outcome` and `residual`.
    """
    counts = checked_nodes(nodes)
    if preconditioner not in PRECONDITIONERS:
        raise ElasticityArgumentError(
            f"preconditioner is {preconditioner!r}; expected one of {', '.join(PRECONDITIONERS)}"
        )
    body = _Body(
        counts,
        None if coordinates is None else node_values("coordinates", coordinates, counts),
        element_values("young", young, counts),
        element_values("poisson", poisson, counts),
        node_values("load", load, counts),
        node_mask("held", held, counts),
    )
    moved = np.zeros(node_shape(counts))
    if displacement is not None:
        moved[...] = node_values("displacement", displacement, counts)
    most = whole("iterations", iterations, ElasticityArgumentError)
    limit = math.inf if seconds is None else checked_numbers.seconds("seconds", seconds, ElasticityArgumentError)
    call = LongCall(stop)
    watcher = _Watcher(call, watch) if watch is not None else None
    library = c_library.load()
    options = Options(
        PRECONDITIONERS.index(preconditioner),
        _tolerance(tolerance),
        most,
        limit,
        whole("threads", threads or 0, ElasticityArgumentError, 32) or threads_of_caller(library),
        watcher.function if watcher else Watch(),
        None,
        yes_or_no("single_values", single_values, ElasticityArgumentError),
        call.flag.address,
    )
    return call.run(lambda: _solved(body, options, moved, watcher))


def _solved(body: _Body, options: Options, moved: NDArray[np.float64], _alive: object) -> Solution:
    """Call the solver; what it looks at meanwhile lives as long."""
    residuals = np.full(max(1, min(int(options.iterations), _RESIDUALS_MAX) + 1), np.nan)
    result = Result()
    check(
        c_library.load().rooftop_elasticity_solve(
            ctypes.byref(body.as_c()),
            ctypes.byref(options),
            moved.ctypes.data,
            residuals.ctypes.data,
            len(residuals),
            ctypes.byref(result),
        )
    )
    return Solution(
        displacement=moved,
        residuals=residuals[np.isfinite(residuals)],
        residual=float(result.residual),
        iterations=int(result.iterations),
        outcome=_OUTCOMES[result.outcome],
        setup_s=float(result.setup_seconds),
        seconds=float(result.seconds),
        bytes=float(result.bytes),
    )
