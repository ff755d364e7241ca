"""Cures: what they set, and that they leave what the user set."""

from __future__ import annotations

import pytest

from rooftop.command.preload import preloaded
from rooftop.diagnose import cures
from rooftop.diagnose.cures import Start
from rooftop.diagnose.facts import Facts

FACTS = Facts(elapsed_s=1, cpus=4, ranks=2, levels=[], user_s=1, system_s=0, faults=0, threads=[], openmp=True)


def only(name: str, start: Start) -> cures.Cure:
    (cure,) = cures.cures([name], start, FACTS, [])
    return cure


def test_threads_are_shared_by_the_ranks() -> None:
    assert only(cures.FEWER_THREADS, Start(("a",), {})).environment == {"OMP_NUM_THREADS": "2"}


def test_tunables_of_the_user_stay() -> None:
    cure = only(cures.HUGE_PAGES, Start(("a",), {"GLIBC_TUNABLES": "glibc.malloc.arena_max=1"}))
    assert cure.environment == {"GLIBC_TUNABLES": "glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"}
    assert cure.line == "GLIBC_TUNABLES=glibc.malloc.arena_max=1:glibc.malloc.hugetlb=1"


def test_what_is_set_already_is_no_cure() -> None:
    assert not cures.cures([cures.SLEEP], Start(("a",), {"OMP_WAIT_POLICY": "passive"}), FACTS, [])


def test_cures_are_left_out_by_name() -> None:
    start = Start(("a",), {})
    assert not cures.cures([cures.SLEEP], start, FACTS, [cures.SLEEP])
    assert not cures.cures(cures.names(), start, FACTS, [cures.ALL])
    assert [cure.name for cure in cures.cures([cures.SLEEP, cures.SLEEP], start, FACTS, [])] == [cures.SLEEP]


@pytest.mark.parametrize("before", ["", "libown.so", "libown.so:libother.so", "libown.so libother.so"])
def test_preloaded_libraries_of_the_user_stay(before: str) -> None:
    merged = preloaded(["/x/liba.so"], {"LD_PRELOAD": before})["LD_PRELOAD"].split(":")
    assert merged == ["/x/liba.so", *before.replace(":", " ").split()]


def test_a_library_is_loaded_once() -> None:
    assert preloaded(["liba.so"], {"LD_PRELOAD": "libb.so:liba.so"}) == {"LD_PRELOAD": "liba.so:libb.so"}
