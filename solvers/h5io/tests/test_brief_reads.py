"""Small selections read by the C function of Python's own: as through ctypes, or left to it."""

from __future__ import annotations

import os
import pickle
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.c_interface.python_functions import left_out, left_to_others
from rooftop.solvers.h5io import brief_reads, library

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)
if brief_reads._functions() is None:
    pytest.skip("built without Python's headers", allow_module_level=True)

CUBE = np.arange(7 * 8 * 9, dtype=">i4").reshape(7, 8, 9)
READ = (
    3,
    -1,
    ...,
    (),
    (3,),
    (3, 4, 5),
    (-7, -8, -9),
    np.s_[:],
    np.s_[2:5],
    np.s_[-3:],
    np.s_[:-2],
    np.s_[5:2],
    np.s_[100:],
    np.s_[::2],
    np.s_[1:100:3, 5],
    np.s_[..., 4],
    np.s_[4, ...],
    np.s_[1, ..., 2:8:2],
    np.s_[:, :, :, ...],
    np.s_[2, 3, 4, ...],
    np.s_[:, 2:2, 1],
)
LEFT = (
    7,
    -8,
    1 << 80,
    True,
    np.int64(3),
    np.s_[True:3],
    np.s_[: 1 << 80],
    np.s_[np.int64(1) :],
    np.s_[::-1],
    np.s_[::0],
    (1, 2, 3, 4),
    (..., ...),
    np.s_[:, :, :, :, ...],
    [1, 2],
    np.array([1, 2]),
    1.0,
    None,
    "name",
)


@pytest.fixture
def cube(tmp_path: Path) -> h5io.Dataset:
    path = tmp_path / "cube.h5"
    with h5io.OutputFile(path) as file:
        file.dataset("cube", CUBE.shape, CUBE.dtype, chunks=(3, 3, 3), filters=("shuffle", "deflate:1"))[...] = CUBE
    dataset = h5io.File(path)["cube"]
    dataset[...]  # finds the chunks
    return dataset


@pytest.mark.parametrize("index", READ, ids=repr)
def test_numbers_slices_and_ellipses_are_read(cube: h5io.Dataset, index: Any) -> None:
    found = cube._selection.run(index)
    assert isinstance(found, np.ndarray)
    assert (found.dtype, found.shape) == (CUBE.dtype, CUBE[index].shape)
    np.testing.assert_array_equal(found, CUBE[index])
    np.testing.assert_array_equal(found, cube.read(index))


@pytest.mark.parametrize("index", LEFT, ids=repr)
def test_other_indices_are_left_to_the_way_with_all_checks(
    cube: h5io.Dataset, index: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert cube._selection.run(index) is None
    outcomes = []
    for function in (cube._selection.run, left_to_others):
        monkeypatch.setattr(cube._selection, "run", function)
        try:
            outcomes.append(repr(cube[index]))
        except (h5io.H5ArgumentError, TypeError) as error:
            outcomes.append(f"{type(error).__name__}: {error}")
    assert outcomes[0] == outcomes[1]


def test_readers_are_left_out_within_a_block(cube: h5io.Dataset) -> None:
    with left_out():
        assert cube._selection.run is left_to_others
        np.testing.assert_array_equal(cube[1], CUBE[1])
    assert cube._selection.run is not left_to_others


def test_what_is_not_brief_is_left(cube: h5io.Dataset, tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "large.h5") as file:
        file.dataset("x", (2 << 20,), "<f8")[...] = 1
    dataset = h5io.File(tmp_path / "large.h5")["x"]
    assert dataset._selection.run(...) is None
    assert dataset[...].sum() == 2 << 20
    assert h5io.File(cube.path)["cube"]._selection.run(0) is None, "its chunks were not looked for"


def test_values_of_no_dimension_and_of_none(tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "small.h5") as output:
        output.dataset("one", (), "<f4")[...] = 2.5
        output.dataset("none", (0, 3), "<f4")
    file = h5io.File(tmp_path / "small.h5")
    for index in ((), ...):
        found: Any = file["one"]._selection.run(index)
        assert (found.shape, found[()]) == ((), 2.5)
    assert file["one"]._selection.run(0) is None
    none: Any = file["none"]._selection.run
    assert (none(...).shape, none(np.s_[:, 1]).shape) == ((0, 3), (0,))


def test_a_file_cut_short_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "cut.h5"
    with h5io.OutputFile(path) as file:
        file.dataset("x", (1 << 16,), "<f8")[...] = 1
    dataset = h5io.File(path)["x"]
    os.truncate(path, 100_000)
    assert dataset._selection.run(-1) is None
    with pytest.raises(h5io.H5FileError, match="is cut short"):
        dataset[-1]


def test_calls_of_other_threads_are_registered(cube: h5io.Dataset) -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.extend([cube._selection.run(3), cube[3]]))
    thread.start()
    thread.join()
    assert found[0] is None
    np.testing.assert_array_equal(found[1], CUBE[3])


def test_a_forked_process_reads(tmp_path: Path) -> None:
    with h5io.OutputFile(tmp_path / "plain.h5") as output:
        output.dataset("x", CUBE.shape, CUBE.dtype)[...] = CUBE
    dataset = h5io.File(tmp_path / "plain.h5")["x"]
    ours, theirs = os.pipe()
    children: list[int] = []

    def fork() -> None:  # not from the main thread: this one is the child's main thread
        children.append(os.fork())
        if children[0] == 0:
            try:
                os.write(theirs, pickle.dumps([dataset._selection.run(3), dataset[4]]))
            finally:
                os._exit(0)

    thread = threading.Thread(target=fork)
    thread.start()
    thread.join()
    os.waitpid(children[0], 0)
    os.close(theirs)
    with os.fdopen(ours, "rb") as pipe:
        found = pickle.load(pipe)
    assert found[0] is not None, "its main thread is the one that forked"
    np.testing.assert_array_equal(found, CUBE[3:5])


def test_a_reader_keeps_its_dataset_open(cube: h5io.Dataset) -> None:
    read = cube._selection.run
    del cube
    np.testing.assert_array_equal(read(2), CUBE[2])
