"""labs/send_chain: sends that wait for one another in a chain."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# More ranks than cores: who waits polls, and takes the core from one that copies. So a message occupies two cores.
POLL = "(2 * threads / cores if threads > cores else 1)"
BARRIER = f"log2(threads) * {POLL} * exchange(8)"
CHAIN = f"({BARRIER} + (threads - 1) * message(8 * elements))"
# At most two steps, as long as each rank has a core.
CURED = f"({BARRIER} + max(min(2, threads - 1), (threads - 1) / threads * {POLL}) * message(8 * elements))"


def _case(elements: int, *workers: int) -> Case:
    return Case(f"{elements >> 7} KiB", {"elements": elements}, nominal=8.0 * elements, workers=workers)


experiment = Experiment(
    title="A chain of sends",
    question="What does it cost if every rank sends before it receives?",
    rate_unit="MB/s per rank",
    rate_scale=1e6,
    sizes={"quick": [_case(1 << 17, 2, 4)], "S": [_case(1 << 10, 2, 4, 8), _case(1 << 17, 2, 4, 8)]},
    predictions=[Prediction("10-chain", f"{CHAIN} / {CURED}", over="20-even-and-odd", within=1.5, crowded=2)],
    lesson=Lesson(
        chapter="MPI",
        place=13,
        symptoms=(
            "An exchange with neighbours takes the longer the more ranks there are.",
            "With long messages it becomes slow at once, or the program hangs.",
        ),
        course={"the chain, and even ranks first": "P and 2 steps"},
    ),
)
