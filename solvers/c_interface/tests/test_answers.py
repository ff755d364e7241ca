"""What callbacks of searches answer: None and whatever is true go on, whatever else is false ends the search."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_network import write_tables

from rooftop.errors import NotBuilt
from rooftop.solvers import network, routing
from rooftop.solvers.c_interface.long_call import goes_on
from rooftop.solvers.network import library as network_library
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import library as routing_library

PLACES = np.random.default_rng(1).uniform(0, 1000, (300, 2))
ENDS = [False, np.False_, 0, 0.0, "", np.array(False)]
GOES_ON = [None, True, np.True_, 1, "yes", np.array(1)]
HOUR = 3600.0


@pytest.fixture(scope="module", autouse=True)
def libraries() -> None:
    """Skips all where a solver is not built."""
    try:
        network_library.load()
        routing_library.load()
    except NotBuilt as reason:
        pytest.skip(str(reason))


@pytest.mark.case("solvers.B7")
def test_answers() -> None:
    assert not any(goes_on(answer) for answer in ENDS)
    assert all(goes_on(answer) for answer in GOES_ON)


class Answering:
    """A callback that ends the search at its third call at the latest, and counts how often it is called."""

    def __init__(self, answer: Any) -> None:
        self.answer, self.calls = answer, 0

    def __call__(self, *_: object) -> Any:
        self.calls += 1
        return self.answer if self.calls < 3 else False


@pytest.mark.case("solvers.B7")
@pytest.mark.parametrize("answer", [*ENDS, *GOES_ON], ids=repr)
def test_a_tour_search_ends_with_whatever_is_false(answer: Any) -> None:
    callback = Answering(answer)
    routing.solve_tsp(PLACES, HOUR, callback=callback, threads=1)
    assert callback.calls == (3 if goes_on(answer) else 1)


@pytest.mark.case("solvers.B7.network")
@pytest.mark.parametrize("answer", [np.False_, 0, None], ids=repr)
def test_a_network_search_ends_with_whatever_is_false(answer: Any, tmp_path: Path) -> None:
    callback = Answering(answer)
    network.solve(make_model(read_network([write_tables(tmp_path)])), HOUR, callback=callback, threads=1)
    assert (callback.calls > 2) is goes_on(answer)


@pytest.mark.case("solvers.B7.neither")
def test_an_answer_that_is_neither_true_nor_false_is_an_error() -> None:
    answer: Any = np.array([True, False])
    with pytest.raises(ValueError, match="ambiguous"):
        routing.solve_tsp(PLACES, HOUR, callback=lambda _: answer, threads=1)
