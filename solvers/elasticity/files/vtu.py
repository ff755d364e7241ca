"""Write displacements and stresses for ParaView: one .vtu, or one per rank with a .pvtu."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.files.atomic import write_whole
from rooftop.solvers.elasticity.box.problem import BoxProblem, box_pieces
from rooftop.solvers.elasticity.files.meshio_additions import meshio_with_all_kinds
from rooftop.solvers.elasticity.mesh.problem import MeshProblem, mesh_pieces
from rooftop.solvers.elasticity.problem import Piece, Problem
from rooftop.solvers.elasticity.solution import Parts


def write_vtu(problem: Problem, displacement: NDArray[np.float64], von_mises: NDArray[np.float64], path: Path) -> None:
    """Write the body with `displacement` at nodes and `von_mises` in elements. Raises Misuse if that fails.

    Nodes and elements are in the order of the mesh file, elements grouped by kind; those of a mesh.inp are numbered
    along x first, then y, then z.
    """
    meshio = meshio_with_all_kinds()
    mesh = meshio.Mesh(
        problem.by_node(problem.places),
        problem.cells(),
        point_data={"displacement": problem.by_node(displacement)},
        cell_data={"von_mises": problem.by_element(von_mises)},
    )
    partial = path.with_name(f".{path.name}.partial")
    try:
        meshio.write(partial, mesh, file_format="vtu")
        partial.replace(path)
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error
    finally:
        partial.unlink(missing_ok=True)


def _pieces(
    problem: Problem,
    division: Parts | NDArray[np.int32],
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
) -> Iterator[Piece]:
    if isinstance(problem, BoxProblem) and isinstance(division, tuple):
        return box_pieces(problem, division, displacement, von_mises)
    assert isinstance(problem, MeshProblem)
    assert isinstance(division, np.ndarray)
    return mesh_pieces(problem, division, displacement, von_mises)


def _index(pieces: list[str]) -> str:
    """Return the text of the file that lists the pieces. Source: VTK File Formats, "Parallel Unstructured Grid"."""
    root = ET.Element("VTKFile", type="PUnstructuredGrid", version="0.1", byte_order="LittleEndian")
    grid = ET.SubElement(root, "PUnstructuredGrid", GhostLevel="0")
    values = {"type": "Float64", "NumberOfComponents": "3"}
    ET.SubElement(ET.SubElement(grid, "PPoints"), "PDataArray", values | {"Name": "Points"})
    ET.SubElement(ET.SubElement(grid, "PPointData"), "PDataArray", values | {"Name": "displacement"})
    ET.SubElement(ET.SubElement(grid, "PCellData"), "PDataArray", {"type": "Float64", "Name": "von_mises"})
    for piece in pieces:
        ET.SubElement(grid, "Piece", Source=piece)
    ET.indent(root)
    return '<?xml version="1.0"?>\n' + ET.tostring(root, encoding="unicode") + "\n"


def write_pvtu(
    problem: Problem,
    division: Parts | NDArray[np.int32],
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
    path: Path,
) -> None:
    """Write `NAME.pvtu`, and next to it one piece, `NAME_RANK.vtu`, for each rank that has elements. Raises Misuse.

    A piece has the elements of its rank and all their nodes. Nodes between two pieces are in both; an element is in
    only one piece.
    """
    names = []
    for piece in _pieces(problem, division, displacement, von_mises):
        names.append(f"{path.stem}_{piece.rank}.vtu")
        write_vtu(piece.problem, piece.displacement, piece.von_mises, path.with_name(names[-1]))
    try:
        write_whole(path, _index(names))
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error
