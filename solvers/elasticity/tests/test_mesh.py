"""Meshes from Python: outer faces, loads, solutions against direct ones, residuals, stresses, and misuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from cut_box import cut_box, direct_of, matrix_of

from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import (
    FACES,
    PRECONDITIONERS,
    ElasticityArgumentError,
    Preconditioner,
    boundary,
    library,
    mesh_pressure,
    mesh_stresses,
    mesh_traction,
    on_side,
    solve_mesh,
    von_mises,
)
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.residual import mesh_residual

NODES = (5, 4, 7)
LAYERS = [0, 3, 6]  # of hexahedra, of 6 in all


@pytest.fixture(name="built")
def built_fixture() -> None:
    """Skip where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def body(mesh: Mesh) -> dict[str, Any]:
    """Return arguments of `solve_mesh`: symmetry on three sides, and a pull along z."""
    places, cells = mesh.coordinates, mesh.elements
    held = np.stack([on_side(places, face) for face in ("x-min", "y-min", "z-min")], axis=1)
    top = boundary(cells).within(on_side(places, "z-max"))
    return {"elements": cells, "load": mesh_traction(places, top, (0, 0, 1)), "held": held}


@pytest.mark.parametrize("layers", LAYERS)
def test_outer_faces(layers: int) -> None:
    """They close, look outwards, and have the box's area and volume, whatever lies inside."""
    mesh = cut_box(NODES, layers, 0.2)
    faces = boundary(mesh.elements)
    walls, floors = 2 * (4 + 3), 4 * 3
    assert len(faces.corners(4)) == walls * layers + (floors if layers else 0) + (floors if layers == 6 else 0)
    assert len(faces.corners(3)) == 2 * (walls * (6 - layers) + 2 * floors) - (2 * floors if layers else 0) - (
        2 * floors if layers == 6 else 0
    )
    areas = {"x": 3 * 6, "y": 4 * 6, "z": 4 * 3}
    for face in FACES:
        side = faces.within(on_side(mesh.coordinates, face))
        load = mesh_traction(mesh.coordinates, side, (1, 2, -3))
        assert load.sum(axis=0) == pytest.approx(np.array([1, 2, -3]) * areas[face[0]])
        assert np.array_equal(load.any(axis=1), on_side(mesh.coordinates, face))
        assert np.array_equal(side.nodes(mesh.nodes_count), on_side(mesh.coordinates, face))
        outward = (1 if face.endswith("max") else -1) * np.eye(3)["xyz".index(face[0])]
        for cells in side.faces.values():
            a, b, c = (mesh.coordinates[cells[:, corner]] for corner in range(3))
            assert (np.cross(b - a, c - a) @ outward > 0).all()


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
@pytest.mark.parametrize("layers", [0, 6])
@pytest.mark.usefixtures("built")
def test_patch(layers: int, preconditioner: Preconditioner) -> None:
    """A box that is pulled is displaced linearly, and the stress is 1 along z."""
    mesh = cut_box(NODES, layers)
    found = solve_mesh(mesh.coordinates, **body(mesh), preconditioner=preconditioner, tolerance=1e-11)
    assert (found.outcome, found.residual <= 1e-11) == ("converged", True)
    assert found.displacement == pytest.approx(mesh.coordinates * (-0.3, -0.3, 1), abs=1e-8)
    assert len(found.residuals) == found.iterations + 1
    stress = mesh_stresses(mesh.coordinates, found.displacement, elements=mesh.elements)
    assert stress == pytest.approx(np.broadcast_to(np.diag([0, 0, 1]), stress.shape), abs=1e-7)
    assert von_mises(stress) == pytest.approx(np.ones(mesh.elements_count))


@pytest.mark.parametrize("preconditioner", PRECONDITIONERS)
@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.usefixtures("built")
def test_against_a_direct_solution(layers: int, preconditioner: Preconditioner) -> None:
    mesh = cut_box(NODES, layers)
    random = np.random.default_rng(4)
    young, poisson = 10 ** random.uniform(0, 3, mesh.elements_count), random.uniform(0, 0.4, mesh.elements_count)
    load, held = random.normal(size=mesh.coordinates.shape), np.zeros(mesh.coordinates.shape, dtype=bool)
    held[on_side(mesh.coordinates, "x-min")] = True
    prescribed = np.where(held, 0.01 * random.normal(size=held.shape), 0)
    expected = direct_of(mesh, load, held, young, poisson, prescribed)
    found = solve_mesh(
        mesh.coordinates,
        elements=mesh.elements,
        young=young,
        poisson=poisson,
        load=load,
        held=held,
        displacement=prescribed,
        preconditioner=preconditioner,
        tolerance=1e-11,
    )
    assert found.outcome == "converged"
    assert found.displacement == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    assert np.array_equal(found.displacement[held], prescribed[held])


@pytest.mark.parametrize("layers", LAYERS)
@pytest.mark.usefixtures("built")
def test_the_residual_is_the_true_one(layers: int) -> None:
    mesh = cut_box(NODES, layers)
    arguments = body(mesh)
    for most in (1, 3, 1000):
        found = solve_mesh(mesh.coordinates, **arguments, iterations=most, preconditioner="bjacobi")
        one, ratio = np.ones(1), np.full(1, 0.3)
        true = mesh_residual(mesh, one, ratio, arguments["load"], arguments["held"], found.displacement)
        assert true.nodes == mesh.nodes_count
        assert found.residual == pytest.approx(true.residual, rel=1e-6)


@pytest.mark.parametrize("layers", LAYERS)
def test_residual_is_that_of_the_matrix(layers: int) -> None:
    mesh = cut_box(NODES, layers)
    random = np.random.default_rng(2)
    count = mesh.elements_count
    young, poisson = random.uniform(1, 1000, count), random.uniform(-0.5, 0.45, count)
    load, moved = random.normal(size=(2, mesh.nodes_count, 3))
    held = np.repeat(on_side(mesh.coordinates, "x-min")[:, None], 3, axis=1)
    whole = matrix_of(mesh, young, poisson)
    assert abs(whole - whole.T).max() < 1e-10
    left = (load.ravel() - whole @ moved.ravel()).reshape(-1, 3)
    expected = np.linalg.norm(left[~held]) / np.linalg.norm(load[~held])
    arguments = (mesh, young, poisson, load, held, moved)
    assert mesh_residual(*arguments).residual == pytest.approx(expected, rel=1e-12)
    assert mesh_residual(*arguments).nodes == mesh.nodes_count
    sampled = mesh_residual(*arguments, count=30)
    assert sampled.nodes == 30
    chosen = np.random.default_rng(1).choice(mesh.nodes_count, 30, replace=False)
    theirs = np.linalg.norm(left[chosen][~held[chosen]]) / np.linalg.norm(load[~held])
    assert sampled.residual == pytest.approx(theirs, rel=1e-12)


MESH = cut_box((3, 3, 3))
BODY = body(MESH)
CELLS = MESH.elements["tetrahedron"]


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"load": np.zeros((3, 3))}, r"load has shape \(3, 3\); expected \(nodes, 3\) = \(27, 3\)"),
        ({"held": np.zeros((27, 3))}, "held is of dtype float64; expected an array of bool"),
        ({"held": np.zeros((27, 3), dtype=bool)}, "the mesh is free to move"),
        ({"displacement": np.zeros(3)}, "displacement has shape"),
        ({"young": np.ones(7)}, r"young has shape \(7,\); expected a number or an array \(elements,\) = \(48,\)"),
        ({"poisson": 0.5}, "poisson"),
        ({"tolerance": 0}, "tolerance is 0"),
        ({"preconditioner": "amg"}, "preconditioner is 'amg'"),
        ({"elements": {"tetrahedron": []}}, "the mesh has no elements; expected one or more"),
        ({"elements": None}, "elements is a NoneType; expected a mapping, such as {'tetrahedron': cells}"),
        ({"elements": {"tetra": CELLS}}, "elements has the unknown kind 'tetra'; expected one of tetrahedron, "),
        (
            {"elements": {"tetrahedron": CELLS[:, :3]}},
            r"elements\['tetrahedron'\] has shape \(48, 3\); expected \(elements, 4\)",
        ),
        ({"elements": {"tetrahedron": CELLS + 20}}, r"elements\['tetrahedron'\] go beyond 0 to 26"),
        ({"elements": {"tetrahedron": CELLS + 0.5}}, r"elements\['tetrahedron'\] are not whole numbers"),
        ({"elements": {"tetrahedron": CELLS[:, [1, 0, 2, 3]]}}, "element 0 is inverted"),
        ({"elements": {"tetrahedron": CELLS[:3]}}, "is in no element; expected every node in one"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("built")
def test_misuse_is_told(more: dict[str, Any], says: str) -> None:
    with pytest.raises(ElasticityArgumentError, match=says):
        solve_mesh(MESH.coordinates, **{**BODY, **more})


@pytest.mark.usefixtures("built")
def test_a_part_that_is_free_to_move() -> None:
    both = np.concatenate([MESH.coordinates, MESH.coordinates + 5])
    cells = np.concatenate([CELLS, CELLS + 27])
    load, held = (np.concatenate([BODY[name], np.zeros_like(BODY[name])]) for name in ("load", "held"))
    with pytest.raises(ElasticityArgumentError, match=r"the part of the mesh with node \d+ is free to move in 6 ways"):
        solve_mesh(both, elements={"tetrahedron": cells}, load=load, held=held)


def test_misuse_of_outer_faces() -> None:
    with pytest.raises(ElasticityArgumentError, match="'top'"):
        on_side(MESH.coordinates, "top")  # type: ignore[arg-type]
    with pytest.raises(ElasticityArgumentError, match=r"coordinates has shape \(3,\)"):
        on_side(np.zeros(3), "x-min")
    with pytest.raises(ElasticityArgumentError, match="three finite numbers"):
        mesh_traction(MESH.coordinates, boundary(MESH.elements), (1, 2))
    with pytest.raises(ElasticityArgumentError, match="faces have node 26; expected nodes from 0 to 2"):
        mesh_traction(MESH.coordinates[:3], boundary(MESH.elements), (1, 2, 3))


@pytest.mark.parametrize("layers", LAYERS)
def test_a_pressure_acts_against_the_outer_normal(layers: int) -> None:
    """On a closed surface it has no resultant, and on a flat side that of a traction."""
    mesh = cut_box(NODES, layers)
    every = boundary(mesh.elements)
    assert mesh_pressure(mesh.coordinates, every, 3).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    top = every.within(on_side(mesh.coordinates, "z-max"))
    assert mesh_pressure(mesh.coordinates, top, 3) == pytest.approx(mesh_traction(mesh.coordinates, top, (0, 0, -3)))
    with pytest.raises(ElasticityArgumentError, match="faces have node 26; expected nodes from 0 to 2"):
        mesh_pressure(mesh.coordinates[:3], boundary(MESH.elements), 1)
