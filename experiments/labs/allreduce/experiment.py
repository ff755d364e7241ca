"""labs/allreduce: the sums of all ranks' numbers on all, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

COPY = "16 * elements / figure('copy', level='L3', threads=1)"  # or to add as many
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
STEPS = f"max(log2(threads), (threads - 1) / threads * {POLL})"
TREES = f"({CROWD} * {COPY} + {STEPS} * (2 * message(8 * elements) + {COPY}))"
TURNS = f"2 * {POLL} * exchange(8 * elements / threads) + {CROWD} * {COPY} / threads"
RING = f"({CROWD} * {COPY} + (threads - 1) * ({TURNS}))"
DOUBLING = f"({CROWD} * {COPY} + log2(threads) * ({POLL} * exchange(8 * elements) + {CROWD} * {COPY}))"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduction to all ranks",
    question="How does every rank get the sums over all ranks?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 16, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 16, 2, 4, 8)]},
    predictions=[
        Prediction("10-tree-and-tree", f"{TREES} / {DOUBLING}", over="30-recursive-doubling", within=1.5, crowded=2),
        Prediction("20-ring", f"{RING} / {DOUBLING}", over="30-recursive-doubling", within=1.5, crowded=2),
    ],
    lesson=Lesson(
        chapter="MPI", place=11, symptoms=("A solver that adds up one number per iteration stops to scale.",)
    ),
)
