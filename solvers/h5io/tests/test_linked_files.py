"""Datasets in other files, reached through external links."""

from __future__ import annotations

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

CHUNKED = {"chunks": (100,), "compression": "gzip"}


@pytest.fixture
def main(tmp_path: Path) -> Path:
    """Return a file with a large dataset, and with links of all kinds to two files in another folder."""
    folder = tmp_path / "others"
    folder.mkdir()
    with h5py.File(folder / "last.h5", "w", userblock_size=512) as file:
        file["deep"] = np.arange(300.0)
    with h5py.File(folder / "other.h5", "w") as file:
        file["d"] = np.arange(1000.0)
        file.create_dataset("c", data=np.arange(1000.0), **CHUNKED)
        file["g/h"] = np.arange(5)
        file["g/deep"] = h5py.ExternalLink("last.h5", "/deep")
        file["back"] = h5py.ExternalLink("../main.h5", "/z")
    path = tmp_path / "main.h5"
    with h5py.File(path, "w") as file:
        file["z"] = np.full(100_000, 7.0)
        file["d"] = h5py.ExternalLink("others/other.h5", "/d")
        file["absolute"] = h5py.ExternalLink(str(folder / "other.h5"), "/d")
        file["c"] = h5py.ExternalLink("others/other.h5", "/c")
        file["group"] = h5py.ExternalLink("others/other.h5", "/g")
        file["soft"] = h5py.SoftLink("/group/h")
        file["back"] = h5py.ExternalLink("others/other.h5", "/back")
        file["self"] = h5py.ExternalLink("main.h5", "/z")
        file["none"] = h5py.ExternalLink("others/none.h5", "/d")
    return path


NAMES = ("z", "d", "absolute", "c", "group/h", "group/deep", "soft", "back", "self")


def everything(path: Path) -> dict[str, Any]:
    with h5py.File(path) as file:
        return {name: file[name][...] for name in NAMES}


@pytest.mark.case("solvers.H1")
@pytest.mark.parametrize("by_library", [False, True])
def test_what_links_lead_to_is_read(main: Path, by_library: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(main.parent)
    file, expected = h5io.File(main.name), everything(main)
    datasets = {name: file[name] for name in NAMES}
    monkeypatch.chdir("/")  # what is open stays open
    for name, dataset in datasets.items():
        for index in (np.s_[...], np.s_[0], np.s_[-1:], np.s_[1::3], np.s_[:0]):
            assert np.array_equal(dataset.read(index, by_library=by_library), expected[name][index]), (name, index)
        assert np.array_equal(dataset.read_later(by_library=by_library).wait(), expected[name])
        assert dataset.prefetch().wait().selected_bytes == dataset.nbytes


@pytest.mark.case("solvers.H1.written")
@pytest.mark.parametrize("by_library", [False, True])
def test_what_links_lead_to_is_written_and_nothing_else(main: Path, by_library: bool) -> None:
    expected = everything(main)
    for name in ("d", "c", "group/h", "group/deep"):
        with h5io.OutputFile(main, change=True) as file:
            for index in (np.s_[3:5], np.s_[...], np.s_[1::3], np.s_[0]):
                values = expected[name][index] + 1
                file[name].write(values, index, by_library=by_library)
                expected[name][index] = values
            file[name].write_later(expected[name][:4], np.s_[:4], by_library=by_library)
        expected["absolute"], expected["soft"] = expected["d"], expected["group/h"]
        found = everything(main)
        assert all(np.array_equal(found[one], expected[one]) for one in NAMES), name


@pytest.mark.case("solvers.H1.written")
def test_a_link_that_comes_back_is_the_file_itself(main: Path) -> None:
    with h5io.OutputFile(main, change=True) as file:
        for start, name in enumerate(("z", "back", "self")):
            file[name][start] = -1
    assert (everything(main)["z"][:4] == [-1, -1, -1, 7]).all()


@pytest.mark.case("solvers.H1.closed")
def test_files_of_links_are_closed_with_the_file(main: Path) -> None:
    file = h5io.OutputFile(main, change=True)
    linked, new = file["d"], file.dataset("group/new", (3,), "<i4")
    linked[0] = 5
    new[...] = 2
    file.close()
    with pytest.raises(h5io.H5ArgumentError, match=r"other\.h5 is closed"):
        linked[0] = 6
    with h5py.File(main.parent / "others" / "other.h5", "r+") as other:  # nobody holds its lock
        assert other["d"][0] == 5
        assert other["g/new"][...].tolist() == [2, 2, 2]


@pytest.mark.case("solvers.H1.named")
def test_messages_name_both_files(main: Path) -> None:
    with pytest.raises(h5io.H5FileError, match=r"main\.h5: dataset none cannot be opened: .*none\.h5"):
        h5io.File(main)["none"]
    other = main.parent / "others" / "other.h5"
    dataset = h5io.File(main)["d"]
    with other.open("r+b") as raw:
        raw.truncate(2100)
    with pytest.raises(h5io.H5FileError, match=r"others/other\.h5: is cut short"):
        dataset.read()


@pytest.mark.case("solvers.H1.raw")
@pytest.mark.parametrize("by_library", [False, True])
def test_values_in_raw_files_and_virtual_datasets(
    tmp_path: Path, by_library: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    values = np.arange(60, dtype="<i4").reshape(6, 10)
    with h5py.File("main.h5", "w") as file:
        raw = [("raw.bin", 0, h5py.h5f.UNLIMITED)]
        file.create_dataset("external", data=values, external=raw)
        file["z"] = np.zeros((100, 100))
        file.create_dataset("part", data=values, chunks=(2, 5), compression="gzip")
        layout = h5py.VirtualLayout((2, 6, 10), "<i4")
        layout[0] = h5py.VirtualSource(".", "part", (6, 10))
        layout[1] = h5py.VirtualSource("missing.h5", "part", (6, 10))
        file.create_virtual_dataset("virtual", layout, fillvalue=9)
    for name in ("external", "virtual"):
        with h5io.OutputFile("main.h5", change=True) as changed:
            part = np.s_[2:4, ::3] if name == "external" else np.s_[0, 2:4, ::3]
            changed[name].write(values[2:4, ::3] * -1, part, by_library=by_library)
    with h5py.File("main.h5") as file, h5io.File("main.h5") as ours:
        assert [ours[name].layout for name in ("external", "virtual", "part")] == ["external", "other", "chunked"]
        for name in ("external", "virtual", "part"):
            for index in (np.s_[...], np.s_[-1], np.s_[..., 3], np.s_[..., 1::4]):
                assert np.array_equal(ours[name].read(index, by_library=by_library), file[name][index])
            assert (file[name][...] < 0).sum() == 8
        assert not file["z"][...].any()
