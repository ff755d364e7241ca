"""Recipe for Spack: put this file into packages/rooftop of a repository of your own."""

from spack.package import *


class Rooftop(PythonPackage):
    """A performance-engineering bench for parallel programs: ladders from the naive program up to the roof."""

    # The file that `python -m build --sdist` makes: spack install --no-checksum in the folder that holds it.
    url = "file:///./rooftop-0.2.0.tar.gz"

    license("Apache-2.0")

    version("0.2.0")

    variant("hdf5", default=True, description="Read and write HDF5 files: h5io")
    variant("mpi", default=True, description="What rooftop build compiles programs of ranks with")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("python@3.11:", type=("build", "link", "run"))
    depends_on("py-scikit-build-core@0.11:0", type="build")
    # rooftop build compiles where it is used.
    depends_on("cmake@3.25:", type=("build", "run"))
    depends_on("ninja", type=("build", "run"))
    depends_on("pkgconfig", type=("build", "run"))
    depends_on("highway", type=("build", "link", "run"))
    depends_on("nlohmann-json", type=("build", "run"))
    depends_on("hdf5@1.10.5:", when="+hdf5", type=("build", "link", "run"))
    depends_on("libdeflate", when="+hdf5", type=("build", "link", "run"))
    depends_on("openmpi", when="+mpi", type="run")

    with default_args(type="run"):
        depends_on("py-alembic@1.13:")
        depends_on("py-h5py@3.11:", when="+hdf5")
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
        depends_on("py-typer@0.12:")

    def config_settings(self, spec, prefix):
        """Leave out what the variants do."""
        return {} if spec.satisfies("+hdf5") else {"cmake.define.ROOFTOP_HDF5_NAMES": "none"}
