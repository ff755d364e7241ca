"""Tests and rungs in C++ that the thread sanitizer does not look at start no threads themselves."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from tree import ROOT, files

SERIAL = re.compile(r"^// threads: none", re.MULTILINE)
# A team of more than one: OpenMP's, the solvers', or one by hand.
STARTED = re.compile(
    r"#pragma omp|\bomp_\w+|\bpthread_create\b|\bstd::(?:jthread|thread|async)\b|\bon_team\b"
    r"|\bthreads\s*[=:]\s*(?!-?\d)[\w{]|\bthreads\s*[=:]\s*(?!1\b)\d"
)
LOOKED_AT = [path for path in files() if path.name.endswith("_test.cpp") or path.parent.name == "rungs"]


def started_in(text: str) -> list[str]:
    """Return what starts threads in a source, its comments left out."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/", "", text, flags=re.DOTALL)
    return STARTED.findall(code)


@pytest.mark.parametrize(
    "line",
    [
        "#pragma omp parallel",
        "std::thread t(f);",
        "{.threads = 2}",
        "{.threads = threads}",
        "for (int threads : {1, 3})",
    ],
)
def test_threads_are_seen(line: str) -> None:
    assert started_in(line)


@pytest.mark.parametrize("line", ["{.threads = 1}", "{.threads = -1}", "// threads: none", "complaint(text)"])
def test_what_starts_none_is_left_alone(line: str) -> None:
    assert not started_in(line)


def test_what_is_said_to_start_no_threads_starts_none() -> None:
    texts = {path.as_posix(): (ROOT / path).read_text(encoding="utf-8") for path in LOOKED_AT}
    serial = {name: text for name, text in texts.items() if SERIAL.search(text)}
    assert serial
    assert {name: seen for name, text in serial.items() if (seen := started_in(text))} == {}


@pytest.mark.skipif(shutil.which("cmake") is None, reason="CMake is missing")
@pytest.mark.parametrize(
    ("sanitizers", "kept"), [("thread", ["b"]), ("address,undefined", ["a", "b"]), ("", ["a", "b"])]
)
def test_only_the_thread_sanitizer_leaves_them_out(tmp_path: Path, sanitizers: str, kept: list[str]) -> None:
    (tmp_path / "a").write_text("// What it is.\n// threads: none, and why\nint a;\n", encoding="utf-8")
    (tmp_path / "b").write_text("int b;  // threads: none\n", encoding="utf-8")
    (tmp_path / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nproject(tests NONE)\ninclude({ROOT}/cmake/serial_tests.cmake)\n"
        f'set(ROOFTOP_SANITIZE "{sanitizers}")\nset(tests a b)\nrooftop_drop_serial_tests(tests)\n'
        'message(STATUS "tests: ${tests}")\n',
        encoding="utf-8",
    )
    words = ["cmake", "-S", str(tmp_path), "-B", str(tmp_path / "build")]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    assert re.findall(r"^-- tests: (.*)$", said, re.MULTILINE) == [";".join(kept)]
