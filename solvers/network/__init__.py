"""Multi-objective planning of transport networks: the Python interface of ``solvers/network``.

::

    front = network.solve(model, time_s=5)  # model: rooftop.solvers.network.model.make_model(network)
    front.points  # [plans][objectives], none dominates another
    front.paths[0][3]  # the arcs of shipment 3 in the first plan

The GIL is released while the solver runs.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.c_interface.checked_arrays import real_numbers, unmasked
from rooftop.solvers.c_interface.checked_numbers import seconds, whole
from rooftop.solvers.c_interface.long_call import LongCall, goes_on
from rooftop.solvers.c_interface.solver_library import NothingFound, threads_of_caller
from rooftop.solvers.network import library as c_library
from rooftop.solvers.network.library import NetworkArgumentError, Options, Result, Watch, check
from rooftop.solvers.network.model import OBJECTIVES, Model
from rooftop.solvers.running.stop import Stop

__all__ = ["TRAILS", "Front", "Model", "NetworkArgumentError", "NothingFound", "Standing", "Trails", "solve"]

Trails = Literal["superposed", "combined"]
TRAILS: tuple[Trails, ...] = ("superposed", "combined")


@dataclass(frozen=True)
class Standing:
    """Progress: seconds since the start, ants so far, kilograms beyond capacities, and the points of the front."""

    seconds: float
    iterations: int
    overload_kg: int
    points: NDArray[np.float64]


@dataclass(frozen=True)
class Front:
    """Plans of which none dominates another, by their first objective.

    points        [plans][objectives]
    paths         of each plan, of each shipment, arcs in the order travelled
    overload_kg   above 0 where no plan was found that keeps all capacities: then there is one plan
    """

    points: NDArray[np.float64]
    paths: tuple[tuple[tuple[int, ...], ...], ...]
    overload_kg: int
    seconds: float
    iterations: int


Callback = Callable[[Standing], bool | None]


def _points(pointer: Any, plans: int) -> NDArray[np.float64]:
    return np.ctypeslib.as_array(pointer, (plans, len(OBJECTIVES))).copy()


class _Watcher:
    """Wrap a user's callback for the solver."""

    def __init__(self, call: LongCall, callback: Callback) -> None:
        self._call, self._callback = call, callback
        self.function = Watch(self._called)

    def _called(self, progress: Any, _with: Any) -> int:
        now = progress.contents
        points = _points(now.points, now.plans)
        told = Standing(float(now.seconds), int(now.iterations), int(now.overload_kg), points)
        return self._call.ask(lambda: int(goes_on(self._callback(told))))


def _address(model: Model, name: str, dtype: type[np.generic], *shape: int) -> int:
    """Return where an array of the model lies. The solver reads numbers of one type, as many as the model has."""
    array = getattr(model, name)
    if not (isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == shape):
        kind = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise NetworkArgumentError(f"{name} of the model is {kind}; expected an array of {dtype.__name__} {shape}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise NetworkArgumentError(f"{name} of the model is not contiguous; expected one as make_model has it")
    unmasked(f"{name} of the model", array, NetworkArgumentError)
    return array.ctypes.data


def _problem(model: Model) -> c_library.Problem:
    if not isinstance(model, Model):
        raise NetworkArgumentError(f"the model is a {type(model).__name__}; expected what make_model returns")
    arcs, shipments = np.size(model.tail), np.size(model.kg)
    sizes = (
        whole("nodes of the model", model.nodes, NetworkArgumentError, 32),
        arcs,
        len(model.months),
        len(OBJECTIVES),
        shipments,
    )
    return c_library.Problem(
        *sizes,
        _address(model, "tail", np.int32, arcs),
        _address(model, "head", np.int32, arcs),
        _address(model, "capacity_kg", np.int64, arcs),
        whole("payload_kg of the model", model.payload_kg, NetworkArgumentError),
        _address(model, "per_vehicle", np.float64, len(OBJECTIVES), arcs),
        _address(model, "per_kg", np.float64, len(OBJECTIVES), arcs),
        _address(model, "month", np.int32, shipments),
        _address(model, "origin", np.int32, shipments),
        _address(model, "destination", np.int32, shipments),
        _address(model, "kg", np.int64, shipments),
    )


def _paths(library: ctypes.CDLL, found: ctypes.c_void_p, plan: int, shipments: int) -> tuple[tuple[int, ...], ...]:
    first, arcs = ctypes.POINTER(ctypes.c_int64)(), ctypes.POINTER(ctypes.c_int32)()
    check(library.rooftop_network_solution_paths(found, plan, ctypes.byref(first), ctypes.byref(arcs)))
    steps = first[: shipments + 1]
    every = arcs[: steps[-1]]
    return tuple(tuple(every[a:b]) for a, b in pairwise(steps))


def solve(
    model: Model,
    time_s: float = 10.0,
    *,
    seed: int = 1,
    threads: int = 0,
    iterations: int = 0,
    plans: int = 100,
    weights: Sequence[float] | None = None,
    trails: Trails = "superposed",
    callback: Callback | None = None,
    stop: Stop | None = None,
) -> Front:
    """Search for a Pareto front for `time_s` seconds, or with a number of ants (`iterations`).

    With a number of ants the front depends on the seed alone, not on the number of threads (0: all). `plans`: at most,
    on the front. `weights`: where a quarter of the ants look. `callback` is told the front now and then, and ends the
    search by returning False, or whatever is false but None. `stop` ends it from another thread or a signal handler.

    The search runs in a thread of its own, and the callback in the one that called this. What it raises, and what
    signal handlers raise meanwhile, such as KeyboardInterrupt, ends the search and is raised here. Raises NothingFound
    where the time was over, or the stop requested, before there was a plan.
    """
    if trails not in TRAILS:
        raise NetworkArgumentError(f"trails is {trails!r}; expected one of {', '.join(TRAILS)}")
    goals = None
    if weights is not None:
        goals = np.ascontiguousarray(real_numbers("weights", weights, NetworkArgumentError))
    if goals is not None and goals.shape != (len(OBJECTIVES),):
        raise NetworkArgumentError(
            f"weights have shape {goals.shape}; expected one for each of {', '.join(OBJECTIVES)}"
        )
    call = LongCall(stop)
    watcher = _Watcher(call, callback) if callback is not None else None
    library = c_library.load()
    options = Options(
        seconds("time_s", time_s, NetworkArgumentError),
        whole("iterations", iterations, NetworkArgumentError),
        whole("seed", seed, NetworkArgumentError) & (1 << 64) - 1,
        whole("threads", threads, NetworkArgumentError, 32) or threads_of_caller(library),
        whole("plans", plans, NetworkArgumentError, 32),
        TRAILS.index(trails),
        None if goals is None else goals.ctypes.data,
        watcher.function if watcher else Watch(),
        None,
        call.flag.address,
    )
    problem = _problem(model)
    return call.run(lambda: _search(model, problem, options, (watcher, goals)))


def _search(model: Model, problem: c_library.Problem, options: Options, _alive: object) -> Front:
    """Call the solver; what it looks at meanwhile lives as long."""
    library, found = c_library.load(), ctypes.c_void_p()
    check(library.rooftop_network_solve(ctypes.byref(problem), ctypes.byref(options), ctypes.byref(found)))
    try:
        result = Result()
        check(library.rooftop_network_solution_result(found, ctypes.byref(result)))
        paths = tuple(_paths(library, found, plan, len(model.kg)) for plan in range(result.plans))
        points = _points(result.points, result.plans)
        return Front(points, paths, int(result.overload_kg), float(result.seconds), int(result.iterations))
    finally:
        library.rooftop_network_solution_destroy(found)
