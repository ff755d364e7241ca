"""The line to copy, and why there is none."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from recorded_looks import Acting, acted, flat

from rooftop.launchers import launcher_of, named, team
from rooftop.launchers.team import Team
from rooftop.observe.threads import Ground, scene
from rooftop.pin.findings import Placement, found
from rooftop.pin.fix import Fix, NoFix, fix
from rooftop.pin.launched import Unclear, taken_apart

DONE = Placement(finding="stacked", evidence="They share a CPU.", remedy="Bind them.")


@pytest.fixture(autouse=True)
def four_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make a machine of four cores, used by an ordinary user without a binding."""
    monkeypatch.setattr(team, "usable_cores", lambda: 4)
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    for name in ("OMP_PROC_BIND", "OMP_PLACES", "OMP_NUM_THREADS"):
        monkeypatch.delenv(name, raising=False)


def ranks(count: int, threads: int, *, openmp: bool = True) -> list[Acting]:
    """Return ranks whose threads are all on CPU 0."""
    return [
        Acting([0], [0], runs=0.1, waits=0.9, rank=rank, starter="openmpi", openmp=openmp, pid=100 + rank * threads)
        for rank in range(count)
        for _ in range(threads)
    ]


def plain(threads: int, **more: bool) -> list[Acting]:
    return [Acting([0], [0], runs=0.1, waits=0.9, openmp=True, pid=100, **more) for _ in range(threads)]  # type: ignore[arg-type]


def fixed(acting: list[Acting], *words: str, nodes: int = 1, smt: int = 1, quota: float | None = None) -> Fix:
    ground = Ground(scene(acted(acting)), flat(4 * smt, smt, nodes), quota)
    return fix(ground, words, [*found(ground), *found(ground, hints=True)])


def refused(acting: list[Acting], *words: str) -> str:
    with pytest.raises(NoFix) as reason:
        fixed(acting, *words)
    return str(reason.value)


def test_an_openmp_program() -> None:
    made = fixed(plain(4), "./app", "-n", "8")
    assert made.launch.line == "OMP_PROC_BIND=close OMP_PLACES=cores ./app -n 8"
    assert made.lines == {"openmp": made.launch.line}
    assert fixed(plain(2), "./app", nodes=2).launch.environment["OMP_PROC_BIND"] == "spread"


def test_too_many_threads_become_as_many_as_there_is_room_for() -> None:
    assert fixed(plain(8), "./app").launch.environment["OMP_NUM_THREADS"] == "4"
    assert fixed(plain(4), "./app", quota=2.5).launch.environment["OMP_NUM_THREADS"] == "2"


def test_hardware_threads_are_places_where_cores_do_not_suffice() -> None:
    assert fixed(plain(4), "./app", smt=2).launch.environment["OMP_PLACES"] == "cores"
    made = fixed(plain(6), "./app", smt=2)
    assert dict(made.launch.environment) == {"OMP_PROC_BIND": "close", "OMP_PLACES": "threads"}
    with pytest.raises(NoFix, match="share 4 cores as hardware threads"):
        fixed(ranks(6, 1), "mpirun", "-np", "6", "./app", smt=2)


def test_what_env_sets_gives_way() -> None:
    made = fixed(plain(2), "env", "OMP_PLACES={0}", "A=1", "./app", "OMP_PLACES=x")
    assert made.launch.words == ("env", "A=1", "./app", "OMP_PLACES=x")


@pytest.mark.parametrize("words", ["taskset -c 0 ./app 1", "taskset 0x1 ./app 1", "taskset -c 0 env A=1 ./app 1"])
def test_taskset_gives_way(words: str) -> None:
    assert fixed(plain(2), *words.split()).launch.words[-2:] == ("./app", "1")
    assert "taskset" not in fixed(plain(2), *words.split()).launch.words


@pytest.mark.case("commands.I6")
@pytest.mark.parametrize("openmp", [True, False])
@pytest.mark.parametrize("processes", [1, 3])
def test_one_cpu_has_no_core_for_each(openmp: bool, processes: int) -> None:
    many = [Acting([0], [0], runs=0.3, waits=0.7, openmp=openmp, pid=100 + n * (processes > 1)) for n in range(3)]
    ground = Ground(scene(acted(many)), flat(1))
    if openmp and processes == 1:
        assert fix(ground, ["./app"], [DONE]).launch.environment["OMP_NUM_THREADS"] == "1"
        return
    with pytest.raises(NoFix) as reason:
        fix(ground, ["./app"], [DONE])
    assert "one core" in str(reason.value) and "binding does not help" in str(reason.value)
    assert "taskset" not in str(reason.value) and "own" not in str(reason.value)


@pytest.mark.case("commands.I6.crowd")
def test_more_processes_than_cores_cannot_have_one_each() -> None:
    several = [Acting([0], [0], runs=0.2, waits=0.8, openmp=True, pid=100 + n) for n in range(6)]
    assert "6 busy processes for 4 cores: binding does not help" in refused(several, "./app")


@pytest.mark.case("commands.I6.within")
@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("sh", "-c", "taskset -c 0 ./omp"), "taskset"),
        (("/bin/sh", "-c", "cd /tmp && /usr/bin/taskset 1 ./omp; true"), "taskset"),
        (("nice", "taskset", "-c", "0", "./omp"), "taskset"),
        (("numactl", "-C", "0", "./omp"), "numactl"),
        (("numactl", "-m", "0", "--cpunodebind=0", "./omp"), "numactl"),
        (("hwloc-bind", "core:0", "--", "./omp"), "hwloc-bind"),
        (("mpirun", "-np", "2", "sh", "-c", "taskset -c 0 ./omp"), "taskset"),
    ],
)
def test_a_binding_within_the_line_outlasts_the_cure(words: tuple[str, ...], named: str) -> None:
    acting = ranks(2, 1) if words[0] == "mpirun" else plain(2)
    assert refused(acting, *words).startswith(f"the command binds itself by {named}")


@pytest.mark.case("commands.I6.script")
def test_a_binding_within_a_script_outlasts_the_cure(tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\n# not by numactl -C 0\nexec taskset -c 0 ./omp\n", encoding="utf-8")
    script.chmod(0o755)
    for words in ((str(script),), ("sh", str(script))):
        assert refused(plain(2), *words).startswith("the command binds itself by taskset")


def test_words_that_bind_nothing_are_no_binding() -> None:
    for words in (("numactl", "-i", "all", "./app", "-N", "5"), ("./app", "taskset"), ("sh", "-c", "./mytaskset -c 0")):
        assert fixed(plain(2), *words).launch.words == words


def test_a_program_that_is_bound_already(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OMP_PROC_BIND", "close")
    monkeypatch.setenv("OMP_PLACES", "cores")
    assert "already" in refused(plain(2), "./app")


def test_ranks_as_three_launchers_spell_them() -> None:
    made = fixed(
        ranks(2, 2), "mpirun", "-np", "2", "--mca", "btl", "self", "--bind-to", "core", "-x", "A", "./app", "-np", "9"
    )
    assert made.team == Team(ranks=2, threads=2)
    assert made.launch.line == (
        "mpirun --mca btl self -x A -np 2 --map-by slot:PE=2 --bind-to core -x OMP_NUM_THREADS=2 "
        "-x OMP_PROC_BIND=close -x OMP_PLACES=cores ./app -np 9"
    )
    assert list(made.lines) == ["openmpi", "mpich", "srun"]
    assert made.lines["openmpi"] == made.launch.line
    assert made.lines["mpich"].startswith("mpirun.mpich -np 2 -bind-to core:2 -genv OMP_NUM_THREADS 2")
    assert made.lines["srun"].endswith("srun --ntasks 2 --cpus-per-task 2 --cpu-bind=cores "
                                       "--distribution=block:block ./app -np 9")  # fmt: skip


def test_ranks_without_openmp_get_none_of_its_variables() -> None:
    made = fixed(ranks(2, 1, openmp=False), "mpirun", "-n", "2", "--bind-to", "none", "./app")
    assert made.launch.line == "mpirun -np 2 --map-by slot:PE=1 --bind-to core ./app"
    assert made.launch.environment == {}


def test_the_number_of_ranks_may_be_left_to_the_launcher() -> None:
    assert "-np 3 " in fixed(ranks(3, 1), "mpirun", "./app").launch.line


def test_variables_that_were_passed_give_way() -> None:
    words = ("mpirun", "-np", "2", "-x", "OMP_NUM_THREADS=4", "-x", "B=1", "./app")
    assert fixed(ranks(2, 1), *words).launch.line.count("OMP_NUM_THREADS") == 1


def test_threads_are_lowered_where_ranks_fit() -> None:
    made = fixed(ranks(2, 4), "mpirun", "-np", "2", "./app")
    assert made.team == Team(ranks=2, threads=2)


def test_why_there_is_none() -> None:
    assert refused([Acting([0], [0])], "./app").startswith("the program has no OpenMP library")
    assert "8 ranks of 1 busy thread for 4 cores" in refused(ranks(8, 1), "mpirun", "-np", "8", "./app")
    assert "2 of 4 ranks were seen on this machine" in refused(ranks(2, 1), "mpirun", "-np", "4", "./app")
    assert "--frobnicate is not a known option" in refused(ranks(2, 1), "mpirun", "--frobnicate", "./app")
    several = [Acting([0], [0], runs=0.5, waits=0.5, openmp=True) for _ in range(2)]
    assert refused(several, "./app").startswith("2 busy processes at once, none of them an MPI rank")
    ground = Ground(scene(acted(plain(1))), flat(4))
    with pytest.raises(NoFix, match="no problem was found"):
        fix(ground, ["./app"], [])


def test_what_is_already_as_it_should_be() -> None:
    made = fixed(ranks(2, 1, openmp=False), "mpirun", "-np", "2", "./app")
    assert "already" in refused(ranks(2, 1, openmp=False), *made.launch.words)


@pytest.mark.parametrize(
    ("words", "count", "kept", "program"),
    [
        ("mpirun -np 4 ./app", 4, "", "./app"),
        ("mpirun --np 4 --oversubscribe -H a,b ./app -x", 4, "-H a,b", "./app -x"),
        ("mpirun -c 4 --mca a b --tag-output ./app", 4, "--mca a b --tag-output", "./app"),
        ("mpirun ./app -np 4", None, "", "./app -np 4"),
        ("mpirun.mpich -n 2 -bind-to core -genv A 1 ./app", 2, "-genv A 1", "./app"),
        ("srun -n4 -N 2 --cpu-bind=none -c 2 ./app", 4, "-N 2", "./app"),
        ("srun --ntasks=4 --mpi=pmix ./app", 4, "--mpi=pmix", "./app"),
    ],
)
def test_launchers_words_are_taken_apart(words: str, count: int | None, kept: str, program: str) -> None:
    launcher = launcher_of(words.split(maxsplit=1)[0], "openmpi")
    assert launcher is not None
    launched = taken_apart(words.split(), launcher)
    assert (launched.ranks, " ".join(launched.kept), " ".join(launched.program)) == (count, kept, program)


@pytest.mark.parametrize(
    "words", ["mpirun", "mpirun -np", "mpirun -np two ./app", "mpirun -np 1 ./a : -np 1 ./b", "mpirun --what ./app"]
)
def test_what_is_not_plainly_told(words: str) -> None:
    with pytest.raises(Unclear):
        taken_apart(words.split(), named("openmpi"))


def test_which_launcher_it_is() -> None:
    assert launcher_of("/opt/mpich/bin/mpiexec.hydra") is named("mpich")
    assert launcher_of("mpiexec", "mpich") is named("mpich")
    assert launcher_of("mpiexec", "srun") in (named("openmpi"), named("mpich"))
    assert launcher_of("/usr/bin/srun") is named("srun")
    assert launcher_of("./app", "openmpi") is None
