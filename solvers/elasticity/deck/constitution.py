"""Stiffness and initial stress of a deck's solids at integration points and centres."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.body import Block, Body
from rooftop.solvers.elasticity.deck.initial_state import InitialState
from rooftop.solvers.elasticity.deck.kinds import SOLIDS
from rooftop.solvers.elasticity.deck.properties import Properties, Property
from rooftop.solvers.elasticity.deck.solids import Solids
from rooftop.solvers.elasticity.deck.temperatures import shares
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.elastic_law import FIRST, SECOND, VALUES, Directional, Stiffness, tensors, upper
from rooftop.solvers.elasticity.mesh.element import ELEMENTS_AT_ONCE, at_nodes, forces
from rooftop.solvers.elasticity.mesh.reference_element import reference


@dataclass(frozen=True)
class Made:
    """Elasticity of solids: Young's moduli and Poisson's ratios, (elements,) or (1,), or a stiffness instead."""

    young: Array
    poisson: Array
    stiffness: Stiffness | None


@dataclass(frozen=True)
class Strained:
    """Effect of initial and thermal stresses, which exist without displacements.

    forces   equivalent nodal forces of these stresses, (nodes of the body, 3)
    centre   these stresses at the centres of solids, (elements, 3, 3); None: zero
    """

    forces: Array
    centre: Array | None


def turned(matrix: Array, axes: Array) -> Array:
    """Transform stiffnesses (…, 6, 6) from local axes, the rows of (…, 3, 3), to the global axes."""
    of_stress = np.empty((*axes.shape[:-2], 6, 6))
    for value, (a, b) in enumerate(zip(FIRST, SECOND, strict=True)):
        first, second = axes[..., a, :], axes[..., b, :]
        product = first[..., :, None] * second[..., None, :]
        if a != b:
            product = product + product.swapaxes(-1, -2)
        of_stress[..., value] = product[..., FIRST, SECOND]
    result: Array = of_stress @ matrix @ of_stress.swapaxes(-1, -2)
    return result


def _single(values: Array) -> Array:
    """Return only the first value if all are equal."""
    return values[:1].copy() if len(values) and (values == values[0]).all() else values


@dataclass(frozen=True)
class _Some:
    """A chunk of elements of one block with one property, so small that intermediate results stay in the cache."""

    block: Block
    rows: Whole
    has: Property

    @property
    def nodes(self) -> Whole:
        return self.block.nodes[self.rows]

    @property
    def elements(self) -> Whole:
        """Indices of the elements among all elements of the body."""
        return self.block.first + self.rows


class Constitution:
    """Stiffness and initial stresses of solids; arrays are in the order of `Solids.order`."""

    def __init__(self, body: Body, solids: Solids, properties: Properties) -> None:
        self._body, self._properties, self._solids = body, properties, solids
        self._temperatures = properties.temperatures
        self._initial = InitialState(body)
        for row, elements in self._initial.along_local_axes:
            properties.require_global_axes(row, elements)
        self._at = np.full(body.elements_count, -1, dtype=np.int64)  # position of each element among the solids
        self._at[solids.order] = np.arange(len(solids.order))
        counts = [np.full(len(cells), len(reference(kind).points)) for kind, cells in solids.elements.items()]
        self._first_point = np.concatenate([[0], np.cumsum(np.concatenate(counts))])

    def _some(self) -> Iterator[_Some]:
        for block, rows, found in self._properties.of_solids(self._solids.order):
            for start in range(0, len(rows), ELEMENTS_AT_ONCE):
                yield _Some(block, rows[start : start + ELEMENTS_AT_ONCE], found)

    def _temperature(self, some: _Some, of_nodes: Array, *, centre: bool) -> Array:
        result: Array = shares(SOLIDS[some.block.kind], centre=centre) @ of_nodes[some.nodes].T
        return result

    def _axes(self, some: _Some, *, centre: bool) -> Array | None:
        """Return the local axes at points, (points, elements, 3, 3); None: the global axes."""
        if some.has.orientation is None:
            return None
        of = reference(SOLIDS[some.block.kind])
        values = of.values(of.centre if centre else of.points)
        places = np.einsum("pn,enc->pec", values, self._body.places[some.nodes])
        return some.has.orientation.axes(places, anyhow=centre)

    @np.errstate(over="ignore", invalid="ignore")
    def _matrix(self, some: _Some, *, centre: bool) -> Array:
        """Return the stiffness at integration points or centres, (points, elements, 6, 6)."""
        warm = self._temperature(some, self._temperatures.after, centre=centre)
        matrix = some.has.material.stiffness(warm)
        axes = self._axes(some, centre=centre) if some.has.material.is_directional else None
        return matrix if axes is None else turned(matrix, axes)

    def _varies(self, some: _Some) -> bool:
        """Whether the stiffness varies within elements."""
        material, orientation = some.has.material, some.has.orientation
        assert material.elastic is not None
        around = material.is_directional and orientation is not None and orientation.is_cylindrical
        return around or (not material.elastic.is_constant and self._temperatures.uneven(some.nodes))

    def made(self) -> Made:
        """Return the elasticity of the solids. Raises Misuse."""
        elements = len(self._solids.order)
        varies = directional = False
        for some in self._some():
            varies = varies or self._varies(some)
            directional = directional or some.has.material.is_directional
        if varies or directional:
            return Made(np.ones(1), np.zeros(1), self._stiffness(by_point=varies))
        young, poisson = np.empty(elements), np.empty(elements)
        for some in self._some():
            warm = self._temperature(some, self._temperatures.after, centre=True)[0]
            assert some.has.material.elastic is not None
            found = some.has.material.elastic.at(warm)
            young[self._at[some.elements]], poisson[self._at[some.elements]] = found[:, 0], found[:, 1]
        return Made(_single(young), _single(poisson), None)

    def _stiffness(self, *, by_point: bool) -> Stiffness:
        elements = len(self._solids.order)
        centre = np.empty((elements, VALUES))
        points = np.empty((int(self._first_point[-1]), VALUES)) if by_point else centre
        for some in self._some():
            at = self._at[some.elements]
            centre[at] = upper(self._matrix(some, centre=True))[0]
            if by_point:
                count = len(reference(SOLIDS[some.block.kind]).points)
                points[self._first_point[at] + np.arange(count)[:, None]] = upper(self._matrix(some, centre=False))
        return Stiffness(points if by_point else _single(points), _single(centre))

    @np.errstate(over="ignore", invalid="ignore")
    def _stress(self, some: _Some, *, centre: bool) -> Array | None:
        """Return the initial and thermal stress, (points, elements, 6), along the global axes; None: zero."""
        number = next(n for n, other in enumerate(self._body.blocks) if other is some.block)
        strain = self._strain(some, number, centre=centre)
        before = self._initial.stresses.get(number)
        if before is not None:
            before = _at_points(before[:, some.rows], some, centre=centre)
        if strain is None:
            return before
        twice = strain[..., FIRST, SECOND] * np.where(np.arange(6) < 3, 1, 2)  # engineering shear strains
        stress: Array = -np.matmul(self._matrix(some, centre=centre), twice[..., None])[..., 0]
        return stress if before is None else stress + before

    def _strain(self, some: _Some, number: int, *, centre: bool) -> Array | None:
        """Return the thermal and plastic strain, (points, elements, 3, 3); None: zero."""
        result: Array | None = None
        expansion = some.has.material.expansion if self._temperatures.change else None
        if expansion is not None:
            warm = self._temperature(some, self._temperatures.after, centre=centre)
            cold = self._temperature(some, self._temperatures.before, centre=centre)
            result = expansion.strains(warm) - expansion.strains(cold)
            axes = None if expansion.is_isotropic else self._axes(some, centre=centre)
            if axes is not None:
                result = axes.swapaxes(-1, -2) @ result @ axes
        plastic = self._initial.strains.get(number)
        if plastic is None:
            return result
        values = _at_points(plastic[:, some.rows], some, centre=centre)
        found = tensors(values.swapaxes(1, 2)).transpose(0, 3, 1, 2)
        return found if result is None else result + found

    def strained(self) -> Strained:
        """Return the effect of thermal and initial stresses. Raises Misuse."""
        result = np.zeros((self._body.nodes_count, 3))
        elements = len(self._solids.order)
        every: Array | None = None
        if not self._temperatures.change and not self._initial.stresses and not self._initial.strains:
            return Strained(result, every)
        for some in self._some():
            stress, told = self._stress(some, centre=False), self._stress(some, centre=True)
            if stress is None or told is None or not (stress.any() or told.any()):
                continue
            if every is None:
                every = np.zeros((elements, 3, 3))
            every[self._at[some.elements]] = tensors(told.swapaxes(1, 2))[0].transpose(2, 0, 1)
            places = at_nodes(self._body.places, some.nodes)
            law = Directional(self._matrix(some, centre=False))
            kind = SOLIDS[some.block.kind]
            with np.errstate(over="ignore", invalid="ignore"):
                theirs, _ = forces(kind, places, np.zeros_like(places), law, tensors(stress.swapaxes(1, 2)))
            for component in range(3):
                values = theirs[:, component].T.ravel()
                result[:, component] -= np.bincount(some.nodes.ravel(), values, self._body.nodes_count)
        if not np.isfinite(result).all():
            raise Misuse(
                f"{self._body.deck.path}: forces of thermal or initial stresses are too large; "
                "expected forces below 1e308"
            )
        return Strained(result, every)

    @property
    def remarks(self) -> list[str]:
        """Remarks where programs differ."""
        uneven = any(
            self._temperatures.uneven(some.nodes)
            for some in self._some()
            if self._varies(some) or (self._temperatures.change and some.has.material.expands is not None)
        )
        if not uneven:
            return []
        return [f"{self._body.deck.path}: temperatures vary within elements: they are interpolated as in CalculiX"]


def _at_points(values: Array, some: _Some, *, centre: bool) -> Array:
    """Return values at integration points, (points, elements, …), or their weighted mean for the centre."""
    weights = reference(SOLIDS[some.block.kind]).weights
    return np.einsum("p,pe...->e...", weights / weights.sum(), values)[None] if centre else values
