"""`*EQUATION`: linear equations between displacements."""

from __future__ import annotations

from collections.abc import Iterator

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.links import Links
from rooftop.solvers.elasticity.deck.space import Space
from rooftop.solvers.elasticity.deck.values import real, whole
from rooftop.solvers.elasticity.mesh.arguments import Whole

_MOST_TERMS = 1_000_000


def take_equations(links: Links, card: Card, space: Space) -> None:
    """Add the equations of an `*EQUATION`: the number of terms, and each node, direction and factor. Raises Misuse."""
    card.require_only()
    rows = card.rows()
    for head in rows:
        count = whole(head, 0, "the number of terms")
        if not 1 <= count <= _MOST_TERMS or any(head.fields[1:]):
            raise Misuse(
                f"{head.where}: an equation begins with its number of terms; expected one whole number, 1 or more"
            )
        terms = list(_terms(links, head, rows, count, space))
        first, direction, factor = terms[0]
        if factor == 0:
            raise Misuse(f"{head.where}: the factor of the equation's first term is 0; expected another factor")
        for node in first.tolist():
            links.add([(node, direction, factor), *((int(n[0]), d, f) for n, d, f in terms[1:])], 0.0, head.where)


def _terms(
    links: Links, head: Row, rows: Iterator[Row], count: int, space: Space
) -> Iterator[tuple[Whole, int, float]]:
    """Yield the nodes, direction and factor of each term. The first may name a set: one equation for each node."""
    done = 0
    while done < count:
        row = next(rows, None)
        if row is None:
            raise Misuse(f"{head.where}: the equation has {done} terms; expected {count}")
        fields = row.fields
        while fields and fields[-1] == "":
            fields = fields[:-1]
        if len(fields) % 3 or not fields or done + len(fields) // 3 > count:
            raise Misuse(
                f"{row.where}: {len(fields)} fields; expected node, direction and factor for each of {count} terms"
            )
        for at in range(0, len(fields), 3):
            nodes = links.body.nodes_named(Row(row.line, [fields[at]]), 0, space)
            direction = whole(row, at + 1, "a direction from 1 to 3")
            if not 1 <= direction <= 3:
                raise Misuse(f"{row.where}: direction {direction} does not exist for solids; expected 1 to 3")
            if done and len(nodes) != 1:
                raise Misuse(f"{row.where}: {fields[at]} has {len(nodes)} nodes; expected one after the first term")
            yield nodes, direction - 1, real(row, at + 2, "a factor")
            done += 1
