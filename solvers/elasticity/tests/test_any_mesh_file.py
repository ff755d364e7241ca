"""Files of meshes that are no boxes: sides and groups that are held and pulled, orientations, and misuse."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from any_input import given_or_refused
from cut_box import cut_box

from rooftop.errors import Misuse
from rooftop.solvers.elasticity import KINDS, boundary, box, on_side
from rooftop.solvers.elasticity.files.contents import FORMATS
from rooftop.solvers.elasticity.files.mesh_file import read_mesh_file
from rooftop.solvers.elasticity.files.vtu import write_vtu
from rooftop.solvers.elasticity.mesh.arguments import Mesh
from rooftop.solvers.elasticity.mesh.problem import MeshProblem

ROOM = 1 << 34  # bytes
CUT = cut_box((3, 4, 5))
MIXED = cut_box((3, 4, 5), 2)


def read(path: Path, **more: Any) -> MeshProblem:
    asked: dict[str, Any] = {
        "clamps": ["x-min"],
        "symmetries": [],
        "pulls": [("z-max", (0.0, 0.0, 2.0))],
        "young": 1.0,
        "poisson": 0.3,
    }
    problem = read_mesh_file(path, **(asked | more), available=ROOM)
    assert isinstance(problem, MeshProblem)
    return problem


def blocks_of(mesh: Mesh) -> list[tuple[str, Any]]:
    return [(KINDS[kind].vtk, mesh.elements[kind]) for kind in KINDS if kind in mesh.elements]


def same_elements(one: Mesh, other: Mesh) -> None:
    assert set(one.elements) == set(other.elements)
    for kind, cells in one.elements.items():
        assert np.array_equal(cells, other.elements[kind])


def written(path: Path, mesh: Mesh, blocks: list[tuple[str, Any]] | None = None, **more: Any) -> Path:
    kind = FORMATS[path.suffix]
    places = mesh.coordinates
    meshio.write(
        path,
        meshio.Mesh(places, blocks_of(mesh) if blocks is None else blocks, **more),
        file_format="gmsh22" if kind == "gmsh" else kind,
    )
    return path


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize("mesh", [CUT, MIXED], ids=["tetrahedra", "both"])
def test_every_format(tmp_path: Path, suffix: str, mesh: Mesh) -> None:
    problem = read(written(tmp_path / f"body{suffix}", mesh))
    assert problem.places == pytest.approx(mesh.coordinates)
    same_elements(problem.mesh, mesh)
    assert np.array_equal(problem.held, np.repeat(on_side(mesh.coordinates, "x-min")[:, None], 3, axis=1))
    assert problem.load.sum(axis=0) == pytest.approx([0, 0, 2 * 2 * 3])
    assert np.array_equal(problem.load[:, 2] > 0, on_side(mesh.coordinates, "z-max"))
    named = [r for r in problem.remarks if "C3D8RH have no section" in r]  # as meshio calls hexahedra of a deck
    assert len(named) == (suffix == ".inp" and mesh is MIXED)
    assert problem.remarks == named
    assert problem.unknowns == 3 * (60 - 20)


def test_symmetry_holds_one_direction(tmp_path: Path) -> None:
    problem = read(written(tmp_path / "body.vtu", CUT), clamps=[], symmetries=["y-max", "z-min"])
    assert np.array_equal(problem.held[:, 1], on_side(CUT.coordinates, "y-max"))
    assert np.array_equal(problem.held[:, 2], on_side(CUT.coordinates, "z-min"))
    assert not problem.held[:, 0].any()


def test_material_of_cells_comes_kind_by_kind(tmp_path: Path) -> None:
    values = [np.arange(len(cells)) + 1000.0 * number for number, (_, cells) in enumerate(blocks_of(MIXED), 1)]
    path = written(tmp_path / "body.vtu", MIXED, cell_data={"E": values})
    assert np.array_equal(read(path, young="E").young, np.concatenate(values[::-1]))


def test_boxes_are_solved_as_meshes_where_that_is_asked(tmp_path: Path) -> None:
    hexahedra = cut_box((3, 4, 5), 4)
    path = written(tmp_path / "body.vtu", hexahedra)
    assert not isinstance(read_mesh_file(path, ["x-min"], [], [], 1.0, 0.3, ROOM), MeshProblem)
    same_elements(read(path, unstructured=True).mesh, hexahedra)
    dented = Mesh(hexahedra.coordinates, {"hexahedron": np.delete(hexahedra.elements["hexahedron"], 5, axis=0)})
    assert read(written(path, dented)).elements_count == 23


@pytest.mark.parametrize("mesh", [CUT, MIXED, cut_box((3, 4, 5), 4)], ids=["tetrahedra", "both", "hexahedra"])
def test_elements_that_are_all_inverted_are_turned(tmp_path: Path, mesh: Mesh) -> None:
    turned = {kind: cells[:, KINDS[kind].turned] for kind, cells in mesh.elements.items()}
    path = written(tmp_path / "body.vtu", Mesh(mesh.coordinates, turned))
    problem = read(path, unstructured=True)
    same_elements(problem.mesh, mesh)
    kinds = [KINDS[kind].many for kind in mesh.elements]
    said = "are all inverted, as some programs write them: their nodes are reordered"
    assert problem.remarks == [f"{path}: its {kind} {said}" for kind in kinds]


def grouped(path: Path, kind: str, **more: Any) -> Path:
    """Write a file with physical surfaces: "wall" of x-min, "end plate" of z-max, and 9, which has no name."""
    faces = boundary(CUT.elements)
    parts = [faces.within(on_side(CUT.coordinates, side)).corners(3) for side in ("x-min", "z-max", "y-max")]
    blocks = [("triangle", part) for part in parts] + [("tetra", CUT.elements["tetrahedron"])]
    tags = [np.full(len(cells), tag) for (_, cells), tag in zip(blocks, (3, 4, 9, 1), strict=True)]
    names = {"wall": np.array([3, 2]), "end plate": np.array([4, 2]), "steel": np.array([1, 3])}
    data = {"gmsh:physical": tags, "gmsh:geometrical": tags}
    meshio.write(path, meshio.Mesh(CUT.coordinates, blocks, cell_data=data, field_data=names, **more), kind)
    return path


def test_groups_of_gmsh(tmp_path: Path) -> None:
    plain = read(written(tmp_path / "plain.vtu", CUT))
    path = grouped(tmp_path / "body.msh", "gmsh22")
    problem = read(path, clamps=["wall"], pulls=[("end plate", (0.0, 0.0, 2.0))])
    assert np.array_equal(problem.held, plain.held)
    assert problem.load == pytest.approx(plain.load)
    assert problem.remarks == [f"{path}: cells that are not solids are left out: 52 of type triangle"]
    flat = read(path, clamps=[], symmetries=["wall", "9"]).held
    assert np.array_equal(flat, np.stack([on_side(CUT.coordinates, s) for s in ("x-min", "y-max")] + [flat[:, 2]], 1))
    assert not flat[:, 2].any()


def test_groups_of_gmsh_4(tmp_path: Path) -> None:
    """In format 4.1, which has them by surface: one in two groups."""
    path = tmp_path / "body.msh"
    path.write_text(
        """$MeshFormat
4.1 0 8
$EndMeshFormat
$PhysicalNames
3
2 7 "foot"
2 8 "skin"
3 1 "steel"
$EndPhysicalNames
$Entities
0 0 1 1
1 0 0 0 1 1 0 2 7 8 0
1 0 0 0 1 1 1 1 1 0
$EndEntities
$Nodes
1 4 1 4
3 1 0 4
1
2
3
4
0 0 0
1 0 0
0 1 0
0 0 1
$EndNodes
$Elements
2 2 1 2
2 1 2 1
1 1 3 2
3 1 4 1
2 1 2 3 4
$EndElements
""",
        encoding="utf-8",
    )
    problem = read(path, clamps=["skin"], pulls=[("foot", (0.0, 0.0, 6.0))])
    assert problem.held.tolist() == [[True] * 3] * 3 + [[False] * 3]
    assert problem.load == pytest.approx(np.array([[0, 0, 1.0]] * 3 + [[0, 0, 0]]))
    with pytest.raises(Misuse, match=r"of .*: foot, skin$"):
        read(path, clamps=["steel"])


def test_sets_of_nodes_of_abaqus(tmp_path: Path) -> None:
    sets = {
        "FIX": np.flatnonzero(on_side(CUT.coordinates, "x-min")),
        "TOP": np.flatnonzero(on_side(CUT.coordinates, "z-max")),
    }
    path = written(tmp_path / "body.inp", CUT, point_sets=sets | {"CORNER": np.array([7])})
    problem, plain = read(path, clamps=["FIX"], pulls=[("TOP", (0, 0, 2.0))]), read(path)
    assert np.array_equal(problem.held, plain.held)
    assert problem.load == pytest.approx(plain.load)
    assert read(path, clamps=["CORNER"]).held[7].all()
    with pytest.raises(Misuse, match="--traction is 'CORNER', a group of 1 node that includes no whole outer face"):
        read(path, pulls=[("CORNER", (0, 0, 1))])


def test_groups_of_a_box(tmp_path: Path) -> None:
    """Of a box that is solved as such: they hold the same nodes."""
    mesh = cut_box((3, 4, 5), 4)
    sets = {
        "FIX": np.flatnonzero(on_side(mesh.coordinates, "x-min")),
        "TOP": np.flatnonzero(on_side(mesh.coordinates, "z-max")),
    }
    path = written(tmp_path / "body.inp", mesh, point_sets=sets)
    words: tuple[Any, ...] = (1.0, 0.3, ROOM)
    one = read_mesh_file(path, ["FIX"], [], [("TOP", (0, 0, 2.0))], *words)
    other = read_mesh_file(path, ["x-min"], [], [("z-max", (0, 0, 2.0))], *words)
    assert one.grid == other.grid == (3, 4, 5)
    assert np.array_equal(one.held, other.held)
    assert one.load == pytest.approx(other.load)


def test_a_solution_is_written_as_the_file_has_it(tmp_path: Path) -> None:
    problem, out = read(written(tmp_path / "body.vtu", MIXED)), tmp_path / "u.vtu"
    count = len(MIXED.elements["hexahedron"])
    write_vtu(problem, 7 * problem.places, np.arange(float(problem.elements_count)), out)
    found = meshio.read(out)
    assert found.point_data["displacement"] == pytest.approx(7 * MIXED.coordinates)
    assert [block.type for block in found.cells] == ["hexahedron", "tetra"]
    assert np.array_equal(found.cells_dict["tetra"], MIXED.elements["tetrahedron"])
    assert np.array_equal(found.cell_data["von_mises"][0], np.arange(count))
    assert np.array_equal(found.cell_data["von_mises"][1], np.arange(count, problem.elements_count))


@pytest.mark.parametrize("faces_max", [100, 20_000])
def test_what_is_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, faces_max: int) -> None:
    from rooftop.solvers.elasticity.mesh import outer_faces

    monkeypatch.setattr(outer_faces, "_FACES_MAX", faces_max)
    mesh = cut_box((9, 9, 9), 0, 0.0)
    faces = read(written(tmp_path / "body.vtu", mesh)).outer_faces(mesh.coordinates)
    assert len(faces.places) <= faces_max
    assert faces.places == pytest.approx(faces.values)
    assert len(faces.edges) == 12 * 8
    assert np.unique(np.concatenate(faces.edges)[:, 0]) == pytest.approx(np.arange(9))
    if faces_max > 6 * 64 * 2:
        assert len(faces.places) == 6 * 64 * 2


def dangling(mesh: Mesh) -> tuple[Any, Any]:
    return np.concatenate([mesh.coordinates, [(5, 6, 7)]]), blocks_of(mesh)


def inverted(mesh: Mesh) -> tuple[Any, Any]:
    cells = mesh.elements["tetrahedron"].copy()
    cells[[5, 8]] = cells[[5, 8]][:, [0, 2, 1, 3]]
    return mesh.coordinates, [("tetra", cells)]


def flat(mesh: Mesh) -> tuple[Any, Any]:
    return mesh.coordinates * (1, 1, 0), blocks_of(mesh)


def collapsed(mesh: Mesh) -> tuple[Any, Any]:
    cells = mesh.elements["tetrahedron"].copy()
    cells[4, 2] = cells[4, 3]
    return mesh.coordinates, [("tetra", cells)]


def curved(mesh: Mesh) -> tuple[Any, Any]:
    return mesh.coordinates, [("wedge18", np.arange(18).reshape(1, 18))]


def pointed(mesh: Mesh) -> tuple[Any, Any]:
    """One node sticks out on every side."""
    places = mesh.coordinates.copy()
    for axis in range(3):
        for end in (places[:, axis].argmin(), places[:, axis].argmax()):
            places[end, axis] += 0.1 * np.sign(places[end, axis] - 0.5)
    return places, blocks_of(mesh)


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (dangling, "node 60 (counted from 0), at (5, 6, 7), belongs to no solid element, like 1 of 61 nodes"),
        (inverted, "tetrahedron 5 (counted from 0) is inverted: its volume is negative, as 2 of 144 are"),
        (flat, "tetrahedron 0 (counted from 0) is degenerate: it is flat, as 144 of 144 are"),
        (collapsed, "tetrahedron 4 is degenerate: two of its nodes are the same"),
        (curved, "element 0 is a wedge18 (1 in all), which is not supported; expected tetrahedra with 4 or 10 nodes,"),
        (pointed, "--traction is 'z-max', but no face of "),
        (pointed, "which the body touches only in 1 node; expected a plane side (there is none), or a group"),
    ],
)  # fmt: skip
def test_misuse_is_one_line(tmp_path: Path, spoil: Any, says: str) -> None:
    path = tmp_path / "body.vtu"
    meshio.write(path, meshio.Mesh(*spoil(CUT)))
    told = given_or_refused(lambda: read(path))
    assert told is not None
    assert str(path) in told
    assert says in told


def test_names_that_are_not_there(tmp_path: Path) -> None:
    path = grouped(tmp_path / "body.msh", "gmsh22")
    for more in (
        {"clamps": ["foot"]},
        {"symmetries": ["foot"]},
        {"pulls": [("foot", (1, 0, 0))]},
        {"clamps": ["steel"]},
    ):
        with pytest.raises(Misuse, match=r"is '(foot|steel)', expected a face: .* of .*: 9, end plate, wall$"):
            read(path, **more)
    faces, cells = boundary(CUT.elements).corners(3), CUT.elements["tetrahedron"]
    tags = [np.full(len(faces), 1), np.full(len(cells), 2)]
    data, names = {"gmsh:physical": tags, "gmsh:geometrical": tags}, {"skin": np.array([1, 2])}
    blocks = [("triangle", faces), ("tetra", cells)]
    meshio.write(path, meshio.Mesh(CUT.coordinates, blocks, cell_data=data, field_data=names), "gmsh22")
    with pytest.raises(Misuse, match="--symmetry is 'skin', which is not a plane normal to x, y or z"):
        read(path, symmetries=["skin"])


def test_parts_that_are_not_joined_are_told(tmp_path: Path) -> None:
    two = cut_box((3, 3, 3), 2, 0.0)
    places = np.concatenate([two.coordinates, two.coordinates + np.array([0, 0, 2])])
    cells = np.concatenate([two.elements["hexahedron"], two.elements["hexahedron"] + 27])
    problem = read(written(tmp_path / "body.vtu", Mesh(places, {"hexahedron": cells})))
    again = "9 duplicate nodes: merge nodes with the same coordinates"
    assert problem.remarks == [f"{tmp_path / 'body.vtu'}: {again}, unless they form a gap"]
    assert problem.hint == f". {again}"


def test_a_mesh_of_another_program() -> None:
    """Such as PyVista's examples: name a folder of them in ROOFTOP_MESHES."""
    folder = os.environ.get("ROOFTOP_MESHES")
    paths = [path for path in sorted(Path(folder).iterdir()) if path.suffix in FORMATS] if folder else []
    if not paths:
        pytest.skip("ROOFTOP_MESHES names no folder with meshes")
    for path in paths:
        given_or_refused(lambda path=path: read_mesh_file(path, ["z-min"], [], [], 1.0, 0.3, ROOM))  # type: ignore[misc]


def test_one_element(tmp_path: Path) -> None:
    corners = box((2, 2, 2)).reshape(-1, 3)[[0, 1, 2, 4]]
    path = tmp_path / "body.vtu"
    meshio.write(path, meshio.Mesh(corners, [("tetra", [[0, 1, 2, 3]])]))
    assert read(path, pulls=[("x-min", (1, 0, 0))]).elements_count == 1
