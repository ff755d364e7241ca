"""Travelling salesman problems: the Python interface of ``solvers/routing``.

::

    tour = routing.solve_tsp(coordinates, time_s=5)  # [n][2], distances Euclidean and rounded to whole numbers
    tour = routing.solve_tsp(distances, time_s=5)  # [n][n] whole numbers, symmetric or not
    tour.order, tour.length

    problem = routing.Problem.read("berlin52.tsp")  # TYPE TSP or ATSP of TSPLIB 95
    tour = problem.solve(time_s=5, seed=7)
    tour = problem.solve(time_s=5, initial_tour=tour.order)  # never longer than that one

Distances are whole numbers, as in TSPLIB. Where cities lie so near to one another that this changes distances by more
than a tenth, as within the unit square, a warning of class `RoundedDistances` says what to multiply coordinates by.
The GIL is released while the solver runs.
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

from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.c_interface.checked_numbers import seconds, whole
from rooftop.solvers.c_interface.long_call import LongCall, goes_on
from rooftop.solvers.c_interface.solver_library import Handle, SharedByCopies, threads_of_caller
from rooftop.solvers.routing import library as c_library
from rooftop.solvers.routing.library import Options, Result, RoutingArgumentError, Watch, check
from rooftop.solvers.routing.rounded_distances import RoundedDistances, rounding_remark
from rooftop.solvers.routing.tsplib_file import text_of
from rooftop.solvers.running.stop import Stop

__all__ = ["Problem", "Progress", "RoundedDistances", "RoutingArgumentError", "Tour", "solve_tsp"]

COORDINATES = 2  # of a city in the plane
DISTANCE_MAX = 2**31 - 1


@dataclass(frozen=True)
class Progress:
    """How the best tour stands: seconds since the search began, ants so far, its length."""

    seconds: float
    iterations: int
    length: int


@dataclass(frozen=True)
class Tour:
    """A closed tour, and how it was found.

    order       every city once, from city 0 on
    length      in the problem's own unit
    iterations  ants that looked for it
    history     each time the best tour became shorter
    """

    order: NDArray[np.int32]
    length: int
    seconds: float
    iterations: int
    history: tuple[Progress, ...]


Callback = Callable[[Progress], bool | None]
Show = Callable[[Progress, NDArray[np.int32]], None]


def _progress(one: c_library.Progress) -> Progress:
    return Progress(float(one.seconds), int(one.iterations), int(one.length))


class _Watcher:
    """A user's callbacks as the solver calls them."""

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
    """A travelling salesman problem. Made by `read`, `in_plane` or `of_matrix`.

    Copies share it. One of coordinates or of a matrix can be pickled; one that was read from a file cannot.

    cities   how many
    name     NAME of its file
    remarks  keywords of its file that were skipped, a line each
    """

    def __init__(self, handle: ctypes.c_void_p, made_by: Callable[[Any], Problem] | None = None) -> None:
        """Take over what the C interface made, `made_by` of an array unless it was a file."""
        if not isinstance(handle, ctypes.c_void_p):  # ctypes would take a file's name for an address
            raise RoutingArgumentError(
                f"Problem is given a {type(handle).__name__}; expected Problem.read, in_plane or of_matrix to make one"
            )
        library = c_library.load()
        self._library, self._handle = library, Handle(handle, library.rooftop_routing_problem_destroy)
        cities = ctypes.c_int32()
        check(library.rooftop_routing_problem_cities(self._handle, ctypes.byref(cities)))
        self.cities: int = cities.value
        self.name: str = library.rooftop_routing_problem_name(self._handle).decode("utf-8", "replace")
        remarks = library.rooftop_routing_problem_remarks(self._handle).decode("utf-8", "replace")
        self.remarks: tuple[str, ...] = tuple(remarks.splitlines())
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
        """Read a file of TSPLIB 95, which may be compressed by gzip.

        Raises RoutingArgumentError with one line that says what is wrong with it.
        """
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
        """Cities at [n][2] coordinates; distances are Euclidean, rounded to the nearest integer as TSPLIB does.

        Warns with RoundedDistances where that leaves little of them.
        """
        return cls._of_coordinates(coordinates)

    @classmethod
    def _of_coordinates(cls, coordinates: ArrayLike) -> Problem:
        """Check coordinates for a public function, whose caller is warned."""
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
        """Distances from n cities (rows) to n cities, [n][n] whole numbers that fit 32 bits."""
        given = whole_numbers("distances", distances, RoutingArgumentError, -DISTANCE_MAX, DISTANCE_MAX)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise RoutingArgumentError(f"distances have shape {given.shape}; expected (n, n)")
        matrix = np.ascontiguousarray(given, dtype=np.int32)
        handle, library = ctypes.c_void_p(), c_library.load()
        check(library.rooftop_routing_problem_of_matrix(len(matrix), matrix.ctypes.data, ctypes.byref(handle)))
        return cls(handle, cls.of_matrix)

    @property
    def metric(self) -> str:
        """How distances follow from what was given, in TSPLIB's word: EUC_2D, or EXPLICIT of a matrix."""
        return str(self._library.rooftop_routing_problem_metric(self._handle).decode())

    def _matrix(self) -> NDArray[np.int32]:
        matrix = self._library.rooftop_routing_problem_matrix(self._handle)
        return np.ctypeslib.as_array(matrix, (self.cities, self.cities)).copy()

    @property
    def coordinates(self) -> NDArray[np.float64] | None:
        """Where cities lie, [n][2], for drawing; None where the problem does not tell."""
        x = self._library.rooftop_routing_problem_x(self._handle)
        y = self._library.rooftop_routing_problem_y(self._handle)
        if not x or not y:
            return None
        return np.stack([np.ctypeslib.as_array(axis, (self.cities,)) for axis in (x, y)], axis=1)

    def length(self, order: ArrayLike) -> int:
        """Return the length of a closed tour, in city numbers from 0.

        Raises RoutingArgumentError for one that does not visit each city once, or lacks a fixed edge.
        """
        cities = self._whole_tour("the tour", order)
        length = ctypes.c_int64()
        check(self._library.rooftop_routing_problem_length(self._handle, cities.ctypes.data, ctypes.byref(length)))
        return length.value

    def _whole_tour(self, name: str, order: ArrayLike) -> NDArray[np.int32]:
        """Return a tour as the solver takes it. Raises RoutingArgumentError for one that is none of all cities."""
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
        """Look for a short tour for so many seconds, or with a number of ants (`iterations`) instead.

        With a number of ants the tour depends on the seed alone, not on the number of threads (0: all). `callback` is
        told the best length now and then, and ends the search by returning False, or whatever is false but None.
        `show` is given the best tour's cities as well, each time that it has become shorter and `show_every_s` have
        passed; nothing is searched until it returns. `out`: the tour as a TSPLIB file. `stop` ends the search from
        another thread or a signal handler. `initial_tour`: city numbers from 0, such as `order` of an earlier tour, to
        begin with; it must have all fixed edges, and the tour returned is no longer than it.

        The search runs in a thread of its own, and callbacks in the one that called this. What they raise, and what
        signal handlers raise meanwhile, such as KeyboardInterrupt, ends the search and is raised here.
        """
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
        return call.run(lambda: self._search(options, (watcher, initial), out))

    def _search(self, options: Options, _alive: object, out: str | os.PathLike[str] | None) -> Tour:
        """Call the solver; what it looks at meanwhile lives as long."""
        library, found = self._library, ctypes.c_void_p()
        check(library.rooftop_routing_solve(self._handle, ctypes.byref(options), ctypes.byref(found)))
        try:
            if out is not None:
                name = f"{self.name or Path(out).stem}.tour".encode()
                check(library.rooftop_routing_solution_write(found, name, os.fsencode(out)))
            result = Result()
            check(library.rooftop_routing_solution_result(found, ctypes.byref(result)))
            order = np.ctypeslib.as_array(result.order, (result.cities,)).copy()
            history = tuple(_progress(result.history[i]) for i in range(result.history_count))
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
    """Look for a short tour through cities at [n][2] coordinates, or with [n][n] distances; see `Problem.solve`.

    Two cities' coordinates could be a matrix as well, but fewer than three cities are refused.
    """
    try:
        shape = np.shape(coords_or_matrix)
    except ValueError:  # rows of several lengths, which is told below
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
