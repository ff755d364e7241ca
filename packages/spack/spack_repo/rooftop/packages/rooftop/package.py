"""Rooftop by Spack 1.0 or later: spack repo add packages/spack/spack_repo/rooftop

The source is made by `python -m build --sdist`. In the folder that has it:
spack install --no-checksum rooftop

Of what it depends on, the recipes beside this one are those that Spack's own packages of July 2026
lack or have in older versions. Spack 1.3.0.dev0 concretizes it with those, compiles the recipes
beside it, and has installed and loaded it with nothing compiled, with Debian's libraries and
Python's packages as externals. It was stopped at 55 of the 288 steps that compile it.

Of the extras it has hdf5: for those of cluster and serve, py-psij-python and py-starlette are too
old there. `rooftop build` and --ranks with Spack's own MPI have not been tried.
"""

from pathlib import Path

from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import (
    default_args,
    depends_on,
    determine_number_of_jobs,
    license,
    variant,
    version,
    which,
)


class Rooftop(PythonPackage):
    """A performance-engineering bench for parallel programs: ladders from the naive program up
    to the roof.
    """

    manual_download = True
    url = f"{Path.cwd().as_uri()}/rooftop-0.3.0.tar.gz"

    license("Apache-2.0")

    version("0.3.0")  # of a source that is made here, without a checksum

    variant("hdf5", default=True, description="Read and write HDF5 files: h5io, rooftop h5")
    variant("mpi", default=False, description="Take the HDF5 of an MPI, and load that MPI")

    with default_args(type="build"):
        depends_on("c")
        depends_on("cxx")
        depends_on("py-scikit-build-core@0.11:0")

    # `rooftop build` compiles sources where they run, with the same.
    with default_args(type=("build", "run")):
        depends_on("python@3.11:")
        depends_on("cmake@3.25:")
        depends_on("ninja")
        depends_on("pkgconfig")
        depends_on("nlohmann-json@3.11:")
        depends_on("nanoflann")

    with default_args(type=("build", "link", "run")):
        depends_on("highway")
        depends_on("hdf5~mpi", when="+hdf5~mpi")
        depends_on("hdf5+mpi", when="+hdf5+mpi")
        depends_on("libdeflate", when="+hdf5")
        depends_on("mpi", when="+mpi")

    with default_args(type="run"):
        depends_on("py-alembic@1.13:")
        depends_on("py-jinja2@3.1:")
        depends_on("py-junitparser@3.2:")
        depends_on("py-matplotlib@3.8:")
        depends_on("py-meshio@5.3:")
        depends_on("py-moocore@0.3:")
        depends_on("py-numpy@1.26:")
        depends_on("py-optuna@4:")
        depends_on("py-platformdirs@4:")
        depends_on("py-plotly@5.20:")
        depends_on("py-psutil@5.9:")
        depends_on("py-pydantic@2.6:")
        depends_on("py-rich@13.7:")
        depends_on("py-ruptures@1.1.9:")
        depends_on("py-scipy@1.11:")
        depends_on("py-simpleeval@1:")
        depends_on("py-sqlalchemy@2.0.25:")
        depends_on("py-threadpoolctl@3.1:")
        depends_on("py-typer@0.12:")
        depends_on("py-h5py@3.11:~mpi", when="+hdf5~mpi")
        depends_on("py-h5py@3.11:+mpi", when="+hdf5+mpi")
        depends_on("py-hdf5plugin@4.1:", when="+hdf5")

    import_modules = ("rooftop", "rooftop.cli", "rooftop.solvers")

    def setup_build_environment(self, env):
        """Have Ninja start as many jobs as Spack was asked for."""
        env.set(
            "CMAKE_BUILD_PARALLEL_LEVEL", str(determine_number_of_jobs(parallel=self.parallel))
        )

    def config_settings(self, spec, prefix):
        """Name the HDF5 of the variants, as pkg-config has it: Spack's before the system's."""
        names = "none"
        if spec.satisfies("+hdf5"):
            names = (
                "hdf5;hdf5-serial" if spec.satisfies("~mpi") else "hdf5;hdf5-openmpi;hdf5-mpich"
            )
        return {
            "cmake.define.ROOFTOP_HDF5_NAMES": names,
            # Behind Spack's wrappers ccache does not see for which processor they compile.
            "cmake.define.ROOFTOP_CCACHE": "OFF",
        }

    def test_solve(self):
        """Transform the smallest class of FT"""
        which(self.prefix.bin.rooftop, required=True)("solve", "ft", "--class", "S")
