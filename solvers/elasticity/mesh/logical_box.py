"""Find a logical box in the connectivity of a mesh.

The search starts in a corner, follows a row of elements, extends the row sideways to a layer, and the layer upwards to
the box. Each step crosses the face that two elements share, so any numbering is accepted. The number of a corner in an
element is x + 2 y + 4 z, as in ``box/hexahedron.py``.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations, product

import numpy as np
from numpy.typing import NDArray

from rooftop.solvers.elasticity.box.hexahedron import CENTRE, CORNERS, volumes
from rooftop.text.plural import plural

Whole = NDArray[np.int64]

_AXES = (1, 2, 4)  # added to a corner's number by a step in each direction
_FACES = np.array([[b for b in range(8) if bool(b & axis) == far] for axis in _AXES for far in (False, True)])


class NoBoxError(ValueError):
    """The elements do not form a logical box; the message says why."""


@dataclass(frozen=True)
class LogicalBox:
    """Node numbers, (nz, ny, nx), and element numbers, (nz-1, ny-1, nx-1), in the order of a box."""

    numbers: Whole
    elements: Whole


class _Neighbours:
    """Find elements that share a face. A face is identified by two opposite corners."""

    def __init__(self, cells: Whole, nodes: int) -> None:
        self._cells, self._nodes = cells, nodes
        keys = self._keys(cells[:, _FACES].reshape(-1, 4))
        order = np.argsort(keys, kind="stable")
        self._sorted, self._owners = np.append(keys[order], -1), np.append(order // len(_FACES), -1)
        shared = self._sorted[2:] == self._sorted[:-2]
        if shared.any():
            element = int(self._owners[:-2][shared][0])
            raise NoBoxError(f"element {element} has a face that three or more elements share")

    def _keys(self, faces: Whole) -> Whole:
        """Return a key for each face, whose corners are in the order 00, 10, 01, 11."""
        rows = np.arange(len(faces))
        least = np.argmin(faces, axis=1)
        keys: Whole = faces[rows, least] * self._nodes + faces[rows, 3 - least]
        return keys

    def across(self, elements: Whole, faces: Whole) -> Whole:
        """Return the element on the other side of a face of each element; -1 if there is none."""
        keys = self._keys(faces)
        first = np.searchsorted(self._sorted[:-1], keys)
        one = self._owners[first]
        other = np.where(self._sorted[first + 1] == keys, self._owners[first + 1], -1)
        return np.where(one == elements, other, one)

    def turned(self, elements: Whole, faces: Whole, axis: int) -> Whole:
        """Return the corners of elements, rotated so that `faces` are their first faces along an axis."""
        cells = self._cells[elements]
        found = cells[:, None, :] == faces[:, :, None]
        if not found.any(axis=2).all():
            raise NoBoxError(f"element {int(elements[0])} does not share all corners of a face with its neighbour")
        places = np.argmax(found, axis=2)  # of the shared corners in the neighbour, (elements, 4)
        onward = 7 ^ ((places[:, 0] ^ places[:, 1]) | (places[:, 0] ^ places[:, 2]))
        result = np.empty_like(cells)
        rows = np.arange(len(cells))[:, None]
        result[:, _FACES[2 * axis]] = faces
        result[:, _FACES[2 * axis + 1]] = cells[rows, places ^ onward[:, None]]
        return result


def _corner(cells: Whole, nodes: int) -> tuple[int, int]:
    """Return an element at a corner of the box, and which of its corners that is."""
    uses = np.bincount(cells.ravel(), minlength=nodes)
    alone = uses[cells] == 1
    count = int(np.count_nonzero(alone))
    if count != 8:
        raise NoBoxError(f"{plural(count, 'node')} belong to a single element; a box has 8 of them, its corners")
    element, corner = (int(one) for one in np.argwhere(alone)[0])
    return element, corner


def _walked(neighbours: _Neighbours, elements: Whole, corners: Whole, axis: int) -> tuple[Whole, Whole]:
    """Return the elements, (steps, …), that follow the given ones along an axis, and their corners."""
    far = _FACES[2 * axis + 1]
    all_elements, all_corners = [elements], [corners]
    while True:
        faces = all_corners[-1][:, far]
        onward = neighbours.across(all_elements[-1], faces)
        ends = onward < 0
        if ends.all():
            return np.stack(all_elements), np.stack(all_corners)
        if ends.any():
            lost = int(all_elements[-1][np.argmax(ends)])
            raise NoBoxError(f"element {lost} has no neighbour in a direction in which others of its row have one")
        if len(all_elements) > neighbours._cells.shape[0]:
            raise NoBoxError("a row of elements closes to a ring")
        all_corners.append(neighbours.turned(onward, faces, axis))
        all_elements.append(onward)


def logical_box(cells: Whole, nodes: int) -> LogicalBox:
    """Return the box that hexahedra form. Raises NoBoxError, which says why they form none.

    cells  nodes of the elements, (elements, 8), in the order of `hexahedron.CORNERS`
    nodes  number of nodes; elements use all of them
    """
    element, corner = _corner(cells, nodes)
    neighbours = _Neighbours(cells, nodes)
    elements, corners = np.array([element]), cells[element][np.arange(8) ^ corner][None]
    shape: list[int] = []
    for axis in range(3):
        walked, theirs = _walked(neighbours, elements, corners, axis)
        shape.insert(0, len(walked))
        elements, corners = walked.reshape(-1), theirs.reshape(-1, 8)
    if len(elements) != len(cells) or len(np.unique(elements)) != len(cells):
        raise NoBoxError(f"only {len(np.unique(elements))} of {len(cells)} elements are reached from a corner")
    numbers = np.full([count + 1 for count in shape], -1, dtype=np.int64)
    grid, theirs = elements.reshape(shape), corners.reshape(*shape, 8)
    parts = [tuple(slice(d, d - 1 or None) for d in corner[::-1]) for corner in CORNERS.tolist()]
    for number, part in enumerate(parts):
        numbers[part] = theirs[..., number]
    fits = all(np.array_equal(numbers[part], theirs[..., number]) for number, part in enumerate(parts))
    if not fits or numbers.size != nodes or len(np.unique(numbers)) != nodes:
        raise NoBoxError("rows of elements meet themselves")
    return LogicalBox(numbers, grid)


_ROTATIONS = [
    (order, signs, round(float(np.linalg.det(np.eye(3)[list(order)] * signs))))
    for order in permutations(range(3))
    for signs in product((1, -1), repeat=3)
]


def along_axes(box: LogicalBox, places: NDArray[np.float64]) -> LogicalBox:
    """Return the same box, rotated so that its directions are as close to x, y and z as possible, and right-handed.

    places  coordinates of the nodes, (nodes, 3)
    """
    grid = places[box.numbers] / np.maximum(np.abs(places).max(), np.finfo(np.float64).tiny)  # squares do not overflow
    ends = np.array(
        [(grid.take(-1, axis=2 - d) - grid.take(0, axis=2 - d)).reshape(-1, 3).mean(axis=0) for d in range(3)]
    )  # [direction][coordinate]
    ends /= np.maximum(np.linalg.norm(ends, axis=1, keepdims=True), np.finfo(np.float64).tiny)
    first = grid[:2, :2, :2].reshape(8, 3, 1)
    hand = 1 if volumes(first, CENTRE)[0, 0] > 0 else -1
    proper = [(order, signs) for order, signs, sense in _ROTATIONS if sense == hand]
    best, signs = max(proper, key=lambda one: sum(s * ends[d, c] for c, (d, s) in enumerate(zip(*one, strict=True))))

    def turned(values: Whole) -> Whole:
        # Direction x is the last axis of an array, z the first.
        moved = values.transpose([2 - best[2 - place] for place in range(3)])
        return np.ascontiguousarray(np.flip(moved, tuple(2 - c for c in range(3) if signs[c] < 0)))

    return LogicalBox(turned(box.numbers), turned(box.elements))
