"""Functions of Python's own are left out within a block, whatever happens meanwhile."""

from __future__ import annotations

import sys
import threading

import pytest

from rooftop.solvers.c_interface import python_functions
from rooftop.solvers.c_interface.python_functions import AskedFirst, left_out, left_to_others


def test_another_thread_may_make_functions_meanwhile() -> None:
    known, over = [AskedFirst(abs) for _ in range(20_000)], threading.Event()

    def make() -> None:
        while not over.is_set():
            known.append(AskedFirst(abs))

    interval_s = sys.getswitchinterval()
    thread = threading.Thread(target=make)
    sys.setswitchinterval(1e-5)
    try:
        thread.start()
        for _ in range(5):
            with left_out():
                assert known[0].run is left_to_others
            assert known[0].run is abs
    finally:
        over.set()
        thread.join()
        sys.setswitchinterval(interval_s)
    assert all(one.run is abs for one in known)


def test_an_interrupted_start_of_a_block_leaves_nothing_out(monkeypatch: pytest.MonkeyPatch) -> None:
    one = AskedFirst(abs)

    def interrupted(_: AskedFirst) -> None:
        monkeypatch.undo()
        raise KeyboardInterrupt

    monkeypatch.setattr(AskedFirst, "look_again", interrupted)
    with pytest.raises(KeyboardInterrupt), left_out():
        pass
    assert one.run is abs
    assert not python_functions.all_left_out()
