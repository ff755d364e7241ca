"""Recipes for EasyBuild, Spack and containers: they name what pyproject.toml asks for, and the version that this is."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path

import pytest

import rooftop

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ROOT / "packages"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
NEEDED = {re.split(r"[<>=]", one)[0] for one in PROJECT["dependencies"]}
# Modules of EasyBuild that have several packages of Python.
BUNDLES = {
    "Python-bundle-PyPI": {"jinja2", "platformdirs", "rich"},
    "SQLAlchemy": {"alembic", "sqlalchemy"},
    "SciPy-bundle": {"numpy", "scipy"},
    "plotly.py": {"plotly"},
}


def _easyconfig() -> tuple[Path, dict[str, ast.expr]]:
    (file,) = (PACKAGES / "easybuild").glob("*.eb")
    assigned = [node for node in ast.parse(file.read_text(encoding="utf-8")).body if isinstance(node, ast.Assign)]
    return file, {target.id: node.value for node in assigned for target in node.targets if isinstance(target, ast.Name)}


def test_the_easyconfig_has_what_the_package_needs() -> None:
    file, values = _easyconfig()
    version = ast.literal_eval(values["version"])
    toolchain = ast.literal_eval(values["toolchain"])
    assert version == rooftop.__version__
    assert file.name == f"rooftop-{version}-{toolchain['name']}-{toolchain['version']}.eb"
    names = {name for name, _ in ast.literal_eval(values["dependencies"])}
    extensions = values["exts_list"]
    assert isinstance(extensions, ast.List)
    names |= {ast.literal_eval(one.elts[0]) for one in extensions.elts[:-1] if isinstance(one, ast.Tuple)}
    has = set().union(*(BUNDLES.get(name, {name.lower()}) for name in names))
    assert not NEEDED - has


def test_the_recipe_for_spack_has_what_the_package_needs() -> None:
    text = (PACKAGES / "spack" / "package.py").read_text(encoding="utf-8")
    ast.parse(text)
    asked = dict(re.findall(r'depends_on\("py-([\w-]+)@([\d.]+):', text))
    wanted = dict(one.split(">=") for one in PROJECT["dependencies"])
    assert {name: asked.get(name) for name in wanted} == wanted
    assert re.findall(r'^    version\("([\d.]+)"', text, re.MULTILINE) == [rooftop.__version__]


@pytest.mark.parametrize("word", ["libhwy-dev", "libnanoflann-dev", "nlohmann-json3-dev", "libdeflate-dev", "g++"])
def test_the_container_has_the_packages_that_the_tree_needs(word: str) -> None:
    listed = {line.split()[0] for line in (PACKAGES / "debian.txt").read_text(encoding="utf-8").splitlines() if line}
    assert word in listed
    assert word in (PACKAGES / "Containerfile").read_text(encoding="utf-8").split()
