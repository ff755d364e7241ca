"""Strings of fixed length, with any padding in the file, are read as by h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

ENDS = {"zero": h5py.h5t.STR_NULLTERM, "zeros": h5py.h5t.STR_NULLPAD, "spaces": h5py.h5t.STR_SPACEPAD}
#: As they lie in the file; what stands behind a zero is left of longer ones.
BITS = [b"abc  ", b"a\0xyz", b"abcde", b"  a  ", b"     ", b"\0\0\0\0\0", b"a \0  "] * 3000


def string_type(ends: str, bytes_: int = 5) -> Any:
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(bytes_)
    kind.set_strpad(ENDS[ends])
    return kind


def add(file: Any, name: str, ends: str, chunk: int | None) -> None:
    properties = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    if chunk is not None:
        properties.set_chunk((chunk,))
        properties.set_deflate(1)
    kind = string_type(ends)
    made = h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple((len(BITS),)), properties)
    made.write(h5py.h5s.ALL, h5py.h5s.ALL, np.frombuffer(b"".join(BITS), "V5"), mtype=kind)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    found = tmp_path / "any.h5"
    with h5py.File(found, "w") as file:
        for ends in ENDS:
            add(file, ends, ends, None)
            add(file, f"{ends}-chunked", ends, 1000)
    return found


@pytest.mark.case("solvers.H10")
@pytest.mark.parametrize("by_library", [False, True])
def test_strings_end_as_h5py_has_them(path: Path, by_library: bool) -> None:
    with h5py.File(path) as file, h5io.File(path) as ours:
        for name in file:
            for index in (np.s_[...], 1, np.s_[::3], np.s_[5:900:7]):
                found = ours[name].read(index, by_library=by_library)
                assert np.asarray(found).tobytes() == np.asarray(file[name][index], "S5").tobytes(), (name, index)


@pytest.mark.case("solvers.H10.written")
@pytest.mark.parametrize("by_library", [False, True])
def test_strings_are_written_with_the_ends_of_the_file(path: Path, by_library: bool) -> None:
    texts = np.array([b"xy", b"", b"abcd", b"x y"])
    with h5io.OutputFile(path, change=True) as file:
        for ends in ENDS:
            for name in (ends, f"{ends}-chunked"):
                file[name].write(texts, np.s_[:8:2], by_library=by_library)
                file[name].write(np.full(1000, b"z"), np.s_[1000:2000], by_library=by_library)
    with h5py.File(path) as file:
        for name, one in file.items():
            assert one[:8:2].tolist() == texts.tolist()
            bits = np.empty(len(BITS), "V5")
            one.id.read(h5py.h5s.ALL, h5py.h5s.ALL, bits, mtype=one.id.get_type())
            assert bits[1500].tobytes() == (b"z    " if name.startswith("spaces") else b"z\0\0\0\0")
            assert bits[1].tobytes() == BITS[1]


@pytest.mark.case("solvers.H10.repack")
def test_repack_keeps_every_bit(path: Path) -> None:
    out = path.with_name("out.h5")
    assert main(["h5", "repack", str(path), "--out", str(out), "--chunks", "700", "--filter", "shuffle+deflate:1"]) == 0
    with h5py.File(out) as file:
        for one in file.values():
            bits = np.empty(len(BITS), "V5")
            one.id.read(h5py.h5s.ALL, h5py.h5s.ALL, bits, mtype=one.id.get_type())
            assert bits.tobytes() == b"".join(BITS)
