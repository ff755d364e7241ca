"""The rows of the document: predictions and measurements of layouts, numbers of ranks, and h5py."""

from __future__ import annotations

from dataclasses import dataclass

from rooftop.documents import Comparison
from rooftop.measure.rules import Rules
from rooftop.solvers.h5io.advice.chunk_cache import library_s
from rooftop.solvers.h5io.advice.comparisons import Compared
from rooftop.solvers.h5io.advice.cost import at_streams
from rooftop.solvers.h5io.advice.document import ByRanks, Proposal, Unchanged
from rooftop.solvers.h5io.advice.layouts import Layout, padded_share
from rooftop.solvers.h5io.advice.rates import bytes_of
from rooftop.solvers.h5io.advice.study import Study
from rooftop.solvers.h5io.advice.trial import Reading


@dataclass(frozen=True)
class Results:
    """Makes the rows. `floor`: the campaign's noise floor; infinite if it is not known."""

    study: Study
    floor: float
    rules: Rules

    def proposals(self, layouts: Compared) -> list[Proposal]:
        """Return the predicted layouts: measured ones first, by decreasing speed, then the others as predicted."""
        readings = {one.layout: one for one in layouts.readings[1:]}
        found = [self._proposal(one, layouts, readings.get(one)) for one in self.study.promising]
        return sorted(found, key=lambda one: -(one.measured.ratio if one.measured is not None else 0))

    def _proposal(self, layout: Layout, layouts: Compared, reading: Reading | None) -> Proposal:
        study, facts, rates = self.study, self.study.request.known, self.study.rates
        whole, part = bytes_of(facts.shape, facts.itemsize), bytes_of(facts.sample, facts.itemsize)
        filters = rates.filters.get(layout.filters)
        share = 1.0 if layout.chunk is None else padded_share(layout.chunk, facts.shape)
        if layout.filters and filters is not None:
            share = filters.share
        work = None if reading is None else layouts.arm(reading).work
        if work is not None:
            share = work.model_dump()["stored_bytes"] / part
        write_bytes_s = at_streams(rates.read_bytes_s, rates.cores) if filters is None else filters.encoded
        return Proposal(
            layout=str(layout),
            chunk=None if layout.chunk is None else list(layout.chunk),
            filters=list(layout.filters),
            predicted=study.gain(layout, study.team),
            measured=self._measured(layouts, reading),
            reason=None if reading is None else _reason(layouts, reading),
            stored_bytes=share * whole,
            rewrite_s=(study.survey.read_s + part / write_bytes_s) * (whole / part),
        )

    def by_ranks(self, ranks: Compared) -> list[ByRanks]:
        """Return the gains of other numbers of ranks."""
        return [
            ByRanks(
                ranks=one.team.ranks,
                threads=one.team.threads,
                layout=None if one.layout is None else str(one.layout),
                predicted=self.study.gain(one.layout, one.team),
                measured=self._measured(ranks, one),
                reason=_reason(ranks, one),
            )
            for one in ranks.readings[1:]
        ]

    def unchanged(self, h5py: Compared) -> list[Unchanged]:
        """Return gains over h5py with its defaults that need no new file."""
        own_s = self._h5py_s(self.study.survey.h5py_cache_bytes)
        found = []
        for one in h5py.readings[1:]:
            ours_s = self.study.seconds_now(one.team) if one.cache is None else self._h5py_s(one.cache.size)
            found.append(
                Unchanged(
                    by=one.by,
                    cache_bytes=None if one.cache is None else one.cache.size,
                    cache_slots=None if one.cache is None else one.cache.slots,
                    predicted=None if own_s is None or ours_s is None else own_s / ours_s,
                    measured=self._measured(h5py, one),
                    reason=_reason(h5py, one),
                )
            )
        return found

    def _measured(self, compared: Compared, reading: Reading | None) -> Comparison | None:
        return None if reading is None else compared.measured(reading, self.floor, self.rules)

    def _h5py_s(self, cache_bytes: int | None) -> float | None:
        """Return the predicted seconds of h5py; None if the rates of the file's filters are not known."""
        study, facts, reads = self.study, self.study.request.known, self.study.request.reads
        if (rates := study.own_rates) is None:
            return None
        return library_s(facts.layout, reads, facts.shape, facts.itemsize, rates, cache_bytes or 0)


def _reason(compared: Compared, reading: Reading) -> str | None:
    """Return why a reading or its baseline could not be measured; None if both were, or were not yet."""
    return compared.arm(reading).reason or compared.arm(compared.readings[0]).reason
