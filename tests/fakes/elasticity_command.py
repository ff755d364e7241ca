"""Run ``rooftop solve elasticity`` in this process."""

from __future__ import annotations

import pytest

from rooftop.cli.app import main
from rooftop.solvers.elasticity.document import ElasticityDocument


def solve(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    """Return the exit code, standard output and standard error."""
    code = main(["solve", "elasticity", *map(str, words)])
    captured = capsys.readouterr()
    return code, captured.out, captured.err


def solved(capsys: pytest.CaptureFixture[str], *words: object) -> ElasticityDocument:
    """Return the document of a run that says nothing and ends with 0."""
    code, text, err = solve(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return ElasticityDocument.model_validate_json(text)
