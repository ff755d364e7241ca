from spack_repo.builtin.build_systems.python import PythonPackage

from spack.package import depends_on, license, version


class PyJunitparser(PythonPackage):
    """Reads and writes results of tests in the XML of JUnit."""

    homepage = "https://github.com/weiwei/junitparser"
    pypi = "junitparser/junitparser-4.0.2.tar.gz"

    license("Apache-2.0")

    version("4.0.2", sha256="d5d07cece6d4a600ff3b7b96c8db5ffa45a91eed695cb86c45c3db113c1ca0f8")

    depends_on("py-setuptools@61:", type="build")
