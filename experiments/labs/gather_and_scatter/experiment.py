"""labs/gather_and_scatter: a block to each and back, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

LATENCY = "message(8)"
BYTES = "(message(8 * elements) - message(8))"
LINEAR = f"(threads - 1) * ({LATENCY} + {BYTES})"
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
ALL = f"2 / cores * ((threads - 1) * {LATENCY} + threads / 2 * log2(threads) * {BYTES})"
TREE = f"max(log2(threads) * {LATENCY} + (threads - 1) * {BYTES}, {ALL})"
# In the wrong order the last child of each level begins when all others have been served.
LATE = f"log2(threads) * (log2(threads) + 1) / 2 * {LATENCY} + (2 * threads - 2 - log2(threads)) * {BYTES}"
WRONG = f"max({LATE}, {ALL})"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Scatter and gather",
    question="How do blocks get from one rank to all ranks, and back?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 15, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 15, 2, 4, 8)]},
    predictions=[
        Prediction("10-linear", f"{LINEAR} / {TREE}", over="30-tree", within=1.5, crowded=2),
        Prediction("20-tree-wrong-order", f"{WRONG} / {TREE}", over="30-tree", within=1.5, crowded=2),
    ],
    lesson=Lesson(chapter="MPI", place=8, symptoms=("Rank 0 hands out work and collects results while all wait.",)),
)
