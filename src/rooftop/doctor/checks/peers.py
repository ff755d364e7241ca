"""The libraries that ladders are held against."""

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings


def _library(here: Surroundings, stem: str, *headers: str) -> Found:
    """Look for a shared library to run with and a header to build with."""
    library = here.library(stem)
    header = next((path for name in headers if (path := here.header(name))), None)
    if library and header:
        return ok(library)
    if library:
        return limited(f"{library} is here, but no {headers[0]} to build with")
    return missing(f"no {stem} and no {headers[0]}")


def _onnx_runtime(here: Surroundings) -> Found:
    if version := here.python_package("onnxruntime"):
        return ok(f"onnxruntime {version} in {here.python}")
    return missing(f"no onnxruntime in {here.python}")


def _ducc(here: Surroundings) -> Found:
    if version := here.python_package("ducc0"):
        return ok(f"ducc0 {version} in {here.python}")
    return missing(f"no ducc0 in {here.python}")


openblas = Check(
    name="OpenBLAS",
    group="peers",
    costs="the rung with a library's product, the im2col peer and the check of the FMA peak are skipped",
    look=lambda here: _library(here, "libopenblas.so", "cblas.h", "openblas/cblas.h", "openblas-pthread/cblas.h"),
    remedy=Remedy(debian=("libopenblas-dev",)),
)
onednn = Check(
    name="oneDNN",
    group="peers",
    costs="the peer oneDNN is skipped: a ladder's top is held against fewer libraries",
    look=lambda here: _library(here, "libdnnl.so", "dnnl.hpp", "oneapi/dnnl/dnnl.hpp"),
    remedy=Remedy(debian=("libdnnl-dev",)),
)
onnx_runtime = Check(
    name="ONNX Runtime",
    group="peers",
    costs="the peer ONNX Runtime is skipped: a ladder's top is held against fewer libraries",
    look=_onnx_runtime,
    remedy=Remedy(pypi=("onnxruntime",)),
)
ducc = Check(
    name="DUCC",
    group="peers",
    costs="the peer DUCC is skipped: the ladder of Fourier transforms is held against fewer libraries",
    look=_ducc,
    remedy=Remedy(pypi=("ducc0",)),
)
