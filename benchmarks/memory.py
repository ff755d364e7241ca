"""What a campaign's memory allows: bytes that the L3 cache does not hold, at the best rate that was measured."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.documents import Machine
from rooftop.measure.limits import bandwidth


@dataclass(frozen=True)
class Memory:
    """Bytes a second of all cores, the best of reading, copying and writing; and the bytes of all L3 caches."""

    rate: float
    l3_bytes: float

    def seconds(self, moved_bytes: float) -> float:
        """Return the least seconds in which so many bytes move. What the L3 cache can hold need not."""
        return max(0.0, moved_bytes - self.l3_bytes) / self.rate


def memory_of(machine: Machine) -> Memory | None:
    """Return the memory of a campaign's machine; None where its bandwidth was not measured."""
    rate = bandwidth(machine.roofs, "memory", machine.cores)
    if rate is None:
        return None
    l3_bytes = sum(
        float(cache["bytes"]) * float(cache.get("count") or 1) for cache in machine.caches if cache.get("level") == "L3"
    )
    return Memory(rate, l3_bytes)
