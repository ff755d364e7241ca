"""Meshes of hexahedra in files of other programs, read through meshio: VTK, Gmsh and Abaqus."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.plural import plural
from rooftop.solvers.elasticity.element import GAUSS, volumes
from rooftop.solvers.elasticity.faces import Face, clamped, symmetric, traction
from rooftop.solvers.elasticity.logical_box import LogicalBox, NoBoxError, Whole, along_axes, logical_box
from rooftop.solvers.elasticity.memory_need import require_memory
from rooftop.solvers.elasticity.problem import Problem
from rooftop.solvers.elasticity.vtk_types import with_known_types

FORMATS = {".vtu": "vtu", ".vtk": "vtk", ".msh": "gmsh", ".inp": "abaqus"}
_OF_FACES = {"vertex", "line", "line3", "triangle", "triangle6", "quad", "quad8", "quad9"}  # what solids do not need
_FROM_VTK = [0, 1, 3, 2, 4, 5, 7, 6]  # VTK's corners go around each of two faces
_ONLY = "only boxes of hexahedra with 8 nodes are solved so far"
_CHECKED = 4096  # elements at once
_LOUD = 1e-12  # a volume relative to the cube of the longest edge: below, an element is flat

Pull = tuple[Face, tuple[float, float, float]]


def _mesh(path: Path) -> Any:
    """Return what meshio reads. Raises Misuse, whatever it raises or prints."""
    import meshio

    kind = FORMATS[path.suffix.lower()]
    known = with_known_types(path) if kind == "vtk" else contextlib.nullcontext(path)
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said), known as file:
            return meshio.read(file, kind)
    except OSError as error:
        raise Misuse(f"{path}: {error.strerror or error}") from error
    except (Exception, SystemExit) as error:  # on files that are not what their names say meshio raises anything
        words = " ".join(f"{said.getvalue()} {'' if isinstance(error, SystemExit) else error}".split())
        words = words.removeprefix("Error: ")
        raise Misuse(f"{path}: meshio cannot read it as a {kind} file: {words or type(error).__name__}") from error


def _hexahedra(path: Path, mesh: Any) -> tuple[Whole, list[str]]:
    """Return the elements, and a remark on what else there is. Raises Misuse for other solids."""
    found: list[Whole] = []
    others: dict[str, int] = {}
    first = 0
    for block in mesh.cells:
        if block.type == "hexahedron":
            found.append(np.asarray(block.data, dtype=np.int64))
        elif block.type in _OF_FACES:
            others[block.type] = others.get(block.type, 0) + len(block.data)
        elif len(block.data):
            raise Misuse(f"{path}: element {first} is a {block.type}, of which there are {len(block.data)}; {_ONLY}")
        first += len(block.data)
    if not sum(map(len, found)):
        raise Misuse(f"{path}: it has no hexahedra; {_ONLY}")
    named = ", ".join(f"{count} of type {kind}" for kind, count in others.items())
    return np.concatenate(found), [f"{path}: cells that are no solids are left out: {named}"] if others else []


def _require_sound(path: Path, cells: Whole, places: NDArray[np.float64]) -> None:
    """Raise Misuse for the first element that is degenerate or inverted."""
    ordered = np.sort(cells, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise Misuse(f"{path}: hexahedron {int(np.argmax(twice))} is degenerate: two of its corners are the same node")
    for start in range(0, len(cells), _CHECKED):
        corners = places[cells[start : start + _CHECKED][:, _FROM_VTK].T].transpose(0, 2, 1)
        least = volumes(corners, GAUSS).min(axis=0)
        extent = np.ptp(corners, axis=0).max(axis=0)
        for wrong, why in (
            (least < -_LOUD * extent**3, "inverted: its volume is negative at a point of integration"),
            (least <= _LOUD * extent**3, "degenerate: it is flat at a point of integration"),
        ):
            if wrong.any():
                raise Misuse(f"{path}: hexahedron {start + int(np.argmax(wrong))} (counted from 0) is {why}")


def _require_used(path: Path, cells: Whole, places: NDArray[np.float64]) -> None:
    """Raise Misuse for the first node that no element has."""
    used = np.zeros(len(places), dtype=np.bool_)
    used[cells] = True
    if not used.all():
        lost = np.flatnonzero(~used)
        raise Misuse(
            f"{path}: node {int(lost[0])} (counted from 0), at {_place(places[lost[0]])}, belongs to no hexahedron, "
            f"as {len(lost)} of {len(places)} do; expected a mesh without"
        )


def _place(place: NDArray[np.float64]) -> str:
    return "({})".format(", ".join(f"{one:g}" for one in place))


def _hint(places: NDArray[np.float64]) -> str:
    """Return what to do where the reason is that parts were not joined."""
    again = len(places) - len(np.unique(places, axis=0))
    return f". {plural(again, 'node')} lie where another does: merge them" if again else ""


def _box(path: Path, cells: Whole, places: NDArray[np.float64]) -> LogicalBox:
    try:
        return along_axes(logical_box(cells[:, _FROM_VTK], len(places)), places)
    except NoBoxError as error:
        reason = f"{path}: its {plural(len(cells), 'element')} are no logical box: {error}; {_ONLY}{_hint(places)}"
        raise Misuse(reason) from error


def _material(path: Path, mesh: Any, option: str, said: float | str, box: LogicalBox) -> NDArray[np.float64]:
    """Return a number, or the cell data of that name in the box's order. Raises Misuse."""
    if isinstance(said, float):
        return np.array([said])
    if said not in mesh.cell_data:
        names = ", ".join(sorted(mesh.cell_data)) or "none"
        raise Misuse(f"{option} is {said!r}; expected a number, or the name of cell data of {path}: {names}")
    blocks = zip(mesh.cells, mesh.cell_data[said], strict=True)
    values = np.concatenate([np.asarray(values) for block, values in blocks if block.type == "hexahedron"])
    if values.ndim != 1 or values.dtype.kind not in "iuf":
        raise Misuse(f"{option} is {said!r}, which is not one number for each element of {path}")
    return np.ascontiguousarray(values.astype(np.float64)[box.elements].reshape(-1))


def read_mesh_file(
    path: Path,
    clamps: Sequence[Face],
    symmetries: Sequence[Face],
    pulls: Sequence[Pull],
    young: float | str,
    poisson: float | str,
    available: int,
) -> Problem:
    """Return the problem of a mesh that is held and pulled at its faces.

    young, poisson  a number, or the name of cell data
    available       bytes of memory

    Raises Misuse for what is no mesh, or none that is a logical box of sound hexahedra.
    """
    mesh = _mesh(path)
    places = np.asarray(mesh.points, dtype=np.float64)
    if places.ndim != 2 or places.shape[1] != 3:
        raise Misuse(f"{path}: its nodes have shape {places.shape}; expected three coordinates for each")
    cells, remarks = _hexahedra(path, mesh)
    if cells.min() < 0 or cells.max() >= len(places):
        raise Misuse(f"{path}: an element has node {int(cells.max())} of {len(places)}; expected a node that there is")
    if not np.isfinite(places).all():
        lost = int(np.argmin(np.isfinite(places).all(axis=1)))
        raise Misuse(f"{path}: node {lost} (counted from 0) lies at {_place(places[lost])}; expected finite numbers")
    _require_used(path, cells, places)
    _require_sound(path, cells, places)
    box = _box(path, cells, places)
    nz, ny, nx = box.numbers.shape
    nodes = (nx, ny, nz)
    require_memory(str(path), nodes, available, coordinates=True)
    coordinates = np.ascontiguousarray(places[box.numbers])
    load = np.zeros_like(coordinates)
    for face, vector in pulls:
        load += traction(coordinates, face, vector)
    return Problem(
        path.name,
        nodes,
        coordinates,
        _material(path, mesh, "--young", young, box),
        _material(path, mesh, "--poisson", poisson, box),
        load,
        clamped(nodes, *clamps) | symmetric(nodes, *symmetries),
        numbers=box.numbers,
        elements=box.elements,
        remarks=remarks,
    )
