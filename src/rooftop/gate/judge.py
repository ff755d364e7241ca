"""Whether a slowdown is real: tests of median, mean and distribution against a threshold, corrected for many
benchmarks, confirmed by fresh pairs.

The first look at a benchmark only chooses what is looked at again, and by which score of median, mean and distribution.
Pairs of the second look have chosen nothing, so that their p-value is one whatever the first look did, and the
correction over all benchmarks holds as it would without a first look:
docs/decisions/0007-a-gate-confirms-before-it-fails.md.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Literal, NamedTuple

import numpy as np

from rooftop.compare.advice import MORE, pairs_needed
from rooftop.documents import Question
from rooftop.interrupts import uninterrupted
from rooftop.measure.compare import LEVEL, Spread, judged_mean, spread
from rooftop.measure.correction import holm, level_of
from rooftop.measure.learned_score import learned_score, p_value, p_values_of_questions
from rooftop.measure.pairs import Pairs, mean_with_rare, rare_excess
from rooftop.measure.rules import Rules
from rooftop.measure.shape import scatter
from rooftop.measure.swapping import QUESTIONS, slower_p_values
from rooftop.text.plural import listed, plural

Correction = Literal["holm", "bh"]
Outcome = Literal["fine", "faster", "regression", "not resolved", "wrong", "failed"]


_LEAST_HALF_WIDTH = 0.0025  # where the threshold is next to nothing
_ENOUGH = 60  # pairs, where time allows: a slow run in ten is missed in 60 runs once in 560 times
LEAST_FINE = 30  # pairs, to call it fine: a slow run in five is missed in 30 runs once in 800 times
SUSPICION = 0.5  # a p-value up to which a first look is worth a second one


@dataclass(frozen=True)
class Look:
    """The pairs of one look at a benchmark.

    pairs  the costs of head and base
    floor  A/A, as a relative difference; None: not known, and then nothing can be claimed
    """

    pairs: Pairs
    floor: float | None

    @property
    def effect(self) -> Spread | None:
        """The median of the log-ratios with its interval; None without a pair."""
        return spread(self.pairs.log_ratios)


def bar(threshold: float, floor: float | None) -> float:
    """Return the log-ratio that an effect must exceed: the threshold's, or the floor's where that is higher."""
    return math.inf if floor is None else math.log1p(max(threshold, floor))


def _beyond(pairs: Pairs, limit: float, finest: float) -> Mapping[Question, float]:
    if math.isinf(limit):
        return dict.fromkeys(QUESTIONS, 1.0)
    return slower_p_values(pairs, limit, limit, finest)


def slower(look: Look, threshold: float, finest: float = LEVEL) -> Mapping[Question, float]:
    """Return the p-values of the head being slower by more than the threshold and the floor.

    They are corrected for there being three. A tie speaks against a slowdown.
    """
    return _beyond(look.pairs, bar(threshold, look.floor), finest)


def p_slower(look: Look, threshold: float, finest: float = LEVEL) -> float:
    """Return the p-value of the head being slower by more than the threshold and the floor, in any of the three."""
    return min(slower(look, threshold, finest).values())


def p_faster(look: Look, threshold: float, finest: float = LEVEL) -> float:
    """Return the p-value of the head being faster by more than the threshold and the floor, in any of the three."""
    return min(_beyond(look.pairs.swapped, bar(threshold, look.floor), finest).values())


def p_confirmed(first: Look, second: Look, threshold: float, finest: float = LEVEL) -> float:
    """Return the p-value of the head being slower by more than the threshold and the floor, by fresh pairs alone.

    The first look has chosen by which score.
    """
    limits = bar(threshold, first.floor), bar(threshold, second.floor)
    if any(map(math.isinf, limits)) or not len(first.pairs):
        return 1.0
    return p_value(learned_score(first.pairs, limits[0]), second.pairs, limits[1], finest)


def confirmed_by(first: Look, second: Look, threshold: float, level: float) -> list[Question]:
    """Return the questions by which fresh pairs confirm at a level: each by itself, else the one that says most."""
    score = learned_score(first.pairs, bar(threshold, first.floor))
    found = p_values_of_questions(score, second.pairs, bar(threshold, second.floor))
    return [question for question, one in found.items() if one <= max(level, min(found.values()))]


def corrected(p_values: Sequence[float], correction: Correction) -> list[float]:
    """Return the p-values corrected for their number, in their order.

    holm  the family-wise error rate, however the tests depend on each other: see measure/correction.py
    bh    the false discovery rate: Benjamini and Hochberg, J. R. Statist. Soc. B 57 (1995) 289-300
    """
    if not p_values:
        return []
    if correction == "bh":
        with uninterrupted():
            from scipy import stats

        return [float(p) for p in stats.false_discovery_control(np.asarray(p_values, dtype=float))]
    return holm(p_values)


def fewest_pairs(benchmarks: int, rules: Rules) -> int:
    """Return the pairs that can prove anything at the strictest step of the correction, were they unanimous."""
    return max(rules.min_pairs, math.ceil(math.log2(benchmarks / LEVEL)))


def confirming_pairs(first: int, benchmarks: int, most: int, rules: Rules) -> int:
    """Return how many pairs the second look takes: fixed before the first of them, so that its test is exact.

    As many as the first look needed for a narrow interval, and enough that one pair in five may dissent and that it may
    be called fine.
    """
    return min(max(first, 2 * fewest_pairs(benchmarks, rules), LEAST_FINE), most)


def first_rules(threshold: float, benchmarks: int, most: int, rules: Rules) -> Rules:
    """Return the rules of a first look: intervals that fit between no slowdown and the allowed one, and enough runs
    that slow ones show.
    """
    half_width = max(math.log1p(threshold) / 2, _LEAST_HALF_WIDTH)
    fewest = fewest_pairs(benchmarks, rules)
    return replace(
        rules,
        half_width=min(half_width, rules.half_width),
        min_pairs=fewest,
        pairs=_ENOUGH,
        disturbed_pairs=max(most, rules.disturbed_pairs),
        max_blocks=most,
    )


def second_rules(first: int, benchmarks: int, most: int, rules: Rules) -> Rules:
    """Return the rules of a second look: a number of pairs that is fixed before the first of them."""
    pairs = confirming_pairs(first, benchmarks, most, rules)
    return replace(rules, min_pairs=pairs, max_blocks=pairs)


def suspected(look: Look, threshold: float) -> bool:
    """Whether a first look is worth a second one. Uncorrected: it costs time to be wrong here, and no false alarm."""
    return p_slower(look, threshold, SUSPICION) <= SUSPICION


def regression_p_values(
    first: Mapping[str, Look], second: Mapping[str, Look], thresholds: Mapping[str, float], correction: Correction
) -> dict[str, float]:
    """Return every benchmark's corrected p-value of a regression, from the second looks alone.

    The family is all benchmarks of the gate; p is 1 where there was nothing to look at again.
    """
    names = list(thresholds)
    finest = LEVEL / max(1, len(names))
    raw = [
        p_confirmed(first[name], second[name], thresholds[name], finest)
        if name in second and name in first and suspected(first[name], thresholds[name])
        else 1.0
        for name in names
    ]
    return dict(zip(names, corrected(raw, correction), strict=True))


def improvement_p_values(
    first: Mapping[str, Look], thresholds: Mapping[str, float], correction: Correction
) -> dict[str, float]:
    """Return every benchmark's corrected p-value of an improvement, from the first looks."""
    names = list(thresholds)
    finest = LEVEL / max(1, len(names))
    raw = [p_faster(first[name], thresholds[name], finest) if name in first else 1.0 for name in names]
    return dict(zip(names, corrected(raw, correction), strict=True))


def shown_fine(look: Look, threshold: float, rules: Rules, earlier: Look | None = None) -> bool:
    """Whether a look shows that the head is not slower by the threshold.

    The whole interval of the median says so, that of the mean, and the floor; and the mean would not be slower by it
    either if there were as many rare slow runs as few seen ones leave possible.

    earlier  another look, in which slow runs may have been seen
    """
    effect, judged = look.effect, judged_mean(look.pairs, rules)
    if effect is None or judged is None or look.floor is None:
        return False
    if not effect.proven or effect.count < max(rules.min_pairs, LEAST_FINE):
        return False
    allowed = math.log1p(threshold)
    if min(effect.lo, judged.lo) <= -allowed or look.floor > threshold:
        return False
    return mean_with_rare(look.pairs, excess_seen(look, earlier)) > -allowed


def excess_seen(look: Look, earlier: Look | None = None) -> float:
    """Return by how much the head's rare slow runs exceed the base's, as a cost, in either look."""
    return max(rare_excess(one.pairs) for one in (look, earlier) if one is not None)


class Verdict(NamedTuple):
    """Outcome of a benchmark, and why. `decided_by`: where a regression shows."""

    outcome: Outcome
    why: str = ""
    decided_by: Sequence[Question] = ()


def judge(
    first: Look | None,
    second: Look | None,
    threshold: float,
    p_regression: float,
    p_improvement: float,
    rules: Rules,
    benchmarks: int = 1,
) -> Verdict:
    """Return the verdict on a benchmark whose answers are right.

    p_regression, p_improvement  corrected over all `benchmarks`
    """
    allowed = _percent(threshold)
    if first is None or not len(first.pairs):
        return Verdict("not resolved", "it was interrupted before its first pair")
    if not suspected(first, threshold):
        if p_improvement <= LEVEL:
            return Verdict("faster", f"faster by more than {allowed}")
        if shown_fine(first, threshold, rules):
            return Verdict("fine")
        return Verdict("not resolved", _unresolved(first, None, threshold, 1.0, rules))
    if second is None or not len(second.pairs):
        return Verdict("not resolved", "it looks slower, and was not measured again")
    p = p_confirmed(first, second, threshold)
    if p_regression <= LEVEL:
        where = confirmed_by(first, second, threshold, level_of(p, p_regression))
        told = f"slower by more than {allowed} in {listed([f'the {question}' for question in where])}"
        family = f" over {benchmarks} benchmarks" if benchmarks > 1 else ""
        return Verdict("regression", f"{told}: confirmed by new pairs alone, p = {p_regression:.2g}{family}", where)
    if shown_fine(second, threshold, rules, first) and not suspected(second, threshold):
        return Verdict("fine", "it looked slower at first, and new pairs did not confirm it")
    fresh = min(p, p_slower(second, threshold))
    why = _unresolved(second, first, threshold, fresh, rules)
    return Verdict("not resolved", f"it looked slower at first, not confirmed by new pairs: {why}")


def _percent(share: float) -> str:
    return f"{share * 100:.4g}%"


def _unresolved(look: Look, earlier: Look | None, threshold: float, fresh: float, rules: Rules) -> str:
    """Return why a look shows neither a regression nor its absence, and what would help.

    fresh  the p-value of a second look; 1 of a first one
    """
    effect, allowed = look.effect, _percent(threshold)
    if effect is None or effect.count < rules.min_pairs:
        return f"{plural(len(look.pairs), 'pair')}, at least {rules.min_pairs} are needed: {MORE}"
    if look.floor is None:
        return "the A/A floor could not be measured: give a larger --budget"
    if look.floor > threshold:
        return (
            f"the A/A floor is {look.floor:.2%}, over the threshold of {allowed}: a quieter machine, "
            "longer runs or a larger --threshold would help"
        )
    mean = judged_mean(look.pairs, rules)
    if mean is not None and mean.lo <= -math.log1p(threshold):
        needed = pairs_needed(effect.count, mean.half_width, math.log1p(threshold) / 2)
        return (
            f"{scatter(look.pairs)}, and the mean may be slower by more than {allowed}: its interval is "
            f"[{math.exp(mean.lo):.4g}, {math.exp(mean.hi):.4g}]. About {needed} pairs would tell: {MORE}"
        )
    if effect.lo <= -math.log1p(threshold):
        return "the interval extends beyond the threshold: a larger --budget or --max-pairs would narrow it"
    if fresh <= SUSPICION:
        return f"the new pairs look slower as well, p = {fresh:.2g}: a larger --budget or --max-pairs would tell"
    excess = excess_seen(look, earlier)
    if mean_with_rare(look.pairs, excess) <= -math.log1p(threshold):
        return (
            f"the slowest runs of the head take {excess / fmean(look.pairs.against):.2g} times a mean run longer than "
            f"those of the base, and if they are a few more than were seen, the mean is slower by more than {allowed}: "
            f"{MORE}"
        )
    return (
        f"it looks the same in {plural(effect.count, 'pair')}, of which {LEAST_FINE} are needed to call it fine: fewer "
        f"may miss a slow run in five: {MORE}"
    )
