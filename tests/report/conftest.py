"""Reports drawn once for all tests."""

from __future__ import annotations

from pathlib import Path

import pytest
from synthetic_climb import ALL

from rooftop import report


@pytest.fixture(scope="session")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the report of every synthetic document."""
    folder = tmp_path_factory.mktemp("reports")
    paths = {name: folder / f"{name}.html" for name in ALL}
    for name, make in ALL.items():
        report.write(make(), paths[name])
    return paths
