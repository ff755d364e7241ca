"""The samples of the validation: taken on a quiet machine, and kept, so that the page is written from them."""

from __future__ import annotations

import json
import tempfile
from dataclasses import asdict, replace
from pathlib import Path

from benchmarks.form import machine
from benchmarks.overlap.hosts import shaped_hosts
from benchmarks.simulate.described_hosts import platform
from benchmarks.simulate.measured_cases import CASES, Measured, ProgramTimes, measured_on, read
from benchmarks.simulate.recorded_programs import missing, prepare, recordings, times_on
from rooftop.simulate.layout import laid_out
from rooftop.simulate.replay import replay

SAMPLES = Path(__file__).with_name("validation_samples.json")


def measure(to: Path = SAMPLES) -> None:
    """Measure both rounds and keep the samples, of recorded programs with their replays. Raises OSError."""
    found: dict[str, Measured] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(folder)
        programs = [one for one in CASES["programs"] if missing(one) is None]
        recorded = {one["id"]: recordings(one, folder) for one in programs}
        for round_, links in CASES["rounds"].items():
            with (
                tempfile.TemporaryDirectory() as own,
                shaped_hosts(links["hosts"], links["rate_mbit"], links["delay_us"], Path(own)) as hosts,
            ):
                found[round_] = replace(measured_on(hosts, round_), processor=machine())
                times = {one["id"]: times_on(hosts, one, folder) for one in programs}
            layout = laid_out(platform(round_, found["first"], "none"), links["hosts"])
            for program, samples in times.items():
                few_s, many_s = (replay(one, layout).seconds for one in recorded[program])
                found[round_].programs[program] = ProgramTimes(samples, many_s - few_s)
    content = {round_: asdict(one) for round_, one in found.items()}
    to.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def measured(samples: Path = SAMPLES) -> dict[str, Measured]:
    """Return what was measured, by round; nothing where nothing was."""
    if not samples.is_file():
        return {}
    return {name: read(one) for name, one in json.loads(samples.read_text(encoding="utf-8")).items()}
