"""HDF5 files read into NumPy arrays, and written from them: ``solvers/h5io``.

::

    from rooftop.solvers import h5io

    with h5io.OutputFile("run.h5") as file:
        x = file.dataset("x", (1000, 1000), "<f4", chunks=(100, 100), filters=("shuffle", "deflate:4"))
        x[...] = values

    with h5io.File("run.h5") as file:
        file.datasets()  # ["x"]
        x = file["x"]
        x.shape, x.dtype, x.chunks
        every_fourth = x[::4]
        later = x.read_later(np.s_[:500])  # goes on while the program computes
        values = later.wait()
        for block in x.blocks(rows=100):  # the next one is read meanwhile
            ...

Contiguous arrays are read straight from the file, strided selections of them with as few calls as pay, and chunks are
decoded and encoded by all threads. Anything else is done by the HDF5 library. Values are those of the file, in its
order of bytes. The GIL is free meanwhile.
"""

from rooftop.solvers.h5io.later import Request
from rooftop.solvers.h5io.library import H5ArgumentError, H5Cancelled, H5FileError
from rooftop.solvers.h5io.reading import Dataset, File, Filter
from rooftop.solvers.h5io.transfer import Report
from rooftop.solvers.h5io.writing import OutputDataset, OutputFile

__all__ = [
    "Dataset",
    "File",
    "Filter",
    "H5ArgumentError",
    "H5Cancelled",
    "H5FileError",
    "OutputDataset",
    "OutputFile",
    "Report",
    "Request",
]
