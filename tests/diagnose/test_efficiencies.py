"""The factors of parallel efficiency, of figures that a test makes up."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.diagnose.efficiencies import Efficiencies, efficiencies, lines, overlap_s
from rooftop.diagnose.facts import Facts, MpiCall, RankFacts, ThreadFacts
from rooftop.diagnose.stacks import SampledThread


def rank(seconds: float, inside_s: float, **by_name: float) -> RankFacts:
    calls = {name: MpiCall(calls=1, inside_s=value, sent_bytes=0) for name, value in by_name.items()}
    return RankFacts(seconds=seconds, inside_s=inside_s, calls=len(calls), by_name=calls)


def sampled(process: int, run_s: float, inside_s: float = 0.0, begin_s: float = 0, end_s: float = 10) -> SampledThread:
    times = {"first_s": begin_s, "last_s": end_s, "run_s": run_s, "inside_s": inside_s}
    return SampledThread(process=process, name="t", **times)


def thread(run_s: float, process: int = 1, wait_s: float = 0.0) -> ThreadFacts:
    return ThreadFacts(
        name="t", process=process, seen_s=10, run_s=run_s, wait_s=wait_s, system_s=0, faults=0, switches=0
    )


def facts(
    *,
    mpi: list[RankFacts] | None = None,
    threads: list[SampledThread] | None = None,
    seen: list[ThreadFacts] | None = None,
) -> Facts:
    return Facts(
        elapsed_s=10.0,
        cpus=4,
        levels=[],
        user_s=0,
        system_s=0,
        faults=0,
        threads=seen or [],
        mpi=mpi,
        sampled=threads or [],
    )


def told(found: Efficiencies) -> list[str]:
    return [line.replace("\u202f", " ") for line in lines(found)]


def test_ranks() -> None:
    found = efficiencies(facts(mpi=[rank(10, 2), rank(10, 6)], threads=[sampled(1, 9, 2), sampled(2, 9, 5)]))
    assert found is not None
    assert found.ranks is not None
    assert found.threads is None  # each rank has one
    assert found.ranks.load_balance == pytest.approx(0.75)
    assert found.ranks.communication_efficiency == pytest.approx(0.8)
    assert found.parallel_efficiency == pytest.approx(0.6)
    assert told(found)[0] == ("parallel efficiency: 60 %: ranks 60 % = load balance 75 % × communication 80 %")


def test_threads_whose_waiting_spins() -> None:
    found = efficiencies(facts(threads=[sampled(1, 8), sampled(1, 8, 4), sampled(1, 0.01), sampled(2, 1)]))
    assert found is not None
    assert found.threads is not None
    assert found.threads.useful_s == [8, 4]  # neither a helper, nor a process that works less
    assert (found.threads.load_balance, found.threads.serialisation) == pytest.approx((0.75, 0.8))
    assert found.parallel_efficiency == pytest.approx(0.6)


def test_lacking_a_core_counts_as_work() -> None:
    found = efficiencies(facts(threads=[sampled(1, 4), sampled(1, 3)], seen=[thread(4.0, wait_s=4.0)] * 2))
    assert found is not None
    assert found.threads is not None
    assert found.threads.starved == pytest.approx(0.5)
    assert (found.threads.load_balance, found.threads.serialisation) == pytest.approx((7 / 8, 0.8))


def test_threads_that_come_and_go_have_no_balance() -> None:
    turns = [sampled(1, 1.0, 0, float(start), start + 1.0) for start in range(8)]
    assert efficiencies(facts(threads=turns)) is None


def test_ranks_with_threads_are_a_product() -> None:
    mpi = [rank(10, 2), rank(10, 2)]
    team = [sampled(process, useful_s) for process in (1, 2) for useful_s in (8, 4)]
    found = efficiencies(facts(mpi=mpi, threads=[*team, sampled(3, 0.5)]))  # process 3 started the ranks
    assert found is not None
    assert found.ranks is not None
    assert found.threads is not None
    assert found.threads.processes == 2
    assert found.ranks.parallel_efficiency == pytest.approx(0.8)
    assert (found.threads.load_balance, found.threads.serialisation) == pytest.approx((0.75, 1.0))
    # Over all threads: 24 of 40 seconds are useful.
    assert found.parallel_efficiency == pytest.approx(0.6)


def test_without_samples_running_counts() -> None:
    found = efficiencies(facts(seen=[thread(6.0, wait_s=2.0), thread(4.0), thread(1.0, process=2)]))
    assert found is not None
    assert found.threads is not None
    assert (found.threads.load_balance, found.threads.serialisation) == pytest.approx((0.75, 0.8))
    (line,) = told(found)
    assert "where waiting that spins counts as work" in line
    assert "lacked a core for 15 % of their time" in line


@pytest.mark.parametrize(
    "one",
    [
        facts(),
        facts(threads=[sampled(1, 9)]),
        facts(threads=[sampled(1, 0.05), sampled(1, 0.05)]),
        facts(threads=[sampled(1, 0.5), sampled(1, 0.015)]),
        facts(mpi=[rank(10, 1)]),
        facts(mpi=[rank(0, 0), rank(0, 0)]),
        facts(seen=[thread(9)]),
    ],
)
def test_one_thread_or_too_little_has_none(one: Facts) -> None:
    assert efficiencies(one) is None


def test_what_can_be_hidden() -> None:
    assert overlap_s([rank(10, 4, Recv=3, Barrier=1), rank(10, 5, Wait=5)]) == pytest.approx(3)
    assert overlap_s([rank(10, 8, Allreduce=8)]) == pytest.approx(2)  # no more than there is work
    found = efficiencies(facts(mpi=[rank(10, 4, Recv=4), rank(10, 5, Recv=5)]))
    assert found is not None
    assert told(found)[1].startswith("overlap: at most 4.00 s of 10.0 s could be saved")


TIMES = st.floats(0.2, 100)


@given(st.lists(st.tuples(TIMES, st.floats(0, 1)), min_size=2, max_size=6), st.lists(TIMES, min_size=2, max_size=6))
def test_every_factor_is_a_share(spans: list[tuple[float, float]], useful: list[float]) -> None:
    mpi = [rank(seconds, seconds * share, Recv=seconds * share / 2) for seconds, share in spans]
    threads = [sampled(place, value, 0.0, 0.0, 1.0) for place in range(len(spans)) for value in useful]
    for one in (facts(mpi=mpi, threads=threads), facts(threads=threads), facts(mpi=mpi)):
        found = efficiencies(one)
        for factors in (found, found.ranks, found.threads) if found is not None else ():
            assert factors is None or 0 <= factors.parallel_efficiency <= 1 + 1e-9
        assert found is None or found.overlap_s is None or -1e-9 <= found.overlap_s <= max(span for span, _ in spans)
