"""Elements that were never written: every way of reading returns what h5py does."""

from __future__ import annotations

import itertools
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

LAYOUTS: dict[str, dict[str, Any]] = {
    "contiguous": {},
    "chunked": {"chunks": (4, 5)},
    "deflated": {"chunks": (4, 5), "compression": "gzip"},
    "checked": {"chunks": (4, 5), "fletcher32": True},
}
INDICES = (np.s_[...], np.s_[0], np.s_[:, 2], np.s_[1::3, ::2], np.s_[7, 9])


def assert_read_as_h5py_does(path: Path, name: str) -> None:
    with h5py.File(path) as file, h5io.File(path) as ours:
        for index, by_library in itertools.product(INDICES, (False, True)):
            expected = file[name][index]
            held = np.full(expected.shape, 77, expected.dtype)
            assert np.array_equal(ours[name].read(index, held, by_library=by_library), expected), (index, by_library)
            assert np.array_equal(ours[name].read_later(index, by_library=by_library).wait(), expected)


@pytest.mark.case("solvers.H4")
@pytest.mark.parametrize("written", [False, True])
@pytest.mark.parametrize("value", [None, 0, 6])
@pytest.mark.parametrize("time", ["never", "ifset", "alloc"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_was_never_written_is_as_h5py_has_it(
    tmp_path: Path, layout: str, time: str, value: int | None, written: bool
) -> None:
    if layout == "contiguous" and written and time == "never":
        pytest.skip("what lies in a file where nothing was written is not defined")
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        made = file.create_dataset("x", (11, 13), "<i4", fillvalue=value, fill_time=time, **LAYOUTS[layout])
        if written:
            made[4:8, :5] = 1
    assert_read_as_h5py_does(path, "x")


@pytest.mark.case("solvers.H4.virtual")
def test_a_virtual_dataset_has_zeros_where_its_sources_have_nothing(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        made = file.create_dataset("part", (11, 13), "<i4", fillvalue=6, fill_time="never", chunks=(4, 5))
        made[4:8, :5] = 1
        layout = h5py.VirtualLayout((11, 13), "<i4")
        layout[...] = h5py.VirtualSource(made)
        file.create_virtual_dataset("x", layout, fillvalue=9)
    assert_read_as_h5py_does(path, "x")
