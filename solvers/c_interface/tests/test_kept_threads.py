"""Threads that stay for the next long call."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
import weakref
from functools import partial

import pytest

from rooftop.solvers.c_interface import kept_threads
from rooftop.solvers.c_interface.long_call import LongCall


def _until_waiting(count: int) -> None:
    until = time.monotonic() + 10
    while len(kept_threads._waiting) < count and time.monotonic() < until:
        time.sleep(0.001)


def test_a_thread_stays_for_the_next_call() -> None:
    first = LongCall().run(threading.get_ident)
    _until_waiting(1)
    waiting = set(map(id, kept_threads._waiting))
    second = LongCall().run(threading.get_ident)
    assert first != threading.get_ident() != second
    _until_waiting(len(waiting))
    assert set(map(id, kept_threads._waiting)) == waiting


def test_few_threads_stay() -> None:
    together = threading.Barrier(6)
    callers = [threading.Thread(target=lambda: LongCall().run(together.wait)) for _ in range(6)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join(10)
    _until_waiting(1)
    time.sleep(0.05)
    assert 1 <= len(kept_threads._waiting) <= kept_threads._MOST_KEPT


def test_what_a_call_held_is_let_go() -> None:
    class Held:
        pass

    held = Held()
    gone = weakref.ref(held)
    LongCall().run(partial(id, held))
    del held
    until = time.monotonic() + 10
    while gone() is not None and time.monotonic() < until:
        gc.collect()
        time.sleep(0.001)
    assert gone() is None


def test_a_call_that_raises_leaves_its_thread_for_the_next() -> None:
    for _ in range(5):
        with pytest.raises(ZeroDivisionError):
            LongCall().run(lambda: 1 // 0)
        assert LongCall().run(lambda: 7) == 7


def test_a_forked_process_has_threads_of_its_own() -> None:
    assert LongCall().run(lambda: 7) == 7
    _until_waiting(1)
    child = os.fork()
    if child == 0:
        os._exit(0 if LongCall().run(lambda: 7) == 7 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_waiting_threads_do_not_keep_an_interpreter() -> None:
    code = "from rooftop.solvers.c_interface.long_call import LongCall; print(LongCall().run(lambda: 7))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout, done.stderr) == ("7\n", "")
