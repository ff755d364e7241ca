"""Measure all configurations of a space in rounds over all of them, each in random order."""

from __future__ import annotations

import random
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.tuning.recorded_space import Recorded
from rooftop.parameters.space import Configuration, Space, label


@dataclass(frozen=True)
class Rounds:
    """How often configurations run.

    rounds   over all of them
    further  over those that are within `near` of the best
    seconds  after which it ends, to be gone on with later
    """

    rounds: int
    further: int
    near: float
    seconds: float = float("inf")


def recorded_in(file: Path, space: Space, of: Mapping[str, str]) -> Recorded:
    """Return what a file has so far of a space. Raises SystemExit where it has another one."""
    if not file.exists():
        return Recorded(space, {label(one): [] for one in space.configurations}, [], of)
    found = Recorded.read(file)
    if list(found.runs) != [label(one) for one in space.configurations] or dict(found.of) != dict(of):
        raise SystemExit(f"{file} is a recording of something else: remove it, or name another file")
    return found


def _next_round(recorded: Recorded, how: Rounds) -> list[Configuration]:
    """Return the configurations that are due: those that have run least often, as long as any have to."""
    counts = {name: len(runs) for name, runs in recorded.runs.items()}
    due, wanted = list(recorded.space.configurations), how.rounds
    if min(counts.values()) >= how.rounds:
        costs, wanted = recorded.costs(), how.rounds + how.further
        due = [one for one in due if costs[label(one)] <= (1 + how.near) * min(costs.values())]
    least = min(counts[label(one)] for one in due)
    return [one for one in due if counts[label(one)] == least] if least < wanted else []


def run_rounds(
    file: Path,
    recorded: Recorded,
    how: Rounds,
    measured: Callable[[Configuration], float],
    beside: Callable[[], float] | None,
) -> bool:
    """Run what is due, and write it. Return whether all rounds are done.

    measured  the milliseconds of a run of a configuration
    beside    the same of a run of always the same one, before each; None: there is none
    """
    times = {name: list(runs) for name, runs in recorded.runs.items()}
    state = list(recorded.beside)
    turn, end_s = sum(map(len, times.values())), time.monotonic() + how.seconds
    done = False

    def now() -> Recorded:
        return Recorded(recorded.space, times, state, recorded.of)

    while time.monotonic() < end_s and not (done := not (due := _next_round(now(), how))):
        print(f"{len(due)} configurations are due", file=sys.stderr)
        for one in random.sample(due, len(due)):
            if time.monotonic() >= end_s:
                break
            if beside is not None:
                state.append(beside())
            times[label(one)].append((turn, measured(one)))
            turn += 1
    now().write(file)
    return done
