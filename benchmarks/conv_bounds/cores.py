"""What one core does in a cycle, as its maker states it: peak rates, which no program exceeds.

Sources: Intel 64 and IA-32 Architectures Optimization Reference Manual (248966), the chapters on the server cores and
their tables of cache bandwidths; uops.info (ports of VFMADD231PS, VADDPS and VMOVUPS by register width); AMD, Software
Optimization Guides for Family 19h (56665) and for Zen 5 (58455), the chapters on the floating-point unit, the load and
store unit and the L2 cache.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Core:
    """Rates of a core a cycle, with vectors of `lanes` floats.

    multiply_adds, operations  of vectors: multiply-adds, and all arithmetic. They are equal where additions take the
                               ports of multiply-adds, as on Intel; AMD has two adders besides
    loads, stores              of whole vectors
    issue                      instructions renamed, of which a load with its arithmetic is one
    l2_bytes                   that come from the L2 cache at most; what goes back to it is not counted against them
    """

    name: str
    lanes: int
    multiply_adds: float
    operations: float
    loads: float
    stores: float
    issue: float
    l2_bytes: float


#: By family and models, then by lanes. A core with 512-bit registers has both.
_CORES: tuple[tuple[int, tuple[int, ...], tuple[Core, ...]], ...] = (
    (6, (85,), (Core("Skylake server", 16, 2, 2, 2, 1, 4, 64), Core("Skylake server", 8, 2, 2, 2, 1, 4, 64))),
    # Two stores a cycle only of 32 bytes, and to one line.
    (6, (106, 108), (Core("Ice Lake server", 16, 2, 2, 2, 1, 5, 64), Core("Ice Lake server", 8, 2, 2, 2, 2, 5, 64))),
    # 143: Sapphire Rapids, 207: Emerald Rapids. Three loads of at most 32 bytes; a third port adds vectors of 256 bits.
    (6, (143, 207), (Core("Golden Cove", 16, 2, 2, 2, 1, 6, 64), Core("Golden Cove", 8, 2, 3, 3, 2, 6, 64))),
    (25, (0, 1), (Core("Zen 3", 8, 2, 4, 2, 1, 6, 32),)),
    # 512-bit units throughout; a 512-bit store takes both stores of 256 bits.
    (26, (0, 1, 2), (Core("Zen 5", 16, 2, 4, 2, 1, 8, 64), Core("Zen 5", 8, 2, 4, 4, 2, 8, 64))),
)


def core_of(family: int, model: int, lanes: int) -> Core | None:
    """Return the core of a processor for vectors of so many floats; None where its rates are not stated here."""
    for its_family, models, cores in _CORES:
        if family == its_family and model in models:
            return next((core for core in cores if core.lanes == lanes), None)
    return None
