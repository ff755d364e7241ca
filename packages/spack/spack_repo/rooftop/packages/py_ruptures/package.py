from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import default_args, depends_on, license, version


class PyRuptures(PythonPackage):
    """Finds changes of level in signals."""

    homepage = "https://github.com/deepcharles/ruptures"
    pypi = "ruptures/ruptures-1.1.10.tar.gz"

    license("BSD-2-Clause")

    version("1.1.10", sha256="76b998f10709045e91a5f44173dc574bf98a106fd3bf22ec3c63b298a02df031")

    depends_on("c", type="build")
    depends_on("py-cython@0.28.5:", type="build")
    depends_on("py-setuptools@42:", type="build")
    depends_on("py-setuptools-scm@3.4:", type="build")

    with default_args(type=("build", "run")):
        depends_on("python@3.9:")
        depends_on("py-numpy")
        depends_on("py-scipy@0.19.1:")
