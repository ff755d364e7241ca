"""The measured rates in the form of the document."""

from __future__ import annotations

from rooftop.solvers.h5io.advice.cost import Rates
from rooftop.solvers.h5io.advice.device import StreamRates
from rooftop.solvers.h5io.advice.document import OfDevice, OfFilters, OfStreams, RatesUsed


def _streams(rates: StreamRates) -> OfStreams:
    return OfStreams(alone_bytes_s=rates.alone, together_bytes_s=dict(rates.together))


def rates_used(rates: Rates) -> RatesUsed:
    """Return them."""
    device = rates.device
    return RatesUsed(
        read_bytes_s=dict(rates.read_bytes_s),
        call_s=rates.call_s,
        piece_s=rates.piece_s,
        chunk_s=rates.chunk_s,
        filters=[
            OfFilters(filters=list(filters), decoded_bytes_s=one.decoded, encoded_bytes_s=one.encoded, share=one.share)
            for filters, one in rates.filters.items()
        ],
        device=None
        if device is None
        else OfDevice(pieces=_streams(device.pieces), chunks=_streams(device.chunks), call_s=device.call_s),
    )
