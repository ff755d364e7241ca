"""Numbers and arrays given to the solvers: what is whole, real, a time or a truth value, and what is not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_network import write_tables
from uniform_arrays import uniform

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import conv, fft, network, routing
from rooftop.solvers.c_interface.checked_arrays import real_numbers, whole_numbers
from rooftop.solvers.c_interface.checked_numbers import seconds, whole, yes_or_no
from rooftop.solvers.conv import from_blocked, to_blocked
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.model import Model, make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import Problem
from rooftop.solvers.routing import library as routing_library

PLACES = np.random.default_rng(1).uniform(0, 1000, (9, 2))
IMAGE, FILTER = uniform(1, 4, 8, 8), uniform(4, 4, 3, 3)


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Skips all where a solver is not built."""
    try:
        for one in (conv_library, fft_library, network_library, routing_library):
            one.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return make_model(read_network([write_tables(tmp_path_factory.mktemp("town"))]))


@pytest.mark.case("solvers.D3")
@pytest.mark.parametrize(
    "value", [5, 5.0, np.float32(5), np.float16(5), np.int8(5), np.array(5.0), Fraction(5), Decimal(5), np.uint64(5)]
)
def test_a_time_is_any_real_number(value: Any) -> None:
    assert seconds("time_s", value, Misuse) == 5.0


@pytest.mark.case("solvers.D3")
@pytest.mark.parametrize(
    "value",
    [
        *(True, np.True_, "5", b"5", None, [5], np.array([5.0]), 5j, float("nan"), np.float32("inf"), 0, -1, 10**400),
        *(Decimal("sNaN"), Fraction(1, 10**400), np.timedelta64(5, "s")),
    ],
)
def test_a_time_is_nothing_else(value: Any) -> None:
    with pytest.raises(Misuse, match=r"time_s is .*expected seconds above 0"):
        seconds("time_s", value, Misuse)


def test_whole_numbers_and_truth_values() -> None:
    assert whole("n", np.int8(-3), Misuse) == -3
    assert whole("n", np.array(7), Misuse) == 7
    assert whole("n", (1 << 31) - 1, Misuse, 32) == (1 << 31) - 1
    for wrong in (True, np.False_, 3.0, np.float32(3), "3", np.array([3]), None):
        with pytest.raises(Misuse, match="expected a whole number"):
            whole("n", wrong, Misuse)
    for large in (1 << 31, -(1 << 31) - 1):
        with pytest.raises(Misuse, match="at most 31 bits"):
            whole("n", large, Misuse, 32)
    assert yes_or_no("measure", np.True_, Misuse) is True
    for wrong in (1, "no", 0.5, None):
        with pytest.raises(Misuse, match="expected True or False"):
            yes_or_no("measure", wrong, Misuse)


Call = Callable[[Any], Any]


@pytest.mark.case("solvers.D3.options")
@pytest.mark.parametrize(
    "call",
    [
        lambda value: fft.fftn(np.ones(8), threads=value),
        lambda value: fft.fftn(np.ones(8), axes=(value,)),
        lambda value: fft.FourierPlan((8, value)),
        lambda value: conv.ConvPlan(1, 4, 8, 8, value),
        lambda value: conv.ConvPlan(1, 4, 8, 8, 4, padding=value),
        lambda value: conv.conv2d(IMAGE, FILTER, threads=value),
        lambda value: conv.conv2d(IMAGE, FILTER, padding=value),
        lambda value: to_blocked(IMAGE, threads=value),
        lambda value: from_blocked(to_blocked(IMAGE), value),
        lambda value: conv.empty((3, value)),
        lambda value: routing.solve_tsp(PLACES, iterations=value),
        lambda value: routing.solve_tsp(PLACES, iterations=1, threads=value),
        lambda value: routing.solve_tsp(PLACES, iterations=1, seed=value),
    ],
)
@pytest.mark.parametrize("value", [True, np.True_, 1.0, 1.5, "1", np.array([1])])
def test_no_option_is_cut_down_to_a_whole_number(call: Call, value: Any) -> None:
    with pytest.raises(Misuse, match="whole number"):
        call(value)


@pytest.mark.case("solvers.D3.network")
def test_options_of_a_network(model: Model) -> None:
    solve: Any = network.solve
    assert solve(model, np.float32(5), iterations=2, threads=1).iterations == 2
    for option in ("iterations", "seed", "threads", "plans"):
        for value in (True, 1.5, "1"):
            with pytest.raises(Misuse, match=f"{option} is .*whole number"):
                solve(model, **{"iterations": 2, option: value})
    for weights in ([True, True, False], ["1", "1", "1"], [1j, 1, 1], [None, 1, 1]):
        with pytest.raises(Misuse, match="weights are not numbers"):
            solve(model, iterations=2, weights=weights)


@pytest.mark.case("solvers.D3.options")
def test_times_and_truth_values_of_the_options() -> None:
    problem: Any = Problem.in_plane(PLACES)
    plan: Any = conv.ConvPlan
    assert problem.solve(np.float32(3600), iterations=2, show=lambda *_: None, show_every_s=np.int8(0)).iterations == 2
    for options in ({"time_s": True}, {"iterations": 2, "show_every_s": True}, {"iterations": 2, "show_every_s": "1"}):
        with pytest.raises(Misuse, match="expected seconds"):
            problem.solve(**options)
    with pytest.raises(Misuse, match="measure is 'no'; expected True or False"):
        plan(1, 4, 8, 8, 4, measure="no")


@pytest.mark.case("solvers.B4")
@pytest.mark.parametrize(
    "order",
    [
        [0.2, 1.7, 2, 3],
        [0, 1, 2, float("nan")],
        [0, 1, 2, float("inf")],
        ["0", "1", "2", "3"],
        [False, True, 2.5, 3],
        np.array([1 << 32, 1, 2, 3]),  # 0 in 32 bits
        np.array([0, 1, 2, (1 << 64) - 1], dtype=np.uint64),
        np.ma.masked_equal([0, 1, 2, 3], 3),
        [[0, 1], [2]],
        [0, 1, 2, None],
        [0, 1, 2, 10**30],
    ],
)
def test_city_numbers_are_whole(order: Any) -> None:
    with pytest.raises(Misuse, match="city numbers"):
        Problem.in_plane(PLACES[:4]).length(order)


def test_city_numbers_may_be_of_any_type_that_holds_them() -> None:
    problem = Problem.in_plane(PLACES[:4])
    expected = problem.length([0, 1, 2, 3])
    for dtype in (np.int8, np.uint64, np.float32, object):
        assert problem.length(np.arange(4).astype(dtype)) == expected


@pytest.mark.case("solvers.B2")
@pytest.mark.parametrize(
    "distance", [-(2**63), 2**63, -(2**31), 2**31, -(10**30), float("-inf"), np.float64(-(2.0**63))]
)
def test_distances_beyond_32_bits_are_refused(distance: Any) -> None:
    matrix = [[0, distance, 1], [distance, 0, 1], [1, 1, 0]]
    with pytest.raises(Misuse, match=r"distances go beyond -2147483647 to 2147483647: one is "):
        Problem.of_matrix(matrix)
    assert Problem.of_matrix([[0, -(2**31) + 1, 1], [1, 0, 1], [1, 1, 0]]).length([0, 1, 2]) == 3 - 2**31


@pytest.mark.case("solvers.B4.arrays")
@pytest.mark.parametrize(
    "values",
    [
        [["1", "2"], ["3", "4"], ["5", "6"]],
        [[1j, 2], [3, 4], [5, 6]],
        [[True, False], [True, True], [False, True]],
        np.ma.MaskedArray(PLACES, mask=PLACES > 900),
        np.array(["2020-01-01", "2020-01-02"], dtype="datetime64[D]"),
        [[1, 2], [3, None], [5, 6]],
        [[1, 2], [3], [5, 6]],
    ],
)
def test_coordinates_are_real_numbers(values: Any) -> None:
    with pytest.raises(Misuse, match="coordinates"):
        Problem.in_plane(values)
    with pytest.raises(Misuse):
        routing.solve_tsp(values, iterations=1)


def test_exact_numbers_are_numbers() -> None:
    exact = [[Fraction(1, 2), Decimal("0.25")], [2, 10**20]]
    assert real_numbers("x", exact, Misuse).tolist() == [[0.5, 0.25], [2, 1e20]]
    assert whole_numbers("x", np.array([[1, 2]], dtype=object), Misuse, 0, 2).shape == (1, 2)
    assert whole_numbers("x", [], Misuse, 0, 2).shape == (0,)


@pytest.mark.case("solvers.B4.masked")
def test_masked_values_are_not_counted_in_silence() -> None:
    line = np.ma.masked_equal(np.arange(8.0), 7)
    image = np.ma.MaskedArray(IMAGE, mask=IMAGE > 0.9)
    plan = fft.FourierPlan((8,))
    for call in (
        lambda: fft.fftn(line),
        lambda: fft.ifftn(line),
        lambda: plan.forward(line),
        lambda: plan.backward(np.ones(8), factors=[line]),
        lambda: conv.conv2d(image, FILTER),
        lambda: to_blocked(image),
        lambda: Problem.of_matrix(np.ma.masked_equal(np.eye(4, dtype=int), 1)),
    ):
        with pytest.raises(Misuse, match="masked; expected an array without"):
            call()
    # A mask that covers nothing changes nothing.
    assert fft.fftn(np.ma.MaskedArray(np.ones(8)))[0] == 8


@pytest.mark.case("solvers.B4.product")
def test_a_number_of_values_does_not_wrap_around() -> None:
    with pytest.raises(Misuse, match="at most 63 bits"):
        fft.FourierPlan((1 << 62, 4, 8), axes=(-1,))  # 2^64 lines
    with pytest.raises(Misuse, match="too large"):
        fft.FourierPlan((1 << 40, 1 << 20, 8), axes=(-1,))


@pytest.mark.case("solvers.B4.model")
def test_arrays_of_a_model_are_what_the_solver_reads(model: Model) -> None:
    spoiled: list[dict[str, Any]] = [
        {"tail": model.tail.astype(np.int64)},
        {"capacity_kg": model.capacity_kg.astype(np.int32)},
        {"per_kg": model.per_kg.astype(np.float32)},
        {"head": list(model.head)},
        {"month": model.month[:-1]},
        {"kg": model.kg[::2]},
        {"per_vehicle": np.asfortranarray(model.per_vehicle)},
        {"payload_kg": 26000.5},
        {"payload_kg": True},
        {"nodes": 5.0},
    ]
    for change in spoiled:
        with pytest.raises(Misuse, match="of the model"):
            network.solve(dataclasses.replace(model, **change), iterations=1)
    with pytest.raises(Misuse, match="the model is a str; expected a Model"):
        network.solve(str(Path()), iterations=1)  # type: ignore[arg-type]
