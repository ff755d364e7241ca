"""An interrupt that is put off, or taken as a request."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator

import pytest

from rooftop.command.number import limited_search
from rooftop.interrupts import interrupt_came, remembered_interrupts, taken_as_requests, uninterrupted

ASKED = {signal.SIGINT, signal.SIGTERM}
HANDLED = sorted(signal.valid_signals() - ASKED - {signal.SIGKILL, signal.SIGSTOP})


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


@pytest.mark.parametrize("number", [one for one in HANDLED if one < signal.SIGRTMIN], ids=lambda one: f"{one:d}")
def test_signals_that_ask_for_no_end_are_no_interrupts(number: int) -> None:
    came: list[int] = []
    before = signal.signal(number, lambda one, _: came.append(one))
    try:
        with remembered_interrupts():
            signal.raise_signal(number)
            with uninterrupted():
                signal.raise_signal(number)
            assert not interrupt_came()
        assert came == [number, number]
    finally:
        signal.signal(number, before)


class TimedOut(Exception):
    """What the handler of a time limit raises."""


@pytest.fixture
def limit() -> Iterator[None]:
    """Limit the test's time by SIGALRM, as pytest-timeout does; its own limit is put off meanwhile."""

    def late(*_: object) -> None:
        raise TimedOut

    before, left = signal.signal(signal.SIGALRM, late), signal.setitimer(signal.ITIMER_REAL, 1000)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, *left)
        signal.signal(signal.SIGALRM, before)


class Interrupting:
    """Is interrupted while it is finalised: Python drops that."""

    def __del__(self) -> None:
        signal.raise_signal(signal.SIGINT)


def waited() -> None:
    until_s = time.monotonic() + 60
    while time.monotonic() < until_s:
        time.sleep(0.001)


@pytest.mark.usefixtures("limit")
def test_a_time_limit_of_others_is_no_interrupt() -> None:
    with remembered_interrupts():
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        with pytest.raises(TimedOut):
            waited()
        assert not interrupt_came()


@pytest.mark.usefixtures("limit")
@pytest.mark.parametrize("late", [False, True])
def test_a_time_limit_of_others_holds_after_an_interrupt_that_was_dropped(late: bool) -> None:
    with pytest.raises(KeyboardInterrupt), remembered_interrupts():
        if late:
            signal.setitimer(signal.ITIMER_REAL, 0.05)
        Interrupting()
        waited()
    if late:
        with pytest.raises(TimedOut):
            waited()
    else:
        assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 1000


@pytest.mark.usefixtures("limit")
def test_a_time_limit_of_others_holds_around_a_search() -> None:
    with limited_search("x"):
        pass
    assert 0 < signal.getitimer(signal.ITIMER_REAL)[0] < 1000
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    with pytest.raises(TimedOut):
        with limited_search("x"):
            time.sleep(0.1)
        waited()
