"""An interrupt that is put off, or taken as a request."""

from __future__ import annotations

import signal
import threading

import pytest

from rooftop.interrupts import taken_as_requests, uninterrupted


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


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_request_raises_nothing(number: signal.Signals) -> None:
    before = signal.getsignal(number)
    asked: list[bool] = []
    with taken_as_requests(lambda: asked.append(True)):
        signal.raise_signal(number)
        signal.raise_signal(number)
    assert asked == [True, True]
    assert signal.getsignal(number) is before


def test_what_is_ignored_is_no_request() -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with taken_as_requests(lambda: pytest.fail("it was not asked")):
            signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
