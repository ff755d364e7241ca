"""Calls of MPI that are easily recorded wrongly, and calls that are named, since they are not simulated."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from pathlib import Path

import pytest
from any_platform import plain

from rooftop.errors import Misuse
from rooftop.launchers import named
from rooftop.simulate.layout import laid_out
from rooftop.simulate.record import library, record
from rooftop.simulate.recording import Recording
from rooftop.simulate.replay import missing, replay

PROGRAM = """
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static void* other(void* none) {
  int flag;
  MPI_Iprobe(MPI_ANY_SOURCE, 99, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
  return none;
}

int main(int count, char** words) {
  int provided, rank, ranks;
  const char* what = words[1];
  MPI_Init_thread(&count, &words, MPI_THREAD_MULTIPLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const int below = rank > 0 ? rank - 1 : MPI_PROC_NULL, above = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  double from[8] = {0}, to[8];
  MPI_Request requests[8];
  MPI_Status statuses[8];
  if (!strcmp(what, "small")) {
    for (int i = 0; i < 4; ++i) MPI_Irecv(to + i, 1, MPI_DOUBLE, below, i, MPI_COMM_WORLD, requests + i);
    for (int i = 0; i < 4; ++i) MPI_Isend(from + i, 1, MPI_DOUBLE, above, i, MPI_COMM_WORLD, requests + 4 + i);
    MPI_Waitall(8, requests, statuses);
  } else if (!strcmp(what, "persistent")) {
    MPI_Recv_init(to, 1, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, requests);
    MPI_Send_init(from, 1, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, requests + 1);
    for (int i = 0; i < 4; ++i) {
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, statuses);
    }
    MPI_Request_free(requests);
    MPI_Request_free(requests + 1);
  } else if (!strcmp(what, "communicators")) {
    MPI_Comm same, half;
    MPI_Comm_dup(MPI_COMM_WORLD, &same);
    MPI_Comm_split(same, rank % 2, 0, &half);
    MPI_Barrier(half);
  } else if (!strcmp(what, "scans")) {
    MPI_Scan(from, to, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Iexscan(from, to, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, requests);
    MPI_Wait(requests, statuses);
  } else if (!strcmp(what, "MPI from several threads")) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
  } else if (!strcmp(what, "MPI between two groups")) {
    MPI_Comm half, between;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 7, &between);
    for (int i = 0; i < 3000; ++i) {  // more than there is room for at first
      MPI_Irecv(to, 1, MPI_DOUBLE, rank / 2, 0, between, requests);
      MPI_Isend(from, 1, MPI_DOUBLE, rank / 2, 0, between, requests + 1);
      MPI_Waitall(2, requests, statuses);
    }
  } else if (!strcmp(what, "forgotten")) {
    MPI_Isend(from, 1, MPI_DOUBLE, above, 0, MPI_COMM_WORLD, requests);
    if (above != MPI_PROC_NULL) MPI_Request_free(requests);
    MPI_Recv(to, 1, MPI_DOUBLE, below, 0, MPI_COMM_WORLD, statuses);
  } else if (!strcmp(what, "cancelled")) {
    MPI_Irecv(to, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, requests);
    MPI_Irecv(to, 1, MPI_DOUBLE, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, requests + 1);
    MPI_Cancel(requests);
    MPI_Wait(requests, statuses);
    MPI_Cancel(requests + 1);
    MPI_Request_free(requests + 1);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  MPI_Finalize();
  return 0;
}
"""
HAVE = [
    mpi
    for mpi in ("openmpi", "mpich")
    if library(named(mpi)) is not None and shutil.which(f"mpicc.{mpi}") and shutil.which(named(mpi).program)
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the program for each MPI."""
    found = tmp_path_factory.mktemp("recorded")
    (found / "program.c").write_text(PROGRAM, encoding="ascii")
    for mpi in HAVE:
        subprocess.run([f"mpicc.{mpi}", "-O1", "-pthread", "-o", found / mpi, found / "program.c"], check=True)
    return found


def recorded(folder: Path, mpi: str, what: str) -> Recording:
    spread = ["--oversubscribe"] if mpi == "openmpi" else []
    return record([named(mpi).program, "-np", "4", *spread, str(folder / mpi), what])


@pytest.mark.skipif(missing() is not None, reason=str(missing()))
@pytest.mark.parametrize("mpi", HAVE)
@pytest.mark.parametrize(
    ("what", "calls"),
    [
        ("small", {"recv": 4, "send": 4, "wait": 8}),
        ("persistent", {"recv": 4, "send": 4, "wait": 8}),
        ("communicators", {"barrier": 3}),
        ("scans", {"scan": 2, "wait": 1}),
        ("forgotten", {"recv": 1, "send": 1, "wait": 1}),
        ("cancelled", {"barrier": 1}),
    ],
)
def test_each_request_is_waited_for_once(folder: Path, mpi: str, what: str, calls: dict[str, int]) -> None:
    found = recorded(folder, mpi, what)
    of_the_middle = Counter(one["op"] for one in found.programs[1][1] if one["op"] != "work")
    assert of_the_middle == calls
    assert replay(found, laid_out(plain(4), 4)).seconds > 0


@pytest.mark.skipif(not HAVE, reason="no MPI whose calls can be recorded")
@pytest.mark.parametrize(
    "what",
    [
        "MPI from several threads",
        "MPI between two groups",
    ],
)
def test_what_is_not_simulated_is_named(folder: Path, what: str) -> None:
    with pytest.raises(Misuse, match=f"^the program calls {what}, which is not simulated$"):
        recorded(folder, HAVE[0], what)
