"""How a tuning shares out its budget among its parts."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.measure.rules import Rules

RACE = 0.4
CHOOSING = 0.3  # among the best of the race
FINAL = 0.25  # the comparison whose pairs have chosen nothing
MOST_FINAL = 0.6  # where runs are long; what needs more cannot be confirmed in this budget, and is not waited for
GAINS = 0.05  # what each parameter brings


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
    def of(budget_s: float, rules: Rules, default_s: float = 0.0, best_s: float = 0.0) -> Shares:
        """Share out a budget, by what a run of the default and of the best so far takes; 0 where it is not known.

        The last comparison is of these two, and the faster has a twin.
        """
        needed_s = runs_of(rules) * (default_s + best_s + min(default_s, best_s))
        final_s = max(FINAL * budget_s, needed_s if needed_s <= MOST_FINAL * budget_s else 0.0)
        left = (1 - GAINS) * budget_s - final_s
        race_s = left * RACE / (RACE + CHOOSING)
        return Shares(
            Part(race_s, race_s),
            Part(left - race_s, left),
            Part(final_s, left + final_s),
            Part(GAINS * budget_s, budget_s),
        )


def runs_of(rules: Rules) -> int:
    """Give how often a configuration runs for its fewest pairs: once before and once after, and some are slow."""
    return rules.min_pairs + 3
