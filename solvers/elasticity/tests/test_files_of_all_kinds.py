"""Mesh files of every kind of element that files have: read as they were written, and solved."""

from __future__ import annotations

from pathlib import Path

import meshio
import numpy as np
import pytest
from cut_box import direct_of
from elasticity_command import solve, solved

from benchmarks.elements.element_meshes import box_of, warped
from rooftop.errors import NotBuilt
from rooftop.solvers.elasticity import KINDS, Kind, boundary, library, mesh_traction, on_side
from rooftop.solvers.elasticity.files.meshio_additions import meshio_with_all_kinds
from rooftop.solvers.elasticity.mesh.arguments import Mesh

SIZE = (2.0, 1.0, 1.5)
FILES: tuple[Kind, ...] = ("tetrahedron", "wedge", "hexahedron", "tetrahedron10", "wedge15", "hexahedron20")


@pytest.fixture(scope="module", autouse=True)
def built() -> None:
    """Skip all where the solver is not built."""
    try:
        library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.mark.case("solvers.L2", "solvers.P1.second-order")
@pytest.mark.parametrize("suffix", ["vtu", "vtk", "msh"])
@pytest.mark.parametrize("kind", FILES)
def test_a_file_is_solved_as_its_arrays_are(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, kind: Kind, suffix: str
) -> None:
    flat, cells = box_of(kind, (3, 2, 2), SIZE)
    # Faces stay flat where they are named.
    places = flat + 0.3 * (warped(flat, SIZE) - flat) * ((flat > 0) & (flat < np.array(SIZE)))
    path, out = tmp_path / f"body.{suffix}", tmp_path / "u.vtu"
    body = meshio_with_all_kinds().Mesh(places, [(KINDS[kind].vtk, cells)])
    meshio.write(path, body, "gmsh22" if suffix == "msh" else suffix)
    capsys.readouterr()  # what meshio says of writing
    words = ("--clamp", "x-min", "--traction", "x-max=0.1,0,-0.2", "--unstructured", "--tolerance", "1e-10")
    document = solved(capsys, path, *words, "--out", out)
    assert (document.valid, document.elements) == (True, len(cells))
    assert document.size == f"{len(places)} nodes of {len(cells)} {KINDS[kind].many}"
    faces = boundary({kind: cells}).within(on_side(flat, "x-max"))
    load = mesh_traction(places, faces, (0.1, 0, -0.2))
    expected = direct_of(Mesh(places, {kind: cells}), load, np.repeat(on_side(flat, "x-min")[:, None], 3, axis=1))
    found = meshio_with_all_kinds().read(out)
    assert [block.type for block in found.cells] == [KINDS[kind].vtk]
    assert found.points == pytest.approx(places)
    assert found.point_data["displacement"] == pytest.approx(expected, abs=1e-6 * np.abs(expected).max())


def test_a_traction_on_a_group_of_curved_faces(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Faces of second order of a file are integrated as those."""
    places, cells = box_of("tetrahedron10", (2, 1, 1), SIZE)
    faces = boundary({"tetrahedron10": cells}).within(on_side(places, "x-max")).faces["triangle6"]
    tags = [np.full(len(faces), 1), np.full(len(cells), 2)]
    path, out = tmp_path / "body.msh", tmp_path / "u.vtu"
    body = meshio.Mesh(
        places,
        [("triangle6", faces), ("tetra10", cells)],
        cell_data={"gmsh:physical": tags, "gmsh:geometrical": tags},
        field_data={"end": np.array([1, 2])},
    )
    meshio.write(path, body, "gmsh22")
    found = []
    for name in ("end", "x-max"):
        words = ("--clamp", "x-min", "--traction", f"{name}=0,0,1", "--out", out)
        assert solve(capsys, path, *words)[0] == 0
        found.append(meshio.read(out).point_data["displacement"])
    assert found[0] == pytest.approx(found[1], abs=1e-7 * np.abs(found[1]).max())
