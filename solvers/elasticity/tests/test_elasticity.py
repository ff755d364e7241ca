"""The solver from Python: against exact and direct solutions, limits, stops and callbacks, and misuse."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from elastic_body import direct

from rooftop.errors import NotBuilt
from rooftop.solvers import elasticity
from rooftop.solvers.elasticity import (
    PRECONDITIONERS,
    ElasticityArgumentError,
    Preconditioner,
    Standing,
    box,
    clamped,
    library,
    solve,
    symmetric,
    traction,
)
from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.residual import true_residual
from rooftop.solvers.running.stop import Stop


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skip all where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def pulled(nodes: Nodes, places: Any = None) -> dict[str, Any]:
    """Return the supports and the load of the lecture's problem."""
    load = traction(nodes if places is None else places, "z-max", (0, 0, 1))
    return {"coordinates": places, "load": load, "held": symmetric(nodes, "x-min", "y-min", "z-min")}


@pytest.mark.parametrize("nodes", [(2, 2, 2), (3, 2, 5), (17, 4, 9), (9, 9, 9)])
@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
def test_patch(nodes: Nodes, preconditioner: Preconditioner) -> None:
    """A box that is pulled is displaced linearly, whatever its elements look like."""
    graded, distorted = box(nodes, None, (5, 1, 0.5)), box(nodes, None, (5, 1, 0.5), 0.2)
    for places in (None, graded, distorted):
        body = pulled(nodes, places)
        found = solve(nodes, **body, preconditioner=preconditioner, tolerance=1e-10)
        assert found.outcome == "converged"
        assert found.displacement == pytest.approx(
            (box(nodes) if places is None else places) * (-0.3, -0.3, 1), abs=1e-7
        )
        assert found.residual <= 1e-10
        assert len(found.residuals) == found.iterations + 1
        assert found.residuals[-1] <= 1e-10
        assert 0 < found.setup_s <= found.seconds
        assert found.bytes > 0


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
def test_materials_against_a_direct_solution(preconditioner: Preconditioner) -> None:
    nodes: Nodes = (7, 6, 5)
    random = np.random.default_rng(4)
    places = box(nodes, (1, 2, 1), (2, 1, 1), 0.15)
    young, poisson = 10 ** random.uniform(0, 3, (4, 5, 6)), random.uniform(0, 0.4, (4, 5, 6))
    load, held = random.normal(size=(5, 6, 7, 3)), clamped(nodes, "y-min")
    prescribed = np.zeros(load.shape)
    prescribed[:, 0] = 0.01 * random.normal(size=(5, 7, 3))
    expected = direct(nodes, load, held, places, young, poisson, prescribed)
    words: dict[str, Any] = {"coordinates": places, "young": young, "poisson": poisson, "load": load, "held": held}
    found = solve(nodes, **words, displacement=prescribed, preconditioner=preconditioner, tolerance=1e-11)
    assert found.outcome == "converged"
    assert found.displacement == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    assert np.array_equal(found.displacement[held], prescribed[held])
    # The same body with cubes, and with materials as numbers of other kinds.
    words |= {"coordinates": None, "young": [[[2] * 6] * 5] * 4, "poisson": np.float32(0.25)}
    plain = solve(nodes, **words, preconditioner=preconditioner, tolerance=1e-11)
    assert plain.displacement == pytest.approx(
        direct(nodes, load, held, None, 2.0, 0.25), abs=1e-7 * np.abs(plain.displacement).max()
    )


def test_the_residual_is_the_true_one() -> None:
    nodes: Nodes = (9, 8, 7)
    body = pulled(nodes, box(nodes, None, (3, 1, 1), 0.2))
    for most in (1, 3, 100):
        found = solve(nodes, **body, iterations=most, preconditioner="bjacobi")
        one, ratio = np.ones(1), np.full(1, 0.3)
        true = true_residual(nodes, body["coordinates"], one, ratio, body["load"], body["held"], found.displacement)
        assert found.residual == pytest.approx(true.residual, rel=1e-6)
        assert (found.outcome, found.iterations) == (
            ("iteration limit", most) if most < 100 else ("converged", found.iterations)
        )


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
def test_single_values_reach_the_same_tolerance(preconditioner: Preconditioner) -> None:
    nodes: Nodes = (9, 8, 7)
    places = box(nodes, None, (3, 1, 1), 0.2)
    words: dict[str, Any] = {"preconditioner": preconditioner, "tolerance": 1e-10, "single_values": True}
    found = solve(nodes, **pulled(nodes, places), **words)
    assert (found.outcome, found.residual <= 1e-10) == ("converged", True)
    assert found.displacement == pytest.approx(places * (-0.3, -0.3, 1), abs=1e-7)


def test_a_first_guess_is_gone_on_from() -> None:
    nodes: Nodes = (9, 9, 9)
    body = pulled(nodes)
    exact = box(nodes) * (-0.3, -0.3, 1)
    guess = exact.copy()
    found = solve(nodes, **body, displacement=guess)
    assert (found.iterations, found.outcome) == (0, "converged")
    assert np.array_equal(guess, exact)
    assert found.displacement is not guess


def test_threads_change_nothing_but_rounding() -> None:
    nodes: Nodes = (12, 11, 10)
    body = pulled(nodes, box(nodes, None, (2, 2, 2), 0.1))
    one, two = (solve(nodes, **body, threads=threads, tolerance=1e-10) for threads in (1, 2))
    assert abs(one.iterations - two.iterations) <= 1
    assert one.displacement == pytest.approx(two.displacement, abs=1e-7)


def test_arrays_of_any_layout() -> None:
    nodes: Nodes = (4, 3, 5)
    body = pulled(nodes)
    expected = solve(nodes, **body).displacement
    load = np.asfortranarray(body["load"].astype(np.float32))
    held = np.asfortranarray(body["held"].astype(np.int64) * 7)
    assert solve([*nodes], load=load, held=held).displacement == pytest.approx(expected, abs=1e-6)


def test_a_watcher_ends_the_iteration() -> None:
    nodes: Nodes = (30, 30, 30)
    seen: list[Standing] = []

    def watch(standing: Standing) -> bool:
        seen.append(standing)
        assert threading.current_thread() is threading.main_thread()
        return len(seen) < 2

    words: dict[str, Any] = {"preconditioner": "none", "tolerance": 1e-300, "watch": watch}
    found = solve(nodes, **pulled(nodes), **words)
    assert found.outcome in ("stopped", "stagnated")
    assert all(one.residual > 0 for one in seen)


def test_what_a_watcher_raises_is_raised() -> None:
    def watch(_: Standing) -> None:
        raise RuntimeError("enough")

    nodes: Nodes = (40, 40, 40)
    with pytest.raises(RuntimeError, match="enough"):
        solve(nodes, **pulled(nodes), preconditioner="none", tolerance=1e-14, threads=1, watch=watch)


def test_a_stop_that_was_requested_before() -> None:
    stop = Stop()
    stop.request()
    found = solve((9, 9, 9), **pulled((9, 9, 9)), preconditioner="none", stop=stop)
    assert found.outcome == "stopped"
    assert found.iterations == 0


def test_no_time() -> None:
    found = solve((30, 30, 30), **pulled((30, 30, 30)), preconditioner="none", seconds=1e-9)
    assert found.outcome == "time limit"
    assert found.iterations == 0
    assert np.isfinite(found.displacement).all()


NODES: Nodes = (3, 3, 3)
BODY = pulled(NODES)
INVERTED = box(NODES)
INVERTED[1, 1, 1] = (-1, -1, -1)
NAN_LOAD = BODY["load"].copy()
NAN_LOAD[0, 1, 2, 1] = np.nan


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"load": np.zeros((3, 3, 3))}, r"load has shape \(3, 3, 3\); expected \(nz, ny, nx, 3\) = \(3, 3, 3, 3\)"),
        ({"load": np.zeros((3, 3, 3, 3), dtype=complex)}, "load are not numbers, but of dtype complex128"),
        ({"load": NAN_LOAD}, r"load\[.*is nan; expected a finite number"),
        ({"held": np.zeros((3, 3, 3, 3))}, "held is of dtype float64; expected an array of bool"),
        ({"held": np.zeros((3, 3, 3, 3), dtype=bool)}, "the body is free to move"),
        ({"held": symmetric(NODES, "x-min", "y-min")}, "the body is free to move"),
        ({"held": np.zeros((3, 3), dtype=bool)}, "held has shape"),
        ({"coordinates": np.zeros((3, 3, 3, 2))}, "coordinates has shape"),
        ({"coordinates": INVERTED}, "inverted|volume"),
        ({"coordinates": np.zeros((3, 3, 3, 3))}, "expected"),
        ({"displacement": np.zeros(3)}, "displacement has shape"),
        ({"young": np.ones((3, 3, 3))}, r"young has shape \(3, 3, 3\); expected .* = \(2, 2, 2\)"),
        ({"young": 0.0}, "young"),
        ({"poisson": 0.5}, "poisson"),
        ({"poisson": "soft"}, "poisson are not numbers"),
        ({"tolerance": 0}, "tolerance is 0"),
        ({"tolerance": np.nan}, "tolerance is nan"),
        ({"iterations": -1}, "iterations is -1"),
        ({"iterations": 1.5}, "iterations is 1.5; expected a whole number"),
        ({"seconds": 0}, "seconds is 0"),
        ({"threads": -1}, "threads is -1"),
        ({"threads": 100000}, "threads is 100000; expected 0 to 4096"),
        ({"single_values": 1}, "single_values is 1; expected True or False"),
        ({"preconditioner": "amg"}, "preconditioner is 'amg'; expected one of none, bjacobi, cheby, multigrid"),
    ],
)  # fmt: skip
def test_misuse_is_told(more: dict[str, Any], says: str) -> None:
    with pytest.raises(ElasticityArgumentError, match=says):
        solve(NODES, **{**BODY, **more})


@pytest.mark.parametrize("nodes", [(3, 3), 3, "333", (1, 3, 3), (3, 3, 0), (3, 3, 3.0), (1 << 40, 1 << 40, 3)])
def test_misuse_of_nodes(nodes: Any) -> None:
    with pytest.raises(ElasticityArgumentError):
        elasticity.solve(nodes, load=BODY["load"], held=BODY["held"])


@pytest.mark.case("solvers.P2")
@pytest.mark.parametrize("times", [1e300, 1e-280])
def test_loads_near_the_ends_of_what_numbers_hold_are_scaled(times: float) -> None:
    nodes = (4, 5, 6)
    plain, scaled = pulled(nodes), pulled(nodes)
    scaled["load"] = scaled["load"] * times
    one, other = solve(nodes, **plain), solve(nodes, **scaled)
    assert other.outcome == "converged" and other.residual <= 1e-8
    np.testing.assert_allclose(other.displacement / times, one.displacement, atol=1e-6)


@pytest.mark.case("solvers.P1")
@pytest.mark.parametrize("aspect", [1, 10, 40, 100, 1000])
def test_a_thin_plate_is_bent_as_far_as_it_bends_and_claims_no_more(aspect: float) -> None:
    nodes = (11, 11, 3)
    k, j, i = np.meshgrid(np.arange(3.0), np.arange(11.0), np.arange(11.0), indexing="ij")
    coordinates = np.stack([i, j, k / aspect], axis=-1)
    load, held = np.zeros(coordinates.shape), np.zeros(coordinates.shape, dtype=bool)
    load[:, :, -1, 2] = 1.0
    held[:, :, 0] = True
    found = solve(nodes, coordinates=coordinates, load=load, held=held)
    there = true_residual(nodes, coordinates, np.array([1.0]), np.array([0.3]), load, held, found.displacement)
    assert found.iterations <= 21
    assert np.abs(found.displacement).max() > 1000
    assert there.residual <= found.residual * 1.01 + there.rounding
    if found.outcome == "converged":
        assert found.residual <= 1e-8 and found.rounding == 0
    else:
        assert found.outcome == "stagnated" and found.stretched
        assert 1e-8 < found.residual < 10 * found.rounding
