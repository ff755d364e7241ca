"""Which comparisons a case asks for, and which samples they still need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rooftop.measure.arms import Arm, pair_iterations
from rooftop.measure.compare import Spread, sharp, spread
from rooftop.measure.correction import least_pairs
from rooftop.measure.figures import common_names, pair_count, ratios_of_each
from rooftop.measure.rules import Rules


@dataclass(frozen=True, order=True)
class Task:
    """One sample to take in a block: an arm by its place in the case, and the iterations."""

    arm: int
    iterations: int


@dataclass(frozen=True)
class Pairing:
    """A comparison to be made: two arms by their places in the case."""

    subject: int
    against: int


def below(arms: Sequence[Arm], place: int) -> int | None:
    """Give the place of what a rung is held against, whose outcome is ok: itself with the fewest workers, where the
    case has it with fewer, else the previous rung of the ladder with as many.
    """
    mine = arms[place].module
    earlier = [other for other in range(place) if arms[other].role == "rung" and arms[other].outcome == "ok"]
    if mine.workers is not None:
        with_fewer = [other for other in earlier if arms[other].module.source == mine.source]
        beside = [other for other in earlier if arms[other].module.workers == mine.workers]
        return next(iter(with_fewer[:1] or beside[-1:]), None)
    return earlier[-1] if earlier else None


def estimate_s(arm: Arm) -> float:
    """Give the best estimate of one run: the median of the samples, else the calibration."""
    all_samples = spread([sample.run_s for sample in arm.samples])
    return all_samples.median if all_samples is not None else arm.run_s


def fastest_peers(arms: Sequence[Arm], within: float, workers: int | None = None) -> list[int]:
    """Give the places of the peers that are within a factor of the fastest ok one, the fastest first.

    workers  only peers with so many, where a case has them with several numbers
    """
    peers = [
        place
        for place, arm in enumerate(arms)
        if arm.role == "peer" and arm.outcome == "ok" and arm.run_s > 0 and arm.module.workers == workers
    ]
    peers.sort(key=lambda place: estimate_s(arms[place]))
    return [place for place in peers if estimate_s(arms[place]) <= within * estimate_s(arms[peers[0]])]


def effects(arms: Sequence[Arm], pairing: Pairing) -> list[Spread | None]:
    """Give the log-ratios' median and interval so far, of every figure that is compared."""
    return [spread(found) for found in ratios_of_each(arms[pairing.subject], arms[pairing.against])]


def fewest_pairs(arms: Sequence[Arm], wanted: Sequence[Pairing], rules: Rules) -> int:
    """Give the pairs that a verdict may rest on: more than the rules say where many verdicts are corrected together."""
    corrected = sum(
        len(common_names([arms[pairing.subject], arms[pairing.against]]))
        for pairing in wanted
        if arms[pairing.subject].metric.each and arms[pairing.subject].role != "twin"
    )
    return max(rules.min_pairs, least_pairs(corrected)) if corrected else rules.min_pairs


def base_point(arms: Sequence[Arm]) -> int | None:
    """Give the place of the point that a curve is measured from: the first one whose outcome is ok."""
    return next((place for place, arm in enumerate(arms) if arm.role == "point" and arm.outcome == "ok"), None)


def pairings(arms: Sequence[Arm], case_s: float, rules: Rules) -> list[Pairing]:
    """Give the comparisons: each rung with the one below, all with the fastest peers, each command with every earlier
    one, each point with the base of its curve, the twin with its original.

    A comparison with a peer asks a slow rung for as many iterations as the peer needs. Where that alone would eat more
    than its allowance of `case_s`, it is not made, and none is claimed.
    """
    wanted: list[Pairing] = []
    for place, arm in enumerate(arms):
        if arm.outcome != "ok":
            continue
        if arm.role == "twin":
            original = next(p for p, a in enumerate(arms) if a.module == arm.module and a.role != "twin")
            if arms[original].outcome == "ok":
                wanted.append(Pairing(place, original))
            continue
        if arm.role == "command":
            earlier = [other for other in range(place) if arms[other].role == "command" and arms[other].outcome == "ok"]
            wanted += [Pairing(place, other) for other in earlier]
        if arm.role == "point" and (base := base_point(arms)) is not None and base != place:
            wanted.append(Pairing(place, base))
        if arm.role == "rung" and (previous := below(arms, place)) is not None:
            wanted.append(Pairing(place, previous))
        for peer in fastest_peers(arms, rules.contender, arm.module.workers):
            iterations = pair_iterations(arm, arms[peer])
            cost_s = rules.min_pairs * arm.cost_s(iterations)
            if place != peer and (iterations == arm.iterations or cost_s <= rules.peer_allowance * case_s):
                wanted.append(Pairing(place, peer))
    return wanted


def sides(arms: Sequence[Arm], pairing: Pairing) -> tuple[Task, Task]:
    """Give the two samples that a pair consists of."""
    iterations = pair_iterations(arms[pairing.subject], arms[pairing.against])
    return Task(pairing.subject, iterations), Task(pairing.against, iterations)


def open_tasks(arms: Sequence[Arm], wanted: Sequence[Pairing], rules: Rules) -> dict[Task, int]:
    """Give the samples that a further block should take, and how many each task wants in all to come.

    A comparison that is sharp, in every figure that it is about, asks for nothing; so slow rungs retire while others go
    on. An arm in no comparison is sampled until its own median is known as well.
    """
    tasks: dict[Task, int] = {}
    compared: set[int] = set()
    fewest = fewest_pairs(arms, wanted, rules)
    for pairing in wanted:
        compared |= {pairing.subject, pairing.against}
        now = effects(arms, pairing)
        taken = now[0].count if now and now[0] is not None else 0
        if not now:  # of many figures, none is in both
            taken = pair_count(arms[pairing.subject], arms[pairing.against])
        if taken >= max(fewest, rules.pairs) and all(sharp(one, rules) for one in now):
            continue
        missing = max(fewest - taken, 1)
        for task in sides(arms, pairing):
            tasks[task] = max(missing, tasks.get(task, 0))
    for place, arm in enumerate(arms):
        if arm.outcome == "ok" and place not in compared:
            own = spread([sample.run_s for sample in arm.samples if sample.iterations == arm.iterations])
            narrow = own is not None and own.proven and own.half_width <= rules.half_width * own.median
            if not narrow:
                count = own.count if own is not None else 0
                tasks[Task(place, arm.iterations)] = max(rules.min_pairs - count, 1)
    return tasks
