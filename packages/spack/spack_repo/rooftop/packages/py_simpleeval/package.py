from spack_repo.builtin.packages.py_simpleeval.package import PySimpleeval as BuiltinPySimpleeval

from spack.package import depends_on, version


class PySimpleeval(BuiltinPySimpleeval):
    __doc__ = BuiltinPySimpleeval.__doc__

    version("1.0.8", sha256="b417f869c11f2de034eb919820a825f35d12ce99f63a43971947ce73679eb9ba")

    depends_on("python@3.9:", type=("build", "run"), when="@1:")
    depends_on("py-hatchling", type="build", when="@1:")
