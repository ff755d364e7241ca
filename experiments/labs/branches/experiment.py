"""labs/branches: a condition that the processor cannot foresee, and one that is not asked."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*percents: int) -> list[Case]:
    length = 1 << 18
    return [Case(f"{one} % taken", {"length": length, "percent": one}, length, workers=(1,)) for one in percents]


# Seconds of a wrong guess: the way from the fetch of a branch to that of its successor. Before the next branch is known
# to be right or wrong, a value comes from the L1 cache and is compared, which takes a cycle.
_WRONG_GUESS = "(figure('branch_miss') + figure('latency', level='L1') + 1 / figure('clock'))"

experiment = Experiment(
    title="Branches, foreseen and not",
    question="What does a branch cost that the processor cannot predict?",
    rate_unit="M values/s",
    rate_scale=1e6,
    sizes={"quick": _cases(5, 50), "S": _cases(0, 1, 5, 20, 50, 80, 95, 99, 100)},
    predictions=[
        # The best guess is what happens more often. One that repeats what came last is wrong where two draws differ.
        Prediction(
            of="10-random",
            less="20-sorted",
            formula=f"length * min(percent, 100 - percent) / 100 * {_WRONG_GUESS}",
            up_to=f"length * 2 * percent / 100 * (100 - percent) / 100 * {_WRONG_GUESS}",
            within=1.2,
        ),
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
