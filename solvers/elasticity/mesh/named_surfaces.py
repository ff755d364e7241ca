"""Named surfaces of a mesh: its flat sides, and the groups in its file."""

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
_FLAT = 1e-6  # of the extent: as far as nodes of a plane may lie from it


def face_of(name: str) -> Face | None:
    """Return the side that has a name; None for other names."""
    for face in FACES:
        if face == name:
            return face
    return None


class NamedSurfaces:
    """What options name: a group of the file comes before a side of the same name."""

    def __init__(self, contents: Contents) -> None:
        self._contents = contents

    def is_group(self, name: str) -> bool:
        """Whether the file has a group of that name."""
        return name in self._contents.groups

    def require_known(self, option: str, name: str) -> None:
        """Raise Misuse for a name that is neither a side's nor a group's."""
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
                f"{option} is {face!r}, and no face of {self._contents.path} lies in the plane {'xyz'[direction]} = "
                f"{side:g}, which it touches in {plural(int(there.sum()), 'node')}; expected a flat one: "
                f"{', '.join(flat) or 'there is none'}, or a group of surfaces or nodes"
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
                f"{option} is {name!r}, of which the {plural(int(group.nodes.sum()), 'node')} are no outer face of "
                f"{self._contents.path}; expected a group of all nodes of one face or more"
            )
        return found

    def _nodes(self, option: str, name: str) -> NDArray[np.bool_]:
        group = self._contents.groups.get(name)
        if group is not None and group.nodes is not None:
            return group.nodes
        return self._faces(option, name).nodes(len(self._contents.places))

    def _direction(self, option: str, name: str, nodes: NDArray[np.bool_]) -> int:
        """Return along which axis a plane of symmetry holds: 0 for x."""
        if not self.is_group(name):
            face = face_of(name)
            assert face is not None
            return checked_face(face)[0]
        extent = np.ptp(self._contents.places, axis=0).max()
        flat = np.ptp(self._contents.places[nodes], axis=0) <= _FLAT * extent
        if np.count_nonzero(flat) != 1:
            raise Misuse(f"{option} is {name!r}, which is no plane across x, y or z; expected one, or --clamp")
        return int(np.argmax(flat))

    def held(self, clamps: Sequence[str], symmetries: Sequence[str]) -> NDArray[np.bool_]:
        """Return where displacements are held, (nodes, 3). Raises Misuse."""
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
        """Return the forces on nodes, (nodes, 3). Raises Misuse."""
        result = np.zeros((len(self._contents.places), 3))
        for name, vector in pulls:
            result += mesh_traction(self._contents.places, self._faces("--traction", name), vector)
        return result
