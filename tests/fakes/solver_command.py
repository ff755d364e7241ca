"""Run ``rooftop solve NAME`` in this process."""

from __future__ import annotations

import pytest

from rooftop.cli.app import main


def solver_command(name: str, capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Return the exit code, standard output and standard error."""
    code = main(["solve", name, *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err
