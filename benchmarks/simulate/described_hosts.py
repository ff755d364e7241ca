"""The hosts with shaped links as platforms, with constants that were measured on the links of the first round alone."""

from __future__ import annotations

from benchmarks.simulate.measured_cases import CASES, Measured
from rooftop.simulate.platform import Platform

_LONG = 1 << 20
#: Of Open MPI's TCP: its parameter btl_tcp_eager_limit.
_EAGER_BYTES = 65536


def platform(round_: str, first: Measured, share: str | None) -> Platform:
    """Return the hosts of a round, with the constants of the first.

    What a short message takes beyond the delay that was asked of the links is the same on all links.
    """
    links, links_of_first = CASES["rounds"][round_], CASES["rounds"]["first"]
    short_s, long_s = first.message_s[min(first.message_s)], first.message_s[_LONG]
    # A long message asks first, which takes a round trip.
    rate = _LONG / (long_s - 3 * short_s)
    if links is not links_of_first:
        rate = links["rate_mbit"] * 1e6 / 8
    more_s = (links["delay_us"] - links_of_first["delay_us"]) * 1e-6
    tables = {
        "node": {"cores": 1, "core_flops_per_s": first.flops_per_s, "memory_bytes_per_s": first.bytes_per_s},
        "network": {"topology": "crossbar", "link_latency_s": 0.0, "link_bytes_per_s": rate},
        "messages": {
            "latency_s": short_s - 2 * first.overhead_s + more_s,
            "overhead_s": first.overhead_s,
            "eager_limit_bytes": _EAGER_BYTES,
        },
        "progress": {"rule": "calls", "share_outside_calls": first.share(share) if share else 0.0},
    }
    source = {"figures": ["nodes", *tables], "how": "measured", "says": "benchmarks/simulate/validation.toml"}
    return Platform.model_validate({"title": round_, "nodes": links["hosts"], **tables, "sources": [source]})
