"""labs/reduce_scatter: sums of which every rank needs a block, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

COPY = "16 * elements / figure('copy', level='L3', threads=1)"  # or to add as many
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
TO_ROOT = f"(message(8 * elements * threads) + message(8 * elements) + threads * {COPY})"
ROOT = f"((threads + 1) * {COPY} + (threads - 1) * {TO_ROOT})"
LOCAL = f"max(1, threads / cores) * threads * {COPY}"
PAIRWISE = f"({LOCAL} + (threads - 1) * {POLL} * exchange(8 * elements))"
STEPS = "log2(threads) * exchange(8) + (threads - 1) * (exchange(8 * elements) - exchange(8))"
HALVING = f"(2 * {LOCAL} + {POLL} * ({STEPS}))"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduce and scatter",
    question="How does every rank get its own block of the sums?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 15, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 15, 2, 4, 8)]},
    predictions=[
        Prediction("10-through-the-root", f"{ROOT} / {PAIRWISE}", over="20-pairwise", within=1.5, crowded=2),
        Prediction("30-recursive-halving", f"{HALVING} / {PAIRWISE}", over="20-pairwise", within=1.5, crowded=2),
    ],
    lesson=Lesson(chapter="MPI", place=10, symptoms=("All ranks add up a long array, and each needs a part of it.",)),
)
