"""What a library that is loaded before programs counts of their calls, where the programs know the number."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rooftop.observe.call_counts import (
    ALLOCATIONS,
    READS,
    CallCounts,
    Calls,
    by_program,
    library,
    missing,
    read_counts,
    read_process,
    variables,
    why_silent,
)

ROOT = Path(__file__).parents[2]
SOURCES = [*(ROOT / "native" / "call_counts").glob("*.c"), ROOT / "native" / "preload" / "processes.c"]
CC = shutil.which("cc")
STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]

needs_cc = pytest.mark.skipif(CC is None or not sys.platform.startswith("linux"), reason="no C compiler: install gcc")


@pytest.fixture(scope="module", name="build")
def build_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a build folder with the library, and the program beside it: as it is, checked by its headers, static."""
    assert CC is not None
    folder = tmp_path_factory.mktemp("calls")
    (folder / "native").mkdir()
    made = [*STRICT, "-U_FORTIFY_SOURCE", "-fno-builtin", "-fPIC", "-shared", "-fvisibility=hidden"]
    words: list[str | Path] = [CC, *made, "-o", library(folder), *SOURCES, "-pthread", "-ldl"]
    subprocess.run(words, check=True)
    source = Path(__file__).parent / "calls.c"
    kinds = {"calls": ["-U_FORTIFY_SOURCE"], "checked": ["-U_FORTIFY_SOURCE", "-D_FORTIFY_SOURCE=2"]}
    for name, options in kinds.items():
        words = [CC, *STRICT, "-fno-builtin", *options, "-o", folder / name, source, "-pthread"]
        subprocess.run(words, check=True)
    return folder


class Bench:
    """Runs programs with the library."""

    def __init__(self, build: Path, folder: Path) -> None:
        self.build = build
        self.folder = folder

    def run(
        self, *words: str | Path, folder: Path | None = None, status: int = 0
    ) -> subprocess.CompletedProcess[bytes]:
        """Run a program to its end, whose exit code must be `status`; it prints nothing that it would not print."""
        place = folder or self.folder
        place.mkdir(exist_ok=True)
        known = os.environ | {"LC_ALL": "C"}
        given = known | variables(library(self.build), place, known)
        done = subprocess.run(words, env=given, capture_output=True, check=False, timeout=120)
        assert done.returncode == status, done
        return done

    def counts(self, *words: str | Path) -> CallCounts:
        """Return the counts of a program, which has one process and says nothing on its standard error."""
        place = self.folder / str(len(list(self.folder.iterdir())))
        assert self.run(*words, folder=place).stderr == b""
        counts = read_counts(place)
        assert counts.processes == 1
        return counts


@pytest.fixture(name="bench")
def bench_fixture(build: Path, tmp_path: Path) -> Bench:
    folder = tmp_path / "counts"
    folder.mkdir()
    return Bench(build, folder)


def expected(printed: bytes) -> dict[tuple[str, int], tuple[int, int] | int]:
    """Return what the program prints that it called."""
    found: dict[tuple[str, int], tuple[int, int] | int] = {}
    for line in printed.decode().splitlines():
        name, first, second = line.split()
        if name == "sizes":
            found[name, int(first)] = int(second)
        else:
            found[name, 0] = (int(first), int(second))
    return found


def got(counts: CallCounts, wanted: dict[tuple[str, int], tuple[int, int] | int]) -> dict[tuple[str, int], object]:
    """Return the same of what was counted."""
    return {
        (name, power): counts.sizes.get(power, 0)
        if name == "sizes"
        else (counts.calls(name).calls, counts.calls(name).bytes)
        for name, power in wanted
    }


def same_as_printed(bench: Bench, *words: str | Path) -> CallCounts:
    printed = expected(bench.run(*words).stdout)
    assert printed
    counts = read_counts(bench.folder)
    assert got(counts, printed) == printed
    return counts


@needs_cc
def test_allocations_are_counted_exactly(bench: Bench) -> None:
    few = bench.counts(bench.build / "calls", "allocate", "1000", "3000")
    many = bench.counts(bench.build / "calls", "allocate", "5000", "3000")
    assert many.calls("malloc").calls - few.calls("malloc").calls == 4000
    assert many.calls("malloc").bytes - few.calls("malloc").bytes == 4000 * 3000
    assert many.calls("free").calls - few.calls("free").calls == 4000
    assert (few.sizes[11], many.sizes[11]) == (1000, 5000)
    assert many.median_allocation() == (2048, 4096)
    assert many.allocations_per_s(0.5) == 2 * many.allocations.calls
    assert few.reads.calls == few.writes.calls == 0


@needs_cc
@pytest.mark.parametrize("program", ["calls", "checked"])
def test_each_allocating_function_counts_once(bench: Bench, program: str) -> None:
    same_as_printed(bench, bench.build / program, "allocate-each")


@needs_cc
@pytest.mark.parametrize("program", ["calls", "checked"])
def test_transfers_are_counted_exactly(bench: Bench, tmp_path: Path, program: str) -> None:
    counts = same_as_printed(bench, bench.build / program, "transfer", tmp_path / "data", "200", "512")
    assert counts.reads == counts.calls("read", "pread", "readv", "fread")
    assert counts.input_output.ns > counts.calls("write").ns > 0
    assert counts.calls("pwrite").mean_bytes == 512.0
    assert counts.calls(*ALLOCATIONS).ns == 0


@needs_cc
@pytest.mark.parametrize("threads", [7, 1100])  # more than the library has blocks for
def test_threads_lose_no_call(bench: Bench, threads: int) -> None:
    words: list[str | Path] = [bench.build / "calls", "threads", str(threads), "50"]
    plain = subprocess.run(words, capture_output=True, check=False, timeout=120)
    if plain.returncode == 77:
        pytest.skip(f"this machine does not let a process have {threads} threads")
    same_as_printed(bench, *words)


@needs_cc
def test_children_and_replaced_programs_count_for_themselves(bench: Bench) -> None:
    bench.run(bench.build / "calls", "fork")
    files = sorted(bench.folder.iterdir())
    sizes = [
        {power: calls for power, calls in read_process(one.read_text()).sizes.items() if power > 15} for one in files
    ]
    assert sorted(sizes, key=str) == [{16: 10}, {17: 20}, {18: 30}, {19: 40}, {20: 50}]
    assert set(by_program(bench.folder)) == {"calls"}


@needs_cc
def test_a_child_with_its_parents_memory_writes_nothing_of_it(bench: Bench) -> None:
    bench.run(bench.build / "calls", "vfork")
    counts = read_counts(bench.folder)
    assert counts.processes == 2
    assert {power: calls for power, calls in counts.sizes.items() if power > 15} == {16: 10, 19: 40}


@needs_cc
def test_a_program_that_could_not_be_replaced_counts_on(bench: Bench) -> None:
    assert bench.counts(bench.build / "calls", "not-replaced").sizes[16] == 20


@needs_cc
def test_lists_of_words_arrive(bench: Bench) -> None:
    assert bench.run(bench.build / "calls", "list").stdout == b"zero first one two\n"


@needs_cc
@pytest.mark.parametrize(
    ("what", "status", "sizes"),
    [
        ("closed", 5, {16: 10}),
        ("quick", 0, {16: 10}),
        ("late", 0, {16: 3, 17: 4}),
        ("left-alone", 0, {16: 100, 17: 11}),
    ],
)
def test_programs_that_end_in_other_ways(bench: Bench, what: str, status: int, sizes: dict[int, int]) -> None:
    done = bench.run(bench.build / "calls", what, status=status)
    assert (done.stdout, done.stderr) == (b"", b"")
    assert {power: calls for power, calls in read_counts(bench.folder).sizes.items() if power > 15} == sizes


@needs_cc
def test_new_is_an_allocation(bench: Bench, tmp_path: Path) -> None:
    if (compiler := shutil.which("c++")) is None:
        pytest.skip("no C++ compiler: install g++")
    source = tmp_path / "new.cpp"
    source.write_text(
        "#include <new>\nint main() { for (int i = 0; i < 9; ++i) operator delete(operator new(200001)); }\n"
    )
    subprocess.run([compiler, "-O2", "-o", tmp_path / "new", source], check=True)
    assert bench.counts(tmp_path / "new").sizes[17] == 9


@needs_cc
@pytest.mark.parametrize(("what", "status"), [("crash", -signal.SIGSEGV), ("limited", 0)])
def test_programs_that_cannot_tell_are_not_disturbed(bench: Bench, what: str, status: int) -> None:
    done = bench.run(bench.build / "calls", what, status=status)
    assert (done.stdout, done.stderr) == (b"", b"")
    with pytest.raises(ValueError, match="no process told its calls"):
        read_counts(bench.folder)


@needs_cc
def test_a_folder_that_is_gone_disturbs_nobody(bench: Bench) -> None:
    known = os.environ | variables(library(bench.build), bench.folder / "gone", os.environ)
    done = subprocess.run([bench.build / "calls", "allocate", "3", "3"], env=known, capture_output=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


@needs_cc
def test_python_reads(bench: Bench, tmp_path: Path) -> None:
    (tmp_path / "data").write_bytes(bytes(10000))
    program = "import os, sys; f = os.open(sys.argv[1], os.O_RDONLY); [os.read(f, 10) for _ in range(int(sys.argv[2]))]"
    few, many = (
        bench.counts(sys.executable, "-I", "-c", program, tmp_path / "data", number) for number in ("100", "600")
    )
    assert many.reads.calls - few.reads.calls == 500
    assert many.reads.bytes - few.reads.bytes == 5000
    assert many.allocations.calls > 0


@needs_cc
def test_processes_of_a_shell_are_added_up(bench: Bench) -> None:
    bench.run("/bin/sh", "-c", "dd if=/dev/zero of=/dev/null bs=1 count=500; dd if=/dev/zero bs=7 count=50 | wc -c")
    counts = by_program(bench.folder)["dd"]
    assert counts.processes == 2
    assert (counts.calls(*READS).calls, counts.reads.bytes) == (550, 850)
    assert (counts.writes.bytes, counts.writes.calls) >= (850, 550)  # and what it says on its standard error
    assert counts.reads.mean_bytes == pytest.approx(850 / 550)


@needs_cc
def test_an_allocator_that_is_loaded_too_does_its_work(bench: Bench, tmp_path: Path) -> None:
    assert CC is not None
    other = tmp_path / "libother.so"
    source = tmp_path / "other.c"
    source.write_text(
        "#include <stddef.h>\n#include <unistd.h>\nextern void* __libc_malloc(size_t);\n"
        'void* malloc(size_t size) { if (size == 70001) write(1, "x", 1); return __libc_malloc(size); }\n'
    )
    subprocess.run([CC, "-O2", "-fPIC", "-shared", "-fno-builtin", "-o", other, source], check=True)
    known = os.environ | {"LD_PRELOAD": str(other)}
    given = known | variables(library(bench.build), bench.folder, known)
    words: list[str | Path] = [bench.build / "calls", "allocate", "5", "70001"]
    assert subprocess.run(words, env=given, capture_output=True, check=True).stdout == b"xxxxx"
    counts = read_counts(bench.folder)
    assert counts.sizes[16] == 5
    assert counts.writes == Calls(5, 5, counts.writes.ns)


@needs_cc
def test_looking_for_the_allocator_may_allocate(bench: Bench, tmp_path: Path) -> None:
    # As dlsym of older C libraries does. Those calls come before there is an allocator to call.
    assert CC is not None
    source = Path(__file__).parent / "allocating_dlsym.c"
    other = tmp_path / "libother.so"
    subprocess.run([CC, "-O2", "-fPIC", "-shared", "-fno-builtin", "-o", other, source, "-ldl"], check=True)
    known = os.environ | {"LD_PRELOAD": str(other)}
    given = known | variables(library(bench.build), bench.folder, known)
    done = subprocess.run(
        [bench.build / "calls", "allocate", "5", "70001"], env=given, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    counts = read_counts(bench.folder)
    assert counts.sizes[16] == 5
    assert counts.calls("calloc").calls > 20


@needs_cc
def test_static_programs_are_named(tmp_path: Path) -> None:
    assert CC is not None
    source = tmp_path / "nothing.c"
    source.write_text("int main(void) { return 0; }\n")
    for name, options in {"static": ["-static"], "linked": []}.items():
        if subprocess.run([CC, *options, "-o", tmp_path / name, source], capture_output=True, check=False).returncode:
            pytest.skip("nothing can be linked statically here: install libc6-dev")
    assert f"{tmp_path / 'static'} is linked statically" in (why_silent(str(tmp_path / "static"), {}) or "")
    assert why_silent(str(tmp_path / "linked"), {}) is None
    assert why_silent("static", {"PATH": str(tmp_path)}) is not None


def test_setuid_programs_are_named(tmp_path: Path) -> None:
    program = tmp_path / "program"
    shutil.copy(sys.executable, program)
    program.chmod(0o4755)
    assert why_silent(str(program), {}) is None  # its owner's rights are those that it has anyway
    if os.geteuid() == 0:
        os.chown(program, 1, 0)
        program.chmod(0o4755)
        assert "runs with another's rights (setuid or setgid)" in (why_silent(str(program), {}) or "")


def test_what_is_no_program_has_no_reason(tmp_path: Path) -> None:
    (tmp_path / "script").write_text("#!/bin/sh\n")
    (tmp_path / "cut").write_bytes(b"\x7fELF\x02")
    (tmp_path / "far").write_bytes(b"\x7fELF\x02" + b"\xff" * 90)
    for word in (
        *(str(tmp_path / name) for name in ("script", "cut", "far")),
        str(tmp_path),
        "no-such-program",
        "a\0b",
    ):
        assert why_silent(word, {"PATH": str(tmp_path)}) is None


def test_a_library_that_is_not_built_is_told(tmp_path: Path) -> None:
    assert "libcall_counts.so is not built: 'rooftop build'" in (missing(tmp_path) or "")
    (tmp_path / "native").mkdir()
    library(tmp_path).touch()
    assert missing(tmp_path) is None


def test_other_preloaded_libraries_stay(tmp_path: Path) -> None:
    given = variables(Path("/lib/calls.so"), tmp_path, {"LD_PRELOAD": "/lib/allocator.so"})
    assert given == {"LD_PRELOAD": "/lib/calls.so:/lib/allocator.so", "ROOFTOP_CALL_COUNTS": str(tmp_path.resolve())}
    with pytest.raises(ValueError, match="a folder for observations has a path of"):
        variables(Path("/lib/calls.so"), Path("/" + "/".join(["long"] * 700)), {})
