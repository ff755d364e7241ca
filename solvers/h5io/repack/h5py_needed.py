"""Import of h5py, which only this command needs."""

from __future__ import annotations

from importlib.util import find_spec

from rooftop.errors import Misuse


def require_h5py() -> None:
    """Register the filters of hdf5plugin, if it is installed. Raises Misuse if h5py is missing or too old."""
    if find_spec("h5py") is None:
        raise Misuse("'rooftop h5 repack' needs h5py, which is not installed; expected 'pip install h5py hdf5plugin'")
    import h5py

    if not hasattr(h5py.h5d.DatasetID, "chunk_iter"):
        raise Misuse(
            f"h5py is {h5py.version.version} with HDF5 {h5py.version.hdf5_version}, expected 3.11 or later with HDF5 "
            "1.14 or later: pip install --upgrade h5py"
        )
    if find_spec("hdf5plugin") is not None:
        import hdf5plugin  # noqa: F401
