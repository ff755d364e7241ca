"""packages/wheel: what it says where it cannot make a wheel. `python benchmarks packages` runs those that it makes."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ("sh", "dirname", "env")


def _said(tmp_path: Path, *words: str, programs: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run it where no other programs are."""
    for name in TOOLS:
        (tmp_path / name).symlink_to(shutil.which(name) or name)
    for name in programs:
        (tmp_path / name).write_text("#!/bin/sh\n")
        (tmp_path / name).chmod(0o755)
    environment = {"PATH": str(tmp_path), "HOME": os.environ["HOME"]}
    words = ("sh", str(ROOT / "packages" / "wheel"), *words)
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr.strip()


def test_another_processor_is_misuse(tmp_path: Path) -> None:
    said = "wheel: the processor is 'riscv64', expected aarch64, or none for that of this machine"
    assert _said(tmp_path, "riscv64") == (2, said)


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    assert _said(tmp_path) == (1, "wheel: cmake is missing: packages/install required")


def test_a_cross_compiler_is_required(tmp_path: Path) -> None:
    said = "wheel: the compiler is missing: apt-get install g++-aarch64-linux-gnu"
    assert _said(tmp_path, "aarch64") == (1, said)


def test_the_other_processors_libraries_are_required(tmp_path: Path) -> None:
    if (ROOT / "build" / "aarch64" / "usr" / "include").is_dir():
        pytest.skip("packages/wheel aarch64 has made them before")
    code, said = _said(tmp_path, "aarch64", programs=("aarch64-linux-gnu-g++",))
    assert code == 1
    assert said.startswith("wheel: ROOFTOP_SYSROOT names no Debian for arm64: apt-get install mmdebstrap")
