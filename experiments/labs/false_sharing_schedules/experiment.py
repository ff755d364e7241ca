"""labs/false_sharing_schedules: false sharing as the schedule of a loop makes it."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction


def _cases(*cycles: int) -> list[Case]:
    given = {"elements": 48, "increments": 200}
    return [Case(f"{one} cycles", {**given, "cycles": one}, 48.0 * 200, workers=(2,)) for one in cycles]


# A step takes its work and, where the line is shared, an increment of a line that another core has. Else it takes the
# work and an atomic increment in the L1 cache, 20 cycles.
_SHARED = "(cycles + figure('line_transfer') * figure('clock')) / (cycles + 20)"

experiment = Experiment(
    title="False sharing by schedule",
    question="Which loop schedules make threads share cache lines?",
    rate_unit="M increments/s",
    rate_scale=1e6,
    sizes={"quick": _cases(200), "S": _cases(200, 1000)},
    predictions=[
        Prediction(of="10-static-1", over="30-static", formula=_SHARED, within=1.5),
        # Of 24 steps of two threads, three apart in an array with 8 to a line, 16 are in one line.
        Prediction(of="20-static-3", over="30-static", formula=f"2 / 3 * {_SHARED} + 1 / 3", within=1.5),
        Prediction(of="40-line-each", over="30-static", figure="counters_bytes", formula="64 / 8", within=1.01),
    ],
    lesson=Lesson(
        chapter="NUMA and coherence",
        place=5,
        symptoms=("A finer schedule, chosen for its balance, makes a loop several times slower.",),
        course={"static, static,3 and static,1": "0.599, 0.606 and 5.08 s"},
    ),
)
