"""Nodal forces of `*CLOAD`, `*DLOAD` and `*DSLOAD`."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Body
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.kinds import MASSES, SOLIDS
from rooftop.solvers.elasticity.deck.properties import Properties
from rooftop.solvers.elasticity.deck.surfaces import surface_named
from rooftop.solvers.elasticity.deck.turns import Turns
from rooftop.solvers.elasticity.deck.values import direction, real, whole
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.body_force import forces_of_volume
from rooftop.solvers.elasticity.mesh.boundary import Boundary, mesh_pressure, mesh_traction
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, volumes
from rooftop.solvers.elasticity.mesh.kinds import Kind
from rooftop.solvers.elasticity.mesh.reference_element import reference

_FACE = re.compile(r"[PS]([1-6])")
_FACE_OF_NETWORK = re.compile(r"P([1-6])NP")
_PRESSURE = 2  # direction of a fluid network node that stores its pressure in CalculiX
_BODY = ("BX", "BY", "BZ")


class Loads:
    """Sum of the nodal forces, (nodes, 3); `named`: lines of concentrated forces, and their nodes."""

    def __init__(self, body: Body, properties: Properties, turns: Turns) -> None:
        self._body = body
        self._turns = turns
        self._properties = properties
        self.forces: NDArray[np.float64] = np.zeros((body.nodes_count, 3))
        self.named: list[tuple[Row, NDArray[np.int64]]] = []
        self._networks: list[tuple[Row, Boundary, int]] = []  # loaded faces, and the node that stores their pressure

    def take(self, card: Card, factor: float) -> None:
        """Add the loads of a card, times a factor. Raises Misuse for unsupported loads."""
        card.require_only("OP", "AMPLITUDE", "REGIONTYPE", *(("LOADCASE",) if card.keyword != "DSLOAD" else ()))
        if card.get("LOADCASE") not in (None, "1"):
            raise card.refused(f"with LOAD CASE={card.get('LOADCASE')} is not supported; expected LOAD CASE=1")
        take = {"CLOAD": self._on_nodes, "DLOAD": self._on_elements, "DSLOAD": self._on_surface}[card.keyword]
        for row in card.rows():
            with np.errstate(over="ignore", invalid="ignore"):
                take(row, factor)
            if not np.isfinite(self.forces).all():
                raise Misuse(f"{row.where}: the sum of the loads is too large; expected forces below 1e308")

    def _on_nodes(self, row: Row, factor: float) -> None:
        nodes = self._body.nodes_named(row, 0)
        axis, value = whole(row, 1, "a direction from 1 to 3"), factor * real(row, 2, "a force", 0.0)
        if 4 <= axis <= 6 and (value == 0 or len(self._body.rotating(nodes)) == len(nodes)):
            nodes, axis = self._body.rotating(nodes), axis - 3
        if not 1 <= axis <= 3:
            raise Misuse(f"{row.where}: solids have no direction {axis} for a load; expected a direction from 1 to 3")
        self.named.append((row, nodes))
        turned = self._turns.turned(nodes)
        np.add.at(self.forces[:, axis - 1], nodes[~turned], value)
        for node in nodes[turned].tolist():
            self.forces[node] += value * self._turns.directions(node)[:, axis - 1]

    def _on_elements(self, row: Row, factor: float) -> None:
        # A blank field means all elements.
        token = name_of(row.field(0))
        elements = (
            self._body.elements_named(row, token) if token else np.arange(self._body.elements_count, dtype=np.int64)
        )
        kind = name_of(row.field(1))
        if network := _FACE_OF_NETWORK.fullmatch(kind):
            nodes = self._body.nodes_named(Row(row.line, row.fields[2:]), 0)
            if len(nodes) != 1 or factor != 1:
                what = "has an amplitude" if len(nodes) == 1 else f"names {len(nodes)} nodes"
                raise Misuse(
                    f"{row.where}: load {kind} {what}, which is not supported; expected one node, without an amplitude"
                )
            self._networks.append((row, self._body.faces(row, elements, int(network[1])), int(nodes[0])))
            return
        value = factor * real(row, 2, "a load", 0.0)
        found = _FACE.fullmatch(kind)
        if found and kind[0] == "P":
            self.forces += mesh_pressure(self._body.places, self._body.faces(row, elements, int(found[1])), value)
        elif kind == "GRAV":
            self._gravity(row, elements, value)
        elif kind == "CENTRIF":
            self._turning(row, elements, value)
        elif kind in _BODY:
            vector = np.zeros(3)
            vector[_BODY.index(kind)] = value
            self._volume(row, elements, vector, by_mass=False)
        else:
            raise Misuse(
                f"{row.where}: load {shown(kind)} is not supported; expected P1 to P6, P1NP to P6NP, GRAV, CENTRIF, "
                f"{', '.join(_BODY)}"
            )

    def take_networks(self, held: NDArray[np.bool_], values: NDArray[np.float64]) -> None:
        """Add the pressures stored at fluid network nodes. Raises Misuse if one is not prescribed.

        held, values  mask and values of the prescribed displacements, (nodes, 3)
        """
        body = self._body
        for row, faces, node in self._networks:
            name = body.node_name(node)
            if node in body.nodes_of_elements(np.arange(body.elements_count)):
                raise Misuse(
                    f"{row.where}: node {name}, which gives the pressure, belongs to an element; expected a node that "
                    "belongs to no element"
                )
            if not held[node, _PRESSURE - 1]:
                raise Misuse(
                    f"{row.where}: the pressure of node {name} is unknown, because nothing prescribes its direction "
                    f"{_PRESSURE}; expected a *BOUNDARY with the pressure"
                )
            self.forces += mesh_pressure(body.places, faces, float(values[node, _PRESSURE - 1]))

    def _gravity(self, row: Row, elements: Whole, value: float) -> None:
        self._volume(row, elements, value * direction(row, 3, "gravity"), by_mass=True)

    def _turning(self, row: Row, elements: Whole, squared: float) -> None:
        """Add centrifugal forces: the squared angular velocity, a point of the axis, and its direction."""
        point = np.array([real(row, 3 + c, "a point of the axis", 0.0) for c in range(3)])
        axis = direction(row, 6, "the axis")
        for block, rows in self._body.by_block(elements):
            if block.kind in SOLIDS:
                each = squared * self._properties.densities(row, block, rows)
                places, nodes = self._body.places, block.nodes[rows]
                centrifugal_forces(SOLIDS[block.kind], places, nodes, each, point, axis, self.forces)
            elif block.kind in MASSES:
                raise Misuse(f"{row.where}: CENTRIF on a {block.kind} is not supported; expected only solids")

    def _volume(self, row: Row, elements: Whole, vector: NDArray[np.float64], *, by_mass: bool) -> None:
        for block, rows in self._body.by_block(elements):
            if block.kind in SOLIDS:
                each = self._properties.densities(row, block, rows) if by_mass else np.ones((1, len(rows)))
                forces_of_volume(SOLIDS[block.kind], self._body.places, block.nodes[rows], each, vector, self.forces)
            elif by_mass and block.kind in MASSES:
                raise Misuse(f"{row.where}: gravity on a {block.kind} is not supported; expected only solids")

    def _on_surface(self, row: Row, factor: float) -> None:
        faces = surface_named(self._body, row)
        kind, value = name_of(row.field(1)), factor * real(row, 2, "a pressure", 0.0)
        if kind == "P":
            self.forces += mesh_pressure(self._body.places, faces, value)
        elif kind == "TRVEC":
            x, y, z = (value * direction(row, 3, "the traction")).tolist()
            self.forces += mesh_traction(self._body.places, faces, (x, y, z))
        else:
            raise Misuse(f"{row.where}: load {shown(kind)} is not supported; expected P or TRVEC")


def centrifugal_forces(
    kind: Kind,
    places: Array,
    cells: Whole,
    each: Array,
    point: NDArray[np.float64],
    axis: NDArray[np.float64],
    forces: Array,
) -> None:
    """Add the centrifugal forces of elements that rotate about an axis to `forces`, (nodes, 3).

    each         density times squared angular velocity at integration points, (points or 1, elements)
    point, axis  a point of the axis, and its direction, of length 1

    The force per volume is proportional to the distance from the axis, and evaluated at integration points.
    """
    of = reference(kind)
    values = of.values(of.points)
    for start in range(0, len(cells), ELEMENTS_AT_ONCE):
        part = slice(start, start + ELEMENTS_AT_ONCE)
        nodes = at_nodes(places, cells[part])
        away = np.einsum("pn,nce->pce", values, nodes) - point[:, None]
        away -= np.einsum("pce,c->pe", away, axis)[:, None] * axis[:, None]
        weights = volumes(kind, nodes) * of.weights[:, None] * each[:, part]
        theirs = np.einsum("pn,pce,pe->enc", values, away, weights)
        for component in range(3):
            forces[:, component] += np.bincount(cells[part].ravel(), theirs[..., component].ravel(), len(forces))
