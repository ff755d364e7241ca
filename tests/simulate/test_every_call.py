"""Each call of MPI that is recorded, in C and in Fortran, and the guide's list of all calls."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from any_platform import plain

from rooftop.launchers import named
from rooftop.simulate.layout import laid_out
from rooftop.simulate.record import library, record
from rooftop.simulate.recording import Operation, Recording
from rooftop.simulate.replay import missing, replay

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "mpi"
DOUBLE = 8
Recorded = Callable[..., Recording]


@pytest.fixture(scope="module", name="mpi", params=["openmpi", "mpich"])
def mpi_fixture(request: pytest.FixtureRequest) -> str:
    launcher = named(request.param)
    if library(launcher) is None or launcher.missing() is not None:
        pytest.skip(f"no {request.param}: install lib{request.param}-dev")
    return str(request.param)


@pytest.fixture(scope="module", name="recorded")
def recorded_fixture(mpi: str, tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    folder = tmp_path_factory.mktemp(mpi)

    def recorded(source: str, ranks: int, *flags: str) -> Recording:
        compiler = f"{'mpicc' if source.endswith('.c') else 'mpif90'}.{mpi}"
        program = folder / "-".join([source, *flags])
        if shutil.which(compiler) is None:
            pytest.skip(f"no {compiler}")
        if not program.is_file():
            words = [compiler, "-O1", "-w", *flags, "-o", str(program), str(HERE / source)]
            done = subprocess.run(words, check=False, capture_output=True, text=True)
            if found := re.search(r"Cannot open module file .*", done.stderr):
                pytest.skip(f"{compiler}: {found[0]}")
            assert done.returncode == 0, done.stderr
        spread = ["--oversubscribe"] if mpi == "openmpi" else []
        return record([named(mpi).program, "-np", str(ranks), *spread, str(program)], timeout_s=120)

    return recorded


def body(recording: Recording, rank: int) -> list[Operation]:
    return [one for one in recording.programs[rank][1] if one["op"] != "work"]


def sent(operations: list[Operation]) -> float:
    return float(sum(one["bytes"] for one in operations if one["op"] == "send"))


#: What each rank of every_call.c does, by function of it.
MESSAGES = {"recv": 19, "send": 19, "barrier": 12, "wait": 28}
ENDS = {"recv": 7, "send": 7, "wait": 14}
COLLECTIVES = {
    **dict.fromkeys(["barrier", "bcast", "reduce", "allreduce", "gather", "scatter", "gatherv", "scatterv"], 2),
    **dict.fromkeys(["scan", "allgather", "reduce_scatter"], 4),
    "alltoall": 6,
    "wait": 17,
}
NEIGHBOURS = {"recv": 24, "send": 24, "wait": 48, "barrier": 5}
COMMUNICATORS = {"send": 2, "recv": 2, "wait": 3, "barrier": 7}


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("ranks", [1, 2, 3, 5])
def test_every_call_is_recorded_once(recorded: Recorded, ranks: int) -> None:
    found = recorded("every_call.c", ranks)
    expected = sum(map(Counter, (MESSAGES, ENDS, COLLECTIVES, NEIGHBOURS, COMMUNICATORS)), Counter[str]())
    expected["barrier"] += 3 if ranks > 1 else 0  # of two groups, and of both together
    of_grid = 4 * 2 + 2 * 4 + 4 * (3 if ranks > 2 else 2)
    for rank in range(ranks):
        own = body(found, rank)
        assert Counter(one["op"] for one in own) == expected
        assert sent(own) == (19 + 7 + of_grid + 4 + 8) * DOUBLE
        after, before = (rank + 1) % ranks, (rank - 1) % ranks
        assert {one["to"] for one in own if one["op"] == "send"} == {after, before}
        assert {one["from"] for one in own if one["op"] == "recv"} == {after, before}
        check_sizes(own, rank, ranks)
    ended = replay(found, laid_out(plain(ranks), ranks))
    assert ended.seconds > 0


def check_sizes(own: list[Operation], rank: int, ranks: int) -> None:
    """Check the bytes of each collective call, of both forms."""
    last, ascending = rank == ranks - 1, [DOUBLE * (one + 1) for one in range(ranks)]
    uneven: dict[str, object] = {"counts": ascending} if ranks > 1 else {"bytes": DOUBLE}
    of_root: dict[str, object] = {"counts": ascending}
    expected: dict[str, list[dict[str, object]]] = {
        "bcast": [{"bytes": DOUBLE}],
        "reduce": [{"bytes": 2 * DOUBLE}],
        "allreduce": [{"bytes": 3 * DOUBLE}],
        "scan": [{"bytes": 4 * DOUBLE}, {"bytes": 5 * DOUBLE}],
        "allgather": [{"bytes": 6 * DOUBLE}, uneven],
        "alltoall": [{"bytes": 7 * DOUBLE}, {"counts": ascending}, {"counts": ascending}],
        "gather": [{"bytes": 8 * DOUBLE}],
        "scatter": [{"bytes": 9 * DOUBLE}],
        "reduce_scatter": [{"bytes": 10 * DOUBLE}, uneven],
        "gatherv": [{"bytes": DOUBLE * (rank + 1)}],
        "scatterv": [of_root if last else {"bytes": 0}],
    }
    for name, calls in expected.items():
        of_name = [one for one in own if one["op"] == name]
        for at, call in enumerate(calls):
            first, again = of_name[2 * at : 2 * at + 2]
            assert call.items() <= first.items(), name
            assert call.items() <= again.items(), name
            assert ("counts" in first) == ("counts" in call)
            assert "request" not in first
            assert "request" in again


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("flags", [(), ("-DMODULE",), ("-DF08",)], ids=["mpif.h", "mpi", "mpi_f08"])
@pytest.mark.parametrize("ranks", [1, 3])
def test_fortran_is_recorded_as_c(recorded: Recorded, flags: tuple[str, ...], ranks: int) -> None:
    found = recorded("recorded.F90", ranks, *flags)
    calls = {"send": 5, "recv": 5, "wait": 8, "allreduce": 1, "bcast": 1, "allgather": 1, "gatherv": 1, "barrier": 2}
    for rank in range(ranks):
        own = body(found, rank)
        assert Counter(one["op"] for one in own) == calls
        assert sent(own) == (2 * 4 + 3 + 2 + 1) * DOUBLE
        assert {one["from"] for one in own if one["op"] == "recv"} == {(rank - 1) % ranks}
        assert sorted(one["tag"] for one in own if one["op"] == "recv") == [1, 2, 7, 8, 9]
    assert replay(found, laid_out(plain(ranks), ranks)).seconds > 0


def test_recording_keeps_to_its_memory(mpi: str, tmp_path: Path) -> None:
    """Build the library with the sanitizers and run every call on two ranks."""
    checked, program, script = tmp_path / "librecord.so", tmp_path / "every_call", tmp_path / "run.sh"
    sources = [str(one) for one in (ROOT / "native" / "mpi_record").glob("*.c")]
    sanitizers = ["-fsanitize=address,undefined", "-fno-sanitize-recover=undefined"]
    flags = ["-std=gnu11", "-O0", "-g", "-fPIC", "-fvisibility=hidden", "-shared", *sanitizers]
    built = subprocess.run([f"mpicc.{mpi}", *flags, "-o", str(checked), *sources, "-ldl"], check=False)
    if built.returncode != 0:
        pytest.skip(f"mpicc.{mpi} has no sanitizers")
    subprocess.run([f"mpicc.{mpi}", "-O1", "-w", "-o", str(program), str(HERE / "every_call.c")], check=True)
    linked = subprocess.run(["ldd", str(checked)], check=True, capture_output=True, text=True).stdout
    first = re.findall(r"lib(?:asan|ubsan)\.so\S* => (\S+)", linked)
    out = tmp_path / "out"
    out.mkdir()
    loaded = " ".join([*first, str(checked)])
    options = f"ASAN_OPTIONS=detect_leaks=0 ROOFTOP_MPI_RECORD={out}"
    script.write_text(f"export LD_PRELOAD='{loaded}' {options}\nexec {program}\n", encoding="ascii")
    spread = ["--oversubscribe"] if mpi == "openmpi" else []
    words = [named(mpi).program, "-np", "2", *spread, "bash", str(script)]
    done = subprocess.run(words, check=False, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert [(out / rank).read_text(encoding="ascii").splitlines()[-1] for rank in "01"] == ['{"op":"end"}'] * 2


def listed(heading: str) -> list[str]:
    """Return the names, or patterns of names, below a heading of the guide."""
    text = (ROOT / "docs" / "guide" / "recorded-calls.md").read_text(encoding="utf-8")
    part = text.split(f"## {heading}\n")[1].split("\n## ")[0]
    return [f"MPI_{word}" for block in re.findall(r"```text\n(.*?)```", part, re.DOTALL) for word in block.split()]


def functions(path: Path) -> set[str]:
    """Return the functions of MPI that a library has; its constants and older names of the same are spelt otherwise."""
    said = subprocess.run(["nm", "-D", "--defined-only", str(path)], check=True, capture_output=True, text=True).stdout
    names = {words[2] for line in said.splitlines() if (words := line.split())[1] in "TW" and len(words) == 3}
    return {
        name
        for name in names
        if re.fullmatch(r"MPI_[A-Z]+(_?[a-z]\w*)?", name) and not re.search(r"_[cf]2[cf]|_(f08)$", name)
    }


def test_no_call_passes_in_silence(mpi: str, recorded: Recorded) -> None:
    own = library(named(mpi))
    assert own is not None
    linked = subprocess.run(["ldd", str(own)], check=True, capture_output=True, text=True).stdout
    path = re.search(r"lib(?:mpi|mpich)\.so\.\d+ => (\S+)", linked)
    assert path is not None
    wrapped, all_of_mpi = functions(own), functions(Path(path[1]))
    kept, refused, alone = listed("Recorded"), listed("Refused by name"), listed("Not communication")
    of_mpi_4 = {f"{name}_init" for name in kept} | {f"{name}_init_c" for name in kept}
    of_mpi_4 |= {f"{name}_c" for name in [*kept, *refused]}
    for name in wrapped:
        assert name in {*kept, *refused, *of_mpi_4, "MPI_Init", "MPI_Init_thread", "MPI_Finalize"}, name
    for name in all_of_mpi - wrapped:
        assert any(fnmatchcase(name.removesuffix("_c"), one) for one in alone), name
    present = [name for name in [*kept, *refused] if name in all_of_mpi]
    assert set(present) <= wrapped
    assert len(present) >= 100
    source = (HERE / "every_call.c").read_text(encoding="ascii")
    of_mpi_3 = [name for name in kept if not re.search(r"Isendrecv|Barrier_init", name)]
    assert [name for name in of_mpi_3 if not re.search(rf"\b{name}\b", source)] == []
    named_there = re.findall(r"^NOT\((\w+)", (ROOT / "native/mpi_record/not_simulated.c").read_text(), re.MULTILINE)
    assert set(named_there) - {name.removeprefix("MPI_") for name in refused} == {
        "Win_create_c",
        "Win_allocate_c",
        "Win_allocate_shared_c",
    }
