"""The machine as it was while a case was measured: what its predictions are made of.

A limit is the best that was ever seen. A prediction is held against what was measured at one time, and a machine that
is shared is slower at one time than at another.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rooftop.documents import Machine, Roof
from rooftop.measure.case_state import CaseState
from rooftop.probe.lines import Key, fact

Look = tuple[float, Roof]  # seconds since 1970, and what was found


def _of_window(looks: Sequence[Look], begin_s: float, end_s: float) -> list[Roof]:
    """Return the looks at one fact within a time, the last before it, and the first after it."""
    before = [roof for at, roof in looks if at < begin_s][-1:]
    within = [roof for at, roof in looks if begin_s <= at <= end_s]
    after = [roof for at, roof in looks if at > end_s][:1]
    return before + within + after


def meanwhile(machine: Machine, looks: Sequence[Look], case: CaseState) -> Machine:
    """Return the machine with the median of the looks just before, during and just after the case, for each fact that
    the campaign has looked at; other facts stay.

    looks  of the campaign, in the order of time
    """
    taken_s = [sample.taken_ns * 1e-9 for arm in case.arms for sample in arm.samples]
    if not taken_s:
        return machine
    by_fact: dict[Key, list[Look]] = {}
    for at, roof in looks:
        by_fact.setdefault(fact(roof), []).append((at, roof))

    def now(roof: Roof) -> Roof:
        told = _of_window(by_fact.get(fact(roof), []), min(taken_s), max(taken_s))
        return roof.model_copy(update={"value": median(one.value for one in told)}) if told else roof

    return machine.model_copy(update={"roofs": [now(roof) for roof in machine.roofs]})
