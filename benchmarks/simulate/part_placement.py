"""What the placement of ranks on nodes gains, by topology, replayed message by message."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from benchmarks.form import Asked, table
from benchmarks.simulate.part_collectives import NODES, SHAPES, platform
from benchmarks.simulate.simulate import Part
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.placement import BLOCK, GRAPH, PLACEMENTS, placed
from rooftop.simulate.program import program_named
from rooftop.simulate.recording import Operation, Recording
from rooftop.simulate.replay import missing, replay
from rooftop.text.quantities import seconds

ORDER = 50
TITLE = "Placement of ranks"

_EDGE, _BYTES, _PER_NODE = 16, 1 << 17, 4


def grid(edge: int, bytes_: float, seed: int, times: int = 2) -> Recording:
    """Return a halo on a closed square of ranks whose numbers are shuffled."""
    order = np.random.default_rng(seed).permutation(edge * edge)
    number = order.reshape(edge, edge)
    programs = []
    for i, j in np.ndindex(edge, edge):
        around = [int(number[a % edge, b % edge]) for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1))]
        body: list[Operation] = [
            {"op": "recv", "from": one, "tag": side, "request": side} for side, one in enumerate(around)
        ]
        body += [
            {"op": "send", "to": one, "bytes": bytes_, "tag": side ^ 1, "request": 4 + side}
            for side, one in enumerate(around)
        ]
        body += [{"op": "wait", "requests": list(range(8))}]
        programs.append(([int(number[i, j])], [{"op": "loop", "times": times, "body": body}]))
    return Recording(edge * edge, programs)


def taken(layout: Layout, recording: Recording) -> dict[str, float]:
    """Return the seconds of each placement."""
    return {one: replay(recording, placed(layout, one, recording)).seconds for one in PLACEMENTS}


def _cells(found: Mapping[str, float]) -> list[str]:
    """Return the time of blocks, and what the others gain over it."""
    gains = [found[BLOCK] / found[one] for one in PLACEMENTS if one != BLOCK]
    return [seconds(found[BLOCK]), *(f"{gain:.2f}" for gain in gains)]


def part() -> Part:
    """Return the section."""
    if (why := missing()) is not None:
        return Part([Asked("Placements", "", why, None)])
    rows: list[Any] = []
    shuffled: dict[str, float] = {}
    for name, shape in SHAPES.items():
        layout = laid_out(platform(shape), NODES * _PER_NODE, 1, _PER_NODE)
        elasticity = program_named("elasticity")
        box = elasticity.phases(layout.ranks, 1, elasticity.given({}))
        recordings = {
            f"halo of a {_EDGE} x {_EDGE} grid, shuffled": grid(_EDGE, _BYTES, seed=1),
            "elasticity": recording_of(layout, box),
        }
        for what, recording in recordings.items():
            found = taken(layout, recording)
            rows.append((what, name, *_cells(found)))
            if "shuffled" in what:
                shuffled[name] = found[BLOCK] / found[GRAPH]
    small = laid_out(platform(SHAPES["crossbar"]), NODES, 1, 1)
    all_to_all = program_named("all_to_all").phases(NODES, 1, {"elements": 8192, "calls": 10})
    found = taken(small, recording_of(small, all_to_all))
    rows.append((f"all-to-all of 64 KiB on {NODES} ranks", "crossbar", *_cells(found)))
    told = ", ".join(f"{gain:.2f} ({name})" for name, gain in shuffled.items())
    asked = [
        Asked(
            "A halo whose ranks are shuffled: placed by the graph of messages over blocks",
            "faster on each topology",
            f"{told} times as fast",
            min(shuffled.values()) > 1,
        ),
        Asked(
            "An all-to-all on a crossbar, by placement",
            "no placement gains anything",
            f"{min(found.values()) / max(found.values()):.4f} of the slowest's time",
            min(found.values()) == max(found.values()),
        ),
    ]
    reading = f"""\
{NODES} nodes as above, {_PER_NODE} ranks on each, and messages of 128 KiB. `graph` cuts the graph of messages by METIS
into as many parts as there are nodes, and gives the parts to nodes by SciPy's quadratic assignment, by bytes x links.
What carries no less than blocks is left in blocks. Gains are over blocks: above 1 is faster.
"""
    head = ("what", "topology", "time in blocks", *(one for one in PLACEMENTS if one != BLOCK))
    return Part(asked, [reading, table(head, rows)])
