"""``rooftop h5 repack`` of files written by other or several versions of HDF5."""

from __future__ import annotations

import ctypes
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from rooftop.cli.app import main
from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library

h5py = pytest.importorskip("h5py")

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)


def repacked(path: Path, *words: str) -> Any:
    """Return a repacked file, open in h5py until the test ends."""
    out = path.with_name("out.h5")
    assert main(["h5", "repack", str(path), "--out", str(out), *(words or ("--filter", "shuffle+deflate:4"))]) == 0
    return h5py.File(out)


@pytest.mark.case("solvers.H6")
def test_dataspaces_are_compared_and_not_how_they_are_encoded(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w", libver="latest") as file:
        file["x"] = np.arange(100_000)
    with h5py.File(path, "a") as file:  # whose objects are of the oldest format
        file["y"] = np.arange(100_000)
        file["single"] = 3.0
        file["y"].attrs["a"], file["y"].attrs["none"] = [1, 2, 3], h5py.Empty("f8")
    with repacked(path) as new:
        assert (new["x"].compression, new["y"].compression) == ("gzip", "gzip")
        assert (new["y"][...] == np.arange(100_000)).all()
        assert new["y"].attrs["a"].tolist() == [1, 2, 3]


@pytest.mark.case("solvers.H6.regions")
@pytest.mark.parametrize("versions", [("latest", None), (None, "latest")])
def test_regions_are_compared_and_not_how_they_are_encoded(tmp_path: Path, versions: tuple[Any, Any]) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w", libver=versions[0]) as file:
        file["x"] = np.arange(100_000).reshape(100, 1000)
    with h5py.File(path, "a", libver=versions[1]) as file:
        regions = [file["x"].regionref[one] for one in (np.s_[2:50:3, 7:900:5], np.s_[...], np.s_[[1, 5, 9], 3:4])]
        file.create_dataset("regions", data=regions, dtype=h5py.regionref_dtype)
        file["x"].attrs.create("region", regions[0], dtype=h5py.regionref_dtype)
    with repacked(path, "--filter", "deflate:1", "--dataset", "x") as new, h5py.File(path) as old:
        for one, other in zip(old["regions"][...], new["regions"][...], strict=True):
            assert np.array_equal(old[one][one], new[other][other])


@pytest.mark.case("solvers.H7")
def test_a_named_type_whose_last_link_was_removed_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    colour = h5py.enum_dtype({"RED": 0, "GREEN": 1}, basetype="i1")
    with h5py.File(path, "w") as file:
        file["kind"] = np.dtype([("colour", colour), ("rest", "<i4", (3,))])
        file["kind"].attrs["why"] = "because"
        values = np.zeros(30_000, file["kind"].dtype)
        values["colour"], values["rest"] = 1, np.arange(90_000).reshape(-1, 3)
        for name in ("x", "y"):
            file.create_dataset(name, data=values, dtype=file["kind"], chunks=(1000,))
        file["x"].attrs.create("attribute", values[:3], dtype=file["kind"])
        del file["kind"]
    with repacked(path) as new:
        assert all(new[name].id.get_type().committed() for name in "xy")
        assert h5py.h5o.get_info(new["x"].id.get_type()).addr == h5py.h5o.get_info(new["y"].id.get_type()).addr
        assert new["y"][...].tobytes() == values.tobytes()
        assert new["x"].attrs["attribute"].tobytes() == values[:3].tobytes()


def make_shared_messages(path: Path) -> None:
    """Write a file in which objects share types, shapes and fill values. It takes an HDF5 function that h5py lacks."""
    hdf5 = library.load()  # with which the library is loaded
    create, number = hdf5.H5Pcreate, ctypes.c_int64
    create.restype, create.argtypes = number, [number]
    hdf5.H5open()
    of_files = number.in_dll(hdf5, "H5P_CLS_FILE_CREATE_ID_g").value
    properties = create(of_files)
    assert hdf5.H5Pset_shared_mesg_nindexes(number(properties), 1) >= 0
    every_kind = 0x1F
    assert hdf5.H5Pset_shared_mesg_index(number(properties), 0, every_kind, 10) >= 0
    hdf5.H5Fcreate.restype = number
    file = hdf5.H5Fcreate(str(path).encode(), 2, number(properties), number(0))
    assert file >= 0
    hdf5.H5Fclose(number(file))
    hdf5.H5Pclose(number(properties))


@pytest.mark.case("solvers.H7.shared")
def test_files_whose_objects_share_messages(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    make_shared_messages(path)
    kind = np.dtype([("a", "<f8"), ("b", "<i4")])
    with h5py.File(path, "a") as file:
        for i in range(5):
            one = file.create_dataset(f"x{i}", (20_000,), kind, chunks=(1000,), fillvalue=np.array((1.5, 7), kind))
            one[i * 1000 : 10_000] = (i, i)
    with repacked(path) as new, h5py.File(path) as old:
        for i in range(5):
            assert new[f"x{i}"][...].tobytes() == old[f"x{i}"][...].tobytes()
            assert new[f"x{i}"].fillvalue == old[f"x{i}"].fillvalue


@pytest.mark.case("solvers.H2.repack")
@pytest.mark.parametrize("words", [("--dataset", "y", "--filter", "deflate:1"), ("--chunks", "3x4")])
@pytest.mark.parametrize("text", [False, True])
def test_arrays_whose_second_dimension_grows(tmp_path: Path, words: tuple[str, ...], text: bool) -> None:
    path = tmp_path / "any.h5"
    kind, count = (h5py.string_dtype(), str) if text else ("<i4", int)
    with h5py.File(path, "w", libver="v110") as file:
        x = file.create_dataset("x", (40, 60), kind, chunks=(4, 5), maxshape=(80, None))
        for i in range(0, 40, 3):
            x[i, i:] = [count(i * 60 + j) for j in range(60 - i)]
        file["y"] = np.arange(100_000).reshape(100, 1000)
    with repacked(path, *words) as new, h5py.File(path) as old:
        assert (new["x"][...] == old["x"][...]).all()
        assert new["x"].id.get_storage_size() <= 1.2 * old["x"].id.get_storage_size()


@pytest.mark.case("solvers.H6.texts")
def test_a_fill_value_may_be_a_text(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        texts = file.create_dataset("texts", (7,), h5py.string_dtype(), fillvalue="none")
        texts[...] = [str(i) for i in range(7)]
        file["y"] = np.arange(100_000)
    with repacked(path) as new:
        assert new["texts"].asstr()[...].tolist() == [str(i) for i in range(7)]
        new_properties = new["texts"].id.get_create_plist()
        assert new_properties.fill_value_defined() == h5py.h5d.FILL_VALUE_USER_DEFINED


def add_references(path: Path, count: int) -> None:
    """Add a dataset of references whose fill value is a null reference, as PyTables does. h5py cannot."""
    hdf5, number, of_default = library.load(), ctypes.c_int64, ctypes.c_int64(0)
    for name in ("H5Pcreate", "H5Fopen", "H5Screate_simple", "H5Dcreate2"):
        getattr(hdf5, name).restype = number
    kind = number.in_dll(hdf5, "H5T_STD_REF_OBJ_g")
    properties = number(hdf5.H5Pcreate(number.in_dll(hdf5, "H5P_CLS_DATASET_CREATE_ID_g")))
    assert hdf5.H5Pset_fill_value(properties, kind, ctypes.byref(ctypes.c_uint64(0))) >= 0
    space = number(hdf5.H5Screate_simple(1, ctypes.byref(ctypes.c_uint64(count)), None))
    file = number(hdf5.H5Fopen(str(path).encode(), 1, of_default))
    made = number(hdf5.H5Dcreate2(file, b"references", kind, space, of_default, properties, of_default))
    assert made.value >= 0
    hdf5.H5Dclose(made), hdf5.H5Fclose(file), hdf5.H5Sclose(space), hdf5.H5Pclose(properties)


@pytest.mark.case("solvers.H6.texts")
def test_a_fill_value_may_be_a_reference_that_names_nothing(tmp_path: Path) -> None:
    path = tmp_path / "any.h5"
    with h5py.File(path, "w") as file:
        file["y"] = np.arange(100_000)
    add_references(path, 2)
    with h5py.File(path, "a") as file:
        file["references"][0] = file["y"].ref
    with repacked(path) as new:
        assert new[new["references"][0]].name == "/y"
        assert not new["references"][1]


@pytest.mark.case("solvers.T2")
@pytest.mark.parametrize("of_dataset", [True, False])
@pytest.mark.parametrize("in_compound", [True, False])
def test_sequences_of_regions_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], of_dataset: bool, in_compound: bool
) -> None:
    path = tmp_path / "any.h5"
    element = h5py.h5t.STD_REF_DSETREG
    if in_compound:
        element = h5py.h5t.create(h5py.h5t.COMPOUND, 16)
        element.insert(b"number", 0, h5py.h5t.STD_I32LE)
        element.insert(b"region", 4, h5py.h5t.STD_REF_DSETREG)
    kind, space = h5py.h5t.vlen_create(element), h5py.h5s.create_simple((3,))
    with h5py.File(path, "w") as file:
        file["x"] = np.arange(100_000)
        if of_dataset:
            h5py.h5d.create(file.id, b"regions", kind, space)
        else:
            h5py.h5a.create(file["x"].id, b"regions", kind, space)
    before = path.read_bytes()
    assert main(["h5", "repack", str(path), "--dataset", "x", "--filter", "deflate:1"]) == 2
    told = capsys.readouterr().err
    assert "any.h5" in told
    assert ("dataset regions" if of_dataset else "attributes of x") in told
    assert "sequences of references to regions, which h5py does not read" in told
    assert path.read_bytes() == before
