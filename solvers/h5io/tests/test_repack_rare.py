"""``rooftop h5 repack`` of rare features: comments of objects, and user-defined links."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    HDF5 = library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

KIND = 187
ID = ctypes.c_int64
TRAVERSE = ctypes.CFUNCTYPE(ID, ctypes.c_char_p, ID, ctypes.c_void_p, ctypes.c_size_t)
QUERY = ctypes.CFUNCTYPE(
    ctypes.c_ssize_t, ctypes.c_char_p, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t
)


class LinkClass(ctypes.Structure):
    """H5L_class_t of HDF5 1.10, with which h5io is linked, not of h5py's library."""

    _fields_ = (
        ("version", ctypes.c_int), ("id", ctypes.c_int), ("comment", ctypes.c_char_p),
        ("create", ctypes.c_void_p), ("move", ctypes.c_void_p), ("copy", ctypes.c_void_p),
        ("traverse", TRAVERSE), ("delete", ctypes.c_void_p), ("query", QUERY),
    )  # fmt: skip


@contextmanager
def opened_by_c(path: Path, flags: int) -> Iterator[tuple[Any, list[bytes]]]:
    """Open a file in h5io's library with the link class registered. Yield it and a list of link values as read."""
    said: list[bytes] = []

    def query(_name: bytes, data: int | None, size: int, _buffer: int | None, _room: int) -> int:
        said.append(ctypes.string_at(data, size) if data and size else b"")
        return size

    HDF5.H5Fopen.restype = ID
    functions = TRAVERSE(lambda *_: -1), QUERY(query)
    kind = LinkClass(0, KIND, None, None, None, None, functions[0], None, functions[1])
    assert HDF5.H5Lregister(ctypes.byref(kind)) >= 0
    file = ID(HDF5.H5Fopen(str(path).encode(), flags, ID(0)))
    assert file.value >= 0
    try:
        yield file, said
    finally:
        HDF5.H5Fclose(file)
        HDF5.H5Lunregister(KIND)


def add_link(path: Path, name: str, value: bytes) -> None:
    with opened_by_c(path, 1) as (file, _):
        made = HDF5.H5Lcreate_ud(file, name.encode(), KIND, value, ctypes.c_size_t(len(value)), ID(0), ID(0))
        assert made >= 0


def said_by(path: Path, name: str) -> bytes:
    with opened_by_c(path, 0) as (file, said):
        room = ctypes.create_string_buffer(1 << 16)
        assert HDF5.H5Lget_val(file, name.encode(), room, ctypes.c_size_t(1 << 16), ID(0)) >= 0
    return said[0]


def repacked(path: Path) -> Path:
    assert main(["h5", "repack", str(path), "--filter", "shuffle+deflate:4"]) == 0
    with h5py.File(path) as file:
        assert file["x"].compression == "gzip"
        assert np.array_equal(file["x"][...], np.arange(100_000))
    return path


@pytest.mark.case("solvers.T7")
@pytest.mark.parametrize("track_order", [False, True])
@pytest.mark.parametrize("value", [b"", b"a target\0and\xff more", bytes(range(256)) * 200])
def test_links_of_the_users_own_kinds(tmp_path: Path, track_order: bool, value: bytes) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w", track_order=track_order) as file:
        file["x"] = np.arange(100_000)
        file.create_group("group", track_order=track_order)["z"] = 1
    add_link(path, "group/user", value)
    add_link(path, "a user's", value)
    with h5py.File(path, "a") as file:
        file["group/first"], file["b"] = 2, h5py.SoftLink("x")
        before = {name: list(file[name]) for name in ("/", "group")}
    repacked(path)
    assert said_by(path, "group/user") == said_by(path, "a user's") == value
    with h5py.File(path) as file:
        assert {name: list(file[name]) for name in ("/", "group")} == before
        if track_order:
            assert before["group"] == ["z", "user", "first"]


@pytest.mark.case("solvers.T7.comments")
def test_comments_of_objects(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    comments = {
        b"/": b"of all",
        b"/x": b"of a dataset",
        b"/texts": b"of what is copied",
        b"/group": b"caf\xc3\xa9 \xff",
        b"/group/type": b"of a type",
    }
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(100_000)
        file["texts"] = ["a", "b"]
        file["group/type"] = np.dtype("f8")
        for name, comment in comments.items():
            file["/"].id.set_comment(name, comment)
    repacked(path)
    HDF5.H5Oget_comment_by_name.restype = ctypes.c_ssize_t
    with opened_by_c(path, 0) as (file, _):
        for name, comment in comments.items():
            room = ctypes.create_string_buffer(100)
            assert HDF5.H5Oget_comment_by_name(file, name, room, ctypes.c_size_t(100), ID(0)) == len(comment)
            assert room.value == comment


@pytest.mark.case("solvers.T7.matlab")
@pytest.mark.parametrize("padding", ["STR_NULLTERM", "STR_NULLPAD", "STR_SPACEPAD"])
@pytest.mark.parametrize("in_compound", [False, True])
def test_sequences_of_single_letters_as_matlab_has_them(tmp_path: Path, padding: str, in_compound: bool) -> None:
    """A letter fills a string of one byte; a terminating null, which NumPy's strings lack, would replace it."""
    path = tmp_path / "any.h5"
    letter = h5py.h5t.C_S1.copy()
    letter.set_size(1)
    letter.set_strpad(getattr(h5py.h5t, padding))
    kind: Any = h5py.h5t.vlen_create(letter)
    if in_compound:
        inner, kind = kind, h5py.h5t.create(h5py.h5t.COMPOUND, 24)
        kind.insert(b"number", 0, h5py.h5t.STD_I32BE)
        kind.insert(b"text", 8, inner)
    words = [b"alpha", b"", b"b"]
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(100_000)
        made = h5py.h5a.create(file["x"].id, b"fields", kind, h5py.h5s.create_simple((3,)))
        write_letters(made.id, kind.id, words, in_compound)
    repacked(path)
    with h5py.File(path) as file:
        found = file["x"].attrs["fields"]
        assert [b"".join(one.tolist()) for one in (found["text"] if in_compound else found)] == words
        if in_compound:
            assert found["number"].tolist() == [0, 1, 2]
        said = file["x"].attrs.get_id("fields").get_type()
        assert said.equal(kind)


def write_letters(attribute: int, kind: int, words: list[bytes], in_compound: bool) -> None:
    """Write sequences by h5py's library, without conversion."""
    hdf5 = ctypes.CDLL(h5py.h5l.__file__)
    texts = [ctypes.create_string_buffer(word, len(word) + 1) for word in words]
    bits = b""
    for number, text in enumerate(texts):
        bits += number.to_bytes(4, "big") + bytes(4) if in_compound else b""
        bits += (len(text) - 1).to_bytes(8, "little") + ctypes.addressof(text).to_bytes(8, "little")
    assert hdf5.H5Awrite(ID(attribute), ID(kind), bits) >= 0
