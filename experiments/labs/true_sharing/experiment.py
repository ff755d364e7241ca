"""labs/true_sharing: one counter that all threads increment, as threads are added."""

import os

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(cycles: int) -> Case:
    cores = os.cpu_count() or 1
    workers = [count for count in (1, 2, 4, 8, 16, 32, 64, 128) if count <= cores]
    return Case(f"{cycles} cycles", {"increments": 10_000, "cycles": cycles}, 10_000, workers=workers)


# Cycles of an increment of a line that another core has, and of one in the L1 cache.
_WAY = "figure('line_transfer', threads=2) * figure('clock', threads=1)"
_IN_L1 = "20"

experiment = Experiment(
    title="True sharing as threads are added",
    question="What does a counter cost that all threads increment?",
    rate_unit="M increments/s per thread",
    rate_scale=1e6,
    sizes={"quick": [_case(200)], "S": [_case(200), _case(1000), _case(5000)]},
    predictions=[
        # A thread waits for the line's way, or until the line has been with all others.
        Prediction(
            of="10-one-counter",
            over="30-reduction",
            formula=f"1 if threads == 1 else max(cycles + {_WAY}, threads * {_WAY}) / (cycles + {_IN_L1})",
        ),
        # The line is wanted in one step of 16.
        Prediction(
            of="20-batches",
            over="30-reduction",
            formula="1 if threads == 1 else "
            f"max(16 * cycles + 16 * {_IN_L1} + {_WAY}, threads * {_WAY}) / (16 * (cycles + {_IN_L1}))",
        ),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=7,
        symptoms=("Each further thread makes all others slower, and padding changes nothing.",),
    ),
)
