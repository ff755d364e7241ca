"""labs/allgather: every rank's block to all, by three algorithms and by the library."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A message: a line with its data and one that tells of it, from core to core; then its bytes, read and written.
LATENCY = "2 * figure('core_to_core')"
COPY = "16 * elements / figure('copy', level='L3', threads=1)"
RING = f"(threads - 1) * ({LATENCY} + {COPY})"
DOUBLING = f"(log2(threads) * {LATENCY} + (threads - 1) * {COPY})"
ROTATION = f"(threads + 1) * {COPY}"  # the own block to its place, and all blocks to theirs


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Allgather",
    question="How do all ranks get the block of each?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2, 4), _case("256 KiB", 1 << 15, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("256 KiB", 1 << 15, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-ring", f"{RING} / {DOUBLING}", over="20-recursive-doubling", within=1.5),
        Prediction("30-bruck", f"1 + {ROTATION} / {DOUBLING}", over="20-recursive-doubling", within=1.5),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=9,
        symptoms=("Every rank needs a small part from each other, and the time grows with the number of ranks.",),
    ),
)
