"""Hold what `rooftop h5 advise` predicts of filters against what is measured."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.h5_advice.advice_cases import CHUNK_BYTES, DATA, Case, ordered_cases
from benchmarks.h5_advice.advice_page import write_advice
from benchmarks.h5_advice.advice_samples import Sample, Samples
from rooftop.documents import Comparison
from rooftop.errors import RooftopError
from rooftop.machine import identity
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice import cost, demand, device, rates
from rooftop.solvers.h5io.advice.access import Access, sample_shape
from rooftop.solvers.h5io.advice.cost import Team, predicted_s
from rooftop.solvers.h5io.advice.crew import Crew
from rooftop.solvers.h5io.advice.dropping import dropping, means_of_dropping
from rooftop.solvers.h5io.advice.layouts import Layout
from rooftop.solvers.h5io.advice.rates import measured_rates
from rooftop.solvers.h5io.advice.rates_used import rates_used
from rooftop.solvers.h5io.advice.scratch import scratch_folder
from rooftop.solvers.h5io.advice.trial import after, compared, readers, written
from rooftop.text.durations import parse_budget

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "results" / "h5-advice.md"
KEPT = ROOT / ".rooftop" / "h5_advice"
RATES_BYTES = 8 << 20
PAIRS_S = 2.0


@cache
def build() -> str:
    """Return builds of the solver and versions of the model apart. Raises NotBuilt where there is no solver."""
    files = [library.load()._name, *(module.__file__ for module in (cost, demand, device, rates))]
    return hashlib.sha256(b"".join(Path(str(one)).read_bytes() for one in files)).hexdigest()[:12]


def compare(case: Case, folder: Path) -> Sample:
    """Predict, then measure. Raises H5FileError, H5ArgumentError where a filter is missing, and CrewFailed."""
    values = DATA[case.data]()
    itemsize, team = values.dtype.itemsize, Team(case.ranks, 1)
    access = Access("all").reads(values.shape, 1)
    chunk = (CHUNK_BYTES // itemsize // values.shape[1], values.shape[1])
    without, with_it = Layout(chunk), Layout(chunk, case.filters)
    here = identity()
    plain = written(folder / "without.h5", without, values)
    means = means_of_dropping(plain.path) if case.cold else None
    if case.cold and means is None:
        sys.exit(f"h5_advice: nothing drops {folder} from the system's cache, expected --folder on another file system")
    few = tuple(slice(0, extent) for extent in sample_shape(values.shape, itemsize, RATES_BYTES))
    part = np.ascontiguousarray(values[few])
    found = measured_rates(folder, part, [team.streams], here.cores, means, [(), case.filters])
    predicted = [predicted_s(one, access, values.shape, itemsize, found, team) for one in (without, with_it)]
    filtered = written(folder / "with.h5", with_it, values)
    rules = Rules()
    with Crew() as crew:
        drop = dropping([plain.path, filtered.path], means)
        one, other = (after(drop, readers(crew, file, access, team).run) for file in (filtered, plain))
        measured = compared("without", one, other, 0.0, time.monotonic() + PAIRS_S, rules)
    assert isinstance(measured, Comparison)
    return Sample(
        case=case,
        on=datetime.now(UTC).date(),
        processor=here.processor,
        cores=here.cores,
        build=build(),
        dropped_by=means,
        predicted=predicted[0] / predicted[1],
        measured=measured,
        share=filtered.stored_bytes / values.nbytes,
        rates=rates_used(found),
    )


def measure(samples: Samples, above: Path, for_s: float) -> None:
    """Measure until enough cases are decided, or it is time."""
    end = time.monotonic() + for_s
    samples.check_build(build())
    above.mkdir(parents=True, exist_ok=True)
    for case in samples.remaining(ordered_cases()):
        if time.monotonic() > end:
            return
        with scratch_folder(above) as folder:
            samples.append(one := compare(case, folder))
        found = one.measured
        seen = f"measured {found.ratio:.2f}x [{found.lo:.2f}, {found.hi:.2f}]"
        print(f"{case}: predicted {one.predicted:.2f}x, {seen}: {one.outcome}", file=sys.stderr)


def main(
    page_only: Annotated[
        bool, typer.Option("--page", help="Write the page from the samples, measure nothing.")
    ] = False,
    limit: Annotated[str, typer.Option("--for", help="Begin no case after so long.")] = "10m",
    kept: Annotated[Path, typer.Option("--samples", help="Where samples are kept.")] = KEPT / "samples.jsonl",
    folder: Annotated[
        Path, typer.Option("--folder", help="For files of trial, on the device that is asked about.")
    ] = KEPT,
    to: Annotated[Path, typer.Option("--to", help="Where the page goes.")] = PAGE,
) -> None:
    """Measure what the samples lack, and write the page."""
    os.environ.setdefault("ROOFTOP_ROOT", str(ROOT))
    samples = Samples(kept)
    try:
        if not page_only:
            measure(samples, folder, parse_budget(limit, "--for"))
    except RooftopError as error:
        sys.exit(f"h5_advice: {error}")
    if not samples.all:
        sys.exit(f"h5_advice: {kept} holds no samples: there is nothing to tell")
    write_advice(to, samples.all)
