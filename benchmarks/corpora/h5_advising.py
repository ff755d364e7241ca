"""Datasets that `rooftop h5 advise` looks at."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import h5py

from benchmarks.corpora.corpus_steps import Refused, Step
from benchmarks.corpora.h5_reading import names_of
from rooftop.errors import RooftopError
from rooftop.solvers.h5io.advice.access import Access
from rooftop.solvers.h5io.advice.run import Asked, advise

_MOST_DATASETS = 2
_OF_H5PY = (OSError, RuntimeError, KeyError, ValueError, TypeError, NotImplementedError)


def _step(path: Path, name: str, scratch: Path) -> Callable[[], None]:
    def run() -> None:
        asked = Asked(path, name, Access("columns"), 1, False, 1 << 18, 0.05, scratch, 1)
        try:
            advise(asked, lambda _: None)
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
