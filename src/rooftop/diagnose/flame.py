"""The flame graph of a profile: callers above, what they called below, widths by samples. Plotly's icicle draws it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import plotly.graph_objects as go

from rooftop.diagnose.stacks import OTHER, Stacks
from rooftop.diagnose.where_time_goes import ALLOCATION, purpose
from rooftop.observe.profile import HotFunction
from rooftop.observe.stacks import KERNEL
from rooftop.report.figures.style import Figure, finished, plain
from rooftop.report.palette import light
from rooftop.text.quantities import percent

_LEAST = 0.003  # of all samples: a narrower frame cannot be read
_DEEPEST = 48
_ROW = 20  # pixels


@dataclass
class _Frame:
    """A frame: its samples with those of all that it called, and these."""

    samples: int = 0
    called: dict[str, _Frame] = field(default_factory=dict)

    def add(self, stack: list[str], samples: int) -> None:
        """Add a stack below this frame."""
        frame = self
        frame.samples += samples
        for name in stack[:_DEEPEST]:
            frame = frame.called.setdefault(name, _Frame())
            frame.samples += samples


def _what(name: str) -> str | None:
    """Return what a function outside the kernel is for; None for computing."""
    return purpose(HotFunction(share=0.0, file=name.strip("[]"), function=name))


def _colour(name: str, called: Iterable[str]) -> str:
    """Return the colour of a frame: of the kernel, of the allocator, of waiting in a runtime, and of anything else."""
    if name == OTHER:
        return light("muted")
    if name.endswith(KERNEL):
        return light("bandwidth")
    # A runtime that calls the program's own functions does not wait.
    if (what := _what(name)) is None or any(_what(one) is None and not one.endswith(KERNEL) for one in called):
        return light("rung")
    return light("peer") if what == ALLOCATION else light("alarm")


def figure(stacks: Stacks) -> Figure | None:
    """Return the flame graph; None if there are no samples."""
    root = _Frame()
    for stack, samples in stacks.folded.items():
        root.add(stack.split(";"), samples)
    if not root.samples:
        return None
    columns: dict[str, list[str]] = {"ids": ["0"], "labels": ["all"], "parents": [""]}
    values, colours, told = [root.samples], [light("muted")], ["all samples"]
    waiting, deepest = [("0", 1, root)], 1
    while waiting:
        above, depth, frame = waiting.pop()
        for name, called in sorted(frame.called.items()):
            if called.samples < _LEAST * root.samples:
                continue
            own = str(len(values))
            columns["ids"].append(own)
            columns["labels"].append(plain(name))
            columns["parents"].append(above)
            values.append(called.samples)
            colours.append(_colour(name, called.called))
            told.append(f"{plain(name)}<br>{percent(called.samples / root.samples)}, {called.samples} samples")
            waiting.append((own, depth + 1, called))
            deepest = max(deepest, depth + 1)
    trace = go.Icicle(
        **columns,
        values=values,
        branchvalues="total",
        sort=False,
        tiling={"orientation": "v", "pad": 1},
        leaf={"opacity": 1},
        marker={"colors": colours, "line": {"width": 0.5, "color": light("paper")}},
        hovertext=told,
        hovertemplate="%{hovertext}<extra></extra>",
        textposition="middle left",
        textfont={"size": 11},
        insidetextfont={"size": 11, "color": light("paper")},
        pathbar={"visible": True, "thickness": 18},
    )
    layout = {
        "height": 60 + _ROW * deepest,
        "margin": {"l": 8, "r": 8, "t": 26, "b": 8},
        "uniformtext": {"minsize": 9, "mode": "hide"},
    }
    return finished([trace], layout)
