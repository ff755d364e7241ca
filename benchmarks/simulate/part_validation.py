"""Replays of twelve cases beside what they took on two hosts with shaped links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from benchmarks.form import Asked, table
from benchmarks.simulate.described_hosts import platform
from benchmarks.simulate.measured_cases import CASES, CaseTimes, Measured
from benchmarks.simulate.simulate import Part
from benchmarks.simulate.validation_samples import measured
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.program import Call, Phase, Work, program_named
from rooftop.simulate.replay import missing, replay
from rooftop.text.quantities import quantity

ORDER = 45
TITLE = "Validation: twelve cases on hosts with shaped links"


def phases(case: Mapping[str, Any], ranks: int) -> list[Phase]:
    """Return what ranks of a case do: of a lab, what it does of the program of its name."""
    program = program_named(case["program"])
    found = program.phases(ranks, 1, program.given(case["set"]))
    match case.get("pieces"):
        case "barrier":
            return [Phase("barrier", Work(), (Call("allreduce", 1),), found[0].times), *found]
        case "two sides in turn":
            # No sweep, only the packing of columns; with two ranks, each is the other's neighbour on both sides.
            (sweep,) = found
            (plain,) = program.phases(ranks, 1, program.given({**case["set"], "columns": 0}))
            packing = replace(sweep, work=Work(bytes=(sweep.work.bytes - plain.work.bytes) / 2))
            return [packing, packing]
        case _:
            return found


@dataclass(frozen=True)
class Compared:
    """A case on the links of a round: seconds measured, replayed and by the model."""

    case: str
    times: CaseTimes
    replayed_s: float
    model_s: float

    @property
    def measured_s(self) -> float:
        """The median of the samples."""
        return median(self.times.ranks)

    @property
    def error(self) -> float:
        """What is replayed over what was measured, less one."""
        return self.replayed_s / self.measured_s - 1

    @property
    def model_error(self) -> float:
        """The same of the model."""
        return self.model_s / self.measured_s - 1


def compared(case: Mapping[str, Any], round_: str, rounds: Mapping[str, Measured]) -> Compared:
    """Predict a case. Work takes what one rank of the round took of it, by the same counts."""
    place = platform(round_, rounds["first"], case.get("share"))
    times = rounds[round_].cases[case["id"]]
    ranks, units = CASES["rounds"][round_]["hosts"], case["set"].get("iterations", 1)
    if times.alone:
        alone = predict(laid_out(place, 1), phases(case, 1)).seconds / units
        factor = alone / median(times.alone)
        node = place.node
        rates = {
            "core_flops_per_s": factor * node.core_flops_per_s,
            "memory_bytes_per_s": factor * node.memory_bytes_per_s,
        }
        place = place.model_copy(update={"node": node.model_copy(update=rates)})
    layout, what = laid_out(place, ranks), phases(case, ranks)
    replayed = replay(recording_of(layout, what), layout)
    return Compared(case["id"], times, replayed.seconds / units, predict(layout, what).seconds / units)


def _where(round_: str) -> str:
    links = CASES["rounds"][round_]
    return f"{links['hosts']} hosts, {links['rate_mbit']} Mbit/s, {links['delay_us']} µs"


def _rows(round_: str, found: Sequence[Compared]) -> list[Asked]:
    off = [100 * abs(one.error) for one in found]
    worst = max(found, key=lambda one: abs(one.error))
    asked, where = CASES["asked"], _where(round_)
    return [
        Asked.at_most(f"{where}: median error of {len(found)} cases", asked["median_percent"], median(off), "%"),
        Asked.at_most(f"{where}: worst error ({worst.case})", asked["worst_percent"], max(off), "%"),
    ]


def _samples(samples: Sequence[float]) -> tuple[str, str]:
    """Return the median, and the range."""
    return quantity(median(samples), "s"), f"{quantity(min(samples), 's')} to {quantity(max(samples), 's')}"


def _table(found: Sequence[Compared]) -> str:
    rows = [
        (
            one.case,
            *_samples(one.times.ranks),
            quantity(one.replayed_s, "s"),
            f"{100 * one.error:+.1f} %",
            f"{100 * one.model_error:+.1f} %",
        )
        for one in found
    ]
    return table(("case", "measured", "samples", "replayed", "off", "model off"), rows)


def _programs(rounds: Mapping[str, Measured]) -> str:
    """Return the table of programs that were recorded on one machine and replayed on the hosts."""
    told = {one["id"]: one["measured"] for one in CASES["programs"]}
    rows = []
    for round_, measured_there in rounds.items():
        for name, times in measured_there.programs.items():
            if times.replayed_s is not None:
                off = times.replayed_s / median(times.samples) - 1
                shown = quantity(times.replayed_s, "s")
                rows.append((told[name], _where(round_), *_samples(times.samples), shown, f"{100 * off:+.1f} %"))
    return table(("program", "hosts", "measured", "samples", "replayed", "off"), rows) if rows else ""


_READING = """\
*Measured*: the median of nine samples. *Model off*: the error of the model by counts alone. With two ranks the replay
adds little to the model; what both share are the counts and the constants. The largest errors, and what they are from:

- `allreduce` sends 512 KiB both ways at once. Over TCP, Open MPI answers that a message may come by the same stream as
  its own data, behind them: once one rank is late by more than a latency, the two directions take turns, and they stay
  so. A message of 1 MiB takes 13.5 and 4.69 ms on the links of the rounds, and 13.9 and 4.92 ms were measured. A replay
  starts with ranks that are on time.
- `ft-pipelined` of the second round: the lab calls MPI_Test every thousand cycles, and all of a message proceeds. The
  rung calls it between tiles. At 400 MB/s the socket's buffer is through before the next call.
- `cg-dynamic`: the thread that exchanges is the only one of its rank, so that nothing is hidden. The replay lets what
  is eager proceed by itself.
- `colony`: shorter tours are sent as they are found, at instants that are random.
- `alltoall` of the first round, 32 KiB: the links pass a whole segment of up to 64 KiB at a tick of 250 µs, so that its
  bytes take no time.
- All that compute come out too fast: the two ranks share the machine's memory, and one rank alone had all of it.
"""
_PROGRAMS = """\
Programs that were recorded on this machine, a rank on each core, replayed on the hosts' platform, and run there.
Seconds of their further steps:
"""


def part() -> Part:
    """Return the section, from the samples that are kept."""
    rounds = measured()
    if not rounds:
        return Part([Asked("Validation", "", "nothing was measured", None)])
    if (why := missing()) is not None:
        return Part([Asked("Validation", "", why, None)])
    rows: list[Asked] = []
    below: list[str] = []
    for name in CASES["rounds"]:
        found = [compared(case, name, rounds) for case in CASES["cases"]]
        rows += _rows(name, found)
        below += [f"Round *{name}*: {_where(name)}.", _table(found)]
    below.append(_READING)
    if programs := _programs(rounds):
        below += [_PROGRAMS, programs]
    return Part(rows, below)
