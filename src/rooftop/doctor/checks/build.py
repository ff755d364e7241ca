"""What the build needs: a C++20 compiler, CMake, Ninja, headers, git; other compilers are for comparison."""

from rooftop.doctor.check import Check, Found, Remedy, check, header, limited, missing, newest, ok
from rooftop.doctor.surroundings import Surroundings
from rooftop.settings import SOURCES, own_tree

_OLDEST_COMPILER, _OLDEST_CLANG = (12,), (16,)
_GCC = ("g++", "g++-14", "g++-13", "g++-12")
_CLANG = ("clang++", *(f"clang++-{version}" for version in range(21, _OLDEST_CLANG[0] - 1, -1)))

DECLARED = [
    Check("CMake", "build", "nothing can be built", newest("cmake", oldest=(3, 25)), Remedy(debian=("cmake",)), True),
    Check(
        "Ninja",
        "build",
        "nothing can be built with the presets, which make climb and make test use",
        newest("ninja"),
        Remedy(debian=("ninja-build",)),
        required=True,
    ),
    Check(
        "nlohmann JSON",
        "build",
        "drivers and probes cannot be built",
        header("nlohmann/json.hpp"),
        Remedy(debian=("nlohmann-json3-dev",)),
        required=True,
    ),
    Check(
        "Google Highway",
        "build",
        "the solvers, and with them the top rung of each ladder, are skipped",
        header("hwy/highway.h"),
        Remedy(debian=("libhwy-dev",)),
    ),
    Check(
        "GoogleTest",
        "build",
        "the tests of the C++ parts are skipped",
        header("gtest/gtest.h"),
        Remedy(debian=("libgtest-dev",)),
    ),
    Check(
        "clang++",
        "build",
        "builds with a second compiler, clang-tidy and the thread sanitizer are skipped",
        newest(*_CLANG, oldest=_OLDEST_CLANG),
        Remedy(debian=("clang-16",)),
    ),
    Check(
        "gfortran",
        "build",
        "rungs and programs in Fortran are skipped",
        newest("gfortran", "gfortran-12", oldest=_OLDEST_COMPILER),
        Remedy(debian=("gfortran",)),
    ),
    Check(
        "git",
        "build",
        "rooftop gate compares commands only: it cannot build revisions",
        newest("git"),
        Remedy(debian=("git",)),
    ),
]


@check("C++20 compiler", "build", "nothing can be built or measured", Remedy(debian=("g++",)), required=True)
def cxx(here: Surroundings) -> Found:
    """Take GCC, or else clang."""
    gcc = newest(*_GCC, oldest=_OLDEST_COMPILER)(here)
    clang = newest(*_CLANG, oldest=_OLDEST_CLANG)(here)
    return clang if gcc.status != "ok" and clang.status == "ok" else gcc


@check(
    "drivers and probes",
    "build",
    "ladders and labs need drivers, and limits need probes: what is not built is not measured",
    Remedy(command="make climb"),
)
def built(here: Surroundings) -> Found:
    """Look into the build folder: that of an installed package has no drivers."""
    folder = here.settings.build_folder
    remedy = Remedy(command="rooftop build") if own_tree() == SOURCES else None
    if not (folder / "build.json").is_file():
        return missing(f"nothing built in {folder}", remedy)
    parts = {"drivers": ("experiments/*/driver", "experiments/labs/*/driver"), "probes": ("probes/*",)}
    lacking = [name for name, patterns in parts.items() if not any(any(folder.glob(one)) for one in patterns)]
    return limited(f"{folder} has no {' and no '.join(lacking)}", remedy) if lacking else ok(str(folder))
