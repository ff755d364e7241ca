"""The machine's roofs as the report reads them: the best seen, for a number of threads."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from rooftop.documents import Machine, Roof

LEVELS = ("L1", "L2", "L3", "L4", "memory")
BANDWIDTHS = ("read", "write", "copy", "triad")


def _at(roofs: list[Roof], threads: int) -> list[Roof]:
    """Those measured with ``threads`` threads, or else with the nearest number of them."""
    nearest = min({roof.threads for roof in roofs}, key=lambda n: (abs(n - threads), n), default=threads)
    return [roof for roof in roofs if roof.threads == nearest]


def _best(roofs: Iterable[Roof], key: Callable[[Roof], str | None]) -> dict[str, Roof]:
    found: dict[str, Roof] = {}
    for roof in roofs:
        name = key(roof)
        if name is not None and (name not in found or roof.value > found[name].value):
            found[name] = roof
    return found


def compute_peaks(machine: Machine, threads: int, precision: str = "fp32") -> dict[str, Roof]:
    """FMA peaks by instruction set, slowest first."""
    roofs = [
        roof for roof in machine.roofs if roof.metric == "fma" and roof.value > 0 and roof.precision in (precision, None)
    ]
    best = _best(_at(roofs, threads), lambda roof: roof.isa or "any")
    return dict(sorted(best.items(), key=lambda item: item[1].value))


def bandwidths(machine: Machine, threads: int) -> dict[str, Roof]:
    """The best bandwidth of every level of memory, nearest the core first."""
    roofs = [roof for roof in machine.roofs if roof.metric in BANDWIDTHS and roof.level and roof.value > 0]
    best = _best(_at(roofs, threads), lambda roof: roof.level)
    return dict(sorted(best.items(), key=lambda item: LEVELS.index(item[0]) if item[0] in LEVELS else len(LEVELS)))


def fma_peak(machine: Machine, threads: int) -> Roof | None:
    """The highest FMA peak over the instruction sets."""
    peaks = compute_peaks(machine, threads)
    return max(peaks.values(), key=lambda roof: roof.value, default=None)
