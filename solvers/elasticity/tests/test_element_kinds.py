"""Each kind of element: patch tests, energies, loads, orientation, and solutions against direct ones."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from cut_box import direct_of, matrix_of
from numpy.typing import NDArray

from benchmarks.elements.element_meshes import box_of, warped
from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import (
    FACES,
    KINDS,
    ElasticityArgumentError,
    Kind,
    boundary,
    library,
    mesh_body_force,
    mesh_pressure,
    mesh_stresses,
    mesh_traction,
    on_side,
    solve_mesh,
)
from rooftop.solvers.elasticity.files.vtu import write_vtu
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.kinds import EDGES
from rooftop.solvers.elasticity.mesh.problem import MeshProblem
from rooftop.solvers.elasticity.mesh.reference_element import reference
from rooftop.solvers.elasticity.mesh.residual import mesh_residual

Array = NDArray[np.float64]
SIZE = (2.0, 1.0, 1.5)
# How many modes have no energy in an element alone, besides rigid motions.
HOURGLASSES: dict[Kind, int] = {"wedge": 1, "hexahedron20_reduced": 6}
LINEAR = np.array([[0.01, 0.02, -0.01], [0.03, -0.02, 0.01], [0.02, 0.01, 0.03]])  # du/dx


@pytest.fixture(name="built")
def built_fixture() -> None:
    """Skip where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def outside(places: Array) -> NDArray[np.bool_]:
    """Return which nodes of a box are on its sides."""
    result: NDArray[np.bool_] = np.any([on_side(places, face) for face in FACES], axis=0)
    return result


def moved_corners(kind: Kind, cells: tuple[int, int, int], by: float) -> tuple[Array, NDArray[np.int64]]:
    """Return a box whose inner corners are moved at random; edges stay straight."""
    places, elements = box_of(kind, cells, SIZE)
    corners = np.unique(elements[:, : len(elements[0]) - len(EDGES.get(kind, ()))])
    moves = np.random.default_rng(3).uniform(-by, by, places.shape)
    moves[outside(places)] = 0
    places[corners] += moves[corners]
    if kind in EDGES:
        first = elements.shape[1] - len(EDGES[kind])
        for at, (a, b) in enumerate(EDGES[kind]):
            places[elements[:, first + at]] = (places[elements[:, a]] + places[elements[:, b]]) / 2
    return places, elements


def solved_inside(places: Array, elements: dict[Kind, Any], field: Array, load: Array | None = None) -> Array:
    """Return the displacement of all nodes where those on the sides of the box of `field` have it."""
    held = np.repeat(outside(places)[:, None], 3, axis=1)
    found = solve_mesh(
        places,
        elements=elements,
        load=np.zeros(places.shape) if load is None else load,
        held=held,
        displacement=np.where(held, field, 0),
        tolerance=1e-12,
    )
    assert found.residual < 1e-10
    return found.displacement


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("built")
def test_a_linear_displacement_is_exact(kind: Kind) -> None:
    """The patch test, on distorted elements; incompatible ones of CalculiX pass it where they are skewed only."""
    if kind == "hexahedron_incompatible":
        places, cells = box_of(kind, (4, 3, 3), SIZE)
        inside = ~outside(places)
        places = places @ np.array([[1, 0.2, 0.1], [0.1, 1, -0.2], [0.3, 0.1, 1]])
        held = np.repeat(~inside[:, None], 3, axis=1)
    else:
        places, cells = moved_corners(kind, (4, 3, 3), 0.1)
        held = np.repeat(outside(places)[:, None], 3, axis=1)
    field = places @ LINEAR.T
    found = solve_mesh(
        places,
        elements={kind: cells},
        load=np.zeros(places.shape),
        held=held,
        displacement=np.where(held, field, 0),
        tolerance=1e-12,
    )
    assert (~held).any()
    assert found.displacement == pytest.approx(field, abs=1e-10)
    strain = (LINEAR + LINEAR.T) / 2
    stress = 0.3 / 1.3 / 0.4 * np.trace(strain) * np.eye(3) + strain / 1.3
    everywhere = mesh_stresses(places, found.displacement, elements={kind: cells})
    assert everywhere == pytest.approx(np.broadcast_to(stress, everywhere.shape), abs=1e-10)


@pytest.mark.parametrize("kind", EDGES)
@pytest.mark.usefixtures("built")
def test_a_quadratic_displacement_is_exact(kind: Kind) -> None:
    """On elements that are not distorted, with the body force that it takes."""
    places, cells = box_of(kind, (3, 3, 2), SIZE)
    x, y, z = places.T
    field = 0.01 * np.stack([x * x + 2 * y * z, x * y - z * z, 3 * z * z + x * z], axis=1)
    # The stress is first tr(e) 1 + 2 second e, and the force its negative divergence.
    first, second = 0.3 / 1.3 / 0.4, 1 / 2.6
    laplace = 0.01 * np.array([2.0, -2.0, 6.0])
    gradient_of_divergence = 0.01 * np.array([2 + 1 + 1, 0, 6.0])  # div u = 2x + x + 6z + x
    force = -(first + second) * gradient_of_divergence - second * laplace
    load = mesh_body_force(places, {kind: cells}, force)
    assert solved_inside(places, {kind: cells}, field, load) == pytest.approx(field, abs=1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_rigid_motions_alone_have_no_energy(kind: Kind) -> None:
    """One element alone: symmetric, nothing negative, and six zeros, but for modes that are named."""
    of = reference(kind)
    places = of.places + np.random.default_rng(1).normal(scale=0.05, size=of.places.shape)
    mesh = Mesh(places, {kind: np.arange(len(places))[None]})
    whole = matrix_of(mesh, np.array([2.0]), np.array([0.3])).toarray()
    assert whole == pytest.approx(whole.T, abs=1e-13 * np.abs(whole).max())
    energies = np.linalg.eigvalsh(whole)
    assert np.count_nonzero(np.abs(energies) < 1e-10 * energies[-1]) == 6 + HOURGLASSES.get(kind, 0)
    assert energies[0] > -1e-10 * energies[-1]
    rotation = np.cross(places, [1.0, 2.0, 3.0])
    assert whole @ rotation.ravel() == pytest.approx(np.zeros(rotation.size), abs=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_shape_functions_are_those_of_their_nodes(kind: Kind) -> None:
    of = reference(kind)
    assert of.values(of.places) == pytest.approx(np.eye(len(of.places)), abs=1e-12)
    assert len(of.places) == KINDS[kind].nodes
    # They add up to 1, and their derivatives to 0.
    assert of.values(of.points).sum(axis=1) == pytest.approx(np.ones(len(of.points)))
    assert of.derivatives(of.points).sum(axis=2) == pytest.approx(np.zeros((len(of.points), 3)), abs=1e-12)


@pytest.mark.parametrize("kind", KINDS)
def test_faces_close_and_look_outwards(kind: Kind) -> None:
    flat, cells = box_of(kind, (3, 2, 2), SIZE)
    faces = boundary({kind: cells})
    assert mesh_pressure(warped(flat, SIZE), faces, 2).sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    areas = {"x": 1.5, "y": 3, "z": 2}
    for face in FACES:
        side = faces.within(on_side(flat, face))
        assert mesh_traction(flat, side, (1, 2, -3)).sum(axis=0) == pytest.approx(np.array([1, 2, -3]) * areas[face[0]])
        outward = (1 if face.endswith("max") else -1) * np.eye(3)["xyz".index(face[0])]
        assert mesh_pressure(flat, side, 1).sum(axis=0) == pytest.approx(-outward * areas[face[0]])
        assert np.array_equal(side.nodes(len(flat)), on_side(flat, face))
    assert mesh_body_force(flat, {kind: cells}, (0, 0, -2)).sum(axis=0) == pytest.approx([0, 0, -2 * 3])


def test_body_force_of_each_element_and_misuse() -> None:
    places, cells = box_of("tetrahedron10", (2, 1, 1), SIZE)
    random = np.random.default_rng(1)
    force = random.normal(size=(len(cells), 3))
    found = mesh_body_force(places, {"tetrahedron10": cells}, force)
    assert found.sum(axis=0) == pytest.approx(3 / len(cells) * force.sum(axis=0))
    for wrong in ((1, 2), (1, 2, np.nan), force[1:]):
        with pytest.raises(ElasticityArgumentError, match="expected three finite numbers, or an array"):
            mesh_body_force(places, {"tetrahedron10": cells}, wrong)


def mixed() -> Mesh:
    """Return three boxes on each other, of kinds that share their faces."""
    kinds: tuple[Kind, ...] = ("hexahedron_incompatible", "wedge", "hexahedron")
    parts: list[tuple[Kind, Array, NDArray[np.int64]]] = []
    for shift, kind in enumerate(kinds):
        places, cells = box_of(kind, (2, 2, 2), (1.0, 1.0, 1.0))
        parts.append((kind, places + np.array([0, 0, shift]), cells))
    every = np.concatenate([places for _, places, _ in parts])
    found, numbers = np.unique(every.round(9), axis=0, return_inverse=True)
    first, elements = 0, {}
    for kind, places, cells in parts:
        elements[kind] = numbers.ravel()[cells + first]
        first += len(places)
    return Mesh(warped(found, (1.0, 1.0, 3.0)), elements)


def bodies() -> list[Any]:
    """Return a mesh of each kind, and one of three."""
    result = []
    for kind in KINDS:
        flat, cells = box_of(kind, (3, 2, 2), SIZE)
        result.append(pytest.param(Mesh(warped(flat, SIZE), {kind: cells}), id=kind))
    return [*result, pytest.param(mixed(), id="mixed")]


@pytest.mark.parametrize("preconditioner", ["multigrid", "bjacobi"])
@pytest.mark.parametrize("mesh", bodies())
@pytest.mark.usefixtures("built")
def test_against_a_direct_solution(mesh: Mesh, preconditioner: Any) -> None:
    """With a material for each element, and the residual told and computed anew."""
    random = np.random.default_rng(4)
    young, poisson = 10 ** random.uniform(0, 2, mesh.elements_count), random.uniform(0, 0.4, mesh.elements_count)
    load = random.normal(size=mesh.coordinates.shape)
    held = np.zeros(load.shape, dtype=bool)
    held[np.argsort(mesh.coordinates[:, 2])[: mesh.nodes_count // 4]] = True
    prescribed = np.where(held, 0.01 * random.normal(size=held.shape), 0)
    expected = direct_of(mesh, load, held, young, poisson, prescribed)
    arguments: dict[str, Any] = {"elements": mesh.elements, "young": young, "poisson": poisson, "load": load}
    found = solve_mesh(
        mesh.coordinates,
        **arguments,
        held=held,
        displacement=prescribed,
        preconditioner=preconditioner,
        tolerance=1e-11,
    )
    assert found.outcome == "converged"
    assert found.displacement == pytest.approx(expected, abs=1e-7 * np.abs(expected).max())
    short = solve_mesh(mesh.coordinates, **arguments, held=held, iterations=2, preconditioner="bjacobi")
    true = mesh_residual(mesh, young, poisson, load, held, short.displacement)
    assert short.residual == pytest.approx(true.residual, rel=1e-6)


def long_body(
    kind: Kind, cells: tuple[int, int, int], size: tuple[float, float, float]
) -> tuple[Array, dict[str, Any]]:
    """Return the nodes of a body that is clamped at x-min and bent at x-max, and arguments of `solve_mesh`."""
    places, nodes = box_of(kind, cells, size)
    held = np.repeat(on_side(places, "x-min")[:, None], 3, axis=1)
    load = mesh_traction(places, boundary({kind: nodes}).within(on_side(places, "x-max")), (0, 0, 1))
    return places, {"elements": {kind: nodes}, "load": load, "held": held}


@pytest.mark.case("solvers.L1", "solvers.P1.early")
@pytest.mark.usefixtures("built")
def test_a_cantilever_of_incompatible_elements_bends() -> None:
    """As far as a beam does, of which trilinear hexahedra bend a fraction."""
    length, thickness = 20.0, 0.1
    bent = {}
    for kind in ("hexahedron", "hexahedron_incompatible", "hexahedron20_reduced"):
        places, arguments = long_body(kind, (20, 1, 1), (length, 1.0, thickness))
        # Rounding leaves up to 6e-6 of the residual in so slender a body, by the order in which threads add.
        found = solve_mesh(places, **arguments, young=1e4, poisson=0.0, preconditioner="bjacobi", tolerance=1e-4)
        assert found.outcome == "converged"
        bent[kind] = found.displacement[:, 2].max()
    beam = thickness * length**3 / (3 * 1e4 * thickness**3 / 12)
    assert bent["hexahedron_incompatible"] == pytest.approx(beam, rel=0.01)
    assert bent["hexahedron20_reduced"] == pytest.approx(beam, rel=0.01)
    assert bent["hexahedron"] < beam / 20


@pytest.mark.case("solvers.L3")
@pytest.mark.usefixtures("built")
def test_a_slender_body_loses_few_digits() -> None:
    places, arguments = long_body("hexahedron20", (32, 2, 2), (16.0, 1.0, 1.0))
    found = solve_mesh(places, **arguments, tolerance=1e-15)
    assert found.outcome == "stagnated"
    assert found.residual < 1.5e-10


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.usefixtures("built")
def test_an_inverted_element_is_named(kind: Kind) -> None:
    """Turned, or folded so that the map is inverted at one point of integration alone."""
    flat, cells = box_of(kind, (2, 2, 2), SIZE)
    arguments: dict[str, Any] = {"load": np.zeros(flat.shape), "held": np.ones(flat.shape, dtype=bool)}
    turned = cells.copy()
    turned[3] = turned[3][list(KINDS[kind].turned)]
    with pytest.raises(ElasticityArgumentError, match="element 3 is inverted or flat: expected a positive Jacobian"):
        solve_mesh(flat, elements={kind: turned}, **arguments)
    if kind in EDGES:
        middle = cells[5][-1]  # of an edge, moved past its ends
        flat[middle] += 3 * (flat[cells[5][EDGES[kind][-1][1]]] - flat[cells[5][EDGES[kind][-1][0]]])
        with pytest.raises(ElasticityArgumentError, match="is inverted or flat"):
            solve_mesh(flat, elements={kind: cells}, **arguments)


@pytest.mark.parametrize("kind", KINDS)
def test_a_turned_element_has_its_nodes_where_they_belong(kind: Kind) -> None:
    places, turned = reference(kind).places, list(KINDS[kind].turned)
    assert sorted(turned) == list(range(len(places)))
    for (a, b), middle in zip(EDGES.get(kind, ()), range(len(places) - len(EDGES.get(kind, ())), 99), strict=False):
        assert places[turned][middle] == pytest.approx((places[turned][a] + places[turned][b]) / 2)


@pytest.mark.parametrize("mesh", bodies())
def test_cells_of_files_and_faces_of_pictures(tmp_path: Path, mesh: Mesh) -> None:
    held = np.ones((mesh.nodes_count, 3), dtype=bool)
    problem = MeshProblem(
        name="body",
        mesh=mesh,
        young=np.ones(1),
        poisson=np.full(1, 0.3),
        load=np.zeros((mesh.nodes_count, 3)),
        held=held,
    )
    write_vtu(problem, 2 * problem.places, np.arange(float(mesh.elements_count)), tmp_path / "u.vtu")
    found = meshio.read(tmp_path / "u.vtu")
    assert [block.type for block in found.cells] == [KINDS[kind].vtk for kind in mesh.elements]
    for block, cells in zip(found.cells, mesh.elements.values(), strict=True):
        assert np.array_equal(block.data, cells)
    assert np.concatenate(found.cell_data["von_mises"]) == pytest.approx(np.arange(mesh.elements_count))
    drawn = problem.outer_faces(mesh.coordinates)
    assert drawn.places == pytest.approx(drawn.values)
    assert len(drawn.places) == len(boundary(mesh.elements))
    assert problem.von_mises(mesh.coordinates @ LINEAR.T) == pytest.approx(
        np.full(mesh.elements_count, problem.von_mises(mesh.coordinates @ LINEAR.T)[0])
    )
