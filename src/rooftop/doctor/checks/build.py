"""What the build needs: a C++20 compiler, CMake, Ninja, headers, git; other compilers are for comparison."""

import re
from functools import partial

from rooftop.doctor.check import Check, Found, Remedy, limited, missing, ok
from rooftop.doctor.surroundings import Surroundings

_OLDEST_CMAKE = (3, 25)


def _cmake(here: Surroundings) -> Found:
    line = here.first_line("cmake", "--version")
    match = re.search(r"(\d+)\.(\d+)", line or "")
    if line is None or match is None:
        return missing("no cmake found; expected version 3.25 or newer")
    if (int(match[1]), int(match[2])) < _OLDEST_CMAKE:
        return missing(f"{line}; expected version 3.25 or newer")
    return ok(line)


def _ninja(here: Surroundings) -> Found:
    line = here.first_line("ninja", "--version")
    return ok(f"ninja {line}") if line else missing("no ninja found; the presets build with it")


def _header(name: str, here: Surroundings) -> Found:
    header = here.header(name)
    return ok(header) if header else missing(f"no {name} where compilers look for headers")


def _built(here: Surroundings) -> Found:
    folder = here.settings.build_folder
    if not (folder / "build.json").is_file():
        return missing(f"nothing built in {folder}")
    if not (folder / "probes").is_dir():
        return limited(f"{folder} has no probes")
    return ok(str(folder))


cmake = Check(
    name="CMake",
    group="build",
    required=True,
    costs="nothing can be built",
    look=_cmake,
    remedy=Remedy(debian=("cmake",)),
)
ninja = Check(
    name="Ninja",
    group="build",
    required=True,
    costs="nothing can be built with the presets that make climb and make test use",
    look=_ninja,
    remedy=Remedy(debian=("ninja-build",)),
)
json = Check(
    name="nlohmann JSON",
    group="build",
    required=True,
    costs="drivers and probes cannot be built",
    look=partial(_header, "nlohmann/json.hpp"),
    remedy=Remedy(debian=("nlohmann-json3-dev",)),
)
highway = Check(
    name="Google Highway",
    group="build",
    costs="the solvers, and with them the top rung of each ladder, are skipped",
    look=partial(_header, "hwy/highway.h"),
    remedy=Remedy(debian=("libhwy-dev",)),
)
google_test = Check(
    name="GoogleTest",
    group="build",
    costs="the tests of the C++ parts are skipped",
    look=partial(_header, "gtest/gtest.h"),
    remedy=Remedy(debian=("libgtest-dev",)),
)
built = Check(
    name="drivers and probes",
    group="build",
    costs="nothing can be measured until they are built",
    look=_built,
    remedy=Remedy(command="make climb"),
)


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


def _git(here: Surroundings) -> Found:
    line = here.first_line("git", "--version")
    return ok(line) if line else missing("no git found")


git = Check(
    name="git",
    group="build",
    costs="rooftop gate cannot build revisions; it compares commands only",
    look=_git,
    remedy=Remedy(debian=("git",)),
)
