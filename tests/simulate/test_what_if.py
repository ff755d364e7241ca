"""Changes of a platform: what they change, what they never do, and the messages of nonsense."""

from __future__ import annotations

import pytest
from any_platform import plain, platforms
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.platform import Platform
from rooftop.simulate.program import Call, Halo, Phase, Work
from rooftop.simulate.what_if import FIGURES, LESS_IS_BETTER, needed, read_changes

PHASES = [
    Phase("work", Work(flops=1e8, bytes=1e8), (Halo(((1, 1e5), (4, 1e4))),), times=10),
    Phase("exchange", Work(), (Call("alltoall", 1000), Call("allreduce", 1e5))),
]


def seconds(platform: Platform, ranks: int = 16) -> float:
    return predict(laid_out(platform, min(ranks, platform.cores)), PHASES).seconds


def test_changes_are_read() -> None:
    changes = read_changes("--what-if", "latency=/2, bandwidth=*2,node=*1.5,alltoall=bruck,progress=0.8")
    assert [(one.name, one.factor, one.algorithm) for one in changes] == [
        ("latency", 0.5, ""),
        ("bandwidth", 2.0, ""),
        ("node", 1.5, ""),
        ("alltoall", 1.0, "bruck"),
        ("progress", 0.8, ""),
    ]
    assert changes[3].algorithms({"bcast": "flat"}) == {"bcast": "flat", "alltoall": "bruck"}
    assert changes[4].platform(plain()).progress.share() == 0.8


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "--what-if has '', expected a change of latency, overhead, bandwidth"),
        ("latency", "--what-if latency is '', expected a factor such as *2 or /1.5"),
        ("latency=2", "--what-if latency is '2', expected a factor"),
        ("latency=/0", "--what-if latency is '/0', expected a factor"),
        ("latency=*-2", "--what-if latency is '*-2', expected a factor"),
        ("latency=*nan", "--what-if latency is '*nan', expected a factor"),
        ("latency=*inf", "--what-if latency is '*inf', expected a factor"),
        ("latency=*1e99", "--what-if latency is '*1e99', expected a factor"),
        ("latency=*2*2", "--what-if latency is '*2*2', expected a factor"),
        ("latency=*2,", "--what-if has '', expected a change"),
        ("latency=*2,latency=/2", "--what-if changes latency 2 times, expected once"),
        ("speed=*2", "--what-if has 'speed=*2', expected a change"),
        ("alltoall=*2", "--what-if alltoall is '*2'; there are: pairwise, bruck"),
        ("progress=2", "--what-if progress is '2', expected a share of the computing time, from 0 to 1"),
        ("progress=nan", "--what-if progress is 'nan', expected a share"),
    ],
)
def test_nonsense_is_told_in_one_line(text: str, told: str) -> None:
    with pytest.raises(Misuse) as error:
        read_changes("--what-if", text)
    assert told in str(error.value)


@given(st.text(max_size=30))
def test_any_text_is_changes_or_misuse(text: str) -> None:
    try:
        assert read_changes("--what-if", text)
    except Misuse as told:
        assert "\n" not in str(told)


def test_a_change_beyond_all_machines_is_refused() -> None:
    (change,) = read_changes("--what-if", "bandwidth=*1e9")
    twice = change.platform(plain())
    with pytest.raises(
        Misuse, match=r"--what-if bandwidth=\*1e9 makes link_bytes_per_s 1e\+27: expected a number less"
    ):
        change.platform(twice)


@settings(max_examples=40)
@given(platforms(), st.sampled_from(sorted(FIGURES)), st.floats(1.0, 100.0))
def test_better_figures_never_take_longer(platform: Platform, name: str, factor: float) -> None:
    better = FIGURES[name](platform, 1 / factor if name in LESS_IS_BETTER else factor)
    assert seconds(better) <= seconds(platform) * (1 + 1e-9)
    assert better.sources == platform.sources


def test_each_change_reaches_its_figures() -> None:
    shape = {"topology": "crossbar", "backbone_bytes_per_s": 1e11}
    within = {"latency_s": 1e-7, "overhead_s": 1e-7, "by_size": [{"bytes": 8, "message_s": 1e-6, "exchange_s": 2e-6}]}
    platform = plain(4, 2, shape=shape, within_node=within)
    slower = FIGURES["latency"](platform, 3.0)
    assert slower.network.link_latency_s == pytest.approx(3 * platform.network.link_latency_s)
    assert slower.messages.latency_s == pytest.approx(3 * platform.messages.latency_s)
    assert slower.messages.overhead_s == platform.messages.overhead_s
    assert slower.within_node is not None
    assert slower.within_node.by_size[0].message_s == pytest.approx(3e-6)
    wider = FIGURES["bandwidth"](platform, 2.0)
    assert wider.network.link_bytes_per_s == 2e9
    assert wider.network.backbone_bytes_per_s == 2e11
    assert wider.within_node == platform.within_node
    assert FIGURES["overhead"](platform, 2.0).messages.overhead_s == pytest.approx(1e-6)
    faster = FIGURES["node"](platform, 2.0).node
    assert (faster.core_flops_per_s, faster.memory_bytes_per_s) == (2e9, 20e9)
    assert FIGURES["compute"](platform, 2.0).node.memory_bytes_per_s == 10e9
    assert FIGURES["memory"](platform, 2.0).node.core_flops_per_s == 1e9


def test_what_a_target_takes() -> None:
    platform = plain(16)
    base = seconds(platform)

    one = needed("node", platform, 0.6 * base, seconds)
    assert one.factor is not None
    assert seconds(FIGURES["node"](platform, one.factor)) == pytest.approx(0.6 * base, rel=1e-6)
    short = needed("latency", platform, 0.5 * base, seconds)
    assert (short.factor, short.most) == (None, 1e4)
    assert short.least_s == seconds(FIGURES["latency"](platform, 1e-4))
    assert needed("bandwidth", platform, 2 * base, seconds).factor == 1.0


def test_figures_that_are_large_already_are_looked_at_less_far() -> None:
    node = {"cores": 1, "core_flops_per_s": 1e16, "memory_bytes_per_s": 1e12}
    assert needed("node", plain(16, node=node), 1e-9, seconds).most == 100
