"""The comparisons of a campaign: of layouts, of numbers of ranks, and with h5py. Each is a case."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from rooftop.documents import Comparison
from rooftop.driver.calls import call_module
from rooftop.measure.arms import Arm
from rooftop.measure.assemble import case_floor
from rooftop.measure.case_state import CaseState
from rooftop.measure.compare import comparison
from rooftop.measure.figures import pairs_of
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io.advice.chunk_cache import ChunkCache, better_cache
from rooftop.solvers.h5io.advice.cost import Team
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.study import Study
from rooftop.solvers.h5io.advice.trial import BY_H5PY, Reading
from rooftop.text.quantities import size

NOW = "now"


class Compared:
    """One case. `readings`: its arms, which are compared with the first; without any, the case is left out."""

    def __init__(self, kind: str, name: str) -> None:
        self.case = CaseState(kind, "comparisons", name, {}, 1.0, [])
        self.readings: Sequence[Reading] = ()

    def choose(self, readings: Sequence[Reading]) -> None:
        """Set the readings to compare."""
        self.readings = readings
        self.case.arms = [Arm(call_module(one.name), "point") for one in readings]

    def arm(self, reading: Reading) -> Arm:
        """Return the arm of a reading."""
        return next(arm for arm in self.case.arms if arm.name == reading.name)

    def measured(self, reading: Reading, floor: float, rules: Rules) -> Comparison | None:
        """Return the speed ratio of a reading to the first one; None without a pair. `floor`: the noise floor."""
        first, arm = self.arm(self.readings[0]), self.arm(reading)
        if arm.outcome != "ok" or first.outcome != "ok":
            return None
        return comparison(first.name, pairs_of(arm, first), case_floor(self.case, floor, rules), rules)


def layout_readings(study: Study) -> list[Reading]:
    """Return the readings of the current layout and of the layouts to measure, all by the first team."""
    return [Reading(NOW, study.team), *(Reading(str(one), study.team, one) for one in study.tried)]


def rank_readings(study: Study, best: Layout | None) -> list[Reading]:
    """Return the reading of the current layout by the first team, and for each other team the current layout, the best
    predicted one and `best`.

    best  the layout measured as fastest for the first team; None: none was faster than the current one
    """
    tried: list[tuple[Team, Layout | None]] = []
    for team in study.request.teams[1:]:
        predicted = min(study.promising, key=partial(study.seconds, team=team), default=None)
        tried += [(team, None), *((team, one) for one in (predicted, best) if one is not None)]
    ordered = sorted(dict.fromkeys(tried), key=lambda pair: pair[0].ranks)
    if not ordered:
        return []
    return [
        Reading(NOW, study.team),
        *(Reading(f"{team.ranks} ranks: {one or 'the file as it is'}", team, one) for team, one in ordered),
    ]


def h5py_readings(study: Study) -> list[Reading]:
    """Return the readings of the current layout by h5py, by h5io, and by h5py with a larger cache if it may help."""
    if study.survey.h5py_remark is not None:
        return []
    readings = [BY_H5PY, Reading("h5io", Team(1, study.team.streams), apart=True)]
    if (cache := better_h5py_cache(study)) is not None:
        readings.append(
            Reading(f"h5py, chunk cache of {size(cache.size)}", Team(1, 1), by="h5py", cache=cache, apart=True)
        )
    return readings


def better_h5py_cache(study: Study) -> ChunkCache | None:
    """Return a chunk cache for h5py that holds the chunks read again; None if its own does, or it has none."""
    own_bytes, facts = study.survey.h5py_cache_bytes, study.request.known
    return None if own_bytes is None else better_cache(facts.layout, study.request.reads, facts.itemsize, own_bytes)


def best_layout(layouts: Compared, rules: Rules) -> Layout | None:
    """Return the fastest of the layouts that were measured; None if none is faster than the current one.

    It depends on the case of the layouts alone, so that a resumed campaign makes the same comparisons.
    """
    found = [(layouts.measured(one, float("inf"), rules), one.layout) for one in layouts.readings[1:]]
    faster = [(seen.ratio, layout) for seen, layout in found if seen is not None and seen.verdict == "faster"]
    return max(faster, key=lambda one: one[0], default=(0.0, None))[1]
