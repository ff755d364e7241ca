"""The user's commands have the user's own environment."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from rooftop.climb.build import CMakeBuild
from rooftop.command import environment
from rooftop.command.build import Builds
from rooftop.command.driver import CommandDriver, Held, Terms, run_aside
from rooftop.command.environment import own_environment
from rooftop.command.line import from_text
from rooftop.command.process import Limits, run
from rooftop.command.spec import Spec
from rooftop.gate.revision import clean_environment
from rooftop.pin.run import Here

ROOT = Path(__file__).parents[2]
QUICK = Limits(timeout_s=20.0)


def started_with(folder: Path, users: dict[str, str]) -> dict[str, str]:
    """Return the environment that ./rooftop gives the bench, whose Python is replaced by a program that shows it."""
    python = folder / ".venv" / "bin" / "python"
    if not python.exists():
        python.parent.mkdir(parents=True)
        python.write_text("#!/bin/sh\nexec env\n", encoding="utf-8")
        python.chmod(0o755)
        shutil.copy(ROOT / "rooftop", folder / "rooftop")
    words = [str(folder / "rooftop"), "compare"]
    done = subprocess.run(words, env={"PATH": os.environ["PATH"], **users}, capture_output=True, text=True, check=True)
    return dict(line.split("=", 1) for line in done.stdout.splitlines())


def became(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str]) -> None:
    """Let this process have the bench's environment."""
    for name in os.environ:
        monkeypatch.delenv(name)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)


@pytest.mark.case("commands.A8")
@pytest.mark.parametrize(
    "users",
    [
        {},
        {"PYTHONPATH": "/mine:/theirs"},
        {"ROOFTOP_ROOT": "/tree", "ROOFTOP_HOME": "/home", "ROOFTOP_BUILD": "/build"},
    ],
)
def test_what_starts_the_bench_stays_with_the_bench(
    users: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench = started_with(tmp_path, users)
    assert bench["PYTHONPATH"].startswith(f"{tmp_path}/src")
    assert {"ROOFTOP_ROOT", "ROOFTOP_HOME", "ROOFTOP_PROGRAM"} <= bench.keys()
    became(monkeypatch, bench)
    own = own_environment()
    assert {name: own[name] for name in own if name.startswith(("ROOFTOP", "PYTHON"))} == users


@pytest.mark.case("commands.A8.locale")
def test_locale_that_python_sets_for_itself_is_not_passed_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment, "_names_at_start", lambda: frozenset({"PATH"}))
    monkeypatch.setenv("LC_CTYPE", "C.UTF-8")
    assert "LC_CTYPE" not in own_environment()
    monkeypatch.setattr(environment, "_names_at_start", lambda: frozenset({"PATH", "LC_CTYPE"}))
    assert own_environment()["LC_CTYPE"] == "C.UTF-8"


@pytest.mark.case("commands.A8.folder")
def test_files_of_the_present_folder_are_no_modules_of_the_bench(tmp_path: Path) -> None:
    python = tmp_path / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True)
    python.write_text('#!/bin/sh\necho "$@"\n', encoding="utf-8")
    python.chmod(0o755)
    shutil.copy(ROOT / "rooftop", tmp_path / "rooftop")
    done = subprocess.run([tmp_path / "rooftop", "list"], capture_output=True, text=True, check=True)
    assert done.stdout == "-P -m rooftop list\n"  # -P: the present folder is not searched for modules


@pytest.fixture
def marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROOFTOP_ADDED", "ROOFTOP_PROGRAM PYTHONPATH")
    monkeypatch.setenv("ROOFTOP_PROGRAM", "./rooftop")
    monkeypatch.setenv("PYTHONPATH", "/bench/src:/mine")


RIGHT = 'test -z "$ROOFTOP_PROGRAM$ROOFTOP_ADDED" && test "$PYTHONPATH" = /mine'


@pytest.mark.case("commands.A8")
@pytest.mark.usefixtures("marked")
def test_every_program_of_the_user_has_the_user_s_environment(tmp_path: Path) -> None:
    right = from_text(RIGHT)
    assert run(right.words, QUICK).status == 0  # also a check
    terms = Terms(limits=QUICK)
    run_aside(right, "prepare", terms)
    for variables in ({}, {"OWN": "1"}):
        spec = Spec(right, environment=variables)
        assert CommandDriver(spec, terms, Held(spec, terms)).case({}, 0, 20.0).outcome == "ok"
    Builds(tmp_path / "builds", tmp_path).build(f"{RIGHT} && touch {{build}}/x").ensure(QUICK)


@pytest.mark.case("commands.A8.gate")
@pytest.mark.usefixtures("marked")
def test_builds_of_revisions_have_the_user_s_environment() -> None:
    own = clean_environment()
    assert (own["PYTHONPATH"], "ROOFTOP_PROGRAM" in own) == ("/mine", False)


@pytest.mark.case("commands.A8.pin")
@pytest.mark.usefixtures("marked")
def test_a_command_that_is_looked_at_has_the_user_s_environment() -> None:
    finished = Here().observe(from_text(RIGHT), {"OWN": "1"}, QUICK).finished
    assert finished is not None
    assert finished.status == 0


@pytest.mark.case("commands.A8.climb")
@pytest.mark.usefixtures("marked")
def test_experiments_outside_are_built_in_the_user_s_environment(tmp_path: Path) -> None:
    own = CMakeBuild(tmp_path)._environment
    assert (own["PYTHONPATH"], "ROOFTOP_PROGRAM" in own) == ("/mine", False)
