"""labs/reduce: the sums of all ranks' numbers on one, by three algorithms and by the library."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A message: a line with its data and one that tells of it, from core to core; then its bytes, read and written. Adding
# reads and writes them once more.
LATENCY = "2 * figure('core_to_core')"
COPY = "16 * elements / figure('copy', level='L3', threads=1)"
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
BARRIER = f"log2(threads) * {CROWD} * {LATENCY}"
WHOLE = f"({LATENCY} + 2 * {COPY})"
TREE = f"({BARRIER} + {COPY} * {CROWD} + max(log2(threads), (threads - 1) / cores) * {WHOLE})"
LINEAR = f"({BARRIER} + {COPY} + (threads - 1) * {WHOLE})"
PAIRS = f"{CROWD} * (threads - 1) * ({LATENCY} + 2 * {COPY} / threads)"
PARTS = f"{COPY} / threads + {PAIRS} + (threads - 1) * ({LATENCY} + {COPY} / threads)"


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduction to one rank",
    question="Who adds up what all ranks have?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2), _case("1 MiB", 1 << 17, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("1 MiB", 1 << 17, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-linear", f"{LINEAR} / {TREE}", over="20-tree", within=1.5),
        Prediction("30-parts", f"({BARRIER} + {PARTS}) / {TREE}", over="20-tree", within=1.5),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=7,
        symptoms=("The rank that collects sums is busy while all others wait.",),
    ),
)
