"""Equations between displacements: what they determine, and what cannot be."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.linalg import null_space, orth

from rooftop.solvers.elasticity import Constraints, Dependences, ElasticityArgumentError, solve_mesh
from rooftop.solvers.elasticity.mesh.dependences import Dependences as Same

NODES = 4
FACTORS = st.sampled_from([1.0, -1.0, 0.5, 2.0, -0.25, 3.0, 1e-3, 0.0])
TERMS = st.lists(st.tuples(st.integers(0, 3 * NODES - 1), FACTORS), min_size=1, max_size=5)
EQUATIONS = st.lists(st.tuples(TERMS, st.sampled_from([0.0, 0.0, 1.0, -0.5])), max_size=6)


def matrix_of(constraints: Constraints) -> NDArray[np.float64]:
    result = np.zeros((len(constraints), 3 * NODES))
    for row, terms in enumerate(constraints.rows):
        for number, factor in terms.items():
            result[row, number] = factor
    return result


def transformation(of: Dependences) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return T and g of u = T v + g."""
    g = of.expanded(np.zeros((NODES, 3))).ravel()
    columns = [of.expanded(one.reshape(NODES, 3)).ravel() - g for one in np.eye(3 * NODES)]
    t = np.stack(columns, axis=1)
    t[:, of.dependent] = 0
    return t, g


def test_an_equation_that_others_imply_but_for_rounding_is_redundant() -> None:
    """Of u1 = 2.4 + 0.8 u2 and u2 = -3 there is left 4e-16, which contradicts u1 = 0 by nothing that counts."""
    constraints = Constraints()
    for numbers, factors, value in (([0], [1.0], 1.0), ([0, 1, 2], [3.0, -1.25, 1.0], 0.0), ([1], [3.0], 0.0)):
        constraints.add(numbers, factors, value)
    constraints.add([1], [1.0])
    found = constraints.dependences(np.zeros((NODES, 3), np.bool_))
    values = dict(zip(found.dependent.tolist(), np.round(found.constant, 12).tolist(), strict=True))
    assert values == {0: 1, 1: 0, 2: -3}
    constraints.add([1], [1.0], 1e-6)
    with pytest.raises(ElasticityArgumentError, match="it contradicts other equations"):
        constraints.dependences(np.zeros((NODES, 3), np.bool_))


@given(EQUATIONS, st.lists(st.integers(0, 3 * NODES - 1), max_size=3), st.integers(0, 3))
def test_elimination_spans_what_equations_leave(
    equations: list[tuple[list[tuple[int, float]], float]], held: list[int], seed: int
) -> None:
    """Held against the null space, and the least squares, of SciPy."""
    constraints = Constraints()
    for terms, value in equations:
        constraints.add([number for number, _ in terms], [factor for _, factor in terms], value)
    mask = np.zeros(3 * NODES, dtype=np.bool_)
    mask[held] = True
    known = np.where(mask, np.random.default_rng(seed).integers(-2, 3, 3 * NODES), 0.0)
    whole = np.concatenate([matrix_of(constraints), np.eye(3 * NODES)[mask]])
    values = np.concatenate([constraints.values, known[mask]])
    one = np.linalg.lstsq(whole, values, rcond=1e-9)[0]
    possible = np.abs(whole @ one - values).max(initial=0.0) < 1e-9
    try:
        found = constraints.dependences(mask.reshape(NODES, 3), known.reshape(NODES, 3))
    except ElasticityArgumentError as error:
        assert not possible
        assert "contradicts other equations, or displacements that are held" in str(error)
        return
    assert possible
    t, _ = transformation(found)
    assert not mask[found.dependent].any()
    free = t[:, ~mask]
    free = free[:, np.any(free != 0, axis=0)]
    space = null_space(whole, rcond=1e-9)
    assert free.shape[1] == space.shape[1]  # as many as there are
    assert np.abs(whole @ free).max(initial=0.0) < 1e-9 * max(1.0, np.abs(free).max(initial=0.0))
    assert orth(free, rcond=1e-9).shape == space.shape
    there = found.expanded(known.reshape(NODES, 3))
    assert np.abs(whole @ there.ravel() - values).max(initial=0.0) < 1e-8 * max(1.0, np.abs(there).max())
    assert constraints.error(there) < 1e-9
    forces = np.random.default_rng(1).normal(size=(NODES, 3))
    assert found.collected(forces).ravel() == pytest.approx(t.T @ forces.ravel())


def test_the_first_displacement_is_determined_where_its_factor_allows_that() -> None:
    constraints = Constraints()
    constraints.add([3, 4, 5], [1.0, 2.0, -5.0])
    constraints.add([6, 7], [1e-6, 1.0])
    found = constraints.dependences(np.zeros((NODES, 3), dtype=np.bool_))
    assert found.dependent.tolist() == [3, 7]
    assert found.factor.tolist() == [-2.0, 5.0, -1e-6]


def test_chains_are_resolved_and_cycles_mean_what_they_say() -> None:
    constraints = Constraints()
    constraints.add([0, 1], [1.0, -2.0])
    constraints.add([1, 2], [1.0, -2.0], 1.0)
    free = np.zeros((NODES, 3), dtype=np.bool_)
    found = constraints.dependences(free)
    assert found.expanded(np.array([[0, 0, 3.0]] + [[0.0] * 3] * 3))[0].tolist() == [14, 7, 3]
    constraints.add([2, 0], [1.0, -1.0])  # u2 = u0 = 4 u2 + 2
    found = constraints.dependences(free)
    assert found.expanded(np.zeros((NODES, 3)))[0] == pytest.approx([-2 / 3, -1 / 3, -2 / 3])
    constraints.add([0, 2], [1.0, -1.0])  # which is said already
    assert len(constraints.dependences(free).dependent) == 3


def test_a_displacement_that_breaks_an_equation_is_told() -> None:
    constraints = Constraints()
    constraints.add([0, 3], [1.0, -2.0], 0.5)
    assert constraints.error(np.array([[2.5, 0, 0], [1.0, 0, 0]])) == 0
    assert constraints.error(np.array([[2.6, 0, 0], [1.0, 0, 0]])) == pytest.approx(0.05 / 2.6)
    constraints = Constraints()
    constraints.add([0, 3], [1e300, -1.0])  # which says that the first one does not move
    assert constraints.dependences(np.zeros((2, 3), dtype=np.bool_)).factor.tolist() == []
    assert constraints.error(np.array([[0.0, 0, 0], [1.0, 0, 0]])) < 1e-15


def test_arrays_that_do_not_fit_are_refused() -> None:
    places = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]])
    held = np.zeros((4, 3), dtype=np.bool_)
    held[:3] = True
    load = np.zeros((4, 3))
    for of, says in (
        (Same(*(np.array(one) for one in ([9], [0, 1], [10], [1.0, 2.0], [0.0]))), "factor has 2 values; expected 1"),
        (Same(*(np.array(one) for one in ([9], [0, 1], [12], [1.0], [0.0]))), "dependences.independent go beyond 0"),
        (Same(*(np.array(one) for one in ([9], [0, 1], [10], ["a"], [0.0]))), "dependences.factor are not numbers"),
        (Same(*(np.array(one) for one in ([1], [0, 1], [10], [1.0], [0.0]))), "y of node 0 is held, and depends on"),
        (Same(*(np.array(one) for one in ([9], [0, 1], [9], [1.0], [0.0]))), "which depends on others; expected what"),
    ):
        with pytest.raises(ElasticityArgumentError, match=says):
            solve_mesh(places, elements={"tetrahedron": [[0, 1, 2, 3]]}, load=load, held=held, dependences=of)


def test_rotations_get_the_unit_of_displacements() -> None:
    constraints = Constraints(rotations={9, 10})
    constraints.add([0, 3, 9], [1.0, -1.0, 300.0])
    constraints.add([1, 9, 10], [0.5, -100.0, 0.0], 2.0)
    scaled, lengths = constraints.with_alike_units()
    assert lengths == {9: 256.0}
    assert scaled.rows == [{0: 1, 3: -1, 9: 300 / 256}, {1: 0.5, 9: -100 / 256, 10: 0}]
    assert scaled.values == [0, 2]
    assert not scaled.rotations
