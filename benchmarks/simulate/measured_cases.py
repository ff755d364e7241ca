"""Measure the cases of validation.toml on hosts with shaped links.

The measuring runs within the first of the hosts, as a program of its own, which prints what `Measured` holds as JSON:
``python -m benchmarks.simulate.measured_cases ROUND``.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from statistics import median
from typing import Any

from benchmarks.form import ROOT
from benchmarks.overlap.hosts import Hosts
from rooftop.driver.process import ProcessDriver
from rooftop.ladder.discovery import Module, find_experiment
from rooftop.launchers import of_this_tree
from rooftop.launchers.team import Team
from rooftop.measure.limits import bandwidth, fma_peak
from rooftop.probe.measure import refresh_roofs
from rooftop.settings import Settings

CASES: dict[str, Any] = tomllib.loads(Path(__file__).with_name("validation.toml").read_text(encoding="utf-8"))
_SAMPLES = 9
_SAMPLE_NS = 200_000_000
_LIMIT_S = 120.0
_OVERLAP = "labs/transfer_overlap"
_HELP = {"none": "20-no-help", "tests": "30-test-calls"}
_AFTER = "10-blocking"
_BYTES, _CYCLES = 4 << 20, 50_000_000


@dataclass(frozen=True)
class CaseTimes:
    """Seconds of a unit of a case, by sample: of two ranks, and of one rank alone, taken in turn."""

    ranks: list[float]
    alone: list[float]


@dataclass(frozen=True)
class ProgramTimes:
    """Seconds of a recorded program's further steps: samples, and by replay; None: it could not be run."""

    samples: list[float]
    replayed_s: float | None = None


@dataclass
class Measured:
    """What was measured on the links of a round.

    message_s    half a round trip, by bytes; overhead_s: of a rank for each message
    proceeded    part of a message of `_BYTES` that comes during work of `work_s`, without and with test calls
    flops_per_s  and bytes_per_s: of a core, by the bench's probe
    """

    processor: str = ""
    flops_per_s: float = 0.0
    bytes_per_s: float = 0.0

    message_s: dict[int, float] = field(default_factory=dict)
    overhead_s: float = 0.0
    proceeded: dict[str, float] = field(default_factory=dict)
    work_s: float = 0.0
    cases: dict[str, CaseTimes] = field(default_factory=dict)
    programs: dict[str, ProgramTimes] = field(default_factory=dict)

    def share(self, help_: str) -> float:
        """Return the part of its work in which a message proceeds: without test calls ("none"), or with ("tests")."""
        return min(1.0, self.proceeded[help_] * self.message_s[_BYTES] / self.work_s)


def module_of(rung: str) -> Module:
    """Return the built rung of a name without its instruction set."""
    settings = Settings()
    experiment, _, name = rung.rpartition("/")
    found = find_experiment(ROOT / "experiments", settings.build_folder, experiment)
    (module,) = (one for one in found.modules if name in (one.name, one.name.removesuffix(f".{one.isa}")))
    return module


@contextlib.contextmanager
def _driver(rung: str, ranks: int, parameters: Mapping[str, Any]) -> Iterator[ProcessDriver]:
    """Start a rung that has set up a case and verified its result. Raises DriverFailed and ValueError."""
    driver = ProcessDriver(module_of(rung), Team(ranks=ranks))
    try:
        reply = driver.case(dict(parameters), 1, _LIMIT_S)
        if reply.outcome != "ok":
            raise ValueError(f"{rung} on {ranks} ranks is {reply.outcome}: {reply.reason}")
        yield driver
    finally:
        driver.close()


def _seconds(driver: ProcessDriver, iterations: int) -> float:
    return driver.sample(iterations, _LIMIT_S).elapsed_ns / iterations * 1e-9


def times_of(case: Mapping[str, Any], hosts: int) -> CaseTimes:
    """Return the samples of a case; a lab has nothing that a rank does alone."""
    counts = [hosts] if case["rung"].startswith("labs/") else [hosts, 1]
    taken: dict[int, list[float]] = {count: [] for count in counts}
    with contextlib.ExitStack() as stack:
        drivers = {count: stack.enter_context(_driver(case["rung"], count, case["parameters"])) for count in counts}
        iterations = {count: one.calibrate(_SAMPLE_NS, _LIMIT_S).iterations for count, one in drivers.items()}
        for _ in range(_SAMPLES):
            for count, driver in drivers.items():
                taken[count].append(_seconds(driver, iterations[count]) / case["units"])
    return CaseTimes(taken[hosts], taken.get(1, []))


def _messages(measured: Measured) -> None:
    program = str(Settings().build_folder / "probes" / "ranks" / "messages")
    launch = of_this_tree().started([program, "--quick"], {}, Team(ranks=2), "close")
    environment = os.environ | dict(launch.environment)
    told = subprocess.run(launch.words, env=environment, capture_output=True, text=True, check=True).stdout
    for line in told.splitlines():
        figure = json.loads(line)
        if figure["metric"] == "message":
            measured.message_s[figure["message_bytes"]] = figure["value"]
        elif figure["metric"] == "message_overhead":
            measured.overhead_s = figure["value"]


def _overlap(measured: Measured) -> None:
    asked = {"bytes": _BYTES, "cycles": _CYCLES}
    for name, variant in _HELP.items():
        with _driver(f"{_OVERLAP}/{variant}", 2, asked) as driver:
            facts = [driver.verify(_LIMIT_S).facts or [] for _ in range(_SAMPLES)]
            measured.proceeded[name] = median(one[0].figures["proceeded_percent"] or 0.0 for one in facts) / 100
    with _driver(f"{_OVERLAP}/{_AFTER}", 2, asked) as driver:
        whole_s = median(_seconds(driver, 3) for _ in range(_SAMPLES))
        measured.work_s = whole_s - measured.message_s[_BYTES]


def measured_here(round_: str) -> Measured:
    """Measure a round's cases on the hosts that this program is on, and what its constants are taken from."""
    roofs = refresh_roofs(1)
    flops, bytes_ = fma_peak(roofs, 1, "fp64"), bandwidth(roofs, "memory", 1)
    assert flops is not None and bytes_ is not None
    found = Measured(flops_per_s=flops, bytes_per_s=bytes_)
    _messages(found)
    if round_ == "first":
        _overlap(found)
    for case in CASES["cases"]:
        print(case["id"], file=sys.stderr)
        found.cases[case["id"]] = times_of(case, CASES["rounds"][round_]["hosts"])
    return found


def measured_on(hosts: Hosts, round_: str) -> Measured:
    """Measure the cases of a round on its hosts. Raises OSError where that fails."""
    words = hosts.words([sys.executable, "-m", "benchmarks.simulate.measured_cases", round_])
    done = subprocess.run(
        words, cwd=ROOT, env=os.environ | hosts.environment(), stdout=subprocess.PIPE, text=True, check=False
    )
    if done.returncode:
        raise OSError(f"measuring on the links of {round_!r} ended with {done.returncode}")
    return read(json.loads(done.stdout))


def read(content: Mapping[str, Any]) -> Measured:
    """Return what was measured from its JSON."""
    cases = {name: CaseTimes(**times) for name, times in content["cases"].items()}
    messages = {int(size): seconds for size, seconds in content["message_s"].items()}
    programs = {name: ProgramTimes(**times) for name, times in content["programs"].items()}
    return Measured(**{**content, "cases": cases, "message_s": messages, "programs": programs})


if __name__ == "__main__":
    print(json.dumps(asdict(measured_here(sys.argv[1]))))
