"""labs/mutual_exclusion: a common counter under OpenMP's kinds of protection."""

from rooftop.ladder.experiment import Case, Experiment, Lesson, Prediction

# Cycles of a step: the work, and so many ways of a line, each half of what the probe's two threads exchange.
_STEP = "1 if threads == 1 else (cycles + {ways} * figure('core_to_core') / 2 * figure('clock')) / cycles"

experiment = Experiment(
    title="Ways to protect one counter",
    question="What do OpenMP's ways to protect a shared variable cost?",
    rate_unit="M increments/s per thread",
    rate_scale=1e6,
    sizes={
        "quick": [Case("1000 cycles", {"increments": 2000, "cycles": 1000}, nominal=2000)],
        "S": [Case(f"{one} cycles", {"increments": 2000, "cycles": one}, nominal=2000) for one in (500, 5000)],
    },
    predictions=[
        Prediction(of="50-atomic", over="60-reduction", formula=_STEP.format(ways=1), within=1.5),
        Prediction(of="20-lock", over="60-reduction", formula=_STEP.format(ways=3), within=2),
        Prediction(of="10-critical", over="60-reduction", formula=_STEP.format(ways=3), within=2),
    ],
    lesson=Lesson(
        chapter="Threads",
        place=2,
        symptoms=(
            "A loop with a critical section is slower with two threads than with one.",
            "A profile shows GOMP_critical_start or omp_set_lock.",
        ),
    ),
)
