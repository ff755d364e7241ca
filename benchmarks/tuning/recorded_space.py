"""Searches a space whose times were recorded in full, to tell how good a strategy is without a clock."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from statistics import mean, median
from typing import Any

import numpy as np
from scipy import ndimage

from rooftop.campaign.bench import Bench
from rooftop.campaign.run import run_campaign
from rooftop.command.measurement import Measurement
from rooftop.documents import Machine, Roof
from rooftop.driver.replay import Recording, ReplayExecutor
from rooftop.errors import Misuse
from rooftop.measure.case_state import CaseState
from rooftop.parameters.space import Configuration, Parameter, Space, label
from rooftop.parameters.values import Value
from rooftop.settings import Settings
from rooftop.tune.document import TuneDocument
from rooftop.tune.options import Options
from rooftop.tune.run import KIND

_DRAWS = 499
_NEIGHBOURS = 11  # runs whose median tells the machine's state at one of them


class _Still:
    """A machine that never changes, and says nothing."""

    def identity(self) -> Machine:
        """See Place."""
        return Machine(
            id="recorded",
            processor="none: times are replayed",
            architecture="none",
            cores=1,
            threads_per_core=1,
            numa_nodes=1,
            memory_bytes=0,
        )

    def known_roofs(self, machine: Machine) -> list[Roof]:
        """See Place."""
        return []

    def conditions(self) -> dict[str, Any]:
        """See Place."""
        return {}

    def remark(self, message: str) -> None:
        """See CommandWatcher."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


@dataclass(frozen=True)
class Recorded:
    """A space with every configuration's runs: (turn, milliseconds) of each, turns counted over all runs.

    `beside`: what one configuration took, always the same, just before each turn; empty where it was not run.
    `of`: the rung, the size and the case that were run; empty where it was a command.
    """

    space: Space
    runs: Mapping[str, Sequence[tuple[int, float]]]
    beside: Sequence[float] = ()
    of: Mapping[str, str] = field(default_factory=dict)

    @staticmethod
    def read(file: Path) -> Recorded:
        """Return what `write` wrote."""
        content = json.loads(file.read_text(encoding="utf-8"))
        parameters = [Parameter(name, kind, tuple(values)) for name, kind, values in content["parameters"]]
        space = Space(parameters, content["where"])
        return Recorded(space, content["runs"], content.get("beside", ()), content.get("of", {}))

    def only(self, name: str, values: Sequence[Value]) -> Recorded:
        """Return the part in which a parameter has these of its values.

        Raises Misuse for a parameter or a value that was not recorded.
        """
        if not any(one.name == name and set(values) <= set(one.values) for one in self.space.parameters):
            raise Misuse(f"{name} was not recorded with all of {', '.join(map(str, values))}")
        parameters = [replace(one, values=tuple(values)) if one.name == name else one for one in self.space.parameters]
        space = Space(parameters, self.space.conditions)
        return replace(self, space=space, runs={one: self.runs[one] for one in map(label, space.configurations)})

    def write(self, file: Path) -> None:
        """Write it as JSON."""
        parameters = [[one.name, one.kind, one.values] for one in self.space.parameters]
        content = {"parameters": parameters, "where": list(self.space.conditions), "runs": self.runs}
        content |= {"beside": self.beside} if len(self.beside) else {}
        content |= {"of": self.of} if self.of else {}
        file.write_text(json.dumps(content, separators=(",", ":")).replace("],", "],\n") + "\n", encoding="utf-8")

    @cached_property
    def times(self) -> dict[str, list[float]]:
        """Every configuration's times, in milliseconds, as they would have been on a machine that does not drift.

        A machine's state holds for a while, and slows whatever runs then. A tuner that compares within blocks sees no
        more of it than this.
        """
        level = self._levels()
        return {name: [time / level[turn] for turn, time in runs] for name, runs in self.runs.items()}

    def _levels(self) -> dict[int, float]:
        """Return by how much the machine's state slowed every turn.

        The configuration that runs between all others tells it, by the two runs before a turn and the two after it.
        Where there is none, the median of what neighbouring turns take beside their configurations' medians does.
        """
        if len(self.beside):
            usual, last = median(self.beside), len(self.beside)
            around = (self.beside[max(0, turn - 1) : min(last, turn + 3)] for turn in range(last))
            return {turn: median(near) / usual for turn, near in enumerate(around)}
        middle = {name: median(time for _, time in runs) for name, runs in self.runs.items()}
        turns = sorted((turn, time / middle[name]) for name, runs in self.runs.items() for turn, time in runs)
        factors = ndimage.median_filter(np.array([factor for _, factor in turns]), size=_NEIGHBOURS, mode="nearest")
        return {turn: float(factor) for (turn, _), factor in zip(turns, factors, strict=True)}

    def costs(self) -> dict[str, float]:
        """Return every configuration's median time."""
        return {name: median(times) for name, times in self.times.items()}

    def exhaustive_s(self) -> float:
        """Return what it takes to run all configurations, each as often as the one that was run least."""
        rounds = min(len(runs) for runs in self.runs.values())
        return sum(rounds * mean(time for _, time in runs) for runs in self.runs.values()) * 1e-3

    def search(
        self,
        settings: Settings,
        strategy: str,
        seed: int,
        share: float,
        *,
        starts: Sequence[Configuration] = (),
        n_trials: int | None = None,
    ) -> TuneDocument:
        """Tune with a share of what recording took, on times drawn from the recorded ones; see Options."""
        rng = random.Random(seed)
        recordings = {}
        for name, times in self.times.items():
            recordings[name] = Recording([time * 1e6 for time in rng.choices(times, k=_DRAWS)], untimed=0)
        options = Options(
            words=("recorded", *(f"{{{one.name}}}" for one in self.space.parameters)),
            # Nothing is started: ranks need no launcher here.
            parameters=tuple(
                (one.name, "param" if one.kind == "ranks" else one.kind, one.values) for one in self.space.parameters
            ),
            where=self.space.conditions,
            strategy=strategy,
            starts=tuple(tuple(one.items()) for one in starts),
            n_trials=n_trials,
            how=Measurement(seed=seed, budget_s=share * self.exhaustive_s()),
        )
        still = _Still()
        bench = Bench(settings, still, still, ReplayExecutor(recordings))
        document: TuneDocument = run_campaign(bench, KIND, options).document
        return document

    def regret(self, document: TuneDocument) -> float:
        """Return how much longer the configuration found takes than the best, as a relative difference."""
        costs = self.costs()
        assert document.best is not None
        return costs[label(document.best.parameters)] / min(costs.values()) - 1
