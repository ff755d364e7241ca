"""labs/branches: a condition that the processor cannot foresee, and one that is not asked."""

from rooftop.experiment import Case, Experiment, Lesson, Prediction


def _cases(*percents: int) -> list[Case]:
    length = 1 << 18
    return [Case(f"{one} % taken", {"length": length, "percent": one}, length, workers=(1,)) for one in percents]


# Cycles that a wrong guess takes: 13 from the fetch of a branch to that of its successor, and before the next value can
# be compared it comes from the L1 cache.
_WRONG_GUESS = "(13 + figure('latency', level='L1') * figure('clock'))"

experiment = Experiment(
    title="Branches, foreseen and not",
    question="What does a condition cost that the processor cannot foresee?",
    rate_unit="M values/s",
    rate_scale=1e6,
    sizes={"quick": _cases(5, 50), "S": _cases(0, 1, 5, 20, 50, 80, 95, 99, 100)},
    predictions=[
        # The best guess is what happens more often; the loop itself takes one cycle, as it has a taken branch.
        Prediction(
            of="10-random",
            formula=f"length * (1 + min(percent, 100 - percent) / 100 * {_WRONG_GUESS}) / figure('clock')",
            within=1.2,
        ),
        # One addition after another.
        Prediction(of="30-branchless", formula="length / figure('clock')", within=1.2),
    ],
    lesson=Lesson(
        chapter="Core",
        place=3,
        symptoms=(
            "The same loop on the same values is several times as fast when they are sorted.",
            "A loop with a condition takes 10 or more cycles per element, and its data is in cache.",
        ),
    ),
)
