"""Functions of Python's own are asked first: they give what the way through ctypes gives, or leave a call to it."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import threading
from collections.abc import Callable
from dataclasses import asdict, fields
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_network import write_tables

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import Stop, conv, elasticity, fft, network
from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.c_interface.python_functions import AskedFirst, left_out, left_to_others
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.conv import plan as conv_plan
from rooftop.solvers.elasticity import library as elasticity_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.fft import plan as fft_plan
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import _BRIEF as OF_ROUTING
from rooftop.solvers.routing import _BRIEF_LENGTH, Problem
from rooftop.solvers.routing import library as routing_library

OF_NETWORK, OF_ELASTICITY = network._BRIEF, elasticity._BRIEF
NODES = (3, 2, 2)
TIMES = {"seconds", "setup_s"}  # which differ from call to call


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Skips all where a solver is not built, or without Python's headers."""
    try:
        for one in (conv_library, elasticity_library, fft_library, network_library, routing_library):
            if python_functions.beside(one.load(), one.NAME) is None:
                pytest.skip("built without Python's headers")
    except NotBuilt as reason:
        pytest.skip(str(reason))
    for brief, of in (
        (OF_ROUTING, routing_library),
        (OF_NETWORK, network_library),
        (OF_ELASTICITY, elasticity_library),
    ):
        brief.find(of.load())


@pytest.fixture
def problem() -> Problem:
    return Problem.in_plane(np.random.default_rng(1).uniform(0, 1000, (30, 2)))


@pytest.fixture
def model(tmp_path: Path) -> network.Model:
    return make_model(read_network([write_tables(tmp_path / "town")]))


def result(found: Any) -> dict[str, Any]:
    """Return the fields of a result with the types of their values, but for times."""
    told = {}
    for field in fields(found):
        value = getattr(found, field.name)
        if isinstance(value, np.ndarray):
            value = (value.dtype, value.shape, value.flags.c_contiguous, value.tobytes())
        elif field.name == "history":
            value = [(type(one), one.iterations, type(one.iterations), one.length) for one in value]
        told[field.name] = type(value) if field.name in TIMES else (type(value), value)
    return told


def in_a_thread(work: Callable[[], Any]) -> Any:
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    return done[0]


def test_functions_are_left_out_within_a_block() -> None:
    one = AskedFirst()
    one.use(abs)
    with left_out():
        assert one.run is left_to_others
        other, third = AskedFirst(), AskedFirst(abs)
        other.use(abs)
        assert other.run is third.run is left_to_others
    assert one.run is other.run is third.run is abs


PLANS: dict[str, Callable[[], Any]] = {
    "conv": lambda: conv.ConvPlan(1, 1, 3, 3, 1, threads=1),
    "kept conv": lambda: conv_plan.kept_plan((1, 1, 3, 3, 1), 0, "strict", "automatic", "nchw", 1),
    "fft": lambda: fft.FourierPlan((8,), threads=1),
    "kept fft": lambda: fft_plan.kept_plan((8,), 1, None, 1, np.dtype(complex)),
    "real fft": lambda: fft.RealFourierPlan((8,), threads=1),
}


@pytest.mark.parametrize("plan", PLANS)
def test_functions_of_plans_are_left_out_within_a_block(plan: str) -> None:
    """Also of those that were made before, and none for ever."""
    before = PLANS[plan]()
    twin = copy.copy(before)
    with left_out():
        within = PLANS[plan]()
        assert all(one.brief.run is left_to_others for one in (before, twin, within))
    assert all(one.brief.run is not left_to_others for one in (before, twin, within))


@given(st.integers(3, 12), st.integers(1, 300), st.integers(-5, 5), st.integers(0, 2))
@settings(deadline=None, max_examples=40)
def test_a_brief_tour_is_that_of_the_long_way(cities: int, iterations: int, seed: int, threads: int) -> None:
    places = np.random.default_rng(cities).uniform(0, 1e4, (cities, 2))
    one = Problem.in_plane(places)
    words = {"iterations": iterations, "seed": seed, "threads": threads}
    brief = one.solve(**words)  # type: ignore[arg-type]
    with left_out():
        assert result(one.solve(**words)) == result(brief)  # type: ignore[arg-type]
    assert pickle.loads(pickle.dumps(copy.deepcopy(brief))).history == brief.history
    assert asdict(brief)["length"] == one.length(brief.order)
    with pytest.raises(AttributeError, match="cannot assign"):
        brief.length = 0  # type: ignore[misc]


def test_a_brief_search_has_the_seed_that_is_given() -> None:
    many = Problem.of_matrix(np.random.default_rng(5).integers(1, 1000, (100, 100)))
    found = {seed: many.solve(iterations=499, seed=seed) for seed in (1, 2, -1)}
    assert len({one.order.tobytes() for one in found.values()}) == len(found)
    with left_out():
        for seed, one in found.items():
            assert result(many.solve(iterations=499, seed=seed)) == result(one)


def test_searches_that_are_not_brief_are_left_to_others(problem: Problem) -> None:
    address = problem._handle.address
    right: list[Any] = [address, 30, 10.0, 1, 1, 5, 1.0]
    assert OF_ROUTING.run(*right) is not None
    assert OF_ROUTING.run(*right[:2], 10, *right[3:]) is not None
    for place, values in {
        0: (0, -1, "problem"),
        2: (0, 0.0, -1.0, np.inf, np.nan, "10", True, None),
        3: (1.0, True, 1 << 63, "1"),
        4: (-1, 1.0, True, 1 << 31),
        5: (0, -1, 1.0, True, 50_000 // 30 + 1, 1 << 70),
        6: (-1, np.nan, None),
    }.items():
        for value in values:
            assert OF_ROUTING.run(*right[:place], value, *right[place + 1 :]) is None
    assert OF_ROUTING.run(*right[:-1]) is None
    assert in_a_thread(lambda: OF_ROUTING.run(*right)) is None
    assert in_a_thread(lambda: problem.solve(iterations=5)).length > 0


def test_lengths_of_arrays_that_visit_each_city_once_are_brief(problem: Problem) -> None:
    order = np.random.default_rng(3).permutation(30).astype(np.int32)
    right: list[Any] = [problem._handle.address, 30]
    found = _BRIEF_LENGTH.run(*right, order)
    with left_out():
        assert problem.length(order) == found
    assert problem.length(order) == problem.length(order.tolist()) == found
    twice = order.copy()
    twice[0] = twice[1]
    wrong: list[Any] = [twice, order - 1, order + 1, order[:-1], order.astype(np.int64), order.tolist(), None]
    for other in (*wrong, np.repeat(order, 2)[::2], np.ma.array(order)):
        assert _BRIEF_LENGTH.run(*right, other) is None
    for other in wrong[:4]:
        with pytest.raises(Misuse, match="tour"):
            problem.length(other)
    many = Problem.in_plane(np.random.default_rng(1).uniform(0, 1e4, (201, 2)))
    assert _BRIEF_LENGTH.run(many._handle.address, 201, np.arange(201, dtype=np.int32)) is None
    assert in_a_thread(lambda: problem.length(order)) == found


@pytest.mark.parametrize("options", [{}, {"stop": Stop()}])
def test_a_search_of_few_steps_starts_no_thread(
    options: dict[str, Any], problem: Problem, monkeypatch: pytest.MonkeyPatch
) -> None:
    long = problem.solve(iterations=200, seed=7, callback=lambda _: True)
    monkeypatch.delattr(LongCall, "run")
    with left_out():
        brief = problem.solve(iterations=200, seed=7, **options)
    assert result(brief)["order"] == result(long)["order"] == result(problem.solve(iterations=200, seed=7))["order"]
    for others in ({"time_s": 0.01}, {"iterations": 10**6}, {"iterations": 200, "show": lambda *_: None}):
        with pytest.raises(AttributeError, match="run"):
            problem.solve(**others)


def test_a_forked_process_searches_briefly_too(problem: Problem) -> None:
    process = os.fork()
    if process == 0:
        os._exit(0 if OF_ROUTING.run(problem._handle.address, 30, 10.0, 1, 1, 5, 1.0) is not None else 1)
    assert os.waitpid(process, 0)[1] == 0


@pytest.mark.parametrize("words", [{}, {"seed": -3}, {"plans": 2}, {"trails": "combined"}, {"threads": 2}])
def test_a_brief_front_is_that_of_the_long_way(words: dict[str, Any], model: network.Model) -> None:
    words = {"iterations": 20} | words
    for _ in range(2):  # the model is remembered
        brief = network.solve(model, **words)
        with left_out():
            assert result(network.solve(model, **words)) == result(brief)
    other = copy.deepcopy(model)
    assert result(network.solve(other, **words)) == result(brief)
    del other
    gc.collect()
    assert result(network.solve(model, **words)) == result(brief)


def test_contents_of_a_model_are_read_anew(model: network.Model) -> None:
    before = network.solve(model, iterations=20)
    model.per_vehicle[...] *= 2
    model.per_kg[...] *= 2
    after = network.solve(model, iterations=20)
    with left_out():
        assert result(network.solve(model, iterations=20)) == result(after)
    assert after.points.min() > before.points.min()
    model.tail[0] = -1
    with pytest.raises(Misuse, match="tail"):
        network.solve(model, iterations=20)


def test_arrays_of_a_model_that_is_remembered_stay_as_large(model: network.Model) -> None:
    network.solve(model, iterations=20)
    kg = model.kg
    if kg.base is None:
        with pytest.raises(ValueError, match="resize"):
            kg.resize(1000, refcheck=False)


ARRAYS = ("tail", "head", "capacity_kg", "per_vehicle", "per_kg", "month", "origin", "destination", "kg")


def reshaped(array: np.ndarray[Any, Any]) -> None:
    array.resize((array.size, 1), refcheck=False)  # as `array.shape = …` does


def retyped(array: np.ndarray[Any, Any]) -> None:
    array.dtype = np.dtype(f"u{array.itemsize}")  # type: ignore[misc]


def of_equal_strides(array: np.ndarray[Any, Any]) -> None:
    """Let all rows or values be the first one."""
    array.strides = (0, *array.strides[1:])


def swapped(array: np.ndarray[Any, Any]) -> None:
    """Let the bytes of each value be in the other order."""
    array.dtype = array.dtype.newbyteorder()  # type: ignore[misc]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.parametrize("change", [reshaped, retyped, of_equal_strides, swapped])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_of_a_model_that_are_changed_in_place_are_looked_at_again(
    model: network.Model, name: str, change: Callable[[np.ndarray[Any, Any]], None]
) -> None:
    model = changed(model, **{name: getattr(model, name).copy()[:]})  # NumPy lets the strides of a view be set back
    before = result(network.solve(model, iterations=20))
    array = getattr(model, name)
    as_it_was = array.shape, array.dtype, array.strides
    change(array)
    right: list[Any] = [model, 10.0, 1, 1, 20, 100, "superposed"]
    assert OF_NETWORK.run(*right) is None
    with pytest.raises(Misuse, match=name):
        network.solve(model, iterations=20)
    array.shape, array.dtype, array.strides = as_it_was
    assert OF_NETWORK.run(*right) is not None
    assert result(network.solve(model, iterations=20)) == before


def changed(model: network.Model, **parts: Any) -> network.Model:
    other = copy.copy(model)
    for name, value in parts.items():
        object.__setattr__(other, name, value)
    return other


def test_models_that_do_not_fit_are_left_to_others(model: network.Model) -> None:
    right: list[Any] = [model, 10.0, 1, 1, 20, 100, "superposed"]
    assert OF_NETWORK.run(*right) is not None
    wrong: list[Any] = [
        changed(model, tail=model.tail.astype(np.int64)),
        changed(model, head=model.head[:-1]),
        changed(model, kg=np.ma.masked_array(model.kg, model.kg > 0)),
        changed(model, kg=model.kg.astype(float)),
        changed(model, per_kg=model.per_kg[:2]),
        changed(model, per_vehicle=np.asfortranarray(model.per_vehicle)),
        changed(model, capacity_kg=np.repeat(model.capacity_kg, 2)[::2]),
        changed(model, month=model.month.tolist()),
        changed(model, origin=model.origin.astype(">i4")),
        changed(model, destination=None),
        changed(model, nodes=float(model.nodes)),
        changed(model, payload_kg=True),
        changed(model, months=list(model.months)),
        "model",
    ]
    for other in wrong:
        assert OF_NETWORK.run(other, *right[1:]) is None
        assert OF_NETWORK.run(*right) is not None
    for place, values in {
        1: (0, np.inf, "1"),
        2: (1 << 63, 1.0),
        3: (-1, True),
        4: (0, 1.0, 40_000),
        5: (-1, 1.0, 0),
        6: (None, "super", 0),
    }.items():
        for value in values:
            assert OF_NETWORK.run(*right[:place], value, *right[place + 1 :]) is None
    assert in_a_thread(lambda: OF_NETWORK.run(*right)) is None
    for other in wrong[:-2]:
        with pytest.raises((Misuse, TypeError)):
            network.solve(other, iterations=20)


def test_a_network_search_of_few_steps_starts_no_thread(model: network.Model, monkeypatch: pytest.MonkeyPatch) -> None:
    long = network.solve(model, iterations=20, seed=3, callback=lambda _: True)
    monkeypatch.delattr(LongCall, "run")
    with left_out():
        brief = network.solve(model, iterations=20, seed=3)
    assert (brief.points.tolist(), brief.paths, brief.iterations) == (long.points.tolist(), long.paths, 20)
    for others in ({"time_s": 0.01}, {"iterations": 10**6}):
        with pytest.raises(AttributeError, match="run"):
            network.solve(model, **others)


def stretched_box() -> dict[str, Any]:
    held = elasticity.symmetric(NODES, "x-min", "y-min", "z-min")
    return {"load": elasticity.traction(NODES, "z-max", (0.5, 0, 1)), "held": held}


@pytest.mark.parametrize(
    "words",
    [
        *({"preconditioner": name} for name in elasticity.PRECONDITIONERS),
        {"young": 3, "poisson": 0.25, "tolerance": 1e-3},
        {"iterations": 1, "single_values": True},
        {"iterations": 0},
        {"threads": 2, "seconds": 5.0},
        {"threads": None, "tolerance": 1e-30},
        {"seconds": 1e-12},
    ],
)
def test_a_small_box_is_solved_as_the_long_way_does(words: dict[str, Any]) -> None:
    words = stretched_box() | {"threads": 1, "iterations": 50} | words
    kept = words["load"].copy()
    brief = elasticity.solve(NODES, **words)
    with left_out():
        assert result(elasticity.solve(NODES, **words)) == result(brief)
    np.testing.assert_array_equal(words["load"], kept)
    assert brief.displacement.flags.writeable


def test_boxes_that_do_not_fit_are_left_to_others() -> None:
    load, held = stretched_box().values()
    right: list[Any] = [NODES, 1.0, 0.3, load, held, "none", 1e-8, 50, None, 1, False]
    assert OF_ELASTICITY.run(*right) is not None
    for place, values in {
        0: (list(NODES), NODES[:2], (3, 2, 1), (3, 2, 2.0), (2, 3, 2), (100, 100, 100), None),
        1: ("1", True, np.ones((1, 1, 2)), -1.0, np.inf),
        2: (None, np.float64(0.3), -0.1),
        3: (load.astype(np.float32), load[..., :2], np.repeat(load, 2, -1)[..., ::2], load.tolist(), np.ma.array(load)),
        4: (held.astype(int), held[:1], None),
        5: ("no", None, 0),
        6: (0.0, -1.0, np.nan, "1"),
        7: (-1, 1.0, True, 10_000_000 // load.size + 1),
        8: (0.0, -1, "1", np.inf),
        9: (-1, True, 1.0),
        10: (0, None, np.True_),
    }.items():
        for value in values:
            assert OF_ELASTICITY.run(*right[:place], value, *right[place + 1 :]) is None, (place, value)
    assert OF_ELASTICITY.run(*right[:-1]) is None
    assert in_a_thread(lambda: OF_ELASTICITY.run(*right)) is None


def test_what_a_solver_refuses_is_worded_as_before() -> None:
    box = stretched_box()
    with pytest.raises(Misuse, match="free to move"):
        elasticity.solve(NODES, load=box["load"], held=np.zeros_like(box["held"]), preconditioner="none", iterations=9)
    with pytest.raises(Misuse, match="poisson"):
        elasticity.solve(NODES, **box, poisson=0.7, preconditioner="none", iterations=9)
    with pytest.raises(Misuse, match="threads is 5000"):
        Problem.in_plane([(0, 0), (9, 0), (0, 9)]).solve(iterations=1, threads=5000)
