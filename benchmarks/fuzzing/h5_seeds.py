"""Small HDF5 files of many kinds, from which damaged ones are made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import h5py
import numpy as np

from benchmarks.corpora.corpus_packages import Packages, all_fetched
from benchmarks.corpora.part_hdf5 import is_hdf5

READ = ("plain", "packed", "checked", "compact", "growing", "wide", "text", "group/inner", "virtual", "raw", "scaled")
_PACKAGES = Packages(sdists=("h5py", "tables", "pyfive", "hickle"), debian=("hdf5", "netcdf"))
_MOST_BYTES = 64 << 10  # of a package's file


def _fill(file: Any) -> None:
    """Fill a file with an object of each kind."""
    values = np.arange(240, dtype="<i4").reshape(12, 20)
    file["plain"] = values
    packed = {"chunks": (5, 7), "compression": "gzip", "shuffle": True}
    file.create_dataset("packed", data=values, fillvalue=7, **packed)
    file.create_dataset("checked", data=values * 0.5, chunks=(4, 20), fletcher32=True)
    file.create_dataset("growing", data=values, chunks=(3, 20), maxshape=(None, None))
    file.create_dataset("wide", data=np.zeros((2, 3, 4, 5)), chunks=(1, 2, 2, 5), maxshape=(None, 3, 4, 5))
    file.create_dataset("scaled", data=values, chunks=(6, 10), scaleoffset=0)
    file["text"] = np.array([b"one", b"twelve", b""], dtype="S8")
    compact = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    compact.set_layout(h5py.h5d.COMPACT)
    small = h5py.h5d.create(file.id, b"compact", h5py.h5t.NATIVE_INT16, h5py.h5s.create_simple((10,)), compact)
    small.write(h5py.h5s.ALL, h5py.h5s.ALL, np.arange(10, dtype="<i2"))
    group = file.create_group("group", track_order=True)
    group["inner"] = values[:3]
    group["again"] = file["plain"]
    group["strings"] = ["a", "longer", ""]
    kind = np.dtype([("x", "<f8"), ("inner", [("a", "<i2"), ("b", "S3")]), ("array", "<f4", (2, 3))])
    group["records"] = np.zeros(4, kind)
    group["named"] = kind
    group["lists"] = np.array([np.arange(2), np.arange(5)], dtype=h5py.vlen_dtype("<i4"))
    group["colours"] = np.array([0, 1], dtype=h5py.enum_dtype({"red": 0, "green": 1}, "u1"))
    group["soft"], group["outside"] = h5py.SoftLink("/plain"), h5py.ExternalLink("other.h5", "/x")
    group["references"] = np.array([file["plain"].ref, group.ref], dtype=h5py.ref_dtype)
    group.attrs["note"], group.attrs["refers"] = "text", file["packed"].ref
    for number in range(12):  # more than fit into an object's header
        file["plain"].attrs[f"attribute {number}"] = np.arange(number)
    layout = h5py.VirtualLayout((12, 20), "<i4")
    layout[...] = h5py.VirtualSource(".", "plain", (12, 20))
    file.create_virtual_dataset("virtual", layout)
    file.create_dataset("raw", (10,), "u1", external=[("raw.bin", 0, 10)])


def write_seeds(folder: Path) -> list[Path]:
    """Write the files: of the oldest and the newest form, with a block of the user's, and with dense groups."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "raw.bin").write_bytes(bytes(range(10)))
    how: dict[str, dict[str, Any]] = {
        "earliest": {"libver": "earliest"},
        "latest": {"libver": "latest"},
        "block": {"libver": ("earliest", "v110"), "userblock_size": 512},
        "paged": {"libver": "v110", "fs_strategy": "page", "fs_page_size": 512},
    }
    found = []
    for name, words in how.items():
        with h5py.File(folder / f"{name}.h5", "w", **words) as file:
            if "userblock_size" in words:
                for number in range(20):
                    file.create_group(f"many/{number}")
            _fill(file)
        found.append(folder / f"{name}.h5")
    return found


def package_seeds() -> list[bytes]:
    """Return small HDF5 files that Python packages and netCDF ship, without duplicates."""
    folders = [one.folder for one in all_fetched(_PACKAGES) if one.folder is not None]
    files = [file for folder in folders for file in sorted(folder.rglob("*")) if _is_small(file) and is_hdf5(file)]
    return list(dict.fromkeys(file.read_bytes() for file in files))


def _is_small(file: Path) -> bool:
    return file.is_file() and not file.is_symlink() and 0 < file.stat().st_size <= _MOST_BYTES
