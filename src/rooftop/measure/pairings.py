"""Which comparisons a case asks for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from rooftop.measure.arms import Arm, pair_iterations
from rooftop.measure.compare import spread
from rooftop.measure.rules import Rules


@dataclass(frozen=True)
class Pairing:
    """A comparison to be made: two arms by their places in the case."""

    subject: int
    against: int


@dataclass(frozen=True)
class Asked:
    """A comparison that is wanted beside those of every ladder.

    subject     a rung's name, or a pattern of it
    against     the name of a rung or peer, or a pattern of it
    algorithms  instead of `against`: patterns of the algorithm that a peer used, of which the fastest counts
    """

    subject: str
    against: str = ""
    algorithms: tuple[str, ...] = ()


def below(arms: Sequence[Arm], place: int) -> list[int]:
    """Return the places of what a rung may be held against, the first to be preferred; their outcome is ok.

    That is itself with the fewest workers, where the case has it with fewer, else the previous rungs of the ladder with
    as many, the nearest first.
    """
    mine = arms[place].module
    earlier = [other for other in range(place) if arms[other].role == "rung" and arms[other].outcome == "ok"]
    if mine.workers is not None:
        with_fewer = [other for other in earlier if arms[other].module.program == mine.program]
        beside = [other for other in earlier if arms[other].module.workers == mine.workers]
        return with_fewer[:1] or beside[::-1]
    return earlier[::-1]


def estimate_s(arm: Arm) -> float:
    """Return the best estimate of one run: the median of the samples, else the calibration."""
    all_samples = spread([sample.run_s for sample in arm.samples])
    return all_samples.median if all_samples is not None else arm.run_s


def _contenders(arms: Sequence[Arm], places: Sequence[int], within: float) -> list[int]:
    """Return those of the places that are within a factor of the fastest, the fastest first."""
    ordered = sorted(places, key=lambda place: estimate_s(arms[place]))
    return [place for place in ordered if estimate_s(arms[place]) <= within * estimate_s(arms[ordered[0]])]


def _timed_peers(arms: Sequence[Arm]) -> list[int]:
    return [place for place, arm in enumerate(arms) if arm.role == "peer" and arm.outcome == "ok" and arm.run_s > 0]


def fastest_peers(arms: Sequence[Arm], within: float, workers: int | None = None) -> list[int]:
    """Return the places of the peers that are within a factor of the fastest ok one, the fastest first.

    workers  only peers with so many, where a case has them with several numbers
    """
    return _contenders(arms, [p for p in _timed_peers(arms) if arms[p].module.workers == workers], within)


def asked_pairings(arms: Sequence[Arm], asked: Sequence[Asked], within: float) -> list[Pairing]:
    """Return the comparisons that were asked for whose two sides are ok: of several that a pattern fits, the last one,
    the highest rung; of several peers of an algorithm, those within a factor of the fastest.
    """
    found: list[Pairing] = []
    for one in asked:
        fitting = [
            place
            for place, arm in enumerate(arms)
            if arm.role in ("rung", "peer") and fnmatchcase(arm.name, one.against)
        ]
        subjects = [
            place for place, arm in enumerate(arms) if arm.role == "rung" and fnmatchcase(arm.name, one.subject)
        ]
        against = fitting[-1:]
        if one.algorithms:
            against = _contenders(arms, [p for p in _timed_peers(arms) if _used(arms[p], one.algorithms)], within)
        if subjects and arms[subjects[-1]].outcome == "ok":
            rivals = [place for place in against if place != subjects[-1] and arms[place].outcome == "ok"]
            found += [Pairing(subjects[-1], place) for place in rivals]
    return list(dict.fromkeys(found))


def _used(arm: Arm, algorithms: Sequence[str]) -> bool:
    algorithm = arm.work.algorithm if arm.work is not None else ""
    return any(fnmatchcase(algorithm or "", one) for one in algorithms)


def base_point(arms: Sequence[Arm]) -> int | None:
    """Return the place of the point that a curve is measured from: the first one whose outcome is ok."""
    return next((place for place, arm in enumerate(arms) if arm.role == "point" and arm.outcome == "ok"), None)


def _allowed(arms: Sequence[Arm], pairing: Pairing, case_s: float, rules: Rules) -> bool:
    """Whether neither side is so slow that the iterations which the other needs eat more than its allowance."""
    iterations = pair_iterations(arms[pairing.subject], arms[pairing.against])
    return all(
        iterations == arm.iterations or rules.min_pairs * arm.cost_s(iterations) <= rules.peer_allowance * case_s
        for arm in (arms[pairing.subject], arms[pairing.against])
    )


def command_rivals(arms: Sequence[Arm], place: int, base: str | None) -> list[int]:
    """Return the places of the commands that one is compared with: all earlier ones, or only `base`; ok ones only."""
    earlier = [other for other in range(place) if arms[other].role == "command" and arms[other].outcome == "ok"]
    return [other for other in earlier if base is None or arms[other].name == base]


def pairings(
    arms: Sequence[Arm], case_s: float, rules: Rules, asked: Sequence[Asked] = (), base: str | None = None
) -> list[Pairing]:
    """Return the comparisons: each rung with the one below, all with the fastest peers, each command with every earlier
    one, each point with the base of its curve, the twin with its original, and those that were asked for.

    base  the only command that others are compared with

    A comparison with a peer, or one that was asked for, asks the slower side for as many iterations as the faster one
    needs. Where that alone would eat more than its allowance of `case_s`, it is not made, and none is claimed.
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
            wanted += [Pairing(place, other) for other in command_rivals(arms, place, base)]
        if arm.role == "point" and (first := base_point(arms)) is not None and first != place:
            wanted.append(Pairing(place, first))
        if arm.role == "rung":
            wanted += [Pairing(place, previous) for previous in below(arms, place)[:1]]
        for peer in fastest_peers(arms, rules.contender, arm.module.workers):
            if place != peer and _allowed(arms, Pairing(place, peer), case_s, rules):
                wanted.append(Pairing(place, peer))
    wanted += [one for one in asked_pairings(arms, asked, rules.contender) if _allowed(arms, one, case_s, rules)]
    return list(dict.fromkeys(wanted))
