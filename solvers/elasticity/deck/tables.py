"""Tables of values by temperature: interpolated linearly, constant outside of their range."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row
from rooftop.solvers.elasticity.deck.values import real
from rooftop.solvers.elasticity.mesh.arguments import Array
from rooftop.text.plural import plural

_EACH_LINE = 8  # values on each line


@dataclass(frozen=True)
class Table:
    """Values (rows, values) at increasing temperatures (rows,)."""

    card: Card
    temperatures: Array
    values: Array

    @property
    def is_constant(self) -> bool:
        """Whether all rows have the same values."""
        return bool((self.values == self.values[0]).all())

    def at(self, temperatures: Array) -> Array:
        """Return the values (…, values) at temperatures (…)."""
        if self.is_constant:
            return np.broadcast_to(self.values[0], (*temperatures.shape, self.values.shape[1]))
        columns = [np.interp(temperatures, self.temperatures, column) for column in self.values.T]
        return np.stack(columns, axis=-1)

    def of(self, values: Array) -> Table:
        """Return a table with other values at the same temperatures."""
        return Table(self.card, self.temperatures, values)


def read_table(card: Card, names: tuple[str, ...], default: float | None = None) -> Table:
    """Read the table of a card. Raises Misuse.

    names    names of the values at each temperature, for messages
    default  value of the last one if it is blank; None: it is required
    """
    card_rows = list(card.rows())
    each = -(-len(names) // _EACH_LINE)
    if not card_rows or len(card_rows) % each:
        expected = plural(each, "line")
        raise card.refused(f"has {plural(len(card_rows), 'line')}; expected {expected} for each temperature")
    temperatures, values = [], []
    for first in range(0, len(card_rows), each):
        lines = card_rows[first : first + each]
        values.append([_value(lines, number, names, default) for number in range(len(names))])
        temperatures.append(_temperature(lines[-1], len(names) - _EACH_LINE * (each - 1)))
    result = Table(card, np.array(temperatures), np.array(values))
    if not result.is_constant:
        for row in range(1, len(temperatures)):
            if temperatures[row] <= temperatures[row - 1]:
                raise Misuse(
                    f"{card_rows[each * row].where}: {card.name} has temperature {temperatures[row]:g} after "
                    f"{temperatures[row - 1]:g}; expected increasing temperatures"
                )
    return result


def _value(lines: list[Row], number: int, names: tuple[str, ...], default: float | None) -> float:
    row, column = lines[number // _EACH_LINE], number % _EACH_LINE
    return real(row, column, names[number], default if number == len(names) - 1 else None)


def _temperature(row: Row, number: int) -> float:
    if any(row.fields[number + 1 :]):
        raise Misuse(f"{row.where}: the line has {len(row.fields)} values; expected {number} and a temperature")
    return real(row, number, "a temperature", 0.0)
