"""Toolchain files for other processors: what they say where their libraries are missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

TOOLCHAIN = Path(__file__).resolve().parents[2] / "cmake" / "toolchains" / "aarch64-linux-gnu.cmake"


def _read(**variables: str) -> subprocess.CompletedProcess[str]:
    cmake = shutil.which("cmake") or pytest.skip("cmake is not installed: packages/install required")
    words = [f"-D{name}={value}" for name, value in variables.items()]
    return subprocess.run([cmake, *words, "-P", str(TOOLCHAIN)], capture_output=True, text=True, check=False, env={})


def test_libraries_of_the_other_processor_are_required(tmp_path: Path) -> None:
    for variables in ({}, {"ROOFTOP_SYSROOT": str(tmp_path)}):
        done = _read(**variables)
        assert done.returncode
        said = " ".join(done.stderr.split())
        assert f"ROOFTOP_SYSROOT is '{variables.get('ROOFTOP_SYSROOT', '')}', expected a folder with a Debian" in said


def test_they_are_taken(tmp_path: Path) -> None:
    (tmp_path / "usr" / "include").mkdir(parents=True)
    done = _read(ROOFTOP_SYSROOT=str(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
