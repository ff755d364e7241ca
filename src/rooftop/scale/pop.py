"""Parallel efficiency of an MPI program as POP factors it: load balance times communication efficiency.

Useful time is what a rank spends outside of MPI, between the end of MPI_Init and the beginning of MPI_Finalize; the
runtime is the longest of these spans. Source: POP Centre of Excellence, standard metrics for parallel performance
analysis (https://pop-coe.eu), of which the split of communication into transfer and serialisation is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import fmean, median

from pydantic import Field

from rooftop.files.document import Document
from rooftop.measure.arms import Arm, Sample
from rooftop.scale.points import Point

RUNTIME = "mpi_runtime_s"


class Factors(Document):
    """The factors of one point: medians over the runs that were taken for them, and the last run's own times.

    computation_scalability  useful time of all workers at the first point beside that here, for the same work
    """

    parallel_efficiency: float
    load_balance: float
    communication_efficiency: float
    computation_scalability: float | None = None
    runs: int
    runtime_s: float
    useful_s: list[float] = Field(default_factory=list)  # of each rank


def load_balance(useful: Sequence[float]) -> float:
    """Return the mean of the ranks' useful times over the longest."""
    return fmean(useful) / max(useful) if max(useful) > 0 else 0.0


def communication_efficiency(useful: Sequence[float], runtime: float) -> float:
    """Return the longest useful time over the runtime."""
    return max(useful) / runtime


def _useful_s(sample: Sample) -> list[float]:
    return [time * 1e-9 for time in sample.ranks_ns or ()]


def _runtime_s(sample: Sample) -> float:
    return (sample.figures or {})[RUNTIME]


def factors(arms: Sequence[Arm], points: Sequence[Point], *, grows: bool) -> dict[str, Factors]:
    """Return the factors of every point that was traced. `grows`: whether the work does, with the workers."""
    by_name: Mapping[str, Arm] = {arm.name: arm for arm in arms}
    found: dict[str, Factors] = {}
    first: float | None = None
    for point in points:
        arm = by_name.get(point.name)
        if arm is None or arm.outcome != "ok" or not arm.samples:
            continue
        runs = [(_useful_s(sample), _runtime_s(sample)) for sample in arm.samples]
        total = median(sum(useful) for useful, _ in runs) * (point.threads or 1)
        total /= point.workers if grows else 1
        first = total if first is None else first
        found[point.name] = Factors(
            # The product of the other two, run by run.
            parallel_efficiency=median(fmean(useful) / runtime for useful, runtime in runs),
            load_balance=median(load_balance(useful) for useful, _ in runs),
            communication_efficiency=median(communication_efficiency(useful, runtime) for useful, runtime in runs),
            computation_scalability=first / total if total > 0 else None,
            runs=len(runs),
            runtime_s=runs[-1][1],
            useful_s=runs[-1][0],
        )
    return found
