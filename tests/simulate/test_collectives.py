"""Algorithms of collectives: closed forms, what they must not depend on, and which wins where."""

from __future__ import annotations

import math
from typing import Any

import pytest
from any_platform import BYTES_PER_S, LATENCY_S, LINK_S, OVERHEAD_S, plain, platforms
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.simulate.collectives import ALGORITHMS, BEST, check_algorithm, collective_seconds, usual
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.platform import Messages, Platform
from rooftop.simulate.steps import Steps, message_seconds, step_seconds, total_seconds

# What a message of a byte takes from node to node: the latency, two overheads and the two links of a crossbar.
START_S = LATENCY_S + 2 * OVERHEAD_S + 2 * LINK_S
BYTE_S = 1 / BYTES_PER_S
NAMES = [(collective, name) for collective, known in ALGORITHMS.items() for name in known]
COPY_S, ADD_S = 2 / 10e9, 3 / 10e9  # for each byte, of a plain node's memory


def seconds(collective: str, algorithm: str, ranks: int, size: float, **more: Any) -> float:
    layout = laid_out(plain(ranks, **more), ranks)
    return collective_seconds(layout, collective, size, algorithm).seconds


def message(size: float) -> float:
    return START_S + max(0.0, size - 1) * BYTE_S


@pytest.mark.parametrize("ranks", [2, 8, 16, 64])
@pytest.mark.parametrize("size", [1, 1000, 1 << 20])
def test_closed_forms_on_a_crossbar(ranks: int, size: int) -> None:
    steps = math.log2(ranks)

    def near(collective: str, algorithm: str, expected: float) -> None:
        assert seconds(collective, algorithm, ranks, size) == pytest.approx(expected), algorithm

    near("alltoall", "pairwise", (ranks - 1) * message(size))
    near("alltoall", "ring", sum(message(left * size) for left in range(1, ranks)))
    copied = (steps * ranks + 2 * ranks) * size * COPY_S
    near("alltoall", "bruck", steps * message(ranks / 2 * size) + copied)
    near("bcast", "binomial", steps * message(size))
    near("bcast", "near_first", steps * message(size))
    near("bcast", "flat", (ranks - 2) * (OVERHEAD_S + size * BYTE_S) + message(size))
    halves = sum(message(size / 2 ** (one + 1)) for one in range(int(steps)))
    near("bcast", "scatter_allgather", halves + (ranks - 1) * message(size / ranks))
    near("allreduce", "recursive_doubling", steps * (message(size) + size * ADD_S))
    added = (ranks - 1) / ranks * size * ADD_S
    near("allreduce", "ring", 2 * (ranks - 1) * message(size / ranks) + added)
    near("allreduce", "rabenseifner", 2 * halves + added)


def test_bytes_of_a_chain_pass_once_whatever_the_ranks() -> None:
    size = 1 << 26
    assert seconds("bcast", "chain", 64, size) < 1.15 * size * BYTE_S
    assert seconds("bcast", "chain", 64, size) > size * BYTE_S
    # A byte cannot be cut: it goes from rank to rank.
    assert seconds("bcast", "chain", 64, 1) == pytest.approx(63 * message(1))


def test_blocks_of_bruck_where_ranks_are_no_power_of_two() -> None:
    # Of 0 … 4, the bits 1, 2 and 4 are set in 2, 2 and 1 numbers.
    expected = 2 * message(2 * 100) + message(100) + (2 * 5 + 2 * 5) * 100 * COPY_S
    assert seconds("alltoall", "bruck", 5, 100) == pytest.approx(expected)


def test_a_linear_all_to_all_is_limited_by_calls_or_by_bytes() -> None:
    assert seconds("alltoall", "linear", 64, 0) == pytest.approx(START_S + 63 * 2 * OVERHEAD_S)
    assert seconds("alltoall", "linear", 64, 1 << 20) == pytest.approx(START_S + 63 * (1 << 20) * BYTE_S)


def test_two_levels_send_each_byte_twice_where_each_node_has_a_rank() -> None:
    # Eight groups of eight: blocks for eight within the group, then of eight between groups.
    both = 7 * message(8 * 1000) + 7 * message(8 * 1000)
    assert seconds("alltoall", "two_level", 64, 1000) == pytest.approx(both + 2 * 64 * 1000 * COPY_S)
    assert seconds("alltoall", "two_level", 7, 1000) == seconds("alltoall", "pairwise", 7, 1000)


def test_two_levels_save_messages_between_nodes() -> None:
    # 16 ranks on each node would each send a short block to each rank of other nodes.
    layout = laid_out(plain(16, 16), 256)
    short = {name: collective_seconds(layout, "alltoall", 8, name).seconds for name in ("pairwise", "two_level")}
    assert short["two_level"] < 0.2 * short["pairwise"]


@pytest.mark.parametrize(("collective", "algorithm"), NAMES)
def test_one_rank_sends_nothing(collective: str, algorithm: str) -> None:
    assert seconds(collective, algorithm, 1, 1 << 20) == 0


@settings(max_examples=40)
@given(platforms(), st.sampled_from(NAMES), st.integers(0, 1 << 30), st.integers(2, 40), st.data())
def test_more_bytes_latency_or_less_bandwidth_never_gain(
    platform: Platform, which: tuple[str, str], size: int, ranks: int, data: st.DataObject
) -> None:
    ranks = min(ranks, platform.cores)
    per_node = data.draw(st.integers(-(-ranks // platform.nodes), platform.node.cores))
    layout = laid_out(platform, ranks, 1, per_node)

    def taken(on: Layout, bytes_: float) -> float:
        return collective_seconds(on, *which[:1], bytes_, which[1]).seconds

    base = taken(layout, size)
    assert math.isfinite(base)
    assert base >= 0
    assert taken(layout, 2 * size) >= base * (1 - 1e-12)
    network = platform.network
    for figures in (
        {"link_latency_s": network.link_latency_s + 1e-3},
        {"link_bytes_per_s": network.link_bytes_per_s / 3},
    ):
        worse = platform.model_copy(update={"network": network.model_copy(update=figures)})
        assert taken(laid_out(worse, ranks, 1, per_node), size) >= base * (1 - 1e-12)
    best = collective_seconds(layout, which[0], size, BEST)
    assert best.seconds <= base
    if ranks > 1:
        assert best.seconds == taken(layout, size) or best.algorithm != which[1]


def test_what_the_literature_says_of_sizes() -> None:
    layout = laid_out(plain(64), 64)
    best = {
        (collective, size): collective_seconds(layout, collective, size, BEST).algorithm
        for collective in ("bcast", "allreduce")
        for size in (8, 1 << 24)
    }
    assert best["bcast", 8] == "binomial"
    assert best["bcast", 1 << 24] in ("chain", "scatter_allgather")
    assert best["allreduce", 8] == "recursive_doubling"
    assert best["allreduce", 1 << 24] in ("ring", "rabenseifner")
    assert seconds("alltoall", "bruck", 64, 8) < seconds("alltoall", "pairwise", 64, 8)
    assert seconds("alltoall", "bruck", 64, 1 << 20) > seconds("alltoall", "pairwise", 64, 1 << 20)


def test_far_ranks_first_where_nodes_have_several() -> None:
    # Near ranks first, the last step has all ranks of a node send at once through one link.
    layout = laid_out(plain(16, 8), 128)
    far, near = (collective_seconds(layout, "bcast", 1 << 20, name).seconds for name in ("binomial", "near_first"))
    assert near > 2 * far


def test_a_ring_needs_no_link_twice_on_a_torus() -> None:
    shape = {"topology": "torus", "dimensions": [64]}
    layout = laid_out(plain(64, shape=shape), 64)
    halves, ring = (collective_seconds(layout, "allreduce", 1 << 24, name).seconds for name in ("rabenseifner", "ring"))
    assert ring < halves
    assert step_seconds(layout, Steps.of(16, 1 << 20))[0] == pytest.approx(16 * (1 << 20) * BYTE_S, rel=0.01)


def test_a_backbone_is_shared_by_all() -> None:
    shape = {"topology": "crossbar", "backbone_bytes_per_s": 2 * BYTES_PER_S}
    assert seconds("alltoall", "pairwise", 16, 1 << 20, shape=shape) == pytest.approx(
        15 * 8 * (1 << 20) * BYTE_S, rel=0.01
    )


def test_messages_beyond_the_eager_limit_wait_for_their_receiver() -> None:
    costs = Messages(latency_s=1e-6, overhead_s=1e-6, eager_limit_bytes=1000)
    below, beyond = message_seconds(costs, [1000, 1001], 1e-9)
    assert beyond - below == pytest.approx(1e-9 + 2 * 3e-6)
    told = costs.model_copy(update={"handshake_s": 5e-6})
    assert message_seconds(told, 1001, 1e-9) - message_seconds(told, 1000, 1e-9) == pytest.approx(1e-9 + 5e-6)


def test_measured_times_replace_the_formula() -> None:
    times = [{"bytes": size, "message_s": taken} for size, taken in ((8, 1e-6), (1000, 2e-6), (2000, 6e-6))]
    costs = Messages.model_validate({"latency_s": 1.0, "overhead_s": 1.0, "by_size": times})
    assert message_seconds(costs, [0, 8, 1500, 2000, 3000], 1e-9) == pytest.approx([1e-6, 1e-6, 4e-6, 6e-6, 10e-6])


def test_measured_exchanges_are_taken_where_all_ranks_send() -> None:
    times = [
        {"bytes": 8, "message_s": 1e-6, "exchange_s": 1.7e-6},
        {"bytes": 16, "message_s": 2e-6, "exchange_s": 3e-6},
    ]
    within = {"latency_s": 0.0, "overhead_s": 0.0, "by_size": times}
    layout = laid_out(plain(1, 2, within_node=within), 2)
    assert collective_seconds(layout, "alltoall", 8, "pairwise").seconds == pytest.approx(1.7e-6, rel=0.01)
    assert collective_seconds(layout, "bcast", 8, "binomial").seconds == pytest.approx(1e-6, rel=0.01)
    assert collective_seconds(layout, "bcast", 16, "binomial").seconds == pytest.approx(2e-6, rel=0.01)


def test_ranks_of_a_node_share_its_link_and_its_memory() -> None:
    layout = laid_out(plain(2, 4), 8)
    size = 1 << 20
    # Four leave each node at once.
    assert step_seconds(layout, Steps.of(4, size))[0] == pytest.approx(4 * size * BYTE_S, rel=0.01)
    # One of four leaves, three are copied by reading and writing the memory.
    assert step_seconds(layout, Steps.of(1, size))[0] == pytest.approx(size * BYTE_S, rel=0.01)
    one_node = laid_out(plain(1, 4), 4)
    assert step_seconds(one_node, Steps.of(1, size))[0] == pytest.approx(4 * size * 2 / 10e9, rel=0.01)
    # A butterfly of two ranks stays within the node.
    assert total_seconds(layout, Steps.of([1, 2], size, aligned=True)) == pytest.approx(
        2 * total_seconds(one_node, Steps.of(1, size)), rel=0.01
    )


def test_names_of_algorithms() -> None:
    assert [usual(name) for name in ALGORITHMS] == ["pairwise", "binomial", "recursive_doubling"]
    assert check_algorithm("alltoall", BEST, "--alltoall") == BEST
    with pytest.raises(Misuse, match="--alltoall is 'brucks'; there are: pairwise, bruck"):
        check_algorithm("alltoall", "brucks", "--alltoall")
