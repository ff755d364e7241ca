"""Sums of elements over all ranks, on all ranks.

The lab of that name measures it: experiments/labs/allreduce.
"""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.simulate.program import Call, Phase, Work

PARAMETERS = {"elements": 1 << 16, "calls": 1}
_ELEMENT_BYTES = 8


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the calls."""
    return [Phase("calls", Work(), (Call("allreduce", _ELEMENT_BYTES * given["elements"]),), given["calls"])]
