"""Elements other than plain numbers, compared with h5py."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.errors import Misuse, NotBuilt
from rooftop.solvers import h5io
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")
try:
    library.load()
except NotBuilt as reason:
    pytest.skip(str(reason), allow_module_level=True)

INDICES = (np.s_[...], np.s_[3], np.s_[1::2], np.s_[2:2])
RECORD = np.dtype([("name", "S3"), ("count", ">i4"), ("place", "<f8", (2,)), ("inner", [("a", "u1"), ("b", "<c8")])])
PADDED = np.dtype({"names": ["a", "b"], "formats": ["<i4", "<f8"], "offsets": [2, 12], "itemsize": 24})


def records(dtype: np.dtype[Any], count: int = 7) -> Any:
    bytes_ = np.random.default_rng(3).integers(1, 100, count * dtype.itemsize, np.uint8)
    return bytes_.view(dtype)


def padded_string(ends: int, size: int = 6) -> Any:
    kind = h5py.h5t.C_S1.copy()
    kind.set_size(size)
    kind.set_strpad(ends)
    return kind


def low_level(file: Any, name: str, kind: Any, values: Any) -> None:
    space = h5py.h5s.create_simple(values.shape)
    h5py.h5d.create(file.id, name.encode(), kind, space).write(h5py.h5s.ALL, h5py.h5s.ALL, values, mtype=kind)


@pytest.mark.case("solvers.T1")
@pytest.mark.parametrize("by_library", [False, True])
@pytest.mark.parametrize("chunks", [None, (3,)])
@pytest.mark.parametrize("dtype", [RECORD, PADDED, np.dtype(np.longdouble)])
def test_fixed_elements_are_those_of_h5py(tmp_path: Path, dtype: Any, chunks: Any, by_library: bool) -> None:
    path = tmp_path / "x.h5"
    data = np.arange(7).astype(dtype) if dtype.names is None else records(dtype)
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=data, chunks=chunks)
    dataset = h5io.File(path)["x"]
    assert dataset.dtype == dtype
    for index in INDICES:
        found = dataset.read(index, by_library=by_library)
        np.testing.assert_array_equal(found, data[index])
    out = np.zeros(7, dtype)
    assert dataset.read(out=out) is out
    np.testing.assert_array_equal(out, data)
    if not by_library:
        np.testing.assert_array_equal(np.concatenate(list(dataset.blocks(rows=2))), data)


@pytest.mark.case("solvers.T1")
def test_texts_and_sequences_are_objects(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    mixed = np.dtype([("i", "<i4"), ("t", h5py.string_dtype()), ("q", h5py.vlen_dtype("<f4"))])
    with h5py.File(path, "w") as file:
        file["texts"] = np.array(["a", "", "Ärger", "x" * 5000, "end"], object)
        lengths = file.create_dataset("lengths", (5,), h5py.vlen_dtype("<i2"), chunks=(2,))
        for i in range(4):
            lengths[i] = np.arange(i)
        both = file.create_dataset("both", (5,), mixed)
        for i in range(5):
            both[i] = (i, f"text {i}", np.arange(i, dtype="<f4"))
        file["one"] = "scalar"
        file.create_dataset("never", (5,), h5py.string_dtype())
    with h5io.File(path) as file, h5py.File(path) as right:
        assert file["one"].read()[()] == b"scalar"
        assert list(file["never"].read()) == [b""] * 5
        for index in INDICES:
            assert file["texts"][index].tolist() == right["texts"][index].tolist() if index != 3 else True
            for name in ("lengths",):
                for one, other in zip(np.ravel(file[name][index]), np.atleast_1d(right[name][index]), strict=False):
                    np.testing.assert_array_equal(one, other if index != 3 else right[name][index])
        found = file["both"].read()
        assert found["t"].tolist() == [f"text {i}".encode() for i in range(5)]
        assert [one.tolist() for one in found["q"]] == [list(range(i)) for i in range(5)]
        assert not file["texts"].as_stored
        with pytest.raises(h5io.H5ArgumentError, match=r"expected read\(\) instead"):
            file["texts"].read_later()


@pytest.mark.case("solvers.T1.strings")
def test_strings_within_compounds_and_arrays_end_where_they_end(tmp_path: Path) -> None:
    """Fortran pads with spaces; C leaves arbitrary bytes after a null."""
    path = tmp_path / "x.h5"
    data = np.array([(b"ab    ", b"ab\0xyz"), (b"a b   ", b"\0bcdef"), (b"      ", b"abcde\0")], "V6,V6")
    kind = h5py.h5t.create(h5py.h5t.COMPOUND, 12)
    kind.insert(b"spaces", 0, padded_string(h5py.h5t.STR_SPACEPAD))
    kind.insert(b"nulls", 6, padded_string(h5py.h5t.STR_NULLTERM))
    pair = h5py.h5t.array_create(padded_string(h5py.h5t.STR_SPACEPAD), (2,))
    with h5py.File(path, "w") as file:
        low_level(file, "records", kind, data)
        low_level(file, "pairs", pair, np.array([b"ab    a b   ", b"            "], "V12"))
    with h5io.File(path) as file:
        records = file["records"][...]
        assert records["spaces"].tolist() == [b"ab", b"a b", b""]
        assert records["spaces"].tobytes() == b"ab\0\0\0\0a b\0\0\0" + bytes(6)
        assert records["nulls"].tobytes() == b"ab\0\0\0\0" + bytes(6) + b"abcde\0"
        assert file["records"][0].shape == ()
        assert file["records"].read_later().wait().tolist() == records.tolist()
        assert file["pairs"][...].tobytes() == b"ab\0\0\0\0a b\0\0\0" + bytes(12)


@pytest.mark.case("solvers.T1.numbers")
def test_numbers_of_an_unusual_form_are_converted(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    few = h5py.h5t.STD_I32LE.copy()
    few.set_precision(20)
    short = h5py.h5t.IEEE_F32LE.copy()  # bfloat16
    short.set_fields(15, 7, 8, 0, 7)
    short.set_size(2)
    three = h5py.h5t.STD_U32LE.copy()
    three.set_precision(24)
    three.set_size(3)
    with h5py.File(path, "w") as file:
        for name, kind, values in (
            ("few", few, np.array([-5, 7, 2047], "<i4")),
            ("short", short, np.array([1.5, -2, 256], "<f4")),
            ("three", three, np.array([1, 2, 1 << 23], "<u4")),
        ):
            h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple((3,))).write(
                h5py.h5s.ALL, h5py.h5s.ALL, values
            )
    with h5io.File(path) as file:
        assert file["few"][...].tolist() == [-5, 7, 2047]
        assert (file["short"].dtype, file["short"][...].tolist()) == (np.dtype("<f4"), [1.5, -2, 256])
        assert (file["three"].dtype, file["three"][1:].tolist()) == (np.dtype("<u4"), [2, 1 << 23])
        assert not file["few"].as_stored


@pytest.mark.case("solvers.T1.enumerations")
@pytest.mark.parametrize("by_library", [False, True])
def test_enumerations_of_a_few_bits_are_numbers(tmp_path: Path, by_library: bool) -> None:
    """Alone and in compounds, of one byte and of two, with negative values."""
    path = tmp_path / "x.h5"
    kinds = {}
    for name, number, bits in (("small", h5py.h5t.STD_U8LE, 4), ("wide", h5py.h5t.STD_I16BE, 12)):
        base = number.copy()
        base.set_precision(bits)
        kinds[name] = h5py.h5t.enum_create(base)
        for word, value in ((b"none", 0), (b"five", 5), (b"last", 7 if name == "small" else -8)):
            kinds[name].enum_insert(word, value)
    pair = h5py.h5t.create(h5py.h5t.COMPOUND, 3)
    pair.insert(b"small", 0, kinds["small"])
    pair.insert(b"wide", 1, kinds["wide"])
    stored = {"small": b"\0\5\7", "wide": b"\0\0\0\5\x0f\xf8", "pair": b"\0\0\0\5\0\5\7\x0f\xf8"}
    with h5py.File(path, "w") as file:
        for name, kind in (kinds | {"pair": pair}).items():
            made = h5py.h5d.create(file.id, name.encode(), kind, h5py.h5s.create_simple((3,)))
            made.write(h5py.h5s.ALL, h5py.h5s.ALL, np.frombuffer(stored[name], f"V{kind.get_size()}"), mtype=kind)
    with h5io.File(path) as file, h5py.File(path) as right:
        for name in ("small", "wide"):
            found = file[name].read(by_library=by_library)
            assert (found.tolist(), found.dtype) == (right[name][...].tolist(), right[name].dtype)
            assert file["pair"].read(by_library=by_library)[name].tolist() == found.tolist()
        assert file["small"][...].tolist() == [0, 5, 7]
        assert file["wide"][...].tolist() == [0, 5, -8]
        assert not file["small"].as_stored


@pytest.mark.case("solvers.T1")
def test_references_and_arrays(tmp_path: Path) -> None:
    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(3)
        file["references"] = np.array([file["x"].ref, file.ref], h5py.ref_dtype)
        kind = h5py.h5t.array_create(h5py.h5t.STD_I32LE, (2, 3))
        h5py.h5d.create(file.id, b"arrays", kind, h5py.h5s.create_simple((4,)))
        file["arrays"][...] = np.arange(24).reshape(4, 2, 3)
    with h5io.File(path) as file:
        assert file["references"].dtype == np.dtype("V8")
        arrays = file["arrays"]
        assert (arrays.shape, arrays.dtype) == ((4,), np.dtype(("<i4", (2, 3))))
        np.testing.assert_array_equal(arrays[1:3], np.arange(24).reshape(4, 2, 3)[1:3])
        out = np.zeros((2, 2, 3), "<i4")
        np.testing.assert_array_equal(arrays.read(np.s_[2:], out), np.arange(24).reshape(4, 2, 3)[2:])


@pytest.mark.case("solvers.T1")
def test_what_is_no_plain_element_is_not_written_nor_laid_out_anew(tmp_path: Path) -> None:
    from rooftop.solvers.h5io.advice.request import Request

    path = tmp_path / "x.h5"
    with h5py.File(path, "w") as file:
        file["texts"] = np.array(["a", "b"], object)
        file["records"] = records(RECORD)
    with h5io.OutputFile(path, change=True) as out:
        for name, says in (("texts", "of variable length"), ("records", "that are compounds or arrays")):
            with pytest.raises(h5io.H5FileError, match=f"{says}, which are not written"):
                out[name]
    for name in ("texts", "records"):
        with pytest.raises(Misuse, match="or opaque bytes"):
            Request(file=path, dataset=name).prepared()


@settings(max_examples=25, deadline=None)
@given(st.lists(st.binary(max_size=20).filter(lambda text: b"\0" not in text), min_size=1, max_size=9))
def test_any_texts(tmp_path_factory: pytest.TempPathFactory, texts: list[bytes]) -> None:
    path = tmp_path_factory.mktemp("texts") / "x.h5"
    with h5py.File(path, "w") as file:
        file.create_dataset("x", data=np.array(texts, object), dtype=h5py.string_dtype())
    with h5io.File(path) as read:
        assert read["x"][...].tolist() == texts
