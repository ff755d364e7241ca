"""Call the solver with its options and limits, a progress callback and a stop flag."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface import checked_numbers
from rooftop.solvers.c_interface.array_addresses import address
from rooftop.solvers.c_interface.checked_numbers import real, whole, yes_or_no
from rooftop.solvers.c_interface.long_call import LongCall, goes_on
from rooftop.solvers.c_interface.solver_library import threads_of_caller
from rooftop.solvers.elasticity import library as c_library
from rooftop.solvers.elasticity.library import ElasticityArgumentError, Options, Result, Watch, check
from rooftop.solvers.elasticity.solution import (
    OUTCOMES,
    PRECONDITIONERS,
    Preconditioner,
    Solution,
    Standing,
    Watcher,
)
from rooftop.solvers.running.stop import Stop

_RESIDUALS_MAX = 1_000_000  # residuals that are kept
# An iteration takes some 10 ns for an unknown. What takes a tenth of a second at most needs no thread in which it is
# interrupted.
BRIEF_STEPS = 10_000_000  # unknowns times iterations
BRIEFLY_SET_UP = 3000  # unknowns


class _Watcher:
    """Wrap a user's callback for the solver."""

    def __init__(self, call: LongCall, watch: Watcher) -> None:
        self._call, self._watch = call, watch
        self.function = Watch(self._called)

    def _called(self, progress: Any, _with: Any) -> int:
        now = progress.contents
        told = Standing(float(now.seconds), int(now.iterations), float(now.residual))
        return self._call.ask(lambda: int(goes_on(self._watch(told))))


def _tolerance(value: float) -> float:
    number = real(value)
    if number is None or not 0 < number < math.inf:
        raise ElasticityArgumentError(f"tolerance is {value!r}; expected a number above 0, such as 1e-8")
    return number


@dataclass(frozen=True)
class Terms:
    """Options and limits of the solver; see `rooftop.solvers.elasticity.solve`."""

    preconditioner: Preconditioner
    tolerance: float
    iterations: int
    seconds: float | None
    threads: int | None
    single_values: bool
    watch: Watcher | None
    stop: Stop | None


class Given(Protocol):
    """A box or a mesh. It keeps the arrays alive while the solver reads them."""

    def as_c(self) -> ctypes.Structure:
        """Return the C structure."""


def iterated(function: Callable[..., int], given: Given, moved: NDArray[np.float64], terms: Terms) -> Solution:
    """Solve for a box or a mesh with a function of the C interface.

    moved  the prescribed displacements and the initial guess; overwritten with the solution

    Raises ElasticityArgumentError, MemoryError and any exception of the callback `watch`.
    """
    if terms.preconditioner not in PRECONDITIONERS:
        raise ElasticityArgumentError(
            f"preconditioner is {terms.preconditioner!r}; expected one of {', '.join(PRECONDITIONERS)}"
        )
    most = whole("iterations", terms.iterations, ElasticityArgumentError)
    limit = math.inf
    if terms.seconds is not None:
        limit = checked_numbers.seconds("seconds", terms.seconds, ElasticityArgumentError)
    call = LongCall(terms.stop)
    watcher = _Watcher(call, terms.watch) if terms.watch is not None else None
    threads = whole("threads", terms.threads or 0, ElasticityArgumentError, 32)
    options = Options(
        PRECONDITIONERS.index(terms.preconditioner),
        _tolerance(terms.tolerance),
        most,
        limit,
        threads or threads_of_caller(c_library.load()),
        watcher.function if watcher else Watch(),
        None,
        yes_or_no("single_values", terms.single_values, ElasticityArgumentError),
        call.flag.address,
    )
    brief = watcher is None and moved.size <= BRIEFLY_SET_UP and moved.size * most <= BRIEF_STEPS
    return (call.run_briefly if brief else call.run)(lambda: _solved(function, given, options, moved, watcher))


def _solved(
    function: Callable[..., int], given: Given, options: Options, moved: NDArray[np.float64], _alive: object
) -> Solution:
    """Call the solver while keeping its arguments alive."""
    residuals = np.empty(max(1, min(int(options.iterations), _RESIDUALS_MAX) + 1))
    residuals[0] = np.nan  # stays where the solver was stopped before it had one
    result = Result()
    check(
        function(
            ctypes.byref(given.as_c()),
            ctypes.byref(options),
            address(moved),
            address(residuals),
            len(residuals),
            ctypes.byref(result),
        )
    )
    told = residuals[: int(result.iterations) + 1]
    return Solution(
        displacement=moved,
        residuals=told[np.isfinite(told)],
        residual=float(result.residual),
        iterations=int(result.iterations),
        outcome=OUTCOMES[result.outcome],
        setup_s=float(result.setup_seconds),
        seconds=float(result.seconds),
        bytes=float(result.bytes),
        rounding=float(result.rounding),
        stretched=bool(result.stretched),
        replaced=bool(result.replaced),
    )
