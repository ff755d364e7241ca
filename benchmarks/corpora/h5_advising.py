"""Datasets that `rooftop h5 advise` looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import h5py
from rich.console import Console

from benchmarks.corpora.corpus_steps import Refused, Step
from benchmarks.corpora.h5_reading import names_of
from rooftop.campaign.bench import Bench
from rooftop.campaign.run import run_campaign
from rooftop.errors import RooftopError
from rooftop.probe.surroundings import ThisMachine
from rooftop.settings import Settings
from rooftop.solvers.h5io.advice.request import Request
from rooftop.solvers.h5io.advice.run import KIND
from rooftop.terminal.progress import Progress

_MOST_DATASETS = 2
_OF_H5PY = (OSError, RuntimeError, KeyError, ValueError, TypeError, NotImplementedError)


def _step(path: Path, name: str, scratch: Path) -> Callable[[], None]:
    def run() -> None:
        request = Request(
            file=path, dataset=name, access="columns", sample_bytes=1 << 18, budget_s=0.05, scratch=scratch, seed=1
        )
        # A home and a lock of its own: no time of it counts.
        bench = Bench(Settings(home=scratch, locks=scratch), ThisMachine(), Progress(Console(file=StringIO())))
        try:
            run_campaign(bench, KIND, request)
        except (RooftopError, MemoryError) as error:
            raise Refused(str(error) or "memory is full") from None

    return run


def _kind(dataset: Any) -> tuple[str, ...]:
    properties = dataset.id.get_create_plist()
    filters = [str(properties.get_filter(i)[0]) for i in range(properties.get_nfilters())]
    return (str(dataset.dtype), str(properties.get_layout()), *filters)


def steps(path: Path, scratch: Path) -> Iterator[Step]:
    """Yield one dataset of each of the first kinds: type, layout and filters."""
    chosen: dict[tuple[str, ...], str] = {}
    try:
        with h5py.File(path, "r") as file:
            for name in names_of(path)[0]:
                try:
                    chosen.setdefault(_kind(file[name]), name)
                except _OF_H5PY:
                    continue
    except _OF_H5PY:
        return
    for name in list(chosen.values())[:_MOST_DATASETS]:
        yield Step("advise", name, _step(path, name, scratch))
