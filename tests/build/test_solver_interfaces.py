"""The programs in Python, C and C++ on solvers' pages work as written and print what the page says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

from rooftop.settings import Settings

ROOT = Path(__file__).parents[2]
_FILE = re.compile(r"^`([\w.]+)`:\n\n```\w+\n(.*?)^```", re.DOTALL | re.MULTILINE)
_OUTPUT = re.compile(r"^```text\n(.*?)^```", re.DOTALL | re.MULTILINE)


def page(solver: str) -> str:
    return (ROOT / "solvers" / solver / "README.md").read_text(encoding="utf-8")


def programs(solver: str) -> dict[str, str]:
    """Return the texts of a page's files by their names."""
    return dict(_FILE.findall(page(solver)))


SOLVERS = sorted(path.parent.name for path in (ROOT / "solvers").glob("*/README.md") if programs(path.parent.name))


def program(solver: str, suffix: str) -> str:
    """Return the name of the page's program in one language."""
    [name] = [name for name in programs(solver) if name.endswith(suffix)]
    return name


def output(solver: str) -> str:
    [text] = _OUTPUT.findall(page(solver))
    return str(text)


def run(*words: str | Path) -> str:
    environment = {
        key: value for key, value in os.environ.items() if not key.startswith("ROOFTOP_") or key == "ROOFTOP_LOCKS"
    }
    environment |= {"PATH": f"{ROOT / '.venv/bin'}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def installed(prefix: Path) -> None:
    """Install every solver of the release build, or skip."""
    build = Settings().build_folder
    for solver in SOLVERS:
        for library in (f"librooftop_{solver}.so", f"librooftop_{solver}.a"):
            if not (build / "solvers" / solver / library).is_file():
                pytest.skip(f"the solver {solver} is not built")
        run("cmake", "--install", build, "--component", f"rooftop_{solver}", "--prefix", prefix)


def make(folder: Path, parts: Sequence[str], prefix: Path) -> None:
    """Build the pages' projects, as parts of one, so that the compilers are looked at once."""
    listed = "".join(f"add_subdirectory({part})\n" for part in parts)
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.22)\nproject(pages LANGUAGES C CXX)\n{listed}", encoding="utf-8"
    )
    flags = "-Wall -Wextra -Werror"
    strict = (f"-DCMAKE_C_FLAGS={flags}", f"-DCMAKE_CXX_FLAGS={flags}")
    run("cmake", "-S", folder, "-B", folder / "build", f"-Drooftop_ROOT={prefix}", *strict)
    run("cmake", "--build", folder / "build")


def test_programs_in_c_and_cpp_print_what_the_pages_say(tmp_path: Path) -> None:
    if shutil.which("cmake") is None or shutil.which("cc") is None:
        pytest.skip("there is no cmake, or no C compiler")
    prefix, folder = tmp_path / "rooftop", tmp_path / "pages"
    installed(prefix)
    for solver in SOLVERS:
        (folder / solver).mkdir(parents=True)
        for name, text in programs(solver).items():
            (folder / solver / name).write_text(text, encoding="utf-8")
    make(folder, SOLVERS, prefix)
    seen = {
        (solver, suffix): run(folder / "build" / solver / program(solver, suffix).replace(".", "_"))
        for solver in SOLVERS
        for suffix in (".c", ".cpp")
    }
    assert seen == {(solver, suffix): output(solver) for solver, suffix in seen}


@pytest.mark.parametrize("solver", SOLVERS)
def test_program_in_python_prints_what_the_page_says(solver: str, tmp_path: Path) -> None:
    if not (Settings().build_folder / "solvers" / solver / f"librooftop_{solver}.so").is_file():
        pytest.skip(f"the solver {solver} is not built")
    name = program(solver, ".py")
    (tmp_path / name).write_text(programs(solver)[name], encoding="utf-8")
    assert run(sys.executable, "-W", "error", tmp_path / name) == output(solver)


def test_the_guide_and_the_pages_lead_to_each_other() -> None:
    guide = (ROOT / "docs" / "guide" / "solvers-interfaces.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\]\(\.\./\.\./solvers/(\w+)/README\.md\)", guide)) <= set(SOLVERS)
    for solver in SOLVERS:
        assert "docs/guide/solvers-interfaces.md" in page(solver)
