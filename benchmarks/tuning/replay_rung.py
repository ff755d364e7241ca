"""Let the tuner search recorded times of a rung, beginning with what its experiment expects to be fast.

`replay_rung.py FILE… [--seeds 10] [--page FILE]`. See README.md.
"""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from typing import Annotated

import typer

from benchmarks.form import Asked, asked_table, write_page
from benchmarks.tuning.recorded_space import Recorded
from rooftop.ladder.discovery import load_declaration
from rooftop.parameters.space import Configuration, label
from rooftop.settings import Settings
from rooftop.tune.rungs import expectation, starting_places

SIX, SHARE = 6, 0.05
BUDGET_S = 60.0  # long enough to tell so few configurations apart
_EXPERIMENTS = Path(__file__).parents[2] / "experiments"


@dataclass(frozen=True)
class Best:
    """What a contest on h5bench found best for a read, as far as the rung has it."""

    said: str
    left_out: str
    is_it: Callable[[Configuration], bool]


BEST_OF_THE_CONTEST = {
    "cc1d": Best("more ranks", "asynchronous reads", lambda one: one["ranks"] != 1 and one["compression"] == "none"),
    "cc2d": Best(
        "more ranks, compression", "asynchronous reads", lambda one: one["ranks"] != 1 and one["compression"] != "none"
    ),
    "stride1d": Best(
        "written in blocks, more ranks, compression",
        "",
        lambda one: one["ranks"] != 1 and one["compression"] != "none" and one["pattern"] == "blocks",
    ),
}


def starts_of(recorded: Recorded) -> list[Configuration]:
    """Return what the experiment of a recording expects to be fast."""
    experiment = recorded.of["rung"].rpartition("/")[0]
    declaration = load_declaration(_EXPERIMENTS / experiment / "experiment.py")
    cases = [one.parameters for one in declaration.cases(recorded.of["size"]) if one.name == recorded.of["case"]]
    expected_s = expectation(declaration, cases, {"ranks": 1, "threads": 1})
    assert expected_s is not None
    configurations = recorded.space.configurations
    return [configurations[place] for place in starting_places(recorded.space, 0, expected_s)]


def trials(recorded: Recorded) -> int:
    """Return how many configurations are a twentieth of the grid."""
    return math.ceil(SHARE * len(recorded.space))


def found(
    recorded: Recorded, strategy: str, seed: int, n_trials: int, starts: Sequence[Configuration] = ()
) -> Configuration:
    """Return the configuration that a tuning of so many ends with."""
    share = BUDGET_S / recorded.exhaustive_s()
    with tempfile.TemporaryDirectory() as folder:
        document = recorded.search(Settings(home=Path(folder)), strategy, seed, share, starts=starts, n_trials=n_trials)
    assert document.best is not None
    return document.best.parameters


def told(recorded: Recorded, answers: Sequence[Configuration], near: float) -> tuple[str, int]:
    """Return in words how near answers are to the best, and how many are near enough."""
    costs = recorded.costs()
    regrets = sorted(costs[label(one)] / min(costs.values()) - 1 for one in answers)
    within = sum(regret <= near for regret in regrets)
    return f"{within} of {len(regrets)}, median {median(regrets):.1%}, worst {regrets[-1]:.1%}", within


def about(recorded: Recorded, answers: Sequence[Configuration]) -> str:
    """Return what a recording has, and whether the contest's best is among what was found."""
    costs, case = recorded.costs(), recorded.of["case"]
    least, default = min(costs, key=costs.__getitem__), label(recorded.space.configurations[0])
    lines = [
        f"- {case}: {len(costs)} configurations, {recorded.exhaustive_s():.0f} s to measure all of them. The best, "
        f"{costs[least]:.3g} ms, is `{least}`; the default takes {costs[default] / costs[least]:.3g} times as long.",
    ]
    if (contest := BEST_OF_THE_CONTEST.get(case)) is not None:
        fitting = [one for one in recorded.space.configurations if contest.is_it(one)]
        theirs = min(costs[label(one)] for one in fitting)
        hits = sum(contest.is_it(one) for one in answers)
        lines.append(
            f"  The contest found best: {contest.said}{f' ({contest.left_out} aside)' if contest.left_out else ''}. "
            f"Here the best such configuration takes {theirs / costs[least]:.3g} times as long as the best of all; the "
            f"tuner ends with one from {hits} of {len(answers)} seeds."
        )
    return "\n".join(lines)


def main(
    recordings: Annotated[list[Path], typer.Argument(metavar="FILE")],
    seeds: Annotated[int, typer.Option("--seeds")] = 10,
    page: Annotated[Path | None, typer.Option("--page", help="Write what came out beside what was asked.")] = None,
) -> None:
    """Print how far from the best a tuning ends after six configurations, and after a twentieth of all."""
    lines: list[Asked] = []
    remarks: list[str] = []
    for recorded in map(Recorded.read, recordings):
        case, starts = recorded.of["case"], starts_of(recorded)
        last: list[Configuration] = []
        for count, near, when in (
            (SIX, 0.1, f"after {SIX} configurations"),
            (trials(recorded), 0.05, f"after {trials(recorded)}, {SHARE:.0%} of the grid"),
        ):
            last = [found(recorded, "tpe", seed, count, starts) for seed in range(seeds)]
            without = [found(recorded, "tpe", seed, count) for seed in range(seeds)]
            at_random = [found(recorded, "shuffled", seed, count) for seed in range(seeds)]
            reached, within = told(recorded, last, near)
            reached += f"; without the model {told(recorded, without, near)[0]}"
            reached += f"; at random {told(recorded, at_random, near)[0]}"
            lines.append(
                Asked(f"{case}: within {near:.0%} of the best {when}", "9 of 10 seeds", reached, within >= 0.9 * seeds)
            )
            print(lines[-1].row)
        remarks.append(about(recorded, last))
        print(remarks[-1])
    remarks.append(
        f"Each tuning has {BUDGET_S:.0f} s, and tries no more configurations than said. *Without the model*: the "
        "default, then a Latin hypercube. *At random*: the default, then any others. Where the default is among "
        "the best, as for contiguous reads from the system's cache, any tuning that keeps it is as near. The contest "
        "read from its device; from the cache there are no bytes to be saved, and decoding takes time."
    )
    if page is not None:
        title = "Tuning reads of HDF5 files: asked and reached"
        write_page(page, title, "replay_rung --page", asked_table(lines), "\n".join(remarks[:-1]), remarks[-1])
