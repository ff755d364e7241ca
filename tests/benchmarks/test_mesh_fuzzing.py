"""What is fed to the readers of meshes: the same inputs for a seed, and findings for what is no misuse."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchmarks.fuzzing import mesh_fuzzing
from rooftop.errors import Misuse
from rooftop.solvers.elasticity.files import gmsh_conversion


def fed(kind: mesh_fuzzing.Kind, count: int) -> list[str]:
    suffix = ".inp" if kind == "deck" else ".msh"
    seeds = [file.read_text(encoding="utf-8") for file in sorted(mesh_fuzzing.SEEDS.glob(f"*{suffix}"))]
    assert seeds
    random_ = random.Random(1)
    return [mesh_fuzzing.mutated(random_, kind, seeds) for _ in range(count)]


def test_seeds_are_good() -> None:
    for file in mesh_fuzzing.SEEDS.glob("*.inp"):
        mesh_fuzzing.read(file)


@pytest.mark.parametrize("suffix", [".inp", ".msh"])
def test_inputs_keep_some_structure(tmp_path: Path, suffix: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gmsh_conversion, "is_installed", lambda: False)
    texts = fed("deck" if suffix == ".inp" else "msh", 300)
    assert texts == fed("deck" if suffix == ".inp" else "msh", 300)
    path = tmp_path / f"deck{suffix}"
    good = 0
    for text in texts:
        path.write_bytes(text.encode("utf-8", "surrogatepass"))
        assert mesh_fuzzing.finding(path) == ""
        try:
            mesh_fuzzing.read(path)
        except Misuse:
            continue
        good += 1
    assert good > 5


def test_what_is_no_misuse_is_a_finding(tmp_path: Path) -> None:
    def raised(error: Exception) -> str:
        def call(_: Path) -> None:
            raise error

        return mesh_fuzzing.finding(tmp_path, call)

    assert raised(Misuse("one line")) == ""
    assert raised(Misuse("")).startswith("misuse of more than a line, or of none")
    assert raised(KeyError("x")) == "KeyError: 'x'"
