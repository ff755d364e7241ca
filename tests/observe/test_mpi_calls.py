"""Counts and bytes of MPI calls, in programs in C and Fortran whose figures are known."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import astuple
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.launchers import named
from rooftop.launchers.team import Team
from rooftop.observe.mpi_times import CallFigures, RankCalls, RankTimes, Traffic, read_calls, read_times, variables

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "mpi"
INT, LONG = 4, 8
FLAGS = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-fvisibility=hidden"]


class Built:
    """The library for one MPI, and programs that run with it."""

    def __init__(self, mpi: str, folder: Path) -> None:
        self.mpi = mpi
        self._folder = folder
        self._library = folder / f"libmpi_times_{mpi}.so"
        sources = [str(one) for one in (ROOT / "native" / "mpi_times").glob("*.c")]
        subprocess.run([f"mpicc.{mpi}", *FLAGS, "-o", str(self._library), *sources, "-ldl"], check=True)

    def program(self, source: str, *flags: str) -> Path:
        """Compile a program of this folder; skip where its compiler or MPI's module is missing."""
        compiler = "mpicc" if source.endswith(".c") else "mpif90"
        made = self._folder / "-".join([source, *flags])
        if made.is_file():
            return made
        if shutil.which(f"{compiler}.{self.mpi}") is None:
            pytest.skip(f"no {compiler}.{self.mpi}")
        # MPI's own header declares some arguments so that correct calls of "use mpi" have warnings.
        words = [f"{compiler}.{self.mpi}", "-O1", "-w", *flags, "-o", str(made), str(HERE / source), "-pthread"]
        done = subprocess.run(words, check=False, capture_output=True, text=True)
        if found := re.search(r"Cannot open module file .*", done.stderr):
            pytest.skip(f"{compiler}.{self.mpi}: {found[0]}")
        assert done.returncode == 0, done.stderr
        return made

    def run(self, ranks: int, *words: str | Path) -> tuple[str, str]:
        """Return what the program printed, and what the library wrote."""
        times = self._folder / "times"
        times.unlink(missing_ok=True)
        team = Team(ranks=ranks)
        launch = named(self.mpi).started([str(word) for word in words], variables(self._library, times, {}), team, None)
        environment = {**os.environ, **launch.environment}
        done = subprocess.run(launch.words, env=environment, check=False, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, done.stderr
        return done.stdout, times.read_text(encoding="ascii")


@pytest.fixture(scope="module", name="built", params=["openmpi", "mpich"])
def built_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Built:
    if shutil.which(f"mpicc.{request.param}") is None or named(request.param).missing() is not None:
        pytest.skip(f"no {request.param}: install lib{request.param}-dev")
    return Built(request.param, tmp_path_factory.mktemp(request.param))


def counted(rank: int, ranks: int) -> dict[str, tuple[int, int]]:
    """Return the calls and sent bytes of counted.c and counted.F90."""
    first, some = rank == 0, ranks * (ranks + 1) // 2  # 1 + 2 + … ints, as many as ranks
    return {
        "MPI_Send": (1, 0),
        "MPI_Isend": (1, 3 * INT),
        "MPI_Send_init": (1, 0),
        "MPI_Recv": (1, 0),
        "MPI_Recv_init": (1, 0),
        "MPI_Sendrecv": (2, 8 * INT),
        "MPI_Start": (2, 10 * INT),
        "MPI_Startall": (1, 10 * INT),
        "MPI_Wait": (1, 0),
        "MPI_Waitall": (2, 0),
        "MPI_Barrier": (1, 0),
        "MPI_Bcast": (1, 7 * INT if rank == ranks - 1 else 0),
        "MPI_Gather": (1, INT),
        "MPI_Gatherv": (1, (rank + 1) * INT),
        "MPI_Scatter": (1, 3 * ranks * INT if first else 0),
        "MPI_Scatterv": (1, some * INT if first else 0),
        "MPI_Allgather": (1, 2 * INT),
        "MPI_Allgatherv": (1, (rank + 1) * INT),
        "MPI_Alltoall": (2, 4 * ranks * INT),
        "MPI_Alltoallv": (1, some * INT),
        "MPI_Alltoallw": (1, some * INT),
        "MPI_Reduce": (2, 4 * INT + LONG),
        "MPI_Allreduce": (1, 4 * INT),
        "MPI_Reduce_scatter": (1, some * INT),
        "MPI_Reduce_scatter_block": (1, 2 * ranks * INT),
        "MPI_Neighbor_alltoall": (1, 2 * INT),
        "MPI_Put": (1, 3 * INT),
        "MPI_Win_fence": (2, 0),
        "MPI_Comm_split": (2, 0),
        "MPI_Cart_create": (1, 0),
        "MPI_Comm_free": (3, 0),
    }


def figures(calls: dict[str, CallFigures]) -> dict[str, tuple[int, int]]:
    return {name: (one.calls, one.sent_bytes) for name, one in calls.items()}


@pytest.mark.parametrize("ranks", [2, 3])
@pytest.mark.parametrize("source", [("counted.c",), ("counted.F90",), ("counted.F90", "-DF08")], ids=" ".join)
def test_calls_by_name_in_every_language(built: Built, source: tuple[str, ...], ranks: int) -> None:
    printed, text = built.run(ranks, built.program(*source))
    assert printed == {2: "147627\n", 3: "660820\n"}[ranks]  # as without the library
    found = read_calls(text, ranks)
    for rank, one in enumerate(found):
        assert figures(one.by_name) == counted(rank, ranks)
        assert one.times.calls == sum(calls for calls, _ in counted(rank, ranks).values())
        assert one.times.inside_ns == sum(call.inside_ns for call in one.by_name.values())
        assert (one.threads, one.others) == (0, {})
        after, before = (rank + 1) % ranks, (rank - 1) % ranks
        to_after, to_before = Traffic(4, 27 * INT), Traffic(1, 4 * INT)
        assert one.to == ({after: to_after, before: to_before} if ranks > 2 else {after: Traffic(5, 31 * INT)})
    assert read_times(text, ranks) == [one.times for one in found]


def sent_by_the_rest(rank: int, ranks: int) -> dict[str, int]:
    """Return the sent bytes of the calls of rest.F90 that send any."""
    everywhere = {
        **dict.fromkeys(["MPI_Ssend", "MPI_Bsend", "MPI_Rsend", "MPI_Issend", "MPI_Ibsend", "MPI_Irsend"], 3 * INT),
        **dict.fromkeys(["MPI_Sendrecv_replace", "MPI_Accumulate"], 3 * INT),
        **dict.fromkeys(["MPI_Scan", "MPI_Exscan", "MPI_Iscan", "MPI_Ireduce", "MPI_Iallreduce"], 2 * INT),
        **dict.fromkeys(["MPI_Igather", "MPI_Igatherv", "MPI_Iallgather", "MPI_Iallgatherv"], INT),
        **dict.fromkeys(["MPI_Ialltoall", "MPI_Ialltoallv", "MPI_Ireduce_scatter"], ranks * INT),
        "MPI_Start": 3 * 3 * INT,
        "MPI_Isend": 6 * 3 * INT,
        "MPI_Neighbor_allgather": INT,
        "MPI_Neighbor_alltoallv": 2 * INT,
        "MPI_Reduce": LONG,
    }
    from_root = dict.fromkeys(["MPI_Iscatter", "MPI_Iscatterv"], ranks * INT) if rank == 0 else {}
    return {**everywhere, **from_root, **({"MPI_Ibcast": 2 * INT} if rank == 1 else {})}


@pytest.mark.parametrize("flags", [(), ("-DF08",)], ids=["mpi", "mpi_f08"])
def test_every_other_call_in_fortran(built: Built, flags: tuple[str, ...]) -> None:
    printed, text = built.run(3, built.program("rest.F90", *flags))
    assert printed == "53275\n"  # as without the library
    header = (ROOT / "native" / "mpi_times" / "mpi_calls.h").read_text(encoding="utf-8")
    known = {f"MPI_{name}" for name in re.findall(r"\b(?:X\(|\(X, )([A-Z]\w+), [a-z]", header)}
    assert len(known) > 80
    for rank, one in enumerate(read_calls(text, 3)):
        assert {name: call.sent_bytes for name, call in one.by_name.items() if call.sent_bytes} == sent_by_the_rest(
            rank, 3
        )
        assert one.to == {rank: Traffic(15, 15 * 3 * INT), (rank + 1) % 3: Traffic(1, 3 * INT)}
        assert known == {*one.by_name, *counted(rank, 3)}


@pytest.mark.parametrize("ranks", [2, 3])
def test_threads_two_groups_and_graphs(built: Built, ranks: int) -> None:
    printed, text = built.run(ranks, built.program("apart.c"), "50")
    for rank, one in enumerate(read_calls(text, ranks)):
        first = rank == 0
        assert one.by_name["MPI_Bcast"].sent_bytes == (6 * INT if first else 0)
        assert one.by_name["MPI_Alltoall"].sent_bytes == 2 * INT * (ranks - 1 if first else 1)
        assert one.by_name["MPI_Neighbor_alltoallv"].sent_bytes == 3 * INT
        if first:  # to the other group, whose ranks are not the world's
            assert figures(one.by_name)["MPI_Send"] == (1, 5 * INT)
        assert one.times.inside_ns == sum(call.inside_ns for call in one.by_name.values())
        if printed == "with threads\n":
            assert figures(one.others) == {"MPI_Sendrecv": (2 * 2 * 50, 2 * 2 * 50 * LONG)}
            assert (one.threads, one.to) == (2, {rank: Traffic(2 * 2 * 50, 2 * 2 * 50 * LONG)})
            assert one.times.calls == 2 * 2 * 50 + sum(call.calls for call in one.by_name.values())


NUMBERS = st.integers(0, 2**63 - 1)
NAMES = st.from_regex(r"MPI_[A-Z][a-z_]{1,20}", fullmatch=True)
CALLS = st.dictionaries(NAMES, st.builds(CallFigures, NUMBERS, NUMBERS, NUMBERS), max_size=4)
TIMES = st.tuples(NUMBERS, NUMBERS, st.integers(1, 2**63 - 1)).map(
    lambda all_: RankTimes(max(all_[:2]), min(all_[:2]), all_[2])
)


@st.composite
def rank_calls(draw: st.DrawFn) -> list[RankCalls]:
    ranks = draw(st.integers(1, 4))
    to = st.dictionaries(st.integers(0, ranks - 1), st.builds(Traffic, NUMBERS, NUMBERS))
    return draw(st.lists(st.builds(RankCalls, TIMES, CALLS, NUMBERS, CALLS, to), min_size=ranks, max_size=ranks))


def written(ranks: list[RankCalls]) -> str:
    """Return what the library would write."""
    lines: list[tuple[object, ...]] = []
    for rank, one in enumerate(ranks):
        lines.append((rank, *astuple(one.times)))
        lines += [("call", rank, name, *astuple(call)) for name, call in one.by_name.items()]
        lines.append(("threads", rank, one.threads))
        lines += [("others", rank, name, *astuple(call)) for name, call in one.others.items()]
        lines += [("to", rank, peer, *astuple(sent)) for peer, sent in one.to.items()]
    return "".join(" ".join(map(str, line)) + "\n" for line in lines)


@given(rank_calls())
def test_what_is_written_is_read(ranks: list[RankCalls]) -> None:
    assert read_calls(written(ranks), len(ranks)) == ranks


def is_read_or_refused(text: str) -> None:
    try:
        read_calls(text)
    except ValueError as told:
        assert str(told)
        assert len(str(told).splitlines()) == 1


@given(st.text(max_size=80))
def test_any_text_is_read_or_refused_with_one_line(text: str) -> None:
    is_read_or_refused(text)


WORDS = st.sampled_from(
    ["0", "1", "2", "9" * 30, "-1", "²", "x", "call", "others", "threads", "to", "MPI_Send", "\n", "\x85"]
)


@given(st.lists(WORDS, max_size=24).map(" ".join))
def test_any_words_are_read_or_refused_with_one_line(text: str) -> None:
    is_read_or_refused(text)


@given(rank_calls(), st.data())
def test_lines_lost_doubled_or_moved_are_read_or_refused(ranks: list[RankCalls], data: st.DataObject) -> None:
    lines = written(ranks).splitlines(keepends=True)
    is_read_or_refused("".join(data.draw(st.lists(st.sampled_from(lines), max_size=8))))


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("call 0 MPI_Send 1 2 3\n", "comes before the times of any rank"),
        ("0 9 1 1\ncall 1 MPI_Send 1 2 3\n", "expected 'call RANK NAME CALLS NS BYTES'"),
        ("0 9 1 1\ncall 0 MPI_Send 1 2\n", "expected 'call RANK NAME CALLS NS BYTES'"),
        ("0 9 1 1\ncall 0 MPI_Send 1 2 3\ncall 0 MPI_Send 1 2 3\n", "repeats an earlier line"),
        ("0 9 1 1\nto 0 0 1 -2\n", "expected 'to RANK PEER MESSAGES BYTES'"),
        ("0 9 1 1\nto 0 1 1 2\n", "rank 0 sent to rank 1, and there are 1"),
    ],
)
def test_lines_that_make_no_sense_are_refused(text: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        read_calls(text)


def test_times_of_a_thread_that_calls_nothing_are_refused() -> None:
    text = "0 9 0 1\nthreads 0 1\nothers 0 MPI_Send 1 2 3\n1 9 0 1\nthreads 1 1\nothers 1 MPI_Recv 1 2 0\n"
    assert read_calls(text, 2)[0].others == {"MPI_Send": CallFigures(1, 2, 3)}
    with pytest.raises(ValueError, match="only threads other than"):
        read_times(text, 2)
