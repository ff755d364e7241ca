"""Data is read back through every chunk index of HDF5, in each file format."""

from __future__ import annotations

import itertools
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

SHAPE, CHUNKS = (4, 6, 5), (2, 3, 2)
#: Formats that HDF5 1.10 reads, by the oldest and newest library that must.
FORMATS = (("earliest", "v108"), ("earliest", "v110"), ("v110", "v110"))


def growing(dimensions: int) -> list[tuple[int | None, ...]]:
    """Return maximum shapes: no growth, growth by a chunk or more, unlimited."""
    return list(itertools.product(*[(extent, 3 * extent, None) for extent in SHAPE[:dimensions]]))


def indices(dimensions: int) -> list[Any]:
    return [..., 0, (..., 0), (..., slice(1, None, 2)), (slice(0, 0), ...), (-1,) * dimensions]


@pytest.mark.case("solvers.H2")
@pytest.mark.parametrize("dimensions", [1, 2, 3])
@pytest.mark.parametrize("form", FORMATS)
def test_chunks_are_where_they_were_written(tmp_path: Path, form: tuple[str, str], dimensions: int) -> None:
    shape, chunks = SHAPE[:dimensions], CHUNKS[:dimensions]
    values = np.arange(math.prod(shape), dtype="<i4").reshape(shape)
    path = tmp_path / "any.h5"
    for most, compression in itertools.product(growing(dimensions), (None, "gzip")):
        with h5py.File(path, "w", libver=form) as file:
            made = {"chunks": chunks, "maxshape": most, "compression": compression}
            file.create_dataset("all", data=values, **made)
            some = file.create_dataset("some", shape, "<i4", fillvalue=-5, **made)
            some[0], some[..., -1] = values[0], values[..., -1]
        with h5io.OutputFile(path, change=True) as changed:
            changed["all"][-1] = values[-1] + 1
            changed["all"][..., 0] = values[..., 0] - 1
            changed["all"][tuple(slice(0, one) for one in chunks)] = -7  # a whole chunk
        with h5py.File(path) as file, h5io.File(path) as ours:
            for name, index, by_library in itertools.product(("all", "some"), indices(dimensions), (False, True)):
                found = ours[name].read(index, by_library=by_library)
                assert np.array_equal(found, file[name][index]), (most, compression, name, index)


@pytest.mark.case("solvers.H2.absent")
@pytest.mark.parametrize("form", FORMATS)
def test_of_many_chunks_some_were_never_written(tmp_path: Path, form: tuple[str, str]) -> None:
    path = tmp_path / "many.h5"
    with h5py.File(path, "w", libver=form) as file:
        made = file.create_dataset("x", (5000, 4), "<i4", chunks=(1, 4), maxshape=(5000, None), fillvalue=-5)
        made[:4800:2] = 1
    with h5py.File(path) as file, h5io.File(path) as ours:
        assert np.array_equal(ours["x"].read(), file["x"][...])


@pytest.mark.case("solvers.H2.grown")
@pytest.mark.parametrize("form", FORMATS)
def test_arrays_that_grew_and_shrank(tmp_path: Path, form: tuple[str, str]) -> None:
    path = tmp_path / "any.h5"
    for most in growing(2):
        with h5py.File(path, "w", libver=form) as file:
            made = file.create_dataset("x", data=np.arange(24).reshape(4, 6), chunks=(2, 3), maxshape=most)
            for shape in ((2, 3), tuple(one or 11 for one in most), (3, 5), tuple(one or 7 for one in most)):
                made.resize(shape)
                made[::2] = np.arange(math.prod(made[::2].shape)).reshape(made[::2].shape)
        with h5py.File(path) as file, h5io.File(path) as ours:
            for index in indices(2):
                assert np.array_equal(ours["x"].read(index), file["x"][index]), (most, index)
