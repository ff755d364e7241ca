"""Count by simulation how often a verdict over several allocations is wrong, and how often a difference is found.

The jobs of a campaign are simulated, each on a node of its own speed; its pairs are taken, and its allocations weighed,
by the code that `rooftop compare --allocations` and `rooftop pool` run.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Annotated

import numpy as np
import typer
from numpy.typing import NDArray

from benchmarks.form import RESULTS, Asked, PageOption, asked_table, write_page
from benchmarks.verdicts.simulated import NOISE, RULES, Draw, measured, reached
from rooftop.compare.allocations import over_allocations
from rooftop.documents import Verdict
from rooftop.measure.assemble import campaign_floor

PAGE = RESULTS / "allocations.md"
ALLOCATIONS = 4
NODES = 0.1  # so much differ the slowest and the fastest node
EFFECT = 0.03
USUAL = "normal, 3 %"
OTHERS = ("two speeds, 1 and 2", "Cauchy")
MOST_FALSE, LEAST_FOUND = 0.05, 0.9


@dataclass(frozen=True)
class Truth:
    """What is simulated.

    slower   by which part the second command is slower
    between  standard deviation of that from allocation to allocation
    """

    noise: str
    slower: float = 0.0
    between: float = 0.0


def scaled(draw: Draw, factor: float) -> Draw:
    """Return runs that take so many times as long."""

    def times(rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        return factor * draw(rng, count)

    return times


def verdict(truth: Truth, seed: int) -> Verdict:
    """Return the verdict of one campaign over nodes that differ."""
    rng = np.random.default_rng(seed)
    draw, cases = NOISE[truth.noise], {}
    for number, node in enumerate(rng.permutation(np.linspace(1.0, 1.0 + NODES, ALLOCATIONS))):
        ratio = (1 + truth.slower) * math.exp(truth.between * rng.standard_normal())
        draws = {"old": scaled(draw, float(node)), "new": scaled(draw, float(node) * ratio)}
        cases[f"allocation {number}"] = measured(draws, rng, RULES)
    floor = campaign_floor(list(cases.values()), RULES)
    (over,) = over_allocations(cases, floor if math.isfinite(floor) else None, RULES)
    return over.verdict


def main(
    trials: Annotated[int, typer.Option("--trials", help="Campaigns of each kind.")] = 100,
    processes: Annotated[int, typer.Option("--processes", help="Processes that simulate.")] = 1,
    page: PageOption = PAGE,
) -> None:
    """Count false alarms and found differences over four allocations of nodes that differ by 10 %."""
    lines: list[Asked] = []

    def told(line: Asked) -> None:
        lines.append(line)
        print(line.row, flush=True)

    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    with ProcessPoolExecutor(processes) as pool:

        def every(truth: Truth) -> list[Verdict]:
            one: Callable[[int], Verdict] = partial(verdict, truth)
            return list(pool.map(one, range(trials), chunksize=5))

        told(_false(f"two alike, {USUAL}", every(Truth(USUAL)), 0.0))
        told(_found(f"{EFFECT:.0%} slower, {USUAL}", every(Truth(USUAL, EFFECT))))
        for title, between in ((f"the ratio differing by {one:.1%} between allocations", one) for one in (0.005, 0.01)):
            told(_false(f"two alike in the mean, {USUAL}, {title}", every(Truth(USUAL, 0.0, between)), MOST_FALSE))
            told(_found(f"{EFFECT:.0%} slower, {USUAL}, {title}", every(Truth(USUAL, EFFECT, between)), asked=False))
        for noise in OTHERS:
            told(_false(f"two alike, {noise}", every(Truth(noise)), MOST_FALSE))
    title = f"One verdict over {ALLOCATIONS} allocations: asked and reached"
    about = (
        f"Each of {trials} campaigns of a kind is measured whole in {ALLOCATIONS} allocations, by simulated times, on "
        f"nodes whose speeds differ by {NODES:.0%} from the slowest to the fastest. "
        "Noise without a mean and figures in steps, which the page of one allocation has, are not simulated here."
    )
    write_page(page, title, "allocations", about, asked_table(lines))


def _false(what: str, verdicts: list[Verdict], most: float) -> Asked:
    called, trials = sum(one != "not resolved" for one in verdicts), len(verdicts)
    asked = f"at most {most:.0%}" if most else "none"
    return Asked(f"false alarms: {what}", asked, reached(called, trials), called <= most * trials)


def _found(what: str, verdicts: list[Verdict], *, asked: bool = True) -> Asked:
    found, trials = verdicts.count("slower"), len(verdicts)
    least = f"at least {LEAST_FOUND:.0%}" if asked else "–"
    return Asked(f"found: {what}", least, reached(found, trials), found >= LEAST_FOUND * trials if asked else None)
