"""Hold what `rooftop h5 advise` predicts of filters against what is measured."""

from __future__ import annotations

import hashlib
import os
import sys
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from benchmarks.h5_advice.advice_cases import CHUNK_BYTES, DATA, Case, ordered_cases
from benchmarks.h5_advice.advice_page import write_advice
from benchmarks.h5_advice.advice_samples import Sample, Samples
from rooftop.documents import Comparison
from rooftop.driver.calls import Call, CallExecutor, call_module
from rooftop.errors import RooftopError
from rooftop.launchers.team import Team as Workers
from rooftop.machine import identity
from rooftop.measure.arms import Arm
from rooftop.measure.arms import Sample as Taken
from rooftop.measure.case_run import CaseRun
from rooftop.measure.case_state import CaseState, Terms
from rooftop.measure.compare import comparison
from rooftop.measure.figures import pairs_of
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
from rooftop.solvers.h5io.advice.trial import measure_points, readers, timed_reads, written
from rooftop.solvers.running.campaign import NO_LIMIT_S
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


class _Unkept:
    """See Journal and Watcher: samples are kept by this benchmark, once a case is through."""

    def arm_changed(self, case: CaseState, arm: Arm) -> None:
        """See Journal."""

    def sample_taken(self, case: CaseState, arm: Arm, sample: Taken) -> None:
        """See Journal."""

    def case_changed(self, case: CaseState) -> None:
        """See Journal."""

    def progressed(self, case: CaseState, doing: str) -> None:
        """See Watcher."""


def pairs_measured(calls: Mapping[str, Callable[[], Call]]) -> Comparison:
    """Return how many times as fast the second of two calls is as the first."""
    against, subject = arms = [Arm(call_module(name), "point") for name in calls]
    case, rules = CaseState("h5_advice", "filters", "pair", {}, 1.0, list(arms)), Rules()
    terms = Terms(
        team=Workers(),
        seed=1,
        share_s=0.0,
        budget=f"{PAIRS_S:g}s",
        hang_limit_s=NO_LIMIT_S,
        rules=rules,
    )
    until_s = time.monotonic() + PAIRS_S

    def run(terms: Terms) -> bool:
        return CaseRun(case, terms, CallExecutor(calls), _Unkept(), _Unkept()).run()

    measure_points(case, run, terms, lambda: until_s - time.monotonic())
    measured = comparison(against.name, pairs_of(subject, against), 0.0, rules)
    assert measured is not None
    return measured


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
    with Crew() as crew:
        drop = dropping([plain.path, filtered.path], means)
        calls = {
            name: partial(timed_reads, readers(crew, file, access, team), drop, file.stored_bytes)
            for name, file in (("without", plain), ("with", filtered))
        }
        measured = pairs_measured(calls)
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
