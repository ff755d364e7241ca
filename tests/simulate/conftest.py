"""What tests of simulations share."""

from __future__ import annotations

import pytest

from rooftop.launchers import launchers


@pytest.fixture(autouse=True)
def ranks_of_any_user(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let programs be recorded whoever runs the tests: a launcher may refuse the super-user."""
    for launcher in launchers():
        for name, value in launcher.environment({}).items():
            monkeypatch.setenv(name, value)
