"""Lets the tuner search recorded times: `replay.py FILE [--seeds 10] [--share 0.1]`. See README.md."""

from __future__ import annotations

import tempfile
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from rooftop.settings import Settings
from rooftop.tune.recorded import Recorded


def replay(
    file: Path,
    seeds: Annotated[int, typer.Option("--seeds")] = 10,
    share: Annotated[float, typer.Option("--share")] = 0.1,
) -> None:
    """Print how far from the best each strategy ends."""
    recorded = Recorded.read(file)
    costs = sorted(recorded.costs().values())
    near = sum(cost <= 1.03 * costs[0] for cost in costs)
    print(f"{len(costs)} configurations, {recorded.exhaustive_s():.0f} s, {near} within 3 % of the best")
    for strategy in ("tpe", "shuffled"):
        regrets, tried = [], []
        for seed in range(seeds):
            with tempfile.TemporaryDirectory() as folder:
                document = recorded.search(Settings(home=Path(folder)), strategy, seed, share)
            regrets.append(recorded.regret(document))
            tried.append(len(document.tried))
        told = ", ".join(f"{regret:.1%}" for regret in sorted(regrets))
        within = sum(regret <= 0.03 for regret in regrets)
        print(f"{strategy}: {within} of {seeds} within 3 %: {told}; {median(tried):g} tried")


if __name__ == "__main__":
    typer.run(replay)
