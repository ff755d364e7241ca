"""Checks for inverted, flat and disconnected elements."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files.contents import Contents, place_of
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.element import at_nodes, volumes
from rooftop.solvers.elasticity.mesh.kinds import KINDS, Kind
from rooftop.text.plural import plural

_CHECKED = 4096  # elements processed at once
_LOUD = 1e-12  # an element is flat if its volume is below this, relative to the cube of its extent


def _ranges(kind: Kind, cells: Whole, places: Array) -> tuple[Array, Array]:
    """Return each element's least and largest Jacobian determinant, relative to the cube of its extent."""
    least, most = np.empty(len(cells)), np.empty(len(cells))
    for start in range(0, len(cells), _CHECKED):
        part = slice(start, start + _CHECKED)
        nodes = at_nodes(places, cells[part])
        with np.errstate(over="ignore"):  # an element whose extent overflows counts as flat
            extent = np.maximum(np.ptp(nodes, axis=0).max(axis=0), np.finfo(np.float64).tiny)
            found = volumes(kind, (nodes - nodes[0]) / extent)
        least[part], most[part] = found.min(axis=0), found.max(axis=0)
    return least, most


def _sound(path: Path, kind: Kind, cells: Whole, places: Array) -> tuple[Whole, list[str]]:
    """Return the elements of one kind, reoriented with a remark if all are inverted. Raises Misuse."""
    ordered = np.sort(cells, axis=1)
    twice = (ordered[:, 1:] == ordered[:, :-1]).any(axis=1)
    if twice.any():
        raise Misuse(f"{path}: {kind} {int(np.argmax(twice))} is degenerate: two of its nodes are the same")
    least, most = _ranges(kind, cells, places)
    if (most < -_LOUD).all():
        turned = np.ascontiguousarray(cells[:, KINDS[kind].turned])
        return turned, [
            f"{path}: its {KINDS[kind].many} are all inverted, as some programs write them: their nodes are reordered"
        ]
    where = "" if kind == "tetrahedron" else " at an integration point"
    for wrong, why in (
        (least < -_LOUD, f"inverted: its volume is negative{where}"),
        (least <= _LOUD, f"degenerate: it is flat{where}"),
    ):
        if wrong.any():
            count = int(np.count_nonzero(wrong))
            others = f", as {count} of {len(cells)} are" if count > 1 else ""
            raise Misuse(f"{path}: {kind} {int(np.argmax(wrong))} (counted from 0) is {why}{others}")
    return cells, []


def _require_used(contents: Contents) -> None:
    """Raise Misuse if a node belongs to no element, naming the first."""
    used = np.zeros(len(contents.places), dtype=np.bool_)
    for cells in contents.elements.values():
        used[cells] = True
    if not used.all():
        lost = np.flatnonzero(~used)
        first, count = int(lost[0]), len(contents.places)
        raise Misuse(
            f"{contents.path}: node {first} (counted from 0), at {place_of(contents.places[first])}, belongs to no "
            f"solid element, like {len(lost)} of {count} nodes; expected a mesh without such nodes"
        )


def coincident(places: Array) -> str:
    """Return a hint on nodes at the same place, as of parts that were not joined; empty if there are none."""
    again = len(places) - len(np.unique(places, axis=0))
    return f"{plural(again, 'duplicate node')}: merge nodes with the same coordinates" if again else ""


def sound(contents: Contents) -> Contents:
    """Return a mesh of valid elements, reoriented where all of one kind are inverted. Raises Misuse for others."""
    _require_used(contents)
    elements, remarks = {}, list(contents.remarks)
    for kind, cells in contents.elements.items():
        elements[kind], more = _sound(contents.path, kind, cells, contents.places)
        remarks += more
    return replace(contents, elements=elements, remarks=remarks)
