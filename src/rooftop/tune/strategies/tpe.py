"""Optuna's tree-structured Parzen estimator, applied to the indices of the sorted values.

A proposal that was tried before, or is excluded, is replaced by the nearest untried configuration, so the search stays
in promising regions. Source: Bergstra et al. 2011; Watanabe 2023 (multivariate form, and constant liar for several
proposals at a time).
"""

from __future__ import annotations

import warnings

import numpy as np
import optuna
from scipy.stats import qmc

from rooftop.parameters.space import Configuration, Space
from rooftop.parameters.values import in_order

_STARTUP = 8  # proposals before the model is used: a Latin hypercube, which covers each parameter's values evenly


class Tpe:
    """Implements Strategy."""

    def __init__(self, space: Space, seed: int) -> None:
        optuna.logging.set_verbosity(optuna.logging.WARNING)
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        self._space = space
        self._values = {one.name: in_order(one.values) for one in space.parameters}
        self._distributions: dict[str, optuna.distributions.BaseDistribution] = {
            one.name: optuna.distributions.IntDistribution(0, len(one.values) - 1)
            if one.ordered
            else optuna.distributions.CategoricalDistribution(range(len(one.values)))
            for one in space.parameters
        }
        self._points = np.array([self._point(one) for one in space.configurations], dtype=float)
        self._ordered = np.array([one.ordered for one in space.parameters])
        self._lengths = np.array([max(len(one.values) - 1, 1) for one in space.parameters], dtype=float)
        sampler = optuna.samplers.TPESampler(
            multivariate=True, constant_liar=True, n_startup_trials=_STARTUP, seed=seed
        )
        self._study = optuna.create_study(sampler=sampler)
        counts = np.array([len(values) for values in self._values.values()])
        for cell in qmc.LatinHypercube(len(counts), seed=seed).random(_STARTUP):
            self._study.enqueue_trial(dict(zip(self._values, (cell * counts).astype(int).tolist(), strict=True)))
        self._trials: dict[int, optuna.Trial] = {}
        self._unseen = np.ones(len(space), dtype=bool)
        self._rng = np.random.default_rng(seed)

    def _point(self, configuration: Configuration) -> list[int]:
        """Return the indices of a configuration's values."""
        return [self._values[name].index(value) for name, value in configuration.items()]

    def _nearest(self, point: list[int]) -> int:
        """Return the nearest untried configuration, a random one if several are equally near."""
        apart = np.abs(self._points - np.array(point, dtype=float))
        steps = np.where(self._ordered, apart / self._lengths, apart > 0).sum(axis=1)
        steps[~self._unseen] = np.inf
        return int(self._rng.choice(np.flatnonzero(steps == steps.min())))

    def ask(self) -> int | None:
        if not self._unseen.any():
            return None
        trial = self._study.ask(self._distributions)
        point = [trial.params[name] for name in self._values]
        place = self._nearest(point)
        self._unseen[place] = False
        if self._point(self._space.configurations[place]) == point:
            self._trials[place] = trial
        else:
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
        return place

    def tell(self, place: int, log_cost: float | None) -> None:
        """Learn a cost, also of configurations that it did not propose."""
        self._unseen[place] = False
        trial = self._trials.pop(place, None)
        if trial is not None and log_cost is None:
            self._study.tell(trial, state=optuna.trial.TrialState.FAIL)
        elif trial is not None:
            self._study.tell(trial, log_cost)
        elif log_cost is not None:
            params = dict(zip(self._values, self._point(self._space.configurations[place]), strict=True))
            self._study.add_trial(
                optuna.trial.create_trial(params=params, distributions=self._distributions, value=log_cost)
            )


def begin(space: Space, seed: int) -> Tpe:
    return Tpe(space, seed)
