"""A rung's own limit: the least time that its work can take on this machine, by the roofs as measured.

    time >= (fma_flops + 2 add_flops) / FMA peak     (a lone addition takes the place of a multiply-add of 2 flops)
    time >= memory_bytes / bandwidth of the smallest level that holds working_set_bytes
    time >= device_bytes / rate of reading in order from the device
    time >= min(device_calls / rate of reading 4 KiB at random, device_extent_bytes / rate of reading in order)

The last two hold where a run begins without its files in the system's cache: a device may have to look for what each
call asks for, unless it is quicker to read everything between.

Source: Williams, Waterman, Patterson: Roofline (2009), with additions counted at the rate of the units that do them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rooftop.documents import Machine, Roof
from rooftop.driver.protocol import Work
from rooftop.machine.processor import ISAS, up_to

BANDWIDTHS = ("read", "copy", "triad", "write")
_IN_ORDER = ("file_read", "file_read_direct")
_AT_RANDOM = ("file_random_read", "file_random_read_direct")


@dataclass(frozen=True)
class Limit:
    """The least seconds for one run, and what sets them: "compute", "memory", a cache level, or "device"."""

    seconds: float
    by: str


def fma_peak(roofs: Sequence[Roof], threads: int, precision: str, isa: str | None = None) -> float | None:
    """Return the best multiply-add rate in flop/s at this number of threads: over all instruction sets, or up to `isa`.

    Where no roof has that number, the nearest is scaled by the threads: an upper bound is what a limit needs.
    """
    peaks = [roof for roof in roofs if roof.metric == "fma" and roof.precision == precision]
    return _at_threads([roof for roof in peaks if isa is None or roof.isa in up_to(isa)], threads)


def clock(roofs: Sequence[Roof], threads: int) -> float | None:
    """Return the clock in Hz of this number of busy cores; None if it was not measured with that number."""
    return max((roof.value for roof in roofs if roof.metric == "clock" and roof.threads == threads), default=None)


def clock_after_fma(roofs: Sequence[Roof], threads: int, isa: str | None = None) -> float | None:
    """Return the clock in Hz straight after multiply-adds of the widest vectors, or of the widest up to `isa`."""
    allowed = [name for name in ISAS if isa is None or name in up_to(isa)]
    found = {
        roof.isa: roof.value
        for roof in roofs
        if roof.metric == "clock_after_fma" and roof.threads == threads and roof.isa in allowed
    }
    return found[max(found, key=lambda name: allowed.index(str(name)))] if found else None


def bandwidth(roofs: Sequence[Roof], level: str, threads: int) -> float | None:
    """Return the best bandwidth of a level in byte/s over reading, copying and writing."""
    return _at_threads([roof for roof in roofs if roof.metric in BANDWIDTHS and roof.level == level], threads)


def _at_threads(roofs: Sequence[Roof], threads: int) -> float | None:
    exact = [roof.value for roof in roofs if roof.threads == threads]
    if exact:
        return max(exact)
    scaled = [roof.value * max(1.0, threads / roof.threads) for roof in roofs]
    return max(scaled, default=None)


def device_rate(roofs: Sequence[Roof], cold_on: str, at_random: bool = False) -> float | None:
    """Return the best rate of reading from a file system's device, in byte/s in order or in reads/s at random.

    Whatever the number of threads: a device does not get faster with them as processors do. `cold_on`: its name.
    """
    metrics = _AT_RANDOM if at_random else _IN_ORDER
    rates = [
        roof.value
        for roof in roofs
        if roof.metric in metrics and roof.level == "device" and roof.detail.get("file_system") == cold_on
    ]
    return max(rates, default=None)


def _device_seconds(work: Work, roofs: Sequence[Roof], cold_on: str) -> float:
    """Return the least seconds of the device; 0 where it is not known."""
    in_order, at_random = device_rate(roofs, cold_on), device_rate(roofs, cold_on, at_random=True)
    if in_order is None:
        return 0.0
    seconds = work.device_bytes / in_order
    if at_random is not None and work.device_extent_bytes > 0:
        seconds = max(seconds, min(work.device_calls / at_random, work.device_extent_bytes / in_order))
    return seconds


def level_of(working_set_bytes: float, caches: Sequence[dict[str, Any]], threads: int) -> str:
    """Return the smallest level that holds a working set, all of its instances that `threads` cores use together."""
    by_size: list[tuple[float, str]] = []
    for cache in caches:
        size, shared_by = cache.get("bytes"), cache.get("shared_by") or 1
        if size:
            instances = max(1, threads // int(shared_by))
            by_size.append((float(size) * instances, str(cache["level"])))
    return next((level for size, level in sorted(by_size) if working_set_bytes <= size), "memory")


def operations(work: Work) -> float:
    """Return the operations of a rung as the peak of FMA instructions counts them: an addition takes one's place."""
    return work.fma_flops + 2 * work.add_flops


def limit(
    work: Work | None,
    machine: Machine,
    threads: int,
    precision: str,
    isa: str | None = None,
    cold_on: str | None = None,
) -> Limit | None:
    """Return a rung's limit, by the roofs up to `isa`; None when its work or the roofs are not known.

    cold_on  the file system on which its files are, if none of them is in the cache when a run begins
    """
    if work is None:
        return None
    bounds: list[Limit] = []
    peak = fma_peak(machine.roofs, threads, precision, isa)
    if peak and operations(work) > 0:
        bounds.append(Limit(operations(work) / peak, "compute"))
    if work.memory_bytes > 0:
        level = level_of(work.working_set_bytes, machine.caches, threads)
        speed = bandwidth(machine.roofs, level, threads)
        if speed:
            bounds.append(Limit(work.memory_bytes / speed, level))
    if cold_on is not None and (seconds := _device_seconds(work, machine.roofs, cold_on)) > 0:
        bounds.append(Limit(seconds, "device"))
    return max(bounds, key=lambda bound: bound.seconds, default=None)


def raise_roofs(known: Sequence[Roof], measured: Sequence[Roof]) -> list[Roof]:
    """Return the known roofs, each rate raised to the best that was measured of the same kind; new ones are added."""

    def key(roof: Roof) -> tuple[Any, ...]:
        file_system = roof.detail.get("file_system")
        return (roof.metric, roof.level, roof.threads, roof.isa, roof.precision, roof.unit, file_system)

    roofs = dict(enumerate(known))
    places = {key(roof): index for index, roof in roofs.items()}
    for roof in measured:
        if not roof.unit.endswith("/s"):
            continue
        place = places.setdefault(key(roof), len(roofs))
        if place not in roofs or roof.value > roofs[place].value:
            roofs[place] = roof
    return list(roofs.values())
