"""labs/indirect_branches: calls through pointers, by the number of their targets."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*targets: int) -> list[Case]:
    length = 1 << 16
    return [Case(f"{one} targets", {"length": length, "targets": one}, length, workers=(1,)) for one in targets]


# Seconds of a wrong guess: as for a branch, and the operation's number and its address come from the L1 cache one
# after the other before it is found.
_WRONG_GUESS = "(figure('branch_miss') + 2 * figure('latency', level='L1'))"

experiment = Experiment(
    title="Indirect branches by their targets",
    question="What does a call through a pointer cost, depending on the number of its targets?",
    rate_unit="M calls/s",
    rate_scale=1e6,
    sizes={"quick": _cases(2, 16), "S": _cases(1, 2, 4, 8, 16, 32)},
    predictions=[
        Prediction(
            of="10-random-order",
            less="20-grouped",
            formula=f"length * (1 - 1 / targets) * {_WRONG_GUESS}",
            within=1.2,
        ),
    ],
    lesson=Lesson(
        chapter="Core",
        place=4,
        symptoms=(
            "A loop over objects of several classes is slow at its virtual calls, and fast if all are of one class.",
            "An interpreter's loop takes 20 cycles for each of its instructions.",
        ),
    ),
)
