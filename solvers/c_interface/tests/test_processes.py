"""Solvers in processes that fork, and in those that end while a solver is at work."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import rooftop
from rooftop.errors import NotBuilt
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.routing import library as routing_library

HANGS_S = 240

PRELUDE = """
import multiprocessing, os, sys, threading, time
import numpy as np
import rooftop
from rooftop.solvers import Stop, conv, fft, routing

grid = np.random.default_rng(1).random((32, 32, 32)).astype(complex)
places = np.random.default_rng(1).uniform(0, 1e4, (300, 2))
image, filters = np.ones((1, 16, 32, 32), np.float32), np.ones((16, 16, 3, 3), np.float32)

def all_solvers(_=0):
    modes = fft.fftn(grid, threads=2)
    out = conv.conv2d(image, filters, threads=2)
    tour = routing.solve_tsp(places, iterations=50, threads=2)
    return modes.tobytes(), out.tobytes(), tour.order.tobytes()
"""


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skips all where a solver is not built."""
    try:
        for module in (conv_library, fft_library, routing_library):
            module.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


def said(program: str) -> str:
    """Return what a program prints, which must end by itself and with nothing on standard error."""
    words = [sys.executable, "-c", PRELUDE + program]
    source = str(Path(rooftop.__file__).parents[1])
    environment = os.environ | {"PYTHONPATH": source}
    ended = subprocess.run(words, capture_output=True, text=True, timeout=HANGS_S, check=False, env=environment)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout


@pytest.mark.case("solvers.A4")
def test_forks_of_a_process_that_used_solvers_use_them() -> None:
    program = """
before = all_solvers()
with multiprocessing.get_context("fork").Pool(2) as pool:
    assert pool.map(all_solvers, range(4)) == [before] * 4
child = os.fork()
if child == 0:
    assert all_solvers() == before
    sys.exit(0 if os.fork() == 0 or os.waitstatus_to_exitcode(os.wait()[1]) == 0 and all_solvers() == before else 1)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert said(program) == "0\n"


@pytest.mark.case("solvers.A4.loaded_late")
def test_forks_load_another_solver_than_their_parent() -> None:
    program = """
fft.fftn(grid, threads=2)
child = os.fork()
if child == 0:
    conv.conv2d(image, filters, threads=2)
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    assert said(program) == "0\n"


@pytest.mark.case("solvers.A4.searching")
def test_forks_made_while_a_search_lasts_end() -> None:
    program = """
all_solvers()  # modules that another thread imports stay unfinished in a fork
stop = Stop()
thread = threading.Thread(target=lambda: routing.solve_tsp(places, 3600, stop=stop))
thread.start()
time.sleep(0.3)
child = os.fork()
if child == 0:
    all_solvers()
    sys.exit(0)
print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
stop.request()
"""
    assert said(program) == "0\n"


@pytest.mark.case("solvers.A5")
@pytest.mark.parametrize("options", ["callback=lambda p: None", "stop=None"])
def test_the_interpreter_ends_while_daemons_search(options: str) -> None:
    program = f"""
threading.Thread(target=lambda: routing.solve_tsp(places, 3600, {options}), daemon=True).start()
time.sleep(0.5)
print("ends")
sys.exit(0)
"""
    assert said(program) == "ends\n"


@pytest.mark.case("solvers.A5.brief")
def test_the_interpreter_ends_while_daemons_transform() -> None:
    program = """
def transform():
    while True:
        fft.fftn(grid)

for _ in range(2):
    threading.Thread(target=transform, daemon=True).start()
time.sleep(0.5)
print("ends")
"""
    assert said(program) == "ends\n"


@pytest.mark.case("solvers.A5.no_daemon")
def test_the_interpreter_waits_for_other_threads_searches() -> None:
    program = """
def search():
    time.sleep(0.3)  # the main thread has ended
    print(routing.solve_tsp(places, iterations=2000).iterations)

routing.solve_tsp(places, iterations=1)
threading.Thread(target=search).start()
"""
    assert said(program) == "2000\n"
