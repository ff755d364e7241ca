"""labs/broadcast: one to all, by three algorithms and by the library."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction

# A message: a line with its data and one that tells of it, from core to core; then its bytes, read and written.
LATENCY = "2 * figure('core_to_core')"
COPY = "16 * elements / figure('copy', level='L3', threads=1)"
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
BARRIER = f"log2(threads) * {CROWD} * {LATENCY}"
LINEAR = f"(threads - 1) * ({LATENCY} + {COPY})"
TREE = f"({BARRIER} + max(log2(threads), (threads - 1) / cores) * ({LATENCY} + {COPY}))"
SCATTER = f"log2(threads) * {LATENCY} + {COPY} * (threads - 1) / threads"
RING = f"{CROWD} * (threads - 1) * ({LATENCY} + {COPY} / threads)"


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Broadcast",
    question="Which way does one rank's data get to all?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2), _case("1 MiB", 1 << 17, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("8 KiB", 1 << 10, 2, 4, 8), _case("1 MiB", 1 << 17, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-linear", f"({BARRIER} + {LINEAR}) / {TREE}", over="20-tree", within=1.5),
        Prediction("30-tree-and-ring", f"({BARRIER} + {SCATTER} + {RING}) / {TREE}", over="20-tree", within=1.5),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=6,
        symptoms=("A program that sends the same data to all ranks takes longer the more ranks there are.",),
    ),
)
