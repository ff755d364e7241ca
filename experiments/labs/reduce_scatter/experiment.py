"""labs/reduce_scatter: sums of which every rank needs a block, by three algorithms and by the library."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A message takes a line with data and one that tells of it; its bytes are read and written, and once more to be added.
LATENCY = "2 * figure('core_to_core')"
COPY = "16 * elements / figure('copy', level='L3', threads=1)"
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
ROOT = f"(threads * {COPY} + (threads - 1) * (2 * {LATENCY} + (2 * threads + 1) * {COPY}))"
PAIRWISE = f"({CROWD} * ({COPY} + (threads - 1) * ({LATENCY} + 2 * {COPY})))"
HALVING = f"({CROWD} * ((threads + 1) * {COPY} + log2(threads) * {LATENCY} + 2 * (threads - 1) * {COPY}))"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduce and scatter",
    question="How does every rank get its block of the sums?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 15, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 15, 2, 4, 8)]},
    predictions=[
        Prediction("10-through-the-root", f"{ROOT} / {PAIRWISE}", over="20-pairwise", within=1.5),
        Prediction("30-recursive-halving", f"{HALVING} / {PAIRWISE}", over="20-pairwise", within=1.5),
    ],
    lesson=Lesson(chapter="MPI", place=10, symptoms=("All ranks add up a long array, and each needs a part of it.",)),
)
