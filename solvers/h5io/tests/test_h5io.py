"""Reads of HDF5 files into NumPy arrays, compared with h5py's."""

from __future__ import annotations

import gc
import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

TYPES = ("<f8", ">f4", "<i4", "|u1", ">i2", "<f2", "<c16", "|b1", "|S5")


def values(shape: tuple[int, ...], dtype: str) -> Any:
    numbers = np.arange(math.prod(shape)).reshape(shape)
    return (numbers % 2 if dtype == "|b1" else numbers % 100).astype(dtype)


@st.composite
def slices(draw: st.DrawFn, extent: int) -> Any:
    if draw(st.booleans()):
        start, stop = (draw(st.none() | st.integers(-extent - 1, extent + 1)) for _ in range(2))
        return slice(start, stop, draw(st.integers(1, 4)))
    return draw(st.integers(-extent, extent - 1))


@given(st.data())
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_indices_select_as_h5py_does(tmp_path: Path, data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 12), min_size=1, max_size=3)))
    dtype = data.draw(st.sampled_from(TYPES))
    storage: dict[str, Any] = {}
    if data.draw(st.booleans()):
        storage["chunks"] = tuple(data.draw(st.integers(1, extent)) for extent in shape)
        storage["compression"] = data.draw(st.sampled_from((None, "gzip")))
        storage["shuffle"] = data.draw(st.booleans())
        storage["fletcher32"] = data.draw(st.booleans())
    index = tuple(data.draw(slices(extent)) for extent in shape)
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("group/x", data=values(shape, dtype), **storage)
    with h5io.File(path) as file:
        assert file.datasets() == ["group/x"]
        found = file["group/x"][index]
    expected = values(shape, dtype)[index]
    assert (found.dtype, found.shape) == (np.dtype(dtype), expected.shape)
    np.testing.assert_array_equal(found, expected)


@pytest.fixture
def cube(tmp_path: Path) -> Path:
    path = tmp_path / "cube.h5"
    with h5py.File(path, "w") as file:
        data = values((60, 50, 40), "<f4")
        file["plain"] = data
        file.create_dataset("deflated", data=data, chunks=(16, 16, 16), compression="gzip", shuffle=True)
        file.create_dataset("checked", data=data, chunks=(16, 16, 16), fletcher32=True)
        file["one"] = 2.5
        file["text"] = "of variable length"
        file.create_dataset("empty", shape=(0, 3), dtype="<f8")
    return path


def test_a_dataset_tells_what_it_is(cube: Path) -> None:
    dataset = h5io.File(cube)["deflated"]
    assert (dataset.shape, dataset.dtype, dataset.chunks) == ((60, 50, 40), np.dtype("<f4"), (16, 16, 16))
    assert dataset.layout == "chunked"
    assert [one.name for one in dataset.filters] == ["shuffle", "deflate"]
    assert 0 < dataset.stored_bytes < dataset.nbytes == 60 * 50 * 40 * 4
    assert h5io.File(cube)["plain"].chunks is None
    assert h5io.File(cube)["one"][()] == 2.5
    assert h5io.File(cube)["empty"][...].shape == (0, 3)


@pytest.mark.parametrize(
    ("name", "index", "way"),
    [
        ("plain", np.s_[...], "direct"),
        ("plain", np.s_[:, :, ::2], "sieved"),
        ("deflated", np.s_[5:20], "chunks"),
        ("checked", np.s_[5:20], "library"),
        ("empty", np.s_[...], "nothing"),
    ],
)
def test_a_read_tells_which_way_it_went(cube: Path, name: str, index: Any, way: str) -> None:
    found, report = h5io.File(cube)[name].read_reported(index)
    assert report.way == way
    assert report.selected_bytes == found.nbytes
    assert (report.calls == 0) == (way in ("library", "nothing"))


def test_results_go_where_they_are_wanted(cube: Path) -> None:
    dataset = h5io.File(cube)["plain"]
    out = np.zeros((60, 40), "<f4")
    assert dataset.read(np.s_[:, 3], out, threads=2) is out
    np.testing.assert_array_equal(out, values((60, 50, 40), "<f4")[:, 3])
    np.testing.assert_array_equal(dataset.read(np.s_[:, 3], by_library=True), out)
    wrong: Any
    for wrong in (np.zeros((60, 40)), np.zeros((60, 41), "<f4"), np.zeros((40, 60), "<f4").T, [1.0]):
        with pytest.raises(h5io.H5ArgumentError, match=r"^out "):
            dataset.read(np.s_[:, 3], wrong)


@pytest.mark.parametrize(
    ("index", "says"),
    [
        (60, "index 0 is 60; the dimension has 60 elements"),
        (np.s_[::-1], "index 0 has a step of -1; expected 1 or more"),
        (np.s_[..., ...], "at most one ellipsis"),
        (np.s_[0, 0, 0, 0], "the index has 4 parts; the dataset has 3 dimensions"),
        ("x", "index 0 is 'x'; expected a whole number"),
        (np.s_[:2.5], "index 0 is 2.5; expected a whole number"),
        ([1, 2], r"index 0 is \[1, 2\]; expected a whole number"),
    ],
)
def test_other_indices_are_refused(cube: Path, index: Any, says: str) -> None:
    with pytest.raises(h5io.H5ArgumentError, match=says):
        h5io.File(cube)["plain"][index]


def test_files_that_cannot_be_read_are_named(cube: Path, tmp_path: Path) -> None:
    time = h5py.h5t.UNIX_D32LE
    with h5py.File(tmp_path / "time.h5", "w") as file:
        h5py.h5d.create(file.id, b"time", time, h5py.h5s.create_simple((3,)))
    with pytest.raises(h5io.H5FileError, match=r"time is of a type that is not supported, type of class 2"):
        h5io.File(tmp_path / "time.h5")["time"]
    with pytest.raises(h5io.H5FileError, match="dataset none cannot be opened"):
        h5io.File(cube)["none"]
    for name, content, says in (("no.h5", None, "No such file"), ("text.h5", b"text", "cannot be read as HDF5")):
        if content is not None:
            (tmp_path / name).write_bytes(content)
        with pytest.raises(OSError, match=says):
            h5io.File(tmp_path / name)
    file = h5io.File(cube)
    dataset = file["plain"]
    file.close()
    assert dataset[0, 0, 1] == 1
    with pytest.raises(h5io.H5ArgumentError, match="is closed"):
        file["plain"]


FILTERS = ((), ("deflate:1",), ("shuffle", "deflate"), ("shuffle",))


@given(st.data())
@settings(deadline=None, max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_is_written_is_read_by_h5py(tmp_path: Path, data: st.DataObject) -> None:
    shape = tuple(data.draw(st.lists(st.integers(1, 12), min_size=1, max_size=3)))
    dtype = data.draw(st.sampled_from(TYPES))
    chunks = data.draw(st.none() | st.tuples(*(st.integers(1, extent) for extent in shape)))
    filters = () if chunks is None else data.draw(st.sampled_from(FILTERS))
    index = tuple(data.draw(slices(extent)) for extent in shape)
    expected = values(shape, dtype)
    path = tmp_path / "any.h5"
    with h5io.OutputFile(path, replace=True) as file:
        x = file.dataset("group/x", shape, dtype, chunks=chunks, filters=filters)
        x.write(expected, threads=data.draw(st.integers(0, 3)))
        x[index] = expected[index][::-1] if np.ndim(expected[index]) else expected[index]
    if np.ndim(expected[index]):
        expected[index] = expected[index][::-1].copy()
    with h5py.File(path) as file:
        found = file["group/x"]
        assert (found.dtype, found.chunks) == (np.dtype(dtype), chunks)
        np.testing.assert_array_equal(found[...], expected)
    with h5io.File(path) as file:
        np.testing.assert_array_equal(file["group/x"][...], expected)


def test_datasets_that_are_there_are_changed(cube: Path) -> None:
    data = values((60, 50, 40), "<f4")
    with h5io.OutputFile(cube, change=True) as file:
        assert (file["plain"].shape, file["deflated"].dtype) == ((60, 50, 40), np.dtype("<f4"))
        assert file["plain"].write(-data).way == "direct"
        assert file["deflated"].write(-data, threads=2).way == "chunks"
        with pytest.raises(h5io.H5FileError, match="dataset none cannot be opened"):
            file["none"]
    with pytest.raises(h5io.H5ArgumentError, match="is closed"):
        file["plain"]
    with h5py.File(cube) as file:
        for name in ("plain", "deflated"):
            np.testing.assert_array_equal(file[name][...], -data)
        assert file["one"][()] == 2.5
    with pytest.raises(h5io.H5FileError, match="cannot be opened for writing"):
        h5io.OutputFile(cube.with_name("no.h5"), change=True)
    with pytest.raises(h5io.H5ArgumentError, match="replace and change are both true"):
        h5io.OutputFile(cube, replace=True, change=True)


def test_plugins_encode_on_threads_for_h5py(tmp_path: Path) -> None:
    hdf5plugin = pytest.importorskip("hdf5plugin")
    data = values((100, 90), "<f4")
    filters: tuple[Any, ...] = (
        "lz4",
        "bitshuffle",
        "bitshuffle-zstd:2",
        "zstd:5",
        "blosc",
        "blosc-zstd",
        "blosc2",
        "blosc2-zstd:1",
    )
    filters += (hdf5plugin.Zstd(), hdf5plugin.Bitshuffle(cname="zstd"))
    with h5io.OutputFile(tmp_path / "plugins.h5") as file:
        for number, one in enumerate(filters):
            x = file.dataset(str(number), data.shape, "<f4", chunks=(32, 32), filters=(one,))
            assert x.write(data).way == "chunks"
    with h5py.File(tmp_path / "plugins.h5") as file:
        for number in range(len(filters)):
            np.testing.assert_array_equal(file[str(number)][...], data)
            assert file[str(number)].id.get_storage_size() < data.nbytes


def test_chunks_that_a_plugin_cannot_make_smaller_can_be_changed(tmp_path: Path) -> None:
    pytest.importorskip("hdf5plugin")
    noise = np.random.default_rng(1).integers(0, 1 << 31, 250, dtype=np.int32)
    with h5io.OutputFile(tmp_path / "noise.h5") as file:
        x = file.dataset("x", noise.shape, "<i4", chunks=(100,), filters=("blosc",))
        assert x.write(noise).way == "chunks"
        x[3:5] = noise[3:5] = 7
    with h5py.File(tmp_path / "noise.h5") as file:
        np.testing.assert_array_equal(file["x"][...], noise)
    np.testing.assert_array_equal(h5io.File(tmp_path / "noise.h5")["x"][...], noise)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"shape": (3,), "dtype": "<U5"}, "dtype is <U5; expected numbers, bools"),
        ({"shape": (-1,), "dtype": "<f8"}, r"shape is \(-1,\); expected up to 32 numbers from 0 on"),
        ({"shape": 3, "dtype": "<f8"}, "shape is 3; expected whole numbers, one for each dimension"),
        ({"shape": (3,), "dtype": "<f8", "chunks": (1, 1)}, r"chunks is \(1, 1\); expected 1 numbers"),
        (
            {"shape": (3,), "dtype": "<f8", "chunks": (2,), "filters": ("zip",)},
            "filter is 'zip'; expected one of deflate",
        ),
        (
            {"shape": (3,), "dtype": "<f8", "chunks": (2,), "filters": ("shuffle:2",)},
            "expected a level, such as deflate:6",
        ),
        ({"shape": (3,), "dtype": "<f8", "filters": ("deflate",)}, "there are filters but no chunks"),
    ],
)
def test_datasets_that_cannot_be_are_refused(tmp_path: Path, words: dict[str, Any], says: str) -> None:
    with h5io.OutputFile(tmp_path / "new.h5") as file, pytest.raises(h5io.H5ArgumentError, match=says):
        file.dataset("x", **words)


def test_values_that_do_not_fit_are_refused(tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "new.h5") as file:
        x = file.dataset("x", (3, 2), "<i4")
        with pytest.raises(h5io.H5ArgumentError, match=r"values have shape \(4,\); the selection has \(3, 2\)"):
            x[...] = [1, 2, 3, 4]
        with pytest.raises(h5io.H5ArgumentError, match="values are float64; the dataset is int32: convert them"):
            x[0] = [1.5, 2]
        with pytest.raises(h5io.H5ArgumentError, match="values are int64; the dataset is int32: convert them"):
            x[0] = [1 << 31, 2]
        with pytest.raises(h5io.H5ArgumentError, match=r"values are \|S6; the dataset is \|S5: convert them"):
            file.dataset("text", (1,), "S5")[0] = b"longer"
        x[...] = [1, 2]
    with h5py.File(tmp_path / "new.h5") as file:
        assert file["x"][...].tolist() == [[1, 2]] * 3
    with pytest.raises(h5io.H5FileError, match="cannot be made"):
        h5io.OutputFile(tmp_path / "new.h5")
    with pytest.raises(h5io.H5ArgumentError, match="is closed"):
        x[...] = [1, 2]


def test_plugins_of_hdf5plugin_decode_on_threads(tmp_path: Path) -> None:
    hdf5plugin = pytest.importorskip("hdf5plugin")
    filters = {
        "bitshuffle": hdf5plugin.Bitshuffle(cname="lz4"),
        "lz4": hdf5plugin.LZ4(),
        "zstd": hdf5plugin.Zstd(),
        "blosc": hdf5plugin.Blosc(),
        "blosc2": hdf5plugin.Blosc2(),
    }
    data = values((100, 90), "<f4")
    with h5py.File(tmp_path / "plugins.h5", "w") as file:
        for name, compression in filters.items():
            file.create_dataset(name, data=data, chunks=(32, 32), compression=compression)
    for name in filters:
        found, report = h5io.File(tmp_path / "plugins.h5")[name].read_reported(np.s_[3:, ::2])
        assert (name, report.way) == (name, "chunks")
        np.testing.assert_array_equal(found, data[3:, ::2])


@pytest.mark.case("solvers.H9.named")
def test_a_filter_that_is_missing_is_named(tmp_path: Path) -> None:
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    properties.set_chunk((1000,))
    properties.set_filter(32999, h5py.h5z.FLAG_OPTIONAL)
    with h5py.File(tmp_path / "any.h5", "w") as file:
        for name in ("x", "skipped"):
            space = h5py.h5s.create_simple((2000,))
            made = h5py.h5d.create(file.id, name.encode(), h5py.h5t.STD_I32LE, space, properties)
            # Of the second one, the filter has nothing to undo.
            made.write_direct_chunk((0,), np.arange(1000, dtype="<i4").tobytes(), 0 if name == "x" else 1)
    with pytest.raises(h5io.H5FileError, match=r"dataset x went through filter 32999,? .*not installed; name"):
        h5io.File(tmp_path / "any.h5")["x"][...]
    assert h5io.File(tmp_path / "any.h5")["skipped"][:1000].tolist() == list(range(1000))


@pytest.mark.case("solvers.H9")
@pytest.mark.parametrize("checked", [False, True])
@pytest.mark.parametrize("shuffle", [False, True])
def test_lzf_is_read_as_h5py_writes_it(tmp_path: Path, shuffle: bool, checked: bool) -> None:
    path, random = tmp_path / "any.h5", np.random.default_rng(4)
    values = {
        "counted": np.arange(30_000, dtype="<i4").reshape(100, 300),
        "constant": np.zeros((100, 300)),
        "noise": random.integers(0, 1 << 62, (100, 300)),
        "few": random.integers(0, 3, (100, 300)).astype("u1"),
    }
    with h5py.File(path, "w") as file:
        for name, one in values.items():
            made = {"compression": "lzf", "shuffle": shuffle, "fletcher32": checked}
            file.create_dataset(name, data=one, chunks=(7, 90), **made)
    for changed in (False, True):
        if changed:
            with h5io.OutputFile(path, change=True) as out:
                for name, one in values.items():
                    one[:50, :100] = 1
                    out[name][:50, :100] = one[:50, :100]
                    out[name][70:77, 90:180] = one[70:77, 90:180] = one[71:78, 90:180].copy()
        with h5py.File(path) as file, h5io.File(path) as ours:
            for name, one in values.items():
                assert (file[name][...] == one).all()
                indices: list[Any] = [..., 3, np.s_[5::9, 1::2]]
                for index, by_library in itertools.product(indices, (False, True)):
                    assert np.array_equal(ours[name].read(index, by_library=by_library), one[index])


@pytest.mark.case("solvers.H9")
def test_lzf_is_not_written(tmp_path: Path) -> None:
    file = h5io.OutputFile(tmp_path / "any.h5")
    with pytest.raises(h5io.H5ArgumentError, match="filter 32000 can only be read here"):
        file.dataset("x", (100,), "<i4", chunks=(10,), filters=[{"compression": 32000}])


@pytest.mark.case("solvers.H9.locks")
@pytest.mark.parametrize("later", [False, True])
def test_a_file_is_let_go_of_after_a_failed_read(tmp_path: Path, later: bool) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.arange(1000), compression="gzip")
        place = file["x"].id.get_chunk_info(0).byte_offset
    with path.open("r+b") as raw:
        raw.seek(place)
        raw.write(b"damage")
    gc.disable()
    try:
        for _ in range(20):
            with pytest.raises(h5io.H5FileError), h5io.File(path) as ours:
                if later:
                    ours["x"].read_later().wait()
                ours["x"].read()
            with h5py.File(path, "r+"):  # which a lock would refuse
                pass
    finally:
        gc.enable()


@pytest.mark.case("solvers.H8")
def test_a_file_of_a_newer_hdf5_is_told_with_the_remedy(tmp_path: Path) -> None:
    path, again = tmp_path / "any.h5", tmp_path / "again.h5"
    with h5py.File(path, "w", libver="latest") as file:
        file.create_dataset("x", data=np.arange(100_000), chunks=(1000,), compression="gzip")
    try:
        found = h5io.File(path)["x"].read()
    except h5io.H5FileError as error:
        assert "version number" in str(error)
        assert "hdf5_ROOT" in str(error)
        assert "rooftop h5 repack" in str(error)
        assert main(["h5", "repack", str(path), "--out", str(again), "--chunks", "2000"]) == 0
        found = h5io.File(again)["x"].read()
    assert (found == np.arange(100_000)).all()
