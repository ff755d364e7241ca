"""Replays of twelve cases beside what they took on two hosts with shaped links."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Any

from benchmarks.form import Asked, table
from benchmarks.simulate.measured_cases import CASES, CaseTimes, Measured, measured
from benchmarks.simulate.simulate import Part
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.platform import Platform
from rooftop.simulate.program import Call, Phase, Work, program_named
from rooftop.simulate.replay import missing, replay
from rooftop.text.quantities import quantity

ORDER = 40
TITLE = "Validation: twelve cases on hosts with shaped links"
_LONG = 1 << 20
#: Of Open MPI's TCP: its parameter btl_tcp_eager_limit.
_EAGER_BYTES = 65536


def platform(round_: str, first: Measured, share: str | None) -> Platform:
    """Return the hosts of a round, with the constants of the first.

    What a short message takes beyond the delay that was asked of the links is the same on all links.
    """
    links, links_of_first = CASES["rounds"][round_], CASES["rounds"]["first"]
    short_s, long_s = first.message_s[min(first.message_s)], first.message_s[_LONG]
    # A long message asks first, which takes a round trip.
    rate = _LONG / (long_s - 3 * short_s)
    if links is not links_of_first:
        rate = links["rate_mbit"] * 1e6 / 8
    more_s = (links["delay_us"] - links_of_first["delay_us"]) * 1e-6
    tables = {
        "node": {"cores": 1, "core_flops_per_s": first.flops_per_s, "memory_bytes_per_s": first.bytes_per_s},
        "network": {"topology": "crossbar", "link_latency_s": 0.0, "link_bytes_per_s": rate},
        "messages": {
            "latency_s": short_s - 2 * first.overhead_s + more_s,
            "overhead_s": first.overhead_s,
            "eager_limit_bytes": _EAGER_BYTES,
        },
        "progress": {"rule": "calls", "share_outside_calls": first.share(share) if share else 0.0},
    }
    source = {"figures": ["nodes", *tables], "how": "measured", "says": "benchmarks/simulate/validation.toml"}
    return Platform.model_validate({"title": round_, "nodes": links["hosts"], **tables, "sources": [source]})


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


def _rows(round_: str, found: Sequence[Compared]) -> list[Asked]:
    links = CASES["rounds"][round_]
    where = f"{links['hosts']} hosts, {links['rate_mbit']} Mbit/s, {links['delay_us']} µs"
    off = [100 * abs(one.error) for one in found]
    worst = max(found, key=lambda one: abs(one.error))
    asked = CASES["asked"]
    return [
        Asked.at_most(f"{where}: median error of {len(found)} cases", asked["median_percent"], median(off), "%"),
        Asked.at_most(f"{where}: worst error ({worst.case})", asked["worst_percent"], max(off), "%"),
    ]


def _table(found: Sequence[Compared]) -> str:
    rows = [
        (
            one.case,
            quantity(one.measured_s, "s"),
            f"{quantity(min(one.times.ranks), 's')} to {quantity(max(one.times.ranks), 's')}",
            quantity(one.replayed_s, "s"),
            f"{100 * one.error:+.1f} %",
            f"{100 * one.model_error:+.1f} %",
        )
        for one in found
    ]
    return table(("case", "measured", "samples", "replayed", "off", "model off"), rows)


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
        below += [f"Round *{name}*:", _table(found)]
    return Part(rows, below)
