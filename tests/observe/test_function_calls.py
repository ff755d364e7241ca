"""What a library that is loaded before programs counts of their functions' calls, where the calls are known."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from rooftop.observe.function_calls import library, missing, read_calls, read_process, variables, why_not
from rooftop.observe.symbols import names_at

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "functions"
NATIVE = ROOT / "native"
GCC = shutil.which("gcc")
STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror", "-fPIC", "-fvisibility=hidden"]
GENERAL = ["-mgeneral-regs-only"] if platform.machine() == "x86_64" else []
CHECKED = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
OPTIONS = [("gcc", "-pg"), ("gcc", "-pg -no-pie"), ("gcc", "-finstrument-functions"), ("clang-16", "-pg")]
OPTIONS += [("gcc", "-pg -mfentry"), ("clang-16", "-pg -mfentry")] if platform.machine() == "x86_64" else []

pytestmark = pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")


def compiled(compiler: str, source: str, to: Path, *options: str) -> Path:
    """Compile a program of this folder; skip where the compiler is missing."""
    if shutil.which(compiler) is None:
        pytest.skip(f"no {compiler}: install it")
    warnings = [] if compiler == "gfortran" else ["-Wall", "-Wextra", "-Werror"]
    words = [compiler, "-O2", *warnings, *options, "-o", str(to), str(HERE / source), "-pthread"]
    done = subprocess.run(words, cwd=to.parent, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return to


class Bench:
    """Runs programs with the library. `before`: what must be loaded even before it."""

    def __init__(self, library: Path, folder: Path, before: list[str]) -> None:
        self._library, self.folder, self._before = library, folder, before

    def run(self, *words: str | Path, status: int = 0) -> str:
        """Return what a program prints, whose exit code must be `status` and which has nothing else to say."""
        known = os.environ | {"ASAN_OPTIONS": "detect_leaks=0"}
        given = known | variables(self._library, self.folder, known)
        given["LD_PRELOAD"] = ":".join([*self._before, given["LD_PRELOAD"]])
        done = subprocess.run(
            words, env=given, cwd=self.folder.parent, capture_output=True, text=True, check=False, timeout=60
        )
        assert (done.returncode, done.stderr) == (status, ""), done
        return done.stdout

    def calls(self) -> Counter[str]:
        """Return the calls of all processes by the function's first name."""
        found: Counter[str] = Counter()
        told = read_calls(self.folder)
        assert told.lost == 0
        for (file, address), calls in told.of.items():
            found[names_at(file, [address])[0][0]] += calls
        return found


@pytest.fixture(scope="module", name="built", params=["as built", "with sanitizers"])
def built_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the library and what must be loaded before it. What counts runs before sanitizers may: it has none."""
    assert GCC is not None
    folder = tmp_path_factory.mktemp("functions")
    made, counting = folder / "libfunction_calls.so", folder / "entries.o"
    checked = request.param != "as built"
    options = CHECKED if checked else []
    entries = str(NATIVE / "function_calls" / "entries.c")
    subprocess.run([GCC, *STRICT, *GENERAL, "-c", "-o", counting, entries], check=True)
    sources = [str(NATIVE / one) for one in ("function_calls/told.c", "preload/processes.c")]
    words = [GCC, *STRICT, *options, "-shared", "-o", str(made), *sources, str(counting), "-pthread", "-ldl"]
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


@pytest.fixture(scope="module", name="program")
def program_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled("gcc", "calls.c", tmp_path_factory.mktemp("program") / "calls", "-pg")


@pytest.mark.parametrize(("compiler", "options"), OPTIONS)
def test_calls_are_counted_and_arguments_arrive(bench: Bench, tmp_path: Path, compiler: str, options: str) -> None:
    program = compiled(compiler, "calls.c", tmp_path / "calls", *options.split())
    plain = compiled(compiler, "calls.c", tmp_path / "plain")
    assert bench.run(program, "arguments", "1234") == bench.run(plain, "arguments", "1234")
    assert bench.calls() == {"main": 1, "weighted": 1234, "sum_of": 1234, "swapped": 1234}
    assert not (tmp_path / "gmon.out").exists()
    assert why_not([tmp_path / "gone", program]) is None
    assert (why_not([plain]) or "").startswith("the program was not built for it")


@pytest.mark.parametrize("threads", [3, 70])  # more than there are tables
def test_threads_lose_no_call(bench: Bench, program: Path, threads: int) -> None:
    bench.run(program, "threads", "5000", str(threads))
    assert bench.calls() == {"main": 1, "work": threads, "twice": 5000 * threads}


def test_children_and_replaced_programs_count_for_themselves(bench: Bench, program: Path) -> None:
    bench.run(program, "children", "100")
    told = sorted(sum(read_process(one.read_text()).of.values()) for one in bench.folder.iterdir())
    assert told == [5, 1 + 3 * 7, 1 + 1 + 100]
    assert read_calls(bench.folder).processes == 3


@pytest.mark.parametrize(("how", "status", "twice"), [("left", 3, 40), ("not replaced", 0, 80)])
def test_programs_that_end_in_other_ways(bench: Bench, program: Path, how: str, status: int, twice: int) -> None:
    bench.run(program, how, "40", status=status)
    assert bench.calls() == {"main": 1, "work": twice // 40, "twice": twice}


def test_handlers_of_signals_count(bench: Bench, program: Path) -> None:
    assert bench.run(program, "signal") == "signal\n0\n"
    assert bench.calls() == {"main": 1, "handled": 1}


@pytest.mark.parametrize("options", ["-pg", "-pg -g -flto", "-finstrument-functions"])
def test_functions_of_cxx_have_names_without_parameters(bench: Bench, tmp_path: Path, options: str) -> None:
    bench.run(compiled("g++", "calls.cpp", tmp_path / "calls", *options.split()))
    found = bench.calls()
    wanted = {"main": 1, "grid::value": 20, "grid::halved<int>": 6, "grid::Cell::Cell": 3}
    assert {name: found[name] for name in wanted} == wanted


def test_functions_of_fortran(bench: Bench, tmp_path: Path) -> None:
    assert bench.run(compiled("gfortran", "calls.f90", tmp_path / "calls", "-pg", "-fno-inline")) == " 2.000\n"
    found = bench.calls()
    assert (found["__grid_MOD_step"], found["sweep_"]) == (400, 4)


def test_a_library_may_be_built_for_it_alone(bench: Bench, tmp_path: Path) -> None:
    assert GCC is not None
    (tmp_path / "own.c").write_text("int own(int x) { return x + 1; }\n")
    (tmp_path / "main.c").write_text("int own(int); int main(void) { return own(1) + own(2) - 5; }\n")
    subprocess.run([GCC, "-pg", "-shared", "-fPIC", "-o", "libown.so", "own.c"], cwd=tmp_path, check=True)
    linked = [GCC, "-o", "main", "main.c", "-L.", "-lown", "-Wl,-rpath,$ORIGIN"]
    subprocess.run(linked, cwd=tmp_path, check=True)
    bench.run(tmp_path / "main")
    assert bench.calls() == {"own": 2}
    assert why_not([tmp_path / "main", tmp_path / "libown.so"]) is None


LOADING = """\
#include <dlfcn.h>
int main(void) {
  for (int which = 0; which < 2; ++which) {
    void* library = dlopen(which == 0 ? "./libfirst.so" : "./libsecond.so", RTLD_NOW);
    int (*called)(int) = library != 0 ? (int (*)(int))dlsym(library, which == 0 ? "first" : "second") : 0;
    if (called == 0) return 1;
    for (int turn = 0; turn < (which == 0 ? 1000 : 2); ++turn) called(turn);
    if (which == 0 && dlclose(library) != 0) return 2;
  }
  return 0;
}
"""


def test_a_library_that_lies_where_another_was_has_its_own_calls(bench: Bench, tmp_path: Path) -> None:
    assert GCC is not None
    for name in ("first", "second"):
        (tmp_path / f"{name}.c").write_text(f"int {name}(int x);\nint {name}(int x) {{ return x + 1; }}\n")
        words = [GCC, "-O2", "-pg", "-shared", "-fPIC", "-o", f"lib{name}.so", f"{name}.c"]
        subprocess.run(words, cwd=tmp_path, check=True)
    (tmp_path / "main.c").write_text(LOADING)
    subprocess.run([GCC, "-O2", "-pg", "-o", "main", "main.c", "-ldl"], cwd=tmp_path, check=True)
    bench.run(tmp_path / "main")
    told = read_calls(bench.folder)
    assert told.lost == 1000
    assert {Path(file).name: calls for (file, _), calls in told.of.items()} == {"main": 1, "libsecond.so": 2}


def test_what_tells_nothing_is_said(bench: Bench, tmp_path: Path) -> None:
    bench.run("/bin/true")
    with pytest.raises(ValueError, match="no process told its calls"):
        read_calls(bench.folder)
    patched = compiled("gcc", "calls.c", tmp_path / "calls", "-fpatchable-function-entry=5")
    assert "-fpatchable-function-entry, whose entries call nothing of their own" in (why_not([patched]) or "")
    (tmp_path / "script").write_text("#!/bin/sh\n")
    assert "compile with -pg" in (why_not([tmp_path / "script", tmp_path]) or "")


def test_without_binutils_nothing_is_known(monkeypatch: pytest.MonkeyPatch, program: Path) -> None:
    monkeypatch.setenv("PATH", "")
    assert "nm is not installed" in (why_not([program]) or "")
    assert names_at(str(program), [5]) == [()]


def test_a_library_that_is_not_built_is_told(tmp_path: Path) -> None:
    assert "libfunction_calls.so is not built: 'rooftop build'" in (missing(tmp_path) or "")
    (tmp_path / "native").mkdir()
    library(tmp_path).touch()
    assert missing(tmp_path) is None
