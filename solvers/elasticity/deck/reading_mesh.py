"""Read cards of nodes, elements, sets, surfaces and sections."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row, name_of, shown
from rooftop.solvers.elasticity.deck.kinds import MASSES, SHAPES, SOLIDS, is_line, is_surface
from rooftop.solvers.elasticity.deck.orientation import Orientation
from rooftop.solvers.elasticity.deck.space import Elements, Member, Section, Space, Surface
from rooftop.solvers.elasticity.deck.values import MOST, is_whole, label, real, table, whole
from rooftop.solvers.elasticity.mesh.arguments import Array, Whole
from rooftop.solvers.elasticity.mesh.kinds import KINDS


def read_nodes(card: Card, space: Space) -> None:
    """Read the nodes of a `*NODE`; missing coordinates are 0."""
    card.require_only("NSET", "SYSTEM")
    if card.get("SYSTEM") not in (None, "R"):
        raise card.refused(f"with SYSTEM={card.get('SYSTEM')} is not supported; expected rectangular coordinates")
    found = table(card.data, 4)
    if found is not None and _are_labels(found[:, :1]):
        labels, places = found[:, 0].astype(np.int64), np.ascontiguousarray(found[:, 1:])
    else:
        labels, places = _nodes_by_line(card)
    if card.get("NSET") is not None:
        row = Row(card.line, [])
        space.add_to_set(space.node_sets, card.required("NSET"), Member(row, None, labels))
    space.labels.append(labels)
    space.places.append(places)


def _are_labels(values: Array) -> bool:
    return bool((values == np.trunc(values)).all() and values.min() >= 1 and values.max() <= MOST)


def _nodes_by_line(card: Card) -> tuple[Whole, Array]:
    labels, places = [], []
    for row in card.rows():
        if any(row.fields[4:7]) or len(row.fields) > 7:
            raise Misuse(
                f"{row.where}: {shown(row.line.text.strip())} is too long; expected a node's number and coordinates"
            )
        labels.append(label(row, 0, "the number of a node"))
        places.append([real(row, 1 + c, f"the coordinate along {'xyz'[c]}", 0.0) for c in range(3)])
    return np.array(labels, np.int64), np.array(places, np.float64).reshape(-1, 3)


def read_elements(card: Card, space: Space) -> None:
    """Read the elements of an `*ELEMENT`, which may span several lines."""
    card.require_only("TYPE", "ELSET", "SOLIDELEMENTNUMBERING")
    kind = card.required("TYPE")
    if not (kind in SHAPES or is_surface(kind) or is_line(kind) or kind in MASSES):
        raise card.refused(f"with TYPE={kind} is not supported; expected {', '.join(SOLIDS)}")
    nodes = KINDS[SHAPES[kind]].nodes if kind in SHAPES else None
    found = None if nodes is None else table(card.data, 1 + nodes)
    if found is None or not _are_labels(found):
        rows = [np.array(row, np.int64) for row in _elements_by_line(card, nodes)]
        if len({len(row) for row in rows}) > 1:  # only of elements other than solids
            width = max(map(len, rows))
            rows = [np.pad(row, (0, width - len(row)), mode="edge") for row in rows]
        whole_rows = np.stack(rows) if rows else np.empty((0, 1 + (nodes or 0)), np.int64)
    else:
        whole_rows = found.astype(np.int64)
    elements = Elements(card, kind, whole_rows[:, 0].copy(), np.ascontiguousarray(whole_rows[:, 1:]))
    space.elements.append(elements)
    if card.get("ELSET") is not None:
        row = Row(card.line, [])
        space.add_to_set(space.element_sets, card.required("ELSET"), Member(row, None, elements.labels))


def _elements_by_line(card: Card, nodes: int | None) -> Iterator[list[int]]:
    """Yield the number and the nodes of each element; `nodes` None: a line that ends with a comma continues."""
    begun: list[int] = []
    for row in card.rows():
        fields = row.fields
        goes_on = nodes is None and fields[-1] == "" and len(fields) > 1
        while fields and fields[-1] == "":
            fields = fields[:-1]
        for number in range(len(fields)):
            begun.append(label(row, number, "the number of an element" if not begun else "the number of a node"))
        if nodes is None:
            if begun and not goes_on:
                yield begun
                begun = []
        elif len(begun) == nodes + 1:
            yield begun
            begun = []
        elif len(begun) > nodes + 1:
            raise Misuse(
                f"{row.where}: element {begun[0]} has {len(begun) - 1} nodes; expected {nodes} for {card.get('TYPE')}"
            )
    if begun and nodes is not None:
        raise Misuse(
            f"{card.data[-1].where}: element {begun[0]} has {len(begun) - 1} nodes; expected {nodes} for "
            f"{card.get('TYPE')}"
        )
    if begun:
        yield begun


def read_set(card: Card, space: Space) -> None:
    """Read an `*NSET` or `*ELSET`: numbers, ranges, and names of other sets."""
    of_nodes = card.keyword == "NSET"
    parameter = card.keyword
    card.require_only(parameter, "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED", *(("ELSET",) if of_nodes else ()))
    name, instance = card.required(parameter), card.get("INSTANCE")
    sets = space.node_sets if of_nodes else space.element_sets
    sets.setdefault(name, [])
    if of_nodes and "ELSET" in card.parameters:  # the nodes of elements
        sets[name].append(Member(Row(card.line, []), instance, None, f"ELSET={card.required('ELSET')}"))
        return
    if "GENERATE" in card.parameters:
        for row in card.rows():
            sets[name].append(Member(row, instance, span=_span(row)))
        return
    numbers: list[int] = []
    last: Row | None = None
    for row in card.rows():
        last = row
        for number, text in enumerate(row.fields):
            if is_whole(text):
                numbers.append(label(row, number, "a number or the name of a set"))
            elif text:
                sets[name].append(Member(row, instance, None, name_of(text)))
    if last is not None and numbers:
        sets[name].append(Member(last, instance, np.array(numbers, np.int64)))


def _span(row: Row) -> range:
    first, last = label(row, 0, "the first number"), label(row, 1, "the last number")
    step = whole(row, 2, "a step of 1 or more", 1) or 1
    if step < 0 or last < first:
        raise Misuse(f"{row.where}: {first} to {last} by {step} is empty; expected the first, the last and a step")
    return range(first, last + 1, step)


def read_surface(card: Card, space: Space) -> None:
    """Read a `*SURFACE` of element faces or nodes. Its members are looked up when it is used."""
    card.require_only("NAME", "TYPE", "INTERNAL")
    kind = card.get("TYPE") or "ELEMENT"
    if kind not in ("ELEMENT", "NODE"):
        raise card.refused(f"with TYPE={kind} is not supported; expected ELEMENT or NODE")
    name = card.required("NAME")
    if name in space.surfaces:
        raise card.refused(
            f"defines {shown(name)} again, after {space.surfaces[name].card.where}; expected different names"
        )
    space.surfaces[name] = Surface(card, kind == "NODE", list(card.rows()))


def read_solid_section(card: Card, space: Space) -> None:
    """Read a `*SOLID SECTION`. Its orientation has an effect only with anisotropic materials."""
    card.require_only("ELSET", "MATERIAL", "ORIENTATION", "CONTROLS")
    orientation = card.get("ORIENTATION")
    space.sections.append(Section(card, card.required("ELSET"), card.required("MATERIAL"), orientation))


def read_orientation(card: Card, space: Space) -> None:
    """Read an `*ORIENTATION`. Its data are checked when it is used."""
    space.orientations[card.required("NAME")] = Orientation.of(card)


def read_other_section(card: Card, space: Space) -> None:
    """Read a section of elements other than solids. It is an error if its set has elements."""
    space.sections.append(Section(card, card.required("ELSET"), None))
