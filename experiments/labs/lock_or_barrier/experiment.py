"""labs/lock_or_barrier: a common sum in every step, by a barrier or by a lock."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _case(name: str, longest: int, shortest: int) -> Case:
    return Case(name, {"steps": 60, "longest": longest, "shortest": shortest}, nominal=60)


experiment = Experiment(
    title="A lock or a barrier",
    question="What does a barrier cost where mutual exclusion would do?",
    rate_unit="k steps/s",
    rate_scale=1e3,
    sizes={
        "quick": [_case("uneven", 100_000, 10_000), _case("even", 100_000, 100_000)],
        "S": [_case("uneven", 100_000, 10_000), _case("even", 100_000, 100_000), _case("short", 500, 500)],
    },
    predictions=[
        # A barrier's step takes its longest share; with a lock each thread takes the mean of its own.
        Prediction(
            of="10-barriers",
            over="20-lock",
            formula="longest / ((longest + (threads - 1) * shortest) / threads)",
            within=1.2,
        )
    ],
    lesson=Lesson(
        chapter="Threads",
        place=3,
        symptoms=("Threads wait at a barrier, and it is another one that is late each time.",),
    ),
)
