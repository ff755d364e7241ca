"""labs/broadcast: one to all, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
BARRIER = f"log2(threads) * {POLL} * exchange(8)"
LINEAR = "(threads - 1) * message(8 * elements)"
STEPS = f"max(log2(threads), (threads - 1) / threads * {POLL})"
TREE = f"({BARRIER} + {STEPS} * message(8 * elements))"
# Down the tree go a half, a quarter, ...: all but the root's own part.
SCATTER = "(log2(threads) - 1) * message(8) + message(8 * elements * (threads - 1) / threads)"
RING = f"{POLL} * (threads - 1) * exchange(8 * elements / threads)"


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Broadcast",
    question="How does the data of one rank get to all ranks?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2), _case("1 MiB", 1 << 17, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("8 KiB", 1 << 10, 2, 4, 8), _case("1 MiB", 1 << 17, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-linear", f"({BARRIER} + {LINEAR}) / {TREE}", over="20-tree", within=1.5, crowded=2),
        Prediction(
            "30-tree-and-ring", f"({BARRIER} + {SCATTER} + {RING}) / {TREE}", over="20-tree", within=1.5, crowded=2
        ),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=6,
        symptoms=("A program that sends the same data to all ranks takes longer the more ranks there are.",),
    ),
)
