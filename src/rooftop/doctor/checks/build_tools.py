"""What the build needs besides a compiler."""

import re

from rooftop.doctor.check import Check, Found, limited, missing, ok
from rooftop.doctor.remedy import Remedy
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


def _json(here: Surroundings) -> Found:
    header = here.header("nlohmann/json.hpp")
    return ok(header) if header else missing("no nlohmann/json.hpp where compilers look for headers")


def _highway(here: Surroundings) -> Found:
    header = here.header("hwy/highway.h")
    return ok(header) if header else missing("no hwy/highway.h where compilers look for headers")


def _google_test(here: Surroundings) -> Found:
    header = here.header("gtest/gtest.h")
    return ok(header) if header else missing("no gtest/gtest.h where compilers look for headers")


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
    look=_json,
    remedy=Remedy(debian=("nlohmann-json3-dev",)),
)
highway = Check(
    name="Google Highway",
    group="build",
    costs="the solvers, and with them the top rung of each ladder, are skipped",
    look=_highway,
    remedy=Remedy(debian=("libhwy-dev",)),
)
google_test = Check(
    name="GoogleTest",
    group="build",
    costs="the tests of the C++ parts are skipped",
    look=_google_test,
    remedy=Remedy(debian=("libgtest-dev",)),
)
built = Check(
    name="drivers and probes",
    group="build",
    costs="nothing can be measured until they are built",
    look=_built,
    remedy=Remedy(command="make climb"),
)
