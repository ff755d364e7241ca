"""packages/wheel: what it says where it cannot make a wheel. `python benchmarks packages` runs those that it makes."""

from __future__ import annotations

import os
import platform
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


@pytest.mark.skipif(shutil.which("g++") is None or shutil.which("readelf") is None, reason="g++ or readelf is missing")
@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="versions of symbols differ")
def test_functions_are_taken_in_their_older_versions(tmp_path: Path) -> None:
    """A library that calls them asks for no newer system than one that does not, and none for what it does not call."""
    calls = "double f(double a) { return std::hypot(a, 2); }\nvoid g(C& c, L& l) { c.wait(l); }\n"
    names = "using C = std::condition_variable; using L = std::unique_lock<std::mutex>;\n"
    for name, text in {"calls": calls, "none": ""}.items():
        source = tmp_path / f"{name}.cpp"
        source.write_text(f"#include <cmath>\n#include <condition_variable>\n{names}{text}", encoding="utf-8")
        include = ("-include", str(ROOT / "packages" / "symbol_versions.h"))
        words = ("g++", "-O2", "-fPIC", "-shared", *include, str(source), "-o", f"{tmp_path}/{name}.so")
        subprocess.run(words, check=True)
    told = {name: _undefined(tmp_path / f"{name}.so") for name in ("calls", "none")}
    oldest = {"x86_64": "GLIBC_2.2.5", "aarch64": "GLIBC_2.17"}[platform.machine()]
    assert {one.partition("@")[2] for one in told["calls"]} == {oldest, "GLIBCXX_3.4.11"}
    assert not told["none"]


def _undefined(library: Path) -> list[str]:
    """Return what a library calls of these two functions, as NAME@VERSION."""
    words = ("readelf", "--dyn-syms", "-W", str(library))
    lines = subprocess.run(words, capture_output=True, text=True, check=True).stdout.splitlines()
    return [line.split()[7] for line in lines if " UND " in line and ("hypot" in line or "condition_variable" in line)]
