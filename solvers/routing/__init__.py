"""Travelling salesman problems: the Python interface of ``solvers/routing``.

::

    tour = routing.solve_tsp(coordinates, time_s=5)  # [n][2], rounded Euclidean distances
    tour = routing.solve_tsp(distances, time_s=5)  # [n][n] integers, symmetric or not
    tour.order, tour.length

    problem = routing.Problem.read("berlin52.tsp")  # TSPLIB 95, TYPE TSP or ATSP
    tour = problem.solve(time_s=5, seed=7)
    tour = problem.solve(time_s=5, initial_tour=tour.order)  # never longer

Distances are integers, as in TSPLIB. If rounding changes distances by more than a tenth, as for cities in the unit
square, a `RoundedDistances` warning says by what to multiply the coordinates. The GIL is released while the solver
runs.
"""

from __future__ import annotations

import ctypes
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.solvers.c_interface.array_addresses import address
from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.c_interface.checked_numbers import seconds, whole
from rooftop.solvers.c_interface.long_call import LongCall, goes_on
from rooftop.solvers.c_interface.python_functions import BriefFunction, field_names
from rooftop.solvers.c_interface.solver_library import Handle, SharedByCopies, threads_of_caller
from rooftop.solvers.routing import library as c_library
from rooftop.solvers.routing.library import Options, Result, RoutingArgumentError, Watch, check
from rooftop.solvers.routing.rounded_distances import RoundedDistances, rounding_remark
from rooftop.solvers.routing.tsplib_file import text_of
from rooftop.solvers.running.stop import Stop

__all__ = ["Problem", "Progress", "RoundedDistances", "RoutingArgumentError", "Tour", "solve_tsp"]

COORDINATES = 2  # of a city in the plane
DISTANCE_MAX = 2**31 - 1
_ANTS_AT_ONCE = 100  # about as many are sent out at least
_BRIEF_STEPS = 50_000  # of ants, of about 1 µs: a search of no more needs no thread in which it can be interrupted
_INT32 = np.dtype(np.int32)
_FEW = 200  # cities, of which a set of Python's is made faster than NumPy sorts them


@dataclass(frozen=True)
class Progress:
    """Progress of a search: seconds since its start, ants so far, and the length of the best tour."""

    seconds: float
    iterations: int
    length: int


@dataclass(frozen=True)
class Tour:
    """Result of a search.

    order       cities of the closed tour, starting at city 0
    length      in units of the problem's distances
    iterations  number of ants
    history     improvements of the best tour
    """

    order: NDArray[np.int32]
    length: int
    seconds: float
    iterations: int
    history: tuple[Progress, ...]


Callback = Callable[[Progress], bool | None]
Show = Callable[[Progress, NDArray[np.int32]], None]


_BRIEF = BriefFunction(
    c_library.NAME,
    ("solve", "solution_result", "solution_destroy"),
    lambda: (
        np.empty,
        _INT32,
        *(one for kind in (Tour, Progress) for one in (kind, field_names(kind))),
        _BRIEF_STEPS,
        _ANTS_AT_ONCE,
    ),
)
_BRIEF_LENGTH = BriefFunction(c_library.NAME, ("problem_length",), lambda: (np.ndarray,), "length")


def _progress(one: c_library.Progress) -> Progress:
    return Progress(float(one.seconds), int(one.iterations), int(one.length))


class _Watcher:
    """Wrap a user's callbacks for the solver."""

    def __init__(self, call: LongCall, cities: int, callback: Callback | None, show: Show | None) -> None:
        self._call, self._cities, self._callback, self._show = call, cities, callback, show
        self.watch = Watch(self._watched) if callback or show else Watch()
        self.show = c_library.Show(self._shown) if show else c_library.Show()

    def _watched(self, progress: Any, _with: Any) -> int:
        return self._called(self._callback, progress)

    def _shown(self, progress: Any, order: Any, _with: Any) -> None:
        self._called(self._show, progress, np.ctypeslib.as_array(order, (self._cities,)).copy())

    def _called(self, callback: Callable[..., Any] | None, progress: Any, *more: Any) -> int:
        if callback is None:
            return 1
        now = _progress(progress.contents)
        return self._call.ask(lambda: int(goes_on(callback(now, *more))))


class Problem(SharedByCopies):
    """A travelling salesman problem. Create one with `read`, `in_plane` or `of_matrix`.

    Copies share the data. Problems of coordinates or of a matrix can be pickled; those read from a file cannot.

    cities   number of cities
    name     NAME in the file
    remarks  skipped keywords of the file, one line each
    """

    def __init__(self, handle: ctypes.c_void_p, made_by: Callable[[Any], Problem] | None = None) -> None:
        """Take ownership of a C handle. `made_by` recreates the problem from an array; None for a file."""
        if not isinstance(handle, ctypes.c_void_p):  # ctypes would take a file's name for an address
            raise RoutingArgumentError(
                f"Problem() is called with a {type(handle).__name__}; use Problem.read, in_plane or of_matrix instead"
            )
        library = c_library.load()
        self._library, self._handle = library, Handle(handle, library.rooftop_routing_problem_destroy)
        _BRIEF.find(library)
        _BRIEF_LENGTH.find(library)
        cities = ctypes.c_int32()
        check(library.rooftop_routing_problem_cities(self._handle, ctypes.byref(cities)))
        self.cities: int = cities.value
        self.name: str = library.rooftop_routing_problem_name(self._handle).decode("utf-8", "replace")
        remarks = library.rooftop_routing_problem_remarks(self._handle).decode("utf-8", "replace")
        self.remarks: tuple[str, ...] = tuple(remarks.splitlines())
        self._numbers = frozenset(range(self.cities)) if self.cities <= _FEW else frozenset()
        self._made_by = made_by

    def __reduce__(self) -> tuple[Any, ...]:
        if self._made_by is None:
            raise TypeError(
                f"the problem '{self.name}' was read from a file and cannot be pickled; "
                "pass the file's name and read it with Problem.read there"
            )
        return self._made_by, (self._matrix() if self.metric == "EXPLICIT" else self.coordinates,)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """Read a TSPLIB 95 file, which may be gzipped. Raises RoutingArgumentError for an invalid file."""
        handle, library = ctypes.c_void_p(), c_library.load()
        text, name = text_of(path), os.fsencode(path)
        if text is None:
            check(library.rooftop_routing_problem_read(name, ctypes.byref(handle)))
        else:
            check(library.rooftop_routing_problem_of_text(text, len(text), name, ctypes.byref(handle)))
        return cls(handle)

    def read_tour(self, path: str | os.PathLike[str]) -> NDArray[np.int32]:
        """Read a tour of these cities from a file of TYPE TOUR of TSPLIB 95: city numbers from 0.

        Raises RoutingArgumentError with one line that says what is wrong with it.
        """
        text, order = text_of(path, plain=True) or b"", np.empty(self.cities, dtype=np.int32)
        call = self._library.rooftop_routing_problem_tour_of_text
        check(call(self._handle, text, len(text), os.fsencode(path), order.ctypes.data))
        return order

    @classmethod
    def in_plane(cls, coordinates: ArrayLike) -> Problem:
        """Create a problem of cities at [n][2] coordinates. Distances are Euclidean, rounded to the nearest integer.

        Warns with RoundedDistances if rounding distorts the distances.
        """
        return cls._of_coordinates(coordinates)

    @classmethod
    def _of_coordinates(cls, coordinates: ArrayLike) -> Problem:
        """Check coordinates. The warning is attributed to the caller of the calling function."""
        places = real_numbers("coordinates", coordinates, RoutingArgumentError)
        if places.ndim != COORDINATES or places.shape[1] != COORDINATES:
            raise RoutingArgumentError(f"coordinates have shape {places.shape}; expected (n, 2)")
        problem = cls._in_plane(places)
        if remark := rounding_remark(places):
            warnings.warn(remark, RoundedDistances, stacklevel=3)
        return problem

    @classmethod
    def _in_plane(cls, places: NDArray[np.float64]) -> Problem:
        x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
        handle, library = ctypes.c_void_p(), c_library.load()
        count = whole("the number of cities", len(x), RoutingArgumentError, 32)
        check(library.rooftop_routing_problem_in_plane(count, x.ctypes.data, y.ctypes.data, ctypes.byref(handle)))
        return cls(handle, cls._in_plane)

    @classmethod
    def of_matrix(cls, distances: ArrayLike) -> Problem:
        """Create a problem from a matrix of distances from city (row) to city (column): [n][n] 32-bit integers."""
        given = whole_numbers("distances", distances, RoutingArgumentError, -DISTANCE_MAX, DISTANCE_MAX)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise RoutingArgumentError(f"distances have shape {given.shape}; expected (n, n)")
        matrix = np.ascontiguousarray(given, dtype=np.int32)
        handle, library = ctypes.c_void_p(), c_library.load()
        check(library.rooftop_routing_problem_of_matrix(len(matrix), matrix.ctypes.data, ctypes.byref(handle)))
        return cls(handle, cls.of_matrix)

    @property
    def metric(self) -> str:
        """TSPLIB's EDGE_WEIGHT_TYPE, such as EUC_2D, or EXPLICIT for a matrix."""
        return str(self._library.rooftop_routing_problem_metric(self._handle).decode())

    def _matrix(self) -> NDArray[np.int32]:
        matrix = self._library.rooftop_routing_problem_matrix(self._handle)
        return np.ctypeslib.as_array(matrix, (self.cities, self.cities)).copy()

    @property
    def coordinates(self) -> NDArray[np.float64] | None:
        """Coordinates of the cities for plots, [n][2], or None if the problem has none."""
        x = self._library.rooftop_routing_problem_x(self._handle)
        y = self._library.rooftop_routing_problem_y(self._handle)
        if not x or not y:
            return None
        return np.stack([np.ctypeslib.as_array(axis, (self.cities,)) for axis in (x, y)], axis=1)

    def length(self, order: ArrayLike) -> int:
        """Return the length of a closed tour, given as city numbers from 0.

        Raises RoutingArgumentError if the tour does not visit each city once, or lacks a fixed edge.
        """
        done: int | None = _BRIEF_LENGTH.run(self._handle.address, self.cities, order)
        if done is not None:
            return done
        cities = self._whole_tour("the tour", order)
        length = ctypes.c_int64()
        code = self._library.rooftop_routing_problem_length(self._handle.address, address(cities), ctypes.byref(length))
        if code:
            check(code)
        return length.value

    def _whole_tour(self, name: str, order: ArrayLike) -> NDArray[np.int32]:
        """Return a tour as a contiguous int32 array. Raises RoutingArgumentError unless it visits each city once."""
        if (
            type(order) is np.ndarray
            and order.dtype is _INT32
            and order.shape == (self.cities,)
            and self.cities <= _FEW
            and order.flags.carray
            and self._numbers.issuperset(numbers := order.tolist())
            and len({*numbers}) == self.cities
        ):
            return order
        given = whole_numbers(f"{name}'s city numbers", order, RoutingArgumentError, 0, self.cities - 1)
        cities = np.ascontiguousarray(given, dtype=np.int32)
        if cities.shape != (self.cities,) or not np.array_equal(np.sort(cities), np.arange(self.cities)):
            raise RoutingArgumentError(f"{name} does not visit each of {self.cities} cities once")
        return cities

    def solve(
        self,
        time_s: float = 10.0,
        *,
        seed: int = 1,
        threads: int = 0,
        iterations: int = 0,
        callback: Callback | None = None,
        show: Show | None = None,
        show_every_s: float = 1.0,
        stop: Stop | None = None,
        out: str | os.PathLike[str] | None = None,
        initial_tour: ArrayLike | None = None,
    ) -> Tour:
        """Search for a short tour and return the best one found.

        time_s        time limit in seconds, ignored if `iterations` is given
        seed          with `iterations`, determines the tour for any number of threads
        threads       0: all
        iterations    number of ants, instead of a time limit
        callback      called regularly; any false value except None ends the search
        show          called with the best tour's cities when it has become shorter, at most once in `show_every_s`
                      seconds. The search waits until it returns
        stop          ends the search from another thread or a signal handler
        out           file to write the tour to, in TSPLIB format
        initial_tour  tour to start from, as city numbers from 0, such as `order` of an earlier tour. It must have all
                      fixed edges. The result is never longer

        The search runs in its own thread, and callbacks in the calling thread. An exception raised by a callback or a
        signal handler, such as KeyboardInterrupt, ends the search and is raised here. Raises RoutingArgumentError for
        invalid arguments.
        """
        if callback is None and show is None and stop is None and out is None and initial_tour is None:
            words = (time_s, seed, threads, iterations, show_every_s)
            done: Tour | None = _BRIEF.run(self._handle.address, self.cities, *words)
            if done is not None:
                return done
        call = LongCall(stop)
        watcher = _Watcher(call, self.cities, callback, show)
        initial = None if initial_tour is None else self._whole_tour("initial_tour", initial_tour)
        options = Options(
            seconds("time_s", time_s, RoutingArgumentError),
            whole("iterations", iterations, RoutingArgumentError),
            whole("seed", seed, RoutingArgumentError) & (1 << 64) - 1,
            whole("threads", threads, RoutingArgumentError, 32) or threads_of_caller(self._library),
            watcher.watch,
            None,
            watcher.show,
            seconds("show_every_s", show_every_s, RoutingArgumentError, zero=True),
            None,
            call.flag.address,
            None if initial is None else initial.ctypes.data,
        )
        ants = max(options.iterations, _ANTS_AT_ONCE)
        brief = options.iterations > 0 and not (callback or show) and self.cities * ants <= _BRIEF_STEPS
        run = call.run_briefly if brief else call.run
        return run(lambda: self._search(options, (watcher, initial), out))

    def _search(self, options: Options, _alive: object, out: str | os.PathLike[str] | None) -> Tour:
        """Call the solver. `_alive` keeps the objects that it uses alive."""
        library, found = self._library, ctypes.c_void_p()
        check(library.rooftop_routing_solve(self._handle, ctypes.byref(options), ctypes.byref(found)))
        try:
            if out is not None:
                name = f"{self.name or Path(out).stem}.tour".encode()
                check(library.rooftop_routing_solution_write(found, name, os.fsencode(out)))
            result = Result()
            check(library.rooftop_routing_solution_result(found, ctypes.byref(result)))
            order = np.empty(result.cities, np.int32)
            ctypes.memmove(address(order), result.order, order.nbytes)
            history = tuple(map(_progress, result.history[: result.history_count]))
            return Tour(order, int(result.length), float(result.seconds), int(result.iterations), history)
        finally:
            library.rooftop_routing_solution_destroy(found)


def solve_tsp(
    coords_or_matrix: ArrayLike,
    time_s: float = 10.0,
    *,
    seed: int = 1,
    threads: int = 0,
    iterations: int = 0,
    callback: Callback | None = None,
    stop: Stop | None = None,
    initial_tour: ArrayLike | None = None,
) -> Tour:
    """Search for a short tour through cities at [n][2] coordinates, or with [n][n] distances; see `Problem.solve`.

    An array of shape (2, 2) is ambiguous, but fewer than three cities are rejected anyway.
    """
    try:
        shape = np.shape(coords_or_matrix)
    except ValueError:  # rows of different lengths, rejected below
        shape = ()
    in_plane = len(shape) == COORDINATES and shape[1] == COORDINATES
    problem = Problem._of_coordinates(coords_or_matrix) if in_plane else Problem.of_matrix(coords_or_matrix)
    return problem.solve(
        time_s,
        seed=seed,
        threads=threads,
        iterations=iterations,
        callback=callback,
        stop=stop,
        initial_tour=initial_tour,
    )
