"""A search ends with the time that it was given, however long its process has run."""

import subprocess
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.solvers.running.stop import search_s

TIMES = st.floats(0.01, 1e5)
SPENT = st.floats(0, 1e5)
RANKS = st.integers(1, 8)


def test_a_process_knows_its_age() -> None:
    program = "import time; time.sleep(0.3); from rooftop.solvers.running.stop import elapsed_s; print(elapsed_s())"
    began_s = time.monotonic()
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert 0.29 < float(ran.stdout) < time.monotonic() - began_s + 0.011


@given(TIMES, SPENT, RANKS)
def test_no_search_goes_beyond_the_time_that_is_left(time_s: float, spent_s: float, ranks: int) -> None:
    assert 0 < search_s(time_s, spent_s, ranks) <= max(0.01, time_s - spent_s)


@given(TIMES, SPENT, RANKS)
def test_little_is_kept_back(time_s: float, spent_s: float, ranks: int) -> None:
    assert search_s(time_s, spent_s, ranks) >= 0.9 * time_s - spent_s - 1e-9


def test_what_is_kept_back_of_ten_seconds() -> None:
    assert search_s(10, 0.4) == pytest.approx(9.5)
    assert search_s(10, 0.4, ranks=2) == pytest.approx(9.3)
