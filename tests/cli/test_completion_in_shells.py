"""Completion in real shells: what zsh and fish put in the place of words that are begun."""

from __future__ import annotations

import os
import pty
import select
import shutil
import subprocess
import time
from pathlib import Path

import pytest

LAUNCHER = Path(__file__).parents[2] / "rooftop"
LIMIT_S = 120
pytestmark = pytest.mark.skipif(
    not (LAUNCHER.parent / ".venv/bin/python").exists(), reason="the launcher has no Python environment"
)
needs_zsh = pytest.mark.skipif(shutil.which("zsh") is None, reason="zsh is not installed")
needs_fish = pytest.mark.skipif(shutil.which("fish") is None, reason="fish is not installed")


@pytest.fixture(name="environment")
def environment_fixture(tmp_path: Path) -> dict[str, str]:
    """The environment of a user who has ``rooftop`` on PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "rooftop").symlink_to(LAUNCHER)
    kept = {name: value for name, value in os.environ.items() if not name.startswith("ROOFTOP_")}
    return kept | {"PATH": f"{folder}:{os.environ['PATH']}", "HOME": str(tmp_path), "TERM": "dumb"}


@needs_fish
@pytest.mark.case("commands.I3")
@pytest.mark.parametrize(
    ("typed", "offered"),
    [("rooftop com", "compare"), ("rooftop compare --max-p", "--max-pairs"), ("rooftop solve ts", "tsp")],
)
def test_fish_completes(environment: dict[str, str], typed: str, offered: str) -> None:
    words = ["fish", "--no-config", "-c", f"rooftop --show-completion fish | source; complete -C '{typed}'"]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=LIMIT_S, check=False)
    assert done.stderr == ""
    assert [line.split("\t")[0] for line in done.stdout.splitlines()] == [offered]


def _answered(terminal: int, wanted: str) -> str:
    """Read a terminal until it shows what is wanted, or the time is over; return all that it showed."""
    shown, end = "", time.monotonic() + LIMIT_S
    while wanted not in shown and time.monotonic() < end:
        if select.select([terminal], [], [], 1)[0]:
            try:
                shown += os.read(terminal, 4096).decode(errors="replace")
            except OSError:  # the shell has ended
                break
    return shown


@needs_zsh
@pytest.mark.case("commands.I3")
@pytest.mark.parametrize(("typed", "added"), [("rooftop compar", "e "), ("rooftop solve ts", "p ")])
def test_zsh_completes(environment: dict[str, str], typed: str, added: str) -> None:
    process, terminal = pty.fork()
    if process == 0:
        os.execvpe("zsh", ["zsh", "-f", "-i"], environment)
    try:
        os.write(
            terminal, b"autoload -U compinit; compinit -u -D; source <(rooftop --show-completion zsh); print re''ady\n"
        )
        assert "ready" in _answered(terminal, "ready")
        os.write(terminal, f"{typed}\t".encode())
        assert typed + added in _answered(terminal, typed + added)
    finally:
        os.close(terminal)
        os.waitpid(process, 0)
