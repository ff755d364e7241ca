"""The machine's topology as an inline SVG: boxes within boxes, as lstopo draws them, in the page's own colours."""

from __future__ import annotations

from markupsafe import Markup, escape

from rooftop.report.topology import Node

_TEXT = 7.0  # px that a character of the 12 px labels takes, generously
_LINE = 20  # px of a line of text in a box
_PAD = 10
_GAP = 8
_LEAF_WIDTH = {"thread": 74, "core": 86}
_FLAT = ("cache", "memory")  # drawn as a bar over what lies below, not as a box around it


def _caption(node: Node) -> str:
    if node.alike == 1:
        return node.label
    first = node.label.rpartition("#")[2]
    last = node.span.rpartition("#")[2]
    numbers = f" #{first} to #{last}" if first.isdecimal() and last.isdecimal() else ""
    return f"{node.alike} × {node.label.partition(' #')[0]}{numbers}"


class _Box:
    """A node with its place: sizes are found from the leaves up, positions given from the root down."""

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
        """Draws the box into ``width`` by ``height``; what is to spare goes to the children in equal parts."""
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
    """The picture, sized in CSS pixels; ``description`` says in words what it shows, for those who do not see it."""
    box = _Box(node)
    out: list[str] = []
    box.draw(4, 4, box.width, box.height, out)
    width, height = box.width + 12, box.height + 12
    return Markup(
        f'<svg class="topology" role="img" aria-label="{escape(description)}" viewBox="0 0 {width:g} {height:g}"'
        f' width="{width:g}" height="{height:g}">{"".join(out)}</svg>'
    )
