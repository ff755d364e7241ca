"""What owns memory of a C library: copies share it, pickles make it anew, and nothing outlives what it points to."""

from __future__ import annotations

import copy
import ctypes
import gc
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from uniform_arrays import uniform

from rooftop.errors import NotBuilt
from rooftop.solvers import conv, fft, routing
from rooftop.solvers.c_interface.solver_library import Handle
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.routing import Problem, RoutingArgumentError
from rooftop.solvers.routing import library as routing_library

Copied = Callable[[Any], Any]
COPIES: list[Copied] = [copy.copy, copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))]
PLACES = np.random.default_rng(1).uniform(0, 1000, (40, 2))
DISTANCES = np.random.default_rng(2).integers(0, 1000, (9, 9))


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Skips all where a solver is not built."""
    try:
        for one in (conv_library, fft_library, routing_library):
            one.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def fourier() -> tuple[Any, Callable[[Any], Any]]:
    plan = fft.FourierPlan((6, 10), axes=(1,), norm="ortho", threads=1, dtype=np.complex64)
    a = np.arange(60, dtype=np.complex64).reshape(6, 10)
    return plan, lambda one: (repr(one), one.threads, one.forward(a).tobytes())


def convolution() -> tuple[Any, Callable[[Any], Any]]:
    layout: Any = ("nchw", "blocked")
    plan = conv.ConvPlan(1, 20, 12, 12, 40, padding=1, accuracy="relaxed", layout=layout, threads=1, measure=True)
    x, w = uniform(1, 20, 12, 12), uniform(40, 20, 3, 3)
    return plan, lambda one: (repr(one), one.accuracy, one.threads, one(x, w).tobytes())


def in_plane() -> tuple[Any, Callable[[Any], Any]]:
    return Problem.in_plane(PLACES), lambda one: (one.solve(iterations=20, threads=1).length, one.coordinates.tolist())


def of_matrix() -> tuple[Any, Callable[[Any], Any]]:
    return Problem.of_matrix(DISTANCES), lambda one: [one.length(np.roll(np.arange(9), i)) for i in (0, 1)]


class Library:
    """Counts what is destroyed."""

    def __init__(self) -> None:
        self.destroyed: list[int | None] = []

    def destroy(self, pointer: ctypes.c_void_p) -> None:
        self.destroyed.append(pointer.value)


def test_what_a_handle_points_to_lives_as_long_as_whatever_keeps_it() -> None:
    library = Library()
    handle = Handle(ctypes.c_void_p(64), library.destroy)
    kept = [handle]
    del handle
    assert library.destroyed == []
    kept.clear()
    assert library.destroyed == [64]


@pytest.mark.case("solvers.B1")
@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("make", [fourier, convolution, in_plane, of_matrix])
def test_a_copy_works_when_the_first_one_is_gone(
    make: Callable[[], tuple[Any, Any]], copied: Copied, monkeypatch: pytest.MonkeyPatch
) -> None:
    destroyed: list[int] = []
    init = Handle.__init__

    def watched(self: Handle, pointer: ctypes.c_void_p, destroy: Callable[..., Any]) -> None:
        def destroy_and_tell(one: ctypes.c_void_p) -> None:
            destroyed.append(one.value or 0)
            destroy(one)

        init(self, pointer, destroy_and_tell)

    monkeypatch.setattr(Handle, "__init__", watched)
    first, used = make()
    expected, owned = used(first), first._handle._as_parameter_.value
    second = copied(first)
    shared = second._handle is first._handle
    del first
    gc.collect()
    assert (owned in destroyed) is not shared
    assert used(second) == expected
    del second
    gc.collect()
    assert destroyed.count(owned) == 1


@pytest.mark.case("solvers.B1.bare")
def test_bare_functions_of_a_plan_keep_it() -> None:
    plan = conv.ConvPlan(1, 16, 8, 8, 16, threads=1)
    handle = plan._handle
    functions: Any = plan.bare()
    del plan
    assert all(any(word is handle for word in one.args) for one in functions)


@pytest.mark.case("solvers.B1.file")
def test_a_problem_of_a_file_says_why_it_cannot_be_pickled(tmp_path: Path) -> None:
    file = tmp_path / "three.tsp"
    file.write_text(
        "NAME: three\nTYPE: TSP\nDIMENSION: 3\nEDGE_WEIGHT_TYPE: GEO\nNODE_COORD_SECTION\n1 0 0\n2 9 0\n3 0 9\nEOF\n"
    )
    problem = Problem.read(file)
    assert copy.deepcopy(problem).metric == "GEO"
    with pytest.raises(TypeError, match=r"'three' was read from a file .*Problem\.read there"):
        pickle.dumps(problem)


@pytest.mark.case("solvers.B1.path")
def test_a_name_is_no_address() -> None:
    given: list[Any] = ["berlin52.tsp", b"berlin52.tsp", 4096, PLACES]
    for wrong in given:
        with pytest.raises(RoutingArgumentError, match=r"use Problem\.read"):
            Problem(wrong)


@pytest.mark.case("solvers.B1.results")
def test_results_can_be_pickled() -> None:
    tour = routing.solve_tsp(PLACES, iterations=5, threads=1)
    again = pickle.loads(pickle.dumps(tour))
    assert (again.length, again.order.tolist(), again.history) == (tour.length, tour.order.tolist(), tour.history)
