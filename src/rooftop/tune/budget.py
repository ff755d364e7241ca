"""Divide the budget of a tuning among its parts: race, choice, final comparison, and gains of parameters."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rooftop.measure.rules import Rules

RACE = 0.4
CHOOSING = 0.3  # comparison of the best of the race
FINAL = 0.25  # comparison of the chosen one with the default, in new pairs
MOST_FINAL = 0.6  # if runs are long; a comparison that needs more gets only FINAL, since it would not be resolved
GAINS = 0.05  # gain of each parameter
MOST_GAINS = 0.25  # if runs are long, taken from what the final comparison does not need


@dataclass(frozen=True)
class Part:
    """Seconds for a part, and its end in the whole budget: time that earlier parts leave is added to it."""

    share_s: float
    end_s: float


@dataclass(frozen=True)
class Shares:
    """The parts of a budget. The final comparison's is large enough for its minimum of pairs, if possible."""

    race: Part
    choosing: Part
    final: Part
    gains: Part

    @staticmethod
    def of(budget_s: float, rules: Rules, default_s: float = 0.0, best_s: float = 0.0, between: int = 0) -> Shares:
        """Divide a budget by the run times of the default and of the best so far; 0 if unknown.

        The final comparison measures both, and a twin of the faster. The gains need these and the configurations
        `between` them, whose number is known once the best is chosen.
        """
        runs = runs_of(rules)
        needed_s = runs * (default_s + best_s + min(default_s, best_s))
        final_s = max(FINAL * budget_s, needed_s if needed_s <= MOST_FINAL * budget_s else 0.0)
        gains_s = GAINS * budget_s
        left = budget_s - gains_s - final_s
        race_s = left * RACE / (RACE + CHOOSING)
        if between:
            wanted_s = needed_s + runs * between * math.sqrt(default_s * best_s)
            more_s = min(wanted_s, MOST_GAINS * budget_s) - gains_s
            runner_up_s = 2 * runs * best_s  # the runner-up takes part too and is somewhat slower
            moved_s = max(0.0, min(more_s, final_s - needed_s - runner_up_s))
            final_s, gains_s = final_s - moved_s, gains_s + moved_s
        return Shares(
            Part(race_s, race_s),
            Part(left - race_s, left),
            Part(final_s, left + final_s),
            Part(gains_s, budget_s),
        )


def runs_of(rules: Rules) -> int:
    """Return the runs that a configuration needs for its minimum of pairs: one before, one after, one in reserve."""
    return rules.min_pairs + 3
