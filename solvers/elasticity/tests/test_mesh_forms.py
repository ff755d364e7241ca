"""Forms of meshes that meshio does not read, or reads in part: Gmsh's other formats, VTK's voxels, pieces."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from any_input import given_or_refused

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files import gmsh_conversion
from rooftop.solvers.elasticity.files.contents import Contents, read_contents

PLACES = "0 0 0 1 0 0 2 0 0 0 1 0 1 1 0 2 1 0 0 0 1 1 0 1 2 0 1 0 1 1 1 1 1 2 1 1"
VOXELS = f"""# vtk DataFile Version 3.0
two voxels, a hexahedron among them, and a pixel
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 12 double
{PLACES}
CELLS 3 23
8 0 1 3 4 6 7 9 10
8 1 2 5 4 7 8 11 10
4 0 1 3 4
CELL_TYPES 3
11
12
8
"""
PIECE = f"""<Piece NumberOfPoints="12" NumberOfCells="1">
<Points><DataArray type="Float64" NumberOfComponents="3" format="ascii">{PLACES}</DataArray></Points>
<Cells><DataArray type="Int64" Name="connectivity" format="ascii">0 1 3 4 6 7 9 10 1 2 4 5 7 8 10 11</DataArray>
<DataArray type="Int64" Name="offsets" format="ascii">8 16</DataArray>
<DataArray type="UInt8" Name="types" format="ascii">11 11</DataArray></Cells></Piece>"""


def vtu(pieces: str) -> str:
    return (
        '<?xml version="1.0"?><VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian">'
        f"<UnstructuredGrid>{pieces}</UnstructuredGrid></VTKFile>"
    )


def contents(path: Path, text: str) -> Contents:
    path.write_text(text, encoding="utf-8")
    return read_contents(path)


BOTH = [[0, 1, 4, 3, 6, 7, 10, 9], [1, 2, 5, 4, 7, 8, 11, 10]]


@pytest.mark.case("solvers.K7")
def test_voxels_are_hexahedra(tmp_path: Path) -> None:
    found = contents(tmp_path / "a.vtk", VOXELS)
    assert {kind: cells.tolist() for kind, cells in found.elements.items()} == {"hexahedron": BOTH}
    assert found.remarks == [f"{tmp_path / 'a.vtk'}: cells that are not solids are left out: 1 of type quad"]
    found = contents(tmp_path / "a.vtu", vtu(PIECE.replace('Cells="1"', 'Cells="2"')))
    assert found.elements["hexahedron"].tolist() == BOTH


@pytest.mark.case("solvers.K7")
def test_pieces_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match="the grid has 2 pieces; expected one: join them, with Clean to Grid"):
        contents(tmp_path / "a.vtu", vtu(PIECE * 2))


@pytest.mark.case("solvers.K7")
def test_cells_that_meshio_leaves_out_are_no_holes(tmp_path: Path) -> None:
    with pytest.raises(Misuse, match=r"meshio cannot handle \(type 250\)"):
        contents(tmp_path / "a.vtu", vtu(PIECE.replace("11 11", "11 250").replace('Cells="1"', 'Cells="2"')))


NEEDS_GMSH = pytest.mark.skipif(not gmsh_conversion.is_installed(), reason="Gmsh is not installed: pip install gmsh")
FORMATS: dict[str, dict[str, float]] = {
    "4.0": {"MshFileVersion": 4.0},
    "4.1 parametric": {"SaveParametric": 1},
    "4.1 partitioned": {"partitions": 2},
    "4.1 partitioned, binary": {"partitions": 2, "Binary": 1},
    "4.1 with all that groups lack": {"SaveAll": 1},
    "4.1 with ghosts": {"partitions": 3, "PartitionCreateGhostCells": 1},
    "2.2": {"MshFileVersion": 2.2},
    "2.2 parametric": {"MshFileVersion": 2.2, "SaveParametric": 1},
    "1": {"MshFileVersion": 1},
}
_WRITE = """\
import json, sys, gmsh
options = json.loads(sys.argv[2])
gmsh.initialize(["gmsh"], False, False)
gmsh.option.setNumber("General.Terminal", 0)
gmsh.model.occ.addBox(0, 0, 0, 1, 1, 1)
gmsh.model.occ.synchronize()
gmsh.model.addPhysicalGroup(2, [1], 7, "left")
gmsh.model.addPhysicalGroup(3, [1], 8, "body")
gmsh.option.setNumber("Mesh.MeshSizeMax", 0.5)
gmsh.model.mesh.generate(3)
partitions = options.pop("partitions", 0)
for name, value in options.items():
    gmsh.option.setNumber("Mesh." + name, value)
if partitions:
    gmsh.model.mesh.partition(partitions)
gmsh.write(sys.argv[1])
"""


def written(path: Path, **options: float) -> Path:
    import json
    import subprocess
    import sys

    subprocess.run([sys.executable, "-c", _WRITE, str(path), json.dumps(options)], check=True)
    return path


def volume(found: Contents) -> float:
    corners = found.places[found.elements["tetrahedron"]]
    edges = corners[:, 1:] - corners[:, :1]
    return float(np.abs(np.linalg.det(edges)).sum() / 6)


@NEEDS_GMSH
@pytest.mark.case("solvers.K7")
@pytest.mark.parametrize("form", FORMATS)
def test_formats_of_gmsh(tmp_path: Path, form: str) -> None:
    plain = read_contents(written(tmp_path / "plain.msh"))
    found = read_contents(written(tmp_path / "body.msh", **FORMATS[form]))
    assert len(found.places) == len(plain.places)
    assert len(found.elements["tetrahedron"]) == len(plain.elements["tetrahedron"])
    assert volume(found) == pytest.approx(1)
    name = "7" if form == "1" else "left"  # format 1 has no names
    faces = found.groups[name].faces
    assert faces is not None
    assert len(faces) == len(plain.groups["left"].faces or ())
    assert np.abs(found.places[faces.nodes(len(found.places))][:, 0]).max() < 1e-12


@NEEDS_GMSH
@pytest.mark.case("solvers.K7")
def test_without_gmsh_the_message_has_the_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gmsh_conversion, "is_installed", lambda: False)
    path = written(tmp_path / "body.msh", SaveParametric=1)
    told = given_or_refused(lambda: read_contents(path))
    assert told is not None
    assert "parametric nodes not implemented" in told
    assert told.endswith(
        "without Mesh.SaveParametric, Mesh.SaveAll and partitions, or let Gmsh convert it here: pip install gmsh"
    )


@NEEDS_GMSH
def test_what_gmsh_cannot_read_either(tmp_path: Path) -> None:
    told = given_or_refused(lambda: contents(tmp_path / "a.msh", "$MeshFormat\n9.9 0 8\n$EndMeshFormat\n$Nodes\n1\n"))
    assert told is not None
    assert "neither meshio nor Gmsh can read it" in told
    assert "Traceback" not in told
