"""An interrupt that is put off."""

from __future__ import annotations

import signal
import threading

import pytest

from rooftop.uninterrupted import uninterrupted


def test_an_interrupt_comes_when_the_block_is_through() -> None:
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():
        signal.raise_signal(signal.SIGINT)
        done.append("the rest")
    assert done == ["the rest"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_without_an_interrupt_nothing_comes() -> None:
    with uninterrupted():
        pass
    with pytest.raises(ValueError, match="its own"), uninterrupted():
        raise ValueError("its own")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_another_thread_may_use_it() -> None:
    done = []

    def work() -> None:
        with uninterrupted():
            done.append(True)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert done == [True]
