"""Suspect reads and writes: those of what was read before, small ones, and waiting for files: see suspicions.py."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rooftop.diagnose import cures
from rooftop.diagnose.chunk_cache import chunk_cache
from rooftop.diagnose.facts import Facts
from rooftop.diagnose.suspicion import Suspicion
from rooftop.observe.sleeping import IO

_SMALL_BYTES = 4096  # of a read or a write
_REREAD_BYTES = 1 << 24
_CALLS_PER_S = 1000


@dataclass(frozen=True)
class Spent:
    """Where the cores' time goes.

    calls_s      in calls of the system, whatever they are for
    unpacking_s  in decompressing
    width        how many cores work at once, on average
    """

    calls_s: float
    unpacking_s: float
    width: float


def _working_s(facts: Facts, spent: Spent) -> float:
    """Return the seconds of work in reads and writes: the time inside has that asleep, and that of calls has others."""
    if facts.calls is None:
        return spent.calls_s
    return min(spent.calls_s, facts.calls.input_output_s / spent.width)


def _again(facts: Facts, spent: Spent) -> Suspicion | None:
    """Return that most of what is read was read before, and is unpacked anew each time."""
    calls = facts.calls
    if calls is None or calls.reread_bytes < max(_REREAD_BYTES, calls.read_bytes / 2):
        return None
    work_s = min(facts.elapsed_s, _working_s(facts, spent) + spent.unpacking_s)
    return Suspicion(
        "repeated reads",
        work_s * calls.reread_bytes / calls.read_bytes,
        f"{calls.reread_bytes / 1e6:,.3g} MB of {calls.read_bytes / 1e6:,.3g} MB had been read before; reading and "
        f"unpacking take {work_s:.3g} s of {facts.elapsed_s:.3g} s ({work_s / max(facts.elapsed_s, 1e-9):.0%})",
        "keep what is needed again: a cache that holds it",
    )


def input_and_output(facts: Facts, spent: Spent, least_s: float) -> Iterator[Suspicion]:
    """Yield that threads read again what they had read, and what else they spend in reads and writes, asleep or not.

    least_s  that are worth a line: less of repeated reads is told among the others
    """
    calls_s, beside = _working_s(facts, spent), ""
    chunks = chunk_cache(facts, cures.CHUNK_CACHE)
    again = chunks if chunks is not None and chunks.stake_s >= least_s else _again(facts, spent)
    if again is not None and again.stake_s >= least_s:
        yield again
        if facts.calls is not None and facts.calls.read_bytes:
            calls_s *= 1 - min(1.0, facts.calls.reread_bytes / facts.calls.read_bytes)
        beside = " beside repeated reads"
    slept_s = facts.sleep_s(IO) / max(1, len(facts.threads))
    name, counted = "input and output", ""
    if facts.calls is not None:
        kinds = {"reads": (facts.calls.reads, facts.calls.read_bytes)}
        kinds["writes"] = (facts.calls.writes, facts.calls.written_bytes)
        what, (count, moved) = max(kinds.items(), key=lambda one: one[1][0])
        if count:
            counted = f"; {count:,} {what} of {moved / count:,.0f} bytes on average"
        if count > _CALLS_PER_S * facts.elapsed_s and moved < _SMALL_BYTES * count:
            name = f"small {what}"
    yield Suspicion(
        name,
        slept_s + calls_s,
        f"{calls_s:.3g} s of {facts.elapsed_s:.3g} s in calls of the system{beside}, {slept_s:.3g} s asleep in them"
        f"{counted}",
        "read and write larger pieces: buffers of 1 MiB, whole chunks",
        (cures.BUFFER,),
    )
