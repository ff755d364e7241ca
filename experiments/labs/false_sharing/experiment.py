"""labs/false_sharing: threads that write to neighbours in one cache line."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*cycles: int) -> list[Case]:
    return [Case(f"{one} cycles", {"increments": 10_000, "cycles": one}, nominal=10_000) for one in cycles]


experiment = Experiment(
    title="False sharing of a cache line",
    question="What does it cost when threads write to different variables in the same cache line?",
    rate_unit="M increments/s per thread",
    rate_scale=1e6,
    sizes={"quick": _cases(200, 2000), "S": _cases(200, 500, 1000, 2000, 5000)},
    predictions=[
        # Cycles of one step: the work, and an atomic increment in L1 or, with sharing, one of a line that another
        # core has.
        Prediction(
            of="10-shared-line",
            over="20-line-apart",
            formula="1 if threads == 1 else (cycles + figure('line_transfer') * figure('clock')) / (cycles + 20)",
            within=1.5,
        )
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=4,
        symptoms=(
            "A loop takes longer with two threads than with one, and the threads share no variable.",
            "perf c2c shows a hot line in which several threads write at different offsets.",
        ),
    ),
)
