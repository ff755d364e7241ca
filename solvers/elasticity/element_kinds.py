"""The kinds of elements that meshes have: their names, nodes and faces."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, get_args

Kind = Literal["tetrahedron", "hexahedron"]
FaceKind = Literal["quadrilateral", "triangle"]

CORNERS: dict[FaceKind, int] = {"quadrilateral": 4, "triangle": 3}  # of a face: the first of its nodes


@dataclass(frozen=True, kw_only=True)
class ElementKind:
    """What is known of a kind of element.

    number      in C
    nodes       in VTK's order, which is Abaqus's and CalculiX's, too
    vtk         what meshio calls it
    many        its plural
    faces       nodes of each, anticlockwise as seen from outside; in the order of Abaqus's faces S1, S2, …
    turned      nodes in the order that turns an inverted element
    neighbours  how many other nodes share an element with a node, for one element for each node
    """

    number: int
    nodes: int
    vtk: str
    many: str
    faces: tuple[tuple[int, ...], ...]
    turned: tuple[int, ...]
    neighbours: float


_OF_TETRAHEDRON = ((0, 2, 1), (0, 1, 3), (1, 2, 3), (2, 0, 3))
_OF_HEXAHEDRON = ((0, 3, 2, 1), (4, 5, 6, 7), (0, 1, 5, 4), (1, 2, 6, 5), (2, 3, 7, 6), (3, 0, 4, 7))

KINDS: dict[Kind, ElementKind] = {
    "tetrahedron": ElementKind(
        number=0, nodes=4, vtk="tetra", many="tetrahedra", faces=_OF_TETRAHEDRON, turned=(0, 2, 1, 3), neighbours=2.4
    ),
    "hexahedron": ElementKind(
        number=2,
        nodes=8,
        vtk="hexahedron",
        many="hexahedra",
        faces=_OF_HEXAHEDRON,
        turned=(4, 5, 6, 7, 0, 1, 2, 3),
        neighbours=26,
    ),
}
assert tuple(KINDS) == get_args(Kind)


def kind_of_face(nodes: int) -> FaceKind:
    """Return the kind of a face with so many nodes."""
    return {3: "triangle", 4: "quadrilateral"}[nodes]  # type: ignore[return-value]


def faces_of(kind: Kind) -> dict[FaceKind, list[tuple[int, ...]]]:
    """Return the faces of each kind that an element has, each by its nodes."""
    result: dict[FaceKind, list[tuple[int, ...]]] = {}
    for face in KINDS[kind].faces:
        result.setdefault(kind_of_face(len(face)), []).append(face)
    return result


def counted(counts: Iterable[tuple[Kind, int]]) -> str:
    """Return how many elements of each kind there are, in words."""
    return " and ".join(f"{count} {KINDS[kind].many}" for kind, count in counts if count)
