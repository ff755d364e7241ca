"""Placements of ranks: each is a placement, graphs win where they can, and nothing wins where nothing can."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from any_platform import plain, shapes
from hypothesis import given, settings
from hypothesis import strategies as st

from benchmarks.simulate.part_placement import grid
from rooftop.errors import Misuse
from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import Layout, laid_out
from rooftop.simulate.placement import BLOCK, GRAPH, PLACEMENTS, carried, check_placements, hops, placed
from rooftop.simulate.program import program_named
from rooftop.simulate.recording import Recording
from rooftop.simulate.replay import missing, replay
from rooftop.simulate.traffic import traffic

pytest.importorskip("pymetis")
needs_replay = pytest.mark.skipif(missing() is not None, reason=str(missing()))


def links(layout: Layout, recording: Recording) -> float:
    """Return how many links a byte crosses on average."""
    messages = traffic(recording, layout.ranks)
    return carried(layout, messages, hops(layout)) / float(messages.sum())


TORUS = {"topology": "torus", "dimensions": [4, 4]}
FAT_TREE = {"topology": "fat_tree", "down": [4, 4], "up": [1, 1], "links": [1, 1]}


@needs_replay
@pytest.mark.parametrize("shape", [TORUS, FAT_TREE], ids=lambda one: one["topology"])
def test_a_graph_wins_where_neighbours_are_shuffled(shape: dict[str, Any]) -> None:
    layout, recording = laid_out(plain(16, 4, shape), 64, 1), grid(8, 1e5, seed=1)
    taken = {one: replay(recording, placed(layout, one, recording)).seconds for one in PLACEMENTS}
    assert taken[GRAPH] < 0.6 * min(taken[BLOCK], taken["round-robin"])
    assert links(placed(layout, GRAPH, recording), recording) < 0.5 * links(layout, recording)


@pytest.mark.parametrize("seed", range(3))
def test_parts_go_to_nodes_that_are_near(seed: int) -> None:
    """With one rank on a node there is nothing to cut: all that is gained is who goes where."""
    layout, recording = laid_out(plain(16, 1, TORUS), 16, 1), grid(4, 1e5, seed=seed)
    assert links(placed(layout, GRAPH, recording), recording) < 0.8 * links(layout, recording)


@needs_replay
def test_nothing_wins_where_all_send_to_all() -> None:
    layout = laid_out(plain(16), 16)
    phases = program_named("all_to_all").phases(16, 1, {"elements": 1000, "calls": 1})
    recording = recording_of(layout, phases)
    taken = [replay(recording, placed(layout, one, recording)).seconds for one in PLACEMENTS]
    assert taken[1:] == taken[:-1]


@settings(max_examples=60, deadline=None)
@given(network=shapes(), cores=st.integers(1, 4), fullness=st.floats(0, 1), data=st.data())
def test_every_placement_is_one(network: Any, cores: int, fullness: float, data: st.DataObject) -> None:
    shape, nodes = network
    ranks = 1 + int(fullness * (nodes * cores - 1))
    layout = laid_out(plain(nodes, cores, shape), ranks, 1, min(cores, ranks))
    pair = st.tuples(st.integers(0, ranks - 1), st.integers(0, ranks - 1), st.floats(0, 1e9))
    sent = data.draw(st.lists(pair, max_size=60))
    recording = Recording(ranks, [([one], [{"op": "send", "to": to, "bytes": size}]) for one, to, size in sent])
    for name in PLACEMENTS:
        found = placed(layout, name, recording)
        full = Counter(found.node_of)
        assert len(found.node_of) == ranks
        assert set(full) == set(range(layout.nodes))
        assert max(full.values()) <= layout.per_node
        assert placed(layout, name, recording) == found
    messages, apart = traffic(recording, ranks), hops(layout)
    assert carried(placed(layout, GRAPH, recording), messages, apart) <= carried(layout, messages, apart) * (1 + 1e-12)


def test_traffic_counts_loops_and_both_directions(tmp_path: Path) -> None:
    inner = {"op": "loop", "times": 3, "body": [{"op": "send", "to": 1, "bytes": 5}]}
    recording = Recording(
        3, [([0], [{"op": "loop", "times": 2, "body": [inner]}]), ([1, 2], [{"op": "send", "to": 0, "bytes": 1}])]
    )
    file = tmp_path / "a.jsonl"
    recording.write(file)
    for source in (recording, file):
        assert traffic(source, 3).toarray().tolist() == [[0, 31, 1], [31, 0, 0], [1, 0, 0]]


def test_names_that_are_none() -> None:
    assert check_placements("--placement", "graph, block") == ("graph", "block")
    with pytest.raises(Misuse, match="--placement has 'metis'"):
        check_placements("--placement", "block,metis")
    with pytest.raises(Misuse, match="--placement has graph 2 times, expected once"):
        check_placements("--placement", "graph,graph")
