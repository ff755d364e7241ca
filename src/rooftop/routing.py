"""Short tours through cities: the Python face of ``solvers/routing``.

::

    tour = rooftop.solve_tsp(coordinates, time_s=5)  # [n][2], distances Euclidean and rounded to the nearest integer
    tour = rooftop.solve_tsp(distances, time_s=5)  # [n][n] whole numbers, symmetric or not
    tour.order, tour.length

    problem = rooftop.routing.Problem.read("berlin52.tsp")  # TYPE TSP or ATSP of TSPLIB 95
    tour = problem.solve(time_s=5, seed=7)

The GIL is free while the solver works.
"""

from __future__ import annotations

import ctypes
import math
import os
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from rooftop.solve import routing_library
from rooftop.solve.routing_library import Options, Result, RoutingArgumentError, Watch, check
from rooftop.solve.whole_number import whole

__all__ = ["Problem", "Progress", "RoutingArgumentError", "Tour", "solve_tsp"]

COORDINATES = 2  # of a city in the plane


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


def _progress(one: routing_library.Progress) -> Progress:
    return Progress(float(one.seconds), int(one.iterations), int(one.length))


class _Watcher:
    """A user's callbacks as the solver calls them: what one raises ends the search and is raised again afterwards."""

    def __init__(self, cities: int, callback: Callback | None, show: Show | None) -> None:
        self._cities, self._callback, self._show = cities, callback, show
        self.raised: BaseException | None = None
        self.watch = Watch(self._watched) if callback or show else Watch()
        self.show = routing_library.Show(self._shown) if show else routing_library.Show()

    def _watched(self, progress: Any, _with: Any) -> int:
        return int(self.raised is None and self._called(self._callback, progress) is not False)

    def _shown(self, progress: Any, order: Any, _with: Any) -> None:
        self._called(self._show, progress, np.ctypeslib.as_array(order, (self._cities,)).copy())

    def _called(self, callback: Callable[..., Any] | None, progress: Any, *more: Any) -> Any:
        try:
            return callback(_progress(progress.contents), *more) if callback is not None else None
        except BaseException as error:  # an interrupt too, which must not end inside C
            self.raised = error
            return False


class Problem:
    """A travelling salesman problem. Made by `read`, `in_plane` or `of_matrix`."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        """Take over what the C interface made."""
        library = routing_library.load()
        self._library, self._handle = library, handle
        weakref.finalize(self, library.rooftop_routing_problem_destroy, handle)
        cities = ctypes.c_int32()
        check(library.rooftop_routing_problem_cities(handle, ctypes.byref(cities)))
        self.cities: int = cities.value
        self.name: str = library.rooftop_routing_problem_name(handle).decode("utf-8", "replace")

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Problem:
        """Read a file of TSPLIB 95. Raises RoutingArgumentError with one line that says what is wrong with it."""
        handle, library = ctypes.c_void_p(), routing_library.load()
        check(library.rooftop_routing_problem_read(os.fsencode(path), ctypes.byref(handle)))
        return cls(handle)

    @classmethod
    def in_plane(cls, coordinates: ArrayLike) -> Problem:
        """Cities at [n][2] coordinates; distances are Euclidean, rounded to the nearest integer as TSPLIB does."""
        try:
            places = np.asarray(coordinates, dtype=np.float64)
        except (TypeError, ValueError):
            raise RoutingArgumentError("coordinates are not numbers; expected an array of [n][2]") from None
        if places.ndim != COORDINATES or places.shape[1] != COORDINATES:
            raise RoutingArgumentError(f"coordinates have shape {places.shape}; expected (n, 2)")
        x, y = np.ascontiguousarray(places[:, 0]), np.ascontiguousarray(places[:, 1])
        handle, library = ctypes.c_void_p(), routing_library.load()
        count = whole("the number of cities", len(x), RoutingArgumentError, 32)
        check(library.rooftop_routing_problem_in_plane(count, x.ctypes.data, y.ctypes.data, ctypes.byref(handle)))
        return cls(handle)

    @classmethod
    def of_matrix(cls, distances: ArrayLike) -> Problem:
        """Distances from n cities (rows) to n cities, [n][n] whole numbers that fit 32 bits."""
        given = np.asarray(distances)
        if given.ndim != 2 or given.shape[0] != given.shape[1]:
            raise RoutingArgumentError(f"distances have shape {given.shape}; expected (n, n)")
        if given.dtype.kind not in "iu" and not (given.dtype.kind == "f" and bool(np.all(np.rint(given) == given))):
            raise RoutingArgumentError("distances are not whole numbers; round or scale them")
        if given.size and not np.all(np.abs(given) < 1 << 31):
            raise RoutingArgumentError("a distance is beyond 2147483647; scale them down")
        matrix = np.ascontiguousarray(given, dtype=np.int32)
        handle, library = ctypes.c_void_p(), routing_library.load()
        check(library.rooftop_routing_problem_of_matrix(len(matrix), matrix.ctypes.data, ctypes.byref(handle)))
        return cls(handle)

    @property
    def coordinates(self) -> NDArray[np.float64] | None:
        """Where cities lie, [n][2], for drawing; None where the problem does not tell."""
        x = self._library.rooftop_routing_problem_x(self._handle)
        y = self._library.rooftop_routing_problem_y(self._handle)
        if not x or not y:
            return None
        return np.stack([np.ctypeslib.as_array(axis, (self.cities,)) for axis in (x, y)], axis=1)

    def length(self, order: ArrayLike) -> int:
        """Give the length of a closed tour.

        Raises RoutingArgumentError for one that does not visit each city once, or lacks a fixed edge.
        """
        cities = np.ascontiguousarray(order, dtype=np.int32)
        if cities.shape != (self.cities,) or not np.array_equal(np.sort(cities), np.arange(self.cities)):
            raise RoutingArgumentError(f"the tour does not visit each of {self.cities} cities once")
        length = ctypes.c_int64()
        check(self._library.rooftop_routing_problem_length(self._handle, cities.ctypes.data, ctypes.byref(length)))
        return length.value

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
        out: str | os.PathLike[str] | None = None,
    ) -> Tour:
        """Look for a short tour for so many seconds, or with a number of ants (`iterations`) instead.

        With a number of ants the tour depends on the seed alone, not on the number of threads (0: all). `callback` is
        told the best length now and then, and ends the search by returning False. `show` is given the best tour's
        cities as well, each time that it has become shorter and `show_every_s` have passed; nothing is searched until
        it returns. `out`: the tour as a TSPLIB file.
        """
        if not (isinstance(time_s, int | float) and math.isfinite(time_s) and time_s > 0):
            raise RoutingArgumentError(f"time_s is {time_s!r}; expected seconds above 0")
        watcher = _Watcher(self.cities, callback, show)
        options = Options(
            float(time_s),
            whole("iterations", iterations, RoutingArgumentError),
            whole("seed", seed, RoutingArgumentError) & (1 << 64) - 1,
            whole("threads", threads, RoutingArgumentError, 32),
            watcher.watch,
            None,
            watcher.show,
            float(show_every_s),
            None,
        )
        library, found = self._library, ctypes.c_void_p()
        check(library.rooftop_routing_solve(self._handle, ctypes.byref(options), ctypes.byref(found)))
        try:
            if watcher.raised is not None:
                raise watcher.raised
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
) -> Tour:
    """Look for a short tour through cities at [n][2] coordinates, or with [n][n] distances; see `Problem.solve`.

    Two cities' coordinates could be a matrix as well, but fewer than three cities are refused.
    """
    shape = np.shape(coords_or_matrix)
    make = Problem.in_plane if len(shape) == COORDINATES and shape[1] == COORDINATES else Problem.of_matrix
    return make(coords_or_matrix).solve(time_s, seed=seed, threads=threads, iterations=iterations, callback=callback)
