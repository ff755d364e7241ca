"""What launchers make of our lines: where the threads of all ranks may really run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from rooftop.launchers import named
from rooftop.launchers.team import Team, openmp, usable_cores

SOURCE = r"""
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
#pragma omp parallel
    {
        cpu_set_t allowed;
        sched_getaffinity(0, sizeof allowed, &allowed);
        char line[4200] = "";
        int end = 0;
        for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu)
            if (CPU_ISSET(cpu, &allowed)) end += snprintf(line + end, sizeof line - (size_t)end, "%d ", cpu);
        line[end++] = '\n';
        (void)!write(1, line, (size_t)end);
    }
}
"""


@pytest.fixture(scope="module", name="program")
def program_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a program whose threads say where they may run."""
    source = tmp_path_factory.mktemp("where") / "where.c"
    source.write_text(SOURCE)
    built = source.with_suffix("")
    subprocess.run(["gcc", "-O1", "-fopenmp", "-o", built, source], check=True)
    return built


@pytest.mark.parametrize("bind", ["none", "close", "spread"])
@pytest.mark.parametrize(("ranks", "threads"), [(1, 2), (2, 1), (4, 1), (3, 2)])
@pytest.mark.parametrize("launcher", ["openmpi", "mpich"])
def test_all_threads_together_may_use_as_many_cores_as_there_are(
    program: Path, launcher: str, ranks: int, threads: int, bind: str
) -> None:
    if shutil.which(f"mpirun.{launcher}") is None:
        pytest.skip(f"mpirun.{launcher} is not installed")
    team = Team(ranks=ranks, threads=threads)
    launch = named(launcher).started([str(program)], openmp(threads, bind), team, bind)
    environment = os.environ | launch.environment
    for _ in range(3):
        done = subprocess.run(launch.words, env=environment, capture_output=True, text=True, timeout=60, check=False)
        # On a busy machine MPICH's launcher itself dies of this signal, once in some two hundred runs of any program.
        if done.returncode != -signal.SIGPIPE:
            break
    assert done.returncode == 0, done.stderr
    allowed = [{int(cpu) for cpu in line.split()} for line in done.stdout.splitlines() if line.strip()]
    assert len(allowed) == ranks * threads
    assert len(set().union(*allowed)) >= min(ranks * threads, usable_cores())
    if bind != "none" and ranks * threads <= usable_cores():
        assert sum(len(one) for one in allowed) == len(set().union(*allowed))  # each has its own
