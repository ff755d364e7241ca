"""labs/allgather: every rank's block to all, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

COPY = "16 * elements / figure('copy', level='L3', threads=1)"
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
RING = f"{POLL} * (threads - 1) * exchange(8 * elements)"
DOUBLING = f"{POLL} * (log2(threads) * exchange(8) + (threads - 1) * (exchange(8 * elements) - exchange(8)))"
# The own block to its place, and all blocks to theirs; ranks beyond the cores take turns.
ROTATION = f"max(1, threads / cores) * (threads + 1) * {COPY}"


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Allgather",
    question="How does every rank get the blocks of all others?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2), _case("256 KiB", 1 << 15, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("256 KiB", 1 << 15, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-ring", f"{RING} / ({DOUBLING})", over="20-recursive-doubling", within=1.5, crowded=2),
        Prediction("30-bruck", f"1 + {ROTATION} / ({DOUBLING})", over="20-recursive-doubling", within=1.5, crowded=2),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=9,
        symptoms=("Every rank needs a small part from each other, and the time grows with the number of ranks.",),
    ),
)
