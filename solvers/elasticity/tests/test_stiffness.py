"""Stiffness that depends on directions: against the isotropic one, turned with the body, of elements and of points."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from numpy.typing import NDArray

from benchmarks.elements.element_meshes import box_of, warped
from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import KINDS, ElasticityArgumentError, Kind, library, mesh_body_force, solve_mesh
from rooftop.solvers.elasticity.deck.constitution import turned
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.elastic_law import Laws, isotropic_matrices, matrices, upper
from rooftop.solvers.elasticity.mesh.reference_element import reference
from rooftop.solvers.elasticity.mesh.residual import mesh_residual
from rooftop.solvers.elasticity.mesh.stress import equivalent_mesh_stresses

Array = NDArray[np.float64]
SIZE, ONE = (2.0, 1.0, 1.5), np.ones(1)


@pytest.fixture(name="built", autouse=True)
def built_fixture() -> None:
    """Skip where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def body(kind: Kind) -> tuple[Array, dict[Kind, NDArray[np.int64]], dict[str, Any]]:
    """Return the nodes of a warped box, its elements, and how it is held and pulled."""
    flat, cells = box_of(kind, (3, 2, 2), SIZE)
    places, elements = warped(flat, SIZE), {kind: cells}
    held = np.repeat((flat[:, 0] == 0)[:, None], 3, axis=1)
    return places, elements, {"load": mesh_body_force(places, elements, (0.3, 1.0, -2.0)), "held": held}


def positive(seed: int, *shape: int) -> Array:
    """Return stiffnesses (…, 21) whose values differ by direction."""
    square = np.random.default_rng(seed).normal(size=(*shape, 6, 6))
    return upper(square @ square.swapaxes(-1, -2) + 3 * np.eye(6))


@pytest.mark.parametrize("kind", KINDS)
def test_an_isotropic_stiffness_is_young_and_poisson(kind: Kind) -> None:
    places, elements, words = body(kind)
    count, points = len(elements[kind]), len(reference(kind).points)
    young, poisson = np.linspace(1, 5, count), np.linspace(0, 0.45, count)
    expected = solve_mesh(places, elements=elements, young=young, poisson=poisson, tolerance=1e-12, **words)
    each = upper(isotropic_matrices(young, poisson))
    for stiffness in (each, np.repeat(each, points, axis=0)):
        found = solve_mesh(places, elements=elements, stiffness=stiffness, tolerance=1e-12, **words)
        assert found.displacement == pytest.approx(
            expected.displacement, abs=1e-9 * np.abs(expected.displacement).max()
        )


@settings(max_examples=20, deadline=None)
@given(some.sampled_from(list(KINDS)), some.floats(0.01, 1e6), some.floats(-0.9, 0.49))
def test_any_isotropic_stiffness_is_young_and_poisson(kind: Kind, young: float, poisson: float) -> None:
    places, elements, words = body(kind)
    expected = solve_mesh(places, elements=elements, young=young, poisson=poisson, tolerance=1e-11, **words)
    one = upper(isotropic_matrices(np.array(young), np.array(poisson)))
    found = solve_mesh(places, elements=elements, stiffness=one, tolerance=1e-11, **words)
    assert found.displacement == pytest.approx(expected.displacement, abs=1e-7 * np.abs(expected.displacement).max())


@settings(max_examples=20, deadline=None)
@given(some.sampled_from(list(KINDS)), some.integers(0, 1000))
def test_material_and_body_turn_together(kind: Kind, seed: int) -> None:
    places, elements, words = body(kind)
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    turn *= np.sign(np.linalg.det(turn))
    stiffness = positive(seed, len(elements[kind]))
    found = solve_mesh(places, elements=elements, stiffness=stiffness, tolerance=1e-11, **words)
    axes = np.broadcast_to(turn.T, (len(stiffness), 3, 3))  # the old axes, seen from the new ones
    other = solve_mesh(
        places @ turn.T,
        elements=elements,
        stiffness=upper(turned(matrices(stiffness), axes)),
        tolerance=1e-11,
        load=words["load"] @ turn.T,
        held=words["held"],
    )
    size = np.abs(found.displacement).max()
    assert other.displacement == pytest.approx(found.displacement @ turn.T, abs=1e-7 * size)


@pytest.mark.parametrize("by_point", [False, True])
@pytest.mark.parametrize("kind", KINDS)
def test_the_residual_is_that_of_numpy(kind: Kind, by_point: bool) -> None:
    """Points of integration have the same order in both."""
    places, elements, words = body(kind)
    count = len(elements[kind]) * (len(reference(kind).points) if by_point else 1)
    stiffness = positive(1, count)
    found = solve_mesh(places, elements=elements, stiffness=stiffness, tolerance=1e-12, **words)
    mesh = Mesh(places, elements)
    true = mesh_residual(mesh, ONE, ONE, words["load"], words["held"], found.displacement, stiffness=stiffness)
    assert found.residual < 1e-11
    assert true.residual < 1e-10
    if by_point and len(reference(kind).points) > 1:
        mixed = stiffness.reshape(len(elements[kind]), -1, 21)[:, ::-1].reshape(-1, 21)
        wrong = mesh_residual(mesh, ONE, ONE, words["load"], words["held"], found.displacement, stiffness=mixed)
        assert wrong.residual > 1e-3


def test_stresses_of_a_stiffness() -> None:
    places, elements, _ = body("hexahedron20")
    mesh = Mesh(places, elements)
    stiffness = positive(5, 1)
    gradient = np.array([[0.01, 0.02, -0.01], [0.03, -0.02, 0.01], [0.02, 0.01, 0.03]])
    strain = np.array([0.01, -0.02, 0.03, 0.05, 0.01, 0.02])
    xx, yy, zz, xy, xz, yz = matrices(stiffness[0]) @ strain
    squares = (xx - yy) ** 2 + (yy - zz) ** 2 + (zz - xx) ** 2 + 6 * (xy**2 + xz**2 + yz**2)
    laws = Laws(mesh, ONE, ONE, stiffness)
    found = equivalent_mesh_stresses(mesh, places @ gradient.T, laws, None)
    assert found == pytest.approx(np.full(len(found), np.sqrt(squares / 2)), rel=1e-10)
    before = np.zeros((len(found), 3, 3))
    before[:, 2, 2] = 7.0
    assert equivalent_mesh_stresses(mesh, np.zeros_like(places), laws, before) == pytest.approx(np.full(len(found), 7))


@pytest.mark.parametrize(
    ("stiffness", "says"),
    [
        (np.ones(20), r"stiffness has shape \(20,\); expected \(21,\), \(elements, 21\) = \(12, 21\)"),
        (np.ones((3, 21)), r"stiffness has shape \(3, 21\)"),
        (np.zeros(21), "stiffness 0 is not positive definite"),
        (np.full(21, np.nan), r"stiffness\[0\] is nan"),
        ("soft", "stiffness are not numbers"),
    ],
)
def test_bad_stiffness_is_refused(stiffness: Any, says: str) -> None:
    places, elements, words = body("hexahedron")
    with pytest.raises(ElasticityArgumentError, match=says):
        solve_mesh(places, elements=elements, stiffness=stiffness, **words)
