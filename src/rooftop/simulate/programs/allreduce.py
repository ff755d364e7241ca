"""Calls of MPI_Allreduce alone, of so many bytes: what the labs of collectives measure."""

from __future__ import annotations

from collections.abc import Mapping

from rooftop.simulate.program import Call, Phase, Work

PARAMETERS = {"bytes": 4096, "calls": 1}


def phases(ranks: int, threads: int, given: Mapping[str, float]) -> list[Phase]:
    """Return the calls."""
    return [Phase("calls", Work(), (Call("allreduce", float(given["bytes"])),), given["calls"])]
