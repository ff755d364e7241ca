"""Named surfaces of a mesh: plane sides such as x-min, and groups of its file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.box.faces import FACES, Face, checked_face
from rooftop.solvers.elasticity.files.contents import Contents
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.solvers.elasticity.mesh.boundary import Boundary, boundary_of, mesh_traction, on_side
from rooftop.text.plural import plural

Pull = tuple[str, tuple[float, float, float]]  # a surface's name, and the force per area
_FLAT = 1e-6  # of the extent: maximum distance of nodes from a plane


def face_of(name: str) -> Face | None:
    """Return the side of this name; None if there is none."""
    for face in FACES:
        if face == name:
            return face
    return None


class NamedSurfaces:
    """Surfaces that options name. A group of the file takes precedence over a side of the same name."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    def is_group(self, name: str) -> bool:
        """Whether the file has a group of that name."""
        return name in self._contents.groups

    def require_known(self, option: str, name: str) -> None:
        """Raise Misuse for a name of neither a side nor a group."""
        if not self.is_group(name) and face_of(name) is None:
            names = ", ".join(sorted(self._contents.groups)) or "none"
            raise Misuse(
                f"{option} is {name!r}, expected a face: one of {', '.join(FACES)}, or a group of surfaces or nodes of "
                f"{self._contents.path}: {names}"
            )

    @cached_property
    def _boundary(self) -> Boundary:
        return boundary_of(self._contents.elements)

    def _side(self, option: str, face: Face) -> Boundary:
        places = self._contents.places
        there = on_side(places, face)
        found = self._boundary.within(there)
        if not len(found):
            flat = [other for other in FACES if len(self._boundary.within(on_side(places, other)))]
            direction, place = checked_face(face)
            side = places[:, direction].min() if place == 0 else places[:, direction].max()
            raise Misuse(
                f"{option} is {face!r}, but no face of {self._contents.path} lies in the plane {'xyz'[direction]} = "
                f"{side:g}, which the body touches only in {plural(int(there.sum()), 'node')}; expected a plane side "
                f"({', '.join(flat) or 'there is none'}), or a group of surfaces or nodes"
            )
        return found

    def _faces(self, option: str, name: str) -> Boundary:
        group = self._contents.groups.get(name)
        if group is None:
            self.require_known(option, name)
            face = face_of(name)
            assert face is not None
            return self._side(option, face)
        if group.faces is not None:
            return group.faces
        assert group.nodes is not None
        found = self._boundary.within(group.nodes)
        if not len(found):
            raise Misuse(
                f"{option} is {name!r}, a group of {plural(int(group.nodes.sum()), 'node')} that includes no whole "
                f"outer face of {self._contents.path}; expected a group with all nodes of one or more faces"
            )
        return found

    def _nodes(self, option: str, name: str) -> NDArray[np.bool_]:
        group = self._contents.groups.get(name)
        if group is not None and group.nodes is not None:
            return group.nodes
        return self._faces(option, name).nodes(len(self._contents.places))

    def _direction(self, option: str, name: str, nodes: NDArray[np.bool_]) -> int:
        """Return the axis normal to a plane of symmetry: 0 for x."""
        if not self.is_group(name):
            face = face_of(name)
            assert face is not None
            return checked_face(face)[0]
        extent = np.ptp(self._contents.places, axis=0).max()
        flat = np.ptp(self._contents.places[nodes], axis=0) <= _FLAT * extent
        if np.count_nonzero(flat) != 1:
            raise Misuse(f"{option} is {name!r}, which is not a plane normal to x, y or z; expected one, or --clamp")
        return int(np.argmax(flat))

    def held(self, clamps: Sequence[str], symmetries: Sequence[str]) -> NDArray[np.bool_]:
        """Return the mask of prescribed displacements, (nodes, 3). Raises Misuse."""
        result = np.zeros((len(self._contents.places), 3), dtype=np.bool_)
        for name in clamps:
            result[self._nodes("--clamp", name)] = True
        for name in symmetries:
            nodes = self._nodes("--symmetry", name)
            result[nodes, self._direction("--symmetry", name, nodes)] = True
        if self._contents.held is not None:
            result |= self._contents.held
        return result

    def load(self, pulls: Sequence[Pull]) -> Array:
        """Return the nodal forces of tractions, (nodes, 3). Raises Misuse."""
        result = np.zeros((len(self._contents.places), 3))
        for name, vector in pulls:
            result += mesh_traction(self._contents.places, self._faces("--traction", name), vector)
        return result
