"""Measure all configurations of a rung: `record_rung EXPERIMENT/RUNG FILE --case NAME --ranks 2,1 --param N=8,16`.

See README.md.
"""

from __future__ import annotations

import contextlib
import math
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.tuning.rounds import Rounds, recorded_in, run_rounds
from rooftop.command.measurement import Measurement
from rooftop.driver.process import ProcessDriver
from rooftop.parameters.space import Configuration, parameter
from rooftop.subject.rung import Rung
from rooftop.tune.options import Options
from rooftop.tune.rungs import tuned_rung

_LIMIT_S = 60.0
_LEAST_MS = 5.0  # of a sample


class Drivers:
    """A driver for each number of ranks, which stays from run to run: starting one takes longer than many a run."""

    def __init__(self) -> None:
        self._running: dict[object, ProcessDriver] = {}

    def milliseconds(self, rung: Rung, name: str = "") -> float:
        """Return what a run of a rung on its only case takes. Raises SystemExit where it is not right.

        name  of the driver, where it is to be another than others have
        """
        (case,) = rung.cases
        key = name, rung.team, tuple(sorted(rung.variables.items()))
        if key not in self._running:
            self._running[key] = ProcessDriver(rung.module, rung.team, rung.variables)
        driver = self._running[key]
        reply = driver.case(rung.parameters_of(case), 1, _LIMIT_S)
        if reply.outcome != "ok":
            raise SystemExit(f"{rung.parameters} is {reply.outcome}: {reply.reason}")
        first_ms = (reply.first_run_ns or 0.0) * 1e-6
        iterations = max(1, math.ceil(_LEAST_MS / max(first_ms, 0.1)))
        return round(driver.sample(iterations, _LIMIT_S).elapsed_ns / iterations * 1e-6, 4)

    def close(self) -> None:
        """End them."""
        for driver in self._running.values():
            driver.close()


def main(
    rung: str,
    file: Path,
    case: Annotated[str, typer.Option("--case")],
    size: Annotated[str, typer.Option("--size")] = "quick",
    ranks: Annotated[str | None, typer.Option("--ranks")] = None,
    param: Annotated[list[str] | None, typer.Option("--param", metavar="N=8,16")] = None,
    where: Annotated[list[str] | None, typer.Option("--where", metavar="COND")] = None,
    rounds: Annotated[int, typer.Option("--rounds")] = 9,
    further: Annotated[int, typer.Option("--further", help="Rounds over those near the best.")] = 18,
    near: Annotated[float, typer.Option("--near", help="How far from the best they may be.")] = 0.15,
    seconds: Annotated[float, typer.Option("--seconds", help="End after so many, to be gone on with.")] = 150.0,
) -> None:
    """Write the space, and of every run its turn and its milliseconds; go on with what the file has."""
    asked = [parameter("--ranks", "ranks", "ranks", ranks)] if ranks is not None else []
    for name, _, values in (text.partition("=") for text in param or ()):
        asked.append(parameter("--param", "param", name, values))
    options = Options(
        words=(rung,),
        parameters=tuple((one.name, one.kind, one.values) for one in asked),
        where=tuple(where or ()),
        how=Measurement(size=size, cases=(case,)),
    ).prepared()
    space, plain = options.space(), options.rung()
    assert plain is not None
    print(f"{len(space)} configurations")
    with contextlib.closing(Drivers()) as drivers:

        def measured(one: Configuration) -> float:
            return drivers.milliseconds(tuned_rung(plain, space, one))

        def beside() -> float:
            return drivers.milliseconds(tuned_rung(plain, space, dict(options.starts[0])), "beside")

        recorded = recorded_in(file, space, {"rung": rung, "size": size, "case": case})
        done = run_rounds(file, recorded, Rounds(rounds, further, near, seconds), measured, beside)
    print("all is recorded" if done else "there is more to record: run the same again")
