"""Value of an `*AMPLITUDE` at the end of a step."""

from __future__ import annotations

import numpy as np

from rooftop.errors import Misuse
from rooftop.solvers.elasticity.deck.cards import Card, Row, shown
from rooftop.solvers.elasticity.deck.model import Deck, Step
from rooftop.solvers.elasticity.deck.values import real


def _end_of(step: Step) -> float:
    """Return the duration of a static step."""
    assert step.procedure is not None
    rows = list(step.procedure.rows())
    return real(rows[0], 1, "the duration of the step", 1.0) if rows else 1.0


def _pairs(card: Card) -> list[tuple[float, float]]:
    numbers: list[tuple[Row, int]] = []
    for row in card.rows():
        fields = len(row.fields)
        while fields and row.fields[fields - 1] == "":
            fields -= 1
        numbers += [(row, number) for number in range(fields)]
    if not numbers or len(numbers) % 2:
        raise card.refused(f"has {len(numbers)} numbers; expected pairs of a time and a value")
    values = [real(row, number, "a time or a value", 0.0) for row, number in numbers]
    return list(zip(values[::2], values[1::2], strict=True))


def factor_at_end(deck: Deck, step: Step, load: Card) -> float:
    """Return the factor on the values of a load card at the end of the first step. Raises Misuse."""
    name = load.get("AMPLITUDE")
    if name is None:
        return 1.0
    card = deck.amplitudes.get(name)
    if card is None:
        raise load.refused(f"has amplitude {shown(name)}, which is not defined; expected the name of an *AMPLITUDE")
    card.require_only("NAME", "DEFINITION", "TIME", "VALUE")
    for parameter, known in (
        ("DEFINITION", "TABULAR"),
        ("TIME", "STEPTIME"),
        ("VALUE", "RELATIVE"),
    ):
        found = card.get(parameter)
        if found not in (None, known) and (parameter, found) != ("TIME", "TOTALTIME"):
            raise card.refused(f"with {parameter}={found} is not supported; expected {known}")
    times, values = np.array(_pairs(card)).T
    if (np.diff(times) < 0).any():
        raise Misuse(f"{card.where}: the times of {card.name} are not increasing; expected increasing times")
    return float(np.interp(_end_of(step), times, values))
