"""Displacements and stresses of a box in parts: a VTK file for each, and the one that names them, for ParaView."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box_problem import BoxProblem
from rooftop.solvers.elasticity.solution import Parts
from rooftop.solvers.elasticity.vtu_file import write_vtu
from rooftop.whole_file import write_whole


def _slices(nodes: int, parts: int) -> list[slice]:
    """Return the nodes of each part along a direction, and the next part's first, so that no element is missing."""
    cuts = [nodes * part // parts for part in range(parts + 1)]
    return [slice(first, min(end + 1, nodes)) for first, end in pairwise(cuts)]


def _pieces(problem: BoxProblem, parts: Parts) -> Iterator[tuple[int, tuple[slice, slice, slice]]]:
    """Yield the ranks that have elements, and their nodes in arrays (nz, ny, nx)."""
    along = [_slices(count, number) for count, number in zip(problem.nodes, parts, strict=True)]
    for rank in range(parts[0] * parts[1] * parts[2]):
        x, y, z = rank % parts[0], rank // parts[0] % parts[1], rank // parts[0] // parts[1]
        part = along[2][z], along[1][y], along[0][x]
        if all(one.stop - one.start > 1 for one in part):
            yield rank, part


def _write_piece(
    problem: BoxProblem,
    part: tuple[slice, slice, slice],
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
    path: Path,
) -> None:
    nz, ny, nx = (one.stop - one.start for one in part)
    places = np.ascontiguousarray(problem.places[part])
    piece = replace(problem, nodes=(nx, ny, nz), coordinates=places, numbers=None, elements=None)
    elements = tuple(slice(one.start, one.stop - 1) for one in part)
    write_vtu(piece, np.ascontiguousarray(displacement[part]), np.ascontiguousarray(von_mises[elements]), path)


def _index(pieces: list[str]) -> str:
    """Return the file that names the pieces. Source: VTK File Formats, "Parallel Unstructured Grid"."""
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
    problem: BoxProblem,
    parts: Parts,
    displacement: NDArray[np.float64],
    von_mises: NDArray[np.float64],
    path: Path,
) -> None:
    """Write one piece for each rank that has elements, `NAME_RANK.vtu` next to `NAME.pvtu`. Raises Misuse.

    A piece has its rank's elements, and all of their nodes: those between two pieces are in both. Nodes and elements of
    a piece are numbered with x fastest, then y, then z.
    """
    names = []
    for rank, part in _pieces(problem, parts):
        names.append(f"{path.stem}_{rank}.vtu")
        _write_piece(problem, part, displacement, von_mises, path.with_name(names[-1]))
    try:
        write_whole(path, _index(names))
    except OSError as error:
        raise Misuse(f"--out {path} cannot be written: {error.strerror or error}") from error
