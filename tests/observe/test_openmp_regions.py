"""What a library that is loaded before OpenMP programs sees of their regions, where the programs' regions are known."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

import pytest

from rooftop.observe.addresses import places
from rooftop.observe.openmp import (
    DYNAMIC,
    GUIDED,
    RUNTIME,
    SECTIONS,
    SINGLE,
    TASKS,
    USES,
    Figures,
    Regions,
    library,
    missing,
    read_regions,
    total,
    variables,
)

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "openmp"
SOURCES = [
    *(ROOT / "native" / "openmp_regions").glob("*.c"),
    *(ROOT / "native" / "preload" / one for one in ("processes.c", "scope.c")),
]
GCC = shutil.which("gcc")
STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
CLANG = next((one for one in ("clang-16", "clang") if shutil.which(one)), None)

pytestmark = pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")


def compiled(compiler: str, source: str, to: Path, *options: str) -> Path:
    """Compile a program of this folder; skip where the compiler is missing, or has no OpenMP."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}: install it")
    words = [compiler, "-O2", "-g", "-fopenmp", "-Wall", "-Wextra", "-o", str(to), str(HERE / source), *options]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if compiler == CLANG and done.returncode:
        pytest.skip(f"{compiler} has no OpenMP: install libomp-16-dev")
    assert done.returncode == 0, done.stderr
    return to


class Bench:
    """Runs programs with the library. `before`: what must be loaded even before it."""

    def __init__(self, library: Path, folder: Path, before: Sequence[str] = ()) -> None:
        self._library, self.folder, self._before = library, folder, before

    def run(self, *words: str | Path, status: int = 0, **more: str) -> str:
        """Return what a program prints, whose exit code must be `status` and which has no more to say than without."""
        known = os.environ | {"OMP_MAX_ACTIVE_LEVELS": "2", "ASAN_OPTIONS": "detect_leaks=0"} | more
        given = known | variables(self._library, self.folder, known)
        given["LD_PRELOAD"] = ":".join([*self._before, given["LD_PRELOAD"]])
        done = subprocess.run(words, env=given, capture_output=True, text=True, check=False, timeout=120)
        assert (done.returncode, done.stderr) == (status, ""), done
        return done.stdout

    def regions(self) -> dict[str, Figures]:
        """Return the figures of all processes by the function's name; without the times."""
        return by_function(total(read_regions(self.folder)))


def by_function(regions: Regions) -> dict[str, Figures]:
    found: dict[str, Figures] = {}
    for site, figures in regions.of.items():
        name = places(site.file, [site.offset])[0].function
        found[name] = found.get(name, Figures()) + figures
    return found


def counts(figures: Figures) -> tuple[int, int, int, int]:
    return figures.calls, figures.outer_calls, figures.most_threads, figures.threads


def uses(figures: Figures) -> set[str]:
    return {use for use in USES if figures.has(use)}


@pytest.fixture(scope="module", name="built", params=["as built", "with sanitizers"])
def built_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the library and what must be loaded before it."""
    assert GCC is not None
    made = tmp_path_factory.mktemp("regions") / "libopenmp_regions.so"
    checked = request.param != "as built"
    options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if checked else []
    shared = ["-fPIC", "-shared", "-fvisibility=hidden"]
    words = [GCC, *STRICT, *options, *shared, "-o", str(made), *map(str, SOURCES), "-pthread", "-ldl"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if checked and "cannot find" in done.stderr:
        pytest.skip("gcc has no sanitizers here: install libasan and libubsan")
    assert done.returncode == 0, done.stderr
    before = []
    if checked:
        asked = [GCC, "-print-file-name=libasan.so"]
        before = [str(Path(subprocess.run(asked, capture_output=True, text=True, check=True).stdout.strip()).resolve())]
    return made, before


@pytest.fixture(name="bench")
def bench_fixture(built: tuple[Path, list[str]], tmp_path: Path) -> Bench:
    folder = tmp_path / "told"
    folder.mkdir()
    return Bench(built[0], folder, built[1])


@pytest.fixture(scope="module", name="programs")
def programs_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(name="program", params=["gcc", "clang"])
def program_fixture(request: pytest.FixtureRequest, programs: Path) -> Path:
    """Return regions.c as a compiler makes it."""
    made = programs / f"regions-{request.param}"
    if request.param == "clang" and CLANG is None:
        pytest.skip("no clang: install clang-16 and libomp-16-dev")
    return made if made.is_file() else compiled("gcc" if request.param == "gcc" else str(CLANG), "regions.c", made)


# calls, those of several threads that are in no other, most threads, threads of all
KINDS = {
    "plain": (10, 10, 3, 30),
    "static_loop": (1, 1, 2, 2),
    "dynamic_loop": (1, 1, 2, 2),
    "guided_loop": (1, 1, 2, 2),
    "runtime_loop": (1, 1, 2, 2),
    "orphaned": (1, 1, 2, 2),
    "nested": (3, 1, 2, 6),
    "alone": (2, 0, 1, 2),
    "sections": (1, 1, 2, 2),
    "tasks": (1, 1, 2, 2),
    "reductions": (1, 1, 2, 2),
    "exclusive": (1, 1, 2, 2),
}


def test_each_kind_of_region_is_counted(bench: Bench, program: Path) -> None:
    printed = bench.run(program, "kinds")
    plain = os.environ | {"OMP_MAX_ACTIVE_LEVELS": "2"}
    assert printed == subprocess.run([program, "kinds"], env=plain, capture_output=True, text=True, check=True).stdout
    found = bench.regions()
    if inner := found.pop("", None):  # clang's: a call that is a jump returns into the OpenMP library
        found["nested"] += inner
    assert {name: counts(figures) for name, figures in found.items()} == KINDS
    assert (found["exclusive"].barriers, found["exclusive"].locks) == (10, 30)
    assert found["orphaned"].barriers == 4
    assert found["plain"].barriers == found["plain"].locks == found["plain"].barrier_ns == 0
    assert TASKS in uses(found["tasks"]) & uses(found["reductions"])
    assert SINGLE in uses(found["tasks"])
    assert uses(found["sections"]) == {SECTIONS}
    for figures in found.values():
        assert figures.mean_ns <= figures.most_ns <= figures.wall_ns
        assert figures.outer_wall_ns <= figures.wall_ns


def test_gcc_tells_schedules(bench: Bench, programs: Path) -> None:
    made = programs / "regions-gcc"
    program = made if made.is_file() else compiled("gcc", "regions.c", made)
    bench.run(program, "kinds")
    found = bench.regions()
    told = {name: uses(found[name]) for name in ("plain", "static_loop", "dynamic_loop", "guided_loop", "runtime_loop")}
    schedules: list[set[str]] = [set(), set(), {DYNAMIC}, {GUIDED}, {RUNTIME}]
    assert list(told.values()) == schedules
    assert found["dynamic_loop"].chunk == 7
    assert uses(found["orphaned"]) == {DYNAMIC}


def test_llvms_library_in_place_of_libgomp(bench: Bench, programs: Path) -> None:
    made = programs / "regions-gcc"
    program = made if made.is_file() else compiled("gcc", "regions.c", made)
    if CLANG is None:
        pytest.skip("no clang: install clang-16 and libomp-16-dev")
    words = [CLANG, "-print-resource-dir"]
    own = Path(subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip())
    found = own.parents[1] / "libomp.so"  # lib/clang/VERSION
    if not found.is_file():
        pytest.skip("no libomp.so: install libomp-16-dev")
    bench.run(program, "kinds", LD_PRELOAD=str(found))
    told = bench.regions()
    assert {name: counts(figures) for name, figures in told.items()} == KINDS
    assert (told["exclusive"].barriers, told["exclusive"].locks) == (10, 30)


def test_more_threads_than_a_region_has_places_for(bench: Bench, program: Path) -> None:
    bench.run(program, "many")
    (many,) = bench.regions().values()
    assert counts(many) == (1, 1, 150, 150)
    assert many.mean_ns <= many.most_ns <= many.wall_ns


def test_waiting_is_told_from_work(bench: Bench, program: Path) -> None:
    bench.run(program, "skew")
    sites = sorted(total(read_regions(bench.folder)).of.values(), key=lambda one: one.barriers)
    without, barrier = sites
    # The first thread sleeps for 100 ms, and for 200 ms; how soon the second one is there is not known.
    assert without.most_ns >= 100e6
    assert without.most_ns / 2 <= without.mean_ns <= without.wall_ns
    assert barrier.barriers == 2
    assert barrier.most_ns >= 200e6
    assert barrier.barrier_ns <= barrier.wall_ns * 2


def test_children_and_replaced_programs_tell_of_themselves(bench: Bench, program: Path) -> None:
    bench.run(program, "forks")
    # The child that is born in a region has met none.
    assert len(list(bench.folder.iterdir())) == 3
    assert Counter(sum(f.calls for f in one.of.values()) for one in read_regions(bench.folder)) == Counter([2, 2])


def test_times_of_processes_are_by_one_clock(bench: Bench, program: Path) -> None:
    before_ns = time.monotonic_ns()
    bench.run(program, "skew")
    between_ns = time.monotonic_ns()
    bench.run(program, "many")
    told = sorted(read_regions(bench.folder), key=lambda one: one.began_ns)
    times = [told[0].began_ns, told[0].ended_ns, between_ns, told[1].began_ns, told[1].ended_ns, time.monotonic_ns()]
    assert before_ns <= times[0]
    assert times == sorted(times)
    spent_ns = sum(figures.outer_wall_ns for figures in told[0].of.values())
    assert spent_ns <= told[0].ended_ns - told[0].began_ns + 100  # nanoseconds are rounded


def test_a_process_without_regions_of_several_threads_has_no_time(bench: Bench, program: Path) -> None:
    bench.run(program, "forks")
    assert {(one.began_ns, one.ended_ns) for one in read_regions(bench.folder)} == {(0, 0)}


def test_finding_a_place_keeps_nobody_waiting(bench: Bench, programs: Path) -> None:
    assert GCC is not None
    made = programs / "unplaced"
    if not made.is_file():
        subprocess.run([GCC, *STRICT, "-fopenmp", "-rdynamic", "-o", made, HERE / "unplaced.c", "-ldl"], check=True)
    bench.run(made)
    told = read_regions(bench.folder)
    assert sorted((sum(figures.calls for figures in one.of.values()), one.lost) for one in told) == [(0, 1), (2, 0)]


def test_a_program_that_is_replaced_has_told_before(bench: Bench, program: Path) -> None:
    bench.run(program, "exec")
    assert {name: figures.calls for name, figures in bench.regions().items()} == {"counted": 1, "many": 1}


def test_a_program_that_exits_within_a_region(bench: Bench, program: Path) -> None:
    bench.run(program, "exit-inside", status=3)
    assert {name: figures.calls for name, figures in bench.regions().items()} == {"counted": 1}


def test_a_program_that_is_killed_tells_nothing(bench: Bench, program: Path) -> None:
    bench.run(program, "crash", status=-9)
    with pytest.raises(ValueError, match="no process recorded regions"):
        read_regions(bench.folder)


@pytest.mark.parametrize("compiler", ["g++", str(CLANG)])
def test_exceptions_within_a_region(bench: Bench, programs: Path, compiler: str) -> None:
    options = ["-lstdc++"] if compiler == CLANG else []
    program = compiled(compiler, "exceptions.cpp", programs / f"exceptions-{compiler}", *options)
    assert bench.run(program) == "12\n"
    (thrown,) = bench.regions().values()
    assert counts(thrown) == (6, 6, 2, 12)
    assert (thrown.barriers, thrown.locks) == (12, 12)


def test_fortran(bench: Bench, programs: Path) -> None:
    program = compiled("gfortran", "regions.f90", programs / "fortran", "-J", str(programs))
    assert bench.run(program).split() == ["25250", "2"]
    found = bench.regions()
    assert counts(found["swept_"]) == (5, 5, 2, 10)
    assert (uses(found["swept_"]), found["swept_"].chunk) == ({DYNAMIC}, 4)
    assert counts(found["locked_"]) == (1, 1, 2, 2)
    assert found["locked_"].locks == 2


def test_libraries_that_bring_their_own_libgomp(bench: Bench, programs: Path) -> None:
    # As Python packages do: each in its own scope, under a name of its own. The program itself has no OpenMP.
    assert GCC is not None
    late = programs / "late"
    if not late.is_file():
        subprocess.run([GCC, *STRICT, "-o", late, HERE / "late.c", "-ldl"], check=True)
    libgomp = subprocess.run([GCC, "-print-file-name=libgomp.so.1"], capture_output=True, text=True, check=True).stdout
    libraries = []
    for name in (b"libgomp.so.8", b"libgomp.so.9"):
        folder = programs / name.decode()
        folder.mkdir(exist_ok=True)
        made = folder / "libwork.so"
        options = [*STRICT, "-fPIC", "-fopenmp", "-shared", f"-Wl,-rpath,{folder}"]
        subprocess.run([GCC, *options, "-o", made, HERE / "work.c"], check=True)
        # A name of the same length takes the place of the one that the library has, and of the one that is wanted.
        for file, to in ((made, made), (Path(libgomp.strip()), folder / name.decode())):
            to.write_bytes(file.read_bytes().replace(b"libgomp.so.1", name))
        libraries.append(made)
    assert bench.run(late, *libraries) == "21\n21\n"
    found = total(read_regions(bench.folder))
    assert [counts(figures) for figures in found.of.values()] == [(1, 1, 2, 2)] * 2
    assert all(figures.locks == figures.barriers == 2 for figures in found.of.values())


def test_packages_of_python_that_bring_their_own_libgomp(bench: Bench) -> None:
    if find_spec("diptest") is None or find_spec("pyfftw") is None:
        pytest.skip("diptest and pyFFTW are not installed: the extra 'peers'")
    program = (
        "import numpy, diptest, pyfftw\n"
        "diptest.diptest(numpy.arange(99.0) ** 2, n_threads=2, boot_pval=True, n_boot=20)\n"
        "a = pyfftw.empty_aligned((64, 64), dtype='complex128')\n"
        "plan = pyfftw.FFTW(a, a.copy(), axes=(0, 1), threads=2, flags=('FFTW_ESTIMATE',))\n"
        "a[:] = 1\n"
        "print(abs(plan()[0, 0]))\n"
    )
    assert bench.run(sys.executable, "-c", program) == "4096.0\n"
    files = {Path(site.file).name.split(".")[0].split("-")[0] for site in total(read_regions(bench.folder)).of}
    assert files == {"_diptest_core", "libfftw3_omp"}


def test_programs_without_openmp_have_no_region(bench: Bench) -> None:
    bench.run("/bin/true")
    assert read_regions(bench.folder) == []


def test_a_folder_that_is_gone_disturbs_nobody(bench: Bench, program: Path) -> None:
    bench.folder.rmdir()
    assert bench.run(program, "skew") == "2\n"


def test_a_library_that_is_not_built_is_told(tmp_path: Path) -> None:
    assert "libopenmp_regions.so is not built: 'rooftop build'" in (missing(tmp_path) or "")
    (tmp_path / "native").mkdir()
    library(tmp_path).touch()
    assert missing(tmp_path) is None
