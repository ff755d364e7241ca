"""A platform from what the probes found on a machine: its rates, its memory, and its messages by size.

A probe sees one machine, and no network. What is between several such nodes is given, or assumed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from rooftop.documents import Machine, Roof
from rooftop.errors import NothingMeasured
from rooftop.measure.limits import bandwidth, fma_peak
from rooftop.simulate.figures import Count, Described, Rate, Seconds
from rooftop.simulate.measured_progress import MeasuredShare
from rooftop.simulate.platform import Platform

#: Of a network that nobody described: 100 Gbit/s, and what a switch takes.
LINK_BYTES_PER_S, LINK_LATENCY_S = 12.5e9, 0.5e-6


class Behind(Described):
    """So many machines behind a switch, and its links; None: assumed."""

    nodes: Count
    link_bytes_per_s: Rate | None
    link_latency_s: Seconds | None


def _by_size(roofs: Iterable[Roof], metric: str) -> dict[int, float]:
    return {int(roof.detail["message_bytes"]): roof.value for roof in roofs if roof.metric == metric}


def _one(roofs: Iterable[Roof], metric: str) -> float | None:
    return min((roof.value for roof in roofs if roof.metric == metric), default=None)


def _source(figures: list[str], how: str, says: str) -> dict[str, Any]:
    return {"figures": figures, "how": how, "says": says}


def platform_of(
    machine: Machine,
    nodes: int = 1,
    link_bytes_per_s: float | None = None,
    link_latency_s: float | None = None,
    progress: MeasuredShare | None = None,
) -> Platform:
    """Return so many machines as this one behind a switch. Raises NothingMeasured for what no probe has measured.

    progress  what the lab transfer_overlap measured here; None: nothing, and what libraries usually do is assumed
    """
    roofs = machine.roofs
    cores = machine.cores
    flops, all_memory = fma_peak(roofs, 1, "fp64"), bandwidth(roofs, "memory", cores)
    one_memory = bandwidth(roofs, "memory", 1)
    if flops is None or all_memory is None:
        raise NothingMeasured("peak and memory bandwidth of this machine are not known: run 'rooftop probe'")
    node: dict[str, Any] = {"cores": cores, "core_flops_per_s": flops, "memory_bytes_per_s": all_memory}
    if one_memory is not None:
        node["core_memory_bytes_per_s"] = min(one_memory, all_memory)
    measured = f"rooftop probe on {machine.processor}"
    sources = [_source(["node"], "measured", f"{measured}; memory by the fastest of reading, copying and writing")]
    messages, told = _messages(machine, measured)
    network = {
        "topology": "crossbar",
        "link_latency_s": LINK_LATENCY_S if link_latency_s is None else link_latency_s,
        "link_bytes_per_s": LINK_BYTES_PER_S if link_bytes_per_s is None else link_bytes_per_s,
    }
    of_links = {"network.link_latency_s": link_latency_s, "network.link_bytes_per_s": link_bytes_per_s}
    given = [name for name, value in of_links.items() if value is not None]
    sources.append(_source(["nodes", "network"], "assumed", "a probe sees one machine, and no network"))
    sources += [_source(given, "stated", "options of rooftop platform here")] if given else []
    content = {
        "title": f"{nodes} x {machine.processor}" if nodes > 1 else machine.processor,
        "nodes": nodes,
        "node": node,
        "network": network,
        **messages,
        "progress": {"rule": "calls"} | ({"share_outside_calls": progress.share} if progress else {}),
        "sources": [*sources, *told, *_of_progress(progress, nodes)],
    }
    return Platform.model_validate(content)


def _of_progress(progress: MeasuredShare | None, nodes: int) -> list[dict[str, Any]]:
    if progress is None:
        says = "as Open MPI and MPICH do within a node; 'rooftop lab transfer_overlap' measures it here"
        return [_source(["progress"], "assumed", says)]
    says = f"messages of {progress.bytes} bytes within this machine: lab transfer_overlap, campaign {progress.campaign}"
    if nodes > 1:
        return [_source(["progress"], "assumed", f"between nodes as measured within one: {says}")]
    return [_source(["progress"], "measured", says)]


def _messages(machine: Machine, measured: str) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Return what messages cost between and within nodes, and where that is from."""
    roofs = machine.roofs
    times, exchanges = _by_size(roofs, "message"), _by_size(roofs, "message_exchange")
    overhead, gap = _one(roofs, "message_overhead"), _one(roofs, "message_gap")
    if not times:
        usual = {"latency_s": 1e-6, "overhead_s": 0.5e-6}
        why = next((line for line in machine.missing if line.startswith("message")), "no probe has measured messages")
        return {"messages": usual}, [_source(["messages"], "assumed", why)]
    overhead_s = min(overhead or 0.0, min(times.values()) / 2)
    shortest = times[min(times)]
    by_size = [
        {"bytes": size, "message_s": taken} | ({"exchange_s": exchanges[size]} if size in exchanges else {})
        for size, taken in sorted(times.items())
    ]
    costs = {"latency_s": shortest - 2 * overhead_s, "overhead_s": overhead_s, "gap_s": gap or 0.0}
    told = [
        _source(["within_node"], "measured", measured),
        _source(
            ["messages"], "assumed", "between nodes: the library's latency and overhead within one, and the links'"
        ),
    ]
    return {"messages": costs, "within_node": costs | {"by_size": by_size}}, told
