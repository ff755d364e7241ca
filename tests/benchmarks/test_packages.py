"""The page of commands where a package is installed."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
import typer

from benchmarks.packages.commands import BRIEF, FILES, WITH_COMPILERS, WITH_PYTHON
from benchmarks.packages.packages import COMPILERS, Done, main, part
from benchmarks.packages.root import Image, Root

ROOT = Path(__file__).resolve().parents[2]
SOLVERS = ("conv", "elasticity", "ft", "h5", "network", "tsp")
# Those that compile nothing.
PYTHON_LABS = sorted(
    file.parent.name for file in ROOT.glob("experiments/labs/*/lab.py") if not list(file.parent.glob("*.c"))
)


def test_a_code_that_is_not_right_is_told_with_what_was_said() -> None:
    right, wrong = Done("rooftop list", 0, (0,), "many"), Done("rooftop gate", 1, (0, 7), "it broke")
    text = part("Here.", [right, wrong])
    assert "1 of 2 commands" in text
    assert "| `rooftop list` | exit code 0 | 0 | met |" in text
    assert "| `rooftop gate` | exit code 0 or 7 | 1: it broke | missed |" in text


def test_what_is_missing_is_shown() -> None:
    assert Done("rooftop build", 4, (4,), "cmake was not found").asked.reached == "4: cmake was not found"


@pytest.mark.parametrize("solver", SOLVERS)
def test_every_solver_is_asked(solver: str) -> None:
    for commands in (WITH_PYTHON, WITH_COMPILERS, BRIEF):
        assert any(command.startswith(f"rooftop solve {solver} ") for command, _ in commands)


def test_every_lab_in_python_is_asked() -> None:
    assert PYTHON_LABS
    words = [command.split() for command, _ in WITH_PYTHON]
    asked = {word[2] for word in words if word[1] == "lab" and len(word) > 2}
    assert set(PYTHON_LABS) <= asked


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith(".py")])
def test_the_programs_are_python(name: str) -> None:
    ast.parse(FILES[name])


def test_the_compilers_root_has_packages_of_the_list() -> None:
    listed = {line.split()[0] for line in (ROOT / "packages" / "debian.txt").read_text().splitlines() if line}
    assert set(COMPILERS) - listed == {"python3-dev", "libhdf5-dev"}  # for a wheel alone


def test_the_system_itself_is_no_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Installing removes /work and /package of the root."""
    monkeypatch.setattr("os.geteuid", lambda: 0)
    monkeypatch.setattr(Root, "has", lambda self, names: ["gcc"])  # nothing is installed, whatever is checked
    with pytest.raises(typer.BadParameter, match="/ is the system itself"):
        main(tmp_path / "one.whl", root=Path("/"))


def test_a_command_enters_an_image_as_its_users_do(tmp_path: Path) -> None:
    image = Image(tmp_path, "rooftop", "echo --log-level=error")
    shared = f"--volume={tmp_path}/work:/work --volume={tmp_path}/state:/state"
    start = f"--log-level=error run --rm {shared}"
    assert image.run("rooftop tune -- sleep '{N}'").stdout == f"{start} rooftop tune -- sleep {{N}}\n"
    shell = f"{start} --entrypoint=/bin/sh rooftop -c"
    for command in ("python serve.py", "rooftop pool $(python ids.py compare 2)"):
        assert image.run(command).stdout == f"{shell} {command}\n"
    assert (tmp_path / "work").is_dir()


def test_a_command_that_goes_on_is_ended(tmp_path: Path) -> None:
    done = Image(tmp_path, "rooftop", "sh -c 'sleep 60'").run("rooftop list", limit_s=0.1)
    assert (done.returncode, done.stderr) == (124, "was still running after 0 s")


def test_what_fails_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "debootstrap"
    program.write_text("#!/bin/sh\necho E: no such release\nexit 1\n")
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    with pytest.raises(typer.BadParameter, match=r"debootstrap .* failed: E: no such release"):
        Root.made(tmp_path / "root")
    monkeypatch.setenv("PATH", str(tmp_path / "nothing"))
    with pytest.raises(typer.BadParameter, match="debootstrap is missing"):
        Root.made(tmp_path / "root")
