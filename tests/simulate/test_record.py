"""What a program's ranks wrote, as a recording; and a real program, recorded and replayed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest
from any_platform import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse
from rooftop.launchers import named
from rooftop.simulate.layout import laid_out
from rooftop.simulate.record import assembled, library, record
from rooftop.simulate.recorded import ranks_of
from rooftop.simulate.replay import missing, replay

WROTE = {
    0: [
        {"seconds": 1, "groups": [{"name": "world", "ranks": [0, 1]}, {"name": "self", "ranks": [0]}]},
        {"op": "work", "seconds": 0.5, "polls": 0},
        {"op": "send", "bytes": 8, "group": 0, "to": 1, "tag": 3},
        {"op": "barrier", "bytes": 0, "group": 1, "root": 0},
    ],
    1: [
        {"seconds": 1, "groups": [{"name": "self", "ranks": [1]}, {"name": "world", "ranks": [0, 1]}]},
        {"op": "recv", "bytes": 0, "group": 1, "from": 0, "tag": 3},
    ],
}

PROGRAM = """
#include <mpi.h>
#include <stdlib.h>
#include <unistd.h>

int main(int count, char** words) {
  MPI_Init(&count, &words);
  int rank, ranks;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  static char from[100000], to[100000];
  MPI_Request requests[2], bcast;
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(to, 100000, MPI_CHAR, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests);
    MPI_Isend(from, 100000, MPI_CHAR, (rank + 1) % ranks, i, MPI_COMM_WORLD, requests + 1);
    usleep(3000);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    double one = 1, sum;
    MPI_Allreduce(&one, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
    if (sum > ranks) return 1;
  }
  MPI_Ibcast(from, 1000, MPI_CHAR, 0, MPI_COMM_WORLD, &bcast);
  if (rank == 0) usleep(200000);
  for (int done = 0; !done;) MPI_Test(&bcast, &done, MPI_STATUS_IGNORE);
  MPI_Win window;
  if (count > 1) {
    MPI_Win_create(from, 8, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_free(&window);
  }
  MPI_Finalize();
  return 0;
}
"""


def texts(wrote: dict[int, list[dict[str, object]]]) -> dict[int, str]:
    return {rank: "".join(json.dumps(line) + "\n" for line in [*lines, {"op": "end"}]) for rank, lines in wrote.items()}


@given(st.integers(0, 1), st.data())
def test_a_part_of_what_a_rank_wrote_is_refused(rank: int, data: st.DataObject) -> None:
    whole = texts(WROTE)
    assert assembled(whole).ranks == 2
    kept = data.draw(st.integers(0, len(whole[rank]) - 2))
    with pytest.raises(Misuse, match=rf"^what rank {rank} wrote is not whole"):
        assembled(whole | {rank: whole[rank][:kept]})


@settings(max_examples=30)
@given(st.recursive(st.none() | st.integers() | st.text(), lambda one: st.lists(one) | st.dictionaries(st.text(), one)))
def test_other_lines_are_refused(line: object) -> None:
    with pytest.raises(Misuse, match=r"^what rank 0 wrote is not whole"):
        assembled({0: f'{{"seconds": 1, "groups": []}}\n{json.dumps(line)}\n{{"op": "end"}}\n'})


def test_groups_are_named_by_their_members() -> None:
    found = assembled(texts(WROTE))
    (_, first), (_, second) = found.programs
    assert found.ranks == 2
    assert first[1]["group"] == second[0]["group"] == "world"
    assert found.groups[first[2]["group"]] == (0,)


def test_a_rank_that_wrote_nothing_is_missed() -> None:
    with pytest.raises(Misuse, match="1 ranks wrote what they did"):
        assembled(texts({1: WROTE[1]}))
    with pytest.raises(Misuse, match="0 ranks wrote"):
        assembled({})


def test_more_than_can_be_kept_is_refused() -> None:
    told = r"more than 2000000 pieces of work and MPI calls, .* expected fewer steps"
    with pytest.raises(Misuse, match=told):
        assembled(texts({0: WROTE[0], 1: [WROTE[1][0], {"op": "too_many", "most": 2000000}]}))


def test_communicators_of_the_same_ranks_are_two() -> None:
    head = {"seconds": 1, "groups": [{"name": name, "ranks": [0, 1]} for name in ("world", "world.0", "world.1")]}
    found = assembled(texts({rank: [head, {"op": "barrier", "group": 2}] for rank in (0, 1)}))
    assert len(found.groups) == 2
    assert {body[0]["group"] for _, body in found.programs} == {list(found.groups)[1]}


def test_what_starts_no_ranks_is_not_recorded() -> None:
    with pytest.raises(Misuse, match="'sleep 1' starts no ranks"):
        record(["sleep", "1"])


@settings(max_examples=30)
@given(st.one_of(st.text(), st.from_type(type(None)).map(json.dumps), st.integers().map(json.dumps)))
def test_any_other_file_is_no_recording(text: str) -> None:
    file = Path(tempfile.gettempdir()) / f"{os.getpid()}.r.jsonl"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(Misuse, match=r"r\.jsonl"):
        ranks_of(file)
    file.unlink()


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("mpi", ["openmpi", "mpich"])
def test_a_program_is_recorded_and_replayed(mpi: str, tmp_path: Path) -> None:
    launcher = named(mpi)
    if library(launcher) is None or shutil.which(f"mpicc.{mpi}") is None or shutil.which(launcher.program) is None:
        pytest.skip(f"{launcher.title} is missing")
    source, program = tmp_path / "program.c", tmp_path / "program"
    source.write_text(PROGRAM, encoding="ascii")
    subprocess.run([f"mpicc.{mpi}", "-O1", "-o", program, source], check=True)
    words = [launcher.program, "-np", "4", *(["--oversubscribe"] if mpi == "openmpi" else [])]
    found = record([*words, str(program)])
    assert found.ranks == 4
    sent = [{one["to"] for one in body if one["op"] == "send"} for _, body in found.programs]
    came = [{one["from"] for one in body if one["op"] == "recv"} for _, body in found.programs]
    assert sent == [{(rank + 1) % 4} for rank in range(4)]
    assert came == [{(rank - 1) % 4} for rank in range(4)]
    # Three ranks poll for 200 ms. That is no work of theirs.
    layout = laid_out(plain(4), 4)
    ended = replay(found, layout)
    assert ended.ranks[1].computing_s < 0.5 * ended.ranks[0].computing_s
    assert ended.ranks[1].in_calls_s > 0.1
    with pytest.raises(Misuse, match="calls MPI_Win_create, which is not simulated"):
        record([*words, str(program), "more"])
