"""Let the tuner search recorded times: `replay FILE[:NAME=VALUES]… [--seeds 10] [--share 0.1] [--page FILE]`.

See README.md.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from benchmarks.form import Asked, asked_table, write_page
from benchmarks.tuning.recorded_space import Recorded
from rooftop.parameters.values import read_values
from rooftop.settings import Settings

NEAR = 0.03


def regrets(recorded: Recorded, strategy: str, seeds: int, share: float) -> list[float]:
    """Return how far from the best a strategy ends from each seed, the nearest first."""
    found = []
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            found.append(recorded.regret(recorded.search(Settings(home=Path(folder)), strategy, seed, share)))
    return sorted(found)


def told(found: list[float]) -> str:
    """Return how many ended near the best, and where the others did."""
    within = sum(regret <= NEAR for regret in found)
    return f"{within} of {len(found)}, median {median(found):.1%}, worst {found[-1]:.1%}"


def named(what: str) -> tuple[str, Recorded]:
    """Return title and runs of a recording, or of the part of it in which a parameter has some of its values."""
    file, _, part = what.partition(":")
    recorded, title = Recorded.read(Path(file)), Path(file).stem
    if not part:
        return title, recorded
    name, _, values = part.partition("=")
    return f"{title} with {part}", recorded.only(name, read_values(name, values))


def main(
    recordings: Annotated[list[str], typer.Argument(metavar="FILE[:NAME=VALUES]")],
    seeds: Annotated[int, typer.Option("--seeds")] = 10,
    share: Annotated[float, typer.Option("--share")] = 0.1,
    page: Annotated[Path | None, typer.Option("--page", help="Write what came out beside what was asked.")] = None,
) -> None:
    """Print how far from the best each strategy ends."""
    lines: list[Asked] = []
    about: list[str] = []
    for title, recorded in map(named, recordings):
        costs = sorted(recorded.costs().values())
        near = sum(cost <= (1 + NEAR) * costs[0] for cost in costs)
        about.append(
            f"- {title}: {len(costs)} configurations, {recorded.exhaustive_s():.0f} s to measure all of them, "
            f"{near} within {NEAR:.0%} of the best."
        )
        print(about[-1])
        by_model, at_random = (regrets(recorded, strategy, seeds, share) for strategy in ("tpe", "shuffled"))
        print(f"tpe: {told(by_model)}\nshuffled: {told(at_random)}")
        within = sum(regret <= NEAR for regret in by_model)
        lines += [
            Asked(
                f"{title}: within {NEAR:.0%} of the best at {share:.0%} of the cost",
                "9 of 10 seeds",
                told(by_model),
                within >= 0.9 * seeds,
            ),
            Asked(
                f"{title}: nearer than random search",
                f"random search: {told(at_random)}",
                told(by_model),
                median(by_model) < median(at_random),
            ),
        ]
    if page is not None:
        title = "How good a configuration `rooftop tune` finds: asked and reached"
        write_page(page, title, "replay --page", asked_table(lines), "\n".join(about))
