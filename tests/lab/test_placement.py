"""Where OpenMP's threads would go on machines that are not here."""

from __future__ import annotations

import shutil
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.lab.placement import bound, place_numbers, places, processors, synthetic

TWO_SOCKETS = "pack:2 numa:4 core:4 pu:1"
needs_lstopo = pytest.mark.skipif(shutil.which("lstopo-no-graphics") is None, reason="lstopo is not installed")


def tiny_machine() -> str:
    """Return hwloc's XML of two packages with a core of two threads each, numbered across."""
    cores = "".join(
        f'<object type="Package" cpuset="{mask}"><object type="NUMANode" cpuset="{mask}"/>'
        f'<object type="Core" cpuset="{mask}">{units}</object></object>'
        for mask, units in (
            ("0x5", '<object type="PU" os_index="0"/><object type="PU" os_index="2"/>'),
            ("0xa", '<object type="PU" os_index="1"/><object type="PU" os_index="3"/>'),
        )
    )
    return f'<topology><object type="Machine" cpuset="0xf">{cores}</object></topology>'


@needs_lstopo
def test_close_fills_a_node_and_spread_takes_one_core_of_each() -> None:
    here = processors(synthetic(TWO_SOCKETS))
    assert (len(here), here[-1].node, here[-1].package) == (32, 7, 1)
    close = bound(here, {"OMP_PLACES": "cores", "OMP_PROC_BIND": "close"}, 8)
    spread = bound(here, {"OMP_PLACES": "cores", "OMP_PROC_BIND": "spread"}, 8)
    assert {node for one in close for node in one.nodes} == {0, 1}
    assert [one.nodes for one in spread] == [(node,) for node in range(8)]


@needs_lstopo
@pytest.mark.parametrize("description", ["pack:", "socket:two", "pack:2 numa:4 core:0"])
def test_what_is_no_topology_is_misuse(description: str) -> None:
    with pytest.raises(Misuse, match="expected one such as"):
        synthetic(description)


def test_hardware_threads_belong_to_their_core() -> None:
    here = processors(tiny_machine())
    assert [one.processor for one in here] == [0, 2, 1, 3]
    assert places(here, "cores") == places(here, "sockets") == places(here, "numa_domains") == [[0, 2], [1, 3]]
    assert [one.packages for one in bound(here, {"OMP_PLACES": "threads"}, 3)] == [(0,), (0,), (1,)]


def test_three_spellings_of_the_same_places() -> None:
    here = processors(tiny_machine())
    spellings = ("{0,1},{2,3}", "{0:2},{2:2}", "{0:2}:2:2", "{0:2}:2", "{ 0 : 2 : 1 } : 2 : 2")
    assert [places(here, one) for one in spellings] == [[[0, 1], [2, 3]]] * len(spellings)
    assert places(here, "{0:2:2}:2:1") == [[0, 2], [1, 3]]


@pytest.mark.parametrize("spelling", ["", "core", "{}", "{0", "{0}:", "{0:2},", "{a}", "{0:2}:3", "{4}", "0,1"])
def test_what_are_no_places_is_misuse(spelling: str) -> None:
    with pytest.raises(Misuse, match="OMP_PLACES is"):
        places(processors(tiny_machine()), spelling)


def test_what_is_no_binding_is_misuse() -> None:
    with pytest.raises(Misuse, match="OMP_PROC_BIND is 'near', expected close, spread or primary"):
        place_numbers(4, 2, "near")


@given(st.integers(1, 64), st.integers(1, 200), st.sampled_from(["close", "spread", "primary"]))
def test_each_thread_has_a_place_and_loads_differ_by_one(count: int, threads: int, bind: str) -> None:
    taken = place_numbers(count, threads, bind)
    assert len(taken) == threads
    assert taken == sorted(taken)
    assert taken[0] >= 0
    assert taken[-1] < count
    if bind != "primary":
        loads = [taken.count(place) for place in set(taken)]
        assert max(loads) - min(loads) <= 1
        assert len(loads) == min(count, threads)
    if bind == "spread" and threads < count:
        steps = [after - before for before, after in pairwise(taken)]
        assert not steps or max(steps) - min(steps) <= 1
