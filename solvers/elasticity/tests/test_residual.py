"""The NumPy element: exact on linear displacements, and its residual that of the assembled matrix."""

from __future__ import annotations

import numpy as np
import pytest
from elastic_body import direct, matrix

from rooftop.solvers.elasticity import ElasticityArgumentError, box, clamped, stresses, symmetric, traction, von_mises
from rooftop.solvers.elasticity.box.arguments import Nodes
from rooftop.solvers.elasticity.box.residual import sampled_residual, true_residual

SIZES: list[Nodes] = [(2, 2, 2), (3, 2, 5), (6, 4, 5)]
ONE, RATIO = np.ones(1), np.full(1, 0.3)


@pytest.mark.parametrize("nodes", SIZES)
@pytest.mark.parametrize("distorted", [False, True])
def test_patch(nodes: Nodes, distorted: bool) -> None:
    """The direct solution of a box that is pulled is linear, and the stress 1 along z."""
    places = box(nodes, None, (4, 1, 0.5), 0.2) if distorted else None
    load, held = (
        traction(nodes if places is None else places, "z-max", (0, 0, 1)),
        symmetric(nodes, "x-min", "y-min", "z-min"),
    )
    found = direct(nodes, load, held, places)
    exact = (box(nodes) if places is None else places) * (-0.3, -0.3, 1)
    assert found == pytest.approx(exact, abs=1e-12)
    stress = stresses(nodes, found, coordinates=places)
    assert stress == pytest.approx(np.broadcast_to(np.diag([0, 0, 1]), stress.shape), abs=1e-12)
    assert von_mises(stress) == pytest.approx(np.ones(stress.shape[:3]))
    residual = true_residual(nodes, places, ONE, RATIO, load, held, exact)
    assert residual.residual < residual.rounding < 1e-11
    assert residual.nodes == nodes[0] * nodes[1] * nodes[2]


@pytest.mark.parametrize("distorted", [False, True])
def test_residual_is_that_of_the_matrix(distorted: bool) -> None:
    nodes: Nodes = (5, 4, 6)
    random = np.random.default_rng(2)
    places = box(nodes, None, (4, 1, 0.5), 0.2) if distorted else None
    young, poisson = random.uniform(1, 1000, 60), random.uniform(-0.5, 0.45, 60)
    load, moved = random.normal(size=(2, 6, 4, 5, 3))
    held = clamped(nodes, "x-min")
    whole = matrix(nodes, box(nodes) if places is None else places, young, poisson)
    assert abs(whole - whole.T).max() < 1e-11
    free = ~held.ravel()
    expected = np.linalg.norm((load.ravel() - whole @ moved.ravel())[free]) / np.linalg.norm(load.ravel()[free])
    body = (nodes, places, young, poisson, load, held, moved)
    assert true_residual(*body).residual == pytest.approx(expected, rel=1e-12)
    assert sampled_residual(*body, count=10_000).residual == pytest.approx(expected, rel=1e-12)
    sampled = sampled_residual(*body, count=30)
    assert sampled.nodes == 30
    assert 0 < sampled.residual < expected


def test_one_wrong_value_is_seen() -> None:
    nodes: Nodes = (9, 9, 9)
    held = symmetric(nodes, "x-min", "y-min", "z-min")
    moved, load = box(nodes) * (-0.3, -0.3, 1), traction(nodes, "z-max", (0, 0, 1))
    moved[4, 5, 6, 1] += 1e-6
    assert true_residual(nodes, None, ONE, RATIO, load, held, moved).residual > 1e-7


@pytest.mark.parametrize("face", ["x-min", "x-max", "y-min", "y-max", "z-min", "z-max"])
def test_traction_is_force_by_area(face: str) -> None:
    nodes: Nodes = (4, 5, 6)
    areas = {"x": 4 * 5, "y": 3 * 5, "z": 3 * 4}
    for where in (nodes, box(nodes, None, (3, 2, 1), 0.2)):
        load = traction(where, face, (1, 2, -3))  # type: ignore[arg-type]
        assert load.sum(axis=(0, 1, 2)) == pytest.approx(np.array([1, 2, -3]) * areas[face[0]])
        assert np.array_equal(load.any(axis=-1), clamped(nodes, face).all(axis=-1))  # type: ignore[arg-type]


def test_boxes() -> None:
    places = box((3, 5, 2), (2, 8, 1), (1, 8, 1))
    assert places.shape == (2, 5, 3, 3)
    assert places[0, 0, :, 0].tolist() == [0, 1, 2]
    assert np.diff(places[0, :, 0, 1]) == pytest.approx(8 / 15 * np.array([1, 2, 4, 8]))
    moved = box((6, 6, 6), None, (1, 1, 1), 0.3, seed=5)
    assert moved == pytest.approx(box((6, 6, 6)), abs=0.3)
    assert np.array_equal(moved, box((6, 6, 6), distortion=0.3, seed=5))
    assert not np.array_equal(moved, box((6, 6, 6), distortion=0.3, seed=6))
    for direction in range(3):
        plane = np.moveaxis(moved, 2 - direction, 0)[0]
        assert not plane[..., direction].any()
        assert plane[1:-1, 1:-1].std() > 0


@pytest.mark.parametrize(
    "words",
    [
        ((2, 2),), (7,), ((2, 2, 1),), ((2, 2, 2.5),), ((2, 2, True),), ((3, 3, 3), (1, 1)), ((3, 3, 3), (1, 1, 0)),
        ((3, 3, 3), None, (1, -1, 1)), ((3, 3, 3), None, (1, 1, 1), 0.5), ((3, 3, 3), None, (1, 1, 1), "much"),
    ],
)  # fmt: skip
def test_misuse_of_boxes(words: tuple[object, ...]) -> None:
    with pytest.raises(ElasticityArgumentError, match="expected"):
        box(*words)  # type: ignore[arg-type]


def test_misuse_of_faces() -> None:
    with pytest.raises(ElasticityArgumentError, match="'top'"):
        clamped((2, 2, 2), "top")  # type: ignore[arg-type]
    with pytest.raises(ElasticityArgumentError, match="three finite numbers"):
        traction((2, 2, 2), "x-min", (0, np.nan, 1))
    with pytest.raises(ElasticityArgumentError, match="shape"):
        stresses((3, 3, 3), np.zeros((3, 3, 3)))
