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

from rooftop.solvers.c_interface.array_addresses import address
from rooftop.solvers.c_interface.checked_arrays import real_numbers, unmasked
from rooftop.solvers.c_interface.checked_numbers import seconds, whole
from rooftop.solvers.c_interface.long_call import LongCall, goes_on
from rooftop.solvers.c_interface.python_functions import BriefFunction, field_names
from rooftop.solvers.c_interface.solver_library import NothingFound, threads_of_caller
from rooftop.solvers.network import library as c_library
from rooftop.solvers.network.library import NetworkArgumentError, Options, Result, Watch, check
from rooftop.solvers.network.model import OBJECTIVES, Model
from rooftop.solvers.running.stop import Stop

__all__ = ["TRAILS", "Front", "Model", "NetworkArgumentError", "NothingFound", "Standing", "Trails", "solve"]

Trails = Literal["superposed", "combined"]
TRAILS: tuple[Trails, ...] = ("superposed", "combined")
# A search of no more steps, of at most 2 µs, needs no thread in which it can be interrupted.
_BRIEF_STEPS = 40_000
_STEPS_OF_AN_ANT = 30  # besides one for each arc and shipment
_ANTS_TO_PREPARE = 10  # take as long as the search's preparation


@dataclass(frozen=True)
class Standing:
    """Progress: seconds since the start, ants so far, kilograms beyond capacities, and the points of the front."""

    seconds: float
    iterations: int
    overload_kg: int
    points: NDArray[np.float64]


@dataclass(frozen=True)
class Front:
    """Plans that do not dominate each other, sorted by the first objective.

    points        [plans][objectives]
    paths         for each plan and shipment, the arcs in the order travelled
    overload_kg   above 0 if no plan within all capacities was found; the front then has one plan
    """

    points: NDArray[np.float64]
    paths: tuple[tuple[tuple[int, ...], ...], ...]
    overload_kg: int
    seconds: float
    iterations: int


Callback = Callable[[Standing], bool | None]

_ARRAYS = ("tail", "head", "capacity_kg", "per_vehicle", "per_kg", "month", "origin", "destination", "kg")
_BRIEF = BriefFunction(
    c_library.NAME,
    ("solve", "solution_result", "solution_paths", "solution_destroy"),
    lambda: (
        np.ndarray,
        np.empty,
        np.dtype(np.float64),
        Model,
        (*_ARRAYS, "nodes", "payload_kg", "months"),
        Front,
        field_names(Front),
        TRAILS,
        _BRIEF_STEPS,
        _ANTS_TO_PREPARE,
        _STEPS_OF_AN_ANT,
    ),
)


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
    """Return the address of an array of the model, after checking its dtype, shape and layout."""
    array = getattr(model, name)
    if not (isinstance(array, np.ndarray) and array.dtype == dtype and array.shape == shape):
        kind = f"{array.dtype} {array.shape}" if isinstance(array, np.ndarray) else type(array).__name__
        raise NetworkArgumentError(f"{name} of the model is {kind}; expected an array of {dtype.__name__} {shape}")
    if not (array.flags.c_contiguous and array.flags.aligned):
        raise NetworkArgumentError(f"{name} of the model is not contiguous; expected an aligned C-contiguous array")
    unmasked(f"{name} of the model", array, NetworkArgumentError)
    return address(array)


def _problem(model: Model) -> c_library.Problem:
    if not isinstance(model, Model):
        raise NetworkArgumentError(f"the model is a {type(model).__name__}; expected a Model")
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
    """Search for the Pareto front of a model and return it.

    time_s      time limit in seconds, ignored if `iterations` is given
    seed        with `iterations`, determines the front for any number of threads
    threads     0: all
    iterations  number of ants, instead of a time limit
    plans       maximum number of plans on the front
    weights     one for each objective; direct a quarter of the ants. None: equal weights
    trails      pheromone trails: one per objective ("superposed") or one for all ("combined")
    callback    called regularly with the front; any false value except None ends the search
    stop        ends the search from another thread or a signal handler

    The search runs in its own thread, and the callback in the calling thread. An exception raised by the callback or a
    signal handler, such as KeyboardInterrupt, ends the search and is raised here. Raises NetworkArgumentError for
    invalid arguments, and NothingFound if the search ended before it had a plan.
    """
    if weights is None and callback is None and stop is None:
        done: Front | None = _BRIEF.run(model, time_s, seed, threads, iterations, plans, trails)
        if done is not None:
            return done
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
    _BRIEF.find(library)
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
    steps = (options.iterations + _ANTS_TO_PREPARE) * (problem.arcs * problem.shipments + _STEPS_OF_AN_ANT)
    brief = options.iterations > 0 and callback is None and steps <= _BRIEF_STEPS
    run = call.run_briefly if brief else call.run
    return run(lambda: _search(model, problem, options, (watcher, goals)))


def _search(model: Model, problem: c_library.Problem, options: Options, _alive: object) -> Front:
    """Call the solver. `_alive` keeps the objects that it uses alive."""
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
