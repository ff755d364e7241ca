"""What is suspected of HDF5's chunk caches, the cache that is tried, and the pass over a real program."""

from __future__ import annotations

import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from still_place import Place, Watching

from rooftop.campaign.bench import Bench
from rooftop.command.line import from_words
from rooftop.command.process import Limits
from rooftop.diagnose import cures
from rooftop.diagnose.chunk_cache import ChunkCache, better_cache
from rooftop.diagnose.chunk_facts import ChunkedDataset, ChunkFacts, chunk_facts
from rooftop.diagnose.cures import Start
from rooftop.diagnose.facts import CallFacts, Facts
from rooftop.diagnose.observed import seen
from rooftop.diagnose.passes import Here
from rooftop.diagnose.suspicions import suspicions
from rooftop.driver.replay import ReplayExecutor
from rooftop.observe import chunk_cache
from rooftop.observe.chunk_cache import ChunkReads, Reads
from rooftop.settings import Settings

MIB = 1 << 20
NATIVE = Path(__file__).parents[2] / "native"
GCC = shutil.which("gcc")


def dataset(**more: Any) -> ChunkedDataset:
    """Return a dataset of 64 chunks of 2 MiB, each of which was decoded ten times."""
    usual: dict[str, Any] = {
        "name": "/matrix",
        "file": "m.h5",
        "opens": 1,
        "calls": 160,
        "seconds": 8.0,
        "pieces": 640,
        "read_bytes": 640_000,
        "first_pieces": 64,
        "first_bytes": 64_000,
        "most_pieces": 4,
        "most_different": 64,
        "chunk_bytes": 2 * MIB,
        "chunks": 64,
        "filtered": True,
        "cache_bytes": MIB,
        "cache_slots": 521,
    }
    return ChunkedDataset(**{**usual, **more})


def facts(
    *datasets: ChunkedDataset,
    memory_bytes: int | None = 64 << 30,
    processes: int = 1,
    caches: int = 1,
    **more: Any,
) -> Facts:
    told = ChunkFacts(
        datasets=list(datasets), processes=processes, elapsed_s=10.0, memory_bytes=memory_bytes, caches=caches
    )
    usual: dict[str, Any] = {"cpus": 2, "levels": [0.0, 10.0], "user_s": 10.0, "system_s": 0.0, "faults": 0}
    return Facts(elapsed_s=10.0, threads=[], chunks=told, **{**usual, **more})


def better(*datasets: ChunkedDataset, **more: Any) -> ChunkCache | None:
    told = facts(*datasets, **more).chunks
    assert told is not None
    return better_cache(told)


def test_chunks_that_are_decoded_again() -> None:
    (found,) = suspicions(facts(dataset()))
    assert (found.name, found.cures, found.stands) == ("chunk cache", (cures.CHUNK_CACHE,), False)
    assert found.stake_s == pytest.approx(7.2)
    assert found.evidence == (
        "640 chunks decoded of /matrix in m.h5, of which 64 are different (64 in the file); a call takes up to 4, and "
        "a chunk has 2\u202fMiB: the cache has 1\u202fMiB; H5Dread takes 8 s of 10 s"
    )


def test_it_stands_in_place_of_repeated_reads() -> None:
    calls = CallFacts(
        allocations=0,
        allocated_bytes=0,
        reads=700,
        read_bytes=640 * MIB,
        writes=0,
        written_bytes=0,
        input_output_s=4.0,
        reread_bytes=576 * MIB,
    )
    reading: dict[str, Any] = {"calls": calls, "user_s": 6.0, "system_s": 4.0}
    assert [one.name for one in suspicions(facts(dataset(), **reading))] == ["chunk cache"]
    once = dataset(pieces=64, read_bytes=64_000)
    assert "repeated reads" in [one.name for one in suspicions(facts(once, **reading))]


@pytest.mark.parametrize(
    "once",
    [{"pieces": 64, "read_bytes": 64_000}, {"pieces": 100, "read_bytes": 100_000}, {"pieces": 0, "read_bytes": 0}],
)
def test_chunks_that_are_decoded_once_are_not_suspected(once: dict[str, int]) -> None:
    assert not suspicions(facts(dataset(**once)))
    assert not suspicions(facts())


def test_ranks_read_side_by_side() -> None:
    (found,) = suspicions(facts(dataset(), ranks=4, processes=4))
    assert found.stake_s == pytest.approx(1.8)
    (one_reads,) = suspicions(facts(dataset(), ranks=4, processes=1))
    assert one_reads.stake_s == pytest.approx(7.2)
    (children,) = suspicions(facts(dataset(), ranks=2, processes=8))
    assert children.stake_s == pytest.approx(3.6)


def test_a_dataset_that_is_reopened_has_no_cure_from_outside() -> None:
    (found,) = suspicions(facts(dataset(opens=160, cache_bytes=8 * MIB)))
    assert (found.cures, found.stands) == ((), True)
    assert "opened 160 times for 160 calls" in found.evidence
    assert "the cache has" not in found.evidence
    assert found.remedy.startswith("open the dataset once")


def test_a_cache_that_does_not_hold_one_call_saves_nothing_if_it_stays_open() -> None:
    whole = dataset(opens=2, calls=2, pieces=128, read_bytes=128_000, most_pieces=64)
    (found,) = suspicions(facts(whole))
    assert (found.cures, found.stands) == ((), True)
    assert "opened 2 times for 2 calls" in found.evidence
    assert "a call takes up to 64" in found.evidence
    assert found.remedy.startswith("keep what was read")
    # Reads of an index are beside those of chunks, of which there are no more than the dataset has.
    fits = whole.model_copy(update={"cache_bytes": 128 * MIB, "most_pieces": 70})
    (found,) = suspicions(facts(fits))
    assert found.remedy.startswith("open the dataset once")


def test_the_cache_holds_what_is_read_again() -> None:
    assert better(dataset()) == ChunkCache(128 * MIB, 6401)
    assert better(dataset(chunk_bytes=2 * MIB + 1)) == ChunkCache(256 * MIB, 6401)
    assert better(dataset(most_different=3, chunk_bytes=100)) is None  # 1 MiB, as before
    assert better(dataset(most_different=9, chunk_bytes=100)) == ChunkCache(MIB, 901)  # more slots
    assert better(dataset(chunks=16)) == ChunkCache(32 * MIB, 1601)  # some reads are not of chunks
    assert better(dataset(most_different=1 << 20, chunks=1 << 20, chunk_bytes=8)) == ChunkCache(8 * MIB, (1 << 20) | 1)
    assert better(dataset(cache_bytes=1 << 30, cache_slots=10007)) is None


def test_memory_limits_the_cache() -> None:
    large = dataset(most_different=1000, chunks=1000)
    assert better(large) == ChunkCache(1 << 30, 100_001)
    assert better(large, memory_bytes=4 << 30) == ChunkCache(512 * MIB, 100_001)
    assert better(large, memory_bytes=None) == ChunkCache(1 << 30, 100_001)
    assert better(large, memory_bytes=4 << 30, processes=4) == ChunkCache(128 * MIB, 100_001)
    assert better(large, dataset(name="/other")) == ChunkCache(512 * MIB, 100_001)
    assert better(large, caches=5) == ChunkCache(128 * MIB, 100_001)  # all datasets of a file get it
    assert better(large, dataset(name="/other"), caches=1) == ChunkCache(512 * MIB, 100_001)
    assert better(large, memory_bytes=32 * MIB) is None  # 4 MiB: what one call takes does not fit


def test_what_the_program_has_already_is_no_cure(tmp_path: Path) -> None:
    start = Start(("a",), {"LD_PRELOAD": "libown.so"}, build_folder=tmp_path)
    (cure,) = cures.cures([cures.CHUNK_CACHE], start, facts(dataset()), ())
    library = chunk_cache.library(tmp_path)
    assert cure.environment == {"LD_PRELOAD": f"{library}:libown.so", "ROOFTOP_CHUNK_CACHE": f"{128 * MIB}:6401"}
    assert cure.line.startswith(f"h5py.File(…, rdcc_nbytes={128 * MIB}, rdcc_nslots=6401); in C H5Pset_chunk_cache(")
    assert "which the cure does not need" in cure.line
    assert not cures.cures([cures.CHUNK_CACHE], Start(("a",), {}), facts(dataset()), ())
    assert not cures.cures([cures.CHUNK_CACHE], start, facts(dataset(opens=160)), ())


def test_processes_are_added_up() -> None:
    one = Reads(1, 10, 10**9, 40, 400, 4, 40, 4, 100, 8, 1, 1000, 521)
    other = Reads(2, 20, 10**9, 20, 200, 8, 80, 2, 100, 8, 1, 900, 101)
    told = [
        ChunkReads({("/a", "/x/m.h5"): one}),
        ChunkReads({("/a", "/x/m.h5"): other}),
        ChunkReads(refused=("1.8.16",)),
    ]
    found = chunk_facts(told, 5.0, None)
    assert found.processes == 2
    (same,) = found.datasets
    assert (same.name, same.file, same.opens, same.calls, same.seconds) == ("/a", "m.h5", 3, 30, 2.0)
    assert (same.pieces, same.first_pieces, same.most_pieces, same.most_different) == (60, 12, 4, 8)
    assert (same.cache_bytes, same.cache_slots) == (900, 101)
    assert same.again_s == pytest.approx(1.6)


def test_all_datasets_have_caches() -> None:
    one = Reads(1, 10, 10**9, 40, 400, 4, 40, 4, 100, 8, 1, 1000, 521)
    many = ChunkReads({(f"/{place}", "m.h5"): one for place in range(20)}, lost=3)
    found = chunk_facts([many, ChunkReads({("/0", "m.h5"): one, ("/0", "n.h5"): one}, lost=1)], 5.0, None)
    assert len(found.datasets) == 8
    assert found.caches == 21 + 4


PROGRAM = """
import sys
import h5py
import numpy
with h5py.File(sys.argv[1], "w") as file:
    data = numpy.arange(2.0**18).reshape(512, 512) % 1000
    file.create_dataset("rows", data=data, chunks=(256, 256), compression="gzip")
with h5py.File(sys.argv[1], "r", rdcc_nbytes=70000) as file:
    rows = file["rows"]
    print(sum(float(rows[row].sum()) for row in range(512)))
"""


def here(settings: Settings, build: Path) -> Here:
    bench = Bench(replace(settings, build=build), Place(), Watching(), ReplayExecutor({}))
    return Here(bench, None, "null")


@pytest.mark.skipif(GCC is None or not sys.platform.startswith("linux"), reason="no gcc: install gcc")
def test_the_pass_sees_a_program(settings: Settings, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    assert GCC is not None
    made = chunk_cache.library(tmp_path)
    made.parent.mkdir()
    sources = [
        *(NATIVE / "chunk_cache").glob("*.c"),
        NATIVE / "preload" / "processes.c",
        NATIVE / "preload" / "scope.c",
    ]
    shared = ["-std=gnu11", "-O2", "-fPIC", "-shared", "-fvisibility=hidden"]
    subprocess.run([GCC, *shared, "-o", made, *sources, "-pthread", "-ldl"], check=True)
    command = from_words([sys.executable, "-c", PROGRAM, str(tmp_path / "rows.h5")])
    observed = here(settings, tmp_path).observe(command, Limits())
    assert "chunks of HDF5" in [one.name for one in observed.passes]
    told = seen(observed).chunks
    assert told is not None
    (rows,) = told.datasets
    assert (rows.name, rows.file, rows.calls) == ("/rows", "rows.h5", 512)
    index = 2  # reads of the index of chunks, at most
    assert 1024 <= rows.pieces <= 1024 + index
    assert 4 <= rows.first_pieces <= 4 + index


def test_a_library_that_is_not_built_is_missing(settings: Settings, tmp_path: Path) -> None:
    pytest.importorskip("h5py")
    command = from_words([sys.executable, "-c", "import h5py, time; time.sleep(0.3)"])
    observed = here(settings, tmp_path).observe(command, Limits())
    assert any("libchunk_cache.so is not built" in one for one in observed.missing)


def test_programs_without_hdf5_have_no_such_pass(settings: Settings, tmp_path: Path) -> None:
    observed = here(settings, tmp_path).observe(from_words(["/bin/true"]), Limits())
    assert not any("HDF5" in one for one in [*observed.missing, *(made.name for made in observed.passes)])
