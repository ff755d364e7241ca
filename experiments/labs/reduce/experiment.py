"""labs/reduce: the sums of all ranks' numbers on one, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

ADD = "16 * elements / figure('copy', level='L3', threads=1)"  # as many bytes as a copy
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
BARRIER = f"log2(threads) * {POLL} * exchange(8)"
WHOLE = f"(message(8 * elements) + {ADD})"
STEPS = f"max(log2(threads), (threads - 1) / threads * {POLL})"
TREE = f"({BARRIER} + {ADD} * {CROWD} + {STEPS} * {WHOLE})"
LINEAR = f"({BARRIER} + {ADD} + (threads - 1) * {WHOLE})"
PAIRS = f"(threads - 1) * ({POLL} * exchange(8 * elements / threads) + {CROWD} * {ADD} / threads)"
PARTS = f"{ADD} * {CROWD} / threads + {PAIRS} + (threads - 1) * message(8 * elements / threads)"


def _case(name: str, elements: int, *workers: int) -> Case:
    return Case(name, {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="Reduction to one rank",
    question="Which ranks add up the arrays of all ranks?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={
        "quick": [_case("64 B", 8, 2), _case("1 MiB", 1 << 17, 2, 4)],
        "S": [_case("64 B", 8, 2, 4, 8), _case("1 MiB", 1 << 17, 2, 4, 8)],
    },
    predictions=[
        Prediction("10-linear", f"{LINEAR} / {TREE}", over="20-tree", within=1.5, crowded=2),
        Prediction("30-parts", f"({BARRIER} + {PARTS}) / {TREE}", over="20-tree", within=1.5, crowded=2),
    ],
    lesson=Lesson(
        chapter="MPI",
        place=7,
        symptoms=("The rank that collects sums is busy while all others wait.",),
    ),
)
