"""One score of each pair, learned from earlier pairs and tested exactly on fresh ones.

Three questions that are asked of the same pairs must be corrected for each other, and the distribution for all values
at which it could differ. What earlier pairs have chosen need not: fresh pairs have chosen nothing. So the earlier ones
say at which cost the distributions are furthest apart, and how much each question is to count: by how many standard
errors it was slower. The fresh pairs are then held to the weighted sum of the three scores alone, each on its own
scale, by the ways of swapping them. That is exact whatever the earlier pairs were.

Sources: Cox, A note on data-splitting for the evaluation of significance levels, Biometrika 62 (1975); O'Brien,
Procedures for comparing samples with multiple endpoints, Biometrics 40 (1984), for the sum of standardised scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from rooftop.documents import Question
from rooftop.interrupts import uninterrupted
from rooftop.measure.pairs import Pairs
from rooftop.measure.swapping import QUESTIONS, apart_at, excess, farthest_apart, p_value_of_sum

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]


@dataclass(frozen=True)
class LearnedScore:
    """What earlier pairs have chosen.

    weights  of the questions that count: the standard errors by which each was slower
    above    the cost at which the distribution of the other side lies furthest above the subject's
    below    the cost at which it lies furthest below; None where it does nowhere
    """

    weights: tuple[tuple[Question, float], ...]
    above: float
    below: float | None


def learned_score(pairs: Pairs, margin: float) -> LearnedScore:
    """Return the score that pairs choose.

    pairs   at least one
    margin  log-ratio up to which the subject may be slower
    """
    above, below = farthest_apart(pairs, margin)
    found = _scores(pairs, margin, above, below)
    errors = ((question, float(_standardised(one).sum())) for question, one in found.items())
    weights = tuple((question, error) for question, error in errors if error > 0)
    return LearnedScore(weights or tuple((question, 1.0) for question in QUESTIONS), above, below)


@lru_cache(maxsize=256)  # a gate asks several times
def p_value(score: LearnedScore, fresh: Pairs, margin: float, finest: float = 0.05) -> float:
    """Return the one-sided p-value of fresh pairs by a score that others have chosen.

    margin  log-ratio up to which the subject may be slower
    finest  the level that the p-value is to be held against
    """
    if not len(fresh):
        return 1.0
    found = _scores(fresh, margin, score.above, score.below)
    total = sum(
        (weight * _standardised(found[question]) for question, weight in score.weights), start=0 * found["mean"]
    )
    return p_value_of_sum(total, finest)


def p_values_of_questions(score: LearnedScore, fresh: Pairs, margin: float) -> dict[Question, float]:
    """Return the p-value of each question that a score weighs, by itself: they are not corrected for each other."""
    found = _scores(fresh, margin, score.above, score.below)
    return {question: p_value_of_sum(found[question]) for question, _ in score.weights}


def _scores(pairs: Pairs, margin: float, above: float, below: float | None) -> dict[Question, Floats]:
    """Return each question's score of every pair: swapping a pair turns its sign."""
    with uninterrupted():
        import numpy as np

    more = excess(pairs, margin)
    return {"median": np.sign(more), "mean": more, "distribution": apart_at(pairs, margin, above, below)}


def _standardised(scores: Floats) -> Floats:
    """Return scores divided by the standard deviation that swapping gives their sum."""
    scale = math.sqrt(float(scores @ scores))
    return scores / scale if scale > 0 else scores
