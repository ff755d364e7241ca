"""The machine as nested boxes, drawn as SVG: from hwloc's XML, or without it from the list of caches."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal
from xml.etree import ElementTree

from markupsafe import Markup, escape

from rooftop.documents import Machine
from rooftop.text.plural import plural
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


_MOST_THREADS = 100_000
_MOST_LEVELS = 16


@dataclass
class Node:
    """A part of the machine: ``memory`` has the NUMA nodes attached to it, ``children`` the parts inside it."""

    kind: NodeKind
    label: str
    memory: list[Node] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    alike: int = 1  # number of identical neighbours that this node stands for, itself included
    span: str = ""  # label of the last of them

    def shape(self) -> str:
        """Return a text that is equal for nodes that differ only in their numbers."""
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
    """Return the (memory, other) nodes for ``element``; if it is not drawn itself, those of its children."""
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
    """Return the tree in hwloc's XML. Raises ValueError if it cannot be parsed or has no machine."""
    try:
        root = ElementTree.fromstring(xml)
        memory, nodes = _convert(root)
    except (ElementTree.ParseError, RecursionError) as error:
        raise ValueError(f"the topology's XML cannot be read: {error}") from error
    if not nodes:
        raise ValueError("the topology's XML holds no machine")
    return nodes[0] if len(nodes) == 1 and not memory else Node("machine", "Machine", memory, nodes)


def from_caches(machine: Machine) -> Node:
    """Return a tree built from counts and sizes: cores, numbered from 0, under the caches that they share.

    Raises ValueError for counts that no machine has.
    """
    threads_in_all = max(1, machine.cores) * max(1, machine.threads_per_core)
    if threads_in_all > _MOST_THREADS or len(machine.caches) > _MOST_LEVELS:
        size_of_it = f"{machine.cores} x {machine.threads_per_core} threads and {plural(len(machine.caches), 'cache')}"
        raise ValueError(f"a machine of {size_of_it} is not drawn")
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
    """Return the tree with each run of more than ``most`` identical neighbours replaced by one that counts them."""
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
    """Count the nodes of ``kind`` in a tree that is not folded."""
    return (node.kind == kind) + sum(count(part, kind) for part in node.memory + node.children)


_TEXT = 7.0  # px for a character of a 12 px label, an upper estimate
_LINE = 20  # px for a line of text in a box
_PAD = 10
_GAP = 8
_LEAF_WIDTH = {"thread": 74, "core": 86}
_FLAT = ("cache", "memory")  # drawn as a bar above their children, not as a box around them


def _caption(node: Node) -> str:
    if node.alike == 1:
        return node.label
    first = node.label.rpartition("#")[2]
    last = node.span.rpartition("#")[2]
    numbers = f" #{first} to #{last}" if first.isdecimal() and last.isdecimal() else ""
    return f"{node.alike} × {node.label.partition(' #')[0]}{numbers}"


class _Box:
    """A node and its size, which follows from its children's; positions are assigned from the root down."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.memory = [_Box(part) for part in node.memory]
        self.children = [_Box(part) for part in node.children]
        self.pad = 0 if node.kind in _FLAT else _PAD
        own = _TEXT * len(_caption(node)) + 2 * _PAD
        inside = sum(box.width for box in self.children) + _GAP * max(0, len(self.children) - 1)
        memory = max((box.width for box in self.memory), default=0.0)
        self.width: float = max(own, _LEAF_WIDTH.get(node.kind, 0), inside + 2 * self.pad, memory + 2 * self.pad)
        self.height: float = self._height()

    def _height(self) -> float:
        bar = _LINE + 6.0
        memory = sum(box.height + _GAP for box in self.memory)
        below = max((box.height for box in self.children), default=0.0)
        if self.node.kind in _FLAT:
            return bar + (_GAP + below if self.children else 0)
        if not self.children and not self.memory:
            return bar + 4
        return _LINE + 6 + memory + below + (self.pad if below else 2)

    def draw(self, x: float, y: float, width: float, height: float, out: list[str]) -> None:
        """Append the box's SVG to ``out``. Spare width is divided equally among the children."""
        bar = _LINE + 6.0
        flat = self.node.kind in _FLAT
        drawn = bar if flat else height
        if self.node.alike > 1 and not flat:
            out.append(
                f'<rect class="behind" x="{x + 3:g}" y="{y + 3:g}" width="{width:g}" height="{drawn:g}" rx="3"/>'
            )
        out.append(
            f'<rect class="{self.node.kind}" x="{x:g}" y="{y:g}" width="{width:g}" height="{drawn:g}" rx="3"/>'
            f'<text x="{x + width / 2:g}" y="{y + 17:g}" text-anchor="middle">{escape(_caption(self.node))}</text>'
        )
        top = y + bar + (_GAP if flat else 0)
        for box in self.memory:
            box.draw(x + self.pad, top, width - 2 * self.pad, box.height, out)
            top += box.height + _GAP
        if not self.children:
            return
        wanted = sum(box.width for box in self.children) + _GAP * (len(self.children) - 1)
        spare = (width - 2 * self.pad - wanted) / len(self.children)
        left = x + self.pad
        below = max(box.height for box in self.children)
        for box in self.children:
            box.draw(left, top, box.width + spare, below, out)
            left += box.width + spare + _GAP


def svg(node: Node, description: str) -> Markup:
    """Return the picture, sized in CSS pixels. ``description`` is its text alternative."""
    box = _Box(node)
    out: list[str] = []
    box.draw(4, 4, box.width, box.height, out)
    width, height = box.width + 12, box.height + 12
    return Markup(
        f'<svg class="topology" role="img" aria-label="{escape(description)}" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}">{"".join(out)}</svg>'
    )
