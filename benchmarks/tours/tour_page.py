"""The page: what is asked beside what the samples show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from statistics import mean

import numpy as np
from scipy.stats import bootstrap

from benchmarks.form import Asked, asked_table
from benchmarks.tours.tour_instances import (
    BY_NAME,
    BYTES_PER_CITY,
    FIRST_TOUR_S,
    INSTANCES,
    MEMORY_BESIDE,
    MEMORY_OF,
    OVERTIME,
    PEERS,
    SAME_ANTS,
    SAME_OF,
    SAME_THREADS,
    TIME_S,
    Instance,
)
from benchmarks.tours.tour_samples import OURS, Sample

_NONE = "–"
_PAGE = """\
# Tours: asked and reached

Written by `python benchmarks tours`. Measured on {dates}: {machines}.

Asked: problems of TSPLIB by `rooftop solve tsp` on two threads, ten seeds each, a process for each run, with
starting it and reading the file in its time. The gap is a tour's excess over the optimum that TSPLIB publishes, and
what is asked is its mean. {met} of {judged} are met.

{gaps}

*Interval*: of the mean, 95 %, by the bootstrap. *Ant codes*: the best that is published of ant colony codes.

{speeds}

*First tour*: so long after the start of the process the first tour was there, the mean of all seeds. Starting Python
and reading the file count. *Run*: the whole process.

{others}

*Memory*: the greatest peak of a process on {memory_of} less the smallest on {memory_beside}, for each of
{memory_cities} cities. *First tour*: of the slowest seed.
{peers}{failures}"""
_PEERS = """
## Others

The same problems and the same time, a process for each run, and seeds of other solvers up to {seeds}: mean gap, and
mean time of the process. What does not end is killed after {overtime:g} times the time, and the last tour that it
told counts. All lengths are computed by the benchmark.

{table}

OR-Tools: guided local search from the cheapest arcs on. elkai: one run of LKH, which takes neither a time limit nor a
seed. acopy and scikit-opt are ant colonies in Python, with the best of a few parameters that were tried; they are given
no more than 200 cities.
"""


@dataclass(frozen=True)
class Gaps:
    """The lengths of tours of a problem, beside its optimum."""

    lengths: tuple[int, ...]
    optimum: int

    @property
    def mean(self) -> Fraction:
        """The mean excess over the optimum, in percent and exactly, so that a border is met."""
        return 100 * (Fraction(sum(self.lengths), len(self.lengths) * self.optimum) - 1)

    @property
    def worst(self) -> Fraction:
        """The largest one."""
        return 100 * (Fraction(max(self.lengths), self.optimum) - 1)

    @property
    def optimal(self) -> int:
        """How many are optimal."""
        return self.lengths.count(self.optimum)

    def interval(self) -> tuple[float, float] | None:
        """Return a 95 % interval of the mean; None for a single tour."""
        if len(self.lengths) < 2:
            return None
        if len(set(self.lengths)) == 1:
            return float(self.mean), float(self.mean)
        shares = 100 * (np.array(self.lengths) / self.optimum - 1)
        found = bootstrap((shares,), np.mean, confidence_level=0.95, random_state=np.random.default_rng(1))
        return float(found.confidence_interval.low), float(found.confidence_interval.high)

    def meet(self, asked: float) -> bool:
        """Return whether the mean is no more than what is asked, in percent."""
        return self.mean <= Fraction(str(asked))


def _gaps(samples: Iterable[Sample], instance: Instance) -> Gaps | None:
    lengths = tuple(one.length for one in samples if one.length is not None)
    return Gaps(lengths, instance.optimum) if lengths else None


def _percent(share: float | Fraction) -> str:
    return f"{float(share):.3f} %"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [f"| {' | '.join(cells)} |" for cells in (head, *rows)]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def _verdict(met: bool | None) -> str:
    return _NONE if met is None else "met" if met else "missed"


def _ours(samples: Iterable[Sample]) -> list[tuple[Instance, float, list[Sample]]]:
    """Return the solver's timed samples by problem and time, in the order of the list of problems."""
    by_key: dict[tuple[str, float], list[Sample]] = {}
    for one in samples:
        if one.run.solver == OURS and not one.run.ants:
            by_key.setdefault((one.run.instance, one.run.time_s), []).append(one)
    order = [one.name for one in INSTANCES]
    keys = sorted(by_key, key=lambda key: (order.index(key[0]), key[1]))
    return [(BY_NAME[name], time_s, by_key[name, time_s]) for name, time_s in keys]


def _gap_row(instance: Instance, time_s: float, samples: list[Sample]) -> tuple[list[str], bool | None]:
    asked, gaps = instance.asked(time_s), _gaps(samples, instance)
    right = all(one.outcome == "ok" for one in samples)
    met = None if asked is None else gaps is not None and right and gaps.meet(asked)
    interval = gaps.interval() if gaps else None
    published = _NONE if instance.published is None or time_s != TIME_S else f"{instance.published:g} %"
    reached = [_NONE] * 4
    if gaps:
        between = _NONE if interval is None else f"{interval[0]:.3f} to {interval[1]:.3f} %"
        reached = [_percent(gaps.mean), between, _percent(gaps.worst), f"{gaps.optimal} of {len(samples)}"]
    wrong = sum(one.outcome != "ok" for one in samples)
    verdict = _verdict(met) + (f", {wrong} without a tour" if wrong else "")
    first = [
        instance.name,
        str(instance.cities),
        f"{time_s:g} s",
        _NONE if asked is None else f"{asked:g} %",
        published,
    ]
    return [*first, *reached, verdict], met


def _speed_row(instance: Instance, time_s: float, samples: list[Sample]) -> list[str]:
    firsts = [one.first_s for one in samples if one.first_s is not None]
    rates = [one.ants / one.seconds for one in samples if one.ants is not None and one.seconds]
    return [
        instance.name,
        f"{time_s:g} s",
        f"{mean(firsts):.2f} s" if firsts else _NONE,
        f"{mean(one.wall_s for one in samples):.2f} s",
        f"{mean(rates):,.0f}".replace(",", " ") if rates else _NONE,
    ]


def _first_lines(samples: Sequence[Sample]) -> list[Asked]:
    lines = []
    for instance, time_s, of in _ours(samples):
        if instance.first and time_s == TIME_S:
            firsts = [one.first_s for one in of if one.first_s is not None]
            met = len(firsts) == len(of) and max(firsts) <= FIRST_TOUR_S
            reached = f"at most {max(firsts):.2f} s" if firsts else "none came"
            lines.append(Asked(f"first tour, {instance.name}", f"within {FIRST_TOUR_S:g} s", reached, met))
    return lines


def _memory_lines(samples: Sequence[Sample]) -> list[Asked]:
    peaks: dict[str, list[int]] = {MEMORY_OF: [], MEMORY_BESIDE: []}
    for instance, _, of in _ours(samples):
        if instance.name in peaks:
            peaks[instance.name] += [one.peak_bytes for one in of if one.peak_bytes is not None]
    if not all(peaks.values()):
        return []
    cities = BY_NAME[MEMORY_OF].cities - BY_NAME[MEMORY_BESIDE].cities
    each = (max(peaks[MEMORY_OF]) - min(peaks[MEMORY_BESIDE])) / cities
    reached = f"{each:.0f} bytes (peaks {max(peaks[MEMORY_OF]) >> 20} and {min(peaks[MEMORY_BESIDE]) >> 20} MiB)"
    return [Asked("memory for each city", f"at most {BYTES_PER_CITY} bytes", reached, each <= BYTES_PER_CITY)]


def _same_lines(samples: Sequence[Sample]) -> list[Asked]:
    by_seed: dict[int, dict[int, int | None]] = {}
    for one in samples:
        run = one.run
        if run.solver == OURS and run.instance == SAME_OF and run.ants == SAME_ANTS:
            by_seed.setdefault(run.seed, {})[run.threads] = one.length
    whole = [found for found in by_seed.values() if set(found) == set(SAME_THREADS)]
    if not whole:
        return []
    same = sum(len(set(found.values())) == 1 and None not in found.values() for found in whole)
    what = f"{SAME_OF}, {SAME_ANTS} ants: the same length with {' and '.join(map(str, SAME_THREADS))} threads"
    return [Asked(what, "every seed", f"{same} of {len(whole)}", same == len(whole))]


def _peer_cell(samples: list[Sample], instance: Instance) -> str:
    if not samples:
        return _NONE
    gaps = _gaps(samples, instance)
    without = sum(one.length is None for one in samples)
    cell = "no tour" if gaps is None else _percent(gaps.mean)
    if gaps is not None and without:
        cell += f", {without} without a tour"
    killed = sum(one.killed for one in samples)
    return f"{cell}, {mean(one.wall_s for one in samples):.1f} s" + (f", {killed} killed" if killed else "")


def _peers(samples: Sequence[Sample]) -> str:
    rows = []
    for instance in INSTANCES:
        of = [one for one in samples if one.run.instance == instance.name and not one.run.ants]
        for time_s in sorted({one.run.time_s for one in of if one.run.solver != OURS}):
            by_solver = [
                [one for one in of if one.run.solver == name and one.run.time_s == time_s]
                for name in (OURS, *(peer.name for peer in PEERS))
            ]
            rows.append([instance.name, f"{time_s:g} s", *(_peer_cell(one, instance) for one in by_solver)])
    if not rows:
        return ""
    builds = {one.run.solver: one.build for one in samples}
    titles = [f"{peer.title} {builds[peer.name]}" if peer.name in builds else peer.title for peer in PEERS]
    table = _table(["problem", "time", "Rooftop", *titles], rows)
    seeds = len({one.run.seed for one in samples if one.run.solver != OURS})
    return _PEERS.format(table=table, overtime=OVERTIME, seeds=seeds)


def _failures(samples: Sequence[Sample]) -> str:
    lines = [
        f"- {one.run.solver}, {one.run.instance}, seed {one.run.seed}: {one.outcome}: {one.reason}"
        for one in samples
        if one.length is None
    ]
    return "\n".join(["", "## Runs without a length", "", *lines, ""]) if lines else ""


def page(samples: Sequence[Sample]) -> str:
    """Return the page, from samples alone."""
    ours = _ours(samples)
    judged = [_gap_row(*one) for one in ours]
    lines = [*_first_lines(samples), *_memory_lines(samples), *_same_lines(samples)]
    verdicts = [met for _, met in judged if met is not None] + [line.met for line in lines]
    gap_head = [
        "problem",
        "cities",
        "time",
        "asked",
        "ant codes",
        "mean gap",
        "interval",
        "worst",
        "at the optimum",
        "",
    ]
    days = sorted({one.on.isoformat() for one in samples})
    return _PAGE.format(
        dates=days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}",
        machines="; ".join(sorted({f"{one.processor}, {one.cores} cores" for one in samples})),
        met=verdicts.count(True),
        judged=len(verdicts),
        gaps=_table(gap_head, [cells for cells, _ in judged]),
        speeds=_table(["problem", "time", "first tour", "run", "ants/s"], [_speed_row(*one) for one in ours]),
        others=asked_table(lines),
        memory_of=MEMORY_OF,
        memory_beside=MEMORY_BESIDE,
        memory_cities=BY_NAME[MEMORY_OF].cities - BY_NAME[MEMORY_BESIDE].cities,
        peers=_peers(samples),
        failures=_failures(samples),
    )
