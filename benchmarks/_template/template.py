"""How fast Python adds up a list, beside NumPy."""

from __future__ import annotations

import timeit
from typing import Annotated

import numpy as np
import typer

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, write_page

PAGE = RESULTS / "template.md"
MOST_RATIO = 100.0


def rows(count: int, rounds: int) -> list[Asked]:
    """Return the figures reached beside those asked."""
    numbers = list(range(count))
    array = np.array(numbers)
    seconds = [min(timeit.repeat(call, number=10, repeat=rounds)) for call in (lambda: sum(numbers), array.sum)]
    return [Asked.at_most("time of sum() over time of numpy.sum()", MOST_RATIO, seconds[0] / seconds[1])]


def main(
    count: Annotated[int, typer.Option(min=1, help="How many numbers are added up.")] = 100_000,
    rounds: Annotated[int, typer.Option(min=1, help="The fastest of so many rounds counts.")] = 9,
    to: PageOption = PAGE,
) -> None:
    """Measure, and write docs/results/template.md."""
    write_page(to, "Adding up a list: asked and reached", "template", asked_table(rows(count, rounds)))
