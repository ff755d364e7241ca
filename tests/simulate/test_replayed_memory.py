"""A node's memory in replays: any node, any number of ranks, against the model's closed form."""

from __future__ import annotations

import pytest
from any_platform import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from rooftop.simulate.counted_recording import recording_of
from rooftop.simulate.layout import laid_out
from rooftop.simulate.model import predict
from rooftop.simulate.program import Phase, Work
from rooftop.simulate.replay import missing, replay

pytestmark = pytest.mark.skipif(missing() is not None, reason=str(missing()))


@settings(max_examples=15, deadline=None)
@given(
    groups=st.sampled_from([1, 2, 4]),
    of_group=st.floats(0.05, 1),
    threads=st.integers(1, 8),
    fullness=st.floats(0, 1),
    intensity=st.floats(0, 4),
)
def test_work_takes_what_the_model_says(
    groups: int, of_group: float, threads: int, fullness: float, intensity: float
) -> None:
    memory = 1e11
    node = {
        "cores": 8,
        "groups": groups,
        "core_flops_per_s": 1e10,
        "memory_bytes_per_s": memory,
        "core_memory_bytes_per_s": of_group * memory / groups,
    }
    ranks = 1 + int(fullness * (8 // threads - 1))
    layout = laid_out(plain(2, node=node), ranks, threads, per_node=ranks)
    phases = [Phase("work", Work(flops=1e9 * intensity, bytes=1e9))]
    found = replay(recording_of(layout, phases), layout)
    assert found.seconds == pytest.approx(predict(layout, phases).seconds, rel=1e-6)
