"""Kinds of elements: their names, nodes and faces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal[
    "tetrahedron",
    "wedge",
    "hexahedron",
    "hexahedron_incompatible",
    "tetrahedron10",
    "wedge15",
    "hexahedron20",
    "hexahedron20_reduced",
]
# Reduced faces have one integration point instead of 2 x 2, and 2 x 2 instead of 3 x 3.
FaceKind = Literal[
    "quadrilateral", "triangle", "quadrilateral8", "triangle6", "quadrilateral_reduced", "quadrilateral8_reduced"
]

# Number of corners of each kind of face. Corners are its first nodes; midpoints of its sides follow in the same order.
CORNERS: dict[FaceKind, int] = {
    "quadrilateral": 4,
    "triangle": 3,
    "quadrilateral8": 4,
    "triangle6": 3,
    "quadrilateral_reduced": 4,
    "quadrilateral8_reduced": 4,
}
_OF_NODES: dict[int, FaceKind] = {3: "triangle", 4: "quadrilateral", 6: "triangle6", 8: "quadrilateral8"}
_REDUCED: dict[FaceKind, FaceKind] = {
    "quadrilateral": "quadrilateral_reduced",
    "quadrilateral8": "quadrilateral8_reduced",
}
# Elements whose faces CalculiX integrates with fewer points.
_WITH_REDUCED_FACES = ("wedge", "wedge15", "hexahedron20_reduced")


@dataclass(frozen=True, kw_only=True)
class ElementKind:
    """Properties of a kind of element.

    number      number of the kind in the C interface
    nodes       number of nodes; their order is VTK's, which is also Abaqus's and CalculiX's
    vtk         meshio's name
    many        plural, for messages
    faces       nodes of each face, anticlockwise as seen from outside; in the order of Abaqus's faces S1, S2, …
    turned      order of the nodes that makes an inverted element right-handed
    neighbours  average number of nodes that share an element with a node, divided by the number of elements per node
    """

    number: int
    nodes: int
    vtk: str
    many: str
    faces: tuple[tuple[int, ...], ...]
    turned: tuple[int, ...]
    neighbours: float


Faces = tuple[tuple[int, ...], ...]
_OF_TETRAHEDRON: Faces = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_OF_WEDGE: Faces = ((0, 2, 1), (3, 4, 5), (0, 1, 4, 3), (1, 2, 5, 4), (2, 0, 3, 5))
_OF_HEXAHEDRON: Faces = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))
# The two corners of each edge, in the order of the midpoint nodes.
EDGES: dict[Kind, tuple[tuple[int, int], ...]] = {
    "tetrahedron10": ((0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)),
    "wedge15": ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5)),
    "hexahedron20": (
        *((0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4)),
        *((0, 4), (1, 5), (2, 6), (3, 7)),
    ),
}
EDGES["hexahedron20_reduced"] = EDGES["hexahedron20"]


def _with_middles(kind: Kind, corners: Faces) -> Faces:
    """Return the nodes of faces, with the midpoints of their sides added."""
    first = 1 + max(max(edge) for edge in EDGES[kind])
    middle = {frozenset(edge): first + at for at, edge in enumerate(EDGES[kind])}
    sides = (zip(face, (*face[1:], face[0]), strict=True) for face in corners)
    return tuple((*face, *(middle[frozenset(side)] for side in of)) for face, of in zip(corners, sides, strict=True))


def _turned(kind: Kind, corners: tuple[int, ...]) -> tuple[int, ...]:
    """Return the order of all nodes for an order of the corners."""
    middle = {frozenset(edge): len(corners) + at for at, edge in enumerate(EDGES[kind])}
    return (*corners, *(middle[frozenset((corners[a], corners[b]))] for a, b in EDGES[kind]))


_TURNED_TETRAHEDRON, _TURNED_WEDGE, _TURNED_HEXAHEDRON = (0, 2, 1, 3), (3, 4, 5, 0, 1, 2), (4, 5, 6, 7, 0, 1, 2, 3)

KINDS: dict[Kind, ElementKind] = {
    "tetrahedron": ElementKind(
        number=0,
        nodes=4,
        vtk="tetra",
        many="tetrahedra",
        faces=_OF_TETRAHEDRON,
        turned=_TURNED_TETRAHEDRON,
        neighbours=2.4,
    ),
    "wedge": ElementKind(
        number=1, nodes=6, vtk="wedge", many="wedges", faces=_OF_WEDGE, turned=_TURNED_WEDGE, neighbours=10
    ),
    "hexahedron": ElementKind(
        number=2,
        nodes=8,
        vtk="hexahedron",
        many="hexahedra",
        faces=_OF_HEXAHEDRON,
        turned=_TURNED_HEXAHEDRON,
        neighbours=26,
    ),
    "hexahedron_incompatible": ElementKind(
        number=3,
        nodes=8,
        vtk="hexahedron",
        many="hexahedra with incompatible modes",
        faces=_OF_HEXAHEDRON,
        turned=_TURNED_HEXAHEDRON,
        neighbours=26,
    ),
    "tetrahedron10": ElementKind(
        number=4,
        nodes=10,
        vtk="tetra10",
        many="tetrahedra with 10 nodes",
        faces=_with_middles("tetrahedron10", _OF_TETRAHEDRON),
        turned=_turned("tetrahedron10", _TURNED_TETRAHEDRON),
        neighbours=37,
    ),
    "wedge15": ElementKind(
        number=5,
        nodes=15,
        vtk="wedge15",
        many="wedges with 15 nodes",
        faces=_with_middles("wedge15", _OF_WEDGE),
        turned=_turned("wedge15", _TURNED_WEDGE),
        neighbours=110,
    ),
    "hexahedron20": ElementKind(
        number=6,
        nodes=20,
        vtk="hexahedron20",
        many="hexahedra with 20 nodes",
        faces=_with_middles("hexahedron20", _OF_HEXAHEDRON),
        turned=_turned("hexahedron20", _TURNED_HEXAHEDRON),
        neighbours=230,
    ),
    "hexahedron20_reduced": ElementKind(
        number=7,
        nodes=20,
        vtk="hexahedron20",
        many="hexahedra with 20 nodes and reduced integration",
        faces=_with_middles("hexahedron20_reduced", _OF_HEXAHEDRON),
        turned=_turned("hexahedron20_reduced", _TURNED_HEXAHEDRON),
        neighbours=230,
    ),
}
assert tuple(KINDS) == get_args(Kind)


def kind_of_face(nodes: int, of: Kind | None = None) -> FaceKind:
    """Return the kind of a face with `nodes` nodes; `of`: the kind of its element, None for a face by itself."""
    found = _OF_NODES[nodes]
    return _REDUCED.get(found, found) if of in _WITH_REDUCED_FACES else found


def faces_of(kind: Kind) -> dict[FaceKind, list[tuple[int, ...]]]:
    """Return the nodes of the faces of an element, by the kind of face."""
    result: dict[FaceKind, list[tuple[int, ...]]] = {}
    for face in KINDS[kind].faces:
        result.setdefault(kind_of_face(len(face), kind), []).append(face)
    return result


def counted(counts: Iterable[tuple[Kind, int]]) -> str:
    """Return the number of elements of each kind, in words."""
    return " and ".join(f"{count} {KINDS[kind].many}" for kind, count in counts if count)
