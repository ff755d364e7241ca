"""Measurements before the comparisons: the rates from which predictions are computed."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

import numpy as np

from rooftop.files.document import Document
from rooftop.machine.identity import cores_now
from rooftop.solvers.h5io.advice.access import sample_shape
from rooftop.solvers.h5io.advice.crew import CrewFailed
from rooftop.solvers.h5io.advice.document import OfFilters, RatesUsed
from rooftop.solvers.h5io.advice.h5py_rates import h5py_rates
from rooftop.solvers.h5io.advice.rates import measured_rates, rates_now
from rooftop.solvers.h5io.advice.rates_used import filters_used, rates_used
from rooftop.solvers.h5io.advice.trial import BY_H5PY, Reading, Trials

_RATES_BYTES = 8 << 20


class Survey(Document):
    """Results of these measurements, as stored.

    cores             number of usable cores
    own               rates of the dataset's filters; None: only the HDF5 library decodes them, and their time is not
                      predicted
    read_s            seconds of reading the sample
    now_s             seconds of a pass of the first team over the unchanged file
    h5py_remark       why h5py is not measured; None: it is
    h5py_cache_bytes  size of h5py's default chunk cache; None: there is none
    """

    rates: RatesUsed
    cores: int
    own: OfFilters | None
    read_s: float
    now_s: float
    h5py_remark: str | None = None
    h5py_cache_bytes: int | None = None


def survey(trials: Trials, tell: Callable[[str], None]) -> Survey:
    """Measure the rates. Raises Misuse, H5FileError, MemoryError and CrewFailed."""
    request, facts, dataset = trials.request, trials.request.known, trials.dataset
    tell("reading a part of the data")
    began_s = time.perf_counter()
    values = trials.values
    read_s = time.perf_counter() - began_s
    tell("measuring filters and reads")
    few = tuple(slice(0, extent) for extent in sample_shape(facts.sample, facts.itemsize, _RATES_BYTES))
    streams = [*(team.streams for team in request.teams), request.threads]
    rates = measured_rates(trials.folder, np.ascontiguousarray(values[few]), streams, cores_now(), facts.dropped_by)
    remark, cache_bytes = _h5py(trials)
    if remark is None:
        with suppress(CrewFailed):  # comparisons with h5py then tell why, and h5io's costs stand for h5py's
            rates = replace(rates, h5py=h5py_rates(trials, few, rates))
    by_library = dataset.read_reported(few, threads=1)[1].way == "library"
    own = None if by_library else filters_used(facts.filters, rates_now(dataset, few, rates))
    now = trials.call(Reading("now", request.teams[0]))
    now_s = now.run(1) * 1e-9
    now.close()
    return Survey(
        rates=rates_used(rates),
        cores=rates.cores,
        own=own,
        read_s=read_s,
        now_s=now_s,
        h5py_remark=remark,
        h5py_cache_bytes=cache_bytes,
    )


def _h5py(trials: Trials) -> tuple[str | None, int | None]:
    """Return why h5py cannot be measured, or the size of its chunk cache."""
    if find_spec("h5py") is None:
        return "h5py is not installed: reads by the HDF5 library and larger chunk caches are not measured", None
    try:
        opened = trials.opened(BY_H5PY)
    except CrewFailed as error:
        return f"reads by h5py are not measured: h5py cannot read the dataset: {error}", None
    opened.close()
    return None, opened.cache_bytes
