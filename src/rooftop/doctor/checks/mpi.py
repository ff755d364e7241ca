"""Both MPI libraries, each by the full names of its wrappers: plain mpicxx may be either."""

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _mpi(here: Surroundings, suffix: str) -> Found:
    compiler, launcher = here.which(f"mpicxx.{suffix}"), here.which(f"mpirun.{suffix}")
    if compiler and launcher:
        return ok(here.first_line(f"mpirun.{suffix}", "--version") or launcher)
    if launcher:
        return limited(f"{launcher} can launch programs, but there is no mpicxx.{suffix} to build them")
    return missing(f"no mpicxx.{suffix} and mpirun.{suffix}")


open_mpi = Check(
    name="Open MPI",
    group="parallel",
    costs="experiments over several processes are skipped with this library",
    look=lambda here: _mpi(here, "openmpi"),
    remedy=Remedy(debian=("openmpi-bin", "libopenmpi-dev")),
)
mpich = Check(
    name="MPICH",
    group="parallel",
    costs="the comparison of the two MPI libraries is skipped",
    look=lambda here: _mpi(here, "mpich"),
    remedy=Remedy(debian=("mpich", "libmpich-dev")),
)
