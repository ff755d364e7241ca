"""Elements of a file that can be solved: neither inverted nor flat, and with nodes that others have."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from rooftop.errors import Misuse
from rooftop.plural import plural
from rooftop.solvers.elasticity.checked_mesh import Array, Whole
from rooftop.solvers.elasticity.element import GAUSS, volumes
from rooftop.solvers.elasticity.mesh_contents import Contents, place_of
from rooftop.solvers.elasticity.mesh_stress import corners_of
from rooftop.solvers.elasticity.tetrahedron import volumes_of_tetrahedra

_CHECKED = 4096  # elements at once
_LOUD = 1e-12  # a volume relative to the cube of the longest edge: below, an element is flat
_TURNED = {8: [4, 5, 6, 7, 0, 1, 2, 3], 4: [0, 2, 1, 3]}  # the other orientation, in VTK's order


def _ranges(cells: Whole, places: Array) -> tuple[Array, Array]:
    """Return the least and the largest volume at points of integration, relative to the extent's cube."""
    least, most = np.empty(len(cells)), np.empty(len(cells))
    for start in range(0, len(cells), _CHECKED):
        part = slice(start, start + _CHECKED)
        corners = corners_of(places, cells[part])
        found = volumes(corners, GAUSS) if cells.shape[1] == 8 else volumes_of_tetrahedra(corners)[None]
        cube = np.maximum(np.ptp(corners, axis=0).max(axis=0) ** 3, np.finfo(np.float64).tiny)
        least[part], most[part] = found.min(axis=0) / cube, found.max(axis=0) / cube
    return least, most


def _sound(path: Path, one: str, many: str, cells: Whole, places: Array) -> tuple[Whole, list[str]]:
    """Return elements of one kind, turned if all are inverted, and a remark on that. Raises Misuse."""
    if not len(cells):
        return cells, []
    ordered = np.sort(cells, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise Misuse(f"{path}: {one} {int(np.argmax(twice))} is degenerate: two of its corners are the same node")
    least, most = _ranges(cells, places)
    if (most < -_LOUD).all():
        turned = np.ascontiguousarray(cells[:, _TURNED[cells.shape[1]]])
        return turned, [f"{path}: its {many} are all inverted, as some programs number their corners: they are turned"]
    where = " at a point of integration" if cells.shape[1] == 8 else ""
    for wrong, why in (
        (least < -_LOUD, f"inverted: its volume is negative{where}"),
        (least <= _LOUD, f"degenerate: it is flat{where}"),
    ):
        if wrong.any():
            count = int(np.count_nonzero(wrong))
            others = f", as {count} of {len(cells)} are" if count > 1 else ""
            raise Misuse(f"{path}: {one} {int(np.argmax(wrong))} (counted from 0) is {why}{others}")
    return cells, []


def _require_used(contents: Contents) -> None:
    """Raise Misuse for the first node that no element has."""
    used = np.zeros(len(contents.places), dtype=np.bool_)
    used[contents.hexahedra] = True
    used[contents.tetrahedra] = True
    if not used.all():
        lost = np.flatnonzero(~used)
        first, count = int(lost[0]), len(contents.places)
        raise Misuse(
            f"{contents.path}: node {first} (counted from 0), at {place_of(contents.places[first])}, belongs to no "
            f"hexahedron or tetrahedron, as {len(lost)} of {count} do; expected a mesh without"
        )


def coincident(places: Array) -> str:
    """Return what to do where parts were not joined, or nothing."""
    again = len(places) - len(np.unique(places, axis=0))
    return f"{plural(again, 'node')} lie where another does: merge them" if again else ""


def sound(contents: Contents) -> Contents:
    """Return a mesh whose elements are turned where all of a kind are inverted. Raises Misuse for others."""
    _require_used(contents)
    path, places = contents.path, contents.places
    hexahedra, of_hexahedra = _sound(path, "hexahedron", "hexahedra", contents.hexahedra, places)
    tetrahedra, of_tetrahedra = _sound(path, "tetrahedron", "tetrahedra", contents.tetrahedra, places)
    remarks = [*contents.remarks, *of_hexahedra, *of_tetrahedra]
    return replace(contents, hexahedra=hexahedra, tetrahedra=tetrahedra, remarks=remarks)
