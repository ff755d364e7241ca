"""Measurement configurations are started, as each launcher spells it."""

from __future__ import annotations

import os

import pytest

from rooftop.command.line import substituted
from rooftop.command.measurement import Measurement
from rooftop.launchers import named, names, srun, team
from rooftop.launchers.team import Team
from rooftop.parameters.space import Parameter, Space
from rooftop.tune import launch as launching
from rooftop.tune.document import sbatch_script
from rooftop.tune.launch import launch
from rooftop.tune.options import Options


@pytest.fixture(autouse=True)
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a machine of four cores, used by an ordinary user."""
    for module in (team, srun):
        monkeypatch.setattr(module, "usable_cores", lambda: 4)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.delenv("SLURM_JOB_ID", raising=False)


SPACE = Space(
    [
        Parameter("ranks", "ranks", (1, 2, 4)),
        Parameter("threads", "threads", (1, 2)),
        Parameter("bind", "bind", ("close", "spread", "none")),
        Parameter("N", "param", (8,)),
    ]
)
COMMAND = ("./app", "-n", "{N}", "{other}", "x{N}y")


def line(name: str, **values: int | str) -> str:
    configuration: dict[str, int | float | str] = {"ranks": 2, "threads": 2, "bind": "close", "N": 8, **values}
    return launch(SPACE, configuration, COMMAND, name).line


def test_open_mpi() -> None:
    assert line("openmpi") == (
        "mpirun.openmpi -np 2 --map-by slot:PE=2 --bind-to core -x OMP_NUM_THREADS=2 -x OMP_PROC_BIND=close "
        "-x OMP_PLACES=cores ./app -n 8 '{other}' x8y"
    )
    assert "--map-by numa:PE=2 --bind-to core" in line("openmpi", bind="spread")
    assert "--bind-to none -x OMP_NUM_THREADS=2 -x OMP_PROC_BIND=false" in line("openmpi", bind="none")
    assert "-np 4 --oversubscribe --bind-to none" in line("openmpi", ranks=4)


def test_mpich() -> None:
    assert line("mpich").startswith(
        "mpirun.mpich -np 2 -bind-to core:2 -genv OMP_NUM_THREADS 2 -genv OMP_PROC_BIND close"
    )
    assert "-bind-to core:2 -map-by numa" in line("mpich", bind="spread")
    assert "-bind-to none" in line("mpich", ranks=4)


def test_slurm() -> None:
    assert line("srun") == (
        "OMP_NUM_THREADS=2 OMP_PROC_BIND=close OMP_PLACES=cores "
        "srun --ntasks 2 --cpus-per-task 2 --cpu-bind=cores --distribution=block:block ./app -n 8 '{other}' x8y"
    )
    assert "--cpu-bind=none" in line("srun", bind="none")
    assert line("srun", ranks=4).startswith(
        "OMP_NUM_THREADS=2 OMP_PROC_BIND=false salloc --nodes=1 --ntasks=1 --cpus-per-task=4 "
        "srun --ntasks 4 --cpus-per-task 2 --overcommit --cpu-bind=none ./app"
    )


def test_slurm_within_a_job_asks_for_no_further_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SLURM_JOB_ID", "7")
    assert "salloc" not in line("srun", ranks=4)


def test_a_batch_script_asks_for_the_cores_that_crowded_ranks_shared() -> None:
    options = Options(
        words=COMMAND, parameters=(("ranks", "ranks", (2, 4)), ("threads", "threads", (2,))), how=Measurement()
    )
    two, four = (sbatch_script(options, options.space(), one, None) for one in options.space().configurations)
    assert "--ntasks=2\n#SBATCH --cpus-per-task=2\n" in two
    assert "--ntasks=1\n#SBATCH --cpus-per-task=4\n" in four
    assert "salloc" not in four
    assert "\nsrun --ntasks 4 --cpus-per-task 2 --overcommit --cpu-bind=none ./app" in four


@pytest.mark.parametrize("name", names())
def test_crowded_ranks_are_not_bound_by_openmp_either(name: str) -> None:
    for bind in ("close", "spread"):
        told = line(name, ranks=4, bind=bind)
        assert "false" in told
        assert "OMP_PLACES" not in told
    assert "OMP_PLACES" in line(name)


def test_open_mpi_as_root_is_told_that_it_may(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert line("openmpi").startswith("OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun.openmpi")


def test_without_ranks_there_is_no_launcher(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launching, "allocator_library", lambda name: "" if name == "glibc" else f"lib{name}.so.2")
    space = Space(
        [
            Parameter("schedule", "schedule", ("dynamic:64",)),
            Parameter("malloc", "malloc", ("glibc", "mimalloc")),
            Parameter("MODE", "env", ("a b",)),
        ]
    )
    plain, preloaded = (launch(space, one, ("./app",), None) for one in space.configurations)
    assert plain.line == "OMP_SCHEDULE=dynamic,64 MODE='a b' ./app"
    assert preloaded.environment == {"OMP_SCHEDULE": "dynamic,64", "LD_PRELOAD": "libmimalloc.so.2", "MODE": "a b"}


def test_braces_that_name_no_parameter_stay() -> None:
    assert substituted(("{a}", "{b}", "{ a}", "{{a}}"), {"a": 1}) == ("1", "{b}", "{ a}", "{1}")


def test_ranks_are_spread_over_nodes() -> None:
    two = Team(nodes=2, ranks=8)
    assert named("srun").started(["./app"], {}, two, "close").line.startswith("srun --nodes 2 --ntasks 8 ")
    assert "#SBATCH --nodes=2" in named("srun").job_lines(two)
    assert named("mpich").started(["./app"], {}, two, None).line.startswith("mpirun.mpich -np 8 -ppn 4 ")
