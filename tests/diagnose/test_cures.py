"""Cures: what they set, and that they leave what the user set."""

from __future__ import annotations

from typing import Any

import pytest

from rooftop.command.preload import preloaded
from rooftop.diagnose import cures
from rooftop.diagnose.cures import Start
from rooftop.diagnose.facts import Facts, MpiCall, RankFacts, ThreadFacts
from rooftop.observe.profile import HotFunction
from rooftop.parameters.space import parameter
from rooftop.tune.launch import ALLOCATORS

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


@pytest.mark.parametrize(
    ("mode", "glibc", "tried"),
    [
        ("madvise", "2.36", True),
        (None, "2.35", True),
        ("madvise", "2.34", False),
        ("always", "2.36", False),
        ("never", "2.36", False),
        ("madvise", "", False),
    ],
)
def test_huge_pages_where_malloc_can_ask_for_them(
    mode: str | None, glibc: str, tried: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("platform.libc_ver", lambda: ("glibc", glibc))
    facts = FACTS.model_copy(update={"huge_pages": mode})
    assert bool(cures.cures([cures.HUGE_PAGES], Start(("a",), {}), facts, [])) == tried


def test_memory_is_interleaved_over_several_nodes(monkeypatch: pytest.MonkeyPatch) -> None:
    start, many = Start(("a", "b c"), {}), FACTS.model_copy(update={"nodes": 2})
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")
    (cure,) = cures.cures([cures.INTERLEAVE], start, many, [])
    assert (cure.words, cure.line) == (("numactl", "--interleave=all", "a", "b c"), "numactl --interleave=all a 'b c'")
    assert not cures.cures([cures.INTERLEAVE], start, FACTS, [])
    assert not cures.cures([cures.INTERLEAVE], Start(("numactl", "a"), {}), many, [])
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert not cures.cures([cures.INTERLEAVE], start, many, [])


def on_nodes(threads: int, **more: Any) -> Facts:
    """Return facts of threads that run on two nodes of eight cores, a little more on the second."""
    thread = ThreadFacts(
        name="t", process=1, seen_s=1, run_s=1, wait_s=0, system_s=0, faults=9, switches=9, nodes={0: 0.4, 1: 0.6}
    )
    here = {"nodes": 2, "node_cores": {0: 8, 1: 8}, "threads": [thread] * threads, "ranks": 0}
    return FACTS.model_copy(update={**here, **more})


def test_threads_are_bound_to_one_node(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.which", lambda name: f"/usr/bin/{name}")

    def tried(facts: Facts, *words: str, **environment: str) -> list[cures.Cure]:
        return cures.cures([cures.ONE_NODE], Start(words or ("a", "b c"), environment), facts, [])

    (cure,) = tried(on_nodes(16))
    assert cure.line == "OMP_NUM_THREADS=8 numactl --cpunodebind=1 a 'b c'"
    assert (cure.words, cure.environment) == (("numactl", "--cpunodebind=1", "a", "b c"), {"OMP_NUM_THREADS": "8"})
    assert tried(on_nodes(16, node_cores={0: 8, 1: 4}))[0].words[1] == "--cpunodebind=0"
    assert tried(on_nodes(8, openmp=False))[0].environment == {}
    (few,) = tried(on_nodes(5))  # five threads are not made eight
    assert (few.environment, few.words[1]) == ({"OMP_NUM_THREADS": "5"}, "--cpunodebind=1")
    blas = [HotFunction(share=0.5, file="libopenblas.so.0", function="dgemm_kernel")]
    assert tried(on_nodes(16, openmp=False, hot=blas))[0].environment["OPENBLAS_NUM_THREADS"] == "8"
    assert tried(on_nodes(3, openmp=False, hot=blas))[0].environment["OPENBLAS_NUM_THREADS"] == "3"
    assert not tried(on_nodes(16, openmp=False))  # nothing sets how many they are
    assert not tried(on_nodes(16, nodes=1))
    assert not tried(on_nodes(16, ranks=2))
    assert not tried(on_nodes(16), "/usr/bin/numactl", "a")
    assert not tried(on_nodes(16), OMP_PLACES="cores")
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert not tried(on_nodes(16))


def test_small_objects_of_python_go_to_the_allocator(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.diagnose.cures.allocator_library", lambda name: f"lib{name}.so")
    python = FACTS.model_copy(update={"hot": [HotFunction(share=0.5, file="python3.11", function="f")]})
    (cure,) = cures.cures([cures.PYTHON_ALLOCATOR], Start(("a",), {"LD_PRELOAD": "libown.so"}), python, [])
    assert cure.environment == {"PYTHONMALLOC": "malloc", "LD_PRELOAD": "libmimalloc.so:libown.so"}
    assert not cures.cures([cures.PYTHON_ALLOCATOR], Start(("a",), {}), FACTS, [])


def test_settings_of_an_mpi_library_need_its_launcher() -> None:
    calls = {"Bcast": MpiCall(calls=1, inside_s=1, sent_bytes=1)}
    ranked = FACTS.model_copy(update={"mpi": [RankFacts(seconds=2, inside_s=1, calls=1, by_name=calls)]})
    wanted = [cures.EAGER, cures.COLLECTIVE]
    assert [one.name for one in cures.cures(wanted, Start(("mpirun.mpich", "a"), {}), ranked, [])] == wanted
    assert not cures.cures(wanted, Start(("a",), {}), ranked, [])
    assert not cures.cures(wanted, Start(("mpirun.mpich", "a"), {}), ranked, wanted)


def test_allocators_are_those_that_can_be_tuned() -> None:
    assert parameter("--malloc", "malloc", "malloc", ",".join(ALLOCATORS)).values == tuple(ALLOCATORS)


@pytest.mark.parametrize(("word", "tried"), [("mpirun.openmpi", True), ("./job.sh", True), ("mpirun.mpich", False)])
def test_only_ranks_of_open_mpi_can_be_told_to_yield(word: str, tried: bool) -> None:
    assert bool(cures.cures([cures.YIELD], Start((word, "a"), {}), FACTS, [])) == tried
