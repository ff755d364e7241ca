from spack_repo.builtin.packages.py_meshio.package import PyMeshio as BuiltinPyMeshio

from spack.package import depends_on, version, when


class PyMeshio(BuiltinPyMeshio):
    __doc__ = BuiltinPyMeshio.__doc__

    version("5.3.5", sha256="f21f01abd9f29ba06ea119304b3d39e610421cfe93b9dd23362834919f87586d")

    with when("@5.3:"):
        depends_on("python@3.8:", type=("build", "run"))
        depends_on("py-numpy@1.20:", type=("build", "run"))
        depends_on("py-rich", type=("build", "run"))
