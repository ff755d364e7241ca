"""Signals, callbacks and requests to stop while a search lasts: none is lost, and each ends it soon."""

from __future__ import annotations

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_network import write_tables

from rooftop.errors import NotBuilt
from rooftop.solvers import Stop, conv, fft, network
from rooftop.solvers.c_interface.long_call import LongCall
from rooftop.solvers.conv import library as conv_library
from rooftop.solvers.fft import library as fft_library
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import Problem
from rooftop.solvers.routing import library as routing_library

LONG_S, SOON_S = 120.0, 40.0

Search = Callable[..., Any]


@pytest.fixture(scope="module", autouse=True)
def library() -> None:
    """Skips all where a solver is not built."""
    try:
        routing_library.load()
        network_library.load()
        conv_library.load()
        fft_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.fixture(params=["tour", "network", "large tour"])
def search(request: pytest.FixtureRequest, tmp_path: Path) -> Search:
    """A search that lasts, and one that first prepares itself for long."""
    if request.param == "network":
        model = make_model(read_network([write_tables(tmp_path / "town")]))
        return lambda **options: network.solve(model, LONG_S, **options)
    cities = 100_000 if request.param == "large tour" else 300
    problem = Problem.in_plane(np.random.default_rng(1).uniform(0, 1e6, (cities, 2)))
    return lambda **options: problem.solve(LONG_S, **options)


def after(seconds: float, what: Callable[[], object]) -> None:
    threading.Timer(seconds, what).start()


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


@pytest.mark.case("solvers.A3")
@pytest.mark.parametrize("options", [{}, {"callback": lambda _: None}])
def test_an_interrupt_is_raised_soon(search: Search, options: dict[str, Any]) -> None:
    began_s = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        after(0.2, interrupt)
        search(**options)
    assert time.monotonic() - began_s < SOON_S


@pytest.mark.case("solvers.A3.handlers")
def test_what_a_signal_handler_does_comes_soon(search: Search) -> None:
    class TooLong(Exception):
        pass

    def handle(*_: object) -> None:
        raise TooLong

    before = signal.signal(signal.SIGUSR1, handle)
    try:
        began_s = time.monotonic()
        with pytest.raises(TooLong):
            after(0.2, lambda: os.kill(os.getpid(), signal.SIGUSR1))
            search()
        assert time.monotonic() - began_s < SOON_S
    finally:
        signal.signal(signal.SIGUSR1, before)


def transform_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.solvers.fft.plan.LONG_FLOPS", 0.0)
    plan = fft.FourierPlan((64, 64, 64))
    values = np.ones(plan.shape, complex)
    while True:
        plan.forward(values, out=values)


def convolve_again_and_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rooftop.solvers.conv.plan._LONG_FLOPS", 0.0)
    image, filters = np.ones((2, 64, 56, 56), np.float32), np.ones((64, 64, 3, 3), np.float32)
    while True:
        conv.conv2d(image, filters)


def plan_again_and_again(_: pytest.MonkeyPatch) -> None:
    while True:
        conv.ConvPlan(n=1, c=64, h=56, w=56, k=64, measure=True)


@pytest.mark.case("solvers.A3.transforms")
@pytest.mark.case("solvers.A3.planning")
@pytest.mark.parametrize("work", [transform_again_and_again, convolve_again_and_again, plan_again_and_again])
@pytest.mark.parametrize("after_s", [0.1, 0.2])
def test_an_interrupt_ends_transforms_convolutions_and_planning(
    work: Callable[[pytest.MonkeyPatch], None], after_s: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(KeyboardInterrupt):
        after(after_s, interrupt)
        work(monkeypatch)
    values = np.arange(8.0)
    assert np.allclose(fft.fftn(values), np.fft.fft(values))  # as before


@pytest.mark.parametrize("grids", [1, 3])
def test_a_long_transform_and_a_long_convolution_are_those_of_short_ones(
    grids: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = np.random.default_rng(1)
    values = rng.normal(size=(grids, 12, 10, 9)) + 1j * rng.normal(size=(grids, 12, 10, 9))
    image, filters = rng.random((grids, 20, 14, 14), np.float32), rng.random((20, 20, 3, 3), np.float32)
    short = fft.fftn(values, axes=(1, 2, 3)), conv.conv2d(image, filters)
    monkeypatch.setattr("rooftop.solvers.fft.plan.LONG_FLOPS", 0.0)
    monkeypatch.setattr("rooftop.solvers.conv.plan._LONG_FLOPS", 0.0)
    assert np.array_equal(fft.fftn(values, axes=(1, 2, 3)), short[0])
    assert np.array_equal(conv.conv2d(image, filters), short[1])


@pytest.mark.case("solvers.A3.stop")
def test_a_stop_ends_a_search_with_what_it_found() -> None:
    problem = Problem.in_plane(np.random.default_rng(1).uniform(0, 1e6, (300, 2)))
    stop = Stop()
    after(0.2, stop.request)
    assert sorted(problem.solve(LONG_S, stop=stop).order) == list(range(300))
    assert problem.solve(LONG_S, stop=stop).seconds < SOON_S  # as before


@pytest.mark.case("solvers.A3.stop")
def test_a_stop_ends_searches_in_other_threads(search: Search) -> None:
    stop, found = Stop(), []

    def run() -> None:
        try:
            found.append(search(stop=stop))
        except network.NothingFound as error:
            found.append(error)

    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    time.sleep(0.2)
    stop.request()
    for thread in threads:
        thread.join(SOON_S)
    assert len(found) == 2


@pytest.mark.case("solvers.A3.handlers")
def test_callbacks_run_where_the_search_was_called() -> None:
    problem = Problem.in_plane(np.random.default_rng(1).uniform(0, 1e6, (300, 2)))
    seen = []

    def callback(_: object) -> bool:
        seen.append(threading.current_thread())
        return False

    problem.solve(LONG_S, callback=callback, threads=1)
    assert seen == [threading.current_thread()]


def test_a_search_may_be_made_in_a_callback() -> None:
    problem = Problem.in_plane(np.random.default_rng(1).uniform(0, 1e6, (60, 2)))
    lengths = []

    def callback(_: object) -> bool:
        lengths.append(problem.solve(iterations=5).length)
        return False

    assert problem.solve(LONG_S, callback=callback).length <= 2 * lengths[0]


def test_what_a_call_raises_is_raised() -> None:
    def body() -> None:
        raise ValueError("inside")

    with pytest.raises(ValueError, match="inside"):
        LongCall().run(body)


def test_a_call_that_was_given_up_is_answered() -> None:
    call = LongCall()

    def body() -> list[int]:
        return [call.ask(lambda: 7), call.ask(lambda: 1 // 0), call.ask(lambda: 7)]

    answers: list[int] = []
    with pytest.raises(ZeroDivisionError):
        call.run(lambda: answers.extend(body()))
    assert (answers, call.flag.is_set) == ([7, 0, 0], True)
