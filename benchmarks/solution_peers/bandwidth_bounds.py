"""Times that a preconditioned solution cannot undercut: its matrices and vectors, moved by the memory of the same run.

    time >= (set-up + iterations x iteration) / bandwidth
    set-up     what is kept: matrices and vectors of all levels, written once
    iteration  the matrix of conjugate gradients, read once, and that of the finest level's smoothing, once a sweep

Of each pass over a matrix the L3 cache may hold its size. Sweeps are counted by the programs: 2 steps of smoothing
before and 2 after a correction read the matrix four times, the residual between them included. The bound is less than
either method moves: interpolations, coarse levels and vectors are left out of the iteration, and making coarse matrices
reads and writes more than they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.memory import Memory, memory_of
from rooftop.documents import CaseResult, ClimbDocument, RungResult


@dataclass(frozen=True)
class Bound:
    """The least seconds of a program, of which it keeps so many bytes and takes so many iterations."""

    kept_bytes: float
    sweeps: float
    iterations: float
    seconds: float


def bound_of(result: RungResult | None, memory: Memory) -> Bound | None:
    """Return a program's bound; None if the run reported no kept bytes."""
    figures = (result.figures if result is not None else None) or {}
    if result is None or result.outcome != "ok" or not {"kept_bytes", "iterations"} <= figures.keys():
        return None
    kept, iterations = figures["kept_bytes"], figures["iterations"]
    sweeps = figures.get("sweeps", 0)
    read_s = memory.seconds(figures.get("product_bytes", 0)) + sweeps * memory.seconds(figures.get("smoother_bytes", 0))
    return Bound(kept, sweeps, iterations, memory.seconds(kept) + iterations * read_s)


def case_rows(case: CaseResult, memory: Memory, programs: dict[str, str], peer: str) -> list[list[str]]:
    """Return a row for each program that reported its kept bytes.

    Against the peer: the peer's time over the program's bound, the most that the program could gain against the peer as
    it is; and the peer's bound over the program's, the factor if both reached the memory's bandwidth.
    """
    found = {rung.name: rung for rung in case.rungs}
    of_peer = bound_of(found.get(peer), memory)
    peer_s = found[peer].median_s if peer in found else None
    rows = []
    for name, title in programs.items():
        its = bound_of(found.get(name), memory)
        if its is None or found[name].median_s is None:
            continue
        whole = found[name].median_s or 0.0
        at_most, both = ("", "") if name == peer else ("–", "–")
        if name != peer and its.seconds > 0:
            at_most = at_most if peer_s is None else f"{float(f'{peer_s / its.seconds:.3g}'):g}×"
            # Beside what the L3 cache holds there is no factor of bounds.
            both = f"{of_peer.seconds / its.seconds:.3g}×" if of_peer is not None and of_peer.seconds > 0 else both
        reached = f"{its.seconds:.3g} s" if its.seconds > 0 else "in the L3 cache"
        counts = [f"{its.iterations:.0f}", f"{its.sweeps:.0f}"]
        cells = [f"{its.kept_bytes / 1e9:.3g} GB", *counts, reached, f"{whole:.3g} s"]
        rows.append([case.case, title, *cells, f"{its.seconds / whole:.0%}", at_most, both])
    return rows


def document_rows(documents: Sequence[ClimbDocument], programs: dict[str, str], peer: str) -> list[list[str]]:
    """Return the rows of all cases, each by the memory of its own campaign."""
    rows = []
    for document in documents:
        memory = memory_of(document.machine)
        if memory is None:
            continue
        for experiment in document.experiments:
            for case in experiment.cases:
                rows += case_rows(case, memory, programs, peer)
    return rows
