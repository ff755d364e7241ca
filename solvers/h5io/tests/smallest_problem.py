"""The smallest problem, solved by the Python interface alone."""

import tempfile
from pathlib import Path

from rooftop.solvers import h5io

with tempfile.TemporaryDirectory() as folder:
    empty = Path(folder) / "empty.h5"
    empty.write_bytes(b"")
    try:
        h5io.File(empty)
    except h5io.H5FileError as error:
        assert "cannot be read as HDF5" in str(error)
    else:
        raise AssertionError("an empty file was opened")
