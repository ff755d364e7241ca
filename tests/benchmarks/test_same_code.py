"""Whether two builds of a rung have the same instructions."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from benchmarks.house.same_code import compare_rungs

SCALE = "int scale(int x) { return %d * x; }\n"
OTHER = "int other(int x) { return x + 1; }\n"


def build(tree: Path, rung: str, source: str) -> None:
    """Compile a source to where a tree's rungs are."""
    folder = tree / "build/release/experiments/some/rungs"
    folder.mkdir(parents=True, exist_ok=True)
    words = ["cc", "-O2", "-shared", "-fPIC", "-x", "c", "-", "-o", str(folder / f"{rung}.so")]
    subprocess.run(words, input=source, text=True, check=True)


@pytest.mark.skipif(shutil.which("objdump") is None, reason="binutils are missing: apt-get install binutils")
def test_instructions_are_compared_and_addresses_are_not(tmp_path: Path) -> None:
    before, after = tmp_path / "before", tmp_path / "after"
    build(before, "10-moved", SCALE % 7)
    build(after, "10-moved", f'__attribute__((section(".data"))) int more[999] = {{1}};\n{SCALE % 7}')
    build(before, "20-changed", SCALE % 7)
    build(after, "20-changed", SCALE % 11)
    build(before, "30-longer", SCALE % 7)
    build(after, "30-longer", SCALE % 7 + OTHER)
    build(after, "40-new", OTHER)
    found = compare_rungs(before, after, "some")
    assert found == {"10-moved": True, "20-changed": False, "30-longer": False, "40-new": None}
