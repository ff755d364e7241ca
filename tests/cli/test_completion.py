"""Completion of the command line in a shell, for the launcher in the working tree, too."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).parents[2] / "rooftop"
pytestmark = [
    pytest.mark.skipif(shutil.which("bash") is None, reason="bash is not installed"),
    pytest.mark.skipif(
        not (LAUNCHER.parent / ".venv/bin/python").exists(), reason="the launcher has no Python environment"
    ),
]
SCRIPT = """
source <("$1" --show-completion bash)
shift
complete -p rooftop >/dev/null || exit 1
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_rooftop_completion "$1"
printf '%s\\n' "${COMPREPLY[@]}"
"""


def completed(*words: str) -> list[str]:
    """Return what bash offers for the last of these words, the first of which is the program as it is typed."""
    asked = ["bash", "--norc", "-c", SCRIPT, "bash", str(LAUNCHER), *words]
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith("ROOFTOP_") or name == "ROOFTOP_LOCKS"
    }
    done = subprocess.run(
        asked, cwd=LAUNCHER.parent, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    return done.stdout.split()


@pytest.mark.case("commands.I3")
@pytest.mark.parametrize("program", ["./rooftop", str(LAUNCHER)])
def test_commands_are_completed(program: str) -> None:
    assert completed(program, "com") == ["compare"]


@pytest.mark.case("commands.I3")
def test_options_of_a_command_are_completed() -> None:
    assert set(completed("./rooftop", "compare", "--max-p")) == {"--max-pairs"}


def test_other_shells() -> None:
    for shell in ("zsh", "fish"):
        done = subprocess.run(
            [LAUNCHER, "--show-completion", shell], capture_output=True, text=True, timeout=60, check=False
        )
        assert done.returncode == 0, done.stderr
        assert "_ROOFTOP_COMPLETE=complete_" + shell in done.stdout
