"""Measure all configurations of a program."""

from __future__ import annotations

import json
import os
import re
import shlex
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from subprocess import run as run_process
from typing import Annotated, ClassVar, Protocol

import typer

from benchmarks.tuning.rounds import Rounds, recorded_in, run_rounds
from rooftop.command import process
from rooftop.command.process import Finished, Limits
from rooftop.parameters.space import Configuration, Parameter, Space
from rooftop.settings import Settings
from rooftop.tune.launch import launch


class Program(Protocol):
    """A program with a space of configurations, one of which runs beside each of the others where it is short.

    Its times tell the state of the machine at each run.
    """

    space: Space
    beside: Configuration | None

    def words(self, folder: Path) -> Sequence[str]:
        """Build it in a scratch folder, and give the words that start it."""
        ...

    def milliseconds(self, finished: Finished) -> float:
        """Return what a run took. Raises SystemExit where its answer is wrong."""
        ...


class BlockedProduct:
    """A matrix product in blocks: three block sizes and threads, the plain loops on one thread first."""

    SIZE = 384
    BLOCKS = (384, 128, 64, 32, 16, 8, 4)

    def __init__(self) -> None:
        blocks = [Parameter(name, "param", self.BLOCKS) for name in ("BI", "BJ", "BK")]
        self.space = Space([*blocks, Parameter("threads", "threads", (1, 2))])
        self.beside: Configuration | None = None
        self._answer: bytes | None = None

    def words(self, folder: Path) -> Sequence[str]:
        """See Program."""
        source = Path(__file__).with_name("blocked_product.c")
        run_process(["cc", "-O3", "-march=native", "-fopenmp", "-o", folder / "product", source], check=True)
        return [str(folder / "product"), str(self.SIZE), "{BI}", "{BJ}", "{BK}"]

    def milliseconds(self, finished: Finished) -> float:
        """See Program. Its whole run, as `rooftop tune` takes it."""
        self._answer = self._answer or finished.output
        if finished.output != self._answer or not finished.output.startswith(b"sum "):
            raise SystemExit(f"a result differs: {finished.output!r}")
        return finished.elapsed_ns * 1e-6


class Winograd:
    """The upper half of the Winograd ladder on one layer: which rung, and how it is launched."""

    CASE: ClassVar = {"c": 64, "h": 50, "w": 50, "k": 128, "n": 2, "padding": 0}
    TERMS: ClassVar = {"layout": "nchw", "filter": "timed", "accuracy": "balanced", "data": "random"}
    RUNGS = ("70-f2x2.avx2", "80-f4x4.avx2", "85-sgemm.avx2", "90-fused.avx2", "95-fused.avx512", "99-solver")
    ITERATIONS = 20

    def __init__(self) -> None:
        self._built = Settings().build_folder / "experiments" / "winograd"
        self.space = Space(
            [
                Parameter("RUNG", "param", tuple(name for name in self.RUNGS if self._runs_here(name))),
                Parameter("threads", "threads", (1, 2, 3, 4)),
                Parameter("bind", "bind", ("none", "close", "spread")),
                Parameter("OMP_WAIT_POLICY", "env", ("passive", "active")),
                Parameter("GLIBC_TUNABLES", "env", ("glibc.malloc.hugetlb=0", "glibc.malloc.hugetlb=1")),
            ]
        )
        plain = self.space.configurations[0]  # all parameters' first values
        self.beside: Configuration | None = {**plain, "RUNG": self.RUNGS[-1], "threads": 2}

    def _module(self, name: str) -> str:
        return str(self._built / "rungs" / f"{name}.so")

    def _runs_here(self, name: str) -> bool:
        words = [str(self._built / "driver"), "describe", "--module", self._module(name)]
        told = run_process(words, capture_output=True, check=False)
        return told.returncode == 0 and bool(json.loads(told.stdout)["supported"])

    def words(self, folder: Path) -> Sequence[str]:
        """See Program. One driver for each run: a case, verified, and one sample of it."""
        case = {"op": "case", "case": self.CASE | self.TERMS, "seed": 1, "threads": 0}
        requests = [json.dumps(case), json.dumps({"op": "sample", "iterations": self.ITERATIONS})]
        asked = " ".join(shlex.quote(one) for one in requests).replace('"threads": 0', '"threads": {threads}')
        driver = shlex.join([str(self._built / "driver"), "run", "--module"])
        return ["sh", "-c", f"printf '%s\\n' {asked} | {driver} {self._module('{RUNG}')}"]

    def milliseconds(self, finished: Finished) -> float:
        """See Program. The sample's own time, as `--metric-regex` takes it."""
        took = re.findall(rb'"elapsed_ns":(\d+)', finished.output)
        if b'"outcome":"ok"' not in finished.output or not took:
            raise SystemExit(f"a run failed: {finished.output!r} {finished.said}")
        return int(took[-1]) * 1e-6


PROGRAMS: dict[str, Callable[[], Program]] = {"blocked_product": BlockedProduct, "winograd": Winograd}


def main(
    name: str,
    file: Path,
    rounds: Annotated[int, typer.Option("--rounds")] = 9,
    further: Annotated[int, typer.Option("--further", help="Rounds over those near the best.")] = 27,
    near: Annotated[float, typer.Option("--near", help="How far from the best they may be.")] = 0.15,
) -> None:
    """Write the space, and of every run its turn and its milliseconds."""
    if name not in PROGRAMS:
        raise SystemExit(f"there is no program {name!r}, expected {' or '.join(PROGRAMS)}")
    program: Program = PROGRAMS[name]()
    searched = program.space
    with tempfile.TemporaryDirectory() as folder:
        words = program.words(Path(folder))

        def measured(one: Configuration) -> float:
            started = launch(searched, one, words, None)
            environment = {**os.environ, **started.environment}
            finished = process.run(started.words, Limits(60), capture="first", environment=environment)
            return round(program.milliseconds(finished), 3)

        plain = program.beside
        beside = None if plain is None else lambda: measured(plain)
        run_rounds(file, recorded_in(file, searched, {}), Rounds(rounds, further, near), measured, beside)
