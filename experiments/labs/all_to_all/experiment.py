"""labs/all_to_all: from each rank a block to each, by three algorithms and by the library."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

COPY = "16 * elements / figure('copy', level='L3', threads=1)"
CROWD = "max(1, threads / cores)"  # ranks beyond the cores take turns
# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
PAIRWISE = f"((threads - 1) * {POLL} * exchange(8 * elements) + {CROWD} * {COPY})"  # the block to itself is a copy
# Half of the blocks in each step, copied before and after; all blocks copied before the first step and after the last.
STEP = f"({POLL} * exchange(4 * threads * elements) + {CROWD} * threads * {COPY})"
BRUCK = f"(log2(threads) * {STEP} + {CROWD} * 2 * threads * {COPY})"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{8 * elements} B", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="All to all",
    question="How does every rank send a block of its own to every other rank?",
    rate_unit="MB/s",
    rate_scale=1e6,
    sizes={"quick": [_case(8, 2), _case(1 << 15, 2, 4)], "S": [_case(8, 2, 4, 8), _case(1 << 15, 2, 4, 8)]},
    predictions=[Prediction("30-bruck", f"{BRUCK} / {PAIRWISE}", over="20-pairwise", within=1.5, crowded=2)],
    lesson=Lesson(chapter="MPI", place=12, symptoms=("A transpose among many ranks is slow, its blocks are small.",)),
)
