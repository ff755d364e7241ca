"""Small and repeated reads: in the calling thread, by the chunk cache, and never with values of before a change."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

NUMBERS = np.arange(96 * 100, dtype="<i4").reshape(96, 100)


@pytest.fixture
def sample(tmp_path: Path) -> Path:
    path = tmp_path / "small.h5"
    with h5py.File(path, "w") as file:
        file["plain"] = NUMBERS
        file.create_dataset("chunked", data=NUMBERS, chunks=(16, 30))
        file.create_dataset("deflated", data=NUMBERS, chunks=(16, 30), compression="gzip", shuffle=True)
        file["one"] = 2.5
        file["text"] = "of variable length"
        file.create_dataset("empty", shape=(0, 3), dtype="<f8")
        file.create_dataset("large", shape=(4 << 20,), dtype="<f8")
        file["large"][-1] = 7
        compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
        compact.set_layout(h5py.h5d.COMPACT)
        space, kind = h5py.h5s.create_simple((6, 8)), h5py.h5t.py_create(np.dtype("<i4"))
        h5py.Dataset(h5py.h5d.create(file.id, b"compact", kind, space, compact))[...] = NUMBERS[:6, :8]
        file["texts"] = np.array([b"", b"one", "\u00fc".encode(), b"four " * 100], object)
    return path


@pytest.fixture
def no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def run(_: LongCall, __: Callable[[], Any]) -> Any:
        raise AssertionError("a thread was woken")

    monkeypatch.setattr(LongCall, "run", run)


INDICES = (np.s_[3, 5], np.s_[-1], np.s_[7:60, 10:90:3], np.s_[..., 99], np.s_[40:40], np.s_[...])


@pytest.mark.usefixtures("no_thread")
@pytest.mark.parametrize("index", INDICES)
def test_a_small_selection_wakes_no_thread(sample: Path, index: Any) -> None:
    found, report = h5io.File(sample)["plain"].read_reported(index)
    np.testing.assert_array_equal(found, NUMBERS[index])
    np.testing.assert_array_equal(h5io.File(sample)["plain"][index], NUMBERS[index])
    assert report.selected_bytes == found.nbytes


@pytest.mark.usefixtures("no_thread")
def test_single_values_and_nothing_wake_no_thread(sample: Path) -> None:
    file = h5io.File(sample)
    assert file["one"][()] == 2.5
    assert file["text"][()] == b"of variable length"
    assert file["empty"][...].shape == (0, 3)


@pytest.mark.usefixtures("no_thread")
def test_a_contiguous_selection_takes_one_call(sample: Path) -> None:
    _, report = h5io.File(sample)["plain"].read_reported(np.s_[3:9])
    assert (report.way, report.calls, report.file_bytes) == ("direct", 1, 6 * 100 * 4)


def test_a_large_selection_takes_a_long_call(sample: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls, run = [], LongCall.run
    monkeypatch.setattr(LongCall, "run", lambda call, body: calls.append(1) or run(call, body))  # type: ignore[func-returns-value]
    assert h5io.File(sample)["large"][...][-1] == 7
    assert len(calls) == 1


@pytest.mark.parametrize("name", ["chunked", "deflated"])
def test_chunks_are_decoded_once(sample: Path, name: str) -> None:
    dataset = h5io.File(sample)[name]
    for index in (*INDICES, *INDICES):
        np.testing.assert_array_equal(dataset[index], NUMBERS[index])
    found, report = dataset.read_reported()
    np.testing.assert_array_equal(found, NUMBERS)
    assert (report.way, report.calls, report.file_bytes) == ("chunks", 0, 0)
    # Each open dataset has a cache of its own.
    assert h5io.File(sample)[name].read_reported()[1].calls == 6 * 4


@pytest.mark.parametrize("name", ["plain", "chunked", "deflated"])
def test_what_is_changed_through_h5io_is_read_again(sample: Path, name: str) -> None:
    with h5io.OutputFile(sample, change=True) as output:
        reader = h5io.File(sample)[name]
        np.testing.assert_array_equal(reader[...], NUMBERS)
        output[name][...] = NUMBERS[::-1]
        np.testing.assert_array_equal(reader[...], NUMBERS[::-1])
        # Other numbers, other lengths: the chunks move.
        noise = np.random.default_rng(1).integers(0, 1 << 30, NUMBERS.shape, "<i4")
        for request in (output[name].write_later(noise), output[name].write_later(NUMBERS, threads=2)):
            request.wait()
        np.testing.assert_array_equal(reader[...], NUMBERS)
        output[name][...] = noise
        np.testing.assert_array_equal(reader[3], noise[3])
        output[name][1, 1] = 5  # a part of a chunk, by the library, which may write it as late as the file is closed
    changed = noise.copy()
    changed[1, 1] = 5
    np.testing.assert_array_equal(reader[...], changed)


def test_compact_datasets_are_read_from_memory_until_they_change(sample: Path) -> None:
    numbers = NUMBERS[:6, :8]
    dataset = h5io.File(sample)["compact"]
    for _ in range(2):
        for index in (np.s_[3, 5], np.s_[-1], np.s_[1:5:2, ::3], np.s_[..., 7], np.s_[4:4], np.s_[...]):
            found, report = dataset.read_reported(index)
            np.testing.assert_array_equal(found, numbers[index])
            np.testing.assert_array_equal(dataset[index], numbers[index])
            assert (report.way, report.file_bytes) == ("library" if found.size else "nothing", 0)
    del dataset
    with h5io.OutputFile(sample, change=True) as output:
        reader = h5io.File(sample)["compact"]
        np.testing.assert_array_equal(reader[...], numbers)
        output["compact"][...] = numbers[::-1]
        np.testing.assert_array_equal(reader[...], numbers[::-1])
        output["compact"][2, 2] = 5
        assert reader[2, 2] == 5
    changed = numbers[::-1].copy()
    changed[2, 2] = 5
    np.testing.assert_array_equal(reader[...], changed)
    np.testing.assert_array_equal(h5io.File(sample)["compact"].read(by_library=True), changed)


def test_texts_of_variable_length_are_those_of_h5py(sample: Path) -> None:
    dataset = h5io.File(sample)["texts"]
    with h5py.File(sample) as file:
        expected = file["texts"]
        for index in (np.s_[...], np.s_[2], np.s_[1:4:2], np.s_[3:1]):
            assert np.array_equal(dataset[index], np.asarray(expected[index], object))


def test_small_datasets_stay_open_with_their_file(sample: Path) -> None:
    file = h5io.File(sample)
    one, large = file["compact"], file["large"]
    assert file["compact"] is one
    assert file["large"] is not large
    with pytest.raises(h5io.H5FileError):
        file["nothing"]
    file.close()
    with pytest.raises(h5io.H5ArgumentError, match="is closed"):
        file["compact"]
    np.testing.assert_array_equal(one[1], NUMBERS[1, :8])


def test_a_change_of_another_file_forgets_nothing(sample: Path, tmp_path: Path) -> None:
    dataset = h5io.File(sample)["deflated"]
    dataset[...]
    with h5io.OutputFile(tmp_path / "other.h5") as output:
        output.dataset("x", (8,), "<f8", chunks=(4,))[...] = 1
    assert dataset.read_reported()[1].calls == 0


def test_threads_share_the_cache(sample: Path) -> None:
    dataset = h5io.File(sample)["deflated"]
    wrong: list[int] = []

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        for _ in range(200):
            first, last = sorted(random.integers(0, 96, 2))
            if not np.array_equal(dataset[first:last, 3:90], NUMBERS[first:last, 3:90]):
                wrong.append(seed)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


@pytest.mark.parametrize("threads", [True, -1, 1.5, 1 << 40])
def test_small_reads_refuse_unsound_options(sample: Path, threads: Any) -> None:
    with pytest.raises(h5io.H5ArgumentError, match="threads is"):
        h5io.File(sample)["plain"].read(3, threads=threads)


def test_small_reads_of_a_file_cut_short_are_refused(sample: Path) -> None:
    dataset = h5io.File(sample)["large"]
    with sample.open("r+b") as file:
        file.truncate(100_000)
    with pytest.raises(h5io.H5FileError, match="is cut short"):
        dataset[-1]
