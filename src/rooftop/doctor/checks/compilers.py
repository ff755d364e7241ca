"""A C++20 compiler builds everything; a second one and Fortran are for comparison."""

import re

from rooftop.doctor.check import Check, Found, missing, ok
from rooftop.doctor.remedy import Remedy
from rooftop.doctor.surroundings import Surroundings

_OLDEST_GCC = 12
_OLDEST_CLANG = 16


def _newest(here: Surroundings, names: list[str], oldest: int) -> Found:
    """Take the first of these programs that says a version of at least ``oldest``."""
    seen = []
    for name in names:
        line = here.first_line(name, "--version")
        match = re.search(r"(\d+)\.\d+(\.\d+)?", line or "")
        if line and match:
            if int(match[1]) >= oldest:
                return ok(f"{name}: {line}")
            seen.append(f"{name} is version {match[0]}")
    return missing(f"{', '.join(seen) or f'no {names[0]} found'}; expected version {oldest} or newer")


def _gcc(here: Surroundings) -> Found:
    return _newest(here, ["g++", "g++-14", "g++-13", "g++-12"], _OLDEST_GCC)


def _clang(here: Surroundings) -> Found:
    versions = [f"clang++-{version}" for version in range(21, _OLDEST_CLANG - 1, -1)]
    return _newest(here, ["clang++", *versions], _OLDEST_CLANG)


def _any_cxx(here: Surroundings) -> Found:
    for look in (_gcc, _clang):
        if (found := look(here)).status == "ok":
            return found
    return _gcc(here)


cxx = Check(
    name="C++20 compiler",
    group="build",
    required=True,
    costs="nothing can be built or measured",
    look=_any_cxx,
    remedy=Remedy(debian=("g++",)),
)
clang = Check(
    name="clang++",
    group="build",
    costs="the second compiler's builds, clang-tidy and the thread sanitizer are skipped",
    look=_clang,
    remedy=Remedy(debian=("clang-16",)),
)
fortran = Check(
    name="gfortran",
    group="build",
    costs="rungs and programs in Fortran are skipped",
    look=lambda here: _newest(here, ["gfortran", "gfortran-12"], _OLDEST_GCC),
    remedy=Remedy(debian=("gfortran",)),
)
