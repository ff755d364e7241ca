"""What benchmarks of FT need built."""

from __future__ import annotations

import pytest

from rooftop.ladder.discovery import find_experiment
from rooftop.settings import Settings
from rooftop.solvers.fft import request as ft_request


@pytest.fixture
def solver_by_ranks() -> None:
    """Skip where FT's solver by ranks is not built."""
    settings = Settings()
    found = find_experiment(settings.root_folder / "experiments", settings.build_folder, "ft")
    module = next(one for one in found.rungs if one.name == ft_request.SOLVER_BY_RANKS)
    if module.status != "built":
        pytest.skip(f"{module.name}: {module.reason}")
