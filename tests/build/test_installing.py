"""The guide to installing the solvers works as it is written, and the package says what it has."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "guide" / "installing.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```sh\n(.*?)```", GUIDE, re.DOTALL)
FILES = dict(re.findall(r"^`([\w.]+)`:\n\n```\w+\n(.*?)```", GUIDE, re.DOTALL | re.MULTILINE))
SOLVERS = sorted(path.parent.name for path in (ROOT / "solvers").glob("[!_]*/CMakeLists.txt"))

PROJECT = """
cmake_minimum_required(VERSION 3.22)
project(stranger LANGUAGES C)
find_package(rooftop {asked})
if(NOT rooftop_FOUND)
  message(STATUS "NOT FOUND: ${{rooftop_NOT_FOUND_MESSAGE}}")
endif()
foreach(name IN ITEMS conv elasticity fft routing network)
  if(TARGET rooftop::${{name}}_c)
    message(STATUS "TARGET ${{name}}_c")
  endif()
endforeach()
"""


def run(words: Sequence[str | Path], folder: Path, home: Path) -> str:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("ROOFTOP_") or key == "ROOFTOP_LOCKS"
    }
    environment |= {"HOME": str(home), "PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}"}
    done = subprocess.run(
        list(words), cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module", name="home")
def home_fixture(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The user's folder, with what the guide's first commands install."""
    build = Settings().build_folder
    if build != ROOT / "build" / "release":
        pytest.skip(f"the guide is of build/release, and this is {build}")
    for solver in ("fft", "conv"):
        if not (build / "solvers" / solver / f"librooftop_{solver}.so").is_file():
            pytest.skip(f"the solver {solver} is not built")
    if shutil.which("cmake") is None or shutil.which("cc") is None:
        pytest.skip("there is no cmake, or no C compiler")
    home = tmp_path_factory.mktemp("home")
    run(["sh", "-ec", BLOCKS[0]], ROOT, home)
    return home


@pytest.mark.case("solvers.D2.guide")
def test_the_guide_works(home: Path) -> None:
    assert len(BLOCKS) == 4
    project = home / "spectrum"
    project.mkdir()
    for name, text in FILES.items():
        (project / name).write_text(text, encoding="utf-8")
    assert "sum 8\n" in run(["sh", "-ec", BLOCKS[1]], project, home)
    assert run(["sh", "-ec", BLOCKS[2]], project, home) == "sum 8\n"
    assert run(["sh", "-ec", BLOCKS[3]], ROOT, home) == "[4.+0.j 0.+0.j 0.+0.j 0.+0.j]\n"


def found(home: Path, asked: str) -> list[str]:
    """Configure a stranger's project and return what it finds."""
    project = home / "stranger"
    project.mkdir(exist_ok=True)
    (project / "CMakeLists.txt").write_text(PROJECT.format(asked=asked), encoding="utf-8")
    text = run(["cmake", "-S", project, "-B", project / "build", f"-Drooftop_ROOT={home / 'rooftop'}"], project, home)
    return re.findall(r"^-- (TARGET .*|NOT FOUND: .*)$", text, re.MULTILINE)


@pytest.mark.case("solvers.D2")
def test_without_components_every_installed_solver_is_found(home: Path) -> None:
    assert found(home, "0.3 REQUIRED") == ["TARGET conv_c", "TARGET fft_c"]
    assert found(home, "COMPONENTS fft") == ["TARGET fft_c"]
    assert found(home, "OPTIONAL_COMPONENTS fft routing") == ["TARGET fft_c"]


@pytest.mark.case("solvers.D2.names")
def test_a_component_that_is_missing_is_told_with_those_that_are_there(home: Path) -> None:
    said = " ".join(found(home, "COMPONENTS routing QUIET"))
    assert "solver 'routing' is not installed" in said
    assert "there are: conv, fft" in said


@pytest.mark.case("solvers.D2.soname")
@pytest.mark.parametrize("solver", SOLVERS)
def test_a_library_has_the_version_of_its_interface(solver: str) -> None:
    """A program that was linked with an older interface must not load a newer one."""
    header = (ROOT / "solvers" / solver / "include" / "rooftop" / f"{solver}.h").read_text(encoding="utf-8")
    build = (ROOT / "solvers" / solver / "CMakeLists.txt").read_text(encoding="utf-8")
    assert re.findall(r"ABI_VERSION (\d+)", header) == re.findall(r"SOVERSION (\d+)", build)
