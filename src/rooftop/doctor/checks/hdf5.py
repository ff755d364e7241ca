"""Parallel HDF5, which exists once per MPI library."""

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _hdf5(here: Surroundings) -> Found:
    for wrapper in ("h5pcc.openmpi", "h5pcc.mpich", "h5pcc"):
        if path := here.which(wrapper):
            return ok(path)
    if serial := here.which("h5cc"):
        return limited(f"only serial HDF5: {serial}")
    return missing("no h5pcc.openmpi, h5pcc.mpich or h5pcc")


hdf5 = Check(
    name="parallel HDF5",
    group="parallel",
    costs="experiments that write one file from several processes are skipped",
    look=_hdf5,
    remedy=Remedy(debian=("libhdf5-openmpi-dev",)),
)
