"""Run ``rooftop solve elasticity`` in this process."""

from __future__ import annotations

from functools import partial

import pytest
from solver_command import solver_command

from rooftop.solvers.elasticity.document import ElasticityDocument

solve = partial(solver_command, "elasticity")


def solved(capsys: pytest.CaptureFixture[str], *words: object) -> ElasticityDocument:
    """Return the document of a run that says nothing and ends with 0."""
    code, text, err = solve(capsys, *words, "--json")
    assert (code, err) == (0, "")
    return ElasticityDocument.model_validate_json(text)
