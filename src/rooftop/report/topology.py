"""The machine as a tree of boxes: read from hwloc's XML, or put together from the caches where that is missing."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

from rooftop.documents import Machine
from rooftop.text.quantities import size

NodeKind = Literal["machine", "package", "group", "memory", "cache", "core", "thread"]

_KINDS: dict[str, NodeKind] = {
    "Machine": "machine",
    "Package": "package",
    "Die": "group",
    "Group": "group",
    "NUMANode": "memory",
    "MemCache": "memory",
    "Core": "core",
    "PU": "thread",
}
_DATA_CACHE = re.compile(r"L(\d)(?:d)?Cache$")


@dataclass
class Node:
    """A part of the machine. ``memory`` are the NUMA nodes attached to it, ``children`` what lies inside it."""

    kind: NodeKind
    label: str
    memory: list[Node] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    alike: int = 1  # how many identical neighbours this one stands for, itself included
    span: str = ""  # the label of the last of them

    def shape(self) -> str:
        """What it looks like, without its number: neighbours of one shape can be drawn once."""
        inside = ",".join(part.shape() for part in self.memory + self.children)
        return f"{self.kind}:{re.sub(r' #[0-9]+', '', self.label)}x{self.alike}({inside})"


def _label(element: ElementTree.Element, kind: NodeKind) -> str:
    index = element.get("os_index")
    numbered = f" #{index}" if index is not None else ""
    if kind == "memory":
        memory = element.get("local_memory")
        return f"NUMA node{numbered}" + (f" · {size(float(memory))}" if memory else "")
    if kind == "cache":
        level = _DATA_CACHE.match(element.get("type", ""))
        return f"L{level[1] if level else '?'} · {size(float(element.get('cache_size', '0')))}"
    if kind == "package":
        model = next((info.get("value") for info in element.findall("info") if info.get("name") == "CPUModel"), None)
        return f"Package{numbered}" + (f" · {' '.join(model.split())}" if model else "")
    names: dict[NodeKind, str] = {"machine": "Machine", "group": "Group", "core": "Core", "thread": "Thread"}
    return f"{element.get('subtype') or names[kind]}{numbered}"


def _convert(element: ElementTree.Element) -> tuple[list[Node], list[Node]]:
    """The (memory, other) nodes that ``element`` stands for; those of its children where it is not drawn itself."""
    memory: list[Node] = []
    children: list[Node] = []
    for child in element.findall("object"):
        inner_memory, inner = _convert(child)
        memory += inner_memory
        children += inner
    name = element.get("type", "")
    kind = "cache" if _DATA_CACHE.match(name) else _KINDS.get(name)
    if kind is None:
        return memory, children
    node = Node(kind, _label(element, kind), memory, children)
    if kind == "memory":
        node.children = []
        return [node], children
    return [], [node]


def from_xml(xml: str) -> Node:
    """The tree in hwloc's XML. Raises ValueError where it cannot be read or holds no processor."""
    try:
        root = ElementTree.fromstring(xml)
    except ElementTree.ParseError as error:
        raise ValueError(f"the topology's XML cannot be read: {error}") from error
    memory, nodes = _convert(root)
    if not nodes:
        raise ValueError("the topology's XML holds no machine")
    return nodes[0] if len(nodes) == 1 and not memory else Node("machine", "Machine", memory, nodes)


def from_caches(machine: Machine) -> Node:
    """The tree that the sizes alone tell: cores under the caches that they share, numbered from 0."""
    level: list[Node] = []
    for core in range(max(1, machine.cores)):
        threads = [Node("thread", "Thread") for _ in range(max(1, machine.threads_per_core))]
        level.append(Node("core", f"Core #{core}", children=threads if len(threads) > 1 else []))
    done = 1
    for cache in sorted(machine.caches, key=lambda cache: str(cache.get("level", ""))):
        shared = max(1, round(float(cache.get("shared_by") or 1) / max(1, machine.threads_per_core)))
        label = f"{cache.get('level', 'cache')} · {size(float(cache.get('bytes') or 0))}"
        step = max(1, shared // done)
        level = [Node("cache", label, children=level[i : i + step]) for i in range(0, len(level), step)]
        done *= step
    memory = Node("memory", f"Memory · {size(machine.memory_bytes)}")
    return Node("machine", machine.processor or "Machine", [memory], level)


def folded(node: Node, most: int = 4) -> Node:
    """The same tree with each run of more than ``most`` identical neighbours drawn as one box that says how many."""
    children = [folded(child, most) for child in node.children]
    kept: list[Node] = []
    start = 0
    while start < len(children):
        end = start + 1
        while end < len(children) and children[end].shape() == children[start].shape():
            end += 1
        run = children[start:end]
        if len(run) > most:
            run[0].alike, run[0].span = len(run), run[-1].label
            run = run[:1]
        kept += run
        start = end
    return Node(node.kind, node.label, node.memory, kept, node.alike, node.span)


def count(node: Node, kind: NodeKind) -> int:
    """How many parts of ``kind`` an unfolded tree has."""
    return (node.kind == kind) + sum(count(part, kind) for part in node.memory + node.children)
