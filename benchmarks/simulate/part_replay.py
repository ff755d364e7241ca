"""The source cases and larger ones, replayed message by message; what a replay costs."""

from __future__ import annotations

import resource
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from benchmarks.form import Asked, table
from benchmarks.simulate import part_collectives
from benchmarks.simulate.simulate import Part
from rooftop.simulate.collectives import ALGORITHMS
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Call, Collective, Phase, Work, program_named
from rooftop.simulate.replay import Replayed, missing, replay
from rooftop.text.quantities import size

ORDER = 30
TITLE = "Replayed message by message"

# Of the source of FT on SW26010 core groups, as part_model.py has them: blocking, pipelined, and the row predicted.
BLOCKING_S, PIPELINED_S, PREDICTED_S = 42.0, 37.0, 748.0
_SOURCE = {"nx": 512, "ny": 512, "nz": 512, "iterations": 1000}
_LARGE = _SOURCE | dict.fromkeys(("nx", "ny", "nz"), 2048)
MOST_CPU_S, MOST_BYTES = 120.0, 4 << 30
MOST_CPU_HALO_S = 300.0


def cluster(nodes: int, network: Mapping[str, Any], cores: int = 1) -> Platform:
    """Return a small cluster of round figures on a network."""
    tables = {
        "node": {"cores": cores, "core_flops_per_s": 2e9, "memory_bytes_per_s": 4e10},
        "network": {"link_latency_s": 1e-7, "link_bytes_per_s": 1e10} | dict(network),
        "messages": {"latency_s": 1e-6, "overhead_s": 3e-7, "eager_limit_bytes": 4096},
    }
    sources = [{"figures": ["nodes", *tables], "how": "assumed", "says": "round figures of a small cluster"}]
    return Platform.model_validate({"title": "a small cluster", "nodes": nodes, **tables, "sources": sources})


@dataclass(frozen=True)
class Cost:
    """What a replay took: processor time and the largest memory of any so far."""

    cpu_s: float
    peak_bytes: int


def run(
    program: str,
    platform: Platform,
    ranks: int,
    threads: int = 1,
    choices: Mapping[str, Any] | None = None,
    **given: float,
) -> tuple[Replayed, Cost]:
    """Return a program's replay on a platform, and what it cost."""
    one = program_named(program)
    layout = laid_out(platform, ranks, threads)
    recording = recording_of(layout, one.phases(ranks, threads, one.given(given)))
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    found = replay(recording, layout, choices)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return found, Cost(cpu_s, after.ru_maxrss * 1024)


def _published(what: str, most_percent: float | None, reached_s: float, published_s: float) -> Asked:
    off = 100 * (reached_s / published_s - 1)
    told = f"{reached_s:.4g} s replayed, {published_s:g} s published: {off:+.1f} %"
    if most_percent is None:
        return Asked(what, "", told, None)
    return Asked(what, f"within {most_percent:g} %", told, abs(off) <= most_percent)


def _source_rows() -> list[Asked]:
    groups = named_platform("sw26010_groups")
    blocking, pipelined = (run("ft", groups, 64, 64, None, pipelined=way, **_SOURCE)[0] for way in (0, 1))
    large = run("ft", groups, 256, 64, None, pipelined=1, **_LARGE)[0]
    two_level = run("ft", groups, 256, 64, {"alltoall": "two_level"}, pipelined=1, **_LARGE)[0]
    lecture = named_platform("lecture_cluster")
    static, overlapped = (run("elasticity", lecture, 12, 16, overlap=way, iterations=100)[0] for way in (0, 1))
    apart = 100 * (static.seconds / overlapped.seconds - 1)
    return [
        _published("FT, 64 groups, blocking: the rates are from this", None, blocking.seconds, BLOCKING_S),
        _published("FT, 64 groups, pipelined: the share of 5 / 12 is from this", None, pipelined.seconds, PIPELINED_S),
        _published("FT, 256 groups, 2048³, pipelined", 20, large.seconds, PREDICTED_S),
        Asked(
            "FT, 256 groups: what a two-level all-to-all gains",
            "nothing",
            f"{large.seconds / two_level.seconds:.3g} times as fast",
            two_level.seconds >= large.seconds,
        ),
        Asked("Elasticity, 12 nodes: static and overlapped", "within 1 %", f"{apart:.2f} % apart", abs(apart) <= 1),
    ]


def _cost_row(what: str, cost: Cost, most_s: float) -> Asked:
    met = cost.cpu_s <= most_s and cost.peak_bytes <= MOST_BYTES
    return Asked(
        what,
        f"at most {most_s:g} s of a processor, 4 GiB",
        f"{cost.cpu_s:.3g} s, {cost.peak_bytes / 2**20:.0f} MiB",
        met,
    )


def _cost_rows() -> list[Asked]:
    crossbar = {"topology": "crossbar"}
    many = cluster(256, crossbar)
    small = dict.fromkeys(("nx", "ny", "nz"), 256)
    programs: list[tuple[str, dict[str, float]]] = [
        ("ft", {**small, "iterations": 1000}),
        ("ft", {**small, "iterations": 1000, "pipelined": 1}),
        ("elasticity", {"iterations": 1000}),
        ("elasticity", {"iterations": 1000, "overlap": 1}),
        ("ant_colony", {}),
        ("halo", {"iterations": 10000}),
        ("all_to_all", {"elements": 512}),
    ]
    found = []
    for name, given in programs:
        told = ", ".join(f"{key} {value:g}" for key, value in given.items())
        found.append(_cost_row(f"{name} on 256 ranks ({told})", run(name, many, 256, 1, None, **given)[1], MOST_CPU_S))
    shared = {**small, "iterations": 1000}
    cost = run("ft", cluster(16, crossbar, 16), 256, 1, None, **shared)[1]
    found.append(_cost_row("ft on 256 ranks, 16 on a node (256³, iterations 1000)", cost, MOST_CPU_S))
    for window in (1, 16):
        choices = {"window": window, "grain": 1}
        cost = run("all_to_all", many, 256, 1, choices, elements=512)[1]
        found.append(
            _cost_row(f"each message of an all-to-all of 4 KiB on 256 ranks, window {window}", cost, MOST_CPU_S)
        )
    cost = run("halo", cluster(1024, crossbar), 1024, iterations=10000)[1]
    return [*found, _cost_row("halo on 1024 ranks", cost, MOST_CPU_HALO_S)]


def best(layout: Layout, collective: str, bytes_: int) -> str:
    """Return the algorithm that takes least when it is replayed."""
    recording = recording_of(layout, [Phase("call", Work(), (Call(cast(Collective, collective), bytes_),))])
    taken = {name: replay(recording, layout, {collective: name}).seconds for name in ALGORITHMS[collective]}
    return min(taken, key=taken.__getitem__)


def collectives(sizes: Sequence[int] = part_collectives.SIZES) -> str:
    """Return the best algorithm of each collective by network and size, with that of the model."""
    rows = []
    for collective in ALGORITHMS:
        for network, shape in part_collectives.SHAPES.items():
            layout = laid_out(part_collectives.platform(shape), part_collectives.NODES, 1, 1)
            cells = []
            for bytes_ in sizes:
                replayed = best(layout, collective, bytes_)
                counted, _ = part_collectives.best(layout, collective, bytes_)
                cells.append(replayed if replayed == counted else f"{replayed} (model: {counted})")
            rows.append((collective, network, *cells))
    return table(("collective", "network", *map(size, sizes)), rows)


_READING = """\
The share with which messages proceed outside of calls, 5 / 12, is fitted on FT's pipelined row of 64 groups, so that
row is no prediction. What is replayed on 256 groups lacks what the 64-group row cannot tell: the network's shape, and
lines of 2048 points that exceed a worker's local store.

The fastest algorithm of each collective for 64 ranks on the four networks above, one rank on a node, and the model's
where it differs. Sending all blocks at once is left out of the model's, as above; a replay knows no congestion at a
receiver either:
"""


def part() -> Part:
    """Return the section."""
    if (why := missing()) is not None:
        return Part([Asked("Replays", "", why, None)])
    return Part([*_source_rows(), *_cost_rows()], [_READING, collectives()])
