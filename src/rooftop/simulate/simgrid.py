"""A platform as SimGrid reads it: a cluster with the topology, and a link for each node's memory.

Version 4.1 of the format, which SimGrid 3.32 and 4 read. A node is a host of so many cores; ``memory-N`` is a link
that computing and messages of node N share, and lies on no route. What the format has no place for is a property of
the zone. Source: https://simgrid.org/doc/latest/XML_reference.html
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rooftop.errors import Misuse
from rooftop.simulate.platform import Platform
from rooftop.simulate.topologies import Crossbar, Dragonfly, FatTree, Topology, Torus

_HEAD = '<?xml version="1.0"?>\n<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">\n'


def _joined(values: tuple[int, ...]) -> str:
    return ",".join(map(str, values))


def check_routed(shape: Topology) -> None:
    """Raise Misuse for a topology that SimGrid cannot route."""
    if isinstance(shape, Dragonfly) and shape.groups > shape.routers:
        raise Misuse(
            f"groups is {shape.groups}: SimGrid's dragonflies have at most as many groups as routers of a chassis, "
            f"here {shape.routers}, and SimGrid 3.32 crashes beyond that"
        )


def topology_attributes(shape: Topology) -> dict[str, str]:
    """Return the attributes of a cluster's topology. Raises Misuse for one that SimGrid cannot route."""
    if isinstance(shape, Torus):
        return {"topology": "TORUS", "topo_parameters": _joined(shape.dimensions)}
    if isinstance(shape, FatTree):
        levels = ";".join(map(_joined, (shape.down, shape.up, shape.links)))
        return {"topology": "FAT_TREE", "topo_parameters": f"{len(shape.down)};{levels}"}
    if isinstance(shape, Dragonfly):
        check_routed(shape)
        parts = (
            (shape.groups, shape.group_links),
            (shape.chassis, shape.chassis_links),
            (shape.routers, shape.router_links),
            (shape.nodes_per_router,),
        )
        return {"topology": "DRAGONFLY", "topo_parameters": ";".join(map(_joined, parts))}
    assert isinstance(shape, Crossbar)
    if shape.backbone_bytes_per_s is None:
        return {}
    return {"bb_bw": f"{shape.backbone_bytes_per_s!r}Bps", "bb_lat": "0s"}


def as_simgrid(platform: Platform) -> str:
    """Return the platform as an XML file for SimGrid. Raises Misuse for one that it cannot route."""
    node, network, messages = platform.node, platform.network, platform.messages
    root = ET.Element("platform", version="4.1")
    zone = ET.SubElement(root, "zone", id="world", routing="Full")
    kept = {
        "title": platform.title,
        "overhead_s": messages.overhead_s,
        "latency_s": messages.latency_s,
        "gap_s": messages.gap_s,
        "gap_s_per_byte": messages.gap_s_per_byte,
        "eager_limit_bytes": messages.eager_limit_bytes,
        "progress": platform.progress.rule,
        "share_outside_calls": platform.progress.share(),
    }
    for name, value in kept.items():
        if value is not None:
            ET.SubElement(zone, "prop", id=name, value=str(value))
    cluster = {
        "id": "nodes",
        "prefix": "node-",
        "suffix": "",
        "radical": f"0-{platform.nodes - 1}",
        "speed": f"{node.core_flops_per_s!r}f",
        "core": str(node.cores),
        "bw": f"{network.link_bytes_per_s!r}Bps",
        "lat": f"{network.link_latency_s!r}s",
        "loopback_bw": f"{node.memory_bytes_per_s!r}Bps",
        "loopback_lat": "0s",
        **topology_attributes(network.shape),
    }
    if network.injection_bytes_per_s is not None:
        cluster["limiter_link"] = f"{network.injection_bytes_per_s!r}Bps"
    ET.SubElement(zone, "cluster", cluster)
    for place in range(platform.nodes):
        bandwidth = f"{node.memory_bytes_per_s!r}Bps"
        ET.SubElement(zone, "link", id=f"memory-{place}", bandwidth=bandwidth, latency="0s", sharing_policy="SHARED")
    ET.indent(root)
    return f"{_HEAD}{ET.tostring(root, encoding='unicode')}\n"
