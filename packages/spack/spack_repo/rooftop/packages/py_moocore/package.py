from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import default_args, depends_on, license, version


class PyMoocore(PythonPackage):
    """Core algorithms of multi-objective optimization."""

    homepage = "https://multi-objective.github.io/moocore/python/"
    pypi = "moocore/moocore-0.3.2.tar.gz"

    license("LGPL-2.1-or-later")

    version("0.3.2", sha256="118f546d27f93e814bf84cc8007ea8e0a2ec2b3e761fe4e54f864165c45e392d")

    depends_on("c", type="build")
    depends_on("py-setuptools@77.0.3:", type="build")

    with default_args(type=("build", "run")):
        depends_on("python@3.10:")
        depends_on("py-cffi@1.17.1:")
        depends_on("py-numpy@1.24:")
        depends_on("py-platformdirs")
