"""Memory allocators that can be put in the place of the C library's."""

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings

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
