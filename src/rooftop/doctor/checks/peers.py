"""The libraries that ladders are compared with, and allocators that can replace the C library's."""

from rooftop.doctor.check import Check, Found, Remedy, check, library, limited, missing, ok, package
from rooftop.doctor.surroundings import Surroundings

_BLAS_HEADERS = ("cblas.h", "openblas/cblas.h", "openblas-pthread/cblas.h")
_ALLOCATORS = {"jemalloc": "libjemalloc.so", "tcmalloc": "libtcmalloc_minimal.so", "mimalloc": "libmimalloc.so"}

DECLARED = [
    Check(
        "OpenBLAS",
        "peers",
        "the rung with a library's product, the im2col peer and the check of the FMA peak are skipped",
        library("libopenblas.so", *_BLAS_HEADERS),
        Remedy(debian=("libopenblas-dev",)),
    ),
    Check(
        "oneDNN",
        "peers",
        "the peer oneDNN is skipped: the top rung is compared with fewer libraries",
        library("libdnnl.so", "dnnl.hpp", "oneapi/dnnl/dnnl.hpp"),
        Remedy(debian=("libdnnl-dev",)),
    ),
    Check(
        "ONNX Runtime",
        "peers",
        "the peer ONNX Runtime is skipped: the top rung is compared with fewer libraries",
        package("onnxruntime"),
        Remedy(pypi=("onnxruntime",)),
    ),
    Check(
        "DUCC",
        "peers",
        "the peer DUCC is skipped: the ladder of Fourier transforms is compared with fewer libraries",
        package("ducc0"),
        Remedy(pypi=("ducc0",)),
    ),
]


@check(
    "allocators",
    "peers",
    "comparisons with other memory allocators are skipped",
    Remedy(debian=("libjemalloc2", "libtcmalloc-minimal4", "libmimalloc2.0")),
)
def allocators(here: Surroundings) -> Found:
    """Look for each of them."""
    found = {name: path for name, stem in _ALLOCATORS.items() if (path := here.library(stem))}
    absent = ", ".join(name for name in _ALLOCATORS if name not in found)
    if not found:
        return missing(f"none of {absent}")
    return limited(f"{', '.join(found)}; without {absent}") if absent else ok(", ".join(found))
