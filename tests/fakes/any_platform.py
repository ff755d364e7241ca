"""Platforms: a plain one for closed forms, and any that make sense, for Hypothesis."""

from __future__ import annotations

import math
from typing import Any

from hypothesis import strategies as st

from rooftop.simulate.platform import Platform

LATENCY_S, OVERHEAD_S, LINK_S = 2e-6, 0.5e-6, 0.25e-6
BYTES_PER_S = 1e9
ALL = ["nodes", "node", "network", "messages", "within_node", "progress"]


def plain(nodes: int = 16, cores: int = 1, shape: dict[str, Any] | None = None, **more: Any) -> Platform:
    """Return a platform of round figures; `more` replaces tables."""
    content: dict[str, Any] = {
        "title": "plain",
        "nodes": nodes,
        "node": {"cores": cores, "core_flops_per_s": 1e9, "memory_bytes_per_s": 10e9},
        "network": {
            "link_latency_s": LINK_S,
            "link_bytes_per_s": BYTES_PER_S,
            **(shape or {"topology": "crossbar"}),
        },
        "messages": {"latency_s": LATENCY_S, "overhead_s": OVERHEAD_S},
        **more,
    }
    figures = [name for name in ALL if name in content]
    content["sources"] = [{"figures": figures, "how": "assumed", "says": "round figures"}]
    return Platform.model_validate(content)


_few = st.integers(1, 5)
_rates = st.floats(1e3, 1e15)
_times = st.one_of(st.just(0.0), st.floats(1e-9, 1e-2))


@st.composite
def shapes(draw: st.DrawFn) -> tuple[dict[str, Any], int]:
    """Return a topology as a file has it, and the nodes that it makes."""
    kind = draw(st.sampled_from(["crossbar", "torus", "fat_tree", "dragonfly"]))
    if kind == "crossbar":
        backbone = draw(st.one_of(st.none(), _rates))
        return {"topology": kind} | ({"backbone_bytes_per_s": backbone} if backbone else {}), draw(st.integers(1, 64))
    if kind == "torus":
        dimensions = draw(st.lists(_few, min_size=1, max_size=4))
        return {"topology": kind, "dimensions": dimensions}, math.prod(dimensions)
    if kind == "fat_tree":
        levels = draw(st.integers(1, 3))
        down, up, links = (draw(st.lists(_few, min_size=levels, max_size=levels)) for _ in range(3))
        return {"topology": kind, "down": down, "up": up, "links": links}, math.prod(down)
    chassis, routers, nodes = draw(_few), draw(_few), draw(_few)
    groups = draw(st.integers(1, min(5, chassis * routers)))
    shape = {"topology": kind, "groups": groups, "chassis": chassis, "routers": routers, "nodes_per_router": nodes}
    shape |= {f"{name}_links": draw(_few) for name in ("group", "chassis", "router")}
    return shape, groups * chassis * routers * nodes


def _messages(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {name: draw(_times) for name in ("latency_s", "overhead_s", "gap_s")}
    found["gap_s_per_byte"] = draw(st.floats(0, 1e-6))
    if draw(st.booleans()):
        found["eager_limit_bytes"] = draw(st.integers(0, 1 << 20))
    return found


@st.composite
def platforms(draw: st.DrawFn) -> Platform:
    """Return any platform that makes sense."""
    shape, nodes = draw(shapes())
    groups = draw(st.integers(1, 4))
    node: dict[str, Any] = {
        "cores": groups * draw(st.integers(1, 8)),
        "groups": groups,
        "core_flops_per_s": draw(_rates),
        "memory_bytes_per_s": draw(_rates),
    }
    if draw(st.booleans()):
        node["core_memory_bytes_per_s"] = node["memory_bytes_per_s"] / groups * draw(st.floats(0.1, 1.0))
    if draw(st.booleans()):
        node["core_flops_per_s_by_kind"] = {"fft": draw(_rates)}
    network = {"link_latency_s": draw(_times), "link_bytes_per_s": draw(_rates)}
    if draw(st.booleans()):
        network["injection_bytes_per_s"] = draw(_rates)
    more: dict[str, Any] = {"messages": _messages(draw)}
    if draw(st.booleans()):
        more["within_node"] = _messages(draw)
    if draw(st.booleans()):
        more["progress"] = {"rule": "thread", "share_outside_calls": draw(st.floats(0, 1))}
    return plain(nodes, shape=shape | network, node=node, **more)
