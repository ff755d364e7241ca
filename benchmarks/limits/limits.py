"""Measure how well solvers keep a time limit, and how soon a signal ends them."""

from __future__ import annotations

import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.form import RESULTS, ROOT, machine, table, write_page
from benchmarks.limits.limit_inputs import PLACES, write_network, write_tsplib
from rooftop.solvers import network
from rooftop.solvers.network.model import make_model
from rooftop.solvers.network.tables import read_network
from rooftop.solvers.routing import Problem

PAGE = RESULTS / "limits.md"
ASKED_OVER_S, ASKED_AFTER_SIGNAL_S = 0.5, 1.0
_LONG_S = 60.0
_SIGNAL_AFTER_S = 0.7
_ABOUT = f"""\
Asked: at most {ASKED_OVER_S:g} s over a limit and {ASKED_AFTER_SIGNAL_S:g} s after SIGINT. Of a command the whole
process counts, its start and the reading of its files included."""

Search = Callable[[float], object]  # for so many seconds


@dataclass(frozen=True)
class Kept:
    """How a limit was kept, or None for a signal that came instead.

    over_s  seconds that the call lasted beyond the limit, or beyond the signal
    """

    what: str
    limit_s: float | None
    over_s: float

    @property
    def met(self) -> bool:
        """Whether that is no more than what is asked."""
        return self.over_s <= (ASKED_AFTER_SIGNAL_S if self.limit_s is None else ASKED_OVER_S)


def late(search: Search, limit_s: float) -> float:
    """Return how much longer than its limit a search takes."""
    began_s = time.monotonic()
    with suppress(network.NothingFound):
        search(limit_s)
    return time.monotonic() - began_s - limit_s


def after_signal(search: Search) -> float | None:
    """Return how long a search of a minute goes on after SIGINT; None where it has ended by itself before."""
    timer = threading.Timer(_SIGNAL_AFTER_S, lambda: os.kill(os.getpid(), signal.SIGINT))
    began_s = time.monotonic()
    timer.start()
    try:
        search(_LONG_S)
    except KeyboardInterrupt:
        return time.monotonic() - began_s - _SIGNAL_AFTER_S
    timer.cancel()
    return None


def command(words: Sequence[str], interrupt_after_s: float | None = None) -> tuple[float, int]:
    """Return the seconds from the start of a command, or from the signal, to its end, and its exit code."""
    began_s = time.monotonic()
    process = subprocess.Popen(
        [str(ROOT / "rooftop"), *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    if interrupt_after_s is not None:
        time.sleep(interrupt_after_s)
        began_s = time.monotonic()
        os.killpg(process.pid, signal.SIGINT)
    code = process.wait()
    return time.monotonic() - began_s, code


def searches(folder: Path, only: str) -> Iterator[tuple[str, Search]]:
    """Yield inputs by name, each with a search."""
    for name, places in PLACES.items():
        if only in f"tour {name}":
            problem = Problem.in_plane(places())
            yield f"tour, {name}", lambda seconds, problem=problem: problem.solve(seconds)  # type: ignore[misc]
    if only in "network, 40 000 nodes":
        write_network(folder / "network")
        model = make_model(read_network([folder / "network"]))
        yield "network, 40 000 nodes", lambda seconds: network.solve(model, seconds)


def commands(folder: Path, only: str) -> Iterator[tuple[str, list[str], float]]:
    """Yield command lines without their limit, and the limit."""
    if only in "tour command":
        write_tsplib(PLACES["100 000 random cities"](), folder / "cities.tsp")
        yield "`solve tsp`, 100 000 cities", ["solve", "tsp", str(folder / "cities.tsp")], 3.0
    if only in "network command":
        yield "`solve network`, 40 000 nodes", ["solve", "network", str(folder / "network")], 8.0


def measure(only: str) -> list[Kept]:
    """Measure all and print each as it comes."""
    found: list[Kept] = []

    def add(what: str, limit_s: float | None, over_s: float) -> None:
        found.append(Kept(what, limit_s, over_s))
        limit = "signal" if limit_s is None else f"{limit_s:g} s"
        print(f"{what:45} {limit:8} {over_s:+.3f} s{'' if found[-1].met else '  too long'}", flush=True)

    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for what, search in searches(folder, only):
            for limit_s in (0.1, 1.0, 5.0):
                add(what, limit_s, late(search, limit_s))
            if (seconds := after_signal(search)) is not None:
                add(what, None, seconds)
        for what, words, limit_s in commands(folder, only):
            took_s, _ = command([*words, "--time", f"{limit_s:g}s"])
            add(what, limit_s, took_s - limit_s)
            took_s, code = command([*words, "--time", "60s"], _SIGNAL_AFTER_S + 2)
            if code != 130:
                raise RuntimeError(f"{what}: exit code {code} after SIGINT, expected 130")
            add(what, None, took_s)
    return found


def tables(found: Sequence[Kept]) -> tuple[str, str]:
    """Return the table of the limits, and how many were kept."""
    rows = [
        (
            one.what,
            "SIGINT" if one.limit_s is None else f"{one.limit_s:g}",
            f"{one.over_s:.3f}",
            "" if one.met else "too long",
        )
        for one in found
    ]
    met = sum(one.met for one in found)
    return table(["input", "limit, s", "over it, s", ""], rows), f"{met} of {len(found)} as asked."


def main(only: Annotated[str, typer.Option(help="Inputs whose name contains this; no page is written.")] = "") -> int:
    """Measure and write the page. Exit code 1 where a call took too long."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    found = measure(only)
    if not only:
        on = f"{machine()}, load average {os.getloadavg()[0]:.1f} at the end"
        write_page(PAGE, "How well a time limit is kept", "limits", _ABOUT, *tables(found), on=on)
    return 0 if all(one.met for one in found) else 1
