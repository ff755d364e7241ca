"""Recipes for EasyBuild and Spack: they name what pyproject.toml and packages/debian.txt do, and this version."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

import pytest

import rooftop

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "packages"
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LISTED = {line.split()[0] for line in (PACKAGES / "debian.txt").read_text(encoding="utf-8").splitlines() if line}
SPACK = PACKAGES / "spack" / "spack_repo" / "rooftop"
# What the package is compiled with: Debian's name, and Spack's.
COMPILED_WITH = {
    "g++": "cxx",
    "cmake": "cmake",
    "ninja-build": "ninja",
    "pkg-config": "pkgconfig",
    "libhwy-dev": "highway",
    "nlohmann-json3-dev": "nlohmann-json",
    "libnanoflann-dev": "nanoflann",
    "libhdf5-openmpi-dev": "hdf5",
    "libdeflate-dev": "libdeflate",
}


def _easyconfig() -> tuple[Path, dict[str, ast.expr]]:
    (file,) = (PACKAGES / "easybuild").glob("*.eb")
    assigned = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
    return file, {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}


def _calls(recipe: str, name: str) -> list[str]:
    """Return the first arguments of a directive's calls in a recipe for Spack."""
    tree = ast.parse((SPACK / "packages" / recipe / "package.py").read_text(encoding="utf-8"))
    return [
        ast.literal_eval(node.args[0])
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == name
    ]


def _least(requirements: Iterable[str]) -> dict[str, str]:
    """Return the least version of each of Python's requirements, such as "rich>=13.7"."""
    return dict(re.findall(r"^([\w.-]+)>=([\d.]+)", "\n".join(requirements), re.MULTILINE))


def _asked() -> dict[str, str]:
    """Return what the recipe for Spack depends on, with the least version of each: "" where any will do."""
    return {
        name: least
        for spec in _calls("rooftop", "depends_on")
        for name, least in re.findall(r"^([\w-]+)(?:@([\d.]+):)?", spec)
    }


def test_the_easyconfig_is_of_this_version_and_its_extras_exist() -> None:
    file, values = _easyconfig()
    assert ast.literal_eval(values["version"]) == rooftop.__version__
    assert file.name == f"rooftop-{rooftop.__version__}.eb"
    extras = ast.literal_eval(values["use_pip_extras"]).split(",")
    assert set(extras) <= set(PYPROJECT["project"]["optional-dependencies"])


def test_the_easyconfig_asks_the_system_for_what_the_tree_is_compiled_with() -> None:
    asked = [
        {names} if isinstance(names, str) else set(names)
        for names in ast.literal_eval(_easyconfig()[1]["osdependencies"])
    ]
    assert [name for name in COMPILED_WITH if not any(name in names for names in asked)] == []
    # Headers of Python come with the version of Python that is listed.
    known = LISTED | {f"{name}-dev" for name in LISTED}
    assert [names for names in asked if not names & known] == []


def test_the_recipe_for_spack_is_of_this_version() -> None:
    assert _calls("rooftop", "version") == [rooftop.__version__]
    recipe = (SPACK / "packages" / "rooftop" / "package.py").read_text(encoding="utf-8")
    assert re.findall(r"rooftop-([\d.]+)\.tar\.gz", recipe) == [rooftop.__version__]


def test_the_recipe_for_spack_has_what_python_imports() -> None:
    project = PYPROJECT["project"]
    wanted = _least([*project["dependencies"], *project["optional-dependencies"]["hdf5"]])
    asked = {name.removeprefix("py-"): least for name, least in _asked().items() if name.startswith("py-")}
    assert asked == wanted | _least(PYPROJECT["build-system"]["requires"])
    assert _asked()["python"] == _least([f"python{project['requires-python']}"])["python"]


def test_the_recipe_for_spack_has_what_the_tree_is_compiled_with() -> None:
    assert [name for name in COMPILED_WITH if name not in LISTED] == []
    asked = _asked()
    assert [name for name in COMPILED_WITH.values() if name not in asked] == []
    cmake = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
    json = (ROOT / "cmake" / "compilation.cmake").read_text(encoding="utf-8")
    assert [asked["cmake"]] == re.findall(r"cmake_minimum_required\(VERSION ([\d.]+)\)", cmake)
    assert [asked["nlohmann-json"]] == re.findall(r"find_package\(nlohmann_json ([\d.]+)", json)


def _numbers(version: str) -> list[int]:
    return [int(part) for part in version.split(".")]


@pytest.mark.parametrize(
    "folder", [path.name for path in sorted((SPACK / "packages").iterdir()) if path.name.startswith("py_")]
)
def test_a_recipe_beside_it_has_a_version_that_will_do(folder: str) -> None:
    """The packages that Spack lacks, or has too old."""
    least = _asked()[folder.replace("_", "-")]
    (version,) = _calls(folder, "version")
    assert _numbers(version) >= _numbers(least)
