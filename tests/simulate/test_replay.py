"""Replays of counted programs: against what the sources published, against closed forms, and twice the same."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from any_platform import plain

from rooftop.errors import Misuse
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Halo, Phase, Work, program_named
from rooftop.simulate.recording import Recording
from rooftop.simulate.replay import Replayed, missing, replay

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


MESSAGES = {"latency_s": 1e-6, "overhead_s": 1e-7, "eager_limit_bytes": 1000}


def platform(nodes: int, shape: dict[str, Any] | None = None, **more: Any) -> Platform:
    """Return nodes of one core, whose messages are eager up to 1000 bytes."""
    return plain(nodes, shape=shape, **({"messages": MESSAGES} | more))


def replayed(
    name: str, machine: Platform, ranks: int, threads: int = 1, choices: Mapping[str, Any] | None = None, **given: float
) -> Replayed:
    program = program_named(name)
    layout = laid_out(machine, ranks, threads)
    phases = program.phases(ranks, threads, program.given(given))
    return replay(recording_of(layout, phases), layout, choices)


SOURCE = {"nx": 512, "ny": 512, "nz": 512, "iterations": 1000}


@pytest.mark.parametrize(("pipelined", "published_s"), [(0, 42), (1, 37)])
def test_ft_on_64_groups_takes_what_was_published(pipelined: int, published_s: float) -> None:
    found = replayed("ft", named_platform("sw26010_groups"), 64, 64, None, pipelined=pipelined, **SOURCE)
    assert found.seconds == pytest.approx(published_s, rel=0.01)


def test_ft_on_256_groups_is_within_a_fifth_of_what_was_published() -> None:
    given = SOURCE | dict.fromkeys(("nx", "ny", "nz"), 2048)
    found = replayed("ft", named_platform("sw26010_groups"), 256, 64, None, pipelined=1, **given)
    assert found.seconds == pytest.approx(748, rel=0.2)


def test_elasticity_gains_nothing_by_overlap_on_the_lectures_cluster() -> None:
    cluster = named_platform("lecture_cluster")
    static, overlapped = (
        replayed("elasticity", cluster, 12, 16, overlap=overlap, iterations=100).seconds for overlap in (0, 1)
    )
    assert static == pytest.approx(31.1, rel=0.02)
    assert overlapped == pytest.approx(static, rel=0.01)


def test_columns_of_a_halo_take_longer_than_rows() -> None:
    node = {"cores": 1, "core_flops_per_s": 1e12, "memory_bytes_per_s": 1e10}
    rows, columns = (replayed("halo", platform(4, node=node), 4, n=1000, columns=way).seconds for way in (0, 1))
    assert columns == pytest.approx(rows + 100 * 2 * 2 * 1000 * 64 / 1e10, rel=1e-3)


WORKING = ("ft", "elasticity", "ant_colony", "halo", "hdf5_io")


@pytest.mark.parametrize("ranks", [1, 2, 3, 5, 7])
@pytest.mark.parametrize(
    "name", ["ft", "elasticity", "ant_colony", "halo", "hdf5_io", "all_to_all", "broadcast", "allreduce"]
)
def test_every_program_ends_on_any_number_of_ranks(name: str, ranks: int) -> None:
    small = {"ft": dict.fromkeys(("nx", "ny", "nz"), 32), "elasticity": dict.fromkeys(("nx", "ny", "nz"), 20)}
    found = replayed(name, platform(7), ranks, 1, None, **small.get(name, {}))
    assert len(found.ranks) == ranks
    assert (found.seconds > 0) == (ranks > 1 or name in WORKING)


@pytest.mark.parametrize("algorithm", ["pairwise", "bruck", "linear"])
def test_an_all_to_all_agrees_with_the_model_on_a_crossbar(algorithm: str) -> None:
    machine = platform(16)
    layout = laid_out(machine, 16)
    phases = program_named("all_to_all").phases(16, 1, {"elements": 12500, "calls": 1})
    counted = predict(layout, phases, {"alltoall": algorithm}).seconds
    found = replay(recording_of(layout, phases), layout, {"alltoall": algorithm})
    assert found.seconds == pytest.approx(counted, rel=0.1)


@pytest.mark.parametrize(
    "network",
    [
        {"topology": "torus", "dimensions": [4, 2, 2]},
        {"topology": "fat_tree", "down": [4, 4], "up": [1, 2], "links": [1, 1]},
        {"topology": "dragonfly", "groups": 2, "chassis": 2, "routers": 2, "nodes_per_router": 2},
    ],
)
def test_a_topology_with_fewer_links_takes_longer_than_a_crossbar(network: dict[str, Any]) -> None:
    given = {"elements": 12500}
    free = replayed("all_to_all", platform(16), 16, 1, None, **given)
    linked = replayed("all_to_all", platform(16, network), 16, 1, None, **given)
    assert linked.seconds > free.seconds
    assert replayed("all_to_all", platform(16, network), 16, 1, None, **given) == linked


def test_a_loop_that_repeats_is_not_simulated_to_its_end() -> None:
    few, many = (replayed("halo", platform(4), 4, n=1000, iterations=times) for times in (1000, 100000))
    assert many.loops[0].simulated < 20
    assert many.seconds == pytest.approx(100 * few.seconds, rel=1e-3)
    assert many.ranks[1].messages == 200000


def test_a_rank_sends_to_both_sides_at_a_distance() -> None:
    layout = laid_out(platform(6), 6)
    recording = recording_of(layout, [Phase("one", Work(), (Halo(((2, 8.0), (2, 8.0))),))])
    partners = [{one.get("to") for one in body[0]["body"]} - {None} for _, body in recording.programs]
    assert partners == [{(rank + 2) % 6, (rank - 2) % 6} for rank in range(6)]


def test_a_dragonfly_that_simgrid_cannot_route_is_refused() -> None:
    shape = {"topology": "dragonfly", "groups": 4, "chassis": 2, "routers": 2, "nodes_per_router": 1}
    with pytest.raises(Misuse, match="groups is 4: SimGrid's dragonflies have at most as many groups as routers"):
        replayed("all_to_all", platform(16, shape), 16)


def test_what_does_not_fit_is_told_in_a_line() -> None:
    layout = laid_out(platform(2), 2)
    waits = Recording(2, [([0, 1], [{"op": "recv", "from": 0}])])
    with pytest.raises(Misuse, match=r"rank \d waits for a message that rank 0 never sends"):
        replay(waits, layout)
    with pytest.raises(Misuse, match="'sum' is not simulated"):
        replay(Recording(2, [([0, 1], [{"op": "sum"}])]), layout)
    with pytest.raises(Misuse, match="the recording has 3 ranks, and the machine has places for 2"):
        replay(Recording(3, [([0, 1, 2], [])]), layout)
