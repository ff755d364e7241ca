"""Variables of MPI libraries: what is set for which launcher, and which calls ask for it."""

from __future__ import annotations

import pytest

from rooftop.diagnose import cures
from rooftop.diagnose.facts import MpiCall, RankFacts
from rooftop.diagnose.messages import messages
from rooftop.diagnose.mpi_cures import algorithm_variables, dearest_collective, eager_variables, yield_variables
from rooftop.diagnose.passes import rank_facts
from rooftop.observe.mpi_times import read_calls


def ranks(**by_name: tuple[int, float, int]) -> list[RankFacts]:
    """Return two ranks with calls by name: calls, seconds inside, bytes sent."""
    calls = {
        name: MpiCall(calls=n, inside_s=inside_s, sent_bytes=sent) for name, (n, inside_s, sent) in by_name.items()
    }
    return [RankFacts(seconds=10.0, inside_s=sum(one[1] for one in by_name.values()), calls=9, by_name=calls)] * 2


SHORT, LONG = ranks(Allreduce=(1000, 5.0, 8000)), ranks(Allreduce=(10, 5.0, 10 << 20), Bcast=(9, 1.0, 9))


def test_a_program_of_no_launcher_has_no_such_variables() -> None:
    assert eager_variables("./app") == {}
    assert algorithm_variables("./app", LONG) == {}


def test_the_launcher_tells_the_library() -> None:
    openmpi, mpich, either = map(eager_variables, ("mpirun.openmpi", "mpirun.mpich", "srun"))
    assert openmpi["OMPI_MCA_btl_vader_eager_limit"] == "65536"
    assert not any(name.startswith("OMPI") for name in mpich)
    assert either.keys() == openmpi.keys() | mpich.keys()


def test_a_script_may_start_ranks_that_can_yield() -> None:
    openmpi = yield_variables("mpirun.openmpi")
    assert openmpi
    assert yield_variables("./script") == openmpi
    assert yield_variables("mpirun.mpich") == {}


@pytest.mark.parametrize(
    ("launcher", "calls", "expected"),
    [
        ("mpirun.openmpi", SHORT, {"OMPI_MCA_coll_tuned_allreduce_algorithm": "recursive_doubling"}),
        ("mpirun.openmpi", LONG, {"OMPI_MCA_coll_tuned_allreduce_algorithm": "ring"}),
        ("mpirun.mpich", LONG, {"MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM": "reduce_scatter_allgather"}),
        ("mpirun.mpich", ranks(Scan=(9, 9.0, 9)), {}),
        ("mpirun.openmpi", ranks(Scan=(9, 9.0, 9)), {}),
    ],
)
def test_the_size_chooses_the_algorithm(launcher: str, calls: list[RankFacts], expected: dict[str, str]) -> None:
    found = algorithm_variables(launcher, calls)
    if launcher == "mpirun.openmpi" and expected:
        expected = expected | {"OMPI_MCA_coll_tuned_use_dynamic_rules": "1"}
    assert found == expected


def test_the_dearest_collective_counts() -> None:
    dearest = dearest_collective(LONG)
    assert dearest is not None
    assert (dearest[0], dearest[1].calls, dearest[1].inside_s) == ("Allreduce", 20, 10.0)
    assert dearest_collective([]) is None


@pytest.mark.parametrize(
    ("calls", "asked"),
    [
        (LONG, [cures.COLLECTIVE]),
        (ranks(Send=(100, 5.0, 100 * 20_000)), [cures.EAGER]),
        (ranks(Send=(100, 5.0, 100 * 4096)), []),
        (ranks(Send=(100, 5.0, 100 * 65_537)), []),
        (ranks(Send=(100, 5.0, 100 * 65_536), Bcast=(100, 6.0, 100)), [cures.COLLECTIVE, cures.EAGER]),
    ],
)
def test_calls_ask_for_what_may_help_them(calls: list[RankFacts], asked: list[str]) -> None:
    *_, communication = messages(calls, 10.0)
    assert list(communication.cures) == [*asked, cures.YIELD, cures.BIND]


def test_calls_as_the_library_writes_them_are_known_by_name() -> None:
    written = (
        "0 700000000 690000000 16000\ncall 0 MPI_Send 8000 550000000 160000000\ncall 0 MPI_Recv 8000 140000000 0\n"
    )
    told = [rank_facts(one) for one in read_calls(written)]
    assert told[0].by_name["Send"] == MpiCall(calls=8000, inside_s=0.55, sent_bytes=160_000_000)
    *_, communication = messages(told, 1.0)
    assert communication.cures[0] == cures.EAGER
