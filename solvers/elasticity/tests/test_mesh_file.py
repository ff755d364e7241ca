"""Meshes of other programs: read in every format, and refused with the reason where they are no box of hexahedra."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import meshio
import numpy as np
import pytest
from any_input import given_or_refused

from rooftop.errors import Misuse
from rooftop.solvers.elasticity import box, clamped, traction
from rooftop.solvers.elasticity.box.problem import BoxProblem
from rooftop.solvers.elasticity.files.contents import FORMATS
from rooftop.solvers.elasticity.files.mesh_file import read_mesh_file
from rooftop.solvers.elasticity.files.vtu import write_vtu

NODES = (4, 3, 5)
ROOM = 1 << 34  # bytes
AROUND = [0, 1, 3, 2, 4, 5, 7, 6]  # VTK's corners as x + 2 y + 4 z


def read(path: Path, **more: Any) -> BoxProblem:
    asked: dict[str, Any] = {
        "clamps": ["x-min"],
        "symmetries": [],
        "pulls": [("z-max", (0.0, 0.0, 2.0))],
        "young": 1.0,
        "poisson": 0.3,
    }
    problem = read_mesh_file(path, **(asked | more), available=ROOM)
    assert isinstance(problem, BoxProblem)
    return problem


def hexahedra() -> tuple[Any, Any]:
    """Return places (60, 3) and cells (24, 8) of a distorted box, numbered with x fastest."""
    numbers = np.arange(60).reshape(NODES[::-1])
    parts = [numbers[z : z + 4, y : y + 2, x : x + 3] for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    cells = np.stack(parts, axis=-1).reshape(-1, 8)[:, AROUND]
    return box(NODES, (1, 2, 3), (2, 1, 1), 0.1).reshape(-1, 3), cells


def written(path: Path, places: Any, cells: Any, **more: Any) -> Path:
    kind = FORMATS[path.suffix]
    if kind == "gmsh":
        kind = "gmsh22"
    blocks = cells if isinstance(cells, list) else [("hexahedron", cells)]
    meshio.write(path, meshio.Mesh(places, blocks, **more), file_format=kind)
    return path


@pytest.mark.parametrize("suffix", FORMATS)
def test_every_format(tmp_path: Path, suffix: str) -> None:
    places, cells = hexahedra()
    problem = read(written(tmp_path / f"body{suffix}", places, cells))
    assert problem.nodes == NODES
    assert problem.coordinates is not None
    assert problem.coordinates.reshape(-1, 3) == pytest.approx(places, abs=1e-12)
    assert np.array_equal(problem.held, clamped(NODES, "x-min"))
    assert problem.load == pytest.approx(traction(problem.coordinates, "z-max", (0, 0, 2)), abs=1e-12)
    assert problem.load.sum(axis=(0, 1, 2)) == pytest.approx([0, 0, 4])
    assert len(problem.remarks) == (suffix == ".inp")  # meshio calls hexahedra of a deck C3D8RH
    assert problem.exact is None


@pytest.mark.parametrize(("known", "other"), [("long", "vtktypeint64"), ("int", "vtktypeint32"), ("int", "vtkIdType")])
@pytest.mark.parametrize("binary", [False, True])
def test_types_of_vtk_that_meshio_does_not_know(tmp_path: Path, known: str, other: str, binary: bool) -> None:
    """As in hexbeam.vtk, which PyVista has as an example."""
    places, cells = hexahedra()
    numbers = np.arange(1, 25, dtype=np.int64 if known == "long" else np.int32)
    path = tmp_path / "body.vtk"
    mesh = meshio.Mesh(places, [("hexahedron", cells)], cell_data={"E": [numbers]})
    meshio.write(path, mesh, file_format="vtk42", binary=binary)
    assert f" {known}\n".encode() in path.read_bytes()
    path.write_bytes(path.read_bytes().replace(f" {known}\n".encode(), f" {other}\n".encode()))
    assert read(path, young="E").young.tolist() == [*range(1, 25)]


def test_material_of_cells_comes_in_the_box_order(tmp_path: Path) -> None:
    places, cells = hexahedra()
    order = np.random.default_rng(1).permutation(len(cells))
    data = {"E": [100.0 + order], "colour": [np.zeros((len(cells), 3))]}
    path = written(tmp_path / "body.vtu", places, cells[order], cell_data=data)
    assert np.array_equal(read(path, young="E").young, 100 + np.arange(len(cells)))
    with pytest.raises(Misuse, match=r"--poisson is 'nu'; expected a number, or the name of cell data .*: E, colour"):
        read(path, poisson="nu")
    with pytest.raises(Misuse, match=r"--young is 'colour'; expected cell data of .* with one number for each element"):
        read(path, young="colour")


def test_what_is_no_solid_is_left_out(tmp_path: Path) -> None:
    places, cells = hexahedra()
    blocks = [
        ("quad", cells[:2, :4]),
        ("hexahedron", cells[:10]),
        ("vertex", np.array([[3]])),
        ("hexahedron", cells[10:]),
    ]
    problem = read(
        written(tmp_path / "body.vtu", places, blocks, cell_data={"E": [np.arange(n) + 1.0 for n in (2, 10, 1, 14)]}),
        young="E",
    )
    assert problem.nodes == NODES
    assert problem.young.tolist() == [*range(1, 11), *range(1, 15)]
    assert problem.remarks == [
        f"{tmp_path / 'body.vtu'}: cells that are not solids are left out: 2 of type quad, 1 of type vertex"
    ]


def test_a_solution_is_written_in_the_order_of_the_file(tmp_path: Path) -> None:
    places, cells = hexahedra()
    order, new = np.random.default_rng(2).permutation(len(cells)), np.random.default_rng(3).permutation(len(places))
    scattered = np.empty_like(places)
    scattered[new] = places
    problem = read(written(tmp_path / "body.vtu", scattered, new[cells[order]]))
    assert problem.numbers is not None
    assert problem.elements is not None
    out = tmp_path / "u.vtu"
    write_vtu(problem, 7 * problem.places, np.arange(3.0, 27.0).reshape(problem.elements.shape), out)
    found = meshio.read(out)
    assert found.points == pytest.approx(scattered)
    assert found.point_data["displacement"] == pytest.approx(7 * scattered)
    assert [set(one) for one in found.cells_dict["hexahedron"]] == [set(one) for one in new[cells[order]]]
    assert np.array_equal(found.cell_data["von_mises"][0], 3 + order)
    assert read(out).nodes == NODES  # its elements are not inverted
    assert sorted(path.name for path in tmp_path.iterdir()) == ["body.vtu", "u.vtu"]


def late(places: Any, cells: Any) -> tuple[Any, Any]:
    return places, [("hexahedron", cells), ("pyramid", cells[:3, [0, 1, 2, 3, 4]])]


def pyramid(places: Any, cells: Any) -> tuple[Any, Any]:
    return places, [("pyramid", cells[:1, [0, 1, 2, 3, 4]]), ("hexahedron", cells)]


def curved(places: Any, _cells: Any) -> tuple[Any, Any]:
    return places, [("hexahedron27", np.arange(27).reshape(1, 27))]


def flat(places: Any, cells: Any) -> tuple[Any, Any]:
    return places, [("quad", cells[:, :4])]


def dangling(places: Any, cells: Any) -> tuple[Any, Any]:
    return np.insert(places, 7, (5, 6, 7), axis=0), np.where(cells >= 7, cells + 1, cells)


def inverted(places: Any, cells: Any) -> tuple[Any, Any]:
    return places, np.concatenate([cells[:5], cells[5:6, [4, 5, 6, 7, 0, 1, 2, 3]], cells[6:]])


def folded(places: Any, cells: Any) -> tuple[Any, Any]:
    places[cells[0, 6]] = places[cells[0, 0]] - 0.5
    return places, cells


def thin(places: Any, cells: Any) -> tuple[Any, Any]:
    places[:, 2] = 0
    return places, cells


def collapsed(places: Any, cells: Any) -> tuple[Any, Any]:
    cells[4, 2] = cells[4, 3]
    return places, cells


def without_place(places: Any, cells: Any) -> tuple[Any, Any]:
    places[11, 1] = np.nan
    return places, cells


@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (late, "element 24 is a pyramid (3 in all), which is not supported; expected tetrahedra with 4 or 10 nodes,"),
        (pyramid, "element 0 is a pyramid (1 in all), which is not supported; expected"),
        (curved, "element 0 is a hexahedron27 (1 in all), which is not supported; expected tetrahedra with 4 or 10"),
        (curved, " or hexahedra with 8 or 20: save the mesh with 20 nodes for each"),
        (flat, "it has no solid elements; expected"),
        (dangling, r"node 7 (counted from 0), at (5, 6, 7), belongs to no solid element, like 1 of 61 nodes"),
        (inverted, "hexahedron 5 (counted from 0) is inverted"),
        (folded, "hexahedron 0 (counted from 0) is inverted"),
        (thin, "hexahedron 0 (counted from 0) is degenerate: it is flat"),
        (collapsed, "hexahedron 4 is degenerate: two of its nodes are the same"),
        (without_place, "node 11 (counted from 0) lies at ("),
    ],
)  # fmt: skip
def test_misuse_is_one_line(tmp_path: Path, spoil: Any, says: str) -> None:
    path = written(tmp_path / "body.vtu", *spoil(*hexahedra()))
    told = given_or_refused(lambda: read(path))
    assert told is not None
    assert told.startswith(f"{path}: ")
    assert says in told


@pytest.mark.parametrize("suffix", FORMATS)
@pytest.mark.parametrize(
    "content",
    [
        b"", b"\x00\xff" * 50, b"*NODE\n1, 2\n*ELEMENT, TYPE=C3D8\n1, 2\n", b"$MeshFormat\n4.1 0 8\n$EndMeshFormat\n",
        b"# vtk DataFile Version 3.0\nx\nASCII\nDATASET UNSTRUCTURED_GRID\nPOINTS 9 float\n1 2\n",
        b'<?xml version="1.0"?><VTKFile type="UnstructuredGrid"><UnstructuredGrid/></VTKFile>',
    ],
)  # fmt: skip
def test_what_is_no_mesh(tmp_path: Path, suffix: str, content: bytes, capfd: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / f"body{suffix}"
    path.write_bytes(content)
    told = given_or_refused(lambda: read(path))
    assert told is not None
    assert told.startswith(f"{path}:")
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("suffix", FORMATS)
def test_files_that_are_cut_short(tmp_path: Path, suffix: str) -> None:
    whole = written(tmp_path / f"whole{suffix}", *hexahedra()).read_bytes()
    path = tmp_path / f"body{suffix}"
    for share in range(1, 12):
        path.write_bytes(whole[: len(whole) * share // 12])
        given_or_refused(lambda: read(path))


def test_files_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"none\.vtu: "):
        read(tmp_path / "none.vtu")


def test_more_nodes_than_there_is_memory_for(tmp_path: Path) -> None:
    path = written(tmp_path / "body.vtu", *hexahedra())
    with pytest.raises(Misuse, match=r"60 nodes need at least .* of memory"):
        read_mesh_file(path, ["x-min"], [], [], 1.0, 0.3, available=1000)
