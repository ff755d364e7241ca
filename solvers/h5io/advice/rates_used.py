"""Conversion of measured rates to and from the form of the document and the store."""

from __future__ import annotations

from rooftop.solvers.h5io.advice.cost import FilterRates, LibraryRates, Rates
from rooftop.solvers.h5io.advice.device import DeviceRates, StreamRates
from rooftop.solvers.h5io.advice.document import OfDevice, OfFilters, OfH5py, OfStreams, RatesUsed


def filters_used(filters: tuple[str, ...], rates: FilterRates) -> OfFilters:
    """Return the rates of a list of filters."""
    return OfFilters(
        filters=list(filters), decoded_bytes_s=rates.decoded, encoded_bytes_s=rates.encoded, share=rates.share
    )


def filter_rates(used: OfFilters) -> FilterRates:
    """Return the argument of `filters_used`, its inverse."""
    return FilterRates(used.decoded_bytes_s, used.encoded_bytes_s, used.share)


def _streams(rates: StreamRates) -> OfStreams:
    return OfStreams(alone_bytes_s=rates.alone, together_bytes_s=dict(rates.together))


def _stream_rates(used: OfStreams) -> StreamRates:
    return StreamRates(used.alone_bytes_s, used.together_bytes_s)


def h5py_used(rates: LibraryRates) -> OfH5py:
    """Return the costs of h5py's reads."""
    return OfH5py(call_s=rates.call_s, piece_s=rates.piece_s, chunk_s=rates.chunk_s, decoded_bytes_s=rates.decoded)


def _library_rates(used: OfH5py) -> LibraryRates:
    return LibraryRates(used.call_s, used.piece_s, used.chunk_s, used.decoded_bytes_s)


def rates_used(rates: Rates) -> RatesUsed:
    """Return all rates."""
    device = rates.device
    return RatesUsed(
        read_bytes_s=dict(rates.read_bytes_s),
        call_s=rates.call_s,
        piece_s=rates.piece_s,
        chunk_s=rates.chunk_s,
        filters=[filters_used(filters, one) for filters, one in rates.filters.items()],
        device=None
        if device is None
        else OfDevice(pieces=_streams(device.pieces), chunks=_streams(device.chunks), call_s=device.call_s),
        h5py=None if rates.h5py is None else h5py_used(rates.h5py),
    )


def rates_of(used: RatesUsed, cores: int) -> Rates:
    """Return the argument of `rates_used`, its inverse."""
    device = used.device
    return Rates(
        read_bytes_s=used.read_bytes_s,
        call_s=used.call_s,
        piece_s=used.piece_s,
        chunk_s=used.chunk_s,
        filters={tuple(one.filters): filter_rates(one) for one in used.filters},
        cores=cores,
        device=None
        if device is None
        else DeviceRates(_stream_rates(device.pieces), _stream_rates(device.chunks), device.call_s),
        h5py=None if used.h5py is None else _library_rates(used.h5py),
    )
