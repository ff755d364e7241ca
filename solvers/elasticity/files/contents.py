"""Read mesh files through meshio: nodes, solid elements, named surfaces and cell data."""

from __future__ import annotations

import contextlib
import io
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files.bounded_memory import bounded_memory
from rooftop.solvers.elasticity.files.gmsh_conversion import converted
from rooftop.solvers.elasticity.files.meshio_additions import (
    meshio_with_all_kinds,
    teach_voxels,
    with_known_types,
    without_voxels,
)
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.boundary import Boundary
from rooftop.solvers.elasticity.mesh.kinds import KINDS, FaceKind, Kind

FORMATS = {".vtu": "vtu", ".vtk": "vtk", ".msh": "gmsh", ".inp": "abaqus"}
_KINDS: tuple[Kind, ...] = ("hexahedron", "tetrahedron", "wedge", "hexahedron20", "tetrahedron10", "wedge15")
_SOLIDS = {KINDS[kind].vtk: kind for kind in _KINDS}  # by meshio's names
_FACES: dict[str, FaceKind] = {
    "quad": "quadrilateral",
    "triangle": "triangle",
    "quad8": "quadrilateral8",
    "triangle6": "triangle6",
}
_OF_FACES = {"vertex", "line", "line3", "triangle", "triangle6", "quad", "quad8", "quad9"}  # cells that are no solids
_HINTS = {
    "hexahedron27": ": save the mesh with 20 nodes for each, which Gmsh does with Mesh.SecondOrderIncomplete",
    "wedge18": ": save the mesh with 15 nodes for each, which Gmsh does with Mesh.SecondOrderIncomplete",
}
_ONLY = "expected tetrahedra with 4 or 10 nodes, wedges with 6 or 15, or hexahedra with 8 or 20"


@dataclass(frozen=True)
class Group:
    """A named group of a file: faces or nodes.

    faces  faces of the group; None: a group of nodes
    nodes  mask (nodes,) of a group of nodes; None: a group of faces
    """

    faces: Boundary | None = None
    nodes: NDArray[np.bool_] | None = None


@dataclass(frozen=True)
class Contents:
    """Contents of a mesh file. Elements of each kind are counted from 0, in the order of the file.

    places    coordinates of the nodes, (nodes, 3)
    elements  node indices of each kind of solid, (elements, nodes per element)
    kinds     meshio's name of the cells in each block
    data      cell data by name: one array for each block
    held      mask of displacements that the file itself prescribes, (nodes, 3); None: none
    """

    path: Path
    places: Array
    elements: dict[Kind, Whole]
    groups: dict[str, Group]
    kinds: list[str]
    data: dict[str, list[Any]]
    remarks: list[str] = field(default_factory=list)
    held: NDArray[np.bool_] | None = None


_REMEDIES = {
    "vtu": "one piece of an unstructured grid, as ParaView, PyVista or meshio write it",
    "vtk": "an unstructured grid in a file of version 2 to 5.1, as ParaView, PyVista or meshio write it, or a .vtu",
    "gmsh": "a mesh that Gmsh has saved, which begins with $MeshFormat",
}


class _NotReadError(Exception):
    """The meshio package cannot read a file; the message says why."""


def _mesh(path: Path) -> Any:
    """Read a file with meshio, after a conversion by Gmsh if necessary. Raises Misuse."""
    kind = FORMATS[path.suffix.lower()]
    try:
        if kind == "vtu":
            _require_one_piece(path)
        return _by_meshio(path, kind)
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    except _NotReadError as error:
        if kind == "gmsh" and path.read_bytes().startswith((b"$MeshFormat", b"$NOD")):
            with converted(path, str(error)) as file:
                return _converted(path, file)
        raise Misuse(f"{path}: meshio cannot read it as a {kind} file: {error}; expected {_REMEDIES[kind]}") from error


def _require_one_piece(path: Path) -> None:
    """Raise Misuse for a grid of several pieces, of which meshio would read only one. Raises OSError."""
    pieces = re.findall(rb"<Piece\b", path.read_bytes().partition(b"<AppendedData")[0])
    if len(pieces) > 1:
        raise Misuse(
            f"{path}: the grid has {len(pieces)} pieces; expected one: join them, with Clean to Grid in ParaView or "
            "merge_points in PyVista, so that they share their nodes"
        )


def _converted(path: Path, file: Path) -> Any:
    try:
        return _by_meshio(file, "gmsh")
    except (OSError, _NotReadError) as error:
        raise Misuse(f"{path}: its conversion by Gmsh cannot be read: {error}; expected another format") from error


def _by_meshio(path: Path, kind: str) -> Any:
    """Read a file with meshio. Raises OSError, and _NotReadError for any other exception or printed warning."""
    meshio = meshio_with_all_kinds()
    teach_voxels()
    known = with_known_types(path) if kind == "vtk" else contextlib.nullcontext(path)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), known as file, bounded_memory(path):
            mesh = meshio.read(file, kind)
    except OSError:
        raise
    except (Exception, SystemExit) as error:  # meshio raises any exception for malformed files
        words = " ".join(f"{said.getvalue()} {'' if isinstance(error, SystemExit) else error}".split())
        words = words.removeprefix("Error: ")
        raise _NotReadError(words or type(error).__name__) from error
    if "cells that meshio cannot handle" in said.getvalue():
        raise _NotReadError(" ".join(said.getvalue().split()))
    return without_voxels(mesh)


def _solids(path: Path, mesh: Any) -> tuple[dict[Kind, Whole], list[str]]:
    """Return the solids of each kind, and a remark on other cells. Raises Misuse for unsupported solids."""
    found: dict[Kind, list[Whole]] = {kind: [] for kind in _SOLIDS.values()}
    others: dict[str, int] = {}
    first = 0
    for block in mesh.cells:
        if block.type in _SOLIDS:
            if len(block.data):
                found[_SOLIDS[block.type]].append(np.asarray(block.data, dtype=np.int64))
        elif block.type in _OF_FACES:
            others[block.type] = others.get(block.type, 0) + len(block.data)
        elif len(block.data):
            hint = _HINTS.get(block.type, "")
            raise Misuse(
                f"{path}: element {first} is a {block.type} ({len(block.data)} in all), which is not supported; "
                f"{_ONLY}{hint}"
            )
        first += len(block.data)
    if not any(found.values()):
        raise Misuse(f"{path}: it has no solid elements; {_ONLY}")
    named = ", ".join(f"{count} of type {kind}" for kind, count in others.items())
    remarks = [f"{path}: cells that are not solids are left out: {named}"] if others else []
    return {kind: np.concatenate(blocks) for kind, blocks in found.items() if blocks}, remarks


def _faces(mesh: Any, chosen: list[Any]) -> Boundary:
    """Return the faces chosen in each block by an index array or a mask; None: none of the block."""
    parts: dict[FaceKind, list[Whole]] = {}
    for block, index in zip(mesh.cells, chosen, strict=False):
        if block.type in _FACES and index is not None:
            data = np.asarray(block.data, dtype=np.int64)
            some = np.asarray(index)
            parts.setdefault(_FACES[block.type], []).append(data[some if some.size else some.astype(np.int64)])
    return Boundary({kind: np.concatenate(cells) for kind, cells in parts.items()})


def _physical(mesh: Any) -> dict[str, list[Any]]:
    """Return which cells of each block belong to each physical surface of Gmsh; the key is its name or number."""
    tags = mesh.cell_data.get("gmsh:physical")
    if tags is None:
        return {}
    names = {int(tag): name for name, (tag, dimension) in mesh.field_data.items() if int(dimension) == 2}
    of_faces = [
        np.unique(values)
        for block, values in zip(mesh.cells, tags, strict=True)
        if block.type in _FACES and len(block.data)
    ]
    found = sorted({int(tag) for values in of_faces for tag in values if tag > 0})
    return {names.get(tag, str(tag)): [np.asarray(values) == tag for values in tags] for tag in found}


def _groups(mesh: Any, count: int) -> dict[str, Group]:
    """Return the named groups: physical surfaces of Gmsh, and sets of nodes or shells of Abaqus."""
    chosen = _physical(mesh)
    # In Gmsh's format 4.1 only these sets have surfaces that belong to several groups.
    chosen |= {name: sets for name, sets in mesh.cell_sets.items() if not name.startswith("gmsh:")}
    groups = {}
    for name, index in chosen.items():
        faces = _faces(mesh, index)
        if len(faces):
            groups[name] = Group(faces)
    for name, numbers in mesh.point_sets.items():
        mask = np.zeros(count, dtype=np.bool_)
        mask[np.asarray(numbers, dtype=np.int64)] = True
        if name not in groups and mask.any():
            groups[name] = Group(nodes=mask)
    return groups


def place_of(place: Array) -> str:
    """Return coordinates as text, such as (0, 0.5, 1)."""
    return "({})".format(", ".join(f"{one:g}" for one in place))


def read_contents(path: Path) -> Contents:
    """Read a mesh file. Raises Misuse unless it is a mesh of supported solids."""
    mesh = _mesh(path)
    places = np.asarray(mesh.points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3:
        raise Misuse(f"{path}: its nodes have shape {places.shape}; expected three coordinates for each")
    solids, remarks = _solids(path, mesh)
    for block in mesh.cells:
        cells = np.asarray(block.data)
        if cells.size and (cells.min() < 0 or cells.max() >= len(places)):
            wrong = int(cells.min() if cells.min() < 0 else cells.max())
            raise Misuse(f"{path}: a {block.type} has node {wrong}; expected a node from 0 to {len(places) - 1}")
    if not np.isfinite(places).all():
        lost = int(np.argmin(np.isfinite(places).all(axis=1)))
        raise Misuse(f"{path}: node {lost} (counted from 0) lies at {place_of(places[lost])}; expected finite numbers")
    try:
        groups = _groups(mesh, len(places))
    except (IndexError, KeyError, TypeError, ValueError) as error:
        raise Misuse(f"{path}: its groups cannot be read: {error}; expected sets of nodes or surfaces") from error
    kinds = [block.type for block in mesh.cells]
    return Contents(path, places, solids, groups, kinds, mesh.cell_data, remarks)


def material_of(contents: Contents, option: str, said: float | str) -> Array:
    """Return a number, or the cell data of that name in the order of the kinds of elements. Raises Misuse."""
    if isinstance(said, float):
        return np.array([said])
    if said not in contents.data:
        names = ", ".join(sorted(contents.data)) or "none"
        raise Misuse(f"{option} is {said!r}; expected a number, or the name of cell data in {contents.path}: {names}")
    blocks = list(zip(contents.kinds, contents.data[said], strict=True))
    parts = [np.asarray(values) for solid in _SOLIDS for kind, values in blocks if kind == solid and len(values)]
    if any(part.ndim != 1 or part.dtype.kind not in "iuf" for part in parts):
        raise Misuse(f"{option} is {said!r}; expected cell data of {contents.path} with one number for each element")
    return np.concatenate(parts).astype(np.float64)
