"""A home of its own for each test of a solver, whose command may keep a campaign."""

from __future__ import annotations

from itertools import count

import pytest

_HOMES = count()


@pytest.fixture(autouse=True)
def own_home(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Keep campaigns in a folder of the test's own, which is made when it is needed."""
    monkeypatch.setenv("ROOFTOP_HOME", str(tmp_path_factory.getbasetemp() / f"home-{next(_HOMES)}"))
