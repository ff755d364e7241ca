"""How far the model by counts and the replay are apart, by program and topology."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from benchmarks.form import Asked, table
from benchmarks.simulate.part_collectives import SHAPES, platform
from benchmarks.simulate.simulate import Part
from rooftop.simulate.agreement import RANGES
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.program import program_named
from rooftop.simulate.replay import missing, replay

ORDER = 35
TITLE = "The model beside the replay"

#: Numbers of ranks with how many are on a node.
RANKS = ((4, 1), (16, 1), (64, 16))
CASES: Mapping[str, Sequence[Mapping[str, float]]] = {
    "ft": [dict.fromkeys(("nx", "ny", "nz"), 128) | {"pipelined": way} for way in (0, 1)],
    "elasticity": [
        dict.fromkeys(("nx", "ny", "nz"), 100) | {"overlap": overlap, "chunk": chunk}
        for overlap, chunk in ((0, 0), (1, 0), (1, 200))
    ],
    "ant_colony": [{}],
    "halo": [{"n": 4096, "columns": way} for way in (0, 1)],
    "hdf5_io": [{"mib": 64}, {"mib": 4096}],
    "all_to_all": [{"elements": elements} for elements in (1, 512, 8192)],
    "broadcast": [{"elements": elements} for elements in (1, 8192)],
    "allreduce": [{"elements": elements} for elements in (1, 8192)],
}


def ratios(
    name: str, shapes: Sequence[str] = tuple(SHAPES), ranks: Sequence[tuple[int, int]] = RANKS
) -> Iterator[tuple[str, float]]:
    """Yield the topology, and the replay's time over the model's, of each case."""
    program = program_named(name)
    for shape in shapes:
        for many, per_node in ranks:
            for given in CASES[name]:
                layout = laid_out(platform(SHAPES[shape]), many, 1, per_node)
                phases = program.phases(many, 1, program.given(given))
                counted = predict(layout, phases)
                yield shape, replay(recording_of(layout, phases), layout, counted.algorithms).seconds / counted.seconds


_READING = """\
The replay's time over the model's, least and most, of 4 and 16 ranks on as many nodes, and of 64 with sixteen on a
node, each program with its usual algorithms: FT at 128³, elasticity at 100³ in its three forms, all-to-alls,
broadcasts and sums of one number and of many, and the exchange of a write of 64 and of 4096 MiB. Where a network's
links are the limit, the model adds the load of the busiest link in each step, and a replay lets steps of different
ranks run into each other.
"""


def part() -> Part:
    """Return the section."""
    if (why := missing()) is not None:
        return Part([Asked("Replays", "", why, None)])
    rows, asked = [], []
    for name in CASES:
        found = list(ratios(name))
        cells = []
        for shape in SHAPES:
            some = [ratio for one, ratio in found if one == shape]
            cells.append(f"{min(some):.2f} to {max(some):.2f}")
        rows.append((name, *cells))
        least, most = RANGES[name]
        some = [ratio for _, ratio in found]
        asked.append(
            Asked(
                f"{name}: the replay's time over the model's",
                f"{least:g} to {most:g}, as documents say",
                f"{min(some):.3f} to {max(some):.3f}",
                least <= min(some) and max(some) <= most,
            )
        )
    return Part(asked, [_READING, table(("program", *SHAPES), rows)])
