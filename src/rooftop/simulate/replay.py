"""Replaying a recording on a platform, by the program ``rooftop_replay``: see native/simulate."""

from __future__ import annotations

import json
import math
import os
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from rooftop.command.process import Limits, run
from rooftop.errors import Misuse, NotBuilt
from rooftop.settings import Settings
from rooftop.simulate.figures import MOST_RATE
from rooftop.simulate.layout import Layout
from rooftop.simulate.platform import Messages
from rooftop.simulate.recording import Recording
from rooftop.simulate.simgrid import check_routable
from rooftop.simulate.steps import copy_seconds_per_byte, within_messages
from rooftop.simulate.topologies import Dragonfly, FatTree, Topology, Torus

#: Ranks, each of which is an actor with a stack.
MOST_REPLAYED = 4096
_LIMITS = Limits(timeout_s=3600.0, memory_bytes=8 << 30, output_bytes=256 << 20)


class _Told(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ReplayedRank(_Told):
    """A rank: when it ended, its seconds in work and in MPI calls, and what it sent."""

    ended_s: float
    computing_s: float
    in_calls_s: float
    sent_bytes: float
    messages: float


class ReplayedLoop(_Told):
    """A loop of the programs: how often it runs, how many of these times were simulated, and what each other takes."""

    times: int
    simulated: int
    period_s: float


class Replayed(_Told):
    """What came of a replay.

    spans  (rank, "work" or "calls", from, until), as far as they were asked for
    links  bytes that each carried in what was simulated, most first
    """

    schema_: str = Field(alias="schema", pattern=r"^rooftop/replayed/1$")
    seconds: float
    ranks: list[ReplayedRank]
    loops: list[ReplayedLoop]
    spans: list[tuple[int, str, float, float]]
    links: list[tuple[str, float]]

    @property
    def balance(self) -> float:
        """Mean seconds of work over the most of a rank."""
        most = max(one.computing_s for one in self.ranks)
        return sum(one.computing_s for one in self.ranks) / len(self.ranks) / most if most else 1.0


def program() -> Path:
    """Return where the program is, or would be."""
    return Settings().build_folder / "native" / "rooftop_replay"


def missing() -> str | None:
    """Return why nothing can be replayed; None where it can."""
    if program().is_file():
        return None
    return f"{program()} is not built: install libsimgrid-dev, then 'rooftop build'"


def replay(
    recording: Recording | Path,
    layout: Layout,
    choices: Mapping[str, Any] | None = None,
    *,
    spans: int = 0,
    instant: bool = False,
) -> Replayed:
    """Replay a recording on the platform of a layout. Raises Misuse and NotBuilt.

    choices  algorithms by collective; and window, grain, segment_bytes: see native/simulate/collectives.hpp
    spans    of each rank that are kept
    instant  messages take no time: what ranks wait for is other ranks
    """
    if (why := missing()) is not None:
        raise NotBuilt(why)
    with tempfile.TemporaryDirectory(prefix="rooftop-replay-") as name:
        folder = Path(name)
        path = recording if isinstance(recording, Path) else folder / "recording.jsonl"
        if isinstance(recording, Recording):
            recording.write(path)
        asked = {
            "schema": "rooftop/replay/1",
            "machine": _with_instant_messages(machine_of(layout)) if instant else machine_of(layout),
            "recording": str(path),
            "choices": dict(choices or {}),
            "spans": spans,
        }
        request = folder / "request.json"
        request.write_text(json.dumps(asked), encoding="utf-8")
        ended = run([os.fspath(program()), os.fspath(request)], _LIMITS, capture="first")
    if ended.status != 0:
        what = "took over an hour" if ended.timed_out else ended.said or f"ended with status {ended.status}"
        raise Misuse(f"the replay: {what}")
    return Replayed.model_validate_json(ended.output)


def machine_of(layout: Layout) -> dict[str, Any]:
    """Return the machine as the program reads it, with the node of each rank. Raises Misuse."""
    platform, node, network = layout.platform, layout.platform.node, layout.platform.network
    check_routable(network.shape)
    core = node.core_memory_bytes_per_s or node.group_memory_bytes_per_s
    groups = min(node.groups, max(1, math.ceil(layout.core_share / (node.cores / node.groups))))
    rate = min(network.node_bytes_per_s, network.link_bytes_per_s)
    inside = within_messages(layout)
    crossbar = network.shape.topology == "crossbar"
    node_rate, links_s = network.node_bytes_per_s, 0.0
    if crossbar:  # its links are those of the nodes, and a message crosses two
        node_rate, links_s = rate, 2 * network.link_latency_s
    return {
        "nodes": layout.nodes if crossbar else platform.nodes,
        "cores": node.cores,
        "core_flops": node.core_flops_per_s,
        "core_flops_by_kind": node.core_flops_per_s_by_kind,
        "core_bytes_per_s": core,
        "memory_bytes_per_s": node.memory_bytes_per_s,
        "rank_bytes_per_s": groups * node.group_memory_bytes_per_s,
        "node_link_bytes_per_s": node_rate,
        "backbone_bytes_per_s": network.backbone_bytes_per_s or 0.0,
        "thread_cores": platform.progress.thread_cores,
        # A core copies what stays on the node: it reads and writes each byte.
        "within": _way(layout, inside, 1 / max(copy_seconds_per_byte(layout), inside.gap_s_per_byte)) | {"copies": 2},
        "between": _way(layout, platform.messages, 1 / max(1 / rate, platform.messages.gap_s_per_byte), links_s),
        "topology": _topology(network.shape)
        | {"bytes_per_s": network.link_bytes_per_s, "hop_s": network.link_latency_s},
        "node_of": list(layout.node_of),
    }


def _with_instant_messages(machine: dict[str, Any]) -> dict[str, Any]:
    """Return the machine on which messages still ask and answer, and nothing of that takes time."""
    at_once = {
        **dict.fromkeys(("overhead_s", "gap_s", "latency_s", "handshake_s"), 0.0),
        "bytes_per_s": MOST_RATE,
        "progress": "hardware",
    }
    ways = {name: machine[name] | at_once for name in ("within", "between")}
    return machine | ways | {"topology": machine["topology"] | {"hop_s": 0.0}, "instant_messages": True}


def _way(layout: Layout, messages: Messages, bytes_per_s: float, links_s: float = 0.0) -> dict[str, Any]:
    progress = layout.platform.progress
    found: dict[str, Any] = {
        "overhead_s": messages.overhead_s,
        "gap_s": messages.gap_s,
        "latency_s": messages.latency_s + links_s,
        "bytes_per_s": bytes_per_s,
        "eager_bytes": messages.eager_limit_bytes or 0,
        "progress": progress.rule,
        "share": progress.share() if progress.rule == "calls" else 1.0,
    }
    if (
        messages.eager_limit_bytes is None
    ):  # without a limit nothing is asked for, and the progress is a large message's
        found |= {"handshake_s": 0.0, "sender_waits": False}
    elif messages.handshake_s is not None:
        found["handshake_s"] = messages.handshake_s
    return found


def _topology(shape: Topology) -> dict[str, Any]:
    if isinstance(shape, Torus):
        return {"kind": "torus", "shape": [list(shape.dimensions)]}
    if isinstance(shape, FatTree):
        return {"kind": "fat_tree", "shape": [list(shape.down), list(shape.up), list(shape.links)]}
    if isinstance(shape, Dragonfly):
        pairs = [
            [shape.groups, shape.group_links],
            [shape.chassis, shape.chassis_links],
            [shape.routers, shape.router_links],
        ]
        return {"kind": "dragonfly", "shape": [*pairs, [shape.nodes_per_router]]}
    return {"kind": "crossbar"}
