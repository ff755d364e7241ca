"""What every solver has, whichever are there: a folder that is found, and that nothing else names."""

from __future__ import annotations

import re
import subprocess
import sys
from importlib import import_module

import pytest
from tree import ROOT, files

from rooftop.cli.app import main
from rooftop.cli.outlines import read_outline

SOLVERS = sorted(path.parent.name for path in files() if re.fullmatch(r"solvers/\w+/command\.py", path.as_posix()))
COMMANDS = {name: read_outline(ROOT / "solvers" / name / "command.py", name) for name in SOLVERS}

# Runs a program, then prints what it has loaded that is neither Python's own nor this tree's.
WATCHED = """
import runpy, sys
before = {name.partition(".")[0] for name in sys.modules}
from rooftop.errors import NotBuilt
try:
    runpy.run_path(sys.argv[1])
except NotBuilt as reason:
    print(reason, file=sys.stderr)
loaded = {name.partition(".")[0] for name in sys.modules} - before - sys.stdlib_module_names
print(*sorted(name for name in loaded if name != "rooftop" and not name.startswith("_")))
"""


@pytest.mark.parametrize("name", SOLVERS)
def test_solver_is_complete(name: str) -> None:
    """A build, headers, sources, tests of both languages, a Python face that says what is public, and a command."""
    folder = ROOT / "solvers" / name
    for pattern in ("CMakeLists.txt", "include/rooftop/*.h", "src/c_api.cpp", "tests/*_test.cpp", "tests/test_*.py"):
        assert list(folder.glob(pattern)), f"{folder} lacks {pattern}"
    face = import_module(f"rooftop.solvers.{name}")
    assert all(hasattr(face, public) for public in face.__all__)
    outline = COMMANDS[name]
    assert outline is not None
    assert outline.summary


@pytest.mark.parametrize("name", SOLVERS)
def test_functions_need_numpy_alone(name: str) -> None:
    """The bench's libraries take a second to load, and a program that calls a solver need not have them."""
    program = ROOT / "solvers" / name / "tests" / "smallest_problem.py"
    words = [sys.executable, "-c", WATCHED, str(program)]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["numpy"], done.stdout
    if done.stderr:
        pytest.skip(done.stderr)


def test_commands_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    """Each is listed by its outline, but for hidden ones, and has its help."""
    assert main(["solve", "--help"]) == 0
    listed = capsys.readouterr().out
    for name, outline in COMMANDS.items():
        assert outline is not None
        assert bool(re.search(rf"^\W*{outline.name} ", listed, re.MULTILINE)) != name.startswith("_")
        assert main(["solve", outline.name, "--help"]) == 0
        assert outline.summary.split(":")[0].split(",")[0] in " ".join(capsys.readouterr().out.split())


def test_listing_commands_imports_no_solver() -> None:
    listing = "from rooftop.cli.app import main; import sys; main(['solve', '--help'])"
    code = f"{listing}; print('loaded', 'numpy' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.endswith("loaded False\n")


#: There a network joins the nodes of a machine, and the programs are cases of the ladders.
_OF_MACHINES = ("src/rooftop/simulate", "src/rooftop/cli/platform.py", "src/rooftop/report/network_picture.py")


def test_the_bench_names_no_solver() -> None:
    """A solver is a folder that is added: nothing in src/rooftop is edited, and nothing there knows one."""
    shown = {name for name in SOLVERS if not name.startswith("_")}
    names = shown | {outline.name for name, outline in COMMANDS.items() if outline is not None and name in shown}
    named = re.compile(rf"(?<!starlette\.)\b({'|'.join(sorted(names))}|\d+-solver)\b")
    bench = [path for path in files() if path.is_relative_to("src/rooftop") and path.suffix != ".css"]
    bench = [path for path in bench if not any(path.is_relative_to(one) for one in _OF_MACHINES)]
    found = {
        f"{path}:{number}: {line.strip()}"
        for path in bench
        for number, line in enumerate((ROOT / path).read_text(encoding="utf-8").splitlines(), 1)
        if named.search(line)
    }
    assert found == set()
