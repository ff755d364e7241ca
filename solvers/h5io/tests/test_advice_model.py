"""What ``rooftop h5 advise`` counts, and what it predicts from rates."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rooftop.errors import NotBuilt
from rooftop.solvers.h5io import library
from rooftop.solvers.h5io.advice.access import (
    Index,
    access_named,
    chunks_of,
    divided,
    elements_of,
    pieces_of,
    sample_shape,
)
from rooftop.solvers.h5io.advice.chunk_cache import better_cache, library_s
from rooftop.solvers.h5io.advice.cost import FilterRates, LibraryRates, Rates, Team, at_streams, predicted_s
from rooftop.solvers.h5io.advice.demand import PAGE_BYTES, chunked_demand, contiguous_demand, distinct_chunks
from rooftop.solvers.h5io.advice.device import DeviceRates, StreamRates
from rooftop.solvers.h5io.advice.document import RatesUsed
from rooftop.solvers.h5io.advice.layouts import Layout, candidates, padded_share
from rooftop.solvers.h5io.advice.rates_used import rates_of, rates_used

try:
    library.load()
except NotBuilt as error:
    pytest.skip(str(error), allow_module_level=True)

PLAIN, PACKED = FilterRates(4e9, 1e9, 1.0), FilterRates(1e9, 1e9, 0.25)
RATES = Rates({1: 5e9, 2: 8e9}, 1e-5, 1e-6, 1e-6, {(): PLAIN, ("packed",): PACKED}, 2)
ALONE = Team(1, 1)

shapes = st.lists(st.integers(1, 15), min_size=1, max_size=3)


@st.composite
def selections(draw: st.DrawFn) -> tuple[list[int], tuple[slice, ...]]:
    shape = draw(shapes)
    index = []
    for extent in shape:
        start = draw(st.integers(0, extent - 1))
        index.append(slice(start, draw(st.integers(start + 1, extent)), draw(st.integers(1, 5))))
    return shape, tuple(index)


@given(selections(), st.data())
def test_chunks_and_elements_are_counted_right(selection: Any, data: st.DataObject) -> None:
    shape, index = selection
    chunk = [data.draw(st.integers(1, extent)) for extent in shape]
    places = list(itertools.product(*(range(one.start, one.stop, one.step) for one in index)))
    assert elements_of(index) == len(places)
    touched = {tuple(at // length for at, length in zip(place, chunk, strict=True)) for place in places}
    assert chunks_of(index, chunk) == len(touched)


@given(selections())
def test_pieces_have_all_elements(selection: Any) -> None:
    shape, index = selection
    pieces, length, apart = pieces_of(index, shape)
    assert pieces * length == elements_of(index)
    flat = np.arange(math.prod(shape)).reshape(shape)[index].ravel()
    breaks = np.flatnonzero(np.diff(flat) != 1)
    assert pieces >= len(breaks) + 1  # neighbours along an outer dimension may count as two
    assert apart >= length or pieces == 1


@given(shapes, st.integers(1, 8), st.integers(1, 100000))
def test_samples_fit(shape: list[int], itemsize: int, most: int) -> None:
    sample = sample_shape(shape, itemsize, most)
    assert all(1 <= part <= extent for part, extent in zip(sample, shape, strict=True))
    assert math.prod(sample) * itemsize <= max(most, itemsize)


@given(shapes, st.sampled_from((1, 4, 8)))
def test_candidates_fit_the_dataset(shape: list[int], itemsize: int) -> None:
    found = candidates(shape, itemsize, [(), ("shuffle", "deflate:1")])
    assert found[0] == Layout(None)
    assert len(set(found)) == len(found)
    for one in found[1:]:
        assert one.chunk is not None
        assert all(1 <= part <= extent for part, extent in zip(one.chunk, shape, strict=True))


def test_chunks_beyond_the_array_count() -> None:
    assert padded_share((10, 10), (20, 30)) == 1
    assert padded_share((10, 20), (15, 30)) == pytest.approx(20 * 40 / (15 * 30))


def test_what_reads_fewer_bytes_is_predicted_to_be_faster() -> None:
    shape = (1000, 1000)
    columns = access_named("columns").reads(shape, 1)
    tall, wide = Layout((1000, 8)), Layout((8, 1000))
    team = Team(1, 2)

    def seconds(layout: Layout, reads: Sequence[Index]) -> float:
        return predicted_s(layout, reads, shape, 8, RATES, team)

    assert seconds(tall, columns) < seconds(wide, columns) / 10
    rows = access_named("rows").reads(shape, 1)
    assert seconds(Layout(None), rows) < seconds(tall, rows)
    assert seconds(tall, columns) < seconds(Layout((1000, 8), ("packed",)), columns)


def _device(bytes_s: float, call_s: float = 0.0) -> DeviceRates:
    stream = StreamRates(bytes_s, {1: bytes_s, 2: 1.5 * bytes_s})
    return DeviceRates(stream, stream, call_s)


def test_a_slow_device_is_what_a_filter_pays_for() -> None:
    shape, reads = (2048, 2048), [np.s_[0:2048, 0:2048]]
    plain, packed = Layout((64, 2048)), Layout((64, 2048), ("packed",))
    for team in (ALONE, Team(2, 1), Team(1, 2)):

        def gain(rates: Rates, team: Team = team) -> float:
            one, other = (predicted_s(layout, reads, shape, 4, rates, team) for layout in (plain, packed))
            return one / other

        assert gain(RATES) < 1  # decoding is the only cost
        assert gain(replace(RATES, device=_device(2e8))) > 2
        assert gain(replace(RATES, device=_device(1e11))) < 1
        # Reading from the device takes at least this long.
        seconds = predicted_s(plain, reads, shape, 4, replace(RATES, device=_device(2e8)), team)
        assert seconds >= 4 * 2048 * 2048 / (2e8 * (1 if team.streams == 1 else 1.5))


def test_ranks_share_the_work_but_not_more_than_the_cores() -> None:
    shape, reads = (2048, 2048), [np.s_[0:2048, 0:2048]]
    one, two, four = (
        predicted_s(Layout((64, 2048), ("packed",)), reads, shape, 4, RATES, Team(ranks, 1)) for ranks in (1, 2, 4)
    )
    assert two == pytest.approx(one / 2, rel=0.05)
    assert four == pytest.approx(two, rel=0.05)


def test_scattered_reads_cost_their_calls() -> None:
    shape, rates = (4096, 4096), replace(RATES, device=_device(1e9, 1e-4))
    columns = access_named("columns").reads(shape, 1)
    row = access_named("rows").reads(shape, 1)
    contiguous = Layout(None)
    assert predicted_s(contiguous, columns, shape, 4, rates, ALONE) > 4096 * 1e-4
    assert predicted_s(contiguous, row, shape, 4, rates, ALONE) < 100 * 1e-4
    # Other threads read concurrently.
    two = predicted_s(contiguous, columns, shape, 4, rates, Team(1, 2))
    assert two < 0.6 * predicted_s(contiguous, columns, shape, 4, rates, ALONE)


def test_of_many_chunks_one_is_read_at_a_time() -> None:
    rates = replace(RATES, device=_device(1e9))
    reads = [np.s_[0:4096, 0:4096]]
    few, many = Layout((64, 4096)), Layout((1, 4096))
    assert predicted_s(many, reads, (4096, 4096), 4, rates, Team(1, 2)) >= 4 * 4096**2 / 1e9
    assert predicted_s(few, reads, (4096, 4096), 4, rates, Team(1, 2)) < 4 * 4096**2 / 1e9


@given(shapes, st.data())
def test_each_chunk_comes_from_the_device_once(shape: list[int], data: st.DataObject) -> None:
    chunk = [data.draw(st.integers(1, extent)) for extent in shape]
    kind = data.draw(st.sampled_from(("all", "rows", "columns", "random:7", "strided:3")))
    reads = access_named(kind).reads(shape, 1)
    touched = set()
    for index in reads:
        along = [
            {at // length for at in range(one.start, one.stop, one.step or 1)}
            for one, length in zip(index, chunk, strict=True)
        ]
        touched |= set(itertools.product(*along))
    assert distinct_chunks(reads, chunk) == len(touched)
    demand = chunked_demand(reads, shape, chunk, 1e6)
    assert 0 < demand.calls <= len(touched)
    assert demand.size == pytest.approx(len(touched) * 1e6 + demand.calls * PAGE_BYTES)


def test_demand_of_arrays_in_one_piece() -> None:
    shape = (1000, 1000)
    whole = contiguous_demand([np.s_[0:1000, 0:1000]], shape, 8)
    assert (whole.size, whole.calls) == (8e6, 1)
    column = contiguous_demand([np.s_[0:1000, 0:1]], shape, 8)
    assert (column.size, column.calls) == (1000 * PAGE_BYTES, 1000)
    columns = contiguous_demand(access_named("columns").reads(shape, 1), shape, 8)
    assert columns.size == 8e6  # no page twice
    dense = contiguous_demand([np.s_[0:1000, 0:1000:2]], shape, 8)
    assert dense.calls == 1
    assert dense.size == pytest.approx(8e6, rel=0.01)


@given(selections(), st.integers(1, 5))
def test_ranks_have_all_of_a_read_and_nothing_twice(selection: Any, ranks: int) -> None:
    shape, index = selection
    numbers = np.arange(math.prod(shape)).reshape(shape)
    parts = divided([index], ranks)
    assert len(parts) == ranks
    found = sorted(int(one) for part in parts for cut in part for one in numbers[cut].ravel())
    assert found == sorted(numbers[index].ravel().tolist())
    many = [index] * 7
    assert [len(part) for part in divided(many, 2)] == [3, 4]


def test_a_chunk_cache_is_as_large_as_what_reads_come_back_to() -> None:
    shape, layout = (4096, 4096), Layout((256, 256), ("packed",))
    rows = access_named("rows").reads(shape, 1)
    found = better_cache(layout, rows, 8, 1 << 20)
    assert found is not None
    assert found.size == 8 << 20  # a row needs 16 chunks of 512 KiB
    assert found.slots >= 1600
    assert better_cache(layout, rows, 8, 8 << 20) is None  # the present cache suffices
    assert better_cache(layout, access_named("all").reads(shape, 1), 8, 1 << 20) is None  # no chunk is read again
    assert better_cache(Layout(None), rows, 8, 1 << 20) is None
    without, with_it = (library_s(layout, rows, shape, 8, RATES, size) for size in (1 << 20, found.size))
    assert without / with_it == pytest.approx(4, rel=0.2)  # 64 rows in 16 rows of chunks


def test_chunks_that_are_kept_are_decoded_once() -> None:
    shape, rows = (64, 4096), [(slice(row, row + 1), slice(0, 4096)) for row in range(64)]
    packed = Layout((16, 4096), ("packed",))  # 4 chunks of 512 KiB
    seconds = predicted_s(packed, rows, shape, 8, RATES, ALONE)
    fixed_s = 64 * (RATES.call_s + RATES.chunk_s)
    assert seconds == pytest.approx(fixed_s + 4 * (512 << 10) / PACKED.decoded)
    # A column takes more chunks than are kept.
    wide, columns = Layout((1, 65536), ("packed",)), [(slice(0, 64), slice(at, at + 1)) for at in range(8)]
    seconds = predicted_s(wide, columns, (64, 65536), 8, RATES, ALONE)
    assert seconds == pytest.approx(8 * (RATES.call_s + 64 * (RATES.chunk_s + (512 << 10) / PACKED.decoded)))
    # Each rank has a chunk cache of its own.
    assert predicted_s(packed, rows, shape, 8, RATES, Team(2, 1)) == pytest.approx(
        (fixed_s + 4 * (512 << 10) / PACKED.decoded) / 2
    )


def test_short_reads_take_one_thread() -> None:
    short, long = [np.s_[0:1, 0:1024]], [np.s_[0:4096, 0:1024]]
    for layout in (Layout(None), Layout((64, 64)), Layout((8, 32), ("packed",))):
        for reads, same in ((short, True), (long, False)):
            one, two = (predicted_s(layout, reads, (4096, 1024), 8, RATES, Team(1, threads)) for threads in (1, 2))
            assert (one == two) == same


def test_calls_of_h5py_cost_what_they_do_on_this_machine() -> None:
    own = LibraryRates(call_s=2.5e-6, piece_s=7e-6, chunk_s=3e-6, decoded=4e8)
    rates = replace(RATES, h5py=own)
    few = [(slice(row, row + 1), slice(0, 10)) for row in range(10)]
    for layout in (Layout(None), Layout((10, 10), ("packed",))):
        h5py_s = library_s(layout, few, (10, 10), 8, rates, 8 << 20)
        copied_s = 800 / RATES.read_bytes_s[1]
        decoded_s = 0 if layout.chunk is None else 10 * own.chunk_s + 800 / 4e8
        assert h5py_s == pytest.approx(10 * own.call_s + copied_s + decoded_s)
        # Of a dataset as small as this, the calls decide: in these rates, h5io's cost four times as much.
        assert h5py_s / predicted_s(layout, few, (10, 10), 8, rates, ALONE) < 0.6
    column = [(slice(0, 100), slice(0, 1))]
    far, near = (library_s(Layout(None), column, (100, width), 8, rates, 0) for width in (1 << 16, 1 << 10))
    assert far == pytest.approx(own.call_s + 99 * own.piece_s, rel=0.01)
    assert near == pytest.approx(own.call_s + 12 * own.piece_s, rel=0.01)  # 100 pieces in 13 buffers
    without = library_s(Layout(None), column, (100, 1 << 16), 8, RATES, 0)
    assert without == pytest.approx(RATES.call_s + 99 * RATES.piece_s, rel=0.01)


def test_rates_of_the_next_fewer_streams_stand_for_more() -> None:
    assert [at_streams({1: 1.0, 2: 1.5, 4: 1.7}, streams) for streams in (1, 2, 3, 4, 9)] == [1, 1.5, 1.5, 1.7, 1.7]
    assert at_streams({2: 1.5}, 1) == 1.5


@pytest.mark.parametrize("cold", [False, True])
def test_rates_are_the_same_after_they_were_kept(cold: bool) -> None:
    stream = StreamRates(1.5e9, {1: 1e9, 2: 1.9e9})
    rates = replace(
        RATES,
        device=DeviceRates(stream, stream, 1e-4) if cold else None,
        h5py=None if cold else LibraryRates(1e-6, 2e-6, 3e-6, None),
    )
    kept = RatesUsed.model_validate_json(rates_used(rates).model_dump_json())
    assert rates_of(kept, rates.cores) == rates
