"""Which samples the comparisons of a case still need, and which of them there is time for."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rooftop.measure.arms import Arm, pair_iterations
from rooftop.measure.compare import settled, spread
from rooftop.measure.correction import least_pairs
from rooftop.measure.figures import common_names, pair_count, pairs_of_each
from rooftop.measure.pairings import Pairing
from rooftop.measure.rules import Rules

T = TypeVar("T")


@dataclass(frozen=True, order=True)
class Task:
    """One sample to take in a block: an arm by its place in the case, and the iterations."""

    arm: int
    iterations: int


def fewest_pairs(arms: Sequence[Arm], wanted: Sequence[Pairing], rules: Rules) -> int:
    """Return how many pairs a verdict needs: more than the rules say where many verdicts are corrected together."""
    corrected = sum(
        len(common_names([arms[pairing.subject], arms[pairing.against]])) if arms[pairing.subject].metric.each else 1
        for pairing in wanted
        if arms[pairing.subject].role == "command"
    )
    return max(rules.min_pairs, least_pairs(corrected)) if corrected else rules.min_pairs


def sides(arms: Sequence[Arm], pairing: Pairing) -> tuple[Task, Task]:
    """Return the two samples that a pair consists of."""
    iterations = pair_iterations(arms[pairing.subject], arms[pairing.against])
    return Task(pairing.subject, iterations), Task(pairing.against, iterations)


def open_tasks(arms: Sequence[Arm], wanted: Sequence[Pairing], rules: Rules) -> dict[Task, int]:
    """Return the samples that a further block should take, and how many each task wants in all to come.

    A comparison that is settled, in every figure that it is about, asks for nothing; so slow rungs retire while others
    go on. An arm in no comparison is sampled until its own median is known as well.
    """
    tasks: dict[Task, int] = {}
    in_pairs: set[int] = set()
    fewest = fewest_pairs(arms, wanted, rules)
    for pairing in wanted:
        in_pairs |= {pairing.subject, pairing.against}
        subject, against = arms[pairing.subject], arms[pairing.against]
        taken, both = pair_count(subject, against), sides(arms, pairing)
        missing = max(fewest - taken, 1)
        if taken >= rules.max_blocks:  # where pairs began anew for a third arm, these two have more blocks than most
            continue
        if all(tasks.get(task, 0) >= missing for task in both):  # others ask for as much
            continue
        if taken >= max(fewest, rules.pairs) and all(settled(one, rules) for one in pairs_of_each(subject, against)):
            continue
        for task in both:
            tasks[task] = max(missing, tasks.get(task, 0))
    for place, arm in enumerate(arms):
        if arm.outcome == "ok" and place not in in_pairs:
            own = spread([sample.run_s for sample in arm.samples if sample.iterations == arm.iterations])
            narrow = own is not None and own.proven and own.half_width <= rules.half_width * own.median
            count = own.count if own is not None else 0
            if not narrow and count < rules.max_blocks:
                tasks[Task(place, arm.iterations)] = max(rules.min_pairs - count, 1)
    return tasks


def void_blocks(arms: Sequence[Arm]) -> int:
    """Return the blocks before pairs last began anew: they count for nothing, not even as blocks."""
    return max(
        (sample.block + 1 for arm in arms if arm.alive for sample in arm.samples if sample.iterations < arm.iterations),
        default=0,
    )


def affordable(
    wanted: Mapping[T, tuple[float, int]], remaining_s: float, scarce: float, untimed: Collection[T] = ()
) -> dict[T, int]:
    """Return how many samples each task may still take.

    wanted       task to (cost of one sample in seconds, samples it still wants, at least 1)
    remaining_s  time left for all of them; below 0, where it has been overdrawn, nothing is granted
    scarce       part of `remaining_s` that a task may have which cannot get all it wants
    untimed      tasks that have one sample anyway, where there is time for it: nothing is known of them yet

    The cheapest first, so that as many as possible have all they want and the dearest go short; one that goes short
    must not starve what comes after the fewest pairs.
    """
    granted: dict[T, int] = {}
    left = remaining_s = max(remaining_s, 0.0)
    by_demand = sorted(wanted, key=lambda task: wanted[task][0] * wanted[task][1])
    for task in by_demand:
        cost, count = wanted[task]
        samples = count if cost * count <= left else int(min(left, scarce * remaining_s) / cost)
        if samples == 0 and task in untimed and cost <= left:
            samples = 1
        granted[task] = samples
        left -= samples * cost
    return granted
