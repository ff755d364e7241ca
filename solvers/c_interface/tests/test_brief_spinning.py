"""Threads of a library that Python loads sleep soon, unless the user has chosen, and no other process is told."""

from __future__ import annotations

import os
import re
import subprocess
import sys

import pytest

from rooftop.errors import NotBuilt
from rooftop.solvers.c_interface.solver_library import ROUNDS, brief_spinning
from rooftop.solvers.fft import library as fft_library

LOADING = """
import os
from rooftop.solvers.{0} import library
library.load()
print("inherited", os.environ.get("GOMP_SPINCOUNT"))
"""
NAMES = ("GOMP_SPINCOUNT", "OMP_WAIT_POLICY")


def loaded(solver: str, **chosen: str) -> tuple[str, str]:
    """Return what OpenMP says of itself as the library is loaded, and what the process prints."""
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment = kept | {"OMP_DISPLAY_ENV": "VERBOSE", "PYTHONPATH": os.pathsep.join(sys.path)} | chosen
    command = [sys.executable, "-c", LOADING.format(solver)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=120)
    return ended.stderr, ended.stdout


@pytest.mark.case("solvers.C3")
def test_threads_spin_briefly() -> None:
    try:
        fft_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))
    said, printed = loaded("fft")
    if "GOMP_SPINCOUNT" not in said:
        pytest.skip("the OpenMP library is not GNU's")
    assert re.search(rf"GOMP_SPINCOUNT = '{ROUNDS}'", said)
    assert printed == "inherited None\n"


@pytest.mark.case("solvers.C3.user")
@pytest.mark.parametrize(("name", "value"), [("GOMP_SPINCOUNT", "77"), ("OMP_WAIT_POLICY", "active")])
def test_a_users_choice_stays(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for each in NAMES:
        monkeypatch.delenv(each, raising=False)
    monkeypatch.setenv(name, value)
    before = dict(os.environ)
    with brief_spinning():
        assert dict(os.environ) == before
    assert dict(os.environ) == before


@pytest.mark.case("solvers.C3.children")
def test_children_inherit_what_they_did(monkeypatch: pytest.MonkeyPatch) -> None:
    for each in NAMES:
        monkeypatch.delenv(each, raising=False)
    before = dict(os.environ)
    with pytest.raises(OSError, match="not a library"), brief_spinning():
        assert os.environ["GOMP_SPINCOUNT"] == str(ROUNDS)
        raise OSError("not a library")
    assert dict(os.environ) == before
