"""The model: rooflines, overlap, balance, the source cases' figures, and large numbers of ranks."""

from __future__ import annotations

import math
from typing import Any

import pytest
from any_platform import plain, platforms
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.simulate.collectives import collective_seconds
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import Predicted, halo_seconds, phase_time, predict, work_seconds
from rooftop.simulate.platform import Platform
from rooftop.simulate.platform_files import named_platform
from rooftop.simulate.program import Call, Halo, Phase, Work, program_named, program_names
from rooftop.simulate.programs.ant_colony import CONTENTION
from rooftop.simulate.programs.elasticity import cut


def run(name: str, platform: Platform, ranks: int, threads: int = 1, /, **given_: float) -> Predicted:
    program = program_named(name)
    layout = laid_out(platform, ranks, threads)
    return predict(layout, program.phases(ranks, threads, program.given(given_)))


def test_work_is_limited_by_cores_or_by_memory() -> None:
    layout = laid_out(plain(1, 4), 4)
    computing, moving = Work(flops=1e9), Work(flops=1e9, bytes=5e9)
    assert [work_seconds(layout, one)[1] for one in (computing, moving)] == ["compute", "memory"]
    # Four ranks share 10 GB/s.
    assert [work_seconds(layout, one)[0] for one in (computing, moving)] == pytest.approx([1.0, 2.0])
    assert work_seconds(layout, Work()) == (0.0, "")
    assert work_seconds(laid_out(plain(1, 4), 1, 4), Work(flops=1e9))[0] == pytest.approx(0.25)


def test_one_core_may_not_use_all_of_the_memory() -> None:
    node = {
        "cores": 4,
        "groups": 2,
        "core_flops_per_s": 1e9,
        "memory_bytes_per_s": 20e9,
        "core_memory_bytes_per_s": 6e9,
    }
    alone = laid_out(plain(1, node=node), 1)
    assert work_seconds(alone, Work(bytes=6e9))[0] == pytest.approx(1.0)
    # Two threads are in one group, whose memory has half of the node's rate.
    assert work_seconds(laid_out(plain(1, node=node), 1, 2), Work(bytes=10e9))[0] == pytest.approx(1.0)
    assert work_seconds(laid_out(plain(1, node=node), 1, 4), Work(bytes=20e9))[0] == pytest.approx(1.0)


def test_kinds_of_work_have_rates_of_their_own() -> None:
    node = {"cores": 1, "core_flops_per_s": 1e9, "memory_bytes_per_s": 1e9, "core_flops_per_s_by_kind": {"fft": 4e9}}
    layout = laid_out(plain(1, node=node), 1)
    assert work_seconds(layout, Work(flops=4e9, kind="fft"))[0] == pytest.approx(1.0)
    assert work_seconds(layout, Work(flops=4e9, kind="ants"))[0] == pytest.approx(4.0)


@pytest.mark.parametrize(
    ("progress", "hidden"),
    [
        ({"rule": "calls"}, 0.0),
        ({"rule": "thread"}, 1.0),
        ({"rule": "hardware"}, 1.0),
        ({"rule": "calls", "share_outside_calls": 0.25}, 0.25),
        ({"rule": "hardware", "share_outside_calls": 0.5}, 0.5),
    ],
)
def test_overlap_hides_what_proceeds(progress: dict[str, Any], hidden: float) -> None:
    layout = laid_out(plain(2, progress=progress), 2)
    phase = Phase("p", Work(flops=1e9), (Call("bcast", 4e9),), times=3, overlap=True)
    found = phase_time(layout, phase, {})
    assert found.compute_s == pytest.approx(3.0)
    assert found.hidden_s == pytest.approx(3 * hidden)
    assert found.seconds == pytest.approx(found.compute_s + found.transfer_s - found.hidden_s)
    assert found.most_hidden_s == pytest.approx(3.0)


def test_a_thread_that_moves_messages_takes_its_cores() -> None:
    threaded = plain(2, 4, progress={"rule": "thread", "thread_cores": 1.0})

    def compute_s(threads: int, *, overlap: bool) -> float:
        phase = Phase("one", Work(flops=3e9), (Halo(((1, 8.0),)),), overlap=overlap)
        return predict(laid_out(threaded, 2, threads, per_node=1), [phase]).compute_s

    assert compute_s(4, overlap=True) == pytest.approx(1.0)
    assert compute_s(4, overlap=False) == pytest.approx(0.75)
    assert compute_s(3, overlap=True) == pytest.approx(1.0)


@settings(max_examples=40)
@given(platforms(), st.floats(0, 1e12), st.floats(0, 1e12), st.floats(0, 1e9), st.integers(1, 40), st.booleans())
def test_a_phase_takes_no_less_than_its_parts(
    platform: Platform, flops: float, moved: float, size: float, ranks: int, overlap: bool
) -> None:
    layout = laid_out(platform, min(ranks, platform.cores))
    sides = ((1, size), (1, size), (3, size / 2))
    phase = Phase("p", Work(flops, moved), (Halo(sides), Call("allreduce", 8)), overlap=overlap)
    found = phase_time(layout, phase, {})
    assert all(math.isfinite(one) and one >= 0 for one in (found.seconds, found.transfer_s, found.hidden_s))
    assert found.seconds >= max(found.compute_s, found.transfer_s) * (1 - 1e-12)
    assert found.hidden_s <= found.most_hidden_s * (1 + 1e-12)


@settings(max_examples=40)
@given(platforms(), st.floats(1, 1e9), st.integers(2, 40))
def test_more_halo_never_takes_less(platform: Platform, size: float, ranks: int) -> None:
    layout = laid_out(platform, max(1, min(ranks, platform.cores)))
    one, two = Halo(((1, size),)), Halo(((1, size), (2, size)))
    assert halo_seconds(layout, Halo(((1, 2 * size),))) >= halo_seconds(layout, one) * (1 - 1e-9)
    assert halo_seconds(layout, two) >= halo_seconds(layout, one) * (1 - 1e-9)


def test_a_halo_of_two_sides_passes_the_nodes_link() -> None:
    layout = laid_out(plain(8), 8)
    assert halo_seconds(layout, Halo(((1, 1e6), (1, 1e6)))) == pytest.approx(2e6 / 1e9, rel=0.01)


def test_ft_of_64_groups_has_its_own_constants_back() -> None:
    groups = named_platform("sw26010_groups")
    size = {"nx": 512, "ny": 512, "nz": 512, "iterations": 1000}
    apart = run("ft", groups, 64, 64, **size)
    assert [apart.compute_s, apart.transfer_s] == pytest.approx([12, 30], rel=0.005)
    assert run("ft", groups, 64, 64, pipelined=1, **size).seconds == pytest.approx(37, rel=0.005)


def test_elasticity_of_the_lecture_is_limited_by_memory() -> None:
    found = run("elasticity", named_platform("lecture_cluster"), 12, 16)
    assert found.phases[0].limit == "memory"
    assert found.seconds == pytest.approx(0.311, rel=0.005)
    assert found.phases[0].transfer_s / found.seconds == pytest.approx(0.0025, rel=0.05)
    program = program_named("elasticity")
    work = program.phases(12, 16, program.given({}))[0].work
    # 27 blocks of 76 bytes for each of 8 million nodes, but for those at the boundary.
    assert work.bytes - 8e6 * (8 + 12 * 24) == pytest.approx(16.4e9, rel=0.005)


def test_a_collective_write_moves_each_byte_once_in_rounds_that_fit_the_buffers() -> None:
    program = program_named("hdf5_io")
    (rounds,) = program.phases(6, 1, program.given({"mib": 1000, "buffer_mib": 16}))
    (call,) = rounds.exchanges
    assert isinstance(call, Call)
    assert rounds.times == 11  # 167 MiB of each domain
    assert 36 * call.bytes * rounds.times == pytest.approx(1000 * 2**20)
    assert 6 * call.bytes <= 16 * 2**20
    assert rounds.work.bytes == pytest.approx(4 * 6 * call.bytes)


def test_contention_of_ants_is_what_the_source_tells() -> None:
    server = named_platform("four_socket_server")
    whole, mixed = (run("ant_colony", server, ranks, threads).compute_s for ranks, threads in ((1, 192), (64, 3)))
    assert whole / mixed == pytest.approx(5.3 / 1.06)
    assert pytest.approx(0.0221, rel=0.01) == CONTENTION


@pytest.mark.parametrize(
    ("ranks", "boxes"), [(1, (1, 1, 1)), (2, (1, 1, 2)), (12, (2, 2, 3)), (192, (4, 6, 8)), (7, (1, 1, 7))]
)
def test_boxes_with_the_least_surface(ranks: int, boxes: tuple[int, int, int]) -> None:
    found = cut((400, 400, 600), ranks)
    assert found is not None
    nodes = (400, 400, 600)

    def surface(one: tuple[int, int, int]) -> int:
        return sum((count - 1) * math.prod(nodes) // size for count, size in zip(one, nodes, strict=True))

    assert surface(found) <= surface(boxes)
    assert math.prod(found) == ranks


def test_balance_of_planes_that_cannot_be_shared_evenly() -> None:
    found = run("ft", plain(48, 1), 48, nx=64, ny=64, nz=64)
    assert found.balance == pytest.approx(64 / 48 / 2)


def test_a_hundred_thousand_ranks() -> None:
    shape = {"topology": "torus", "dimensions": [50, 50, 40]}
    platform = plain(100_000, shape=shape)
    found = run("elasticity", platform, 100_000, nx=2000, ny=2000, nz=2000)
    assert 0 < found.transfer_efficiency < 1
    assert collective_of(platform) > 0


@pytest.mark.parametrize(
    ("name", "collective"), [("all_to_all", "alltoall"), ("broadcast", "bcast"), ("allreduce", "allreduce")]
)
def test_labs_are_calls_of_one_collective(name: str, collective: str) -> None:
    platform = plain(16)
    found = run(name, platform, 16, elements=100, calls=3)
    one = collective_seconds(laid_out(platform, 16), collective, 800).seconds
    assert (found.compute_s, found.balance) == (0.0, 1.0)
    assert found.seconds == pytest.approx(3 * one)


def collective_of(platform: Platform) -> float:
    layout = laid_out(platform, platform.nodes)
    return phase_time(layout, Phase("p", Work(), (Call("alltoall", 8),)), {}).seconds


@pytest.mark.parametrize(
    ("name", "ranks", "given_", "told"),
    [
        ("ft", 128, {"nx": 64, "ny": 64, "nz": 64}, "128 ranks cannot share 64 planes"),
        ("elasticity", 64, {"nx": 3, "ny": 3, "nz": 3}, "64 ranks cannot share 3x3x3 nodes as boxes"),
        ("ant_colony", 64, {"tours": 8}, "64 ranks of 1 threads cannot share 8 tours"),
        ("ft", 2, {"nw": 3}, "ft has no parameter 'nw'; there are: nx, ny, nz"),
        ("ft", 2, {"nx": 2.5}, "nx is 2.5, expected a whole number"),
        ("ft", 2, {"nx": 0}, "nx is 0, expected 1 to 1e9"),
        ("ft", 2, {"nx": -1}, "nx is -1, expected 1 to 1e9"),
        ("ant_colony", 2, {"contention": math.inf}, "contention is inf, expected 0 to 1e9"),
    ],
)
def test_programs_refuse_in_one_line(name: str, ranks: int, given_: dict[str, float], told: str) -> None:
    with pytest.raises(Misuse, match=told):
        run(name, plain(128), ranks, **given_)


@pytest.mark.parametrize(
    ("ranks", "threads", "per_node", "told"),
    [
        (0, 1, None, "ranks is 0, expected 1 to"),
        (17, 1, None, "17 ranks of 1 thread take 5 nodes, and the platform has 4: expected at most 16 ranks"),
        (4, 5, None, "threads is 5, and a node of this platform has 4 hardware threads"),
        (4, 0, None, "threads is 0, expected 1 or more"),
        (4, 2, 3, "ranks per node is 3, and a node has places for 1 to 2 of 2 threads"),
        (8, 1, 1, "8 ranks of 1 thread take 8 nodes"),
    ],
)
def test_ranks_that_have_no_place(ranks: int, threads: int, per_node: int | None, told: str) -> None:
    with pytest.raises(Misuse, match=told):
        laid_out(plain(4, 4), ranks, threads, per_node)


def test_every_program_is_found_and_has_a_title() -> None:
    assert {"ft", "elasticity", "ant_colony", "all_to_all", "broadcast", "allreduce"} <= set(program_names())
    for name in program_names():
        assert len(program_named(name).title) > 20
    with pytest.raises(Misuse, match="there is no model of 'ftt'; there are: all_to_all, allreduce, ant_colony"):
        program_named("ftt")
