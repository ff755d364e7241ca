"""Divide the budget of a tuning among its parts."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rooftop.measure.rules import Rules

RACE = 0.4
CHOOSING = 0.3  # among the best of the race
FINAL = 0.25  # the comparison whose pairs have chosen nothing
MOST_FINAL = 0.6  # where runs are long; what needs more cannot be confirmed in this budget, and is not waited for
GAINS = 0.05  # what each parameter brings
MOST_GAINS = 0.25  # where runs are long, from what the last comparison does not need


@dataclass(frozen=True)
class Part:
    """Seconds that a part may take, and by when in the whole it ends: what an earlier part leaves is its gain."""

    share_s: float
    end_s: float


@dataclass(frozen=True)
class Shares:
    """The parts of a budget, the last comparison's large enough for its fewest pairs where that can be."""

    race: Part
    choosing: Part
    final: Part
    gains: Part

    @staticmethod
    def of(budget_s: float, rules: Rules, default_s: float = 0.0, best_s: float = 0.0, between: int = 0) -> Shares:
        """Share out a budget, by what a run of the default and of the best so far takes; 0 where it is not known.

        The last comparison is of these two, and the faster has a twin. What each parameter brings is told by these
        and by so many configurations `between` them, which are known once the best is.
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
            runner_up_s = 2 * runs * best_s  # it takes part as well, and is somewhat slower
            moved_s = max(0.0, min(more_s, final_s - needed_s - runner_up_s))
            final_s, gains_s = final_s - moved_s, gains_s + moved_s
        return Shares(
            Part(race_s, race_s),
            Part(left - race_s, left),
            Part(final_s, left + final_s),
            Part(gains_s, budget_s),
        )


def runs_of(rules: Rules) -> int:
    """Return how often a configuration runs for its fewest pairs: once before and once after, and some are slow."""
    return rules.min_pairs + 3
