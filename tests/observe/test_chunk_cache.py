"""What a library that is loaded before programs of HDF5 sees of their chunks, and the caches that it gives them."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from rooftop.command.environment import own_environment
from rooftop.command.process import Limits, run
from rooftop.launchers import named
from rooftop.launchers.team import Team
from rooftop.observe.chunk_cache import ChunkReads, Reads, larger, library, missing, read_chunks, variables

ROOT = Path(__file__).parents[2]
HERE = Path(__file__).parent / "hdf5"
NATIVE = ROOT / "native"
SOURCES = [
    *(NATIVE / "chunk_cache").glob("*.c"),
    *(NATIVE / "preload" / one for one in ("processes.c", "scope.c")),
]
GCC = shutil.which("gcc")
H5CC = next((one for one in ("h5cc", "h5pcc") if shutil.which(one)), None)
STRICT = ["-std=gnu11", "-O2", "-Wall", "-Wextra", "-Werror"]
CHUNK, ROWS = 65536, 64
INDEX = 2  # reads of the index of chunks, at most, each time that the dataset is opened
SUM = "2260672\n"  # of all values of rows.c

pytestmark = pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")


class Bench:
    """Runs programs with the library. `before`: what must be loaded even before it."""

    def __init__(self, library: Path, folder: Path, before: list[str]) -> None:
        self._library, self.folder, self._before = library, folder, before

    def run(self, *words: str | Path, cache: tuple[int, int] | None = None) -> str:
        """Return what a program prints. `cache`: bytes and slots that it gets; without, its reads are told."""
        given = dict(os.environ) | {"ASAN_OPTIONS": "detect_leaks=0"}
        more = variables(self._library, self.folder, given)
        if cache is not None:
            more = larger(self._library, *cache, given)
        given |= more | {"LD_PRELOAD": ":".join([*self._before, more["LD_PRELOAD"]])}
        done = subprocess.run(words, env=given, capture_output=True, text=True, check=False, timeout=60)
        assert (done.returncode, "rooftop:" in done.stderr) == (0, False), done
        return done.stdout

    def reads(self) -> Reads:
        """Return what the only process that read told of the only dataset."""
        (process,) = read_chunks(self.folder)
        (reads,) = process.of.values()
        return reads


@pytest.fixture(scope="module", name="built", params=["as built", "with sanitizers"])
def built_fixture(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return the library and what must be loaded before it."""
    assert GCC is not None
    made = tmp_path_factory.mktemp("chunks") / "libchunk_cache.so"
    checked = request.param != "as built"
    options = ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"] if checked else []
    shared = ["-fPIC", "-shared", "-fvisibility=hidden"]
    words: list[str | Path] = [GCC, *STRICT, *options, *shared, "-o", str(made), *map(str, SOURCES), "-pthread", "-ldl"]
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


@pytest.fixture(name="file")
def file_fixture(tmp_path: Path) -> Path:
    """Return a file that is there: where HDF5 tells that one is missing, gcc's sanitizers let glibc lock its locale."""
    made = tmp_path / "rows.h5"
    made.touch()
    return made


@pytest.fixture(scope="module", name="rows")
def rows_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if H5CC is None:
        pytest.skip("no compiler for HDF5: install libhdf5-dev or libhdf5-mpi-dev")
    folder = tmp_path_factory.mktemp("rows")
    words: list[str | Path] = [H5CC, "-shlib", "-O2", "-Wall", "-Wextra", "-o", "rows", HERE / "rows.c"]
    done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return folder / "rows"


def test_each_row_decodes_its_chunks_again(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "file", "2")
    (process,) = read_chunks(bench.folder)
    ((name, reads),) = process.of.items()
    assert name == ("/matrix", str(file))
    assert (reads.opens, reads.calls) == (1, 2 * ROWS)
    assert 4 <= reads.most_pieces <= 4 + INDEX
    assert 2 * ROWS * 4 <= reads.pieces <= 2 * ROWS * 4 + INDEX
    assert 8 <= reads.first_pieces <= 8 + INDEX
    assert (reads.chunk_bytes, reads.chunks, reads.filters) == (CHUNK, 8, 1)
    assert (reads.cache_bytes, reads.cache_slots) == (70000, 101)
    assert reads.first_bytes * ROWS / 2 < reads.bytes <= reads.first_bytes * ROWS  # 32 rows take a chunk, each twice
    assert reads.ns > 0
    assert not process.refused
    assert not process.lost


def test_a_cache_that_holds_them_decodes_each_once(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "large", "2")
    assert 8 <= bench.reads().pieces == bench.reads().first_pieces <= 8 + INDEX


def test_a_dataset_that_is_reopened(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "reopened")
    reads = bench.reads()
    assert (reads.opens, reads.calls) == (ROWS, ROWS)
    assert ROWS * 4 <= reads.pieces <= ROWS * (4 + INDEX)
    assert 8 <= reads.first_pieces <= 8 + INDEX


def test_chunks_without_filters(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "plain")
    assert bench.reads().filters == 0


def test_a_contiguous_dataset_is_not_told(bench: Bench, rows: Path, file: Path) -> None:
    assert bench.run(rows, file, "contiguous").startswith(SUM)
    assert read_chunks(bench.folder) == []


def test_a_child_tells_of_its_own_reads(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "forks")
    told = [next(iter(one.of.values())) for one in read_chunks(bench.folder)]
    child, parent = sorted(told, key=lambda one: one.calls)
    assert (child.calls, child.pieces, child.first_pieces) == (1, 4, 4)  # the index was read before
    assert parent.calls == ROWS
    assert ROWS * 4 <= parent.pieces <= ROWS * 4 + INDEX
    assert 8 <= parent.first_pieces <= 8 + INDEX


@pytest.mark.parametrize(
    ("how", "own"),
    [
        ("file", "70000 101 0.5"),
        ("dataset", "80000 103 0.25"),
        ("default", "1048576 521 0.75"),
        ("large", "1073741824 101 0.5"),
        ("created", "70000 101 0.5"),
        ("inherits", "1073741824 101 0.5"),
    ],
)
def test_caches_are_made_larger_and_never_smaller(bench: Bench, rows: Path, file: Path, how: str, own: str) -> None:
    own_bytes, own_slots, preemption = own.split()
    created = f"created {own}\n" if how == "created" else ""
    assert (
        subprocess.run([rows, file, how], capture_output=True, text=True, check=True).stdout == f"{created}{SUM}{own}\n"
    )
    for cache in ((4 << 20, 1009), (4 << 20, 7), (1000, 1009), (1, 1)):
        now = f"{max(int(own_bytes), cache[0])} {max(int(own_slots), cache[1])} {preemption}"
        created = f"created {now}\n" if how == "created" else ""
        assert bench.run(rows, file, how, cache=cache) == f"{created}{SUM}{now}\n"


def test_a_file_that_is_made_anew_has_nothing_that_was_read_before(bench: Bench, rows: Path, file: Path) -> None:
    bench.run(rows, file, "steps", "3")
    reads = bench.reads()
    assert (reads.opens, reads.calls) == (3, 3 * ROWS)
    assert reads.pieces == reads.first_pieces >= 3 * 8
    assert reads.bytes == reads.first_bytes


@pytest.mark.parametrize(("how", "name"), [("group", "/matrix"), ("reference", "")])
def test_names_are_told_of_what_was_opened_by_a_path(bench: Bench, rows: Path, file: Path, how: str, name: str) -> None:
    bench.run(rows, file, how)
    (process,) = read_chunks(bench.folder)
    assert list(process.of) == [(name, str(file))]


def test_what_is_no_dataset_fails_once(bench: Bench, rows: Path, file: Path) -> None:
    assert bench.run(rows, file, "others") == "2\n"
    assert read_chunks(bench.folder) == []


def test_without_a_word_for_it_nothing_changes(bench: Bench, rows: Path, file: Path) -> None:
    assert bench.run(rows, file, "file") == f"{SUM}70000 101 0.5\n"


def test_what_hdf5_tells_of_a_failure_stays(bench: Bench, rows: Path) -> None:
    for cache in (None, (1 << 30, 1009)):
        assert bench.run(rows, HERE / "rows.c", "fails", cache=cache) == "0 1\n"


def test_versions_before_1_10_are_refused_and_work(bench: Bench, tmp_path: Path) -> None:
    assert GCC is not None
    words: list[str | Path] = [GCC, *STRICT, "-fPIC", "-shared", "-o", tmp_path / "libhdf5.so", HERE / "version_1_8.c"]
    subprocess.run(words, check=True)
    words = [
        GCC,
        *STRICT,
        "-o",
        tmp_path / "old",
        HERE / "calls_version_1_8.c",
        f"-L{tmp_path}",
        f"-Wl,-rpath,{tmp_path}",
    ]
    subprocess.run([*words, "-lhdf5"], check=True)
    printed = "-5 6 -9 42 7ffffff1 7\n"
    assert bench.run(tmp_path / "old", cache=(1 << 30, 1009)) == printed
    assert bench.run(tmp_path / "old") == printed
    assert read_chunks(bench.folder) == [ChunkReads(refused=("1.8.16",))]


PROGRAM = """
import sys
import h5py
import numpy
with h5py.File(sys.argv[1], "w") as file:
    values = numpy.arange(65536.0).reshape(64, 1024)
    file.create_dataset("group/rows", data=values, chunks=(32, 256), compression="gzip")
with h5py.File(sys.argv[1], "r", rdcc_nbytes=70000, rdcc_nslots=101) as file:
    rows = file["group/rows"]
    print(sum(float(rows[row].sum()) for row in range(64)))
    print(*rows.id.get_access_plist().get_chunk_cache())
try:
    h5py.File(__import__("os").__file__, "r")
except OSError as error:
    print("signature" in str(error))
"""


def test_a_package_of_python_that_brings_its_own_hdf5(bench: Bench, file: Path) -> None:
    if find_spec("h5py") is None:
        pytest.skip("h5py is not installed")
    words = (sys.executable, "-c", PROGRAM, file)
    assert bench.run(*words, cache=(4 << 20, 1009)) == "2147450880.0\n1009 4194304 0.75\nTrue\n"
    assert bench.run(*words) == "2147450880.0\n101 70000 0.75\nTrue\n"
    (process,) = read_chunks(bench.folder)
    assert list(process.of) == [("/group/rows", str(file))]
    reads = bench.reads()
    assert (reads.calls, reads.chunk_bytes) == (ROWS, CHUNK)
    assert ROWS * 4 <= reads.pieces <= ROWS * 4 + INDEX
    assert 8 <= reads.first_pieces <= 8 + INDEX


def test_one_rank_reads_where_metadata_are_read_by_all(built: tuple[Path, list[str]], tmp_path: Path) -> None:
    if shutil.which("h5pcc") is None or named("openmpi").missing() is not None:
        pytest.skip("no parallel HDF5: install libhdf5-openmpi-dev")
    if built[1]:
        pytest.skip("a launcher is not run below sanitizers")
    program, folder = tmp_path / "reads", tmp_path / "told"
    folder.mkdir()
    words = ["h5pcc", "-shlib", "-O2", "-Wall", "-Wextra", "-o", program.name, str(HERE / "one_rank_reads.c")]
    subprocess.run(words, cwd=tmp_path, capture_output=True, check=True)
    launch = named("openmpi").started([str(program), str(tmp_path / "matrix.h5")], {}, Team(ranks=2), None)
    given = own_environment(launch.environment)
    more = variables(built[0], folder, given)
    done = run(launch.words, Limits(60.0), environment={**given, **more}, capture="last")
    assert (done.status, done.output) == (0, b"65536\n"), done.said
    (process,) = read_chunks(folder)
    ((name, reads),) = process.of.items()
    assert (name[0], reads.calls, reads.chunks) == ("/matrix", 1, 64 * 64)


def test_programs_without_hdf5_tell_nothing(bench: Bench) -> None:
    bench.run("/bin/true")
    assert read_chunks(bench.folder) == []


def test_a_library_that_is_not_built_is_missing(tmp_path: Path) -> None:
    assert "is not built" in str(missing(tmp_path))
    library(tmp_path).parent.mkdir()
    library(tmp_path).touch()
    assert missing(tmp_path) is None
