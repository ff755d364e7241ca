"""The source cases and larger ones, replayed message by message; what a replay costs."""

from __future__ import annotations

import resource
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchmarks.form import Asked, table
from benchmarks.simulate.part_collectives import usual
from benchmarks.simulate.simulate import Part
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Call, Collective, Phase, Work, program_named
from rooftop.simulate.replay import Replayed, missing, replay

ORDER = 30
TITLE = "Replayed message by message"

# Of the source of FT on SW26010 core groups, as part_model.py has them: blocking, pipelined, and the row predicted.
BLOCKING_S, PIPELINED_S, PREDICTED_S = 42.0, 37.0, 748.0
_SOURCE = {"nx": 512, "ny": 512, "nz": 512, "iterations": 1000}
_LARGE = _SOURCE | dict.fromkeys(("nx", "ny", "nz"), 2048)
MOST_CPU_S, MOST_BYTES = 120.0, 4 << 30
MOST_CPU_HALO_S = 300.0
SIZES = (64, 1024, 4096, 16384, 65536, 262144)
NETWORKS: Mapping[str, dict[str, Any]] = {
    "crossbar": {"topology": "crossbar"},
    "torus 4x4x4": {"topology": "torus", "dimensions": [4, 4, 4]},
    "fat tree 8x8, half the links": {"topology": "fat_tree", "down": [8, 8], "up": [1, 4], "links": [1, 1]},
    "dragonfly 4x2x4x2": {"topology": "dragonfly", "groups": 4, "chassis": 2, "routers": 4, "nodes_per_router": 2},
}
# Without `linear`, which has thousands of flows at once on the same links: half a minute each.
ALGORITHMS: Mapping[Collective, tuple[str, ...]] = {
    "alltoall": ("pairwise", "bruck", "ring", "two_level"),
    "bcast": ("binomial", "near_first", "flat", "chain", "scatter_allgather"),
    "allreduce": ("recursive_doubling", "ring", "rabenseifner"),
}


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
    for window in (1, 16):
        choices = {"window": window, "grain": 1}
        cost = run("all_to_all", many, 256, 1, choices, elements=512)[1]
        found.append(
            _cost_row(f"each message of an all-to-all of 4 KiB on 256 ranks, window {window}", cost, MOST_CPU_S)
        )
    cost = run("halo", cluster(1024, crossbar), 1024, iterations=10000)[1]
    return [*found, _cost_row("halo on 1024 ranks", cost, MOST_CPU_HALO_S)]


def _collectives() -> str:
    """Return the best algorithm of each collective by network and size, with that of the model."""
    rows = []
    for collective, names in ALGORITHMS.items():
        for network, shape in NETWORKS.items():
            platform = cluster(64, shape)
            layout = laid_out(platform, 64)
            cells = []
            for size in SIZES:
                phases = [Phase("call", Work(), (Call(collective, size),))]
                recording = recording_of(layout, phases)
                replayed = {name: replay(recording, layout, {collective: name}).seconds for name in names}
                counted = {name: predict(layout, phases, {collective: name}).seconds for name in names}
                best = min(replayed, key=replayed.__getitem__)
                by_count = min(counted, key=counted.__getitem__)
                told = best if best == by_count else f"{best} (model: {by_count})"
                chosen = usual(collective, size)
                longer = "" if chosen == best else f"; {chosen} {replayed[chosen] / replayed[best]:.2f} times as long"
                cells.append(f"{told}{longer}")
            rows.append((collective, network, *cells))
    return table(("collective", "network", *(f"{size} B" for size in SIZES)), rows)


_READING = """\
The share with which messages proceed outside of calls, 5 / 12, is fitted on FT's pipelined row of 64 groups, so that
row is no prediction. What is replayed on 256 groups lacks what the 64-group row cannot tell: the network's shape, and
lines of 2048 points that exceed a worker's local store.

The fastest algorithm of each collective for 64 ranks on four networks of equal links, the model's where it differs,
and how long the one takes that MPICH's rules by size choose, where that is another. An all-to-all that sends all
blocks at once is left out: in neither does a link collapse under many senders.
"""


def part() -> Part:
    """Return the section."""
    if (why := missing()) is not None:
        return Part([Asked("Replays", "", why, None)])
    return Part([*_source_rows(), *_cost_rows()], [_READING, _collectives()])
