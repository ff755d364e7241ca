"""labs/allreduce: the sums of all ranks' numbers on all, by three algorithms and by the library."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A message takes a line with data and one that tells of it; its bytes are read and written, and once more to be added.
LATENCY = "2 * figure('core_to_core')"
COPY = "16 * elements / figure('copy', level='L3', threads=1)"
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
STEPS = "max(log2(threads), (threads - 1) / cores)"
TREES = f"({CROWD} * {COPY} + {STEPS} * (2 * {LATENCY} + 3 * {COPY}))"
RING = f"{CROWD} * ({COPY} + (threads - 1) * (2 * {LATENCY} + 3 * {COPY} / threads))"
DOUBLING = f"({CROWD} * ({COPY} + log2(threads) * ({LATENCY} + 2 * {COPY})))"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduction to all ranks",
    question="How do all ranks get the sums of what all have?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 16, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 16, 2, 4, 8)]},
    predictions=[
        Prediction("10-tree-and-tree", f"{TREES} / {DOUBLING}", over="30-recursive-doubling", within=1.5),
        Prediction("20-ring", f"{RING} / {DOUBLING}", over="30-recursive-doubling", within=1.5),
    ],
    lesson=Lesson(
        chapter="MPI", place=11, symptoms=("A solver that adds up one number per iteration stops to scale.",)
    ),
)
