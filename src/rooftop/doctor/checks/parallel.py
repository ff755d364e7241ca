"""The MPI libraries, by the full names of their programs or by plain ones that say which they are; parallel HDF5."""

from functools import partial

from rooftop.doctor.check import Check, Found, Remedy, check, limited, missing, ok
from rooftop.doctor.surroundings import Surroundings
from rooftop.launchers import launchers
from rooftop.launchers.launcher import Launcher


def _look(launcher: Launcher, here: Surroundings) -> Found:
    wrapper = f"mpicxx.{launcher.mpi[0]}"
    called = launcher.called(here.which, lambda program: here.first_line(program, "--version"))
    if called is None:
        return missing(f"no {wrapper} and {launcher.program}")
    program = here.which(called) or called
    if here.which(wrapper) or (called != launcher.program and here.which("mpicxx")):
        return ok(here.first_line(called, "--version") or program)
    return limited(f"{program} can launch programs, but there is no {wrapper} to build them")


mpi = [
    Check(
        name=one.title,
        group="parallel",
        costs=one.costs,
        look=partial(_look, one),
        remedy=Remedy(debian=one.packages),
    )
    for one in launchers()
    if one.packages
]


@check(
    "parallel HDF5",
    "parallel",
    "experiments that write one file from several processes are skipped",
    Remedy(debian=("libhdf5-openmpi-dev",)),
)
def hdf5(here: Surroundings) -> Found:
    """Look for the compiler wrappers."""
    for wrapper in ("h5pcc.openmpi", "h5pcc.mpich", "h5pcc"):
        if path := here.which(wrapper):
            return ok(path)
    if serial := here.which("h5cc"):
        return limited(f"only serial HDF5: {serial}")
    return missing("no h5pcc.openmpi, h5pcc.mpich or h5pcc")
