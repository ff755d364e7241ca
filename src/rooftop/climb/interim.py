"""The machine's figures while a case was measured, from which its predictions are computed.

Limits use the best figures ever measured. A prediction is compared with a measurement at one time, and the speed of a
shared machine varies with time.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from rooftop.documents import Machine, Roof
from rooftop.measure.case_state import CaseState
from rooftop.probe.lines import Key, fact

Look = tuple[float, Roof]  # time in seconds since 1970, and the figure measured then


def _of_window(looks: Sequence[Look], begin_s: float, end_s: float) -> list[Roof]:
    """Return the measurements of one figure within a time span, the last before and the first after it."""
    before = [roof for at, roof in looks if at < begin_s][-1:]
    within = [roof for at, roof in looks if begin_s <= at <= end_s]
    after = [roof for at, roof in looks if at > end_s][:1]
    return before + within + after


def meanwhile(machine: Machine, looks: Sequence[Look], case: CaseState) -> Machine:
    """Return the machine with each figure that the campaign measured replaced by the median of its measurements just
    before, during and just after the case.

    looks  all measurements of the campaign, the oldest first
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
