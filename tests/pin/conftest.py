"""Programs that burn time until they were seen often enough: no test here waits for a clock."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from watched import Enough, UntilEnough, Watch

from rooftop.command.process import Limits, run
from rooftop.observe.recording import Recording

BURN = """
#include <stdio.h>
#include <unistd.h>
#ifdef RANKS
#include <mpi.h>
#endif
int main(int argc, char** argv) {
#ifdef RANKS
    MPI_Init(&argc, &argv);
#endif
    #pragma omp parallel
    {
        volatile double sum = 0;
        while (access(argv[1], F_OK) != 0)
            for (int i = 0; i < 100000; ++i) sum += 1.0 / (i + 1);
    }
#ifdef RANKS
    MPI_Finalize();
#endif
    return argc != 2;
}
"""


@pytest.fixture
def stop(tmp_path: Path) -> Path:
    """Name the file that ends a program."""
    return tmp_path / "stop"


@pytest.fixture
def watch(stop: Path) -> Watch:
    """Return what samples a program until enough was seen."""

    def sampled(words: Sequence[str], enough: Enough, environment: Mapping[str, str]) -> Recording:
        sampler = UntilEnough(stop, enough)
        done = run(words, Limits(120.0), environment={**os.environ, **environment}, observer=sampler)
        assert done.status == 0, done.said
        return sampler.ended()

    return sampled


@pytest.fixture(scope="session")
def two_cpus() -> list[int]:
    """Return the first two usable CPUs."""
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        pytest.skip("only one CPU is usable here")
    return cpus[:2]


def _compiled(folder: Path, *words: str) -> str:
    source = folder / "burn.c"
    source.write_text(BURN, encoding="utf-8")
    subprocess.run([*words, "-O1", "-o", str(folder / "burn"), str(source)], check=True, capture_output=True)
    return str(folder / "burn")


@pytest.fixture(scope="session")
def burn(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An OpenMP program that burns until its file is there."""
    if shutil.which("gcc") is None:
        pytest.skip("gcc is not installed")
    return _compiled(tmp_path_factory.mktemp("burn"), "gcc", "-fopenmp")


@pytest.fixture(scope="session")
def burning_ranks(tmp_path_factory: pytest.TempPathFactory) -> str:
    """An MPI program without threads of its own that burns until its file is there."""
    for needed in ("mpicc.openmpi", "mpirun.openmpi"):
        if shutil.which(needed) is None:
            pytest.skip(f"{needed} is not installed (Debian and Ubuntu: apt install libopenmpi-dev openmpi-bin)")
    return _compiled(tmp_path_factory.mktemp("ranks"), "mpicc.openmpi", "-DRANKS")
