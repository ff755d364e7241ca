"""A recording of a program that is counted: its phases, as what each rank does one after the other."""

from __future__ import annotations

from collections.abc import Sequence

from rooftop.simulate.layout import Layout
from rooftop.simulate.program import Call, Exchange, Halo, Phase, Work
from rooftop.simulate.recording import Operation, Recording


def recording_of(layout: Layout, phases: Sequence[Phase]) -> Recording:
    """Return what the ranks of a layout do in these phases. Ranks that do the same share a program."""
    if not any(isinstance(one, Halo) for phase in phases for one in phase.exchanges) and all(
        phase.work.mean == 1 for phase in phases
    ):
        return Recording(layout.ranks, [(range(layout.ranks), _body(layout, phases, 0))])
    bodies = [_body(layout, phases, rank) for rank in range(layout.ranks)]
    return Recording(layout.ranks, [([rank], body) for rank, body in enumerate(bodies)])


def _body(layout: Layout, phases: Sequence[Phase], rank: int) -> list[Operation]:
    """Return the program of a rank: phases that are repeated equally often, one after the other, are one loop."""
    found: list[Operation] = []
    for phase in phases:
        once = _phase(layout, phase, rank)
        if found and found[-1]["op"] == "loop" and found[-1]["times"] == int(phase.times):
            found[-1]["body"] += once
        else:
            found.append({"op": "loop", "times": int(phase.times), "body": once})
    return found


def _phase(layout: Layout, phase: Phase, rank: int) -> list[Operation]:
    exchanges: list[Operation] = []
    for one in phase.exchanges:
        exchanges += _exchange(layout, one, rank)
    work = _work(layout, phase.work, rank)
    if not phase.overlap:
        for operation in exchanges:  # messages of a halo are under way together all the same
            if operation["op"] not in ("send", "recv"):
                operation.pop("request", None)
        return [*work, *_numbered(exchanges)]
    begun = _numbered(exchanges)
    waits = [begun.pop()] if begun and begun[-1]["op"] == "wait" else []
    if phase.master and work and waits:
        work[0]["waits"] = waits[0]["requests"]
        return [*begun, *work]
    return [*begun, *work, *waits]


def _numbered(exchanges: list[Operation]) -> list[Operation]:
    """Number the requests and wait for all of them at the end."""
    numbers: list[int] = []
    for operation in exchanges:
        if "request" in operation:
            numbers.append(len(numbers))
            operation["request"] = numbers[-1]
    return [*exchanges, {"op": "wait", "requests": numbers}] if numbers else exchanges


def _exchange(layout: Layout, exchange: Exchange, rank: int) -> list[Operation]:
    if isinstance(exchange, Call):
        return [{"op": exchange.collective, "bytes": exchange.bytes, "request": 0} for _ in range(exchange.calls)]
    received, sent = [], []
    for tag, (to, source, size) in enumerate(_neighbours(layout.ranks, exchange, rank)):
        received.append({"op": "recv", "from": source, "tag": tag, "request": 0})
        sent.append({"op": "send", "to": to, "bytes": size, "tag": tag, "request": 0})
    return [*received, *sent]


def _neighbours(ranks: int, halo: Halo, rank: int) -> list[tuple[int, int, float]]:
    """Return to whom a rank sends, from whom it receives, and the bytes, for each side.

    The sides are those of a rank in the middle, and every rank has them: round the end where there is none further on.
    Of one side at a distance, every second block of so many ranks has it below, and the last one not at all.
    """
    found = []
    up: set[int] = set()
    many = {distance: sum(1 for one, _ in halo.sides if one == distance) for distance, _ in halo.sides}
    for distance, size in halo.sides:
        if many[distance] == 1:
            partner = rank + distance if rank // distance % 2 == 0 else rank - distance
            if 0 <= partner < ranks:
                found.append((partner, partner, size))
        else:
            step = -distance if distance in up else distance
            up.add(distance)
            found.append(((rank + step) % ranks, (rank - step) % ranks, size))
    return found


def _work(layout: Layout, work: Work, rank: int) -> list[Operation]:
    part = _part(layout.ranks, work.mean, rank) * work.slowdown
    if not (work.flops or work.bytes):
        return []
    found: Operation = {
        "op": "work",
        "flops": work.flops * part,
        "bytes": work.bytes * part,
        "kind": work.kind,
        "threads": layout.core_share,
    }
    if (by := work.schedule) is not None:
        found |= {"schedule": "dynamic" if by.dynamic else "static", "pieces": by.pieces * part / work.slowdown}
        found |= {"fetch_s": by.fetch_s}
    return [found]


def _part(ranks: int, mean: float, rank: int) -> float:
    """Return a rank's part of the most work that one has: the last has what is left, or all but the first share it."""
    left = mean * ranks - (ranks - 1)
    if left >= 0:
        return left if rank == ranks - 1 else 1.0
    return 1.0 if rank == 0 else (mean * ranks - 1) / (ranks - 1)
