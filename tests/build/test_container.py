"""The container's recipe: it installs packages that the tree knows, and copies nothing that git ignores."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPE = (ROOT / "packages" / "Containerfile").read_text(encoding="utf-8")


@pytest.mark.parametrize("word", ["libhwy-dev", "libnanoflann-dev", "nlohmann-json3-dev", "libdeflate-dev", "g++"])
def test_it_has_the_packages_that_the_tree_needs(word: str) -> None:
    listed = {line.split()[0] for line in (ROOT / "packages" / "debian.txt").read_text().splitlines() if line}
    assert word in listed
    assert word in RECIPE.split()


def test_what_git_ignores_is_not_copied() -> None:
    assert "\nCOPY . " in RECIPE
    ignored = [line.strip("/") for line in (ROOT / ".gitignore").read_text().splitlines()]
    left_out = (ROOT / ".dockerignore").read_text().splitlines()
    assert [name for name in [".git", *ignored] if not {name, f"**/{name}"} & set(left_out)] == []
