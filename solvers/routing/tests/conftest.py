"""What tests of the routing solver's command ask for by name."""

from __future__ import annotations

import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers.routing import library as routing_library
from rooftop.solvers.routing import run as tsp_run


@pytest.fixture(scope="module")
def library() -> None:
    """Skips all where the solver is not built."""
    try:
        routing_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture
def young_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of a search counts from the start of its process, which here is pytest's."""
    monkeypatch.setattr(tsp_run, "elapsed_s", lambda: 0.5)
