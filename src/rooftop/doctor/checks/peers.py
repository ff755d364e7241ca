"""The libraries that ladders are held against, and allocators in the place of the C library's."""

from functools import partial

from rooftop.doctor.check import Check, Found, Remedy, limited, missing, ok
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


def _package(name: str, here: Surroundings) -> Found:
    version = here.python_package(name)
    return ok(f"{name} {version} in {here.python}") if version else missing(f"no {name} in {here.python}")


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
    look=partial(_package, "onnxruntime"),
    remedy=Remedy(pypi=("onnxruntime",)),
)
ducc = Check(
    name="DUCC",
    group="peers",
    costs="the peer DUCC is skipped: the ladder of Fourier transforms is held against fewer libraries",
    look=partial(_package, "ducc0"),
    remedy=Remedy(pypi=("ducc0",)),
)


_STEMS = {"jemalloc": "libjemalloc.so", "tcmalloc": "libtcmalloc_minimal.so", "mimalloc": "libmimalloc.so"}


def _allocators(here: Surroundings) -> Found:
    found = {name: path for name, stem in _STEMS.items() if (path := here.library(stem))}
    absent = [name for name in _STEMS if name not in found]
    if not absent:
        return ok(", ".join(found))
    if found:
        return limited(f"{', '.join(found)}; without {', '.join(absent)}")
    return missing(f"none of {', '.join(absent)}")


allocators = Check(
    name="allocators",
    group="peers",
    costs="comparisons with other memory allocators are skipped",
    look=_allocators,
    remedy=Remedy(debian=("libjemalloc2", "libtcmalloc-minimal4", "libmimalloc2.0")),
)
